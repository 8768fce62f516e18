/**
 * The contract of pair queries over every ordered pair of shape types, on seeded random poses. In prose: the normal is a
 * unit vector from A to B; pointB - pointA = distance * normal; swapping the shapes swaps the answer; moving or scaling
 * both together changes nothing or scales it; the verdicts agree with the distance; moving B by depth + eps along the
 * normal frees it, by depth - eps does not; the witness points lie in their shapes and on the planes that touch
 * them along the normal, which proves a positive distance optimal; no sampled direction gives a smaller depth.
 */
import { describe, it } from 'vitest';
import { buildConvexHull } from '../../src/geometry/hull.js';
import { hasClosedForm, measurePointToCore } from '../../src/geometry/point-core.js';
import type { Shape, ShapeType } from '../../src/geometry/shapes.js';
import { type SupportCore, supportCore } from '../../src/geometry/support.js';
import { createSupportCore } from '../../src/geometry/support-shape.js';
import { createRandom, type Random } from '../../src/math/random.js';
import {
  copyTransform,
  inverseTransformPoint,
  invertTransform,
  multiplyTransform,
  type Transform,
} from '../../src/math/transform.js';
import { collide } from '../../src/narrowphase/collide.js';
import { type Collider, createCollider } from '../../src/narrowphase/collider.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createDistanceResult, type DistanceResult } from '../../src/narrowphase/query.js';
import { isWithin } from '../../src/narrowphase/tolerance.js';
import {
  createBoxMesh,
  joinMeshes,
  ruleOf,
  sampleHullMesh,
  samplePose,
  sampleShape,
  scaleShape,
  shapeTypes,
} from '../sample-shapes.js';
import { expect } from '../support/quick-expect.js';

const POSES = 60;
const DIRECTIONS = 400;
/** On curved shapes a distance right to rounding leaves the points free by the square root of it. */
const WITNESS = 2e-8;
/** Of a user's own shape, which has no formulas for the last digits. */
const OWN_WITNESS = 1e-7;
const PLANE = 1e-9;

function query(a: Collider, X_WA: Transform, b: Collider, X_WB: Transform): DistanceResult {
  return distance(createDistanceResult(), a, X_WA, b, X_WB);
}

function moveAlong(X: Transform, n: ArrayLike<number>, by: number): Transform {
  const out = copyTransform(new Float64Array(12), X);
  for (let k = 0; k < 3; k++) out[9 + k] += by * n[k];
  return out;
}

/** Convex core of a shape, radius included separately; a mesh stands for its hull. Null for a half-space. */
function coreOf(shape: Shape): SupportCore | null {
  if (shape.type === 'halfspace') return null;
  if (shape.type === 'mesh') return createSupportCore({ type: 'convex', points: shape.mesh.vertices });
  return createSupportCore(shape);
}

/** Largest n . x over the shape at X, n a world direction. */
function support(core: SupportCore, X: Transform, n: readonly number[]): number {
  const d = [0, 1, 2].map((k) => X[k] * n[0] + X[3 + k] * n[1] + X[6 + k] * n[2]);
  const s = new Float64Array(3);
  supportCore(s, core, d[0], d[1], d[2]);
  return d[0] * s[0] + d[1] * s[1] + d[2] * s[2] + core.radius + n[0] * X[9] + n[1] * X[10] + n[2] * X[11];
}

/** How far a world point sticks out of a convex shape (negative inside). */
function excess(shape: Shape, core: SupportCore, X: Transform, point: Float64Array): number {
  const p = inverseTransformPoint(new Float64Array(3), X, point);
  if (shape.type === 'support') return ruleOf(shape)([...p]);
  if (hasClosedForm(core)) return measurePointToCore(new Float64Array(6), core, p) - core.radius;
  const hull = buildConvexHull(
    shape.type === 'mesh' ? shape.mesh.vertices : (shape as { points: Float64Array }).points,
  );
  let most = -Infinity;
  for (let t = 0; t < hull.triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) =>
      hull.vertices.subarray(3 * hull.triangles[t + k], 3 * hull.triangles[t + k] + 3),
    );
    const u = [0, 1, 2].map((k) => b[k] - a[k]);
    const v = [0, 1, 2].map((k) => c[k] - a[k]);
    const n = [0, 1, 2].map((k) => u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
    const r = [0, 1, 2].map((k) => p[k] - a[k]);
    most = Math.max(most, (n[0] * r[0] + n[1] * r[1] + n[2] * r[2]) / Math.hypot(...n));
  }
  return most;
}

