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
    const rim: number[] = [];
    for (let i = 0; i < all.length; i++) if (mask & (1 << i)) rim.push(all[i]);
    if (rim.length > 4) continue;
    const center = circumcenter(points, rim);
    if (!center) continue;
    const [x, y, z] = center;
    const most = best ? best.radius * (1 - 1e-14) : Infinity;
    let radius = 0;
    for (let n = all.length - 1; n >= 0 && radius < most; n--) {
      const i = all[n];
      radius = Math.max(radius, hypot(points[i] - x, points[i + 1] - y, points[i + 2] - z));
    }
    if (!best || radius < most) best = { center, radius, rim };
  }
  return best!;
}

/** The point of the rim's plane, line or space that is equally far from all; null where there is none. */
function circumcenter(points: ArrayLike<number>, rim: readonly number[]): readonly number[] | null {
  const o = [points[rim[0]], points[rim[0] + 1], points[rim[0] + 2]];
  const edges = rim.slice(1).map((i) => [points[i] - o[0], points[i + 1] - o[1], points[i + 2] - o[2]]);
  const n = edges.length;
  // Gram matrix G, G w = diagonal / 2, center = o + sum w_i e_i.
  const rows = edges.map((e, i) => [
    ...edges.map((f) => e[0] * f[0] + e[1] * f[1] + e[2] * f[2]),
    0.5 * (edges[i][0] ** 2 + edges[i][1] ** 2 + edges[i][2] ** 2),
  ]);
  for (let i = 0; i < n; i++) {
    let pivot = i;
    for (let r = i + 1; r < n; r++) if (Math.abs(rows[r][i]) > Math.abs(rows[pivot][i])) pivot = r;
    [rows[i], rows[pivot]] = [rows[pivot], rows[i]];
    if (!(Math.abs(rows[i][i]) > FLAT * Math.max(...edges.map((e) => e[0] ** 2 + e[1] ** 2 + e[2] ** 2)))) return null;
    for (let r = 0; r < n; r++) {
      if (r === i) continue;
      const factor = rows[r][i] / rows[i][i];
      for (let c = i; c <= n; c++) rows[r][c] -= factor * rows[i][c];
    }
  }
  const out = [...o];
  for (let i = 0; i < n; i++) for (let k = 0; k < 3; k++) out[k] += (rows[i][n] / rows[i][i]) * edges[i][k];
  return out;
}
