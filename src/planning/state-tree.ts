/**
 * A tree of states that only grows: states, parents and nearest-neighbour search for sampling planners.
 *
 *   states  Float64Array  `dimension` per node, in the order of insertion; a parent comes before its children
 *   parent  Int32Array    1 per node, its own index at a root
 *
 * Nearest: in Euclidean spaces k-d trees over the older nodes and a scan of the newest, otherwise one call of the space's
 * distance per node. Ties go to the older node.
 * Removing a node (a motion that turned out blocked) takes its descendants with it: they stay stored but are never
 * found again.
 */
import { NearestForest } from './nearest-forest.js';
import type { StateSpace } from './types.js';

export class StateTree {
  size = 0;
  states: Float64Array;
  parent: Int32Array = new Int32Array(64);
  /** Distance of the node that `nearest` returned last. */
  nearestDistance = Infinity;
  /** `states` times the space's scale, where it has one. */
  private scaled: Float64Array;
  private removed: Uint8Array = new Uint8Array(64);
  private readonly dimension: number;
  private readonly scale: Float64Array | undefined;
  private readonly query: Float64Array;
  private readonly forest: NearestForest;

  constructor(private readonly space: StateSpace) {
    this.dimension = space.dimension;
    this.scale = space.euclideanScale;
    this.states = new Float64Array(64 * this.dimension);
    this.scaled = new Float64Array(this.scale ? 64 * this.dimension : 0);
    this.query = new Float64Array(this.dimension);
    this.forest = new NearestForest(this.dimension);
  }

  /** `parent` -1 makes a root. Returns the index of the new node. */
  add(state: Float64Array, parent: number): number {
    const { dimension, scale } = this;
    if (this.size === this.parent.length) this.grow();
    const node = this.size++;
    this.states.set(state, node * dimension);
    if (scale) for (let k = 0; k < dimension; k++) this.scaled[node * dimension + k] = state[k] * scale[k];
    this.parent[node] = parent < 0 ? node : parent;
    return node;
  }

  /** Copies the state of a node. */
  read(out: Float64Array, node: number): Float64Array {
    const { dimension, states } = this;
    for (let k = 0; k < dimension; k++) out[k] = states[node * dimension + k];
    return out;
  }

  /** Nearest node to `state`, -1 if none is left; writes `nearestDistance`. */
  nearest(state: Float64Array): number {
    return this.scale ? this.nearestScaled(state, this.scale) : this.nearestByDistance(state);
  }

  /** States from a root down to `node`, both ends included. */
  pathTo(node: number): Float64Array[] {
    const path: Float64Array[] = [];
    for (;;) {
      path.push(this.read(new Float64Array(this.dimension), node));
      if (this.parent[node] === node) return path.reverse();
      node = this.parent[node];
    }
  }

  remove(node: number): void {
    const { removed, parent, scaled, dimension } = this;
    for (let i = node; i < this.size; i++) {
      if (i !== node && removed[parent[i]] === 0) continue;
      removed[i] = 1;
      // An infinite coordinate keeps the scan free of a test for removal.
      if (this.scale) scaled[i * dimension] = Infinity;
    }
  }

  private nearestScaled(state: Float64Array, scale: Float64Array): number {
    const { dimension, scaled, query, size } = this;
    for (let k = 0; k < dimension; k++) query[k] = state[k] * scale[k];
    this.forest.absorb(scaled, size);
    this.forest.search(query, this.removed);
    let { best, bestPoint: bestNode } = this.forest;
    for (let node = this.forest.count, o = node * dimension; node < size; node++, o += dimension) {
      let sum = 0;
      for (let k = 0; k < dimension; k++) {
        const d = scaled[o + k] - query[k];
        sum += d * d;
        if (sum >= best) break;
      }
      if (sum < best) {
        best = sum;
        bestNode = node;
      }
    }
    this.nearestDistance = Math.sqrt(best);
    return bestNode;
  }

  private nearestByDistance(state: Float64Array): number {
    const { dimension, states, space, removed } = this;
    let best = Infinity;
    let bestNode = -1;
    for (let node = 0; node < this.size; node++) {
      if (removed[node] === 1) continue;
      const distance = space.distance(states.subarray(node * dimension, (node + 1) * dimension), state);
      if (distance < best) {
        best = distance;
        bestNode = node;
      }
    }
    this.nearestDistance = best;
    return bestNode;
  }

  private grow(): void {
    const states = new Float64Array(2 * this.states.length);
    states.set(this.states);
    const scaled = new Float64Array(2 * this.scaled.length);
    scaled.set(this.scaled);
    const parent = new Int32Array(2 * this.parent.length);
    parent.set(this.parent);
    const removed = new Uint8Array(2 * this.removed.length);
    removed.set(this.removed);
    this.states = states;
    this.scaled = scaled;
    this.parent = parent;
    this.removed = removed;
  }
}
