import { describe, expect, test } from 'vitest';
import { createSampledMotion, isMotionValid } from './motion.js';
import { createRealVectorSpace } from './real-vector-space.js';
import { planRrtConnect } from './rrt-connect.js';
import { shortcutPath } from './shortcut.js';

const f = (...values: number[]): Float64Array => Float64Array.from(values);
const plane = createRealVectorSpace({ lower: [-10, -10], upper: [10, 10] });
/** A unit square block around the origin. */
const block = { isValid: (q: Float64Array) => Math.max(Math.abs(q[0]), Math.abs(q[1])) > 1 };
const free = { isValid: () => true };
const detour = [f(-3, 0), f(-3, 5), f(0, 6), f(3, 5), f(3, 0)];
/** Shortest way round the block from (-3, 0) to (3, 0). */
const shortest = 2 * Math.hypot(2, 1) + 2;

function expectValid(path: readonly Float64Array[], resolution: number): void {
  for (let i = 1; i < path.length; i++)
    expect(isMotionValid(plane, block, path[i - 1], path[i], resolution)).toBe(true);
}

describe('shortcuts', () => {
  test('without obstacles only the ends remain', () => {
    const { path, length } = shortcutPath({ space: plane, checker: free, path: detour });
    expect(path).toEqual([detour[0], detour[4]]);
    expect(length).toBe(6);
  });

  test('round a block: near the shortest way, valid, ends exact, input untouched', () => {
    const before = structuredClone(detour);
    for (const seed of [1, 2, 3]) {
      const result = shortcutPath({ space: plane, checker: block, path: detour, seed, patience: 60 });
      expect(result.length).toBeLessThan(shortest * 1.05);
      expect(result.length).toBeGreaterThan(shortest * (1 - 1e-9));
      expect(result.path[0]).toEqual(detour[0]);
      expect(result.path[result.path.length - 1]).toEqual(detour[4]);
      expectValid(result.path, 1 / 128);
      expect(result.checks).toBeGreaterThan(0);
      expect(result.iterations).toBeGreaterThan(0);
    }
    expect(detour).toEqual(before);
  });

  test('same seed, same bits', () => {
    const run = (seed: number) => shortcutPath({ space: plane, checker: block, path: detour, seed });
    expect(run(4)).toEqual(run(4));
    expect(run(4).path).not.toEqual(run(5).path);
  });

  test('smoothing blunts corners and stays valid', () => {
    const sharpest = (path: readonly Float64Array[]): number => {
      let largest = 0;
      for (let i = 1; i < path.length - 1; i++) {
        const a = Math.atan2(path[i][1] - path[i - 1][1], path[i][0] - path[i - 1][0]);
        const b = Math.atan2(path[i + 1][1] - path[i][1], path[i + 1][0] - path[i][0]);
        largest = Math.max(largest, Math.abs(Math.atan2(Math.sin(b - a), Math.cos(b - a))));
      }
      return largest;
    };
    const request = { space: plane, checker: block, path: detour, maxIterations: 0 };
    const corners = shortcutPath(request);
    const smooth = shortcutPath({ ...request, smoothingRounds: 3 });
    expect(sharpest(smooth.path)).toBeLessThan(sharpest(corners.path) / 2);
    expect(smooth.length).toBeLessThan(corners.length);
    expectValid(smooth.path, 1 / 128);
  });

  test('paths of 0, 1 and 2 states come back as copies', () => {
    for (const n of [0, 1, 2]) {
      const path = detour.slice(0, n);
      const result = shortcutPath({ space: plane, checker: block, path });
      expect(result.path).toEqual(path);
      if (n > 0) expect(result.path[0]).not.toBe(path[0]);
    }
  });

  test('a stop at once returns a valid path no longer than the input', () => {
    let time = 0;
    for (const stop of [{ shouldStop: () => true }, { timeoutMs: 0, clock: () => time++ }]) {
      const result = shortcutPath({ space: plane, checker: block, path: detour, ...stop });
      expect(result.path).toEqual(detour);
    }
    expect(() => shortcutPath({ space: plane, checker: block, path: detour, timeoutMs: 1 })).toThrow(/clock/);
  });

  test('a time limit ends within one check, with a path that has passed them all', () => {
    for (let limit = 0; limit < 400; limit += 7) {
      let time = 0;
      const slow = {
        isValid: (q: Float64Array) => {
          time++;
          return block.isValid(q);
        },
      };
      const result = shortcutPath({ space: plane, checker: slow, path: detour, timeoutMs: limit, clock: () => time });
      expect(time).toBeLessThanOrEqual(limit);
      expect(result.stopped).toBe(true);
      expectValid(result.path, 1 / 512);
    }
    let time = 0;
    const motion = {
      isMotionValid: () => {
        time += 1000;
        return false;
      },
    };
    const result = shortcutPath({
      space: plane,
      checker: block,
      motion,
      path: detour,
      timeoutMs: 10,
      clock: () => time,
    });
    expect(time).toBe(1000);
    expect(result).toMatchObject({ path: detour, stopped: true, verified: false });
  });

  test('the checker’s own judge of motions is taken, also where states would miss a contact', () => {
    // A foil that no state of the default resolution meets.
    const crosses = (a: Float64Array, b: Float64Array): boolean =>
      (a[0] - 0.003) * (b[0] - 0.003) < 0 && Math.min(a[1], b[1]) < 4;
    const foil = {
      isValid: () => true,
      motion: { isExact: true, isMotionValid: (a: Float64Array, b: Float64Array) => !crosses(a, b) },
    };
    const result = shortcutPath({ space: plane, checker: foil, path: [f(-3, 0), f(-3, 5), f(3, 5), f(3, 0)] });
    expect(result.verified).toBe(true);
    for (let i = 1; i < result.path.length; i++) expect(crosses(result.path[i - 1], result.path[i])).toBe(false);
    // Asked for states, it still decides about the result, and repairs it.
    const sampled = createSampledMotion(plane, foil, 0.5);
    const repaired = shortcutPath({
      space: plane,
      checker: foil,
      motion: sampled,
      path: [f(-3, 0), f(-3, 5), f(3, 5), f(3, 0)],
    });
    expect(repaired.verified).toBe(true);
    for (let i = 1; i < repaired.path.length; i++) expect(crosses(repaired.path[i - 1], repaired.path[i])).toBe(false);
    const found = planRrtConnect({ space: plane, checker: foil, motion: sampled, start: f(-3, 0), goals: [f(3, 0)] });
    expect(found.status).toBe('solved');
    for (let i = 1; i < found.path.length; i++) expect(crosses(found.path[i - 1], found.path[i])).toBe(false);
  });

  test('says where the path given does not pass the finest check', () => {
    const blocked = [f(-3, 0), f(3, 0)];
    expect(shortcutPath({ space: plane, checker: block, path: blocked }).verified).toBe(false);
    expect(shortcutPath({ space: plane, checker: block, path: detour }).verified).toBe(true);
  });

  test.each([
    [{ path: [f(0), f(1)] }, /path\[0\], got 1 numbers, expected 2/],
    [{ path: [f(0, Number.NaN)] }, /path\[0\]\[1\], got NaN/],
    [{ path: 'p' }, /path, got "p"/],
    [{ maxIterations: -1 }, /maxIterations, got -1/],
    [{ patience: Number.NaN }, /patience, got NaN/],
    [{ seed: 0.5 }, /seed, got 0.5/],
    [{ resolution: -1 }, /resolution, got -1/],
    [{ timeoutMs: Number.NaN, clock: () => 0 }, /timeoutMs, got NaN/],
    [{ pathh: 1 }, /unknown key "pathh" \(did you mean "path"\?\)/],
    [{ checker: null }, /checker, got null/],
    [{ space: {} }, /space, got an object/],
    [{ motion: {} }, /motion, got an object/],
  ])('misuse %# is named', (wrong, message) => {
    const request = { space: plane, checker: block, path: detour, ...wrong };
    expect(() => shortcutPath(request as Parameters<typeof shortcutPath>[0])).toThrow(message);
  });

  test('a foil between two checked states is seen by the finer check', () => {
    const foil = { isValid: (q: Float64Array) => !(q[1] < 4 && Math.abs(q[0] - 0.013) < 0.011) };
    const { path } = shortcutPath({
      space: plane,
      checker: foil,
      path: detour,
      resolution: 0.5,
      verifyResolution: 0.01,
    });
    for (let i = 1; i < path.length; i++) expect(isMotionValid(plane, foil, path[i - 1], path[i], 0.01)).toBe(true);
  });

  test('improves what the planner found', () => {
    const found = planRrtConnect({ space: plane, checker: block, start: detour[0], goals: [detour[4]] });
    const short = shortcutPath({ space: plane, checker: block, path: found.path });
    expect(short.length).toBeLessThan(found.length);
  });
});
