/**
 * Random pair queries over all kinds of shapes, sizes and distances, each checked against itself: no exception, no NaN, a
 * status of the list, a unit normal, pointB - pointA = distance * normal, the same answer with the operands exchanged and
 * with both shapes moved together, verdicts that agree with the distance.
 *
 * Sizes run over 1e-6 to 1e6, ratios between the two shapes over 1e-3 to 1e3, aspects to 100; positions are apart,
 * touching to within 1e-14 to 1 of the size, or deep. The degenerate set has points, needles and plates as hulls, shapes of
 * no thickness to speak of, ratios to 1e12, exact contacts on a lattice, equal poses and quarter turns.
 */
import type { Shape, ShapeType } from '../../src/geometry/shapes.js';
import { createRandom, type Random } from '../../src/math/random.js';
import { multiplyTransform, poseToTransform, type Transform } from '../../src/math/transform.js';
import { collide } from '../../src/narrowphase/collide.js';
import { type Collider, createCollider, HALFSPACE } from '../../src/narrowphase/collider.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createDistanceResult, type DistanceResult } from '../../src/narrowphase/query.js';
import { isWithin } from '../../src/narrowphase/tolerance.js';
import { partShapeTypes, sampleShape, scaleShape, shapeTypes } from '../sample-shapes.js';

export interface FuzzReport {
  queries: number;
  /** Largest |difference| per unit of scale between exchanged or moved queries and the plain one, apart and overlapping. */
  worstApart: number;
  worstTilted: number;
  worstDepth: number;
  limits: number;
  /** At most twenty, in words; `faultCount` counts all. */
  readonly faults: string[];
  faultCount: number;
}

/**
 * What exchanged and moved queries may differ by, per unit of sizes and coordinates: apart, the touching tolerance (flat on
 * flat at a gap below it is the worst, all else stays below 1e-13); tilted by some 1e-9 rad from parallel, where the digits of
 * the tilt are all there is to decide where caps touch; degenerate; and overlapping, where two depths may tie.
 */
export const APART = 1e-10;
export const TILTED = 2e-9;
export const DEGENERATE = 1e-8;
/** The same for pointB - pointA against distance x normal. */
const POINTS = 1e-12;
export const DEPTH = 1e-9;
const POOL = 26;
const PER_POOL = 400;
const statuses = new Set(['ok', 'depth-bound', 'collides', 'beyond-bound', 'iteration-limit']);
/** convex: convex shapes and half-spaces; all: meshes and shapes made of parts too; degenerate: see above. */
export type FuzzSet = 'convex' | 'all' | 'degenerate';
const all: readonly ShapeType[] = [...shapeTypes, ...partShapeTypes];
const convex = shapeTypes.filter((type) => type !== 'mesh');

const plain = createDistanceResult();
const other = createDistanceResult();

export function sampleThin(random: Random, type: ShapeType): Shape {
  const size = (): number => 10 ** random.uniform(-2, 0);
  switch (type) {
    case 'box':
      return { type, size: [size(), size(), size()] };
    case 'capsule':
    case 'cylinder':
    case 'cone':
      return { type, radius: size(), length: size() };
    case 'ellipsoid':
      return { type, semiAxes: [size(), size(), size()] };
    default:
      return sampleShape(random, type);
  }
}

function sampleDegenerate(random: Random): Shape {
  const tiny = (): number => 10 ** random.uniform(-12, 0);
  const flat = Array.from({ length: 12 }, () => random.integer(3) - 1);
  switch (random.integer(9)) {
    case 0:
      return { type: 'convex', points: Float64Array.from({ length: 12 }, (_, i) => (i % 3 === 2 ? 0 : flat[i])) };
    case 1:
      return { type: 'convex', points: Float64Array.from({ length: 12 }, (_, i) => (i % 3 === 0 ? flat[i] : 0)) };
    case 2:
      return { type: 'convex', points: Float64Array.of(0, 0, 0, 0, 0, 0, 1e-13 * random.normal(), 0, 0) };
    case 3:
      return { type: 'box', size: [tiny(), tiny(), 1] };
    case 4:
      return { type: 'cylinder', radius: tiny(), length: tiny() };
    case 5:
      return { type: 'cone', radius: tiny(), length: 1 };
    case 6:
      return { type: 'ellipsoid', semiAxes: [1, tiny(), tiny()] };
    case 7:
      return { type: 'capsule', radius: tiny(), length: tiny() };
    default:
      return { type: 'box', size: [1, 1, 1] };
  }
}

