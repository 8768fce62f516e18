/**
 * The contract of pair queries for the shapes that consist of parts, against every shape type and each other, on seeded
 * poses. The reference is brute force over the parts, each pair of which the contract of convex pairs covers: the distance
 * is the smallest of all pairs, and an overlap is one of any pair. The push-out must separate, must not be shorter than the
 * deepest pair of parts, and when it claims to be exact no sampled direction may separate sooner. Fewer poses without
 * ORACLE_FULL.
 */
import { describe, it } from 'vitest';
import { countTriangles, loadFieldTriangle } from '../../src/geometry/height-field.js';
import type { Shape, ShapeType } from '../../src/geometry/shapes.js';
import { createRandom, type Random } from '../../src/math/random.js';
import { copyTransform, multiplyTransform, poseToTransform, type Transform } from '../../src/math/transform.js';
import { collide } from '../../src/narrowphase/collide.js';
import { type Collider, createCollider } from '../../src/narrowphase/collider.js';
import { computeContacts, createContacts } from '../../src/narrowphase/contacts.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createDistanceResult, type DistanceResult } from '../../src/narrowphase/query.js';
import { isWithin } from '../../src/narrowphase/tolerance.js';
import { partShapeTypes, samplePose, sampleShape, scaleShape, shapeTypes } from '../sample-shapes.js';
import { expect } from '../support/quick-expect.js';

const isFull = Boolean(process.env.ORACLE_FULL);
const POSES = 40;
/** Enough without ORACLE_FULL when some of them overlap and some do not. */
const FEWER_POSES = 10;
const SCALES = [1e-3, 1e4];

interface PlacedPart {
  readonly collider: Collider;
  readonly X: Transform;
  readonly child: number;
  readonly feature: number;
}

function place(x: number, y: number, z: number): Transform {
  return poseToTransform(new Float64Array(12), [x, y, z, 0, 0, 0, 1]);
}

/** The convex parts of a shape, built without the library's own loader. */
function listParts(shape: Shape): PlacedPart[] {
  const parts: PlacedPart[] = [];
  const add = (part: Shape, X: Transform, feature: number): void => {
    parts.push({ collider: createCollider(part), X, child: -1, feature });
  };
  switch (shape.type) {
    case 'octree':
      for (let i = 0; i < shape.cells.length; i += 4) {
        const size = shape.cells[i + 3] * shape.resolution;
        const center = [0, 1, 2].map((k) => shape.cells[i + k] * shape.resolution + size / 2);
        add({ type: 'box', size: [size, size, size] }, place(center[0], center[1], center[2]), i / 4);
      }
      break;
    case 'points':
      for (let i = 0; i < shape.points.length; i += 3)
        add(
          { type: 'sphere', radius: shape.radius },
          place(...(Array.from(shape.points.slice(i, i + 3)) as [number, number, number])),
          i / 3,
        );
      break;
    case 'heightfield':
      for (let t = 0; t < countTriangles(shape); t++) {
        const points = new Float64Array(18);
        loadFieldTriangle(points, shape, t);
        for (let c = 0; c < 9; c++) points[9 + c] = c % 3 === 2 ? (shape.floor as number) : points[c];
        add({ type: 'convex', points }, place(0, 0, 0), t);
      }
      break;
    case 'compound':
      shape.children.forEach(({ shape: child, pose }, i) => {
        const X = poseToTransform(new Float64Array(12), pose ?? [0, 0, 0, 0, 0, 0, 1]);
        for (const part of listParts(child))
          parts.push({ ...part, X: multiplyTransform(new Float64Array(12), X, part.X), child: i });
      });
      break;
    default:
      add(shape, place(0, 0, 0), -1);
  }
  return parts;
}

function query(a: Collider, X: Transform, b: Collider, Y: Transform): DistanceResult {
  return distance(createDistanceResult(), a, X, b, Y);
}

function moveAlong(X: Transform, n: ArrayLike<number>, by: number): Transform {
  const out = copyTransform(new Float64Array(12), X);
  for (let k = 0; k < 3; k++) out[9 + k] += by * n[k];
  return out;
}

/** Smallest signed distance over all pairs of parts, and the deepest. */
function bruteForce(partsA: PlacedPart[], X_WA: Transform, partsB: PlacedPart[], X_WB: Transform) {
  let nearest = Infinity;
  for (const a of partsA)
    for (const b of partsB) {
      const X = multiplyTransform(new Float64Array(12), X_WA, a.X);
      const Y = multiplyTransform(new Float64Array(12), X_WB, b.X);
      nearest = Math.min(nearest, query(a.collider, X, b.collider, Y).distance);
    }
  return nearest;
}

