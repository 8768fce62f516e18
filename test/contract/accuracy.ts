/**
 * Worst observed errors of pair queries, per pair of kinds of shapes, on seeded pairs whose answer is known by construction:
 * take a direction u, A's farthest point along u and B's farthest point against it, and put B so that the second lies
 * `gap` beyond the first. Both supporting planes are perpendicular to u, so for gap >= 0 the distance is exactly the gap,
 * whether the shapes are convex or not; for gap < 0 the depth is at most -gap. B moved against u touches after exactly the gap.
 */
import { countTriangles, loadFieldTriangle } from '../../src/geometry/height-field.js';
import type { Shape, ShapeType } from '../../src/geometry/shapes.js';
import { supportCore } from '../../src/geometry/support.js';
import { createSupportCore } from '../../src/geometry/support-shape.js';
import { createRandom, type Random } from '../../src/math/random.js';
import { poseToTransform, setIdentityTransform, type Transform } from '../../src/math/transform.js';
import { castPair, createCastResult } from '../../src/narrowphase/cast.js';
import { collide } from '../../src/narrowphase/collide.js';
import { type Collider, createCollider } from '../../src/narrowphase/collider.js';
import { computeContacts, createContacts } from '../../src/narrowphase/contacts.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createDistanceResult } from '../../src/narrowphase/query.js';
import { isWithin } from '../../src/narrowphase/tolerance.js';
import { partShapeTypes, samplePose, sampleShape, shapeTypes } from '../sample-shapes.js';
import { createKnotMesh } from '../support/solid-meshes.js';

/**
 * Shape types, and two more kinds of meshes: `concave` a closed knotted tube, `surface` its triangles only. A user's own shape is as
 * exact as its function.
 */
export type Kind = ShapeType | 'concave' | 'surface';
export const kinds: readonly Kind[] = [
  ...shapeTypes.filter((type) => type !== 'support'),
  'concave',
  'surface',
  ...partShapeTypes,
];

/** Queries and what is measured of them, see docs/accuracy.md. */
export const columns = ['distance', 'verdicts', 'points', 'excess', 'left', 'contact', 'cast'] as const;
export type Column = (typeof columns)[number];

export interface AccuracyRow {
  readonly pair: string;
  /** null where the pair has no such query: depths of surfaces. */
  readonly errors: Readonly<Record<Column, number | null>>;
  /** Statuses that should have been ok, and disagreements between collide and distance. */
  readonly faults: number;
}

const SAMPLES = 300;
/** Rows in which a shape is not convex. */
const FEWER_SAMPLES = 40;
const CAST_TOLERANCE = 1e-12;
const HALVINGS = 60;

function sampleKind(random: Random, kind: Kind): Shape {
  if (kind !== 'concave' && kind !== 'surface') return sampleShape(random, kind);
  const mesh = createKnotMesh(12 + random.integer(12), 4 + random.integer(4));
  return { type: 'mesh', mesh, mode: kind === 'surface' ? 'surface' : 'solid' };
}

/** The farthest point of a shape in its own frame along d. */
function farthestLocal(shape: Shape, d: readonly number[]): number[] {
  let best: number[] = [];
  let most = -Infinity;
  const offer = (p: ArrayLike<number>): void => {
    const h = d[0] * p[0] + d[1] * p[1] + d[2] * p[2];
    if (h > most) [most, best] = [h, Array.from(p)];
  };
  switch (shape.type) {
    case 'halfspace':
      return shape.normal.map((x) => shape.offset * x);
    case 'mesh':
      for (let i = 0; i < shape.mesh.vertices.length; i += 3) offer(shape.mesh.vertices.subarray(i, i + 3));
      return best;
    case 'octree':
      for (let i = 0; i < shape.cells.length; i += 4)
        offer(d.map((x, k) => (shape.cells[i + k] + (x > 0 ? shape.cells[i + 3] : 0)) * shape.resolution));
      return best;
    case 'points':
      for (let i = 0; i < shape.points.length; i += 3) offer(shape.points.subarray(i, i + 3));
      return best.map((x, k) => x + shape.radius * d[k]);
    case 'heightfield': {
      const corners = new Float64Array(9);
      for (let t = 0; t < countTriangles(shape); t++) {
        loadFieldTriangle(corners, shape, t);
        for (let c = 0; c < 9; c += 3) {
          offer(corners.subarray(c, c + 3));
          if (shape.floor !== undefined) offer([corners[c], corners[c + 1], shape.floor]);
        }
      }
      return best;
    }
    case 'compound':
      for (const { shape: child, pose } of shape.children)
        offer(farthest(child, poseToTransform(new Float64Array(12), pose ?? [0, 0, 0, 0, 0, 0, 1]), d));
      return best;
    default: {
      const out = new Float64Array(3);
      const core = createSupportCore(shape);
      supportCore(out, core, d[0], d[1], d[2]);
      return d.map((x, k) => out[k] + core.radius * x);
    }
  }
}

