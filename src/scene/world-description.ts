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

export interface StepDescription {
  readonly step?: number;
  readonly substeps?: number;
  readonly contact?: 'rigid' | 'soft' | 'relaxed';
  readonly solver?: 'auto' | 'gauss-seidel' | 'proximal';
  readonly cone?: 'elliptic' | 'pyramidal';
  readonly integrator?: 'semi-implicit' | 'rk4';
  readonly iterations?: number;
  readonly tolerance?: number;
  readonly margin?: number;
  readonly slop?: number;
  readonly correction?: number;
  readonly slipSpeed?: number;
  readonly sleepSpeed?: number;
  readonly relaxed?: {
    readonly solref?: readonly [number, number];
    readonly solimp?: readonly [number, number, number, number, number];
    readonly impratio?: number;
  };
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
  readonly type: 'point' | 'weld';
  readonly a: string;
  readonly b?: string;
  readonly poseA?: readonly number[];
  readonly poseB?: readonly number[];
}

export interface PairDescription {
  readonly a: string;
  readonly b: string;
  readonly friction?: number;
  readonly restitution?: number;
  readonly allowed?: boolean;
}
