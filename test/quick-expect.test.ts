/** The `expect` of long loops against vitest's: the same verdicts and the same words, whatever is compared. */
import { describe, expect, it } from 'vitest';
import { expect as quickExpect } from './support/quick-expect.js';

const values: unknown[] = [
  0,
  -0,
  1,
  1 + 1e-12,
  Number.NaN,
  Infinity,
  'a',
  null,
  [1, 2],
  [0],
  [-0],
  [Number.NaN],
  [[1], 'a'],
  [[1], [2, [3]]],
  [[1], [2, [4]]],
  [Float64Array.of(1), 'a'],
  [undefined],
  Float64Array.of(1, 2),
  Float64Array.of(1, Number.NaN),
  Float32Array.of(1, 2),
  Uint32Array.of(1, 2),
  { a: 1 },
];
const matchers = [
  'toBe',
  'toEqual',
  'toBeLessThan',
  'toBeLessThanOrEqual',
  'toBeGreaterThan',
  'toBeGreaterThanOrEqual',
  'toBeCloseTo',
  'toContain',
  'toMatchObject',
] as const;

function verdict(check: () => void): string {
  try {
    check();
    return 'holds';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('quick expect', () => {
  it.each(matchers)('%s: verdicts and words of vitest', (matcher) => {
    for (const value of values)
      for (const other of values) {
        const ask = (use: typeof expect) => (use(value, 'where')[matcher] as (expected: unknown) => void)(other);
        expect(verdict(() => ask(quickExpect))).toBe(verdict(() => ask(expect)));
      }
  });

  it('points at the line that fails', () => {
    try {
      quickExpect(1).toBe(2);
    } catch (error) {
      expect((error as Error).stack?.split('\n').find((line) => line.includes(' at '))).toContain(
        'quick-expect.test.ts',
      );
      return;
    }
    expect.unreachable();
  });

  it('has the other matchers of vitest', async () => {
    quickExpect(() => {
      throw new Error('no');
    }).toThrow('no');
    quickExpect(1).not.toBe(2);
    expect(() => quickExpect(1).not.toBe(1)).toThrow();
    quickExpect({ a: 1 }).toEqual({ a: quickExpect.any(Number) });
    await quickExpect(Promise.resolve(3)).resolves.toBe(3);
    await quickExpect(quickExpect(Promise.resolve(3)).rejects.toBe(3)).rejects.toThrow();
  });
});
