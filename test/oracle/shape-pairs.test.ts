/**
 * Every row of the reference pairs through the public queries: exact gaps where they are known; an overlap wherever the
 * construction or the tight reference proves one, and else a plane between the shapes; depths within their bound, free
 * when applied, not free when 1e-6 short, and not above the overlap along any sampled direction; sphere and capsule pairs
 * against closed forms of their own.
 *
 * `ORACLE_FULL=1` samples 10,000 directions for every row instead of 200.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Shape } from '../../src/geometry/shapes.js';
import { supportCore } from '../../src/geometry/support.js';
import { poseToTransform, type Transform } from '../../src/math/transform.js';
import { collide } from '../../src/narrowphase/collide.js';
import { type Collider, createCollider } from '../../src/narrowphase/collider.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createDistanceResult } from '../../src/narrowphase/query.js';
import { needsShared, sharedPath } from '../shared.js';

interface Row {
  A: Shape | { type: 'convex'; pool: number };
  B: Shape | { type: 'convex'; pool: number };
  a: number[];
  b: number[];
  gap: number;
  'coal-tight'?: number | null;
}

const kinds = ['box_box', 'capsule_capsule', 'cone_cylinder', 'convex_convex', 'cylinder_box', 'sphere_capsule'];
const overlapIsCertain = new Set(['box_box', 'capsule_capsule', 'sphere_capsule']);
const DIRECTIONS = process.env.ORACLE_FULL ? 10_000 : 200;

function readPool(): Float64Array[] {
  const path = sharedPath('oracles', 'proximity', 'convex_pool.json') as string;
  const { points } = JSON.parse(readFileSync(path, 'utf8')) as { points: number[][] };
  return points.map((p) => Float64Array.from(p));
}

/** Unit directions by the golden angle. */
function createDirections(count: number): Float64Array {
  const out = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    const z = 1 - (2 * i + 1) / count;
    const r = Math.sqrt(1 - z * z);
    const angle = i * Math.PI * (3 - Math.sqrt(5));
    out.set([r * Math.cos(angle), r * Math.sin(angle), z], 3 * i);
  }
  return out;
}
const directions = createDirections(DIRECTIONS);
const local = new Float64Array(3);

/** Largest n . x over the shape at X, n at directions[i]; `sign` turns n. */
function reach(c: Collider, X: Transform, n: Float64Array, i: number, sign: number): number {
  const [x, y, z] = [sign * n[i], sign * n[i + 1], sign * n[i + 2]];
  const [u, v, w] = [0, 1, 2].map((k) => X[k] * x + X[3 + k] * y + X[6 + k] * z);
  supportCore(local, c.core, u, v, w);
  return u * local[0] + v * local[1] + w * local[2] + c.core.radius + x * X[9] + y * X[10] + z * X[11];
}

/** Overlap of the shapes along n, negative where a plane across n is between them. */
const overlapAlong = (A: Collider, X_WA: Transform, B: Collider, X_WB: Transform, n: Float64Array, i: number): number =>
  reach(A, X_WA, n, i, 1) + reach(B, X_WB, n, i, -1);

