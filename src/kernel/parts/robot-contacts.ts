import { moduleText } from '../generated/robot-contacts-part.js';
import type { KernelPart } from '../kernel-part.js';

/** See assembly/contacts/robot-factors.ts (`robot`), robot-rows.ts, robot-sweeps.ts (`block`). */
export interface RobotContactFunctions {
  /** 0 where the matrix is singular. */
  factorizeRobot(robot: number): number;
  writeRobotRows(block: number): void;
  /** 1 where the residual is within `goal`. */
  solveRobot(
    block: number,
    rounds: number,
    iterations: number,
    sweeps: number,
    gain: number,
    goal: number,
    enough: number,
  ): number;
}

export const robotContacts: KernelPart<RobotContactFunctions> = { place: 11, sample: 'solveRobot', text: moduleText };