function checkProof(
  A: Shape,
  X_WA: Transform,
  B: Shape,
  X_WB: Transform,
  r: DistanceResult,
  random: Random,
  at: string,
) {
  const coreA = coreOf(A);
  const coreB = coreOf(B);
  const witness = A.type === 'support' || B.type === 'support' ? OWN_WITNESS : WITNESS;
  const n = Array.from(r.normal);
  const dot = (p: Float64Array): number => n[0] * p[0] + n[1] * p[1] + n[2] * p[2];
  if (coreA) {
    expect(Math.abs(excess(A, coreA, X_WA, r.pointA)), `${at}: pointA on A`).toBeLessThan(witness);
    expect(Math.abs(dot(r.pointA) - support(coreA, X_WA, n)), `${at}: plane of A`).toBeLessThan(PLANE);
  }
  if (coreB) {
    expect(Math.abs(excess(B, coreB, X_WB, r.pointB)), `${at}: pointB on B`).toBeLessThan(witness);
    const back = n.map((x) => -x);
    expect(Math.abs(-dot(r.pointB) - support(coreB, X_WB, back)), `${at}: plane of B`).toBeLessThan(PLANE);
  }
  if (!coreA || !coreB || r.distance > 0) return;
  for (let i = 0; i < DIRECTIONS; i++) {
    const d = [random.normal(), random.normal(), random.normal()];
    const norm = Math.hypot(...d);
    const u = d.map((x) => x / norm);
    const width =
      support(coreA, X_WA, u) +
      support(
        coreB,
        X_WB,
        u.map((x) => -x),
      );
    expect(-r.distance, `${at}: direction ${u} separates sooner`).toBeLessThanOrEqual(width + 1e-9);
  }
}

