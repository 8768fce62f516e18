/**
 * A residual: some numbers r(x, u) that a cost weighs or a constraint bounds, with their derivatives along steps of the state.
 * What it may look at is a context: the state, the control, and of a robot its placements and motion at that state.
 */

import type { DynamicsData } from '../../dynamics/dynamics-data.js';
import { throwMisuse } from '../../math/arguments.js';
import { MisuseError } from '../../math/misuse.js';
import type { Model } from '../../model/model.js';
import type { StateSpace } from './state-space.js';

/** What a residual needs done before it is asked: nothing, placements of joints, or velocities as well. */
export type Needs = 'state' | 'placements' | 'velocities';

export interface RobotContext {
  readonly model: Model;
  readonly data: DynamicsData;
  readonly q: Float64Array;
  readonly v: Float64Array;
}

export interface StageContext {
  readonly space: StateSpace;
  readonly nu: number;
  readonly x: Float64Array;
  /** Zeros at the end of a problem. */
  readonly u: Float64Array;
  readonly robot: RobotContext | null;
}

export interface Residual {
  readonly name: string;
  readonly size: number;
  readonly needs: Needs;
  /** Whether it depends on the state, and on the control. */
  readonly ofState: boolean;
  readonly ofControl: boolean;
  readonly evaluate: (r: Float64Array, context: StageContext) => void;
  /** rx size x ndx and ru size x nu, zero when called; those it does not depend on need not be written. */
  readonly differentiate: (rx: Float64Array, ru: Float64Array, context: StageContext) => void;
}

export function requireResidual(call: string, what: string, residual: unknown): void {
  const { size, evaluate, differentiate } = (residual ?? {}) as Partial<Residual>;
  if (!(Number.isInteger(size) && typeof evaluate === 'function' && typeof differentiate === 'function'))
    throwMisuse(call, what, residual, 'a residual with size, evaluate and differentiate');
}

export function requireRobot(residual: string, context: StageContext): RobotContext {
  if (context.robot === null)
    throw new MisuseError(`${residual}: stage, got one without a robot, expected a stage of createRobotStage`);
  return context.robot;
}
