/**
 * Balls that cover points are moved and shrunk so that less of the space around the shape lies in them.
 *
 * Method: 1. settle, one ball at a time: the points that no other ball covers are its own; its radius is the distance of the farthest of
 * them from its centre, so every position is a cover. Its cost is the volume outside that it adds to what the others take up
 * (outside-volume.ts). The centre steps along the axes and towards the middle of the smallest ball around its points, in steps
 * that are halved when none pays. 2. rebalance: two neighbours share the points that no third covers anew, by planes across the
 * line of their centres. 3. balls without points of their own get half of those of the costliest, cut across their longest spread;
 * 4. relocate: the same is tried with the ball whose points others could take over most cheaply.
 * Source: after R. Wang et al. 2006, "Variational sphere set approximation for solid objects", doi:10.1007/s00371-006-0052-0 (the
 * volume outside as the measure, spheres moved in turn, teleported where they serve better).
 * Frames: L link. Cost: per pass and ball some fifty looks at its points and at the lattice around. Checked by fit-spheres.test.ts.
 */
import { hypot } from '../../math/scalar.js';
import { type CoverState, TOUCH } from './cover-state.js';
import { encloseBall } from './enclosing-ball.js';
import type { OutsideVolume } from './outside-volume.js';

export interface CoverGoal {
  readonly volume: OutsideVolume;
  readonly spacing: number;
  /** Balls may stick out by this much, by the signed distance of their centres and their radius. */
  readonly limit: number;
  readonly distance: (x: number, y: number, z: number) => number;
}

/** Moves that gain a smaller share are not worth their time. */
const LEAST_GAIN = 1e-3;
const MOST_ROUNDS = 30;
/** Of the plane between two balls, in extents of their points. */
const SHIFTS = [0, -0.05, 0.05, -0.12, 0.12, -0.22, 0.22];

/** Settles every ball in turn, `passes` times, or until little changes. `smallest`: last step, in radii. */
export function refineCover(state: CoverState, goal: CoverGoal, passes: number, smallest: number): void {
  let last = Infinity;
  for (let pass = 0; pass < passes; pass++) {
    let sum = 0;
    for (let i = 0; i < state.balls.length; i += 4) sum += settle(state, goal, i, smallest);
    if (sum > 0.998 * last) break;
    last = sum;
  }
}

/** Moves ball `i`; returns what it adds. */
function settle(
  state: CoverState,
  { volume, spacing, limit, distance }: CoverGoal,
  i: number,
  smallest: number,
): number {
  const { balls } = state;
  const own = state.ownPoints(i);
  const [cx, cy, cz] = [balls[i], balls[i + 1], balls[i + 2]];
  if (own.length === 0) {
    state.setBall(i, cx, cy, cz, 0);
    return 0;
  }
  const [ex, ey, ez, enclosing] = encloseBall(state.points, own);
  let [x, y, z] = [cx, cy, cz];
  let r = state.radiusFor(x, y, z, own);
  const reach = 1.25 * Math.max(r, enclosing) + hypot(ex - x, ey - y, ez - z) + spacing;
  volume.focus(balls, i, -1, x, y, z, reach);
  let cost = volume.added(x, y, z, r);
  const attempt = (nx: number, ny: number, nz: number): boolean => {
    const radius = state.radiusFor(nx, ny, nz, own);
    if (radius + hypot(nx - cx, ny - cy, nz - cz) > reach) return false;
    const next = volume.added(nx, ny, nz, radius);
    if (!(next < (1 - LEAST_GAIN) * cost)) return false;
    if (limit < Infinity && radius + distance(nx, ny, nz) > limit) return false;
    x = nx;
    y = ny;
    z = nz;
    r = radius;
    cost = next;
    return true;
  };
  attempt(ex, ey, ez);
  let step = 0.2 * r;
  for (let round = 0; round < MOST_ROUNDS && step > smallest * r; round++) {
    let isBetter = attempt(x + 0.5 * (ex - x), y + 0.5 * (ey - y), z + 0.5 * (ez - z));
    for (let k = 0; k < 6; k++) {
      const s = k < 3 ? step : -step;
      if (attempt(x + (k % 3 === 0 ? s : 0), y + (k % 3 === 1 ? s : 0), z + (k % 3 === 2 ? s : 0))) isBetter = true;
    }
    if (!isBetter) step *= 0.5;
  }
  state.setBall(i, x, y, z, r);
  return cost;
}

