import { describe, expect, it } from 'vitest';
import type { Shape } from '../geometry/shapes.js';
import { supportCore } from '../geometry/support.js';
import { createRandom } from '../math/random.js';
import { multiplyTransform, poseToTransform } from '../math/transform.js';
import { collide } from './collide.js';
import { type Collider, createCollider } from './collider.js';
import { distance } from './distance.js';
import { createDistanceResult } from './query.js';

const still = poseToTransform(new Float64Array(12), [0, 0, 0, 0, 0, 0, 1]);

function measure(A: Shape, B: Shape, pose: readonly number[]) {
  return distance(
    createDistanceResult(),
    createCollider(A),
    still,
    createCollider(B),
    poseToTransform(new Float64Array(12), pose),
  );
}

const tip = new Float64Array(3);

/** Largest n . x over the collider at X. */
function reachOf({ core }: Collider, X: Float64Array, n: readonly number[]): number {
  const [u, v, w] = [0, 1, 2].map((k) => X[k] * n[0] + X[3 + k] * n[1] + X[6 + k] * n[2]);
  supportCore(tip, core, u, v, w);
  return u * tip[0] + v * tip[1] + w * tip[2] + core.radius + n[0] * X[9] + n[1] * X[10] + n[2] * X[11];
}

describe('depth on curved cores against closed forms', () => {
  it('round ellipsoids are spheres, shallow and deep (seed 61)', () => {
    const random = createRandom(61);
    for (let i = 0; i < 200; i++) {
      const ra = random.uniform(0.2, 1);
      const rb = random.uniform(0.2, 1);
      const d = [random.normal(), random.normal(), random.normal()];
      const apart = (ra + rb) * random.uniform(0.3, 0.999999);
      const norm = Math.hypot(...d);
      const pose = [...d.map((x) => (x / norm) * apart), 0, 0, 0, 1];
      const r = measure(
        { type: 'ellipsoid', semiAxes: [ra, ra, ra] },
        { type: 'ellipsoid', semiAxes: [rb, rb, rb] },
        pose,
      );
      expect(r.status).toBe('ok');
      expect(r.distance, `seed 61 case ${i}`).toBeCloseTo(apart - ra - rb, 12);
      for (let k = 0; k < 3; k++) expect(r.normal[k]).toBeCloseTo(d[k] / norm, 6);
    }
  });

  it('crossed cylinders: the sides meet, or a cap when that is nearer', () => {
    const A: Shape = { type: 'cylinder', radius: 0.5, length: 10 };
    const quarter = [0, Math.SQRT1_2, 0, Math.SQRT1_2];
    for (const y of [0.05, 0.3, 0.7, 0.95])
      expect(measure(A, A, [0, y, 0, ...quarter]).distance).toBeCloseTo(y - 1, 13);
    // B's axis along x, its end 0.1 inside A's side: the cap's depth wins over the sides' 0.9.
    const r = measure(A, A, [5 + 0.5 - 0.1, 0.1, 0, ...quarter]);
    expect(r.distance).toBeLessThanOrEqual(-0.1 + 0.02);
    expect(r.distance).toBeGreaterThanOrEqual(-0.1 - 1e-13);
  });

  it('concentric: every direction may tie, the depth does not', () => {
    const A: Shape = { type: 'cylinder', radius: 0.5, length: 2 };
    const r = measure(A, { type: 'cylinder', radius: 0.25, length: 2 }, [0, 0, 0, 0, 0, 0, 1]);
    expect(r.distance).toBeCloseTo(-0.75, 12);
    const e = measure(
      { type: 'ellipsoid', semiAxes: [1, 0.3, 2] },
      { type: 'ellipsoid', semiAxes: [1, 0.4, 1] },
      [0, 0, 0, 0, 0, 0, 1],
    );
    expect(e.distance).toBeCloseTo(-0.7, 12);
    const same = createCollider({ type: 'cone', radius: 1, length: 1 });
    expect(collide(same, still, same, still)).toBe(true);
  });

  it('flat cores have depth 0 along their common normal', () => {
    const square: Shape = { type: 'convex', points: Float64Array.of(-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0) };
    const r = measure(square, square, [0.5, 0.2, 0, 0, 0, 0, 1]);
    expect(Math.abs(r.distance)).toBeLessThan(1e-15);
    expect(Math.abs(r.normal[2])).toBeCloseTo(1, 14);
    const dot: Shape = { type: 'convex', points: Float64Array.of(0.25, 0.25, 0) };
    expect(measure(square, dot, [0, 0, 0, 0, 0, 0, 1]).collides).toBe(true);
    expect(measure(dot, dot, [0, 0, 0, 0, 0, 0, 1]).collides).toBe(true);
    const needle: Shape = { type: 'convex', points: Float64Array.of(0, 0, -1, 0, 0, 1) };
    expect(measure(square, needle, [0, 0, 0, 0, 0, 0, 1]).distance).toBeCloseTo(-1, 14);
    const crossing = measure(needle, needle, [0, 0, 0, 0, Math.SQRT1_2, 0, Math.SQRT1_2]);
    expect(Math.abs(crossing.distance)).toBeLessThan(1e-15);
    expect(Math.abs(crossing.normal[1])).toBeCloseTo(1, 12);
  });

  it('extreme aspect ratios end with a status and a depth that separates (seed 62)', () => {
    const random = createRandom(62);
    for (let i = 0; i < 200; i++) {
      const A: Shape = { type: 'ellipsoid', semiAxes: [1, 10 ** random.uniform(-4, 0), 10 ** random.uniform(-4, 0)] };
      const B: Shape = { type: 'cylinder', radius: 10 ** random.uniform(-4, 0), length: 10 ** random.uniform(-4, 0) };
      const q = [random.normal(), random.normal(), random.normal(), random.normal()];
      const pose = [random.uniform(-0.3, 0.3), 0.01 * random.normal(), 0.01 * random.normal(), ...q];
      const r = measure(A, B, pose);
      expect(Number.isFinite(r.distance)).toBe(true);
      expect(['ok', 'iteration-limit']).toContain(r.status);
      if (r.distance >= 0) continue;
      const X = poseToTransform(new Float64Array(12), pose);
      for (let k = 0; k < 3; k++) X[9 + k] += (-r.distance + 1e-8) * r.normal[k];
      expect(collide(createCollider(A), still, createCollider(B), X), `seed 62 case ${i}`).toBe(false);
    }
  });

  it('two minima close to each other: the lesser one, in either order', () => {
    const [A, B]: Shape[] = [
      { type: 'cylinder', radius: 3.647338119457515, length: 3.926089274793082 },
      { type: 'cylinder', radius: 1.7016393569707466, length: 2.6596153632833808 },
    ];
    const X = Float64Array.of(
      ...[0.9003583759735228, -0.42472050880352097, -0.09469574550104604],
      ...[-0.4217137285017719, -0.9053060397424391, 0.05077898777048704],
      ...[-0.1072955078624189, -0.005784791054114072, -0.9942103450402264],
      ...[1.8294307945426698, -0.7773470068656384, 0.2236939212340133],
    );
    const [a, b] = [createCollider(A), createCollider(B)];
    expect(distance(createDistanceResult(), a, still, b, X).distance).toBeCloseTo(-3.2382873075061718, 9);
    expect(distance(createDistanceResult(), b, X, a, still).distance).toBeCloseTo(-3.2382873075061718, 9);
  });

  it('boxes, capsules and cylinders: the least width of a dense sample, refined, is never less (seed 63)', () => {
    const random = createRandom(63);
    const size = (): number => 10 ** random.uniform(-2, 0);
    const shapes: (() => Shape)[] = [
      () => ({ type: 'box', size: [size(), size(), size()] }),
      () => ({ type: 'capsule', radius: size(), length: size() }),
      () => ({ type: 'cylinder', radius: size(), length: size() }),
    ];
    let deep = 0;
    for (let i = 0; i < 300; i++) {
      const [A, B] = [shapes[i % 3](), shapes[Math.floor(i / 3) % 3]()];
      const q = [random.normal(), random.normal(), random.normal(), random.normal()];
      // Exactly parallel and crossed ones too.
      if (i % 5 === 0) q.splice(0, 2, 0, 0);
      const pose = [0.1 * random.normal(), 0.1 * random.normal(), 0.1 * random.normal(), ...q];
      const r = measure(A, B, pose);
      if (r.distance >= 0) continue;
      deep++;
      const [a, b] = [createCollider(A), createCollider(B)];
      const X = poseToTransform(new Float64Array(12), pose);
      const width = (n: readonly number[]): number =>
        reachOf(a, still, n) +
        reachOf(
          b,
          X,
          n.map((x) => -x),
        );
      let [best, least] = [[0, 0, 1], Infinity];
      const look = (n: number[]): void => {
        const norm = Math.hypot(...n);
        const unit = n.map((x) => x / norm);
        const w = width(unit);
        if (w < least) [best, least] = [unit, w];
      };
      for (let k = 0; k < 3000; k++) look([random.normal(), random.normal(), random.normal()]);
      for (let reach = 0.1; reach > 1e-9; reach *= 0.7)
        for (let k = 0; k < 12; k++) look(best.map((x) => x + reach * random.normal()));
      expect(-r.distance, `seed 63 case ${i}`).toBeLessThanOrEqual(least + 1e-12);
      expect(width(Array.from(r.normal)), `seed 63 case ${i}`).toBeCloseTo(-r.distance, 12);
    }
    expect(deep).toBeGreaterThan(100);
  });

  it('touching twice at once, at every attitude: a rim along an edge whose face is a cap away (seed 64)', () => {
    const random = createRandom(64);
    const [radius, length, gap] = [0.0375, 0.004, 2e-12];
    const a = createCollider({ type: 'cylinder', radius, length });
    const b = createCollider({ type: 'box', size: [20, 2.5, 2] });
    // The box's top edge runs along the rim's farthest line: nothing apart in y, `gap` in z.
    const X_AB = poseToTransform(new Float64Array(12), [-2.8, -radius - 1.25, length / 2 + gap + 1, 0, 0, 0, 1]);
    for (let i = 0; i < 100; i++) {
      const q = [random.normal(), random.normal(), random.normal(), random.normal()];
      const X_WA = poseToTransform(new Float64Array(12), [0, 0, 0, ...q]);
      const X_WB = multiplyTransform(new Float64Array(12), X_WA, X_AB);
      const r = distance(createDistanceResult(), a, X_WA, b, X_WB);
      expect(Math.abs(r.distance - gap), `seed 64 case ${i}`).toBeLessThan(1e-13);
    }
  });

  it('a point in the middle of a disc without thickness is no distance from it (seed 65)', () => {
    const random = createRandom(65);
    const disc = createCollider({ type: 'cylinder', radius: 0.08, length: 3.5e-11 });
    const dot = createCollider({ type: 'convex', points: Float64Array.of(0, 0, 0, 0, 0, 0, 1e-13, 0, 0) });
    for (let i = 0; i < 200; i++) {
      const pose = (): Float64Array =>
        poseToTransform(new Float64Array(12), [0, 0, 0, random.normal(), random.normal(), random.normal(), 1]);
      const [X, Y] = [pose(), pose()];
      expect(Math.abs(distance(createDistanceResult(), dot, X, disc, Y).distance)).toBeLessThan(1e-10);
      expect(Math.abs(distance(createDistanceResult(), disc, Y, dot, X).distance)).toBeLessThan(1e-10);
    }
  });
});
