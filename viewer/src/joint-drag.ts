/**
 * How far a pointer that holds a point of a link turns or shifts the joint that the link hangs on.
 *
 * Method: the pointer's ray is met with the plane in which the point moves; the joint takes the point to the angle of where they meet. Where
 * that plane is seen from its edge, the ray is met with the plane through the point that faces the viewer, and the way along the point's
 * own direction of motion counts. A sliding joint takes the point to where its line is nearest to the ray.
 * World frame, metres, radians. Test: joint-drag.test.ts.
 */
import { atan2, hypot } from 'clearance/math';
import type { SceneRay } from 'clearance/scene';

type Triple = readonly [number, number, number];

export interface HeldJoint {
  readonly motion: 'rotation' | 'translation';
  /** A point of the axis, and its unit direction. */
  readonly origin: Triple;
  readonly axis: Triple;
  /** Where the link was taken. */
  readonly point: Triple;
}

/** A plane seen under less than this is seen from its edge: cosine to its normal. */
const EDGE = 0.25;

/** Of the joint's coordinate, from where the point was taken; 0 where the pointer says nothing. */
export function dragJoint({ motion, origin, axis, point }: HeldJoint, ray: SceneRay): number {
  const direction = scale(ray.direction as Triple, 1 / length(ray.direction as Triple));
  const toPoint = subtract(point, ray.origin as Triple);
  const facing = dot(axis, direction);
  if (motion === 'translation') {
    // Of all points of the line through the point along the axis, the one nearest to the ray.
    const square = 1 - facing * facing;
    if (square < 1e-3) return 0;
    return (facing * dot(toPoint, direction) - dot(toPoint, axis)) / square;
  }
  const lever = reject(subtract(point, origin), axis);
  const radius = length(lever);
  if (radius < 1e-9) return 0;
  if (Math.abs(facing) > EDGE) {
    const t = dot(toPoint, axis) / facing;
    if (t <= 0) return 0;
    const met = reject(subtract(add(ray.origin as Triple, scale(direction, t)), origin), axis);
    return atan2(dot(cross(lever, met), axis), dot(lever, met));
  }
  const tangent = scale(cross(axis, lever), 1 / radius);
  const met = add(ray.origin as Triple, scale(direction, dot(toPoint, direction)));
  return dot(subtract(met, point), tangent) / radius;
}

const dot = (a: Triple, b: Triple): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const length = (a: Triple): number => hypot(a[0], a[1], a[2]);
const add = (a: Triple, b: Triple): Triple => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const subtract = (a: Triple, b: Triple): Triple => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scale = (a: Triple, by: number): Triple => [by * a[0], by * a[1], by * a[2]];
const reject = (a: Triple, axis: Triple): Triple => subtract(a, scale(axis, dot(a, axis)));
const cross = (a: Triple, b: Triple): Triple => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
