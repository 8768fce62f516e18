/**
 * Balls that cover points are moved and shrunk so that less of the space around the shape lies in them.
 *
 * Method: one ball at a time. The points that no other ball covers are its own; its radius is the distance of the farthest of them
 * from its centre, so every position is a cover. The cost of a position is the volume outside the shape that the ball adds to what
 * the others take up, measured on a lattice whose cells count in part at the ball's rim, more where they are farther
 * out. The centre steps along the axes and towards the middle of the smallest ball around its points, in steps that are halved when none pays.
 * A ball without own points goes where it helps most: the own points of the costliest ball are cut in two across their longest
 * spread, and each half gets a ball; the same is tried with the ball that others could replace most cheaply.
 * Source: after R. Wang et al. 2006, "Variational sphere set approximation for solid objects", doi:10.1007/s00371-006-0052-0 (the
 * volume outside as the measure, moves of one sphere at a time).
 * Frames: L link. Cost: per pass and ball some fifty looks at its points and at the lattice around. Checked by fit-spheres.test.ts.
 */
import { hypot } from '../../math/scalar.js';
import { encloseBall } from './enclosing-ball.js';

export interface CoverProblem {
  /** Points to cover, x y z each. */
  readonly points: number[];
  /** Lattice points outside the shape: x, y, z, distance each. */
  readonly outside: Float64Array;
  readonly spacing: number;
  /** Weight of a cell at the distance d: 1 + d / `scale`. */
  readonly scale: number;
  /** Balls may stick out by this much, by the signed distance of their centres and their radius. */
  readonly limit: number;
  readonly distance: (x: number, y: number, z: number) => number;
}

/** Covers within this share of the radius count. */
const TOUCH = 1e-9;

export class CoverRefiner {
  private readonly others: Float64Array;
  private readonly nearby: Int32Array;

  constructor(
    private readonly problem: CoverProblem,
    /** x, y, z, radius each; radius 0 and below: not in use. */
    readonly balls: number[],
  ) {
    this.others = new Float64Array(problem.outside.length / 4);
    this.nearby = new Int32Array(problem.outside.length / 4);
  }

  /** Offsets of points that only ball `i` covers. */
  ownPoints(i: number): number[] {
    const { balls } = this;
    const { points } = this.problem;
    const out: number[] = [];
    for (let p = 0; p < points.length; p += 3) {
      let isShared = false;
      for (let j = 0; j < balls.length && !isShared; j += 4) {
        if (j === i || balls[j + 3] <= 0) continue;
        const [dx, dy, dz] = [points[p] - balls[j], points[p + 1] - balls[j + 1], points[p + 2] - balls[j + 2]];
        isShared = dx * dx + dy * dy + dz * dz <= balls[j + 3] * balls[j + 3];
      }
      if (!isShared) out.push(p);
    }
    return out;
  }

  /** How much of each outside cell the balls other than `i` and `also` take: 0 to 1, within reach of a ball about (x, y, z). */
  private measureOthers(i: number, also: number, x: number, y: number, z: number, reach: number): number {
    const { balls, others, nearby } = this;
    const { outside, spacing } = this.problem;
    let count = 0;
    for (let o = 0; o < others.length; o++) {
      const at = 4 * o;
      const [dx, dy, dz] = [outside[at] - x, outside[at + 1] - y, outside[at + 2] - z];
      if (dx * dx + dy * dy + dz * dz > reach * reach) continue;
      let taken = 0;
      for (let j = 0; j < balls.length && taken < 1; j += 4) {
        if (j === i || j === also || balls[j + 3] <= 0) continue;
        taken = Math.max(taken, shareOf(balls[j], balls[j + 1], balls[j + 2], balls[j + 3], outside, at, spacing));
      }
      if (taken >= 1) continue;
      others[o] = taken;
      nearby[count++] = o;
    }
    return count;
  }

  /** Volume that a ball adds, by `count` cells of `nearby`. */
  private addedCost(x: number, y: number, z: number, r: number, count: number): number {
    const { others, nearby } = this;
    const { outside, spacing, scale } = this.problem;
    let sum = 0;
    for (let n = 0; n < count; n++) {
      const o = nearby[n];
      const at = 4 * o;
      const share = shareOf(x, y, z, r, outside, at, spacing);
      if (share > others[o]) sum += (share - others[o]) * (1 + outside[at + 3] / scale);
    }
    // Where no cell is touched, the smaller ball is the better one.
    return sum + 1e-3 * (r / spacing) ** 3;
  }

  private radiusFor(x: number, y: number, z: number, own: readonly number[]): number {
    const { points } = this.problem;
    let most = 0;
    for (const p of own) {
      const [dx, dy, dz] = [points[p] - x, points[p + 1] - y, points[p + 2] - z];
      most = Math.max(most, dx * dx + dy * dy + dz * dz);
    }
    return Math.sqrt(most) * (1 + TOUCH);
  }

