/**
 * Worst observed errors of pair queries, per pair of shape types, on seeded pairs whose answer is known by construction:
 * take a direction u, A's farthest point along u and B's farthest point against it, and put B so that the second lies
 * `gap` beyond the first. Both supporting planes are perpendicular to u, so for gap >= 0 the distance is exactly the gap;
 * for gap < 0 the depth is at most -gap. B moved against u touches after exactly the gap.
 */
import type { ShapeType } from '../../src/geometry/shapes.js';
import { createSupportCore, supportCore } from '../../src/geometry/support.js';
import { createRandom } from '../../src/math/random.js';
import { setIdentityTransform, type Transform } from '../../src/math/transform.js';
import { castPair, createCastResult } from '../../src/narrowphase/cast.js';
import { collide } from '../../src/narrowphase/collide.js';
import { createCollider } from '../../src/narrowphase/collider.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createDistanceResult } from '../../src/narrowphase/query.js';
import { isWithin } from '../../src/narrowphase/tolerance.js';
import { samplePose, sampleShape } from '../sample-shapes.js';

export interface AccuracyRow {
  readonly pair: string;
  /** |distance - gap| for gaps of 0 to 1. */
  readonly distance: number;
  /** Depth above its constructed bound. */
  readonly excess: number;
  /** |depth - width along the normal|: what moving B by the depth leaves or overshoots. */
  readonly width: number;
  /** |pointB - pointA - distance normal|. */
  readonly points: number;
  /** |way to contact - gap| of B moved against u, by castPair with tolerance 1e-12. */
  readonly cast: number;
  /** Verdicts of collide and isWithin that differ from the distance's, and results whose status is not ok. */
  readonly faults: number;
}

const SAMPLES = 300;
const CAST_TOLERANCE = 1e-12;

function farthest(shape: ReturnType<typeof sampleShape>, X: Transform, u: readonly number[]): number[] {
  const out = new Float64Array(3);
  const d = [0, 1, 2].map((k) => X[k] * u[0] + X[3 + k] * u[1] + X[6 + k] * u[2]);
  if (shape.type === 'halfspace') for (let k = 0; k < 3; k++) out[k] = shape.offset * shape.normal[k];
  else {
    const core = createSupportCore(shape.type === 'mesh' ? { type: 'convex', points: shape.mesh.vertices } : shape);
    supportCore(out, core, d[0], d[1], d[2]);
    for (let k = 0; k < 3; k++) out[k] += core.radius * d[k];
  }
  return [0, 1, 2].map((k) => X[3 * k] * out[0] + X[3 * k + 1] * out[1] + X[3 * k + 2] * out[2] + X[9 + k]);
}

export function measureAccuracy(typeA: ShapeType, typeB: ShapeType, seed: number): AccuracyRow {
  const random = createRandom(seed);
  const worst = { distance: 0, excess: 0, width: 0, points: 0, cast: 0, faults: 0 };
  const r = createDistanceResult();
  const contact = createCastResult();
  const X = setIdentityTransform(new Float64Array(12));
  for (let i = 0; i < SAMPLES; i++) {
    const A = sampleShape(random, typeA);
    const B = sampleShape(random, typeB);
    const Y = samplePose(random, 0);
    let u = [random.normal(), random.normal(), random.normal()];
    // A half-space touches along its normal only.
    if (B.type === 'halfspace') {
      const n = B.normal;
      u = [0, 1, 2].map((k) => -(Y[3 * k] * n[0] + Y[3 * k + 1] * n[1] + Y[3 * k + 2] * n[2]));
    }
    const norm = Math.hypot(...u);
    u = u.map((x) => x / norm);
    const size = 10 ** random.uniform(-12, 0);
    const gap = i % 10 === 0 ? 0 : i % 2 ? size : -Math.min(size, 0.1);
    const a = farthest(A, X, u);
    const b = farthest(
      B,
      Y,
      u.map((x) => -x),
    );
    for (let k = 0; k < 3; k++) Y[9 + k] += a[k] + gap * u[k] - b[k];
    const first = createCollider(A);
    const second = createCollider(B);
    distance(r, first, X, second, Y);
    if (gap >= 0) worst.distance = Math.max(worst.distance, Math.abs(r.distance - gap));
    else {
      worst.excess = Math.max(worst.excess, gap - r.distance);
      if (B.type !== 'halfspace' && r.distance < 0) {
        const n = Array.from(r.normal);
        const p = farthest(A, X, n);
        const q = farthest(
          B,
          Y,
          n.map((x) => -x),
        );
        const width = n[0] * (p[0] - q[0]) + n[1] * (p[1] - q[1]) + n[2] * (p[2] - q[2]);
        worst.width = Math.max(worst.width, Math.abs(width + r.distance));
      }
    }
    for (let k = 0; k < 3; k++)
      worst.points = Math.max(worst.points, Math.abs(r.pointB[k] - r.pointA[k] - r.distance * r.normal[k]));
    if (gap > CAST_TOLERANCE) {
      const Z = Y.slice();
      for (let k = 0; k < 3; k++) Z[9 + k] -= (gap + 0.5) * u[k];
      castPair(contact, first, second, { a0: X, a1: X, b0: Y, b1: Z }, { tolerance: CAST_TOLERANCE });
      worst.cast = Math.max(worst.cast, contact.hit ? Math.abs(contact.time * (gap + 0.5) - gap) : Infinity);
      if (contact.status !== 'ok') worst.faults++;
    }
    if (gap > 1e-6) {
      if (!isWithin(first, X, second, Y, 1.001 * gap) || isWithin(first, X, second, Y, 0.999 * gap)) worst.faults++;
    }
    if (r.status !== 'ok') worst.faults++;
    if (collide(first, X, second, Y) !== r.collides) worst.faults++;
    first.dispose();
    second.dispose();
  }
  return { pair: `${typeA}-${typeB}`, ...worst };
}