function checkPair(typeA: ShapeType, typeB: ShapeType, seed: number): void {
  const random = createRandom(seed);
  let deep = 0;
  let apart = 0;
  for (let i = 0; i < POSES; i++) {
    const at = `${typeA}-${typeB} seed ${seed} pose ${i}`;
    const A = sampleShape(random, typeA);
    const B = sampleShape(random, typeB);
    const X_WA = samplePose(random, 0.8);
    const X_WB = samplePose(random, 0.8);
    const a = createCollider(A);
    const b = createCollider(B);
    const r = query(a, X_WA, b, X_WB);
    if (typeA === 'halfspace' && typeB === 'halfspace') {
      expect(r.collides, at).toBe(true);
      expect(r.status, at).toBe('collides');
      expect(collide(a, X_WA, b, X_WB), at).toBe(true);
      continue;
    }
    expect(r.status, at).toBe('ok');
    if (r.distance < 0) deep++;
    else apart++;

    expect(Math.abs(Math.hypot(...r.normal) - 1), `${at}: unit normal`).toBeLessThan(1e-12);
    for (let k = 0; k < 3; k++)
      expect(Math.abs(r.pointB[k] - r.pointA[k] - r.distance * r.normal[k]), `${at}: points`).toBeLessThan(1e-11);

    const back = query(b, X_WB, a, X_WA);
    expect(Math.abs(back.distance - r.distance), `${at}: swapped`).toBeLessThan(1e-9);
    if (r.distance > 1e-3)
      for (let k = 0; k < 3; k++) expect(back.normal[k], `${at}: swapped normal`).toBeCloseTo(-r.normal[k], 5);

    const T = samplePose(random, 2);
    const moved = query(
      a,
      multiplyTransform(new Float64Array(12), T, X_WA),
      b,
      multiplyTransform(new Float64Array(12), T, X_WB),
    );
    expect(Math.abs(moved.distance - r.distance), `${at}: moved together`).toBeLessThan(1e-9);

    for (const s of [1e-6, 1e6]) {
      const large = createCollider(scaleShape(A, s));
      const other = createCollider(scaleShape(B, s));
      const X = copyTransform(new Float64Array(12), X_WA);
      const Y = copyTransform(new Float64Array(12), X_WB);
      for (let k = 9; k < 12; k++) {
        X[k] *= s;
        Y[k] *= s;
      }
      const scaled = query(large, X, other, Y);
      expect(scaled.status, `${at}: scaled by ${s}`).toBe('ok');
      expect(Math.abs(scaled.distance / s - r.distance), `${at}: scaled by ${s}`).toBeLessThan(1e-9);
      large.dispose();
      other.dispose();
    }

    expect(collide(a, X_WA, b, X_WB), `${at}: collide`).toBe(r.collides);
    expect(isWithin(a, X_WA, b, X_WB, Math.max(r.distance, 0) + 1e-7), `${at}: within`).toBe(true);
    if (r.distance > 1e-6) expect(isWithin(a, X_WA, b, X_WB, r.distance - 1e-7), `${at}: not within`).toBe(false);
    expect(collide(a, X_WA, b, X_WB, { margin: Math.max(r.distance, 0) + 1e-7 }), `${at}: margin`).toBe(true);

    if (r.distance < 0) {
      expect(collide(a, X_WA, b, moveAlong(X_WB, r.normal, -r.distance + 1e-7)), `${at}: pushed free`).toBe(false);
      expect(collide(a, X_WA, b, moveAlong(X_WB, r.normal, -r.distance - 1e-7)), `${at}: pushed short`).toBe(true);
    } else {
      let last = r.distance;
      for (const by of [0.1, 0.2, 0.4]) {
        const next = query(a, X_WA, b, moveAlong(X_WB, r.normal, by)).distance;
        expect(next, `${at}: grows along the normal`).toBeGreaterThan(last);
        last = next;
      }
    }
    checkProof(A, X_WA, B, X_WB, r, random, at);
    a.dispose();
    b.dispose();
  }
  if (!(typeA === 'halfspace' && typeB === 'halfspace')) {
    // The poses must exercise both sides of the contract.
    expect(deep).toBeGreaterThan(5);
    expect(apart).toBeGreaterThan(5);
  }
}

describe.each(shapeTypes)('%s against', (typeA) => {
  it.each(shapeTypes)(`%s: contract of query.ts`, (typeB) => {
    checkPair(typeA, typeB, 1 + shapeTypes.indexOf(typeA) * shapeTypes.length + shapeTypes.indexOf(typeB));
  });
});

