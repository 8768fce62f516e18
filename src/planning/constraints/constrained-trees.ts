/**
 * RRT-Connect's loop on a constraint's manifold: trees grow by walks, of which every step is a node, so that the path that is returned is
 * what was walked and checked.
 *
 * Method, per iteration: 1. the smaller tree grows (as in script-trees.ts); 2. a state of the space around the manifold is drawn, and the nearest node
 * walks towards it for at most `range`, as far as it can and states are valid; 3. from there it walks on to the nearest node of the other tree;
 * 4. when it arrives, the motions of the path pass the last check, or what hangs behind one that does not is cut off.
 * Source: Berenson, Srinivasa, Ferguson, Kuffner 2009, "Manipulation planning on constraint manifolds", section V,
 * doi:10.1109/ROBOT.2009.5152399; see rrt-connect.ts.
 * Tested by constrained-space.test.ts.
 */
import { createRandom, type SeededRandom } from '../../math/random.js';
import { joinSides, type TreeSettings, type Trees } from '../planners/trees.js';
import { StateTree } from '../state-tree.js';
import type { StopWatch } from '../stopping.js';
import type { MotionValidator } from '../types.js';
import type { ConstrainedSpace } from './constrained-space.js';

/** Walks that are so many times longer than the distance go astray. */
const LONGEST = 4;

/** Steps of walks between the nodes that draws can be nearest to. */
const NODE_SPACING = 8;

/** A tree of walks: nodes that are searched, and all steps between a node and the one before it. */
class WalkTree {
  readonly nodes: StateTree;
  stepCount = 0;
  private steps: Float64Array;
  /** Of each node: its first step and the one after its last, which is the node itself. */
  private readonly firsts: number[] = [];
  private readonly ends: number[] = [];
  private readonly scratch: Float64Array;
  private last = -1;
  private first = 0;

  constructor(space: ConstrainedSpace) {
    this.nodes = new StateTree(space);
    this.steps = new Float64Array(64 * space.dimension);
    this.scratch = new Float64Array(space.dimension);
  }

  addRoot(state: Float64Array): void {
    this.begin(-1);
    this.addStep(state);
    this.end();
  }

  /** A walk begins at a node. */
  begin(node: number): void {
    this.last = node;
    this.first = this.stepCount;
  }

  addStep(state: Float64Array): void {
    const at = this.stepCount * state.length;
    if (at === this.steps.length) {
      const steps = new Float64Array(2 * at);
      steps.set(this.steps);
      this.steps = steps;
    }
    this.steps.set(state, at);
    this.stepCount++;
    if (this.stepCount - this.first === NODE_SPACING) this.close();
  }

  /** Its last node, which may be where it began. */
  end(): number {
    if (this.stepCount > this.first) this.close();
    return this.last;
  }

  /** States from the node before to this one, both included; of a root itself. */
  walkTo(node: number): Float64Array[] {
    const { nodes, scratch, steps, firsts, ends } = this;
    const states: Float64Array[] = [];
    if (nodes.parent[node] !== node) states.push(nodes.read(scratch, nodes.parent[node]).slice());
    for (let i = firsts[node]; i < ends[node]; i++)
      states.push(steps.slice(i * scratch.length, (i + 1) * scratch.length));
    return states;
  }

  /** All states from the root. */
  pathTo(node: number): Float64Array[] {
    const parts: Float64Array[][] = [];
    for (let at = node; ; at = this.nodes.parent[at]) {
      const isRoot = this.nodes.parent[at] === at;
      parts.push(isRoot ? this.walkTo(at) : this.walkTo(at).slice(1));
      if (isRoot) return parts.reverse().flat();
    }
  }

  private close(): void {
    const { scratch, steps, stepCount } = this;
    for (let k = 0; k < scratch.length; k++) scratch[k] = steps[(stepCount - 1) * scratch.length + k];
    this.last = this.nodes.add(scratch, this.last);
    this.firsts.push(this.first);
    this.ends.push(stepCount);
    this.first = stepCount;
  }
}

export class ConstrainedTrees implements Trees {
  iterations = 0;
  private isJoined = false;
  private growStart = false;
  private path: Float64Array[] = [];
  private readonly startTree: WalkTree;
  private readonly goalTree: WalkTree;
  private readonly random: SeededRandom;
  private readonly sample: Float64Array;
  private readonly near: Float64Array;
  private readonly reached: Float64Array;
  private readonly target: Float64Array;

