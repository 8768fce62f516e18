/** What is around a robot's group in a state: near pairs with signed distances, what touches, the nearest valid state. */
import { findNearestFree, type NearestFree } from '../planning/nearest-free.js';
import type { StateSpace } from '../planning/types.js';
import { findValidState } from '../planning/valid-state.js';
import { varyRobot } from '../scene/context.js';
import { nearestPair, pairsWithin, type ScenePair, touchingPairs } from '../scene/queries/check.js';
import { setConfiguration } from '../scene/robot.js';
import type { Scene, SceneRobot } from '../scene/types.js';

/** Two bodies, and how deep they are in each other, metres. */
export interface TouchingDepth {
  readonly a: string;
  readonly b: string;
  readonly depth: number;
}

/** What is looked at around a state when it is pushed out, and what gaps are opened to. Metres. */
const REACH = 0.02;
const MARGIN = 2e-4;
/** A state that is nearer to something is no place to plan from. */
const LEAST_GAP = 1e-4;

export class StateProbe {
  private readonly full: Float64Array;
  private readonly own: ReturnType<typeof varyRobot>;

  constructor(
    scene: Scene,
    private readonly robot: SceneRobot,
    readonly space: StateSpace,
    readonly indices: ArrayLike<number>,
    /** Full configuration: what other coordinates are. */
    rest: Float64Array,
    private readonly isFree: (state: Float64Array) => boolean,
  ) {
    this.own = varyRobot(scene, robot, 'planGroup');
    this.full = Float64Array.from(rest);
  }

  pick(q: ArrayLike<number>): Float64Array {
    const { indices } = this;
    const state = new Float64Array(indices.length);
    for (let k = 0; k < indices.length; k++) state[k] = q[indices[k]];
    return state;
  }

  /** A full configuration of its own. */
  widen(state: Float64Array): Float64Array {
    return this.place(state).slice();
  }

  near(state: Float64Array, margin = REACH): ScenePair[] {
    this.moveTo(state);
    return pairsWithin(this.own, { margin });
  }

  touching(state: Float64Array): TouchingDepth[] {
    return this.near(state, 0).map(({ a, b, distance }) => ({ a, b, depth: Math.max(0, -distance) }));
  }

  /** Names alone, which is quicker. */
  blame(state: Float64Array): (readonly [string, string])[] {
    this.moveTo(state);
    return touchingPairs(this.own).map(({ a, b }) => [a, b] as const);
  }

  /** The nearest pair within `most`. */
  clearance(
    state: Float64Array,
    most: number,
  ): { readonly a: string; readonly b: string; readonly distance: number } | null {
    this.moveTo(state);
    return nearestPair(this.own, { maxDistance: most });
  }

  isValid(state: Float64Array): boolean {
    return this.space.satisfiesBounds(state) && this.isFree(state);
  }

  nearestValid(state: Float64Array, seed: number): NearestFree | null {
    const { space, robot } = this;
    const isValid = (q: Float64Array): boolean => this.isValid(q) && this.clearance(q, LEAST_GAP) === null;
    const gaps = (q: Float64Array): Map<string, number> =>
      new Map(this.near(q).map(({ a, b, distance }) => [`${a}\n${b}`, distance]));
    const bounds = { lower: this.pick(robot.model.lower), upper: this.pick(robot.model.upper) };
    const found =
      space.coordinates && findNearestFree({ space, gaps, isValid, margin: MARGIN, ...bounds, seed }, state);
    return found ?? findValidState(space, { isValid }, state, { seed });
  }

  private place(state: Float64Array): Float64Array {
    const { full, indices } = this;
    for (let k = 0; k < indices.length; k++) full[indices[k]] = state[k];
    return full;
  }

  private moveTo(state: Float64Array): void {
    this.own.takePlacement();
    setConfiguration(this.own.robot, this.place(state));
  }
}
