/** What descriptions of each type of joint may say; how each moves is told by its `JointKind`. A type that is missing does not compile. */
import type { JointType } from './description.js';

export interface JointTypeFacts {
  /** Whether it may mimic another and be mimicked: one coordinate, of a kind that files have. */
  readonly canMimic: boolean;
  /** Whether it may be a part of a composite joint. */
  readonly isPart: boolean;
  /** Numbers that a named state lists for it; null: those of its parts. */
  readonly values: number | null;
}

export const JOINT_TYPES: Readonly<Record<JointType, JointTypeFacts>> = {
  fixed: { canMimic: false, isPart: false, values: 0 },
  revolute: { canMimic: true, isPart: true, values: 1 },
  continuous: { canMimic: true, isPart: true, values: 1 },
  prismatic: { canMimic: true, isPart: true, values: 1 },
  helical: { canMimic: false, isPart: true, values: 1 },
  planar: { canMimic: false, isPart: true, values: 3 },
  floating: { canMimic: false, isPart: true, values: 7 },
  spherical: { canMimic: false, isPart: true, values: 4 },
  universal: { canMimic: false, isPart: false, values: 2 },
  composite: { canMimic: false, isPart: false, values: null },
};

/** Of a type that any text may name. */
export function findJointType(type: string): JointTypeFacts | undefined {
  return Object.hasOwn(JOINT_TYPES, type) ? JOINT_TYPES[type as JointType] : undefined;
}
