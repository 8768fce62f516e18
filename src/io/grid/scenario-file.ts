/**
 * Scenarios of the Moving AI benchmarks (`.scen`): a start and a goal per line on a map.
 *
 * Columns, by tabs or blanks: bucket, map, width, height, start x, start y, goal x, goal y, length of the shortest path (octile moves).
 * Source: Stern et al. 2019, "Multi-agent pathfinding: definitions, variants, and benchmarks", SoCS, section 5.
 * Tested by scenario-file.test.ts.
 */
import { requireCount, requireList, requireNumbers, requireObject, requireText } from '../../math/arguments.js';
import type { Issue, Parsed } from '../issue.js';

export interface ScenarioEntry {
  readonly bucket: number;
  readonly map: string;
  readonly width: number;
  readonly height: number;
  readonly start: readonly [x: number, y: number];
  readonly goal: readonly [x: number, y: number];
  /** Shortest path with diagonal moves, as the file says. */
  readonly length: number;
}

export function parseScenario(text: string): Parsed<readonly ScenarioEntry[]> {
  requireText('parseScenario', 'text', text);
  const entries: ScenarioEntry[] = [];
  const issues: Issue[] = [];
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  for (let k = 0; k < lines.length; k++) {
    const line = lines[k].trim();
    if (line === '' || (k === 0 && /^version\s+\d+(\.\d+)?$/.test(line))) continue;
    const words = line.split(/\s+/);
    const [bucket, width, height, sx, sy, gx, gy] = [0, 2, 3, 4, 5, 6, 7].map((i) => toWhole(words[i]));
    const length = Number(words[8]);
    const isRight =
      words.length === 9 && bucket >= 0 && width > 0 && height > 0 && length >= 0 && Number.isFinite(length);
    if (
      !isRight ||
      !(sx >= 0 && sx < width && gx >= 0 && gx < width && sy >= 0 && sy < height && gy >= 0 && gy < height)
    ) {
      issues.push({
        severity: 'error',
        code: 'bad-entry',
        line: k + 1,
        message: `got "${line.slice(0, 60)}", expected bucket, map, width, height, start x, y and goal x, y within them, length`,
      });
      return { value: null, issues };
    }
    entries.push({ bucket, map: words[1], width, height, start: [sx, sy], goal: [gx, gy], length });
  }
  return { value: entries, issues };
}

export function writeScenario(entries: readonly ScenarioEntry[]): string {
  requireList('writeScenario', 'entries', entries);
  entries.forEach((entry, i) => {
    const what = `entries[${i}]`;
    requireObject('writeScenario', what, entry);
    requireText('writeScenario', `${what}.map`, entry.map);
    requireNumbers('writeScenario', `${what}.start`, entry.start, 2);
    requireNumbers('writeScenario', `${what}.goal`, entry.goal, 2);
    for (const name of ['bucket', 'width', 'height'] as const)
      requireCount('writeScenario', `${what}.${name}`, entry[name]);
  });
  const rows = entries.map(({ bucket, map, width, height, start, goal, length }) =>
    [bucket, map, width, height, ...start, ...goal, length].join('\t'),
  );
  return `version 1\n${rows.map((row) => `${row}\n`).join('')}`;
}

function toWhole(word: string | undefined): number {
  return word !== undefined && /^\d{1,8}$/.test(word) ? Number(word) : -1;
}
