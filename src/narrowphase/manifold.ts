/**
 * Contact points of two convex cores that touch along faces or edges: the two facing features, clipped to each other.
 *
 * Method: 1. the features of A along n and of B along -n, within FACING of flat; 2. the one with more corners is the
 * reference; 3. the other is cut by the planes through the reference's sides (Sutherland, Hodgman); 4. each corner left
 * is measured along n against the reference's plane: its own depth, not the pair's; 5. features are flat only to within
 * FACING, so that a plane may stick out of its shape: no corner is let be deeper than the pair (limitDepths).
 * Source: Sutherland, Hodgman 1974, doi:10.1145/360767.360802; Gregorius 2013, "The separating axis test between convex
 * polyhedra", GDC. Frames: A's frame, X_AB. Writes point pairs as A 0..2, B 3..5, depth 6. Cost: a few microseconds.
 * Returns 0 when the features meet in a point: the witness of the distance query is then the contact.
 * Checked by contacts.test.ts.
 */
import type { SupportCore } from '../geometry/support.js';
import type { Transform } from '../math/transform.js';
import { findSupportFeature, MAX_CORNERS } from './support-feature.js';

export const MANIFOLD_STRIDE = 7;
export const MAX_MANIFOLD = 2 * MAX_CORNERS;

const featureA = new Float64Array(3 * MAX_CORNERS);
const featureB = new Float64Array(3 * MAX_CORNERS);
let polygon = new Float64Array(3 * MAX_MANIFOLD);
let clipped = new Float64Array(3 * MAX_MANIFOLD);
const planeNormal = new Float64Array(3);

function keepCorner(kept: number, i: number, j: number, t: number): void {
  for (let k = 0; k < 3; k++)
    clipped[3 * kept + k] = polygon[3 * i + k] + t * (polygon[3 * j + k] - polygon[3 * i + k]);
}

/** Cuts the first `count` points of `polygon` to s.x <= offset; a two-point polygon is a segment, not a loop. */
function cutPolygon(count: number, sx: number, sy: number, sz: number, offset: number): number {
  let kept = 0;
  const edges = count === 2 ? 1 : count;
  for (let i = 0; i < edges; i++) {
    const j = (i + 1) % count;
    const hi = sx * polygon[3 * i] + sy * polygon[3 * i + 1] + sz * polygon[3 * i + 2] - offset;
    const hj = sx * polygon[3 * j] + sy * polygon[3 * j + 1] + sz * polygon[3 * j + 2] - offset;
    if (hi <= 0) keepCorner(kept++, i, i, 0);
    if (hi * hj < 0) keepCorner(kept++, i, j, hi / (hi - hj));
    if (count === 2 && hj <= 0) keepCorner(kept++, j, j, 0);
    if (kept >= MAX_MANIFOLD - 1) break;
  }
  const swap = polygon;
  polygon = clipped;
  clipped = swap;
  return kept;
}

/** Newell normal of a polygon, into planeNormal. */
function setPlaneNormal(p: Float64Array, count: number): void {
  planeNormal.fill(0);
  for (let i = 0; i < count; i++) {
    const a = 3 * i;
    const b = 3 * ((i + 1) % count);
    planeNormal[0] += (p[a + 1] - p[b + 1]) * (p[a + 2] + p[b + 2]);
    planeNormal[1] += (p[a + 2] - p[b + 2]) * (p[a] + p[b]);
    planeNormal[2] += (p[a] - p[b]) * (p[a + 1] + p[b + 1]);
  }
}

/** Two segments nearly parallel: the stretch where both run, as up to two points. */
function overlapSegments(out: Float64Array, n: Float64Array): number {
  const d = [0, 1, 2].map((k) => featureA[3 + k] - featureA[k]);
  const e = [0, 1, 2].map((k) => featureB[3 + k] - featureB[k]);
  const dd = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  const ee = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
  const de = d[0] * e[0] + d[1] * e[1] + d[2] * e[2];
  if (!(de * de >= 0.99 * dd * ee) || dd === 0) return 0;
  const along = (b: number): number =>
    [0, 1, 2].reduce((sum, k) => sum + (featureB[b + k] - featureA[k]) * d[k], 0) / dd;
  const s0 = along(0);
  const s1 = along(3);
  const from = Math.max(0, Math.min(s0, s1));
  const to = Math.min(1, Math.max(s0, s1));
  if (!(to > from)) return 0;
  [from, to].forEach((s, i) => {
    const t = (s - s0) / (s1 - s0);
    let depth = 0;
    for (let k = 0; k < 3; k++) {
      const a = featureA[k] + s * d[k];
      const b = featureB[k] + t * e[k];
      depth += (a - b) * n[k];
      out[MANIFOLD_STRIDE * i + k] = a;
      out[MANIFOLD_STRIDE * i + 3 + k] = b;
    }
    out[MANIFOLD_STRIDE * i + 6] = depth;
  });
  return 2;
}

