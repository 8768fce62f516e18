/**
 * Shortest ways in a graph whose edges are known, unknown or blocked: flat arrays, for many searches one after the other.
 *
 *   edge   two nodes, a bound of its cost and the cost, what is known of it, and what of things that move; lists of edges per node are linked by
 *          `next` (2 e + side). Knowledge has the number of the epoch in which it was found: forgetting is counting it up
 * Nodes and edges that came last can be taken away again (`truncate`).
 * Method: A*; of equal sums the node of the smaller number first, so that ways do not depend on the order of the heap. Cost: O(edges log
 * nodes). Tested by roadmap.test.ts.
 */
const BLOCKED = 2;

export interface Way {
  readonly nodes: number[];
  readonly edges: number[];
  readonly cost: number;
}

export class WayFinder {
  nodeCount = 0;
  edgeCount = 0;
  /** First half-edge of a node, -1 for none. */
  private heads = new Int32Array(64);
  private ends = new Int32Array(256);
  private nexts = new Int32Array(256);
  private bounds = new Float64Array(128);
  private costs = new Float64Array(128);
  private states = new Uint8Array(128);
  private epochs = new Int32Array(128);
  private moved = new Uint8Array(128);
  private movedEpochs = new Int32Array(128);
  private epoch = 1;
  private movedEpoch = 1;
  // Of a search: stamp, cost from the start, half-edge that came in, whether it is closed, what is left at least.
  private stamps = new Int32Array(64);
  private lengths = new Float64Array(64);
  private comings = new Int32Array(64);
  private isClosed = new Uint8Array(64);
  private lefts = new Float64Array(64);
  private stamp = 0;
  private heapNodes = new Int32Array(64);
  private heapKeys = new Float64Array(64);
  private heapSize = 0;

  addNode(): number {
    const node = this.nodeCount++;
    if (node === this.heads.length) this.growNodes();
    this.heads[node] = -1;
    this.stamps[node] = 0;
    return node;
  }

  /** `bound`: what it costs until more is known. */
  addEdge(a: number, b: number, bound: number): number {
    const edge = this.edgeCount++;
    if (edge === this.costs.length) this.growEdges();
    this.bounds[edge] = bound;
    this.epochs[edge] = 0;
    this.movedEpochs[edge] = 0;
    [a, b].forEach((node, side) => {
      const half = 2 * edge + side;
      this.ends[half] = node;
      this.nexts[half] = this.heads[node];
      this.heads[node] = half;
    });
    return edge;
  }

  endsOf(edge: number): [number, number] {
    return [this.ends[2 * edge], this.ends[2 * edge + 1]];
  }

  /** -1 when they share none. */
  findEdge(a: number, b: number): number {
    for (let half = this.heads[a]; half >= 0; half = this.nexts[half]) if (this.ends[half ^ 1] === b) return half >> 1;
    return -1;
  }

  known(edge: number): number {
    return this.epochs[edge] === this.epoch ? this.states[edge] : 0;
  }

  /** Of things that move. */
  knownMoved(edge: number): number {
    return this.movedEpochs[edge] === this.movedEpoch ? this.moved[edge] : 0;
  }

  costOf(edge: number): number {
    return this.epochs[edge] === this.epoch ? this.costs[edge] : this.bounds[edge];
  }

  know(edge: number, state: number, cost: number): void {
    this.states[edge] = state;
    this.costs[edge] = cost;
    this.epochs[edge] = this.epoch;
  }

  knowMoved(edge: number, state: number): void {
    this.moved[edge] = state;
    this.movedEpochs[edge] = this.movedEpoch;
  }

  /** All motions of a node, at once: what moves touches the node itself. */
  blockMovedAround(node: number): void {
    for (let half = this.heads[node]; half >= 0; half = this.nexts[half]) this.knowMoved(half >> 1, BLOCKED);
  }

  /** All that is known, at once. */
  forget(): void {
    this.epoch++;
    this.movedEpoch++;
  }

  forgetMoved(): void {
    this.movedEpoch++;
  }

  /** Takes away all nodes and edges from these numbers on; edges of such nodes must be among them. */
  truncate(nodes: number, edges: number): void {
    for (let edge = this.edgeCount - 1; edge >= edges; edge--)
      for (const half of [2 * edge + 1, 2 * edge]) this.heads[this.ends[half]] = this.nexts[half];
    this.edgeCount = edges;
    this.nodeCount = nodes;
  }