/** Whether some pair gained by sharing its points anew. */
export function rebalanceCover(state: CoverState, goal: CoverGoal): boolean {
  const { balls } = state;
  let isBetter = false;
  for (let i = 0; i < balls.length; i += 4)
    for (let j = i + 4; j < balls.length; j += 4) {
      if (balls[i + 3] <= 0 || balls[j + 3] <= 0) continue;
      const d = hypot(balls[j] - balls[i], balls[j + 1] - balls[i + 1], balls[j + 2] - balls[i + 2]);
      if (d > 0 && d < balls[i + 3] + balls[j + 3] && rebalancePair(state, goal, i, j, d)) isBetter = true;
    }
  return isBetter;
}

function rebalancePair(state: CoverState, goal: CoverGoal, i: number, j: number, d: number): boolean {
  const { balls, points } = state;
  const { volume, spacing, limit, distance } = goal;
  const items = state.sharedPoints(i, j);
  if (items.length < 2) return false;
  const axis = [0, 1, 2].map((k) => (balls[j + k] - balls[i + k]) / d);
  const heights = items.map((p) => dotAt(points, p, axis));
  let [low, high] = [Infinity, -Infinity];
  for (const h of heights) {
    low = Math.min(low, h);
    high = Math.max(high, h);
  }
  const [ri, rj] = [balls[i + 3], balls[j + 3]];
  const plane = dotAt(balls, i, axis) + (d * d + (ri - rj) * (ri + rj)) / (2 * d);
  const [mx, my, mz] = [0, 1, 2].map((k) => 0.5 * (balls[i + k] + balls[j + k]));
  const reach = 1.25 * (0.5 * d + Math.max(ri, rj)) + spacing;
  volume.focus(balls, i, j, mx, my, mz, reach);
  const former = volume.addedByPair(balls.subarray(i, i + 4), balls.subarray(j, j + 4));
  let cost = former;
  let best: number[][] | null = null;
  for (const shift of SHIFTS) {
    const cut = plane + shift * (high - low);
    const sides: [number[], number[]] = [[], []];
    for (let k = 0; k < items.length; k++) sides[heights[k] <= cut ? 0 : 1].push(items[k]);
    const halves = sides.map((side) => encloseBall(points, side));
    if (halves.some(([x, y, z, r]) => hypot(x - mx, y - my, z - mz) + r > reach)) continue;
    if (limit < Infinity && halves.some(([x, y, z, r]) => r + distance(x, y, z) > limit)) continue;
    const next = volume.addedByPair(halves[0], halves[1]);
    if (!(next < (1 - LEAST_GAIN) * cost)) continue;
    cost = next;
    best = halves;
  }
  if (!best) return false;
  [i, j].forEach((at, half) => {
    const [x, y, z, r] = best[half];
    state.setBall(at, x, y, z, r * (1 + TOUCH));
  });
  return cost < 0.99 * former;
}

/** Balls that cover nothing of their own take half of the costliest. */
export function useIdleBalls(state: CoverState, goal: CoverGoal): void {
  const { balls } = state;
  for (let idle = 0; idle < balls.length; idle += 4) {
    if (balls[idle + 3] > 0) continue;
    const worst = findCostliest(state, goal);
    if (worst < 0 || !splitInto(state, worst, idle)) return;
    for (const i of [worst, idle]) settle(state, goal, i, 0.05);
  }
}

