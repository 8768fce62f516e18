/**
 * Rotations and poses by named components, for doors where a bare array of four or seven numbers would leave the order of a
 * quaternion open. The field names are those of ROS geometry_msgs. Everywhere else quaternions are [x, y, z, w].
 */
import { requireFinite, requireObject } from './arguments.js';
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
  requireObject('toQuat', 'components', components, 'an object with x, y, z and w');
  const { x, y, z, w } = components;
  requireFinite('toQuat', 'components.x', x);
  requireFinite('toQuat', 'components.y', y);
  requireFinite('toQuat', 'components.z', z);
  requireFinite('toQuat', 'components.w', w);
  if (x === 0 && y === 0 && z === 0 && w === 0)
    throw new MisuseError('toQuat: components, got zeros only, expected a rotation');
  return normalizeQuat(new Float64Array(4), [x, y, z, w]);
}

/** Pose [x, y, z, qx, qy, qz, qw]. */
export function toPose(components: PoseComponents): Pose {
  requireObject('toPose', 'components', components, 'an object with position and orientation');
  requireObject('toPose', 'components.position', components.position, 'an object with x, y and z');
  const { x, y, z } = components.position;
  requireFinite('toPose', 'components.position.x', x);
  requireFinite('toPose', 'components.position.y', y);
  requireFinite('toPose', 'components.position.z', z);
  const q = toQuat(components.orientation);
  return [x, y, z, q[0], q[1], q[2], q[3]];
}
