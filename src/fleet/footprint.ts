/**
 * What fleets collide with: upright bodies, a footprint in the plane over a span of heights, balls, and shapes of every kind.
 *
 *   disc    radius, height    around the body's own z axis, from z to z + height
 *   box     size x, y, z      centred in x and y, turned by the yaw, from z to z + size z
 *   sphere  radius            centred at z
 *   solid   any shape         at any transform, compared by the narrow phase in all axes (solid-bodies.ts)
 *
 * A row of numbers per body: kind, half extent x, half extent y, lower and upper end relative to z, radius around the axis (what holds the
 * footprint at every yaw). Units: metres, radians. Tested by fleet-world.test.ts against brute force.
 */

import type { Shape } from '../geometry/shapes.js';
import { requireNumbers, requireObject, requirePositiveNumber, throwMisuse } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { cos, sin } from '../math/scalar.js';

export type FleetShape =
  | { readonly type: 'disc'; readonly radius: number; readonly height?: number }
  | { readonly type: 'box'; readonly size: readonly [number, number, number] }
  | { readonly type: 'sphere'; readonly radius: number }
  /** Bodies of one shape object share what is prepared for it. */
  | { readonly type: 'solid'; readonly shape: Shape };

export const SHAPE_STRIDE = 6;
export const DISC = 0;
export const BOX = 1;
export const SPHERE = 2;
export const SOLID = 3;
export const BOX_STRIDE = 6;

/** Height of a disc that names none. */
const HEIGHT = 1;

export function writeShape(out: Float64Array, o: number, call: string, shape: FleetShape): void {
  requireObject(call, 'shape', shape);
  const write = (kind: number, x: number, y: number, low: number, high: number, around: number) => {
    out[o] = kind;
    out[o + 1] = x;
    out[o + 2] = y;
    out[o + 3] = low;
    out[o + 4] = high;
    out[o + 5] = around;
  };
  switch (shape.type) {
    case 'disc': {
      requirePositiveNumber(call, 'shape.radius', shape.radius);
      if (shape.height !== undefined) requirePositiveNumber(call, 'shape.height', shape.height);
      write(DISC, shape.radius, shape.radius, 0, shape.height ?? HEIGHT, shape.radius);
      return;
    }
    case 'sphere':
      requirePositiveNumber(call, 'shape.radius', shape.radius);
      write(SPHERE, shape.radius, shape.radius, -shape.radius, shape.radius, shape.radius);
      return;
    case 'box': {
      requireNumbers(call, 'shape.size', shape.size, 3);
      if (!shape.size.every((side) => side > 0))
        throw new MisuseError(`${call}: shape.size, got [${shape.size.join(', ')}], expected three positive numbers`);
      const [x, y, z] = [shape.size[0] / 2, shape.size[1] / 2, shape.size[2]];
      write(BOX, x, y, 0, z, Math.sqrt(x * x + y * y));
      return;
    }
    case 'solid':
      // Its numbers are those of its collider: see solid-bodies.ts.
      requireObject(call, 'shape.shape', shape.shape, 'a shape');
      write(SOLID, 0, 0, 0, 0, 0);
      return;
    default:
      throwMisuse(call, 'shape.type', (shape as { type: unknown }).type, "'disc', 'box', 'sphere' or 'solid'");
  }
}

/** Whether two bodies touch: in the plane alone, or in all three axes. Rows of `shapes`; poses x, y, z, yaw with cosine and sine. */
export function bodiesTouch(
  shapes: Float64Array,
  poses: Float64Array,
  a: number,
  b: number,
  planeOnly: boolean,
): boolean {
  const s = a * SHAPE_STRIDE;
  const t = b * SHAPE_STRIDE;
  const p = a * POSE_STRIDE;
  const q = b * POSE_STRIDE;
  const kindA = shapes[s];
  const kindB = shapes[t];
  if (!planeOnly) {
    if (kindA === SPHERE || kindB === SPHERE)
      return ballTouches(shapes, poses, kindA === SPHERE ? a : b, kindA === SPHERE ? b : a);
    if (poses[p + 2] + shapes[s + 3] > poses[q + 2] + shapes[t + 4]) return false;
    if (poses[q + 2] + shapes[t + 3] > poses[p + 2] + shapes[s + 4]) return false;
  }
  const dx = poses[q] - poses[p];
  const dy = poses[q + 1] - poses[p + 1];
  if (kindA !== BOX && kindB !== BOX) {
    const r = shapes[s + 1] + shapes[t + 1];
    return dx * dx + dy * dy <= r * r;
  }
  if (kindA !== BOX) return squaredGap(shapes, poses, b, -dx, -dy) <= shapes[s + 1] * shapes[s + 1];
  if (kindB !== BOX) return squaredGap(shapes, poses, a, dx, dy) <= shapes[t + 1] * shapes[t + 1];
  return boxesTouch(shapes, poses, a, b, dx, dy);
}

