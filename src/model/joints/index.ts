/**
 * Every joint type that moves, but for composites of them (`composite.ts`). Add a kind here and, when files
 * name it, in `selectJointKind`.
 */
import { MisuseError } from '../../math/misuse.js';
import type { JointType } from '../description.js';
import { continuous } from './continuous.js';
import { continuousCosSin } from './continuous-cos-sin.js';
import { floating } from './floating.js';
import { createHelical } from './helical.js';
import type { JointKind } from './joint-kind.js';
import { planar } from './planar.js';
import { prismatic } from './prismatic.js';
import { revolute } from './revolute.js';
import { spherical } from './spherical.js';

export const JOINT_KINDS: readonly JointKind[] = [
  revolute,
  continuous,
  continuousCosSin,
  prismatic,
  createHelical(0.1),
  planar,
  floating,
  spherical,
];

/**
 * The kind that serves a type of joint that moves and is not a composite: fixed joints become frames, composite and universal ones
 * their parts. `pitch` is a helical joint's. Any other type throws a RangeError.
 */
export function selectJointKind(type: JointType, continuousAs: 'angle' | 'cos-sin', pitch: number = 0): JointKind {
  if (type === 'helical') return createHelical(pitch);
  if (type === 'continuous' && continuousAs === 'cos-sin') return continuousCosSin;
  const kind = JOINT_KINDS.find((each) => each.name === type);
  if (!kind) {
    throw new MisuseError(
      `joint type, got ${type}, expected one of ${JOINT_KINDS.map((each) => each.name).join(', ')}`,
    );
  }
  return kind;
}
