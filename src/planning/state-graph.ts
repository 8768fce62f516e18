/**
 * A graph of states for roadmaps and for trees that are rewired: neighbours by number or radius, edges, costs from roots, removal.
 *
 *   states   `dimension` numbers per node, in the order of insertion; numbers of nodes stay what they are
 *   edges    undirected, each with a length; an edge is asked for by its two nodes
 *   tree     a node may have a parent: `costs` are then the lengths of the ways from the roots (Infinity without one), kept right for
 *            all descendants when a node gets another parent (rewiring) or an edge on the way changes
 * Removing a node takes its edges with it and makes its children roots without a cost.
 * Neighbours: from trees over the older nodes and a scan of the newest (neighbour-forest.ts), sorted by distance; of two as far, the
 * older first.
 * Source of rewiring: Karaman, Frazzoli 2011, "Sampling-based algorithms for optimal motion planning", doi:10.1177/0278364911406761;
 * shortest ways by A*: Hart, Nilsson, Raphael 1968, "A formal basis for the heuristic determination of minimum cost paths",
 * doi:10.1109/TSSC.1968.300136.
 * Cost: neighbours see neighbour-forest.ts; rewiring O(descendants); a shortest way O(edges log edges).
 * Tested by state-graph.test.ts.
 */
import { MisuseError } from '../math/misuse.js';
import { KeyedQueue } from './keyed-queue.js';
import { NeighbourForest, type NeighbourSink } from './neighbour-forest.js';
import { requireSpace } from './requests.js';
import type { StateSpace } from './types.js';

export class StateGraph {
  /** Nodes ever added; numbers of removed ones are not used again. */
  size = 0;
  states: Float64Array;
  parents: Int32Array = new Int32Array(64);
  /** Length of the way from a root; Infinity where there is none. */
  costs: Float64Array = new Float64Array(64);
  private scaled: Float64Array;
  private isRemoved: Uint8Array = new Uint8Array(64);
  private readonly edges: Map<number, number>[] = [];
  private readonly children: Set<number>[] = [];
  private readonly dimension: number;
  private readonly query: Float64Array;
  private readonly forest: NeighbourForest;
  private readonly best = new Nearest();

  constructor(private readonly space: StateSpace) {
    this.dimension = space.dimension;
    this.states = new Float64Array(64 * this.dimension);
    this.scaled = new Float64Array(space.euclideanScale ? 64 * this.dimension : 0);
    this.query = new Float64Array(this.dimension);
    this.forest = new NeighbourForest(space);
  }

  /** Number of the new node, which has no edges and no parent. */
  add(state: Float64Array): number {
    const { dimension } = this;
    const scale = this.space.euclideanScale;
    if (this.size === this.parents.length) this.grow();
    const node = this.size++;
    this.states.set(state, node * dimension);
    if (scale) for (let k = 0; k < dimension; k++) this.scaled[node * dimension + k] = state[k] * scale[k];
    this.parents[node] = -1;
    this.costs[node] = Infinity;
    this.edges.push(new Map());
    this.children.push(new Set());
    return node;
  }

  has(node: number): boolean {
    return node >= 0 && node < this.size && this.isRemoved[node] === 0;
  }

  /** Copies the state of a node. */
  read(out: Float64Array, node: number): Float64Array {
    for (let k = 0; k < this.dimension; k++) out[k] = this.states[node * this.dimension + k];
    return out;
  }

  connect(a: number, b: number, length: number): void {
    this.requireNode('connect', a);
    this.requireNode('connect', b);
    if (a === b || !(length >= 0))
      throw new MisuseError(`connect: got ${a}, ${b} and length ${length}, expected two nodes and 0 or more`);
    this.edges[a].set(b, length);
    this.edges[b].set(a, length);
    if (this.parents[a] === b) this.recost(a);
    if (this.parents[b] === a) this.recost(b);
  }

  /** Takes an edge away; a child behind it loses its parent. */
  disconnect(a: number, b: number): void {
    this.edges[a]?.delete(b);
    this.edges[b]?.delete(a);
    if (this.parents[a] === b) this.cutOff(a);
    if (this.parents[b] === a) this.cutOff(b);
  }

  /** Length of the edge, undefined where there is none. */
  lengthOf(a: number, b: number): number | undefined {
    return this.edges[a]?.get(b);
  }

  neighbours(node: number): IterableIterator<number> {
    return this.edges[node].keys();
  }

