/** Plain data of a fleet's world file: a scene whose objects block cells, and a fleet among them. */
import type { SceneDescription } from './description.js';

/** Column and row of a cell, from 0. */
export type FleetCell = readonly [x: number, y: number];

export interface FleetRobotPlace {
  readonly name: string;
  readonly start: FleetCell;
  /** Left out where the robot has tasks. */
  readonly goal?: FleetCell;
}

export interface FleetSection {
  /** Rows of cells as in a `.map` file, or the name of such a file. */
  readonly map: readonly string[] | string;
  /** Metres. Default 1. */
  readonly cellSize?: number;
  /** Named ones, or a number of them at random places; these get random goals where there are no tasks. */
  readonly robots: readonly FleetRobotPlace[] | number;
  /** Metres; at most half a cell. Default 0.35 of a cell. */
  readonly radius?: number;
  readonly speed?: number;
  readonly acceleration?: number;
  /** Radians per second; left out, robots need not turn. */
  readonly turnRate?: number;
  /** Places between which robots carry loads for ever. */
  readonly tasks?: { readonly pickups: readonly FleetCell[]; readonly deliveries: readonly FleetCell[] };
  /** Robots stop at random: this share of them at a time, for so many seconds each, in the mean. */
  readonly stops?: { readonly share: number; readonly seconds: number };
  readonly seed?: number;
}

/** A scene (version 1) with a fleet. */
export interface FleetDescription extends Pick<SceneDescription, 'version' | 'objects'> {
  readonly fleet: FleetSection;
}
