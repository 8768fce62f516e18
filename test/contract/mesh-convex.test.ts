import { describe, it } from 'vitest';
import { createBumpySphere, createDrilledPlate, createKnot, createShells } from '../../bench/meshes.mjs';
import type { NodeKind } from '../../src/bvh/mesh-bvh.js';
import { buildMeshBvh } from '../../src/bvh/mesh-bvh.js';
import { boundShape } from '../../src/geometry/aabb.js';
import type { Shape, ShapeType } from '../../src/geometry/shapes.js';
import type { TriangleMesh } from '../../src/geometry/triangle-mesh.js';
import { useCheckedKernel } from '../../src/kernel/checked-kernel.js';
import { createRandom, type Random } from '../../src/math/random.js';
import { createTransform, invertTransform, relativeTransform } from '../../src/math/transform.js';
import { collide } from '../../src/narrowphase/collide.js';
import { Collider, createCollider } from '../../src/narrowphase/collider.js';
import { distance } from '../../src/narrowphase/distance.js';
import { searchByWalk } from '../../src/narrowphase/mesh-convex-walk.js';
import { createPairCache } from '../../src/narrowphase/pair-cache.js';
import { createDistanceResult, createQueryStats } from '../../src/narrowphase/query.js';
import { isWithin } from '../../src/narrowphase/tolerance.js';
import { createBoxMesh, samplePose, sampleShape } from '../sample-shapes.js';
import { nearestByAllTriangles } from '../support/nearest-triangle.js';
import { expect } from '../support/quick-expect.js';

const kinds: readonly ShapeType[] = [
  'sphere',
  'capsule',
  'box',
  'cylinder',
  'cone',
  'ellipsoid',
  'convex',
  'rounded-box',
  'rounded-cylinder',
];

/** Triangles anywhere, a third of them needles, a third without area. */
function createSoup(random: Random, count: number): TriangleMesh {
  const vertices = Float64Array.from({ length: 9 * count }, () => random.uniform(-1, 1));
  for (let t = 0; t < count; t++) {
    const at = 9 * t;
    for (let k = 0; k < 3; k++) {
      if (t % 3 === 1) vertices[at + 6 + k] = vertices[at + k] + 1e-7 * random.normal();
      if (t % 6 === 2) vertices[at + 6 + k] = vertices[at + k];
      if (t % 6 === 5) vertices[at + 6 + k] = vertices[at + k] + 0.25 * (vertices[at + 3 + k] - vertices[at + k]);
    }
  }
  return { vertices, triangles: Uint32Array.from({ length: 3 * count }, (_, i) => i) };
}

const meshes: readonly [string, (random: Random) => TriangleMesh][] = [
  ['a bumpy sphere', () => createBumpySphere(14, 9)],
  ['a knot', () => createKnot(30, 5)],
  [
    'a plate of slivers',
    () => createDrilledPlate({ columns: 2, rows: 2, segments: 8, ribs: 2, ribSegments: 8, thickness: 0.3 }),
  ],
  ['shells', () => createShells(createRandom(5), { shells: 6, segments: 6 })],
  ['needles and triangles without area', (random) => createSoup(random, 90)],
  ['a cube', () => createBoxMesh([1, 1, 1])],
  ['one triangle', (random) => createSoup(random, 1)],
];

/** Mesh and shape about `scale` in size, near each other. */
function createScene(random: Random, mesh: TriangleMesh, kind: ShapeType, scale: number, node: NodeKind) {
  const vertices = mesh.vertices.map((x) => x * scale);
  const placed: TriangleMesh = { vertices, triangles: mesh.triangles };
  const bvh = buildMeshBvh(placed, { node });
  const shape = scaleOf(sampleShape(random, kind), scale * 10 ** random.uniform(-1, 0.5));
  const a = createCollider(shape);
  const b = new Collider({ type: 'mesh', mesh: placed, mode: 'surface' }, { bvh });
  const X_WA = samplePose(random, 2 * scale);
  const X_WB = samplePose(random, 0.5 * scale);
  const dispose = (): void => {
    a.dispose();
    b.dispose();
    bvh.dispose();
  };
  return { a, b, bvh, X_WA, X_WB, dispose };
}