  /** The cheapest way from a node to one of the goals, below the bound; `left` never says more than what a way on costs. */
  find(start: number, goals: readonly number[], left: (node: number) => number, bound: number): Way | null {
    const { ends, nexts, heads, stamps, lengths, comings, isClosed, lefts } = this;
    const stamp = ++this.stamp;
    this.heapSize = 0;
    const reach = (node: number, length: number, half: number): void => {
      if (stamps[node] !== stamp) {
        stamps[node] = stamp;
        isClosed[node] = 0;
        lefts[node] = left(node);
      } else if (isClosed[node] === 1 || length >= lengths[node]) return;
      if (!(length + lefts[node] < bound)) {
        lengths[node] = Infinity;
        return;
      }
      lengths[node] = length;
      comings[node] = half;
      this.push(node, length + lefts[node]);
    };
    reach(start, 0, -1);
    for (let node = this.pop(); node >= 0; node = this.pop()) {
      if (isClosed[node] === 1) continue;
      if (goals.includes(node)) return this.describe(node);
      isClosed[node] = 1;
      for (let half = heads[node]; half >= 0; half = nexts[half])
        if (!this.isBlocked(half >> 1)) reach(ends[half ^ 1], lengths[node] + this.costOf(half >> 1), half);
    }
    return null;
  }

  /** All nodes that edges in this state lead to, each with the node before it (-1 at the start), in the order of their distance in edges. */
  reachable(start: number, state: number): Map<number, number> {
    const before = new Map([[start, -1]]);
    for (const node of before.keys())
      for (let half = this.heads[node]; half >= 0; half = this.nexts[half]) {
        const other = this.ends[half ^ 1];
        if (this.known(half >> 1) === state && !this.isBlocked(half >> 1) && !before.has(other))
          before.set(other, node);
      }
    return before;
  }

  private isBlocked(edge: number): boolean {
    return this.known(edge) === BLOCKED || this.knownMoved(edge) === BLOCKED;
  }

  private describe(goal: number): Way {
    const nodes = [goal];
    const edges: number[] = [];
    let node = goal;
    for (let half = this.comings[node]; half >= 0; half = this.comings[node]) {
      edges.push(half >> 1);
      node = this.ends[half];
      nodes.push(node);
    }
    return { nodes: nodes.reverse(), edges: edges.reverse(), cost: this.lengths[goal] };
  }

  private push(node: number, key: number): void {
    if (this.heapSize === this.heapNodes.length) {
      this.heapNodes = enlarge(new Int32Array(2 * this.heapSize), this.heapNodes);
      this.heapKeys = enlarge(new Float64Array(2 * this.heapSize), this.heapKeys);
    }
    let i = this.heapSize++;
    this.heapNodes[i] = node;
    this.heapKeys[i] = key;
    for (let up = (i - 1) >> 1; i > 0 && this.isBefore(i, up); i = up, up = (i - 1) >> 1) this.swap(i, up);
  }

  private pop(): number {
    if (this.heapSize === 0) return -1;
    const { 0: first } = this.heapNodes;
    const last = --this.heapSize;
    this.swap(0, last);
    for (let i = 0; ; ) {
      let down = 2 * i + 1;
      if (down + 1 < last && this.isBefore(down + 1, down)) down++;
      if (down >= last || !this.isBefore(down, i)) return first;
      this.swap(i, down);
      i = down;
    }
  }

  private isBefore(i: number, j: number): boolean {
    const { heapKeys: keys, heapNodes: nodes } = this;
    return keys[i] < keys[j] || (keys[i] === keys[j] && nodes[i] < nodes[j]);
  }

  private swap(i: number, j: number): void {
    const { heapKeys: keys, heapNodes: nodes } = this;
    [nodes[i], nodes[j]] = [nodes[j], nodes[i]];
    [keys[i], keys[j]] = [keys[j], keys[i]];
  }

  private growNodes(): void {
    const room = 2 * this.heads.length;
    this.heads = enlarge(new Int32Array(room), this.heads);
    this.stamps = enlarge(new Int32Array(room), this.stamps);
    this.lengths = enlarge(new Float64Array(room), this.lengths);
    this.comings = enlarge(new Int32Array(room), this.comings);
    this.isClosed = enlarge(new Uint8Array(room), this.isClosed);
    this.lefts = enlarge(new Float64Array(room), this.lefts);
  }

  private growEdges(): void {
    const room = 2 * this.costs.length;
    this.ends = enlarge(new Int32Array(2 * room), this.ends);
    this.nexts = enlarge(new Int32Array(2 * room), this.nexts);
    this.bounds = enlarge(new Float64Array(room), this.bounds);
    this.costs = enlarge(new Float64Array(room), this.costs);
    this.epochs = enlarge(new Int32Array(room), this.epochs);
    this.moved = enlarge(new Uint8Array(room), this.moved);
    this.movedEpochs = enlarge(new Int32Array(room), this.movedEpochs);
    this.states = enlarge(new Uint8Array(room), this.states);
  }
}

function enlarge<T extends Float64Array | Int32Array | Uint8Array>(out: T, from: T): T {
  out.set(from);
  return out;
}
