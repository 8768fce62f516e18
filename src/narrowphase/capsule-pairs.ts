/**
 * Two capsules in closed form: the closest points of their axes, minus the radii.
 *
 * In A's frame its axis is z itself, so that of the closest points of the two lines B's follows from the plane x-y alone; a
 * parameter beyond its axis' end is set there and the other one follows.
 * Where the axes cross or nearly do, the difference of their closest points is noise: of the common perpendicular, that
 * difference made perpendicular, and any perpendicular where the axes lie on one line, the one along which they overlap
 * least is the normal. The axes' difference is flat, so the depth is the sum of the radii minus the axes' distance.
 * Source: Ericson 2005, section 5.1.9. Frames: W world; A's frame inside. Cost: about 40 ns.
 * Checked by test/contract/shape-pairs.test.ts.
 */
import type { Transform } from '../math/transform.js';
import { clampToHalf, decideTouching } from './closed-answer.js';
import type { Collider } from './collider.js';
import type { DistanceResult } from './query.js';

const axisA = new Float64Array(6);
const axisB = new Float64Array(6);
const closest = new Float64Array(6);
/** Unit normal in A's frame, and the axes' gap along it. */
const direction = new Float64Array(4);
let most = 0;
/** Part of the pair's extent below which the difference of two interior points has no reliable direction. */
const NOISY_GAP = 1e-6;
/** Multiples of an axis' length beyond which rounding of the sum with it is felt: lines that are close to parallel. */
const FAR = 16;
/** Part of the pair's extent within which such a clamp may miss an end. */
const END = 1e-14;
/** Sine below which axes count as parallel. */
const PARALLEL = 1e-8;

function snapToEnd(x: number, half: number, extent: number): number {
  if (half - Math.abs(x) > END * extent) return x;
  return x < 0 ? -half : half;
}

function isEnd(axis: Float64Array, at: number): boolean {
  const x = closest[at];
  const y = closest[at + 1];
  const z = closest[at + 2];
  return (x === axis[0] && y === axis[1] && z === axis[2]) || (x === axis[3] && y === axis[4] && z === axis[5]);
}

/**
 * Gap of the axes along n less what they stick out past their closest points along it: the most is the distance of the axes,
 * and right for axes that touch, where 0 is.
 */
function valueAlong(x: number, y: number, z: number): number {
  const p = closest[0] * x + closest[1] * y + closest[2] * z;
  const q = closest[3] * x + closest[4] * y + closest[5] * z;
  let mostA = p;
  let leastB = q;
  for (let end = 0; end < 6; end += 3) {
    mostA = Math.max(mostA, axisA[end] * x + axisA[end + 1] * y + axisA[end + 2] * z);
    leastB = Math.min(leastB, axisB[end] * x + axisB[end + 1] * y + axisB[end + 2] * z);
  }
  return leastB - mostA;
}

function offer(x: number, y: number, z: number): void {
  const norm = Math.sqrt(x * x + y * y + z * z);
  if (norm === 0) return;
  const value = valueAlong(x / norm, y / norm, z / norm);
  if (value <= most) return;
  most = value;
  direction[0] = x / norm;
  direction[1] = y / norm;
  direction[2] = z / norm;
}

/** The normal of axes that touch or cross, to `direction`: the best of those that their closest points can have. */
function findDirection(lengthA: number, lengthB: number, bx: number, by: number, bz: number): void {
  most = -Infinity;
  const dx = closest[3] - closest[0];
  const dy = closest[4] - closest[1];
  const dz = closest[5] - closest[2];
  // Across both axes.
  if (lengthA > 0 && lengthB > 0 && Math.sqrt(bx * bx + by * by) > PARALLEL) {
    const sign = by * dx - bx * dy < 0 ? -1 : 1;
    offer(sign * by, -sign * bx, 0);
  }
  // The difference, across the axis whose inside it starts or ends at, so that its noise along that does not count.
  if (isEnd(axisA, 0) && isEnd(axisB, 3)) offer(dx, dy, dz);
  offer(dx, dy, 0);
  const along = dx * bx + dy * by + dz * bz;
  offer(dx - along * bx, dy - along * by, dz - along * bz);
  // Axes on one line, or of no length: anything across the longer one.
  if (lengthA >= lengthB) offer(1, 0, 0);
  else if (Math.abs(bx) < 0.6) offer(1 - bx * bx, -bx * by, -bx * bz);
  else offer(-by * bx, 1 - by * by, -by * bz);
  direction[3] = direction[0] * dx + direction[1] * dy + direction[2] * dz;
}

