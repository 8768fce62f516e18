/**
 * RRT-Connect's loop in TypeScript: for any space, and what the kernel's loop (assembly/planning/rrt-connect.ts) is read and
 * checked by.
 *
 * Method, per iteration:
 * 1. choose the tree to grow (alternately; with `balance`, the smaller one while they differ by more than its size);
 * 2. draw a state, find the nearest node, go at most `range` towards the state;
 * 3. if that motion is valid, add its end and go on from there, step by step, towards the nearest node of the other tree;
 * 4. when that is reached, check the joined path again: a motion that fails is cut out of its tree together with everything behind
 *    it, and the search goes on.
 * With `dynamicDomain` a node whose extension failed only accepts draws within a radius, which grows slowly with success
 * and shrinks with failure.
 * Source: see rrt-connect.ts. Tested by test/contract/planners.test.ts and test/contract/planner-kernel.test.ts.
 */
import { createRandom, type Random } from '../../math/random.js';
import { createHalton } from '../halton.js';
import type { Sampler } from '../sampler.js';
import { StateTree } from '../state-tree.js';
import type { StopWatch } from '../stopping.js';
import type { MotionValidator, StateSpace } from '../types.js';
import { joinSides, type TreeSettings, type Trees } from './trees.js';

const UNLIMITED = Number.MAX_VALUE;
const LOCKED = 16;

export class ScriptTrees implements Trees {
  iterations = 0;
  private growStart = false;
  private isJoined = false;
  private path: Float64Array[] = [];
  private readonly startTree: StateTree;
  private readonly goalTree: StateTree;
  private readonly startRadii: number[] = [];
  private readonly goalRadii: number[] = [];
  private readonly space: StateSpace;
  private readonly random: Random;
  private readonly sampler: Sampler | null;
  private readonly sample: Float64Array;
  private readonly near: Float64Array;
  private readonly reached: Float64Array;
  private readonly target: Float64Array;

