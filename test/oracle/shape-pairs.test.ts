/**
 * Every row of the reference pairs: exact gaps where they are known, the bound on the depth where they are not, and
 * the push-apart property, through the public queries.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Shape } from '../../src/geometry/shapes.js';
import { poseToTransform } from '../../src/math/transform.js';
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
}

const kinds = ['box_box', 'capsule_capsule', 'cone_cylinder', 'convex_convex', 'cylinder_box', 'sphere_capsule'];
const overlapIsCertain = new Set(['box_box', 'capsule_capsule', 'sphere_capsule']);

function readPool(): Float64Array[] {
  const path = sharedPath('oracles', 'proximity', 'convex_pool.json') as string;
  const { points } = JSON.parse(readFileSync(path, 'utf8')) as { points: number[][] };
  return points.map((p) => Float64Array.from(p));
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
  if (gap < -1e-9 && overlapIsCertain.has(kind) && !r.collides) faults.push('overlap missed');
  if (collide(A, X_WA, B, X_WB) !== r.collides) faults.push('collide and distance disagree');
  const apart = [0, 1, 2].map((k) => r.pointB[k] - r.pointA[k] - r.distance * r.normal[k]);
  if (!(Math.hypot(...apart) <= 1e-12)) faults.push(`pointB - pointA is off by ${Math.hypot(...apart)}`);
  if (!(Math.abs(Math.hypot(...r.normal) - 1) <= 1e-12)) faults.push(`normal ${Array.from(r.normal)}`);
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
    120_000,
  );
});