/** Up to `tries` times: the ball that is missed least leaves its points to the others and takes half of the costliest. */
export function relocateBalls(state: CoverState, goal: CoverGoal, tries: number): void {
  const { balls } = state;
  const count = state.ballCount;
  if (count < 3 || state.hasBare()) return;
  let cost = goal.volume.total(balls);
  const passed = new Set<number>();
  for (let t = 0; t < tries; t++) {
    let donor = -1;
    let least = Infinity;
    for (let i = 0; i < balls.length; i += 4) {
      const loss = passed.has(i) || balls[i + 3] <= 0 ? Infinity : lossWithout(state, i);
      if (loss >= least) continue;
      least = loss;
      donor = i;
    }
    if (donor < 0) return;
    const before = balls.slice();
    state.setBall(donor, balls[donor], balls[donor + 1], balls[donor + 2], 0);
    state.adoptBare();
    const worst = findCostliest(state, goal);
    if (worst >= 0 && splitInto(state, worst, donor)) refineCover(state, goal, 2, 0.04);
    const next = goal.volume.total(balls);
    if (next < 0.995 * cost && !state.hasBare()) {
      cost = next;
      passed.clear();
      continue;
    }
    for (let i = 0; i < before.length; i += 4) state.setBall(i, before[i], before[i + 1], before[i + 2], before[i + 3]);
    passed.add(donor);
  }
}

/** By how much others would grow to take over the points of ball `i`, less what it takes itself: cubes of radii, roughly. */
function lossWithout(state: CoverState, i: number): number {
  const { balls } = state;
  const grown = new Map<number, number>();
  for (const p of state.ownPoints(i)) {
    const [j, d] = state.nearestBall(p, i);
    if (j >= 0) grown.set(j, Math.max(grown.get(j) ?? 0, d));
  }
  let sum = -cubeOf(balls[i + 3]);
  for (const [j, d] of grown) sum += Math.max(0, cubeOf(d) - cubeOf(balls[j + 3]));
  return sum;
}

/** The ball that adds most to the others; -1: none. */
function findCostliest({ balls }: CoverState, { volume, spacing }: CoverGoal): number {
  let worst = -1;
  let most = 0;
  for (let i = 0; i < balls.length; i += 4) {
    const [x, y, z, r] = [balls[i], balls[i + 1], balls[i + 2], balls[i + 3]];
    if (r <= 0) continue;
    volume.focus(balls, i, -1, x, y, z, r + spacing);
    const cost = volume.added(x, y, z, r);
    if (cost <= most) continue;
    most = cost;
    worst = i;
  }
  return worst;
}

/** Gives ball `idle` half of the own points of ball `i`. */
function splitInto(state: CoverState, i: number, idle: number): boolean {
  const own = state.ownPoints(i);
  if (own.length < 2) return false;
  const halves = cutAcross(state.points, own);
  if (halves.some((half) => half.length === 0)) return false;
  [i, idle].forEach((at, k) => {
    const [x, y, z, r] = encloseBall(state.points, halves[k]);
    state.setBall(at, x, y, z, r * (1 + TOUCH));
  });
  return true;
}

/** In two, at half the extent along the direction of the largest spread (power iteration on the covariance). */
function cutAcross(points: Float64Array, items: readonly number[]): [number[], number[]] {
  const mean = [0, 0, 0];
  for (const p of items) for (let k = 0; k < 3; k++) mean[k] += points[p + k] / items.length;
  const c = new Float64Array(9);
  for (const p of items)
    for (let a = 0; a < 3; a++)
      for (let b = 0; b < 3; b++) c[3 * a + b] += (points[p + a] - mean[a]) * (points[p + b] - mean[b]);
  let axis = [1, 0.9, 0.8];
  for (let step = 0; step < 30; step++) {
    const w = [0, 1, 2].map((a) => c[3 * a] * axis[0] + c[3 * a + 1] * axis[1] + c[3 * a + 2] * axis[2]);
    const length = hypot(w[0], w[1], w[2]);
    if (!(length > 0)) break;
    axis = w.map((x) => x / length);
  }
  const heights = items.map((p) => dotAt(points, p, axis));
  let [low, high] = [Infinity, -Infinity];
  for (const h of heights) {
    low = Math.min(low, h);
    high = Math.max(high, h);
  }
  const middle = 0.5 * (low + high);
  return [items.filter((_, i) => heights[i] <= middle), items.filter((_, i) => heights[i] > middle)];
}

function dotAt(points: ArrayLike<number>, at: number, axis: readonly number[]): number {
  return points[at] * axis[0] + points[at + 1] * axis[1] + points[at + 2] * axis[2];
}

function cubeOf(x: number): number {
  return x * x * x;
}
