/**
 * Rotations and poses by named components, for doors where a bare array of four or seven numbers would leave the order of a
 * quaternion open. The field names are those of ROS geometry_msgs. Everywhere else quaternions are [x, y, z, w].
 */
import { MisuseError } from './misuse.js';
import { normalizeQuat, type Quat } from './quat.js';
import type { Pose } from './transform.js';

export interface VectorComponents {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}
export interface QuaternionComponents extends VectorComponents {
  readonly w: number;
}
export interface PoseComponents {
  readonly position: VectorComponents;
  readonly orientation: QuaternionComponents;
}

/** Unit quaternion [x, y, z, w]; length zero or a number that is not finite throws. */
export function toQuat(components: QuaternionComponents): Quat {
  const { x, y, z, w } = components;
  if (![x, y, z, w].every(Number.isFinite) || (x === 0 && y === 0 && z === 0 && w === 0)) {
    throw new MisuseError(`toQuat: {x: ${x}, y: ${y}, z: ${z}, w: ${w}}, expected finite numbers, not all zero`);
  }
  return normalizeQuat(new Float64Array(4), [x, y, z, w]);
}

/** Pose [x, y, z, qx, qy, qz, qw]. */
export function toPose(components: PoseComponents): Pose {
  const { x, y, z } = components.position;
  if (![x, y, z].every(Number.isFinite)) {
    throw new MisuseError(`toPose: position {x: ${x}, y: ${y}, z: ${z}}, expected finite numbers`);
  }
  const q = toQuat(components.orientation);
  return [x, y, z, q[0], q[1], q[2], q[3]];
}