/** Distance of two segments by their four ends and, where both feet are inside, the common perpendicular. */
function distanceOfAxes(p: number[], d: number[], q: number[], e: number[]): number {
  const dot = (u: number[], v: number[]): number => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  const at = (o: number[], v: number[], t: number): number[] => o.map((x, k) => x + t * v[k]);
  const clamp = (t: number): number => Math.max(-1, Math.min(1, t));
  let best = Infinity;
  const measure = (s: number, t: number): void => {
    const [a, b] = [at(p, d, s), at(q, e, t)];
    best = Math.min(best, Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
  };
  const foot = (x: number[], o: number[], v: number[]): number => {
    const vv = dot(v, v);
    return vv === 0
      ? 0
      : clamp(
          dot(
            x.map((c, k) => c - o[k]),
            v,
          ) / vv,
        );
  };
  for (const end of [-1, 1]) {
    measure(end, foot(at(p, d, end), q, e));
    measure(foot(at(q, e, end), p, d), end);
  }
  const r = q.map((x, k) => x - p[k]);
  const [dd, ee, de] = [dot(d, d), dot(e, e), dot(d, e)];
  const det = dd * ee - de * de;
  if (det > 1e-12 * dd * ee) {
    const s = (dot(r, d) * ee - dot(r, e) * de) / det;
    const t = (dot(r, d) * de - dot(r, e) * dd) / det;
    if (Math.abs(s) <= 1 && Math.abs(t) <= 1) measure(s, t);
  }
  return best;
}

/** Signed distance of spheres and capsules: their axes' distance minus the radii. */
function closedForm(A: Collider, X_WA: Transform, B: Collider, X_WB: Transform): number {
  const axis = (c: Collider, X: Transform): [number[], number[]] => [
    [X[9], X[10], X[11]],
    [2, 5, 8].map((k) => X[k] * c.core.z),
  ];
  const [p, d] = axis(A, X_WA);
  const [q, e] = axis(B, X_WB);
  return distanceOfAxes(p, d, q, e) - A.core.radius - B.core.radius;
}

function checkRow(kind: string, row: Row, A: Collider, B: Collider): string[] {
  const faults: string[] = [];
  const X_WA = poseToTransform(new Float64Array(12), row.a);
  const X_WB = poseToTransform(new Float64Array(12), row.b);
  const r = distance(createDistanceResult(), A, X_WA, B, X_WB);
  const { gap } = row;
  if (!Number.isFinite(r.distance)) return [`distance ${r.distance}`];
  if (r.status !== 'ok') faults.push(`status ${r.status}`);
  if (gap > 1e-9 && (r.collides || !(Math.abs(r.distance - gap) <= 1e-9)))
    faults.push(`distance ${r.distance}, exact ${gap}`);
  if (gap < 0 && r.distance < gap - 1e-9) faults.push(`depth ${-r.distance} above the bound ${-gap}`);
  if (gap < -1e-9 && !r.collides) {
    const tight = row['coal-tight'];
    if (overlapIsCertain.has(kind)) faults.push('overlap missed');
    else if (!(overlapAlong(A, X_WA, B, X_WB, r.normal, 0) < 0))
      faults.push(`free, but no plane across the normal is between the shapes; the tight reference says ${tight}`);
  }
  if (kind === 'capsule_capsule' || kind === 'sphere_capsule') {
    const exact = closedForm(A, X_WA, B, X_WB);
    if (!(Math.abs(r.distance - exact) <= 1e-12)) faults.push(`distance ${r.distance}, closed form ${exact}`);
  }
  if (collide(A, X_WA, B, X_WB) !== r.collides) faults.push('collide and distance disagree');
  const apart = [0, 1, 2].map((k) => r.pointB[k] - r.pointA[k] - r.distance * r.normal[k]);
  if (!(Math.hypot(...apart) <= 1e-12)) faults.push(`pointB - pointA is off by ${Math.hypot(...apart)}`);
  if (!(Math.abs(Math.hypot(...r.normal) - 1) <= 1e-12)) faults.push(`normal ${Array.from(r.normal)}`);
  if (r.distance < 0) {
    let least = Infinity;
    for (let i = 0; i < directions.length; i += 3)
      least = Math.min(least, overlapAlong(A, X_WA, B, X_WB, directions, i));
    if (!(-r.distance <= least + 1e-6)) faults.push(`depth ${-r.distance} above a sampled overlap of ${least}`);
  }
  if (r.distance < -1e-6)
    for (const extra of [1e-6, -1e-6]) {
      const X = X_WB.slice();
      for (let k = 0; k < 3; k++) X[9 + k] += (-r.distance + extra) * r.normal[k];
      if (collide(A, X_WA, B, X) !== extra < 0) faults.push(`moved by depth ${extra}: collides ${extra > 0}`);
    }
  return faults;
}

describe(`reference pairs${needsShared('oracles', 'proximity')}`, () => {
  it.skipIf(!sharedPath('oracles', 'proximity')).each(kinds)(
    '%s: gaps, depth bounds, push-apart',
    (kind) => {
      const pool = readPool();
      const colliders = new Map<number, Collider>();
      const toCollider = (shape: Row['A']): Collider => {
        if (!('pool' in shape)) return createCollider(shape);
        let collider = colliders.get(shape.pool);
        if (!collider) {
          collider = createCollider({ type: 'convex', points: pool[shape.pool] });
          colliders.set(shape.pool, collider);
        }
        return collider;
      };
      const path = sharedPath('oracles', 'proximity', `pairs_${kind}.jsonl`) as string;
      const rows = readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Row);
      expect(rows.length).toBe(5000);
      const faults = rows.flatMap((row, i) =>
        checkRow(kind, row, toCollider(row.A), toCollider(row.B)).map((fault) => `#${i}: ${fault}`),
      );
      expect(faults.length, faults.slice(0, 10).join('\n')).toBe(0);
    },
    600_000,
  );
});
