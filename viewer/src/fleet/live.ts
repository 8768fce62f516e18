/** What the fleets' worker runs, whatever it is: cells with plans (cells-live.ts) or a floor with arms (floor-live.ts). */
import type { FleetFloor, RobotAnswer } from './messages.js';

export interface Live {
  readonly floor: FleetFloor;
  readonly time: number;
  readonly isDone: boolean;
  step(dt: number): void;
  /** Numbers of all robots as they are now (messages.ts). */
  readFrame(): Float32Array;
  /** Transforms of the floor's solids, twelve numbers each; null where there are none. */
  readPlaces(): Float32Array | null;
  describe(): string;
  /** Adds the seconds to the cells of those that wait. */
  addHeat(heat: Float32Array, seconds: number): void;
  tell(robot: number): RobotAnswer;
  addObstacle(x: number, y: number): 'closed' | 'closing' | 'refused';
}
