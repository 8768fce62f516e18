/**
 * Whether balls whose union contains the boundary of solids leave a hole inside them.
 *
 * What is proven. S: a solid, its boundary dS contained in the balls (c_i, r_i - 2 s) (prove-surface.ts). U: the union of the balls (c_i, r_i).
 * Claim: if S is not within U, one of the points that are looked at lies inside S.
 * 1. Let x in S lie outside U, and C be the connected piece of the complement of U around x. It does not meet dS, so it lies inside
 *    S and is bounded.
 * 2. C has a vertex: a boundary point on three spheres with independent normals, inside no ball. Take a point v of the closure of
 *    C where a linear function g is largest. The balls through v have outward normals n_j. If they did not span space, some t would be
 *    orthogonal to all; a step e t leaves every one of these balls by about e^2 / 2 r_j, and so a further step of the order e^2
 *    along g stays outside them, in C, with a larger g: a contradiction.
 * 3. v lies on the circle of two of the spheres, in a stretch that no other ball contains. The stretches are found from the balls (c_k, r_k - s),
 *    so the true uncovered points of the circle lie in the stretches T that are found, and no point of T is deeper than s in any ball.
 * 4. Points of dS are 2 s deep in some ball. So T does not meet dS, and being connected lies on one side of it: the side of v, inside S.
 * 5. Hence the middle of T lies inside S, which is asked of the rule.
 * A solid whose stretches all have their middle outside is covered. Rounding: s is 5e-10 of the size; circles of spheres whose
 * centres are closer than 1e-5 of the size would lose more digits, so the smaller of such balls is left out, as are balls smaller than that (a proof from fewer balls holds for all), and
 * circles narrower than 1e-5 of the size count as the small ball around their middle, which must lie in a ball or outside S and dS.
 *
 * Frames: the link's. Cost: pairs that touch times the balls, and a rule per uncovered stretch. Checked by verify-spheres.test.ts.
 */
import { atan2, cos, hypot, sin } from '../../math/scalar.js';
import { inverseTransformPoint } from '../../math/transform.js';
import { createVec3 } from '../../math/vec3.js';
import type { ProofPart } from './parts.js';
import { type Balls, gapAt } from './prove-surface.js';

const NEAR = 1e-5;

/** Points of the uncovered stretches, each with how far around it no boundary may be; 4 numbers each. */
export function listStretches(given: Balls, size: number, s: number): Float64Array {
  const balls = dropNearTwins(given, NEAR * size);
  const count = balls.length / 4;
  const out: number[] = [];
  for (let i = 0; i < count; i++)
    for (let j = i + 1; j < count; j++) addCircle(out, balls, 4 * i, 4 * j, NEAR * size, s);
  return Float64Array.from(out);
}

/** Without balls inside others, without the smaller of two about nearly one centre, and without very small ones. */
function dropNearTwins(balls: Balls, near: number): Balls {
  const kept: number[] = [];
  for (let i = 0; i < balls.length; i += 4) {
    let isNeeded = balls[i + 3] > near;
    for (let j = 0; j < balls.length && isNeeded; j += 4) {
      if (i === j) continue;
      const d = hypot(balls[i] - balls[j], balls[i + 1] - balls[j + 1], balls[i + 2] - balls[j + 2]);
      const isSmaller = balls[i + 3] < balls[j + 3] || (balls[i + 3] === balls[j + 3] && i > j);
      if (isSmaller && (d <= near || d + balls[i + 3] <= balls[j + 3])) isNeeded = false;
    }
    if (isNeeded) kept.push(balls[i], balls[i + 1], balls[i + 2], balls[i + 3]);
  }
  return Float64Array.from(kept);
}

function addCircle(out: number[], balls: Balls, i: number, j: number, near: number, s: number): void {
  const [ri, rj] = [balls[i + 3], balls[j + 3]];
  const [dx, dy, dz] = [balls[j] - balls[i], balls[j + 1] - balls[i + 1], balls[j + 2] - balls[i + 2]];
  const d = hypot(dx, dy, dz);
  if (d > ri + rj + near || d === 0) return;
  const along = (d * d + (ri - rj) * (ri + rj)) / (2 * d);
  const square = (ri - along) * (ri + along);
  if (square < -near * near) return;
  const [nx, ny, nz] = [dx / d, dy / d, dz / d];
  const [x, y, z] = [balls[i] + along * nx, balls[i + 1] + along * ny, balls[i + 2] + along * nz];
  if (square <= near * near) {
    // Two spheres that barely touch: their circle lies within `reach` of its middle.
    const reach = 2 * near;
    if (gapAt(balls, x, y, z) > -reach) out.push(x, y, z, reach);
    return;
  }
  const radius = Math.sqrt(square);
  // Axes of the circle's plane.
  const [ax, ay, az] = Math.abs(nx) < 0.6 ? [0, nz, -ny] : [-nz, 0, nx];
  const length = hypot(ax, ay, az);
  const [ux, uy, uz] = [ax / length, ay / length, az / length];
  const [vx, vy, vz] = [ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux];
  const covered: [number, number][] = [];
  for (let k = 0; k < balls.length; k += 4) {
    if (k === i || k === j) continue;
    const r = balls[k + 3] - s;
    if (r <= 0) continue;
    const [px, py, pz] = [x - balls[k], y - balls[k + 1], z - balls[k + 2]];
    // |p + radius (u cos t + v sin t)|^2 < r^2, that is a cos t + b sin t < c.
    const a = 2 * radius * (px * ux + py * uy + pz * uz);
    const b = 2 * radius * (px * vx + py * vy + pz * vz);
    const distance = hypot(px, py, pz);
    const c = (r - distance) * (r + distance) - square;
    const most = hypot(a, b);
    if (c <= -most) continue;
    if (c >= most) return;
    const middle = atan2(-b, -a);
    // cos(half) = -c / most, half the covered angle.
    const half = atan2(Math.sqrt((most - c) * (most + c)), -c);
    covered.push([middle - half, middle + half]);
  }
  for (const t of uncoveredMiddles(covered))
    out.push(
      x + radius * (cos(t) * ux + sin(t) * vx),
      y + radius * (cos(t) * uy + sin(t) * vy),
      z + radius * (cos(t) * uz + sin(t) * vz),
      0,
    );
}