function checkPair(typeA: ShapeType, typeB: ShapeType, seed: number): void {
  const random: Random = createRandom(seed);
  let deep = 0;
  let apart = 0;
  const isEnough = (poses: number): boolean => !isFull && poses >= FEWER_POSES && deep > 1 && apart > 1;
  for (let i = 0; i < POSES && !isEnough(i); i++) {
    const at = `${typeA}-${typeB} seed ${seed} pose ${i}`;
    const A = sampleShape(random, typeA);
    const B = sampleShape(random, typeB);
    const X = samplePose(random, 0.8);
    const Y = samplePose(random, 0.8);
    const a = createCollider(A);
    const b = createCollider(B);
    const partsA = listParts(A);
    const partsB = listParts(B);
    const r = query(a, X, b, Y);
    const nearest = bruteForce(partsA, X, partsB, Y);
    const withPlane = typeA === 'halfspace' || typeB === 'halfspace';

    expect(Math.abs(Math.hypot(...r.normal) - 1), `${at}: unit normal`).toBeLessThan(1e-12);
    for (let k = 0; k < 3; k++)
      expect(Math.abs(r.pointB[k] - r.pointA[k] - r.distance * r.normal[k]), `${at}: points`).toBeLessThan(1e-10);
    const back = query(b, Y, a, X);
    const T = samplePose(random, 2);
    const moved = query(
      a,
      multiplyTransform(new Float64Array(12), T, X),
      b,
      multiplyTransform(new Float64Array(12), T, Y),
    );
    if (nearest > 0 || withPlane) {
      if (nearest > 0) apart++;
      else deep++;
      expect(r.status, at).toBe('ok');
      expect(Math.abs(r.distance - nearest), `${at}: brute force`).toBeLessThan(1e-9);
      expect(Math.abs(back.distance - r.distance), `${at}: swapped`).toBeLessThan(1e-9);
      expect(Math.abs(moved.distance - r.distance), `${at}: moved together`).toBeLessThan(1e-9);
    } else {
      deep++;
      expect(['ok', 'depth-bound'], at).toContain(r.status);
      // No translation shorter than the deepest pair of parts separates.
      expect(r.distance, `${at}: lower bound`).toBeLessThanOrEqual(nearest + 1e-9);
      if (r.status === 'ok') expect(Math.abs(r.distance - nearest), `${at}: proven`).toBeLessThan(1e-7);
      expect(Math.abs(back.distance - r.distance), `${at}: exchanged`).toBeLessThan(1e-9);
      // The search is local: rounding may lead it elsewhere, not far off.
      for (const other of [moved]) {
        expect(other.distance, at).toBeLessThanOrEqual(nearest + 1e-9);
        expect(other.distance / r.distance, `${at}: exchanged or moved`).toBeGreaterThan(1 / 1.1);
        expect(other.distance / r.distance, `${at}: exchanged or moved`).toBeLessThan(1.1);
      }
    }
    expect(r.collides, at).toBe(nearest <= 0);
    expect(collide(a, X, b, Y), `${at}: collide`).toBe(r.collides);
    expect(isWithin(a, X, b, Y, Math.max(r.distance, 0) + 1e-7), `${at}: within`).toBe(true);
    if (r.distance > 1e-6) expect(isWithin(a, X, b, Y, r.distance - 1e-7), `${at}: not within`).toBe(false);
    if (r.distance < 0) {
      expect(collide(a, X, b, moveAlong(Y, r.normal, -r.distance + 1e-7)), `${at}: pushed free`).toBe(false);
      expect(collide(a, X, b, moveAlong(Y, r.normal, -r.distance - 1e-7)), `${at}: pushed short`).toBe(true);
    } else {
      const beyond = distance(createDistanceResult(), a, X, b, Y, { upperBound: 0.5 * r.distance });
      expect(beyond.distance, `${at}: beyond bound`).toBeLessThanOrEqual(r.distance + 1e-12);
    }

    const contacts = createContacts(8);
    const count = computeContacts(contacts, a, X, b, Y);
    expect(count > 0, `${at}: contacts`).toBe(r.collides);
    for (const contact of contacts.slice(0, count)) {
      expect(Math.abs(Math.hypot(...contact.normal) - 1), `${at}: contact normal`).toBeLessThan(1e-9);
      expect([...contact.point, contact.depth].every(Number.isFinite), `${at}: contact`).toBe(true);
    }

    for (const s of isFull ? SCALES : [SCALES[i % 2]]) {
      const [p, q] = [createCollider(scaleShape(A, s)), createCollider(scaleShape(B, s))];
      const grow = (Z: Transform): Transform => Z.map((x, k) => (k < 9 ? x : s * x));
      const scaled = query(p, grow(X), q, grow(Y));
      expect(scaled.collides, `${at}: scaled by ${s}`).toBe(r.collides);
      if (nearest > 0 || withPlane)
        expect(Math.abs(scaled.distance / s - r.distance), `${at}: scaled`).toBeLessThan(1e-9);
      p.dispose();
      q.dispose();
    }
    a.dispose();
    b.dispose();
  }
  expect(deep).toBeGreaterThan(1);
  expect(apart).toBeGreaterThan(1);
}

describe.each(partShapeTypes)('%s against', (typeA) => {
  const others = [...shapeTypes, ...partShapeTypes.slice(0, partShapeTypes.indexOf(typeA) + 1)];
  it.each(others)('%s: contract of query.ts', (typeB) => {
    checkPair(typeA, typeB, 5000 + 100 * partShapeTypes.indexOf(typeA) + others.indexOf(typeB));
  });
});