  remove(node: number): void {
    if (!this.has(node)) return;
    for (const other of [...this.edges[node].keys()]) this.disconnect(node, other);
    this.cutOff(node);
    this.isRemoved[node] = 1;
  }

  /** Makes a node a root: the way to it has length 0. */
  setRoot(node: number): void {
    this.requireNode('setRoot', node);
    this.cutOff(node);
    this.costs[node] = 0;
    for (const child of this.children[node]) this.recost(child);
  }

  /** Gives a node a (new) parent, with which it shares an edge; costs of what is behind it follow. Refuses what would be a circle. */
  rewire(node: number, parent: number): void {
    if (this.lengthOf(node, parent) === undefined)
      throw new MisuseError(`rewire: parent, got ${parent}, expected a node with an edge to ${node}`);
    for (let up = parent; up >= 0; up = this.parents[up])
      if (up === node)
        throw new MisuseError(`rewire: parent, got ${parent}, expected none of the descendants of ${node}`);
    if (this.parents[node] >= 0) this.children[this.parents[node]].delete(node);
    this.parents[node] = parent;
    this.children[parent].add(node);
    this.recost(node);
  }

  /** The k nearest nodes, nearest first: their numbers go to `out` and their distances to `distances`; returns how many there are. */
  nearest(out: Int32Array, distances: Float64Array, state: Float64Array, k: number): number {
    return this.search(out, distances, state, Math.min(k, out.length), Infinity);
  }

  /** The nodes within `radius`, nearest first, at most as many as `out` holds. */
  within(out: Int32Array, distances: Float64Array, state: Float64Array, radius: number): number {
    return this.search(out, distances, state, out.length, radius);
  }

  /** States from the root down to a node. */
  wayTo(node: number): Float64Array[] {
    const way: Float64Array[] = [];
    for (let at = node; at >= 0; at = this.parents[at]) way.push(this.read(new Float64Array(this.dimension), at));
    return way.reverse();
  }

  /**
   * Nodes of the shortest way along edges, both ends included; empty where there is none. `isFree` is asked about edges of the way found,
   * and those that are not are taken away before it is looked for again (a lazy roadmap).
   */
  shortestWay(from: number, to: number, isFree?: (a: number, b: number) => boolean): number[] {
    for (;;) {
      const way = this.findShortestWay(from, to);
      let isWhole = true;
      for (let i = 1; i < way.length && isFree; i++) {
        if (isFree(way[i - 1], way[i])) continue;
        this.disconnect(way[i - 1], way[i]);
        isWhole = false;
        break;
      }
      if (isWhole) return way;
    }
  }

  private findShortestWay(from: number, to: number): number[] {
    const { dimension, states, space } = this;
    const goal = states.subarray(to * dimension, (to + 1) * dimension);
    const left = (node: number): number =>
      space.distance(states.subarray(node * dimension, (node + 1) * dimension), goal);
    const lengths = new Map([[from, 0]]);
    const before = new Map<number, number>();
    const closed = new Set<number>();
    const queue = new KeyedQueue();
    queue.push(from, left(from));
    for (let node = queue.pop(); node >= 0; node = queue.pop()) {
      if (node === to) break;
      if (closed.has(node)) continue;
      closed.add(node);
      for (const [other, length] of this.edges[node]) {
        const total = lengths.get(node)! + length;
        if (closed.has(other) || total >= (lengths.get(other) ?? Infinity)) continue;
        lengths.set(other, total);
        before.set(other, node);
        queue.push(other, total + left(other));
      }
    }
    if (!lengths.has(to)) return [];
    const way = [to];
    while (way[way.length - 1] !== from) way.push(before.get(way[way.length - 1])!);
    return way.reverse();
  }

  private requireNode(call: string, node: number): void {
    if (!this.has(node))
      throw new MisuseError(`${call}: node, got ${node}, expected the number of a node that is not removed`);
  }

  /** Takes a node off its parent; it and what is behind it have no cost then. */
  private cutOff(node: number): void {
    if (this.parents[node] >= 0) this.children[this.parents[node]].delete(node);
    this.parents[node] = -1;
    this.costs[node] = Infinity;
    for (const child of this.children[node]) this.recost(child);
  }

