/**
 * A world file as plain data: a scene file with masses, materials, drives and how it is stepped. What simulates it, and what moves
 * fleets in it, reads this; docs/simulation.md says what each field means.
 */
import type { SceneDescription } from './description.js';

export interface WorldDescription {
  readonly scene: SceneDescription;
  readonly simulation: SimulationDescription;
}

/** The file's `simulation` (version 1). */
export interface SimulationDescription {
  readonly version: 1;
  readonly gravity?: readonly [number, number, number];
  readonly settings: StepDescription;
  readonly bodies: readonly FreeBodyDescription[];
  readonly materials: readonly MaterialDescription[];
  readonly robots: readonly DrivenRobotDescription[];
  readonly joins: readonly JoinDescription[];
  readonly pairs: readonly PairDescription[];
}

/** Parameters of the relaxed model, as MuJoCo names them. */
export interface RelaxedDescription {
  /** Time constant and damping ratio of the reference acceleration. Default [0.02, 1]. */
  readonly solref?: readonly [number, number];
  /** Impedance: d at 0, d at `width`, width, midpoint, power. Default [0.9, 0.95, 0.001, 0.5, 2]. */
  readonly solimp?: readonly [number, number, number, number, number];
  /** Ratio of frictional to normal impedance. Default 1. */
  readonly impratio?: number;
}

/** How a world is stepped. */
export interface StepDescription {
  /** Seconds. Default 0.001. */
  readonly step?: number;
  /** Parts that each step is cut into; contacts are looked for in each. Default 1. */
  readonly substeps?: number;
  /** Default rigid. */
  readonly contact?: 'rigid' | 'soft' | 'relaxed';
  /** `auto`: proximal for islands of up to 120 rows (40 contacts), else Gauss-Seidel. */
  readonly solver?: 'auto' | 'gauss-seidel' | 'proximal';
  readonly cone?: 'elliptic' | 'pyramidal';
  /** `rk4`: fourth order while nothing touches and no constraint acts, semi-implicit Euler otherwise. */
  readonly integrator?: 'semi-implicit' | 'rk4';
  /** Of the contact solver. Defaults 50 (Gauss-Seidel), 60 (proximal). */
  readonly iterations?: number;
  /** Residual at which the solver is done, m/s. Default 1e-9 (Gauss-Seidel: 1e-7). */
  readonly tolerance?: number;
  /** Pairs closer than this are contacts that may begin to push within the step. Metres, default 0.002. */
  readonly margin?: number;
  /** Penetration that is left alone, and share of the rest that is taken back in each step (rigid). Defaults 1e-5 and 0.2. */
  readonly slop?: number;
  readonly correction?: number;
  /** Speed under which soft friction is viscous, m/s. Default 1e-3. */
  readonly slipSpeed?: number;
  readonly relaxed?: RelaxedDescription;
  /** Islands slower than this for half a second stop being computed until something touches them, m/s; 0 (default): never. */
  readonly sleepSpeed?: number;
}

/** An object that moves; the scene's other objects stand still. */
export interface FreeBodyDescription {
  readonly object: string;
  readonly mass?: number;
  readonly density?: number;
  readonly inertia?: {
    readonly mass: number;
    readonly centerOfMass?: readonly [number, number, number];
    /** ixx ixy ixz iyy iyz izz about the centre of mass, in the object's axes. */
    readonly inertia: readonly [number, number, number, number, number, number];
  };
  readonly velocity?: readonly number[];
}

/** Of an object, a robot, or a robot's link (`robot/link`); `*` for all that no other entry names. */
export interface MaterialDescription {
  readonly of: string;
  readonly friction?: number;
  readonly restitution?: number;
  readonly stiffness?: number;
  readonly dissipation?: number;
  readonly exponent?: number;
}

export interface ServoDescription {
  readonly joint: string;
  readonly type: 'torque' | 'position' | 'velocity';
  readonly stiffness?: number;
  readonly damping?: number;
  readonly limit?: number;
  readonly target?: number | readonly (readonly [number, number])[];
}

export interface DrivenRobotDescription {
  readonly robot: string;
  readonly base?: 'fixed' | 'floating' | 'planar';
  readonly v?: readonly number[];
  readonly servos?: readonly ServoDescription[];
  readonly compensateGravity?: boolean;
  readonly limits?: boolean;
}

export interface JoinDescription {
  readonly type: 'point' | 'weld' | 'spring';
  readonly a: string;
  readonly b?: string;
  readonly poseA?: readonly number[];
  readonly poseB?: readonly number[];
  /** Of a spring: N/m, N s/m, m. */
  readonly stiffness?: number;
  readonly damping?: number;
  readonly length?: number;
}

export interface PairDescription {
  readonly a: string;
  readonly b: string;
  readonly friction?: number;
  readonly restitution?: number;
  readonly allowed?: boolean;
}
