/**
 * What two trees in TypeScript have in common, whatever they grow by: which of them grows, how they meet, and what is told of them.
 * script-trees.ts says how the loop goes.
 */
import { createRandom, type Random } from '../../math/random.js';
import { createHalton } from '../halton.js';
import type { Sampler } from '../sampler.js';
import type { StateTree } from '../state-tree.js';
import type { StopWatch } from '../stopping.js';
import type { MotionValidator, StateCoordinates, StateSpace } from '../types.js';
import { joinSides, type TreeSettings } from './trees.js';

const LOCKED = 16;

export interface RootedStates {
  /** What is kept in balance with the other tree. */
  readonly size: number;
  /** The states from the root to a node. */
  pathTo(node: number): Float64Array[];
}

export abstract class TreePair<T extends RootedStates> {
  iterations = 0;
  protected growStart = false;
  protected isJoined = false;
  protected readonly random: Random;
  protected readonly sampler: Sampler | null;
  protected readonly sample: Float64Array;
  protected readonly near: Float64Array;
  protected readonly reached: Float64Array;
  protected readonly target: Float64Array;
  private path: Float64Array[] = [];

  /** `coordinates`: of the states that are drawn, where they are independent numbers. */
  constructor(
    protected readonly settings: TreeSettings,
    coordinates: StateCoordinates | undefined,
    protected readonly startTree: T,
    protected readonly goalTree: T,
    protected readonly verify: MotionValidator | null,
    protected readonly watch: StopWatch,
  ) {
    const { space, sampler, seed } = settings;
    const draws = coordinates?.kinds.filter((kind) => (kind & LOCKED) === 0).length ?? space.dimension;
    this.sampler = typeof sampler === 'object' ? sampler : null;
    this.random = sampler === 'halton' ? createHalton(draws, seed) : createRandom(seed);
    this.sample = new Float64Array(space.dimension);
    this.near = new Float64Array(space.dimension);
    this.reached = new Float64Array(space.dimension);
    this.target = new Float64Array(space.dimension);
  }

  get startNodes(): number {
    return this.startTree.size;
  }

  get goalNodes(): number {
    return this.goalTree.size;
  }

  grow(iterations: number): 'running' | 'joined' | 'limit' {
    for (let i = 0; i < iterations && !this.watch.wasOver; i++) {
      if (this.isJoined) break;
      if (this.iterations >= this.settings.maxIterations) return 'limit';
      this.iterations++;
      this.chooseTree();
      if (this.draw()) this.iterate();
    }
    return this.isJoined ? 'joined' : 'running';
  }

  joinedPath(): Float64Array[] {
    return this.path;
  }

  partialPath(): Float64Array[] {
    const nodes = this.nodesOf(this.startTree);
    const goals = this.nodesOf(this.goalTree);
    let best = Infinity;
    let bestNode = -1;
    for (let g = 0; g < goals.size; g++) {
      if (goals.parent[g] !== g) continue;
      const node = nodes.nearest(goals.read(this.target, g));
      if (node < 0 || nodes.nearestDistance >= best) continue;
      best = nodes.nearestDistance;
      bestNode = node;
    }
    return bestNode < 0 ? [] : this.startTree.pathTo(bestNode);
  }

  dispose(): void {}

  /** The tree that grows, and the other one. */
  protected get growing(): T {
    return this.growStart ? this.startTree : this.goalTree;
  }

  protected get opposite(): T {
    return this.growStart ? this.goalTree : this.startTree;
  }

  /** The nodes that are searched. */
  protected abstract nodesOf(tree: T): StateTree;

  /** Grows by what was drawn into `sample`. */
  protected abstract iterate(): void;

  /** Cuts off what hangs behind a motion between the node and its root that the last check refuses; whether there is none. */
  protected abstract pruneBlocked(tree: T, node: number): boolean;

  /** The trees meet between these nodes: done, unless the last check finds a fault. */
  protected join(startNode: number, goalNode: number): void {
    const startSide = this.startTree.pathTo(startNode);
    const goalSide = this.goalTree.pathTo(goalNode).reverse();
    if (this.verify) {
      const startFree = this.pruneBlocked(this.startTree, startNode);
      const goalFree = this.pruneBlocked(this.goalTree, goalNode);
      const joint = this.verify.isMotionValid(startSide[startSide.length - 1], goalSide[0]);
      if (!startFree || !goalFree || !joint) return;
    }
    this.path = joinSides(this.settings.space, startSide, goalSide);
    this.isJoined = true;
  }

  private chooseTree(): void {
    const { growing, opposite, settings } = this;
    if (!settings.balance || Math.abs(growing.size - opposite.size) < growing.size) this.growStart = !this.growStart;
  }

  private draw(): boolean {
    if (this.sampler) return this.sampler.draw(this.sample, this.random);
    const { space }: { readonly space: StateSpace } = this.settings;
    space.sample(this.sample, this.random);
    return true;
  }
}