export function sampleRotation(random: Random, degenerate: boolean): number[] {
  const style = random.integer(degenerate ? 4 : 12);
  if (style === 0) return [0, 0, 0, 1];
  if (style === 1) {
    const q = [0, 0, 0, Math.SQRT1_2];
    q[random.integer(3)] = Math.SQRT1_2;
    return q;
  }
  if (style === 2) return [1e-9 * random.normal(), 1e-9 * random.normal(), 0, 1];
  return [random.normal(), random.normal(), random.normal(), random.normal()];
}

const reachOf = (c: Collider): number => (Number.isFinite(c.boundingRadius) ? c.boundingRadius : c.extent);

/** A pose of B near A, and whether it turns B by next to nothing. */
export function place(
  random: Random,
  X_WA: Transform,
  a: Collider,
  b: Collider,
  degenerate: boolean,
): { X_WB: Transform; isTilted: boolean } {
  const size = reachOf(a) + reachOf(b);
  let p: number[];
  if (degenerate && random.integer(2) === 0) {
    const step = random.integer(2) === 0 ? 0.5 : reachOf(a);
    p = [0, 1, 2].map(() => step * (random.integer(5) - 2));
  } else {
    const far = random.uniform(0, 1.2) * size;
    const d = [random.normal(), random.normal(), random.normal()];
    const norm = Math.hypot(...d);
    p = d.map((x) => (x / norm) * far);
  }
  const q = sampleRotation(random, degenerate);
  const tilt = Math.hypot(q[0], q[1], q[2]);
  const X_AB = poseToTransform(new Float64Array(12), [...p, ...q]);
  return {
    X_WB: multiplyTransform(new Float64Array(12), X_WA, X_AB),
    isTilted: tilt > 0 && tilt < 1e-6,
  };
}

export function describeCase(a: Collider, X_WA: Transform, b: Collider, X_WB: Transform): string {
  const text = (shape: Shape): string =>
    JSON.stringify(shape, (_, value) => (ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value));
  return `${text(a.shape)} at [${Array.from(X_WA)}] and ${text(b.shape)} at [${Array.from(X_WB)}]`;
}

/** `isFaceted`: meshes find their normal from two points, which rounding turns when the gap is tiny. */
export function checkResult(r: DistanceResult, scale: number, isFaceted: boolean): string | null {
  if (!statuses.has(r.status)) return `status ${r.status}`;
  if (Number.isNaN(r.distance)) return 'distance NaN';
  if (r.status === 'beyond-bound' || r.status === 'collides') return null;
  if (!Number.isFinite(r.distance)) return `distance ${r.distance}`;
  const { pointA: p, pointB: q, normal: n } = r;
  const norm = Math.hypot(n[0], n[1], n[2]);
  const loose = isFaceted ? (1e-14 * scale) / Math.abs(r.distance) : 0;
  if (!(Math.abs(norm - 1) <= 1e-9 + loose)) return `normal of length ${norm}`;
  for (let k = 0; k < 3; k++)
    if (!(Math.abs(q[k] - p[k] - r.distance * n[k]) <= POINTS * scale))
      return `points off by ${q[k] - p[k] - r.distance * n[k]}`;
  return null;
}

