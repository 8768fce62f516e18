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

/** The kind of that name, or of a description of that type; undefined for what does not move by itself, and for composites. */
export function findJointKind(name: string, pitch = 0): JointKind | undefined {
  return name === 'helical' ? createHelical(pitch) : JOINT_KINDS.find((each) => each.name === name);
}

/** One coordinate that does not wrap: the kinds whose description may limit it. */
export function hasRange(kind: JointKind | undefined): boolean {
  return kind?.nq === 1 && !kind.isWrapped;
}

/**
 * The kind that serves a type of joint that moves and is not a composite: fixed joints become frames, composite and universal ones
 * their parts. `turns`: an angle that counts them, as that of a revolute joint. `pitch` is a helical joint's. Any other type throws a RangeError.
 */
export function selectJointKind(
  type: JointType,
  continuousAs: 'angle' | 'cos-sin' | 'turns',
  pitch: number = 0,
): JointKind {
  if (type === 'continuous' && continuousAs !== 'angle') return continuousAs === 'turns' ? revolute : continuousCosSin;
  const kind = findJointKind(type, pitch);
  if (!kind) {
    throw new MisuseError(
      `joint type, got ${type}, expected one of ${JOINT_KINDS.map((each) => each.name).join(', ')}`,
    );
  }
  return kind;
}