/** Writes the answer; false when the verdict is in doubt. */
export function measureCapsulePair(
  out: DistanceResult,
  a: Collider,
  X_WA: Transform,
  b: Collider,
  X_WB: Transform,
): boolean {
  const sizesA = a.sizes;
  const sizesB = b.sizes;
  const lengthA = sizesA[2];
  const lengthB = sizesB[2];
  const r0 = X_WA[0];
  const r1 = X_WA[1];
  const r2 = X_WA[2];
  const r3 = X_WA[3];
  const r4 = X_WA[4];
  const r5 = X_WA[5];
  const r6 = X_WA[6];
  const r7 = X_WA[7];
  const r8 = X_WA[8];
  const wx = X_WB[2];
  const wy = X_WB[5];
  const wz = X_WB[8];
  const ax = X_WA[9];
  const ay = X_WA[10];
  const az = X_WA[11];
  const cx = X_WB[9];
  const cy = X_WB[10];
  const cz = X_WB[11];
  const px = cx - ax;
  const py = cy - ay;
  const pz = cz - az;
  // B's middle and axis in A's frame.
  const qx = r0 * px + r3 * py + r6 * pz;
  const qy = r1 * px + r4 * py + r7 * pz;
  const qz = r2 * px + r5 * py + r8 * pz;
  const bx = r0 * wx + r3 * wy + r6 * wz;
  const by = r1 * wx + r4 * wy + r7 * wz;
  const bz = r2 * wx + r5 * wy + r8 * wz;
  const across = bx * bx + by * by;
  const along = qx * bx + qy * by;
  // Point s on A's axis, t on B's: where the lines are closest, then each the closest to the other. What is inside stays as it is.
  const nearest = across > 0 ? qz - (along / across) * bz : qz;
  let s =
    Math.abs(nearest) < FAR * lengthA ? clampToHalf(nearest, lengthA) : Math.min(lengthA, Math.max(-lengthA, nearest));
  let t = clampToHalf((s - qz) * bz - along, lengthB);
  s = clampToHalf(qz + t * bz, lengthA);
  let ex = qx + t * bx;
  let ey = qy + t * by;
  let ez = qz + t * bz;
  let dz = ez - s;
  let gap = Math.sqrt(ex * ex + ey * ey + dz * dz);
  const isNoisy = !(gap > NOISY_GAP * (lengthA + lengthB));
  if (isNoisy) {
    s = snapToEnd(s, lengthA, lengthA + lengthB);
    t = snapToEnd(t, lengthB, lengthA + lengthB);
    ex = qx + t * bx;
    ey = qy + t * by;
    ez = qz + t * bz;
    dz = ez - s;
    axisA[2] = -lengthA;
    axisA[5] = lengthA;
    axisB[0] = qx - lengthB * bx;
    axisB[1] = qy - lengthB * by;
    axisB[2] = qz - lengthB * bz;
    axisB[3] = qx + lengthB * bx;
    axisB[4] = qy + lengthB * by;
    axisB[5] = qz + lengthB * bz;
    closest[0] = 0;
    closest[1] = 0;
    closest[2] = s;
    closest[3] = ex;
    closest[4] = ey;
    closest[5] = ez;
    findDirection(lengthA, lengthB, bx, by, bz);
    gap = direction[3];
  }
  const radius = sizesA[3];
  const distance = gap - radius - sizesB[3];
  // Numbers that the answer does not depend on, or may come not to, count where they are not finite.
  const rest =
    r0 * r1 +
    r2 * r3 +
    r4 * r5 +
    (r6 * r7 + r8 * X_WB[0] + X_WB[1] * X_WB[3]) +
    (X_WB[4] * X_WB[6] + X_WB[7] * wx + wy * wz);
  const extent = sizesA[4] + sizesB[4];
  const size =
    4 * extent * extent + (ax * ax + ay * ay + az * az) + (cx * cx + cy * cy + cz * cz) + 0 * (rest + distance);
  const scale = 1 / gap;
  const nx = isNoisy ? direction[0] : ex * scale;
  const ny = isNoisy ? direction[1] : ey * scale;
  const nz = isNoisy ? direction[2] : dz * scale;
  const x = r0 * nx + r1 * ny + r2 * nz;
  const y = r3 * nx + r4 * ny + r5 * nz;
  const z = r6 * nx + r7 * ny + r8 * nz;
  const ux = ax + s * r2 + radius * x;
  const uy = ay + s * r5 + radius * y;
  const uz = az + s * r8 + radius * z;
  const { pointA, pointB, normal } = out;
  out.status = 'ok';
  out.distance = distance;
  out.featureA = -1;
  out.featureB = -1;
  out.childA = -1;
  out.childB = -1;
  normal[0] = x;
  normal[1] = y;
  normal[2] = z;
  pointA[0] = ux;
  pointA[1] = uy;
  pointA[2] = uz;
  pointB[0] = ux + distance * x;
  pointB[1] = uy + distance * y;
  pointB[2] = uz + distance * z;
  return decideTouching(out, distance, size);
}
