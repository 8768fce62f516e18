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
import { StateTree } from '../state-tree.js';
import type { StopWatch } from '../stopping.js';
import type { MotionValidator } from '../types.js';
import { TreePair } from './tree-pair.js';
import type { TreeSettings, Trees } from './trees.js';

const UNLIMITED = Number.MAX_VALUE;

export class ScriptTrees extends TreePair<StateTree> implements Trees {
  private readonly startRadii: number[] = [];
  private readonly goalRadii: number[] = [];

  constructor(
    settings: TreeSettings,
    private readonly motion: MotionValidator,
    verify: MotionValidator | null,
    watch: StopWatch,
  ) {
    const { space } = settings;
    super(settings, space.coordinates, new StateTree(space), new StateTree(space), verify, watch);
  }

  addRoot(tree: 0 | 1, state: Float64Array): void {
    if (tree === 0) this.addNode(this.startTree, this.startRadii, state, -1);
    else this.addNode(this.goalTree, this.goalRadii, state, -1);
  }

  tryStraight(): number {
    const { dimension } = this.settings.space;
    const start = this.startTree.read(new Float64Array(dimension), 0);
    for (let node = 0; node < this.goalTree.size; node++) {
      const goal = this.goalTree.read(new Float64Array(dimension), node);
      if (this.motion.isMotionValid(start, goal) && (this.verify?.isMotionValid(start, goal) ?? true)) return node;
    }
    return -1;
  }

  protected nodesOf(tree: StateTree): StateTree {
    return tree;
  }

  protected iterate(): void {
    const { sample, near, reached, target, growing: tree, opposite: other } = this;
    const { space, range, dynamicDomain: domain } = this.settings;
    const radii = this.growStart ? this.startRadii : this.goalRadii;
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

  protected pruneBlocked(tree: StateTree, node: number): boolean {
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