/**
 * Manifold of cores a and b at X_AB along unit normal n (A to B), all in A's frame; `facing` as in findSupportFeature.
 * Returns the number of points, unsorted and unfiltered; 0 for a point contact.
 */
export function clipFeatures(
  out: Float64Array,
  a: SupportCore,
  b: SupportCore,
  X_AB: Transform,
  n: Float64Array,
  facing: number,
): number {
  const countA = findSupportFeature(featureA, a, n[0], n[1], n[2], facing);
  const countB = findSupportFeature(
    featureB,
    b,
    -(X_AB[0] * n[0] + X_AB[3] * n[1] + X_AB[6] * n[2]),
    -(X_AB[1] * n[0] + X_AB[4] * n[1] + X_AB[7] * n[2]),
    -(X_AB[2] * n[0] + X_AB[5] * n[1] + X_AB[8] * n[2]),
    facing,
  );
  if (countA < 2 || countB < 2) return 0;
  for (let i = 0; i < countB; i++) {
    const x = featureB[3 * i];
    const y = featureB[3 * i + 1];
    const z = featureB[3 * i + 2];
    for (let k = 0; k < 3; k++)
      featureB[3 * i + k] = X_AB[3 * k] * x + X_AB[3 * k + 1] * y + X_AB[3 * k + 2] * z + X_AB[9 + k];
  }
  if (countA === 2 && countB === 2) return overlapSegments(out, n);
  const isA = countA >= countB;
  const reference = isA ? featureA : featureB;
  const referenceCount = isA ? countA : countB;
  const incident = isA ? featureB : featureA;
  let count = isA ? countB : countA;
  for (let i = 0; i < 3 * count; i++) polygon[i] = incident[i];
  setPlaneNormal(reference, referenceCount);
  const facingSide = planeNormal[0] * n[0] + planeNormal[1] * n[1] + planeNormal[2] * n[2];
  if (facingSide === 0) return 0;
  const turn = facingSide > 0 ? 1 : -1;
  for (let i = 0; i < referenceCount && count > 0; i++) {
    const p = 3 * i;
    const q = 3 * ((i + 1) % referenceCount);
    const ex = turn * (reference[q] - reference[p]);
    const ey = turn * (reference[q + 1] - reference[p + 1]);
    const ez = turn * (reference[q + 2] - reference[p + 2]);
    const sx = ey * n[2] - ez * n[1];
    const sy = ez * n[0] - ex * n[2];
    const sz = ex * n[1] - ey * n[0];
    count = cutPolygon(count, sx, sy, sz, sx * reference[p] + sy * reference[p + 1] + sz * reference[p + 2]);
  }
  for (let i = 0; i < count; i++) {
    let above = 0;
    for (let k = 0; k < 3; k++) above += planeNormal[k] * (polygon[3 * i + k] - reference[k]);
    const shift = -above / facingSide;
    for (let k = 0; k < 3; k++) {
      const own = polygon[3 * i + k];
      const other = own + shift * n[k];
      out[MANIFOLD_STRIDE * i + k] = isA ? other : own;
      out[MANIFOLD_STRIDE * i + 3 + k] = isA ? own : other;
    }
    out[MANIFOLD_STRIDE * i + 6] = isA ? shift : -shift;
  }
  return count;
}

/**
 * Takes back depths above the pair's own along the same normal, which no two points of the shapes can have. Returns whether
 * the pair's witness has to be a contact too: a corner had to be taken back by more than `slack`, or none reaches the depth.
 */
export function limitDepths(manifold: Float64Array, count: number, depth: number, slack: number): boolean {
  let deepest = -Infinity;
  for (let i = 0; i < count; i++) {
    const at = MANIFOLD_STRIDE * i + 6;
    deepest = Math.max(deepest, manifold[at]);
    if (manifold[at] > depth) manifold[at] = depth;
  }
  return Math.abs(deepest - depth) > slack;
}
