/**
 * A robot's links and joints as plain data: what a URDF (or any other source) says before it becomes a Model.
 * Bodies carry inertia numbers only; shapes hang on in `scene/`. SI units, radians.
 */
import type { Transform } from '../math/transform.js';

export type JointType =
  | 'fixed'
  | 'revolute'
  | 'continuous'
  | 'prismatic'
  | 'helical'
  | 'planar'
  | 'floating'
  | 'spherical'
  | 'universal'
  | 'composite';

export interface JointLimits {
  /** Absent for joints without position limits. Radians or metres. */
  readonly lower?: number;
  readonly upper?: number;
  /** Absent = unlimited. rad/s or m/s. */
  readonly velocity?: number;
  /** Absent = unlimited. N m or N. */
  readonly effort?: number;
}

/** q = multiplier * q(joint) + offset; `joint` may itself mimic another. */
export interface JointMimic {
  readonly joint: string;
  readonly multiplier: number;
  readonly offset: number;
}

/** A joint of a composite, in order from the parent link to the child link. */
export interface JointPartDescription {
  readonly type: Exclude<JointType, 'fixed' | 'universal' | 'composite'>;
  /** As in `JointDescription`, in the frame the part stands on. */
  readonly axis?: readonly [number, number, number];
  readonly pitch?: number;
  readonly limits?: JointLimits;
  /** Where the part stands on the moving frame of the one before, or on the joint's frame. Default identity. */
  readonly origin?: Transform;
}

export interface JointDescription {
  readonly name: string;
  readonly type: JointType;
  /** Parent and child link names. */
  readonly parent: string;
  readonly child: string;
  /** X_PJ: joint frame (= child link frame at q = 0) in the parent link frame. */
  readonly origin: Transform;
  /** Unit vector in the joint frame; plane normal for `planar`; ignored by fixed, floating, spherical, composite. */
  readonly axis: readonly [number, number, number];
  /** Helical joints only: metres along the axis per radian about it. Default 0. */
  readonly pitch?: number;
  /** Universal joints only: the axis of the second turn, in the frame that the first (`axis`) has turned. */
  readonly secondAxis?: readonly [number, number, number];
  /** Composite joints only: the joints that act as one, at least one. */
  readonly parts?: readonly JointPartDescription[];
  /** Of a universal joint: of both turns. A composite's parts have their own. */
  readonly limits?: JointLimits;
  readonly mimic?: JointMimic;
  readonly dynamics?: { readonly damping: number; readonly friction: number };
  readonly safety?: {
    readonly softLower: number;
    readonly softUpper: number;
    readonly kPosition: number;
    readonly kVelocity: number;
  };
  readonly calibration?: { readonly rising?: number; readonly falling?: number };
}

export interface InertialDescription {
  readonly mass: number;
  /** X_LC: inertial frame in the link frame. */
  readonly origin: Transform;
  /** ixx ixy ixz iyy iyz izz about the centre of mass, in the inertial frame's axes. */
  readonly inertia: readonly [number, number, number, number, number, number];
}

export interface LinkDescription {
  readonly name: string;
  readonly inertial?: InertialDescription;
}

export interface ModelDescription {
  readonly name: string;
  readonly links: readonly LinkDescription[];
  readonly joints: readonly JointDescription[];
}
