/** Every joint type that moves. Add a kind here and, when files name it, in `selectJointKind`. */
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

/** The kind that serves a joint type; null for fixed joints, which become frames. `pitch` is a helical joint's. */
export function selectJointKind(
  type: JointType,
  continuousAs: 'angle' | 'cos-sin',
  pitch: number = 0,
): JointKind | null {
  if (type === 'fixed') return null;
  if (type === 'helical') return createHelical(pitch);
  if (type === 'continuous' && continuousAs === 'cos-sin') return continuousCosSin;
  return JOINT_KINDS.find((kind) => kind.name === type) ?? null;
}
