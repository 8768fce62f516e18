/** What is added to a fleet's world, how it is compared, and what a step tells of itself. */
import { MisuseError } from '../math/misuse.js';
import type { FleetShape } from './footprint.js';

export type FleetMode = '3d' | '2d' | 'static' | 'disabled';
export const MODES: readonly FleetMode[] = ['3d', '2d', 'static', 'disabled'];
export interface FleetBody {
  readonly name: string;
  readonly shape: FleetShape;
  /** x, y, z, yaw. */
  readonly pose: readonly [number, number, number, number];
  /** Default '2d', of solids '3d'. */
  readonly mode?: FleetMode;
}

/** What the last step did, and how long its phases took where a clock was given. */
export interface FleetProfile {
  moved: number;
  boxesUpdated: number;
  boxTests: number;
  exactTests: number;
  contacts: number;
  moveMs: number;
  updateMs: number;
  checkMs: number;
  eventMs: number;
}

export function createProfile(): FleetProfile {
  return {
    moved: 0,
    boxesUpdated: 0,
    boxTests: 0,
    exactTests: 0,
    contacts: 0,
    moveMs: 0,
    updateMs: 0,
    checkMs: 0,
    eventMs: 0,
  };
}

/** Solids have no footprint in the plane. */
export function refuseFlatSolid(call: string, mode: FleetMode, isSolid: boolean): void {
  if (isSolid && mode === '2d')
    throw new MisuseError(`${call}: mode, got '2d' of a solid, expected '3d', 'static' or 'disabled'`);
}