  /** Moves ball `i`; returns what it adds now. */
  settle(i: number, own: readonly number[], smallest: number): number {
    const { balls } = this;
    if (own.length === 0) {
      balls[i + 3] = 0;
      return 0;
    }
    const [ex, ey, ez, enclosing] = encloseBall(this.problem.points, own);
    let [x, y, z] = [balls[i], balls[i + 1], balls[i + 2]];
    let r = this.radiusFor(x, y, z, own);
    const reach = 1.5 * Math.max(r, enclosing) + hypot(ex - x, ey - y, ez - z) + this.problem.spacing;
    const count = this.measureOthers(i, -1, x, y, z, reach);
    let cost = this.addedCost(x, y, z, r, count);
    const { limit, distance } = this.problem;
    const attempt = (nx: number, ny: number, nz: number): boolean => {
      const radius = this.radiusFor(nx, ny, nz, own);
      if (radius + hypot(nx - balls[i], ny - balls[i + 1], nz - balls[i + 2]) > reach) return false;
      const next = this.addedCost(nx, ny, nz, radius, count);
      if (!(next < cost)) return false;
      if (limit < Infinity && radius + distance(nx, ny, nz) > limit) return false;
      [x, y, z, r, cost] = [nx, ny, nz, radius, next];
      return true;
    };
    attempt(ex, ey, ez);
    for (let step = 0.25 * r; step > smallest * r; ) {
      let isBetter = attempt(x + 0.5 * (ex - x), y + 0.5 * (ey - y), z + 0.5 * (ez - z));
      for (let k = 0; k < 6; k++) {
        const s = k < 3 ? step : -step;
        if (attempt(x + (k % 3 === 0 ? s : 0), y + (k % 3 === 1 ? s : 0), z + (k % 3 === 2 ? s : 0))) isBetter = true;
      }
      if (!isBetter) step *= 0.5;
    }
    [balls[i], balls[i + 1], balls[i + 2], balls[i + 3]] = [x, y, z, r];
    return cost;
  }

  /** Settles every ball in turn, `passes` times, or until nothing changes by much. */
  refine(passes: number, smallest = 0.01): void {
    const { balls } = this;
    let last = Infinity;
    for (let pass = 0; pass < passes; pass++) {
      let sum = 0;
      for (let i = 0; i < balls.length; i += 4) sum += this.settle(i, this.ownPoints(i), smallest);
      if (sum > 0.998 * last) break;
      last = sum;
    }
  }

  /** Cost of all: volume outside, weighted. */
  totalCost(): number {
    const { balls } = this;
    const { outside, spacing, scale } = this.problem;
    let sum = 0;
    for (let at = 0; at < outside.length; at += 4) {
      let taken = 0;
      for (let j = 0; j < balls.length && taken < 1; j += 4)
        if (balls[j + 3] > 0)
          taken = Math.max(taken, shareOf(balls[j], balls[j + 1], balls[j + 2], balls[j + 3], outside, at, spacing));
      sum += taken * (1 + outside[at + 3] / scale);
    }
    for (let j = 3; j < balls.length; j += 4) sum += 1e-3 * (Math.max(0, balls[j]) / spacing) ** 3;
    return sum;
  }

  /** Gives ball `idle` half of the own points of ball `i`. */
  splitInto(i: number, idle: number): boolean {
    const { balls } = this;
    const { points } = this.problem;
    const own = this.ownPoints(i);
    if (own.length < 2) return false;
    const halves = cutAcross(points, own);
    if (halves.some((half) => half.length === 0)) return false;
    [i, idle].forEach((at, k) => {
      const ball = encloseBall(points, halves[k]);
      for (let c = 0; c < 4; c++) balls[at + c] = ball[c];
      balls[at + 3] *= 1 + TOUCH;
    });
    return true;
  }

  /** Balls that cover nothing of their own take half of the costliest. */
  useIdle(): void {
    const { balls } = this;
    for (let idle = 0; idle < balls.length; idle += 4) {
      if (balls[idle + 3] > 0) continue;
      const costs = this.ownCosts();
      const worst = costs.indexOf(Math.max(...costs));
      if (worst < 0 || !this.splitInto(4 * worst, idle)) return;
      this.refine(1, 0.05);
    }
  }

  /** Up to `tries` times: the ball that is missed least leaves its points to the others and takes half of the costliest. */
  relocate(tries: number): void {
    const { balls } = this;
    const count = balls.length / 4;
    if (count < 3) return;
    let cost = this.totalCost();
    const passed = new Set<number>();
    for (let t = 0; t < tries; t++) {
      const owns = Array.from({ length: count }, (_, i) => (passed.has(i) ? Infinity : this.lossWithout(4 * i)));
      const least = Math.min(...owns);
      if (!(least < Infinity)) return;
      const donor = owns.indexOf(least);
      const before = balls.slice();
      const points = this.ownPoints(4 * donor);
      balls[4 * donor + 3] = 0;
      this.adoptEach(points);
      const costs = this.ownCosts();
      const worst = costs.indexOf(Math.max(...costs));
      if (this.splitInto(4 * worst, 4 * donor)) this.refine(3, 0.03);
      const next = this.totalCost();
      if (next < 0.995 * cost) {
        cost = next;
        passed.clear();
        continue;
      }
      for (let k = 0; k < before.length; k++) balls[k] = before[k];
      passed.add(donor);
    }
  }