/** Asks the plain query, the exchanged and the moved one, and the verdicts; adds what is wrong to the report. */
function checkPair(
  report: FuzzReport,
  random: Random,
  pair: readonly [Collider, Transform, Collider, Transform],
  apart: number,
  isTilted: boolean,
): void {
  const [a, X_WA, b, X_WB] = pair;
  const fault = (what: string): void => {
    report.faultCount++;
    if (report.faults.length < 20) report.faults.push(`${what}: ${describeCase(a, X_WA, b, X_WB)}`);
  };
  const shift = poseToTransform(new Float64Array(12), [
    ...[0, 1, 2].map(() => random.normal() * (reachOf(a) + reachOf(b))),
    ...sampleRotation(random, false),
  ]);
  const Y_WA = multiplyTransform(new Float64Array(12), shift, X_WA);
  const Y_WB = multiplyTransform(new Float64Array(12), shift, X_WB);
  let coordinates = 0;
  for (let k = 9; k < 12; k++)
    coordinates = Math.max(coordinates, Math.abs(X_WA[k]), Math.abs(X_WB[k]), Math.abs(Y_WA[k]), Math.abs(Y_WB[k]));
  const scale = a.extent + b.extent + coordinates;
  const isFaceted = [a, b].some((collider) => !collider.hasCore && collider.type !== HALFSPACE);
  try {
    distance(plain, a, X_WA, b, X_WB);
    const wrong = checkResult(plain, scale, isFaceted);
    if (wrong) fault(wrong);
    if (plain.status === 'iteration-limit') report.limits++;
    const d = plain.distance;
    const compare = (name: string): void => {
      const bad = checkResult(other, scale, isFaceted);
      if (bad) fault(`${name}: ${bad}`);
      // A bound of the depth may differ; that there is an overlap may not.
      if (plain.status !== 'ok' || other.status !== 'ok') {
        if (plain.collides !== other.collides && Math.abs(d) > apart * scale) fault(`${name}: verdict`);
        return;
      }
      const off = other.distance === d ? 0 : Math.abs(other.distance - d) / scale;
      const isDeep = d < 0;
      if (isDeep) report.worstDepth = Math.max(report.worstDepth, off);
      else if (isTilted) report.worstTilted = Math.max(report.worstTilted, off);
      else report.worstApart = Math.max(report.worstApart, off);
      if (!(off <= Math.max(apart, isDeep ? DEPTH : isTilted ? TILTED : 0)))
        fault(`${name}: ${other.distance} instead of ${d}`);
    };
    distance(other, b, X_WB, a, X_WA);
    compare('exchanged');
    distance(other, a, Y_WA, b, Y_WB);
    compare('moved');
    const touching = 1e-10 * (2 * Math.max(a.extent, b.extent) + coordinates);
    if (Math.abs(d - touching) > APART * scale && collide(a, X_WA, b, X_WB) !== plain.collides)
      if (Math.abs(d) > 2 * touching) fault('collide and distance disagree');
    if (d > 4 * touching) {
      if (!isWithin(a, X_WA, b, X_WB, 1.5 * d)) fault('not within 1.5 times the distance');
      if (isWithin(a, X_WA, b, X_WB, 0.5 * d)) fault('within half the distance');
      report.queries += 2;
    }
    report.queries += 4;
  } catch (error) {
    fault(`threw ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Moves B along the last normal so that the gap becomes about `gap`. */
function approach(X_WB: Transform, gap: number): void {
  if (plain.status !== 'ok' || !Number.isFinite(plain.distance)) return;
  for (let k = 0; k < 3; k++) X_WB[9 + k] += (gap - plain.distance) * plain.normal[k];
}

/** Of a run that has asked nothing. */
export function createReport(): FuzzReport {
  return { queries: 0, worstApart: 0, worstTilted: 0, worstDepth: 0, limits: 0, faults: [], faultCount: 0 };
}

/** A pose within some sizes of the origin, or at it. */
export function samplePlacement(random: Random, size: number, degenerate: boolean): Transform {
  const away = random.integer(3) === 0 ? 0 : size * 10 ** random.uniform(-2, 2);
  return poseToTransform(new Float64Array(12), [
    ...[0, 1, 2].map(() => away * random.normal()),
    ...sampleRotation(random, degenerate),
  ]);
}

/** Runs until `queries` have been asked. */
export function fuzzPairs(seed: number, queries: number, set: FuzzSet): FuzzReport {
  const random = createRandom(seed);
  const degenerate = set === 'degenerate';
  const kinds = set === 'all' ? all : convex;
  const report = createReport();
  while (report.queries < queries) {
    const scale = 10 ** random.uniform(-6, 6);
    const pool = Array.from({ length: POOL }, (_, i) => {
      const isThin = random.integer(2) === 0;
      if (degenerate && i % 2 === 0) return createCollider(sampleDegenerate(random));
      const type = kinds[i % kinds.length];
      const shape = isThin ? sampleThin(random, type) : sampleShape(random, type);
      const ratio = random.integer(2) === 0 ? 1 : 10 ** random.uniform(-3, 3);
      return createCollider(scaleShape(shape, degenerate ? 1 : scale * ratio));
    });
    for (let i = 0; i < PER_POOL && report.queries < queries; i++) {
      const a = pool[random.integer(POOL)];
      const b = pool[random.integer(POOL)];
      const size = reachOf(a) + reachOf(b);
      const X_WA = samplePlacement(random, size, degenerate);
      const { X_WB, isTilted } = place(random, X_WA, a, b, degenerate);
      if (random.integer(3) === 0) {
        distance(plain, a, X_WA, b, X_WB);
        report.queries++;
        approach(X_WB, (random.integer(2) === 0 ? 1 : -1) * size * 10 ** random.uniform(-14, 0));
      }
      checkPair(report, random, [a, X_WA, b, X_WB], degenerate ? DEGENERATE : APART, isTilted);
    }
    for (const collider of pool) collider.dispose();
  }
  return report;
}