function scaleOf(shape: Shape, s: number): Shape {
  switch (shape.type) {
    case 'sphere':
      return { ...shape, radius: shape.radius * s };
    case 'rounded-box':
      return { ...shape, size: shape.size.map((x) => x * s) as [number, number, number], radius: shape.radius * s };
    case 'rounded-cylinder':
      return { ...shape, radius: shape.radius * s, length: shape.length * s, edge: shape.edge * s };
    case 'box':
      return { ...shape, size: shape.size.map((x) => x * s) as [number, number, number] };
    case 'ellipsoid':
      return { ...shape, semiAxes: shape.semiAxes.map((x) => x * s) as [number, number, number] };
    case 'convex':
      return { ...shape, points: Float64Array.from(shape.points, (x) => x * s) };
    case 'capsule':
    case 'cylinder':
    case 'cone':
      return { ...shape, radius: shape.radius * s, length: shape.length * s };
    default:
      return shape;
  }
}

describe('a mesh and a convex shape', () => {
  for (const [name, create] of meshes)
    it.each(kinds)(
      `${name} and a %s: distance, triangle, points, verdicts and bounds of all triangles (seed 51)`,
      (kind) => {
        useCheckedKernel();
        const random = createRandom(51);
        const X_AB = createTransform();
        const out = createDistanceResult();
        for (const node of ['obb', 'aabb', 'rss', 'obb-rss'] as const)
          for (const power of [0, 0, -30, 30]) {
            const scale = 2 ** power;
            const { a, b, X_WA, X_WB, dispose } = createScene(random, create(random), kind, scale, node);
            relativeTransform(X_AB, X_WA, X_WB);
            const expected = nearestByAllTriangles(a, b, X_AB);
            const size =
              a.extent + b.extent + Math.hypot(X_WA[9], X_WA[10], X_WA[11]) + Math.hypot(X_WB[9], X_WB[10], X_WB[11]);
            const at = `${kind} and ${name}, ${node}, times 2^${power}`;
            for (const isTurned of [false, true]) {
              const ask = isTurned ? ([b, X_WB, a, X_WA] as const) : ([a, X_WA, b, X_WB] as const);
              distance(out, ...ask);
              const d = expected.distances.reduce((x, y) => Math.min(x, y), Infinity);
              const triangle = isTurned ? out.featureA : out.featureB;
              if (d <= 1e-13 * size) {
                expect(out.distance, at).toBeLessThanOrEqual(1e-13 * size);
                expect(collide(...ask), at).toBe(true);
                continue;
              }
              expect(Math.abs(out.distance - d), at).toBeLessThanOrEqual(1e-12 * d + 2e-15 * size);
              expect(Math.abs(expected.distances[triangle] - d), at).toBeLessThanOrEqual(1e-12 * d + 2e-15 * size);
              const [p, q, n] = [out.pointA, out.pointB, out.normal];
              for (let k = 0; k < 3; k++)
                expect(Math.abs(q[k] - p[k] - out.distance * n[k]), at).toBeLessThanOrEqual(1e-13 * size);
              if (d < 1e-8 * size) continue;
              expect(collide(...ask), at).toBe(false);
              expect(isWithin(...ask, d * (1 + 1e-7), { tolerance: 0 }), at).toBe(true);
              expect(isWithin(...ask, d * (1 - 1e-7), { tolerance: 0 }), at).toBe(false);
              distance(out, ...ask, { upperBound: d * (1 + 1e-9) });
              expect(Math.abs(out.distance - d), at).toBeLessThanOrEqual(1e-12 * d + 2e-15 * size);
              distance(out, ...ask, { upperBound: 0.9 * d });
              expect(out.status, at).toBe('beyond-bound');
              expect(out.distance, at).toBeLessThanOrEqual(d * (1 + 1e-9));
              expect(out.distance, at).toBeGreaterThanOrEqual(0.9 * d);
            }
            dispose();
          }
      },
    );

  it.each(kinds)('%s: the kernel and the walk outside of it agree (seed 52)', (kind) => {
    const random = createRandom(52);
    const X_AB = createTransform();
    const X_BA = createTransform();
    const box = new Float64Array(6);
    const [own, walked] = [createDistanceResult(), createDistanceResult()];
    for (let i = 0; i < 60; i++) {
      const mesh = meshes[i % 4][1](random);
      const { a, b, bvh, X_WA, X_WB, dispose } = createScene(random, mesh, kind, 1, 'obb');
      relativeTransform(X_AB, X_WA, X_WB);
      invertTransform(X_BA, X_AB);
      boundShape(box, a.shape as Exclude<Shape, { type: 'mesh' }>, X_BA);
      const triangle = searchByWalk(walked, a.core, bvh, X_AB, box, { bound: Infinity, enough: 0 });
      distance(own, a, X_WA, b, X_WB);
      expect(triangle).toBeGreaterThanOrEqual(0);
      expect(Math.abs(own.distance - walked.distance)).toBeLessThanOrEqual(1e-12 * walked.distance + 1e-14);
      if (own.distance > 1e-9) expect(own.status).toBe(walked.status);
      dispose();
    }
  });

  it.each(kinds)('%s along a motion, from the triangle of the last pose: the cold answers (seed 55)', (kind) => {
    const random = createRandom(55);
    const { a, b, X_WA, X_WB, dispose } = createScene(random, createBumpySphere(20, 12), kind, 1, 'obb');
    const other = createCollider({ type: 'mesh', mesh: createKnot(12, 4) });
    const cache = createPairCache();
    const [cold, warm] = [createQueryStats(), createQueryStats()];
    const [own, fresh] = [createDistanceResult(), createDistanceResult()];
    for (let i = 0; i < 200; i++) {
      for (let k = 9; k < 12; k++) X_WA[k] += 0.02 * random.normal();
      distance(fresh, a, X_WA, b, X_WB, { stats: cold });
      distance(own, a, X_WA, b, X_WB, { cache, stats: warm });
      expect(Math.abs(own.distance - fresh.distance)).toBeLessThanOrEqual(1e-12 * fresh.distance + 1e-14);
      expect(own.status).toBe(fresh.status);
      expect(collide(b, X_WB, a, X_WA, { cache })).toBe(fresh.collides);
      // A cache that has last seen another mesh.
      if (i % 50 === 0) expect(collide(a, X_WA, other, X_WB, { cache })).toBe(collide(a, X_WA, other, X_WB));
    }
    expect(warm.nodeTests).toBeLessThanOrEqual(cold.nodeTests);
    dispose();
    other.dispose();
  });

  it.each(kinds)('%s inside a solid mesh, across its surface, and outside within its bounds', (kind) => {
    const random = createRandom(53);
    const shape = scaleOf(sampleShape(random, kind), 0.02);
    const a = createCollider(shape);
    const b = createCollider({ type: 'mesh', mesh: createKnot(60, 9) });
    const X_W = createTransform();
    for (let i = 0; i < 200; i++) {
      const X_WA = samplePose(random, 1.6);
      const out = distance(createDistanceResult(), a, X_WA, b, X_W, { depth: false });
      const surface = new Collider({ type: 'mesh', mesh: createKnot(60, 9), mode: 'surface' }, { bvh: b.bvh as never });
      const gap = distance(createDistanceResult(), a, X_WA, surface, X_W, { depth: false });
      // The tube of the knot, by its curve.
      let toCurve = Infinity;
      for (let t = 0; t < 720; t++) {
        const u = (t / 360) * Math.PI;
        const r = 1 + 0.5 * Math.cos(3 * u);
        toCurve = Math.min(
          toCurve,
          Math.hypot(r * Math.cos(2 * u) - X_WA[9], r * Math.sin(2 * u) - X_WA[10], 0.5 * Math.sin(3 * u) - X_WA[11]),
        );
      }
      if (toCurve < 0.18 || gap.collides) expect(out.collides).toBe(true);
      else if (toCurve > 0.27) {
        expect(out.collides).toBe(false);
        expect(out.distance).toBeCloseTo(gap.distance, 13);
      }
      expect(collide(a, X_WA, b, X_W)).toBe(out.collides);
    }
    a.dispose();
    b.dispose();
  });

  it('a link and a box: few boxes and triangles, fewer GJK rounds', () => {
    const mesh = createBumpySphere(40, 26);
    const b = createCollider({ type: 'mesh', mesh });
    const a = createCollider({ type: 'box', size: [0.6, 0.4, 0.9] });
    const random = createRandom(54);
    const stats = createQueryStats();
    const out = createDistanceResult();
    const X_W = createTransform();
    let asked = 0;
    for (let i = 0; i < 100; i++) {
      const X_WA = samplePose(random, 2.5);
      if (collide(a, X_WA, b, X_W)) continue;
      distance(out, a, X_WA, b, X_W, { stats });
      asked++;
    }
    expect(asked).toBeGreaterThan(20);
    expect(stats.nodeTests / asked).toBeLessThan(120);
    expect(stats.primitiveTests / asked).toBeLessThan(30);
    expect(stats.iterations / asked).toBeLessThan(30);
  });
});
