/**
 * The smallest ball around points.
 *
 * Method: the ball of at most four rim points is grown: the point farthest from its centre joins them, and the smallest ball around
 * these five is found by trying which of them are on its rim. Each step makes the ball larger, so no rim comes twice.
 * Source: Gaertner 1999, "Fast and robust smallest enclosing balls" (pivoting), doi:10.1007/3-540-48481-7_29.
 * Cost: a pass over the points for each of some ten steps. The radius is that of the farthest point from the centre, so rounding
 * leaves none out. Checked by fit-spheres.test.ts.
 */
import { hypot } from '../../math/scalar.js';

/** Rim points nearer to a common plane or line than this, relatively, fix nothing. */
const FLAT = 1e-12;
const MOST_STEPS = 200;

/** x, y, z, radius of the ball around the points with offsets `items` in `points`; radius 0 about the origin of none. */
export function encloseBall(points: ArrayLike<number>, items: readonly number[]): [number, number, number, number] {
  const center: [number, number, number] = [0, 0, 0];
  if (items.length === 0) return [0, 0, 0, 0];
  for (const i of items) for (let k = 0; k < 3; k++) center[k] += points[i + k] / items.length;
  let rim: number[] = [];
  let reach = -1;
  for (let step = 0; step < MOST_STEPS; step++) {
    let far = -1;
    let most = -1;
    for (const i of items) {
      const d = hypot(points[i] - center[0], points[i + 1] - center[1], points[i + 2] - center[2]);
      if (d > most) {
        most = d;
        far = i;
      }
    }
    if (most <= reach * (1 + 1e-13) || rim.includes(far)) break;
    const next = ballOfRim(points, [...rim, far]);
    if (next.radius <= reach) break;
    rim = next.rim;
    reach = next.radius;
    for (let k = 0; k < 3; k++) center[k] = next.center[k];
  }
  let radius = 0;
  for (const i of items)
    radius = Math.max(radius, hypot(points[i] - center[0], points[i + 1] - center[1], points[i + 2] - center[2]));
  return [...center, radius];
}

interface RimBall {
  readonly center: readonly number[];
  readonly radius: number;
  readonly rim: number[];
}

/** The smallest ball around up to five points, by trying which of them are on its rim. */
function ballOfRim(points: ArrayLike<number>, all: readonly number[]): RimBall {
  let best: RimBall | null = null;
  // The last point was outside the ball of the others: it is on the rim.
  const last = 1 << (all.length - 1);
  for (let mask = last; mask < 2 * last; mask++) {
    let count = 0;
    for (let i = 0; i < all.length; i++) if (mask & (1 << i)) tried[count++] = all[i];
    if (count > 4 || !circumcenter(points, count)) continue;
    const [x, y, z] = [middle[0], middle[1], middle[2]];
    const most = best ? best.radius * (1 - 1e-14) : Infinity;
    let radius = 0;
    for (let n = all.length - 1; n >= 0 && radius < most; n--) {
      const i = all[n];
      radius = Math.max(radius, hypot(points[i] - x, points[i + 1] - y, points[i + 2] - z));
    }
    if (!best || radius < most) best = { center: [x, y, z], radius, rim: Array.from(tried.subarray(0, count)) };
  }
  return best!;
}

/** Offsets of the points on the rim that is tried, and what `circumcenter` finds. */
const tried = new Int32Array(5);
const middle = new Float64Array(3);
const edges = new Float64Array(9);
const rows = new Float64Array(12);

/** `middle` becomes the point of the rim's plane, line or space that is equally far from all; false where there is none. */
function circumcenter(points: ArrayLike<number>, count: number): boolean {
  const n = count - 1;
  const first = tried[0];
  for (let i = 0; i < n; i++)
    for (let k = 0; k < 3; k++) edges[3 * i + k] = points[tried[i + 1] + k] - points[first + k];
  // Gram matrix G, G w = diagonal / 2, center = o + sum w_i e_i.
  let longest = -Infinity;
  for (let i = 0; i < n; i++) {
    const [x, y, z] = [edges[3 * i], edges[3 * i + 1], edges[3 * i + 2]];
    for (let j = 0; j < n; j++) rows[4 * i + j] = x * edges[3 * j] + y * edges[3 * j + 1] + z * edges[3 * j + 2];
    const square = x ** 2 + y ** 2 + z ** 2;
    rows[4 * i + n] = 0.5 * square;
    longest = Math.max(longest, square);
  }
  for (let i = 0; i < n; i++) {
    let pivot = i;
    for (let r = i + 1; r < n; r++) if (Math.abs(rows[4 * r + i]) > Math.abs(rows[4 * pivot + i])) pivot = r;
    for (let c = 0; pivot !== i && c <= n; c++) {
      const kept = rows[4 * i + c];
      rows[4 * i + c] = rows[4 * pivot + c];
      rows[4 * pivot + c] = kept;
    }
    if (!(Math.abs(rows[4 * i + i]) > FLAT * longest)) return false;
    for (let r = 0; r < n; r++) {
      if (r === i) continue;
      const factor = rows[4 * r + i] / rows[4 * i + i];
      for (let c = i; c <= n; c++) rows[4 * r + c] -= factor * rows[4 * i + c];
    }
  }
  for (let k = 0; k < 3; k++) {
    middle[k] = points[first + k];
    for (let i = 0; i < n; i++) middle[k] += (rows[4 * i + n] / rows[4 * i + i]) * edges[3 * i + k];
  }
  return true;
}
