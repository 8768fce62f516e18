/**
 * Maps of the Moving AI benchmarks (`.map`): `type octile`, `height`, `width`, `map`, then rows of characters.
 *
 * `.`, `G` and `S` can be entered, `@`, `O`, `T` and `W` not; any other character is an error at its place. Rows beyond the height that hold
 * nothing are left out. Source: Sturtevant 2012, doi:10.1109/TCIAIG.2012.2197681, section III.
 * Tested by grid-map-file.test.ts.
 */
import { type GridMap, MOST_CELLS, requireGridMap } from '../../fleet/grid-map.js';
import { requireText } from '../../math/arguments.js';
import type { Issue, Parsed } from '../issue.js';

export function parseGridMap(text: string): Parsed<GridMap> {
  requireText('parseGridMap', 'text', text);
  const issues: Issue[] = [];
  const fail = (code: string, line: number, message: string): Parsed<GridMap> => {
    issues.push({ severity: 'error', code, line, message });
    return { value: null, issues };
  };
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  let width = 0;
  let height = 0;
  let at = 0;
  for (; at < lines.length; at++) {
    const words = lines[at].trim().split(/\s+/);
    if (words[0] === 'map' && words.length === 1) break;
    if (words[0] === '' || words[0] === 'type') continue;
    const count = /^\d{1,8}$/.test(words[1] ?? '') ? Number(words[1]) : 0;
    if ((words[0] !== 'height' && words[0] !== 'width') || words.length !== 2 || count === 0)
      return fail('bad-header', at + 1, `got "${lines[at].slice(0, 40)}", expected type, height N, width N or map`);
    if (words[0] === 'height') height = count;
    else width = count;
  }
  if (at === lines.length) return fail('no-map', lines.length, 'there is no line "map" after which the cells come');
  if (width === 0 || height === 0) return fail('no-size', at + 1, 'height and width come before the line "map"');
  if (width * height > MOST_CELLS) return fail('too-large', at + 1, `more than ${MOST_CELLS} cells`);
  if (text.length < width * height)
    return fail('too-short', at + 1, `fewer characters than ${width} x ${height} cells`);
  const free = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const row = lines[at + 1 + y] ?? '';
    if (row.trimEnd().length > width || row.length < width)
      return fail('bad-row', at + 2 + y, `got ${row.length} cells, expected ${width}`);
    for (let x = 0; x < width; x++) {
      const c = row[x];
      if (c === '.' || c === 'G' || c === 'S') free[y * width + x] = 1;
      else if (c !== '@' && c !== 'O' && c !== 'T' && c !== 'W')
        return fail(
          'bad-cell',
          at + 2 + y,
          `got ${JSON.stringify(c)} in column ${x + 1}, expected one of . G S @ O T W`,
        );
    }
  }
  for (let k = at + 1 + height; k < lines.length; k++)
    if (lines[k].trim() !== '') {
      issues.push({
        severity: 'warning',
        code: 'more-rows',
        line: k + 1,
        message: `rows after the ${height} that the height says were left out`,
        assumes: 'dropped',
      });
      break;
    }
  return { value: { width, height, free }, issues };
}

/** The text of a `.map` file; free cells are `.`, others `@`. */
export function writeGridMap(map: GridMap): string {
  requireGridMap('writeGridMap', 'map', map);
  const { width, height, free } = map;
  const rows = ['type octile', `height ${height}`, `width ${width}`, 'map'];
  for (let y = 0; y < height; y++)
    rows.push(Array.from(free.subarray(y * width, (y + 1) * width), (f) => (f !== 0 ? '.' : '@')).join(''));
  return `${rows.join('\n')}\n`;
}
