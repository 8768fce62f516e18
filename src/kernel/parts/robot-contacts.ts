import { moduleText } from '../generated/robot-contacts-part.js';
import type { KernelPart } from '../kernel-part.js';

/** See assembly/contacts/robot-rows.ts, robot-sweeps.ts. */
export interface RobotContactFunctions {
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

export const robotContacts: KernelPart<RobotContactFunctions> = { place: 11, text: moduleText };
