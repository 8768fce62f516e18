import { describe, expect, it } from 'vitest';
import { createBoxMesh, joinMeshes, ruleOf, samplePose, sampleShape, shapeTypes } from '../../../test/sample-shapes.js';
import { createRandom } from '../../math/random.js';
import { hypot } from '../../math/scalar.js';
import { createTransform, multiplyTransform, transformPoint } from '../../math/transform.js';
import { boundShape } from '../aabb.js';
import { buildConvexHull } from '../hull.js';
import type { Shape } from '../shapes.js';
import { fitSpheres } from '../sphere-cover/fit-spheres.js';
import { type PlacedShape, verifySpheres } from './verify-spheres.js';

/** Smallest distance outside any sphere; at most 0 for what is contained. */
function gapOf(spheres: ArrayLike<number>, p: ArrayLike<number>): number {
  let least = Infinity;
  for (let i = 0; i < spheres.length; i += 4)
    least = Math.min(least, hypot(p[0] - spheres[i], p[1] - spheres[i + 1], p[2] - spheres[i + 2]) - spheres[i + 3]);
  return least;
}

/** From the definitions, or by the suite's rules of rounded shapes; of hulls and meshes their corners and points between. */
function isInside(shape: Shape, p: Float64Array): boolean {
  const [x, y, z] = p;
  const rho = hypot(x, y);
  switch (shape.type) {
    case 'sphere':
      return hypot(x, y, z) <= shape.radius;
    case 'box':
      return shape.size.every((s, k) => Math.abs(p[k]) <= 0.5 * s);
    case 'capsule':
      return hypot(x, y, Math.max(0, Math.abs(z) - 0.5 * shape.length)) <= shape.radius;
    case 'cylinder':
      return rho <= shape.radius && Math.abs(z) <= 0.5 * shape.length;
    case 'cone':
      return Math.abs(z) <= 0.5 * shape.length && rho <= shape.radius * (0.5 - z / shape.length);
    case 'ellipsoid':
      return hypot(x / shape.semiAxes[0], y / shape.semiAxes[1], z / shape.semiAxes[2]) <= 1;
    case 'convex':
    case 'mesh': {
      // Somewhere between four of its points: inside what is convex, as the sampled meshes are.
      const points = shape.type === 'mesh' ? shape.mesh.vertices : shape.points;
      const random = createRandom(Math.round(1e6 * Math.abs(x)));
      const weights = [0, 1, 2, 3].map(() => random.next());
      const sum = weights.reduce((a, b) => a + b, 0);
      p.fill(0);
      for (const w of weights) {
        const v = 3 * random.integer(points.length / 3);
        for (let k = 0; k < 3; k++) p[k] += (w / sum) * points[v + k];
      }
      return true;
    }
    case 'support': {
      const out = new Float64Array(3);
      const length = hypot(x, y, z);
      shape.support(
        out,
        p.map((c) => c / length),
      );
      p.set(out);
      return true;
    }
    default:
      return ruleOf(shape)(Array.from(p)) <= 0;
  }
}

const bounded = shapeTypes.filter((type) => type !== 'halfspace');

describe('one sphere around a shape, against its closed form', () => {
  const cases: [Shape, number][] = [
    [{ type: 'sphere', radius: 0.3 }, 0.3],
    [{ type: 'box', size: [0.2, 0.4, 0.6] }, hypot(0.1, 0.2, 0.3)],
    [{ type: 'capsule', radius: 0.1, length: 0.5 }, 0.35],
    [{ type: 'cylinder', radius: 0.3, length: 0.8 }, 0.5],
    [{ type: 'cone', radius: 0.3, length: 0.8 }, 0.5],
    [{ type: 'ellipsoid', semiAxes: [0.1, 0.3, 0.2] }, 0.3],
    [{ type: 'rounded-box', size: [0.4, 0.4, 0.4], radius: 0.1 }, 0.1 * Math.sqrt(3) + 0.1],
    [{ type: 'rounded-cylinder', radius: 0.4, length: 1, edge: 0.1 }, 0.5 + 0.1],
    [{ type: 'mesh', mesh: createBoxMesh([0.2, 0.4, 0.6]) }, hypot(0.1, 0.2, 0.3)],
  ];
  for (const [shape, radius] of cases)
    it(`${shape.type}: a little more than ${radius.toFixed(4)} suffices, a little less does not`, () => {
      const random = createRandom(5);
      const X = samplePose(random, 2);
      const c = transformPoint([0, 0, 0], X, [0, 0, 0]);
      const placed = [{ shape, placement: X }];
      expect(verifySpheres(placed, [...c, radius + 1e-6]).proven).toBe(true);
      const fails = verifySpheres(placed, [...c, radius - 1e-3]);
      expect(fails.proven).toBe(false);
      expect(fails.gap).toBeGreaterThan(0.99e-3);
      expect(fails.gap).toBeLessThan(1.1e-3);
    });

  it('a ball about the very same centre needs nothing to spare', () => {
    const X = createTransform();
    X.set([0.1, 0.2, 0.3], 9);
    const shape: Shape = { type: 'sphere', radius: 0.3 };
    expect(verifySpheres([{ shape, placement: X }], [0.1, 0.2, 0.3, 0.3]).proven).toBe(true);
  });
});