function farthest(shape: Shape, X: Transform, u: readonly number[]): number[] {
  const d = [0, 1, 2].map((k) => X[k] * u[0] + X[3 + k] * u[1] + X[6 + k] * u[2]);
  const p = farthestLocal(shape, d);
  return [0, 1, 2].map((k) => X[3 * k] * p[0] + X[3 * k + 1] * p[1] + X[3 * k + 2] * p[2] + X[9 + k]);
}

function shift(X: Transform, u: ArrayLike<number>, by: number): Transform {
  const out = X.slice();
  for (let k = 0; k < 3; k++) out[9 + k] += by * u[k];
  return out;
}

/** One placed pair. */
interface Sample {
  readonly a: Collider;
  readonly X: Transform;
  readonly b: Collider;
  readonly Y: Transform;
  readonly u: readonly number[];
  readonly gap: number;
}

/** The least bound for which a verdict says yes, found by halving: nothing but the verdict is looked at. */
function findThreshold(gap: number, isYes: (bound: number) => boolean): number {
  let low = 0;
  let high = 2 * gap + 1e-9;
  if (isYes(0)) return 0;
  if (!isYes(high)) return Infinity;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = 0.5 * (low + high);
    if (middle === low || middle === high) break;
    if (isYes(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function measureVerdicts({ a, X, b, Y, gap }: Sample): number {
  const within = findThreshold(gap, (bound) => isWithin(a, X, b, Y, bound, { tolerance: 0 }));
  const margin = findThreshold(gap, (bound) => collide(a, X, b, Y, { tolerance: 0, margin: bound }));
  return Math.max(Math.abs(within - gap), Math.abs(margin - gap));
}

/** How far the overlap is from ending where B has moved by the depth along the normal. */
function measureLeft({ a, X, b, Y }: Sample, areConvex: boolean, depth: number, normal: ArrayLike<number>): number {
  const n = Array.from(normal);
  if (!areConvex) return Math.abs(distance(createDistanceResult(), a, X, b, shift(Y, n, depth)).distance);
  const p = farthest(a.shape, X, n);
  const q = farthest(
    b.shape,
    Y,
    n.map((x) => -x),
  );
  return Math.abs(n[0] * (p[0] - q[0]) + n[1] * (p[1] - q[1]) + n[2] * (p[2] - q[2]) - depth);
}

/** Way to the first contact of B moved straight against u. */
function measureCast({ a, X, b, Y, u, gap }: Sample): { error: number; isOk: boolean } {
  const way = gap + 0.5;
  const motion = { a0: X, a1: X, b0: Y, b1: shift(Y, u, -way) };
  const { hit, time, status } = castPair(createCastResult(), a, b, motion, { tolerance: CAST_TOLERANCE });
  return { error: hit ? Math.abs(time * way - gap) : Infinity, isOk: status === 'ok' };
}

/** Depth of the first contact, which a margin beyond the gap makes one, against the distance that is known. */
function measureContact({ a, X, b, Y, gap }: Sample, known: number): number {
  const contacts = createContacts(4);
  const count = computeContacts(contacts, a, X, b, Y, { margin: Math.max(gap, 0) + 1e-6 });
  return count > 0 ? Math.abs(contacts[0].depth + known) : Infinity;
}

function placePair(random: Random, A: Shape, B: Shape, gap: number): Pick<Sample, 'X' | 'Y' | 'u'> {
  const X = setIdentityTransform(new Float64Array(12));
  const Y = samplePose(random, 0);
  let u = [random.normal(), random.normal(), random.normal()];
  // A half-space touches along its normal only.
  if (B.type === 'halfspace') {
    const n = B.normal;
    u = [0, 1, 2].map((k) => -(Y[3 * k] * n[0] + Y[3 * k + 1] * n[1] + Y[3 * k + 2] * n[2]));
  }
  const norm = Math.hypot(...u);
  u = u.map((x) => x / norm);
  const p = farthest(A, X, u);
  const q = farthest(
    B,
    Y,
    u.map((x) => -x),
  );
  for (let k = 0; k < 3; k++) Y[9 + k] += p[k] + gap * u[k] - q[k];
  return { X, Y, u };
}

/** Both have closed forms or end exactly; the rest is made of parts, and its depths are searched for. */
export function areBothConvex(kindA: Kind, kindB: Kind): boolean {
  return [kindA, kindB].every((kind) => shapeTypes.includes(kind as ShapeType));
}

/** FNV-1a, so that a row's pairs hang on its name and the round alone: a new shape changes no other row. */
function seedOf(kindA: Kind, kindB: Kind, round: number): number {
  let hash = 2166136261;
  for (const letter of `${kindA}-${kindB} ${round}`) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619);
  return hash >>> 0;
}

/** Half-spaces come second. `share` of the samples of a whole round. */
export function measureAccuracy(kindA: Kind, kindB: Kind, round: number, share = 1): AccuracyRow {
  const random = createRandom(seedOf(kindA, kindB, round));
  const areConvex = areBothConvex(kindA, kindB);
  const hasSurface = kindA === 'surface' || kindB === 'surface';
  const errors: Record<Column, number | null> = {
    distance: 0,
    verdicts: 0,
    points: 0,
    excess: hasSurface ? null : 0,
    left: hasSurface || kindB === 'halfspace' ? null : 0,
    contact: 0,
    cast: 0,
  };
  let faults = 0;
  const keep = (column: Column, error: number): void => {
    errors[column] = Math.max(errors[column] ?? 0, Number.isNaN(error) ? Infinity : error);
  };
  const r = createDistanceResult();
  const count = Math.ceil(share * (areConvex ? SAMPLES : FEWER_SAMPLES));
  for (let i = 0; i < count; i++) {
    const A = sampleKind(random, kindA);
    const B = sampleKind(random, kindB);
    const size = 10 ** random.uniform(-12, 0);
    const gap = i % 10 === 0 ? 0 : i % 2 || hasSurface ? size : -Math.min(size, 0.1);
    const placed = placePair(random, A, B, gap);
    const sample: Sample = { a: createCollider(A), b: createCollider(B), gap, ...placed };
    const { a, X, b, Y } = sample;
    distance(r, a, X, b, Y);
    for (let k = 0; k < 3; k++) keep('points', Math.abs(r.pointB[k] - r.pointA[k] - r.distance * r.normal[k]));
    if (gap >= 0) {
      keep('distance', Math.abs(r.distance - gap));
      keep('verdicts', measureVerdicts(sample));
      keep('contact', measureContact(sample, gap));
    } else {
      keep('excess', gap - r.distance);
      if (r.distance < 0 && errors.left !== null) keep('left', measureLeft(sample, areConvex, -r.distance, r.normal));
      // Corners that point past each other may be apart: the answer is not known then.
      if (r.distance < 0) keep('contact', measureContact(sample, r.distance));
    }
    if (gap > CAST_TOLERANCE) {
      const { error, isOk } = measureCast(sample);
      keep('cast', error);
      if (!isOk) faults++;
    }
    // Depths of shapes that are not convex are bounds, and surfaces that touch have none.
    const mayBound = !areConvex && r.collides;
    if (r.status !== 'ok' && !(mayBound && r.status === 'depth-bound')) faults++;
    if (collide(a, X, b, Y) !== r.collides || (gap === 0 && !r.collides) || (gap > 1e-8 && r.collides)) faults++;
    a.dispose();
    b.dispose();
  }
  return { pair: `${kindA}-${kindB}`, errors, faults };
}
