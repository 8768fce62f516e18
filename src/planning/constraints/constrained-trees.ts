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
import { TreePair } from '../planners/tree-pair.js';
import type { TreeSettings, Trees } from '../planners/trees.js';
import { StateTree } from '../state-tree.js';
import type { StopWatch } from '../stopping.js';
import type { MotionValidator, StateCoordinates, StateSpace } from '../types.js';

/** What trees ask of the space that they walk in. */
export interface WalkSpace extends StateSpace {
  readonly step: number;
  /** A walk's state q goes one step on towards `to`: 1, or 2 where it arrives; 0 where it cannot, with q anywhere. */
  stepTowards(q: Float64Array, to: Float64Array): 0 | 1 | 2;
  /** Length of that step. */
  readonly travelled: number;
}

/** Walks that are so many times longer than the distance go astray. */
const LONGEST = 4;

/** Steps of walks between the nodes that draws can be nearest to. */
const NODE_SPACING = 16;

/** A tree of walks: nodes that are searched, and all steps between a node and the one before it. */
class WalkTree {
  readonly nodes: StateTree;
  /** Steps so far. */
  size = 0;
  private steps: Float64Array;
  /** Of each node: its first step and the one after its last, which is the node itself. */
  private readonly firsts: number[] = [];
  private readonly ends: number[] = [];
  private readonly scratch: Float64Array;
  private last = -1;
  private first = 0;

  constructor(space: StateSpace) {
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
    this.first = this.size;
  }

  addStep(state: Float64Array): void {
    const at = this.size * state.length;
    if (at === this.steps.length) {
      const steps = new Float64Array(2 * at);
      steps.set(this.steps);
      this.steps = steps;
    }
    for (let k = 0; k < state.length; k++) this.steps[at + k] = state[k];
    this.size++;
    if (this.size - this.first === NODE_SPACING) this.close();
  }

  /** Its last node, which may be where it began. */
  end(): number {
    if (this.size > this.first) this.close();
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
    const { scratch, steps, size } = this;
    for (let k = 0; k < scratch.length; k++) scratch[k] = steps[(size - 1) * scratch.length + k];
    this.last = this.nodes.add(scratch, this.last);
    this.firsts.push(this.first);
    this.ends.push(size);
    this.first = size;
  }
}

export class ConstrainedTrees extends TreePair<WalkTree> implements Trees {
  /** `coordinates` are those of the space around; `motion` decides the short straight motions of walks. */
  constructor(
    settings: TreeSettings,
    private readonly space: WalkSpace,
    coordinates: StateCoordinates,
    private readonly motion: MotionValidator,
    verify: MotionValidator | null,
    watch: StopWatch,
  ) {
    super(settings, coordinates, new WalkTree(space), new WalkTree(space), verify, watch);
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

  protected nodesOf(tree: WalkTree): StateTree {
    return tree.nodes;
  }

  protected iterate(): void {
    const { sample, target, settings, growing: tree, opposite: other } = this;
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
      for (let k = 0; k < near.length; k++) reached[k] = near[k];
      const state = space.stepTowards(reached, to);
      if (state === 0) break;
      if (state === 2) {
        this.arrived = space.satisfiesBounds(reached) && motion.isMotionValid(near, reached);
        break;
      }
      if (!motion.isMotionValid(near, reached)) break;
      length += space.travelled;
      tree.addStep(reached);
      for (let k = 0; k < near.length; k++) near[k] = reached[k];
    }
    return tree.end();
  }

  protected pruneBlocked(tree: WalkTree, last: number): boolean {
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