export const POSE_STRIDE = 6;

/** Squared distance in the plane from the rectangle of `box` to a point dx, dy from its centre. */
function squaredGap(shapes: Float64Array, poses: Float64Array, box: number, dx: number, dy: number): number {
  const c = poses[box * POSE_STRIDE + 4];
  const n = poses[box * POSE_STRIDE + 5];
  const x = Math.max(0, Math.abs(c * dx + n * dy) - shapes[box * SHAPE_STRIDE + 1]);
  const y = Math.max(0, Math.abs(c * dy - n * dx) - shapes[box * SHAPE_STRIDE + 2]);
  return x * x + y * y;
}

/** A ball against another, an upright cylinder or an upright box. */
function ballTouches(shapes: Float64Array, poses: Float64Array, ball: number, other: number): boolean {
  const s = ball * SHAPE_STRIDE;
  const t = other * SHAPE_STRIDE;
  const p = ball * POSE_STRIDE;
  const q = other * POSE_STRIDE;
  const r = shapes[s + 1];
  const dx = poses[p] - poses[q];
  const dy = poses[p + 1] - poses[q + 1];
  const dz = poses[p + 2] - poses[q + 2];
  if (shapes[t] === SPHERE) {
    const sum = r + shapes[t + 1];
    return dx * dx + dy * dy + dz * dz <= sum * sum;
  }
  const z = Math.max(0, shapes[t + 3] - dz, dz - shapes[t + 4]);
  if (shapes[t] === BOX) return squaredGap(shapes, poses, other, dx, dy) + z * z <= r * r;
  const away = Math.max(0, Math.sqrt(dx * dx + dy * dy) - shapes[t + 1]);
  return away * away + z * z <= r * r;
}

/** Separating axes of two rectangles. */
function boxesTouch(shapes: Float64Array, poses: Float64Array, a: number, b: number, dx: number, dy: number): boolean {
  const s = a * SHAPE_STRIDE;
  const t = b * SHAPE_STRIDE;
  const ca = poses[a * POSE_STRIDE + 4];
  const na = poses[a * POSE_STRIDE + 5];
  const cb = poses[b * POSE_STRIDE + 4];
  const nb = poses[b * POSE_STRIDE + 5];
  const cos = Math.abs(ca * cb + na * nb);
  const sin = Math.abs(ca * nb - na * cb);
  return (
    Math.abs(ca * dx + na * dy) <= shapes[s + 1] + shapes[t + 1] * cos + shapes[t + 2] * sin &&
    Math.abs(ca * dy - na * dx) <= shapes[s + 2] + shapes[t + 1] * sin + shapes[t + 2] * cos &&
    Math.abs(cb * dx + nb * dy) <= shapes[t + 1] + shapes[s + 1] * cos + shapes[s + 2] * sin &&
    Math.abs(cb * dy - nb * dx) <= shapes[t + 2] + shapes[s + 1] * sin + shapes[s + 2] * cos
  );
}

/** Bounds of an upright body or a ball where it is now. */
export function writeFootprintBox(boxes: Float64Array, shapes: Float64Array, poses: Float64Array, id: number): void {
  const o = id * BOX_STRIDE;
  const s = id * SHAPE_STRIDE;
  const p = id * POSE_STRIDE;
  let x = shapes[s + 1];
  let y = shapes[s + 2];
  if (shapes[s] === BOX) {
    const c = Math.abs(poses[p + 4]);
    const n = Math.abs(poses[p + 5]);
    const slack = 1 + 1e-15;
    [x, y] = [(c * x + n * y) * slack, (n * x + c * y) * slack];
  }
  boxes[o] = poses[p] - x;
  boxes[o + 1] = poses[p + 1] - y;
  boxes[o + 2] = poses[p + 2] + shapes[s + 3];
  boxes[o + 3] = poses[p] + x;
  boxes[o + 4] = poses[p + 1] + y;
  boxes[o + 5] = poses[p + 2] + shapes[s + 4];
}

export function writeFootprintPose(
  poses: Float64Array,
  id: number,
  x: number,
  y: number,
  z: number,
  yaw: number,
): void {
  const o = id * POSE_STRIDE;
  poses[o] = x;
  poses[o + 1] = y;
  poses[o + 2] = z;
  if (poses[o + 3] === yaw && poses[o + 4] !== 0) return;
  poses[o + 3] = yaw;
  poses[o + 4] = cos(yaw);
  poses[o + 5] = sin(yaw);
}