  /** `motion` decides the short straight motions of walks. */
  constructor(
    private readonly settings: TreeSettings,
    private readonly space: ConstrainedSpace,
    private readonly motion: MotionValidator,
    private readonly verify: MotionValidator | null,
    private readonly watch: StopWatch,
  ) {
    this.random = createRandom(settings.seed);
    this.startTree = new WalkTree(space);
    this.goalTree = new WalkTree(space);
    this.sample = new Float64Array(space.dimension);
    this.near = new Float64Array(space.dimension);
    this.reached = new Float64Array(space.dimension);
    this.target = new Float64Array(space.dimension);
  }

  get startNodes(): number {
    return this.startTree.stepCount;
  }

  get goalNodes(): number {
    return this.goalTree.stepCount;
  }

  addRoot(tree: 0 | 1, state: Float64Array): void {
    (tree === 0 ? this.startTree : this.goalTree).addRoot(state);
  }

  /** Walks from the start to every goal; what is walked stays in the tree. */
  tryStraight(): number {
    const goals = this.goalTree.nodes.size;
    for (let node = 0; node < goals; node++) {
      this.goalTree.nodes.read(this.target, node);
      const last = this.walk(this.startTree, 0, this.target, Number.POSITIVE_INFINITY);
      if (!this.arrived) continue;
      this.join(last, node);
      if (this.isJoined) return -1;
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
    let best = Number.POSITIVE_INFINITY;
    let bestNode = -1;
    const { nodes } = this.startTree;
    const { nodes: goals } = this.goalTree;
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

  private iterate(): void {
    const { sample, random, space, target, settings, startTree, goalTree } = this;
    this.iterations++;
    const grown = this.growStart ? startTree : goalTree;
    const opposite = this.growStart ? goalTree : startTree;
    if (!settings.balance || Math.abs(grown.stepCount - opposite.stepCount) < grown.stepCount)
      this.growStart = !this.growStart;
    const tree = this.growStart ? startTree : goalTree;
    const other = this.growStart ? goalTree : startTree;
    const { sampler } = settings;
    if (typeof sampler !== 'object') space.sample(sample, random);
    else if (!sampler.draw(sample, random)) return;
    const from = tree.nodes.nearest(sample);
    if (from < 0) return;
    const last = this.walk(tree, from, sample, settings.range);
    if (last === from) return;
    const to = other.nodes.nearest(tree.nodes.read(this.near, last));
    if (to < 0) return;
    other.nodes.read(target, to);
    const end = this.walk(tree, last, target, Number.POSITIVE_INFINITY);
    if (this.arrived) this.join(this.growStart ? end : to, this.growStart ? to : end);
  }

  /** Of the last walk: it came to the state that it was for, which is no node of the tree. */
  private arrived = false;

  /** Walks as far as it can; returns the last node. */
  private walk(tree: WalkTree, from: number, to: Float64Array, range: number): number {
    const { space, reached, near, motion } = this;
    this.arrived = false;
    tree.nodes.read(near, from);
    const most = Math.min(range, LONGEST * space.distance(near, to) + 2 * space.step);
    tree.begin(from);
    for (let length = 0; length < most; ) {
      reached.set(near);
      const state = space.stepTowards(reached, to);
      if (state === 0) break;
      if (state === 2) {
        this.arrived = space.satisfiesBounds(reached) && motion.isMotionValid(near, reached);
        break;
      }
      if (!motion.isMotionValid(near, reached)) break;
      length += space.distance(near, reached);
      tree.addStep(reached);
      near.set(reached);
    }
    return tree.end();
  }

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

  private pruneBlocked(tree: WalkTree, last: number): boolean {
    const { parent } = tree.nodes;
    let blocked = -1;
    for (let node = last; ; node = parent[node]) {
      const states = tree.walkTo(node);
      for (let i = 1; i < states.length; i++) {
        if (this.verify!.isMotionValid(states[i - 1], states[i])) continue;
        if (this.watch.wasOver) return false;
        blocked = node;
        break;
      }
      if (parent[node] === node) break;
    }
    if (blocked < 0) return true;
    tree.nodes.remove(blocked);
    return false;
  }
}
