import { describe, expect, test } from 'vitest';
import { isMotionValid } from './motion.js';
import { pathLength } from './path.js';
import { createRealVectorSpace } from './real-vector-space.js';
import { simplifyPath } from './simplify.js';

const f = (...values: number[]): Float64Array => Float64Array.from(values);
const plane = createRealVectorSpace({ lower: [0, 0], upper: [10, 10] });
/** Outside of a disc in the middle. */
const round = { isValid: (q: Float64Array) => (q[0] - 5) ** 2 + (q[1] - 5) ** 2 > 4 };
const detour = [f(1, 5), f(1, 9), f(3, 9.5), f(5, 9), f(8, 9), f(9, 8), f(9, 5)];

describe.each(['auto', 'script'] as const)('engine %s', (engine) => {
  const simplify = (request: Partial<Parameters<typeof simplifyPath>[0]> = {}) =>
    simplifyPath({ space: plane, checker: round, path: detour, engine, ...request });

  test('goes round a disc nearly as short as can be, ends kept, given path untouched', () => {
    const before = detour.map((q) => Array.from(q));
    const { path, length, verified, stopped } = simplify({ rounds: 20, leastChange: 0.01 });
    expect({ verified, stopped }).toEqual({ verified: true, stopped: false });
    expect(path[0]).toEqual(f(1, 5));
    expect(path.at(-1)).toEqual(f(9, 5));
    expect(length).toBe(pathLength(plane, path));
    // Two tangents of sqrt(12) and the arc between: pi - 2 acos(1 / 2).
    const shortest = 2 * Math.sqrt(12) + 2 * (Math.PI / 3);
    expect(length).toBeGreaterThan(shortest);
    expect(length).toBeLessThan(1.06 * shortest);
    for (let i = 1; i < path.length; i++) expect(isMotionValid(plane, round, path[i - 1], path[i], 1 / 128)).toBe(true);
    expect(detour.map((q) => Array.from(q))).toEqual(before);
  });

  test('a straight way is taken at once; two states stay', () => {
    const free = { isValid: () => true };
    expect(simplify({ checker: free }).path).toEqual([f(1, 5), f(9, 5)]);
    expect(simplify({ path: [f(1, 1), f(2, 2)] }).path).toEqual([f(1, 1), f(2, 2)]);
  });

  test('what only the finest check sees is not cut through', () => {
    // A foil thinner than the resolution, with the path around its end.
    const foil = { isValid: (q: Float64Array) => !(q[0] > 5 && q[0] < 5.06 && q[1] < 8) };
    const path = [f(1, 1), f(1, 9), f(9, 9), f(9, 1)];
    const request = { checker: foil, path, resolution: 0.5, verifyResolution: 0.02 };
    const fine = simplify(request);
    expect(fine.verified).toBe(true);
    expect(fine.length).toBeGreaterThan(2 * Math.hypot(4, 7));
    const blind = simplify({ ...request, verifyResolution: Infinity });
    expect(blind.verified).toBe(false);
    expect(blind.length).toBeLessThanOrEqual(fine.length);
  });

  test('an invalid path given is not called verified', () => {
    expect(simplify({ path: [f(1, 5), f(9, 5)] }).verified).toBe(false);
  });

  test('a stop from outside returns the path given', () => {
    let time = 0;
    const slow = { isValid: (q: Float64Array) => ++time > 0 && round.isValid(q) };
    const { path, stopped, verified } = simplify({ checker: slow, timeoutMs: 300, clock: () => time });
    expect({ stopped, verified }).toEqual({ stopped: true, verified: false });
    expect(path).toEqual(detour);
    expect(time).toBeLessThanOrEqual(302);
  });

  test('an exact validator is asked about every motion of the result', () => {
    const asked = new Set<string>();
    const exact = {
      isExact: true,
      isMotionValid: (a: Float64Array, b: Float64Array) => {
        asked.add(`${a} ${b}`);
        return isMotionValid(plane, round, a, b, 1e-3);
      },
    };
    const { path, verified } = simplify({ checker: { ...round, motion: exact } });
    expect(verified).toBe(true);
    for (let i = 1; i < path.length; i++) expect(asked).toContain(`${path[i - 1]} ${path[i]}`);
  });

  test('misuse throws', () => {
    expect(() => simplify({ rounds: -1 })).toThrow(/rounds/);
    expect(() => simplify({ leastChange: 0 })).toThrow(/leastChange/);
    expect(() => simplify({ engine: 'fast' as 'auto' })).toThrow(/engine, got "fast"/);
  });
});
