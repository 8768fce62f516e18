/**
 * Two trees that grow towards each other: what RRT-Connect's loop does, in TypeScript (script-trees.ts, which says how) for every
 * space, and in the kernel (kernel-trees.ts) for spaces of independent numbers. Both give the same bits for the same verdicts.
 */
import type { Sampler } from '../sampler.js';
import type { StopWatch } from '../stopping.js';
import type { MotionValidator, StateSpace } from '../types.js';

export interface TreeSettings {
  readonly space: StateSpace;
  readonly seed: number;
  readonly sampler: 'random' | 'halton' | Sampler;
  readonly maxIterations: number;
  /** Longest single extension. */
  readonly range: number;
  readonly balance: boolean;
  readonly dynamicDomain: DynamicDomain | null;
}

export interface DynamicDomain {
  /** Radius given to a node at its first failure. */
  readonly radius: number;
  readonly minRadius: number;
  /** Relative change per success or failure. */
  readonly alpha: number;
}

export const START = 0;
export const GOAL = 1;

export interface Trees {
  readonly iterations: number;
  readonly startNodes: number;
  readonly goalNodes: number;
  addRoot(tree: 0 | 1, state: Float64Array): void;
  /** The root of the goals' tree that a straight line from the start reaches, -1 for none. */
  tryStraight(): number;
  /** Goes on for at most so many iterations: `joined` when the trees meet, `limit` when there are none left. */
  grow(iterations: number): 'running' | 'joined' | 'limit';
  /** The states from the start to a goal where the trees met. */
  joinedPath(): Float64Array[];
  /** Of the start's tree, the states from the start to the node that is nearest a goal. */
  partialPath(): Float64Array[];
  dispose(): void;
}

/** A space whose trees grow by motions of its own. */
export interface TreeSpace extends StateSpace {
  /** `motion` decides as they grow, `verify` once more about the path's. */
  createTrees(settings: TreeSettings, motion: MotionValidator, verify: MotionValidator | null, watch: StopWatch): Trees;
}

export function hasOwnTrees(space: StateSpace): space is TreeSpace {
  return 'createTrees' in space;
}

/** Both sides may end in the same state when the trees met exactly. */
export function joinSides(space: StateSpace, startSide: Float64Array[], goalSide: Float64Array[]): Float64Array[] {
  const meet = space.distance(startSide[startSide.length - 1], goalSide[0]) === 0 && goalSide.length > 1 ? 1 : 0;
  return [...startSide, ...goalSide.slice(meet)];
}