  constructor(
    private readonly settings: TreeSettings,
    private readonly motion: MotionValidator,
    private readonly verify: MotionValidator | null,
    private readonly watch: StopWatch,
  ) {
    const { space, sampler, seed } = settings;
    this.space = space;
    const draws = space.coordinates?.kinds.filter((kind) => (kind & LOCKED) === 0).length ?? space.dimension;
    this.sampler = typeof sampler === 'object' ? sampler : null;
    this.random = sampler === 'halton' ? createHalton(draws, seed) : createRandom(seed);
    this.startTree = new StateTree(space);
    this.goalTree = new StateTree(space);
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

  addRoot(tree: 0 | 1, state: Float64Array): void {
    if (tree === 0) this.addNode(this.startTree, this.startRadii, state, -1);
    else this.addNode(this.goalTree, this.goalRadii, state, -1);
  }

  tryStraight(): number {
    const start = this.startTree.read(new Float64Array(this.space.dimension), 0);
    for (let node = 0; node < this.goalTree.size; node++) {
      const goal = this.goalTree.read(new Float64Array(this.space.dimension), node);
      if (this.motion.isMotionValid(start, goal) && (this.verify?.isMotionValid(start, goal) ?? true)) return node;
    }
    return -1;
  }

  grow(iterations: number): 'running' | 'joined' | 'limit' {
    for (let i = 0; i < iterations && !this.watch.wasOver; i++) {
      if (this.isJoined) break;
      if (this.iterations >= this.settings.maxIterations) return 'limit';
      this.iterate();
    }
    return this.isJoined ? 'joined' : 'running';
  }

  joinedPath(): Float64Array[] {
    return this.path;
  }

  partialPath(): Float64Array[] {
    let best = Infinity;
    let bestNode = -1;
    const goal = new Float64Array(this.space.dimension);
    for (let g = 0; g < this.goalTree.size; g++) {
      if (this.goalTree.parent[g] !== g) continue;
      this.goalTree.read(goal, g);
      const node = this.startTree.nearest(goal);
      if (node >= 0 && this.startTree.nearestDistance < best) {
        best = this.startTree.nearestDistance;
        bestNode = node;
      }
    }
    return bestNode < 0 ? [] : this.startTree.pathTo(bestNode);
  }

  dispose(): void {}

  private iterate(): void {
    const { space, sample, near, reached, target, random } = this;
    const { range, dynamicDomain: domain } = this.settings;
    this.iterations++;
    this.chooseTree();
    const tree = this.growStart ? this.startTree : this.goalTree;
    const other = this.growStart ? this.goalTree : this.startTree;
    const radii = this.growStart ? this.startRadii : this.goalRadii;
    if (!this.sampler) space.sample(sample, random);
    else if (!this.sampler.draw(sample, random)) return;
    const from = tree.nearest(sample);
    const distance = tree.nearestDistance;
    if (domain && radii[from] < distance) return;
    tree.read(near, from);
    if (distance < range) reached.set(sample);
    else space.interpolate(reached, near, sample, range / distance);
    if (!this.motion.isMotionValid(near, reached)) {
      if (domain && !this.watch.wasOver)
        radii[from] =
          radii[from] === UNLIMITED ? domain.radius : Math.max(radii[from] * (1 - domain.alpha), domain.minRadius);
      return;
    }
    let last = this.addNode(tree, radii, reached, from);
    if (domain && radii[from] !== UNLIMITED) radii[from] *= 1 + domain.alpha;

    const to = other.nearest(reached);
    other.read(target, to);
    const steps = Math.max(1, Math.ceil(other.nearestDistance / range));
    near.set(reached);
    // Even steps from one fixed state: no rounding piles up and the last one lands exactly on the target.
    for (let i = 1; i <= steps; i++) {
      const previous = tree.read(this.sample, last);
      space.interpolate(reached, near, target, i / steps);
      if (!this.motion.isMotionValid(previous, reached)) return;
      if (i < steps) last = this.addNode(tree, radii, reached, last);
    }
    this.join(this.growStart ? last : to, this.growStart ? to : last);
  }

  private chooseTree(): void {
    const tree = this.growStart ? this.startTree : this.goalTree;
    const other = this.growStart ? this.goalTree : this.startTree;
    if (!this.settings.balance || Math.abs(tree.size - other.size) < tree.size) this.growStart = !this.growStart;
  }

  /** The trees meet between these nodes: done, unless the finer check finds a fault. */
  private join(startNode: number, goalNode: number): void {
    const startSide = this.startTree.pathTo(startNode);
    const goalSide = this.goalTree.pathTo(goalNode).reverse();
    if (this.verify) {
      const startFree = this.pruneBlocked(this.startTree, startNode);
      const goalFree = this.pruneBlocked(this.goalTree, goalNode);
      const joint = this.verify.isMotionValid(startSide[startSide.length - 1], goalSide[0]);
      if (!startFree || !goalFree || !joint) return;
    }
    this.path = joinSides(this.space, startSide, goalSide);
    this.isJoined = true;
  }

  /** Checks the motions between `node` and its root finely; cuts off what hangs behind the blocked ones. */
  private pruneBlocked(tree: StateTree, node: number): boolean {
    const { near, target } = this;
    let blocked = -1;
    for (let child = node; tree.parent[child] !== child; child = tree.parent[child]) {
      tree.read(near, tree.parent[child]);
      tree.read(target, child);
      if (!this.verify!.isMotionValid(near, target)) {
        if (this.watch.wasOver) return false;
        blocked = child;
      }
    }
    if (blocked < 0) return true;
    tree.remove(blocked);
    return false;
  }

  private addNode(tree: StateTree, radii: number[], state: Float64Array, parent: number): number {
    radii.push(UNLIMITED);
    return tree.add(state, parent);
  }
}
