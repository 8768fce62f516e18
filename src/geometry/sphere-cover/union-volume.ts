/**
 * The volume of a union of balls.
 *
 * Method: in a plane of constant z the balls are discs, the area of whose union is a sum over the free arcs of its rim (Green's
 * theorem). Between heights where discs come, go or are largest, or the circles of two spheres begin and end, the area is integrated by Gauss and Legendre's rule with twelve points.
 * The areas are Green's theorem; the rest is ours.
 * Units: cubed. Accuracy: about 1e-5 relative, since areas are smooth but for the heights where three spheres meet. Cost: balls
 * cubed times 20 flops. Checked by fit-spheres.test.ts.
 */

import { atan2, cos, hypot, sin } from '../../math/scalar.js';
import { requireSpheres } from '../sphere-proof/verify-spheres.js';

/** Positive nodes and weights of Gauss and Legendre's rule with twelve points on [-1, 1]. */
const NODES = [
  0.1252334085114689, 0.3678314989981802, 0.5873179542866175, 0.7699026741943047, 0.9041172563704749,
  0.9815606342467192,
];
const WEIGHTS = [
  0.2491470458134028, 0.2334925365383548, 0.2031674267230659, 0.1600783285433462, 0.1069393259953184,
  0.0471753363865118,
];

/** Volume of the union of `spheres`: x, y, z, radius each. Throws MisuseError for what are none. */
export function unionVolume(spheres: ArrayLike<number>): number {
  requireSpheres('unionVolume', 'spheres', spheres);
  const balls = spheres;
  const heights: number[] = [];
  for (let i = 0; i < balls.length; i += 4)
    heights.push(balls[i + 2] - balls[i + 3], balls[i + 2], balls[i + 2] + balls[i + 3]);
  for (let i = 0; i < balls.length; i += 4) for (let k = 0; k < i; k += 4) pushMeeting(heights, balls, i, k);
  heights.sort((a, b) => a - b);
  let volume = 0;
  for (let i = 1; i < heights.length; i++) {
    const [low, high] = [heights[i - 1], heights[i]];
    const half = 0.5 * (high - low);
    if (half <= 0) continue;
    const middle = 0.5 * (low + high);
    let sum = 0;
    for (let k = 0; k < NODES.length; k++)
      sum += WEIGHTS[k] * (sliceArea(balls, middle - half * NODES[k]) + sliceArea(balls, middle + half * NODES[k]));
    volume += half * sum;
  }
  return volume;
}

/** The lowest and the highest point of the circle in which two spheres meet: there discs begin to overlap, or one to hold the other. */
function pushMeeting(heights: number[], balls: ArrayLike<number>, i: number, k: number): void {
  const [x, y, z] = [balls[k] - balls[i], balls[k + 1] - balls[i + 1], balls[k + 2] - balls[i + 2]];
  const [r, s] = [balls[i + 3], balls[k + 3]];
  const d = hypot(x, y, z);
  if (!(d > 0 && d < r + s && d > Math.abs(r - s))) return;
  const along = (d * d + r * r - s * s) / (2 * d);
  const radius = Math.sqrt(Math.max(r * r - along * along, 0));
  const middle = balls[i + 2] + (along * z) / d;
  const reach = (radius * hypot(x, y)) / d;
  heights.push(middle - reach, middle + reach);
}

/** Area of the union of the discs that the balls are at height z. */
function sliceArea(balls: ArrayLike<number>, z: number): number {
  const discs: number[] = [];
  for (let i = 0; i < balls.length; i += 4) {
    const d = z - balls[i + 2];
    const square = balls[i + 3] * balls[i + 3] - d * d;
    if (square > 0) discs.push(balls[i], balls[i + 1], Math.sqrt(square));
  }
  let area = 0;
  for (let i = 0; i < discs.length; i += 3) area += rimArea(discs, i);
  return area;
}

/** Part of the integral of (x dy - y dx) / 2 along the rim of the union that disc i has. */
function rimArea(discs: readonly number[], i: number): number {
  const [x, y, r] = [discs[i], discs[i + 1], discs[i + 2]];
  const turn = 2 * Math.PI;
  const covered: [number, number][] = [];
  for (let j = 0; j < discs.length; j += 3) {
    if (j === i) continue;
    const [dx, dy] = [discs[j] - x, discs[j + 1] - y];
    const d = hypot(dx, dy);
    const other = discs[j + 2];
    if (d >= r + other || d + other <= r) {
      // Apart, or inside this one; of two equal discs the first counts.
      if (!(d === 0 && other === r && j < i)) continue;
      return 0;
    }
    if (d + r <= other) return 0;
    const c = (d * d + r * r - other * other) / (2 * d);
    const half = atan2(Math.sqrt(Math.max(0, (r - c) * (r + c))), c);
    let start = atan2(dy, dx) - half;
    if (start < 0) start += turn;
    covered.push([start, start + 2 * half]);
  }
  if (covered.length === 0) return Math.PI * r * r;
  covered.sort((p, q) => p[0] - q[0]);
  const free: [number, number][] = [];
  let end = covered[0][1];
  for (const [from, to] of covered) {
    if (from > end) free.push([end, from]);
    end = Math.max(end, to);
  }
  if (covered[0][0] + turn > end) free.push([end, covered[0][0] + turn]);
  let sum = 0;
  for (const [a, b] of free) sum += 0.5 * (r * r * (b - a) + r * x * (sin(b) - sin(a)) - r * y * (cos(b) - cos(a)));
  return sum;
}
