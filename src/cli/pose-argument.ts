/** Poses and vectors as input lines and arguments write them. */
import { type Pose, poseToTransform, type Transform } from '../math/transform.js';
import { describeQuaternion, describeScaling } from '../math/unit-quaternion.js';
import { UsageError } from './exit.js';
import { warnOnce } from './messages.js';

export type Line = Readonly<Record<string, unknown>>;

export function requireObject(value: unknown): Line {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new UsageError('expected a JSON object');
  return value as Line;
}

/** The identity where nothing was given. A quaternion that is nearly of length 1 is scaled, and told of. */
export function readPose(out: Transform, value: unknown, name: string): Transform {
  if (value === undefined || value === null) return poseToTransform(out, [0, 0, 0, 0, 0, 0, 1]);
  if (!Array.isArray(value) || value.length !== 7 || value.some((n) => typeof n !== 'number' || !Number.isFinite(n)))
    throw new UsageError(`pose "${name}": expected [x, y, z, qx, qy, qz, qw], seven finite numbers`);
  const problem = describeQuaternion(value, 3);
  if (problem !== null) throw new UsageError(`pose "${name}": ${problem}`);
  const scaling = describeScaling(value, 3);
  if (scaling !== null) warnOnce(`length of ${name}`, `pose "${name}": ${scaling}`);
  return poseToTransform(out, value as unknown as Pose);
}
