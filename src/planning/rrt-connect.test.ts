import { describe, expect, test } from 'vitest';
import { createRealVectorSpace } from './real-vector-space.js';
import { planRrtConnect } from './rrt-connect.js';

const f = (...values: number[]): Float64Array => Float64Array.from(values);
const angles = createRealVectorSpace({ lower: [-Math.PI, -1], upper: [Math.PI, 1], wrap: [true, false] });

describe('RRT-Connect', () => {
  test('goes round through the seam of a wrapping coordinate', () => {
    const checker = { isValid: (q: Float64Array) => Math.abs(q[0]) > 0.5 };
    const { status, path, length } = planRrtConnect({ space: angles, checker, start: f(2, 0), goals: [f(-2, 0)] });
    expect(status).toBe('solved');
    expect(path).toHaveLength(2);
    expect(length).toBeCloseTo(2 * Math.PI - 4, 12);
  });

  test('an injected motion validator decides while the trees grow, the checker about the final path', () => {
    const space = createRealVectorSpace({ lower: [0, 0], upper: [4, 4] });
    const checker = { isValid: (q: Float64Array) => Math.hypot(q[0] - 2, q[1] - 2) > 0.5 };
    let motions = 0;
    const motion = {
      isMotionValid: (a: Float64Array, b: Float64Array): boolean => {
        motions++;
        // Exact: distance of the disc's centre from the segment.
        const dx = b[0] - a[0];
        const dy = b[1] - a[1];
        const squared = dx * dx + dy * dy;
        const t = squared > 0 ? Math.min(1, Math.max(0, ((2 - a[0]) * dx + (2 - a[1]) * dy) / squared)) : 0;
        return Math.hypot(a[0] + t * dx - 2, a[1] + t * dy - 2) > 0.5;
      },
    };
    const result = planRrtConnect({ space, checker, motion, start: f(0.5, 2), goals: [f(3.5, 2)], seed: 2 });
    expect(result.status).toBe('solved');
    expect(motions).toBeGreaterThan(2);
    const growing = planRrtConnect({
      space,
      checker,
      motion,
      start: f(0.5, 2),
      goals: [f(3.5, 2)],
      seed: 2,
      verifyResolution: Infinity,
    });
    expect(growing.checks).toBe(2 + motions / 2);
    expect(growing.path).toEqual(result.path);
  });

  test('the default limit is 400,000 iterations: searches that take 363,000 end with a path', () => {
    const space = createRealVectorSpace({ lower: [0], upper: [1] });
    // No motion is free, so that the trees keep one state each and an iteration costs nothing.
    const motion = { isMotionValid: () => false, isExact: true };
    const found = planRrtConnect({ space, checker: { isValid: () => true }, motion, start: f(0), goals: [f(1)] });
    expect(found).toMatchObject({ status: 'limit', iterations: 400_000 });
  });

  test('looks at the clock within the check of a long motion, and keeps what was found before', () => {
    const space = createRealVectorSpace({ lower: [0, 0], upper: [1, 1] });
    let checks = 0;
    // Free but for a wall at the far end, each check a millisecond: one whole motion would take a second.
    const checker = { isValid: (q: Float64Array) => ++checks > 0 && !(q[0] > 0.9 && q[0] < 0.95) };
    const request = { space, checker, start: f(0, 0), goals: [f(1, 1)], resolution: 1e-3, clock: () => checks };
    const result = planRrtConnect({ ...request, timeoutMs: 20, allowPartial: true });
    expect(result.status).toBe('timeout');
    expect(result.checks).toBe(checks);
    expect(checks).toBeLessThanOrEqual(20 + 1);
    expect(result.path[0]).toEqual(f(0, 0));
    // Slicing and the look at the clock change nothing while time lasts.
    checks = 0;
    const plain = { ...request, clock: undefined, maxIterations: 5 };
    expect(planRrtConnect({ ...request, maxIterations: 5, timeoutMs: 1e9 })).toEqual(planRrtConnect(plain));
  });

  test('reaches an end on the bounds exactly', () => {
    const space = createRealVectorSpace({ lower: [0, 0], upper: [1, 1] });
    const checker = { isValid: (q: Float64Array) => !(q[0] > 0.4 && q[0] < 0.6 && q[1] < 0.9) };
    const { status, path } = planRrtConnect({ space, checker, start: f(0, 0), goals: [f(1, 0)], range: 0.3 });
    expect(status).toBe('solved');
    expect(path[path.length - 1]).toEqual(f(1, 0));
  });

  test('no two states in a row coincide', () => {
    const space = createRealVectorSpace({ lower: [0, 0], upper: [1, 1] });
    const checker = { isValid: (q: Float64Array) => !(q[0] > 0.4 && q[0] < 0.6 && q[1] < 0.9) };
    for (let seed = 1; seed < 20; seed++) {
      const { path } = planRrtConnect({ space, checker, start: f(0.1, 0), goals: [f(0.9, 0)], seed });
      for (let i = 1; i < path.length; i++) expect(space.distance(path[i - 1], path[i])).toBeGreaterThan(0);
    }
  });
});
