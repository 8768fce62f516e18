/** What the page and its fleet's worker say to each other. */

import type { Shape } from 'clearance/geometry';

/** Numbers per robot of a frame: x, y, speed, state. */
export const FRAME_STRIDE = 4;
/** Bits of a robot's state. */
export const CARRIES = 1;
export const WAITS = 2;
export const STOPPED = 4;
export const TOUCHES = 8;

export type ToFleet =
  | { readonly type: 'floor'; readonly robots: number }
  | { readonly type: 'files'; readonly files: readonly { readonly name: string; readonly bytes: ArrayBuffer }[] }
  | { readonly type: 'run'; readonly isRunning: boolean }
  /** Seconds of the world in a second; 0: as fast as can be. */
  | { readonly type: 'pace'; readonly factor: number }
  /** Frame of the history, or -1 for what comes. */
  | { readonly type: 'seek'; readonly frame: number }
  | { readonly type: 'robot'; readonly robot: number }
  | { readonly type: 'obstacle'; readonly x: number; readonly y: number }
  | { readonly type: 'heat'; readonly isOn: boolean }
  /** The page has drawn what it had, and takes the next frame. */
  | { readonly type: 'ready' };

/** Something with a shape of its own on a floor; `robot`: whose it is, or -1. */
export interface FloorSolid {
  readonly shape: Shape;
  readonly kind: 'base' | 'link' | 'load' | 'stands';
  readonly robot: number;
}

export interface FleetFloor {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  /** Metres, where the middle of the first cell is; rows go down. */
  readonly origin: readonly [number, number];
  readonly free: Uint8Array;
  readonly cellSize: number;
  readonly radius: number;
  readonly robots: number;
  readonly maxSpeed: number;
  /** A recording: nothing can be added, and the end is known. */
  readonly isReplay: boolean;
  /** Drawn in the place of discs; null on cells. */
  readonly solids: readonly FloorSolid[] | null;
}

export interface RobotAnswer {
  readonly robot: number;
  readonly name: string;
  /** What it is about, in words. */
  readonly doing: readonly string[];
  /** Where it is to go from here: x, y each. */
  readonly path: Float32Array;
}

export type FromFleet =
  | { readonly type: 'floor'; readonly floor: FleetFloor }
  | {
      readonly type: 'frame';
      readonly frame: number;
      readonly frames: number;
      readonly time: number;
      readonly data: Float32Array;
      /** Of the floor's solids, twelve numbers each. */
      readonly places: Float32Array | null;
      readonly words: string;
      /** Where robots waited since the beginning, as pixels of the floor, rows from below; when asked for. */
      readonly heat: Uint8Array | null;
    }
  | { readonly type: 'robot'; readonly answer: RobotAnswer }
  | {
      readonly type: 'obstacle';
      readonly x: number;
      readonly y: number;
      readonly state: 'closed' | 'closing' | 'refused';
    }
  | { readonly type: 'failed'; readonly message: string };