  /** Costs of a node with a parent, and of all behind it; no recursion. */
  private recost(node: number): void {
    const open = [node];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const parent = this.parents[at];
      this.costs[at] = this.costs[parent] + (this.edges[at].get(parent) ?? Infinity);
      for (const child of this.children[at]) open.push(child);
    }
  }

  private search(out: Int32Array, distances: Float64Array, state: Float64Array, k: number, radius: number): number {
    const { dimension, space, scaled, states, isRemoved, forest, best, query } = this;
    const scale = space.euclideanScale;
    if (k === 0) return 0;
    best.start(k, scale ? radius * radius : radius);
    // The newest first: they are few, and make the radius of what follows small.
    forest.absorb(states, this.size);
    if (scale) for (let c = 0; c < dimension; c++) query[c] = state[c] * scale[c];
    for (let node = forest.count, o = node * dimension; node < this.size; node++, o += dimension) {
      if (isRemoved[node] === 1) continue;
      let key = 0;
      if (scale) {
        for (let c = 0; c < dimension; c++) {
          const d = scaled[o + c] - query[c];
          key += d * d;
        }
      } else key = space.distance(states.subarray(o, o + dimension), state);
      if (key <= best.limit) best.offer(node, key);
    }
    forest.search(state, best, isRemoved);
    return best.take(out, distances, scale !== undefined);
  }

  private grow(): void {
    const room = 2 * this.parents.length;
    const larger = <T extends Float64Array | Int32Array | Uint8Array>(out: T, from: T): T => {
      out.set(from);
      return out;
    };
    this.states = larger(new Float64Array(room * this.dimension), this.states);
    this.scaled = larger(new Float64Array(this.scaled.length > 0 ? room * this.dimension : 0), this.scaled);
    this.parents = larger(new Int32Array(room), this.parents);
    this.costs = larger(new Float64Array(room), this.costs);
    this.isRemoved = larger(new Uint8Array(room), this.isRemoved);
  }
}

/** The k best of what is offered, the farthest on top of a heap; of two as far, the younger. */
class Nearest implements NeighbourSink {
  limit = Infinity;
  private most = 0;
  private size = 0;
  private nodes: Int32Array = new Int32Array(16);
  private keys: Float64Array = new Float64Array(16);

  start(most: number, limit: number): void {
    this.most = most;
    this.limit = limit;
    this.size = 0;
  }

  offer(node: number, key: number): void {
    if (this.size === this.most) {
      if (key > this.keys[0] || (key === this.keys[0] && node > this.nodes[0])) return;
      this.dropFarthest();
    }
    if (this.size === this.keys.length) this.grow();
    let i = this.size++;
    this.nodes[i] = node;
    this.keys[i] = key;
    for (let up = (i - 1) >> 1; i > 0 && this.isFarther(i, up); i = up, up = (i - 1) >> 1) this.swap(i, up);
    if (this.size === this.most) this.limit = Math.min(this.limit, this.keys[0]);
  }

  /** Empties it, nearest first. */
  take(out: Int32Array, distances: Float64Array, isSquared: boolean): number {
    const found = this.size;
    for (let i = found - 1; i >= 0; i--) {
      out[i] = this.nodes[0];
      distances[i] = isSquared ? Math.sqrt(this.keys[0]) : this.keys[0];
      this.dropFarthest();
    }
    return found;
  }

  private isFarther(i: number, j: number): boolean {
    const { keys, nodes } = this;
    return keys[i] > keys[j] || (keys[i] === keys[j] && nodes[i] > nodes[j]);
  }

  private dropFarthest(): void {
    const last = --this.size;
    this.nodes[0] = this.nodes[last];
    this.keys[0] = this.keys[last];
    for (let i = 0; ; ) {
      let down = 2 * i + 1;
      if (down + 1 < last && this.isFarther(down + 1, down)) down++;
      if (down >= last || !this.isFarther(down, i)) return;
      this.swap(i, down);
      i = down;
    }
  }

  private swap(i: number, j: number): void {
    const { keys, nodes } = this;
    [keys[i], keys[j]] = [keys[j], keys[i]];
    [nodes[i], nodes[j]] = [nodes[j], nodes[i]];
  }

  private grow(): void {
    const nodes = new Int32Array(2 * this.nodes.length);
    const keys = new Float64Array(2 * this.keys.length);
    nodes.set(this.nodes);
    keys.set(this.keys);
    this.nodes = nodes;
    this.keys = keys;
  }
}

/** An empty graph. Throws on what is no space. */
export function createStateGraph(space: StateSpace): StateGraph {
  requireSpace('createStateGraph', space);
  return new StateGraph(space);
}
