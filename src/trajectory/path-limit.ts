/**
 * A limit along a path beyond those of its joints, for `parameterizeTimeOptimal`: of a tool's speed, say, or one of its own per piece.
 * It says what it bounds as the joints do: rows -1 <= A u + B x + C <= 1 in u = d2s/dt2 and x = (ds/dt)^2, and a largest ds/dt.
 */
import type { TrajectoryPoint } from './trajectory.js';

export interface PathLimit {
  /** What each row bounds, for messages: `the acceleration of the tool`. */
  readonly rowNames: readonly string[];
  /**
   * Writes A, B and C of its rows at a point of the path, from index `at` of each array, and returns the largest ds/dt there;
   * Infinity where it bounds none.
   */
  write(rows: PathRows, at: number, place: PathPlace): number;
}

export interface PathRows {
  readonly A: Float64Array;
  readonly B: Float64Array;
  readonly C: Float64Array;
}

/** A point of a path: its piece, how far along it, and q with its first and second derivative by s as `v` and `a`. */
export interface PathPlace {
  readonly piece: number;
  readonly offset: number;
  readonly point: TrajectoryPoint;
}
