/** What the ways of improving one path have in common. */

export interface DescentLog {
  readonly iterations: number;
  /** Smoothness: sum of squared steps over that of a straight path of even steps, so that none is below 1. */
  readonly cost: number;
  /** Sum over all looks of what is missed. Metres, radians of steps. */
  readonly violation: number;
  readonly penalty: number;
  /** Trust region or step size. */
  readonly radius: number;
  readonly taken: boolean;
  /** Waypoints as they are, before what is taken; of the descent, to be copied. */
  readonly path: readonly Float64Array[];
}

export interface DescentSettings {
  readonly maxIterations: number;
  readonly shouldStop?: () => boolean;
  readonly onIteration?: (log: DescentLog) => void;
}

export interface DescentResult {
  readonly status: 'clear' | 'stuck' | 'limit' | 'stopped';
  readonly iterations: number;
  readonly cost: number;
  readonly violation: number;
}

/** Improves the path in place; its ends stay. */
export interface Descent {
  run(path: Float64Array[], settings: DescentSettings): DescentResult;
}
