/** What an SRDF says of a robot: groups of joints, named states, end effectors, pairs that may touch. Plain data. */
import type { Triple } from '../geometry/shapes.js';
import type { ModelDescription } from '../model/description.js';

/** What semantics need of a robot: its links and joints. A `RobotDescription` is one. */
export interface DescribedModel {
  readonly model: ModelDescription;
}

/** SRDF: semantics on top of a robot description. */
export interface SemanticDescription {
  readonly name: string;
  readonly groups: readonly GroupDescription[];
  readonly states: readonly GroupStateDescription[];
  readonly endEffectors: readonly EndEffectorDescription[];
  readonly virtualJoints: readonly VirtualJointDescription[];
  readonly passiveJoints: readonly string[];
  readonly disabledPairs: readonly DisabledPairDescription[];
  /** Links whose pairs are all off by default (disable_default_collisions); already part of `disabledPairs` after loading. */
  readonly disabledLinks?: readonly string[];
  /** Pairs that `disabledLinks` does not reach (enable_collisions). */
  readonly enabledPairs?: readonly { readonly a: string; readonly b: string }[];
  /** Sphere approximations: link name to spheres in the link frame; an empty list means "no collision geometry". */
  readonly spheres: ReadonlyMap<string, readonly { readonly center: Triple; readonly radius: number }[]>;
}
export interface GroupDescription {
  readonly name: string;
  readonly joints: readonly string[];
  readonly links: readonly string[];
  readonly chains: readonly { readonly base: string; readonly tip: string }[];
  readonly groups: readonly string[];
}
export interface GroupStateDescription {
  readonly name: string;
  readonly group: string;
  readonly joints: ReadonlyMap<string, readonly number[]>;
}
export interface EndEffectorDescription {
  readonly name: string;
  readonly group: string;
  readonly parentLink: string;
  readonly parentGroup?: string;
}
export interface VirtualJointDescription {
  readonly name: string;
  readonly type: 'fixed' | 'floating' | 'planar';
  readonly parentFrame: string;
  readonly childLink: string;
}
export interface DisabledPairDescription {
  readonly a: string;
  readonly b: string;
  readonly reason: string;
}
