/**
 * What a simulated world consists of, as its maker says it: static shapes, free bodies, robots, materials, and how it is stepped.
 * SI units and radians; poses [x, y, z, qx, qy, qz, qw].
 */
import type { Shape } from '../geometry/shapes.js';
import type { Pose } from '../math/transform.js';
import type { Model } from '../model/model.js';
import type { RelaxedDescription, StepDescription } from '../scene/world-description.js';

/** How surfaces meet. Of a pair: friction and restitution by the rule in material.ts, or what `pairs` says. */
export interface Material {
  /** Coulomb's coefficient. Default 0.5. */
  readonly friction?: number;
  /** Newton's coefficient of restitution, 0 .. 1; of the rigid model. Default 0. */
  readonly restitution?: number;
  /** Of the soft model: force k x^n (1 + c x') of penetration x. N/m^n, default 1e5. */
  readonly stiffness?: number;
  /** c, s/m. Default 1. */
  readonly dissipation?: number;
  /** n. Default 1. */
  readonly exponent?: number;
}

/** A shape on a body or a link. */
export interface PlacedShape {
  readonly shape: Shape;
  /** In the body's or link's frame. Default: none. */
  readonly pose?: Pose;
  readonly material?: Material;
}

export interface StaticOptions {
  readonly name: string;
  readonly shapes: readonly PlacedShape[];
  readonly pose?: Pose;
}

/** Mass, centre of mass in the body's frame, inertia about it in the body's axes, row by row. */
export interface BodyInertia {
  readonly mass: number;
  readonly centerOfMass?: readonly [number, number, number];
  readonly inertia: ArrayLike<number>;
}

export interface BodyOptions {
  readonly name: string;
  readonly shapes: readonly PlacedShape[];
  readonly pose?: Pose;
  /** World axes, at the body's origin: linear x y z (m/s), angular x y z (rad/s). Default 0. */
  readonly velocity?: readonly number[];
  /** One of the three: all of it, the mass of the shapes together, or their density. Default: density 1000 kg/m^3. */
  readonly inertia?: BodyInertia;
  readonly mass?: number;
  readonly density?: number;
}

/** A drive of one joint (turning or shifting). */
export interface ServoOptions {
  readonly joint: string;
  /**
   * torque: `target` is the torque; velocity: damping (target - v); position: stiffness (target - q) - damping v, with the velocity
   * that the targets ask for added where they are a table.
   */
  readonly type: 'torque' | 'position' | 'velocity';
  /** N m/rad or N/m. */
  readonly stiffness?: number;
  /** N m s/rad or N s/m. */
  readonly damping?: number;
  /** Largest torque or force; default the joint's effort limit. */
  readonly limit?: number;
  /** A number, or rows [t, value] in order of t, straight between them and constant outside. Default 0 (position: where the joint starts). */
  readonly target?: number | readonly (readonly [number, number])[];
}

export interface LinkShape extends PlacedShape {
  readonly link: string;
}

export interface RobotOptions {
  readonly name: string;
  readonly model: Model;
  readonly shapes: readonly LinkShape[];
  /** X_WR; on top of the model's own base placement. */
  readonly pose?: Pose;
  readonly q?: ArrayLike<number>;
  readonly v?: ArrayLike<number>;
  readonly servos?: readonly ServoOptions[];
  /** Pairs of links that never touch each other; links that share a joint never do anyway. */
  readonly allowed?: readonly (readonly [string, string])[];
  /** Per v: viscous, dry friction, rotor inertia. Defaults: what the robot's file says, and 0. */
  readonly damping?: ArrayLike<number>;
  readonly friction?: ArrayLike<number>;
  readonly armature?: ArrayLike<number>;
  /** Default true. */
  readonly limits?: boolean;
  /** Cancels gravity and velocity terms in every joint, as the controllers of arms do. Default false. */
  readonly compensateGravity?: boolean;
}

/** Two frames that a join is between. */
export interface JoinFrames {
  /** `body` or `robot/link`; b may be left out: the world. */
  readonly a: string;
  readonly b?: string;
  /** In the frame of a and of b. Default of b: where a's frame is at the start of the world. */
  readonly poseA?: Pose;
  readonly poseB?: Pose;
}

/** Held together: at a point (ball joint) or wholly (weld). */
export interface HoldOptions extends JoinFrames {
  readonly type: 'point' | 'weld';
}

/** A spring with a damper between the origins of two frames. */
export interface SpringOptions extends JoinFrames {
  readonly type: 'spring';
  /** N/m, of the distance less the length. */
  readonly stiffness: number;
  /** N s/m. Default 0. */
  readonly damping?: number;
  /** Without force, m. Default: the distance at the start of the world. */
  readonly length?: number;
}

export type JoinOptions = HoldOptions | SpringOptions;

export interface PairOptions {
  /** Names of bodies or statics, or `robot/link`. */
  readonly a: string;
  readonly b: string;
  readonly friction?: number;
  readonly restitution?: number;
  /** Never touch. */
  readonly allowed?: boolean;
}

export type StepOptions = StepDescription;
export type RelaxedOptions = RelaxedDescription;
export type ContactModel = NonNullable<StepOptions['contact']>;
export type ContactSolver = NonNullable<StepOptions['solver']>;

export interface WorldOptions extends StepOptions {
  readonly gravity?: readonly [number, number, number];
  readonly statics?: readonly StaticOptions[];
  readonly bodies?: readonly BodyOptions[];
  readonly robots?: readonly RobotOptions[];
  readonly joins?: readonly JoinOptions[];
  readonly pairs?: readonly PairOptions[];
}