  /** How much volume others would grow by to take over the points of ball `i`, roughly. */
  private lossWithout(i: number): number {
    const { balls } = this;
    const { points } = this.problem;
    const growth = new Map<number, number>();
    for (const p of this.ownPoints(i)) {
      const [j, d] = this.nearestBall(p, i);
      if (j >= 0) growth.set(j, Math.max(growth.get(j) ?? 0, d));
    }
    let sum = 0;
    for (const [j, d] of growth) sum += Math.max(0, d ** 3 - balls[j + 3] ** 3);
    return points.length > 0 ? sum - balls[i + 3] ** 3 : 0;
  }

  /** What each ball adds to the others. */
  ownCosts(): number[] {
    const { balls } = this;
    const out: number[] = [];
    for (let i = 0; i < balls.length; i += 4) {
      const [x, y, z, r] = balls.slice(i, i + 4);
      if (r <= 0) {
        out.push(0);
        continue;
      }
      const count = this.measureOthers(i, -1, x, y, z, r + this.problem.spacing);
      out.push(this.addedCost(x, y, z, r, count));
    }
    return out;
  }

  /** Uncovered points join the ball that has to grow the least in volume for them. */
  adopt(from: number): void {
    const items: number[] = [];
    for (let p = from; p < this.problem.points.length; p += 3) items.push(p);
    this.adoptEach(items);
  }

  private adoptEach(items: readonly number[]): void {
    const { balls } = this;
    for (const p of items) {
      const [j, d] = this.nearestBall(p, -1);
      if (j >= 0 && d > balls[j + 3]) balls[j + 3] = d * (1 + TOUCH);
    }
  }

  /** The ball that has to grow the least in volume to reach a point, and how far its centre is. */
  private nearestBall(p: number, except: number): readonly [number, number] {
    const { balls } = this;
    const { points } = this.problem;
    let best = -1;
    let least = Infinity;
    let distance = 0;
    for (let j = 0; j < balls.length; j += 4) {
      if (balls[j + 3] <= 0 || j === except) continue;
      const d = hypot(points[p] - balls[j], points[p + 1] - balls[j + 1], points[p + 2] - balls[j + 2]);
      const growth = (d - balls[j + 3]) * d * d;
      if (growth >= least) continue;
      least = growth;
      best = j;
      distance = d;
    }
    return [best, distance];
  }
}

/** Share of a lattice cell that a ball takes: 1 well inside, 0 well outside. */
function shareOf(
  x: number,
  y: number,
  z: number,
  r: number,
  outside: Float64Array,
  at: number,
  spacing: number,
): number {
  const dx = outside[at] - x;
  const dy = outside[at + 1] - y;
  const dz = outside[at + 2] - z;
  const square = dx * dx + dy * dy + dz * dz;
  const far = r + 0.5 * spacing;
  if (square >= far * far) return 0;
  const near = r - 0.5 * spacing;
  if (near > 0 && square <= near * near) return 1;
  return Math.min(1, Math.max(0, (far - Math.sqrt(square)) / spacing));
}

/** In two halves by number, across the direction of the largest spread (power iteration on the covariance). */
function cutAcross(points: readonly number[], items: readonly number[]): [number[], number[]] {
  const mean = [0, 0, 0];
  for (const p of items) for (let k = 0; k < 3; k++) mean[k] += points[p + k] / items.length;
  const c = new Float64Array(9);
  for (const p of items)
    for (let a = 0; a < 3; a++)
      for (let b = 0; b < 3; b++) c[3 * a + b] += (points[p + a] - mean[a]) * (points[p + b] - mean[b]);
  let v = [1, 0.9, 0.8];
  for (let step = 0; step < 30; step++) {
    const w = [0, 1, 2].map((a) => c[3 * a] * v[0] + c[3 * a + 1] * v[1] + c[3 * a + 2] * v[2]);
    const length = hypot(w[0], w[1], w[2]);
    if (!(length > 0)) break;
    v = w.map((x) => x / length);
  }
  const heights = items.map((p) => points[p] * v[0] + points[p + 1] * v[1] + points[p + 2] * v[2]);
  const [low, high] = heights.reduce(([a, b], h) => [Math.min(a, h), Math.max(b, h)], [Infinity, -Infinity]);
  const middle = 0.5 * (low + high);
  return [items.filter((_, i) => heights[i] <= middle), items.filter((_, i) => heights[i] > middle)];
}