describe('meshes against the shapes they are made of', () => {
  const others = shapeTypes.filter((type) => type !== 'mesh');

  it.each(others)('box mesh equals box against %s, both signs', (type) => {
    const random = createRandom(301);
    for (let i = 0; i < 60; i++) {
      const size: [number, number, number] = [random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1)];
      const box = createCollider({ type: 'box', size });
      const mesh = createCollider({ type: 'mesh', mesh: createBoxMesh(size) });
      const other = createCollider(sampleShape(random, type));
      const X = samplePose(random, 0.8);
      const Y = samplePose(random, 0.8);
      const expected = query(other, X, box, Y);
      const got = query(other, X, mesh, Y);
      expect(Math.abs(got.distance - expected.distance), `seed 301 pose ${i}`).toBeLessThan(1e-9);
      expect(got.status).toBe('ok');
      mesh.dispose();
    }
  });

  it.each(others.filter((type) => type !== 'halfspace'))(
    'two boxes in one mesh against %s: the nearer of the two',
    (type) => {
      const random = createRandom(302);
      let hits = 0;
      for (let i = 0; i < 60; i++) {
        const left = { size: [0.4, 0.3, 0.5] as const, center: [-0.6, 0, 0] };
        const right = { size: [0.3, 0.6, 0.2] as const, center: [0.5, 0.1, 0.2] };
        const mesh = joinMeshes(createBoxMesh(left.size, left.center), createBoxMesh(right.size, right.center));
        const solid = createCollider({ type: 'mesh', mesh });
        const surface = createCollider({ type: 'mesh', mesh, mode: 'surface' });
        const shape = scaleShape(sampleShape(random, type), random.uniform(0.1, 0.8));
        const other = createCollider(shape);
        const X = samplePose(random, 0.9);
        const Y = samplePose(random, 0.3);
        const each = [left, right].map(({ size, center }) => {
          const at = multiplyTransform(new Float64Array(12), Y, Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, ...center));
          return query(other, X, createCollider({ type: 'box', size }), at).distance;
        });
        const nearest = Math.min(...each);
        const r = query(other, X, solid, Y);
        const at = `seed 302 pose ${i}`;
        if (nearest > 0) {
          expect(Math.abs(r.distance - nearest), at).toBeLessThan(1e-9);
          expect(Math.abs(query(other, X, surface, Y).distance - nearest), at).toBeLessThan(1e-9);
        } else {
          hits++;
          expect(r.status, at).toBe('depth-bound');
          expect(r.distance, at).toBeLessThanOrEqual(nearest + 1e-9);
          expect(collide(other, X, solid, moveAlong(Y, r.normal, -r.distance + 1e-7)), at).toBe(false);
          const s = query(other, X, surface, Y);
          // A shape wholly inside one of the boxes is free of the surfaces.
          if (s.collides) expect(s.distance, at).toBe(0);
        }
        expect(collide(other, X, solid, Y), at).toBe(nearest <= 0);
        solid.dispose();
        surface.dispose();
      }
      expect(hits).toBeGreaterThan(3);
    },
  );

  it('solid: one mesh inside another collides, in surface mode it is free', () => {
    const random = createRandom(303);
    const outer = createCollider({ type: 'mesh', mesh: createBoxMesh([4, 4, 4]) });
    const shell = createCollider({ type: 'mesh', mesh: createBoxMesh([4, 4, 4]), mode: 'surface' });
    for (let i = 0; i < 40; i++) {
      const inner = createCollider({ type: 'mesh', mesh: sampleHullMesh(random) });
      const free = createCollider({ type: 'mesh', mesh: inner.bvh!.mesh, mode: 'surface' });
      const X = samplePose(random, 0.3);
      const Y = samplePose(random, 0.2);
      expect(collide(outer, X, inner, Y)).toBe(true);
      expect(collide(inner, Y, outer, X)).toBe(true);
      expect(query(outer, X, inner, Y).distance).toBeLessThan(-1);
      expect(collide(shell, X, free, Y)).toBe(false);
      expect(query(shell, X, free, Y).distance).toBeGreaterThan(0);
      const sphere = createCollider({ type: 'sphere', radius: 0.3 });
      expect(collide(outer, X, sphere, Y)).toBe(true);
      expect(collide(shell, X, sphere, Y)).toBe(false);
      inner.dispose();
      free.dispose();
    }
    outer.dispose();
    shell.dispose();
  });
});

describe('opposite half-spaces', () => {
  it('have a signed gap along their normals', () => {
    const lower = createCollider({ type: 'halfspace', normal: [0, 0, 1], offset: 0.25 });
    const upper = createCollider({ type: 'halfspace', normal: [0, 0, -1], offset: -0.5 });
    const X = invertTransform(new Float64Array(12), samplePose(createRandom(7), 1));
    expect(query(lower, X, upper, X).distance).toBeCloseTo(0.25, 12);
    const overlapping = createCollider({ type: 'halfspace', normal: [0, 0, -1], offset: 0.5 });
    expect(query(lower, X, overlapping, X).distance).toBeCloseTo(-0.75, 12);
  });
});