/** Middles of what open intervals of angles leave of the circle. Intervals that merely meet leave a stretch of no length, which counts. */
function uncoveredMiddles(intervals: readonly (readonly [number, number])[]): number[] {
  if (intervals.length === 0) return [0];
  const turn = 2 * Math.PI;
  const sorted: (readonly [number, number])[] = [];
  // What an interval that passes angle 0 covers from there on.
  let wrapped = 0;
  let last = 0;
  for (const [from, to] of intervals) {
    const start = from - turn * Math.floor(from / turn);
    const end = start + (to - from);
    sorted.push([start, end]);
    wrapped = Math.max(wrapped, end - turn);
    last = Math.max(last, end);
  }
  sorted.sort((p, q) => p[0] - q[0]);
  const out: number[] = [];
  if (wrapped <= 0) out.push(0.5 * (last - turn + sorted[0][0]));
  else if (sorted[0][0] >= wrapped) out.push(0.5 * (wrapped + sorted[0][0]));
  let end = Math.max(wrapped, sorted[0][1]);
  for (const [from, to] of sorted.slice(1)) {
    if (from >= end) out.push(0.5 * (from + end));
    if (to > end) end = to;
  }
  return out;
}

export interface Hole {
  readonly shape: number;
  readonly point: readonly [number, number, number];
  /** Whether it is certain to be one. */
  readonly isCertain: boolean;
}

/** The first stretch that lies inside a solid, or else cannot be told; null: the solids are filled. */
export function findHole(parts: readonly ProofPart[], stretches: Float64Array): Hole | null {
  let doubtful: Hole | null = null;
  for (const hole of holesOf(parts, stretches)) {
    if (hole.isCertain) return hole;
    doubtful ??= hole;
  }
  return doubtful;
}

/** Every stretch that lies inside a solid, or cannot be told. */
export function* holesOf(parts: readonly ProofPart[], stretches: Float64Array): Generator<Hole> {
  const p = createVec3();
  for (const { shape, inside, surfaces } of parts) {
    if (!inside) continue;
    for (let i = 0; i < stretches.length; i += 4) {
      const point = [stretches[i], stretches[i + 1], stretches[i + 2]] as const;
      inverseTransformPoint(p, inside.X_LP, point);
      const answer = inside.rule(p[0], p[1], p[2]);
      if (answer === false && (stretches[i + 3] === 0 || isClear(surfaces, point, stretches[i + 3]))) continue;
      yield { shape, point, isCertain: answer === true };
    }
  }
}

const MOST_CLIMBS = 300;

/** From the rim of a hole to where it is deepest, as far as steps along the axes find. Steps no longer than the gap stay within it. */
export function climbHole(point: Hole['point'], balls: Balls, size: number): readonly [number, number, number] {
  const at: [number, number, number] = [...point];
  let depth = gapAt(balls, at[0], at[1], at[2]);
  let step = 1e-6 * size;
  for (let round = 0; round < MOST_CLIMBS && step > 1e-8 * size; round++) {
    let isBetter = false;
    for (let k = 0; k < 6; k++) {
      const next: [number, number, number] = [...at];
      next[k % 3] += k < 3 ? step : -step;
      const gap = gapAt(balls, next[0], next[1], next[2]);
      if (gap <= depth) continue;
      at[k % 3] = next[k % 3];
      depth = gap;
      isBetter = true;
    }
    step = isBetter ? Math.max(step, Math.min(2 * step, 0.5 * depth)) : 0.5 * step;
  }
  return at;
}

/** Whether no patch comes within `reach` of the point. */
function isClear(surfaces: ProofPart['surfaces'], point: readonly [number, number, number], reach: number): boolean {
  const p = createVec3();
  for (const { X_LP, patches } of surfaces) {
    inverseTransformPoint(p, X_LP, point);
    for (const patch of patches) {
      const stack = [patch];
      while (stack.length > 0) {
        const piece = stack.pop()!;
        const [x, y, z] = piece.points;
        const toPoint = hypot(x - p[0], y - p[1], z - p[2]);
        if (toPoint > reach + 4 * piece.extent) continue;
        if (toPoint <= reach || piece.extent < 0.1 * reach) return false;
        stack.push(...piece.split());
      }
    }
  }
  return true;
}