describe('a proof', () => {
  for (const type of bounded)
    it(`${type}: random points of the shape are contained, and a smaller sphere is refused where one is bare`, () => {
      const random = createRandom(11);
      {
        const shape = sampleShape(random, type);
        const placement = samplePose(random, 0.5);
        const placed: PlacedShape[] = [{ shape, placement }];
        const fitted = fitSpheres(placed, { count: 3 });
        expect(fitted.proven).toBe(true);
        const bounds = boundShape(new Float64Array(6), shape, createTransform());
        const inside: Float64Array[] = [];
        for (let k = 0; k < 400; k++) {
          const p = Float64Array.from([0, 1, 2], (i) => random.uniform(bounds[i], bounds[i + 3]));
          if (isInside(shape, p)) inside.push(transformPoint(new Float64Array(3), placement, p));
        }
        for (const { spheres } of fitted.levels)
          for (const p of inside) expect(gapOf(spheres, p)).toBeLessThanOrEqual(0);
        const { spheres } = fitted.levels[fitted.levels.length - 1];
        for (let i = 0; i < spheres.length; i += 4) {
          const shrunk = spheres.slice();
          shrunk[i + 3] *= 0.9;
          const proof = verifySpheres(placed, shrunk);
          // Points that are bare now are the oracle.
          if (inside.some((p) => gapOf(shrunk, p) > 0)) expect(proof.proven).toBe(false);
          if (proof.proven) continue;
          expect(gapOf(shrunk, proof.uncovered!.point)).toBeCloseTo(proof.uncovered!.depth, 9);
          expect(proof.gap).toBeGreaterThanOrEqual(proof.uncovered!.depth);
        }
      }
    });

  it('is invariant under rigid motion', () => {
    const random = createRandom(3);
    for (const type of ['box', 'mesh', 'cylinder', 'ellipsoid'] as const) {
      const shape = sampleShape(random, type);
      const { spheres } = fitSpheres([{ shape }], { count: 5 }).levels[0];
      const short = spheres.slice();
      short[3] *= 0.8;
      for (let k = 0; k < 3; k++) {
        const X = samplePose(random, 1);
        const move = (from: Float64Array): Float64Array => {
          const out = from.slice();
          for (let i = 0; i < out.length; i += 4)
            out.set(transformPoint([0, 0, 0], X, [from[i], from[i + 1], from[i + 2]]), i);
          for (let i = 3; i < out.length; i += 4) out[i] += 1e-8;
          return out;
        };
        const placement = multiplyTransform(createTransform(), X, createTransform());
        expect(verifySpheres([{ shape, placement }], move(spheres)).proven).toBe(true);
        const [a, b] = [verifySpheres([{ shape }], short), verifySpheres([{ shape, placement }], move(short))];
        expect(b.proven).toBe(a.proven);
        expect(Math.abs(a.gap - b.gap)).toBeLessThan(0.03 * a.gap + 1e-5);
      }
    }
  });

  it('finds the hole of a hollow cover, and none where only the surface counts', () => {
    // Small spheres along the faces of a box, none in its middle.
    const spheres: number[] = [];
    const steps = [-0.5, -0.3, -0.1, 0.1, 0.3, 0.5];
    for (const x of steps)
      for (const y of steps)
        for (const z of steps) if (Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) === 0.5) spheres.push(x, y, z, 0.2);
    const box: Shape = { type: 'box', size: [1, 1, 1] };
    const mesh = createBoxMesh([1, 1, 1]);
    for (const shape of [box, { type: 'mesh', mesh } as Shape]) {
      const proof = verifySpheres([{ shape }], spheres);
      expect(proof.proven).toBe(false);
      expect(proof.uncovered!.interior).toBe(true);
      expect(Math.max(...proof.uncovered!.point.map(Math.abs))).toBeLessThan(0.5);
      expect(gapOf(spheres, proof.uncovered!.point)).toBeGreaterThan(0.05);
    }
    expect(verifySpheres([{ shape: { type: 'mesh', mesh, mode: 'surface' } }], spheres).proven).toBe(true);
    expect(verifySpheres([{ shape: box }], [...spheres, 0, 0, 0, 0.6]).proven).toBe(true);
  });

  it('takes a cavity of a mesh for what it is: outside', () => {
    const inner = createBoxMesh([0.8, 0.8, 0.8]);
    const turned = { ...inner, triangles: inner.triangles.slice().reverse() };
    const mesh = joinMeshes(createBoxMesh([1, 1, 1]), turned);
    const spheres: number[] = [];
    const steps = [-0.45, -0.27, -0.09, 0.09, 0.27, 0.45];
    for (const x of steps)
      for (const y of steps)
        for (const z of steps)
          if (Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) === 0.45) spheres.push(x, y, z, 0.17);
    expect(verifySpheres([{ shape: { type: 'mesh', mesh } }], spheres).proven).toBe(true);
    expect(verifySpheres([{ shape: { type: 'box', size: [1, 1, 1] } }], spheres).uncovered!.interior).toBe(true);
  });

  it('agrees with dense sampling on random covers of a random solid', () => {
    const random = createRandom(21);
    let holes = 0;
    for (let round = 0; round < 60; round++) {
      const size = [0, 1, 2].map(() => random.uniform(0.3, 1)) as [number, number, number];
      const spheres: number[] = [];
      // Around the surface, so that holes come about.
      const count = 40 + random.integer(80);
      for (let k = 0; k < count; k++) {
        const p = size.map((s) => random.uniform(-0.5 * s, 0.5 * s));
        const face = random.integer(3);
        p[face] = (random.integer(2) - 0.5) * size[face];
        spheres.push(...p, random.uniform(0.12, 0.3) * Math.max(...size));
      }
      const { proven, uncovered } = verifySpheres([{ shape: { type: 'box', size } }], spheres);
      let worst = -Infinity;
      for (let k = 0; k < 3000; k++)
        worst = Math.max(
          worst,
          gapOf(
            spheres,
            size.map((s) => 0.5 * s * Math.max(-1, Math.min(1, random.uniform(-1.2, 1.2)))),
          ),
        );
      if (worst > 0) expect(proven).toBe(false);
      if (uncovered?.interior) holes++;
      if (uncovered && uncovered.depth > 1e-6) expect(gapOf(spheres, uncovered.point)).toBeGreaterThan(0);
    }
    expect(holes).toBeGreaterThan(0);
  });

  it('covers what has no inside: flat hulls, segments, points', () => {
    for (const points of [
      [0, 0, 0],
      [0, 0, 0, 1, 0, 0],
      [0, 0, 0, 1, 0, 0, 0, 1, 0],
    ]) {
      const shape: Shape = { type: 'convex', points: Float64Array.from(points) };
      expect(buildConvexHull(shape.points).dimension).toBeLessThan(3);
      const fitted = fitSpheres([{ shape }], { count: 3 });
      expect([points.length, fitted.proven]).toEqual([points.length, true]);
      expect(verifySpheres([{ shape }], [9, 9, 9, 0.1]).proven).toBe(false);
    }
  });

  it('has nothing to say for no spheres but that nothing is contained', () => {
    const proof = verifySpheres([{ shape: { type: 'box', size: [1, 1, 1] } }], []);
    expect(proof).toMatchObject({ proven: false, gap: Infinity });
  });
});
