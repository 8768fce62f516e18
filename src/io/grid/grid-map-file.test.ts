import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseGridMap, writeGridMap } from './grid-map-file.js';

const text = 'type octile\nheight 2\nwidth 3\nmap\n.T@\nGSW\n';
const codes = (source: string) => parseGridMap(source).issues.map(({ code, line }) => [code, line]);

describe('maps of cells', () => {
  it('are read, line ends of any kind, and written', () => {
    for (const source of [text, text.replaceAll('\n', '\r\n'), `\uFEFF${text}`]) {
      const { value, issues } = parseGridMap(source);
      expect(issues).toEqual([]);
      expect(value).toEqual({ width: 3, height: 2, free: Uint8Array.of(1, 0, 0, 1, 1, 0) });
      expect(parseGridMap(writeGridMap(value!)).value).toEqual(value);
    }
  });

  it.each([
    ['', 'no-map', 1],
    ['height 2\nwidth 3\n', 'no-map', 3],
    ['height 2\nmap\n..', 'no-size', 2],
    ['height x\n', 'bad-header', 1],
    ['height 99999\nwidth 99999\nmap\n', 'too-large', 3],
    ['height 9\nwidth 99\nmap\n..', 'too-short', 3],
    [text.replace('.T@', '.T'), 'bad-row', 5],
    [text.replace('.T@', '.TTT'), 'bad-row', 5],
    [text.replace('.T@', '.X@'), 'bad-cell', 5],
  ])('%j: %s in line %d', (source, code, line) => {
    expect(codes(source)).toEqual([[code, line]]);
  });

  it('say what they leave out', () => {
    expect(parseGridMap(`${text}...\n`).issues).toMatchObject([{ code: 'more-rows', line: 7, assumes: 'dropped' }]);
  });

  it('never throw on random content', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('height 2', 'width 2', 'map', '..', '@.', 'x', '', 'type octile')),
        (lines) => {
          const { value, issues } = parseGridMap(lines.join('\n'));
          expect(value === null).toBe(issues.some(({ severity }) => severity === 'error'));
        },
      ),
      { numRuns: 500, seed: 1 },
    );
  });
});
