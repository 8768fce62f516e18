/**
 * Shortest ways in a graph whose edges are known, unknown or blocked: flat arrays, for many searches one after the other.
 *
 *   edge   two nodes, a cost, what is known of it; lists of edges per node are linked by `next` (2 e + side)
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
  private costs = new Float64Array(128);
  private states = new Uint8Array(128);
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

  addEdge(a: number, b: number, cost: number): number {
    const edge = this.edgeCount++;
    if (edge === this.costs.length) this.growEdges();
    this.costs[edge] = cost;
    this.states[edge] = 0;
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
    return this.states[edge];
  }

  costOf(edge: number): number {
    return this.costs[edge];
  }

  know(edge: number, state: number, cost: number): void {
    this.states[edge] = state;
    this.costs[edge] = cost;
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
    const { costs, ends, nexts, heads, states, stamps, lengths, comings, isClosed, lefts } = this;
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
        if (states[half >> 1] !== BLOCKED) reach(ends[half ^ 1], lengths[node] + costs[half >> 1], half);
    }
    return null;
  }

  /** All nodes that edges in this state lead to, each with the node before it (-1 at the start), in the order of their distance in edges. */
  reachable(start: number, state: number): Map<number, number> {
    const before = new Map([[start, -1]]);
    for (const node of before.keys())
      for (let half = this.heads[node]; half >= 0; half = this.nexts[half]) {
        const other = this.ends[half ^ 1];
        if (this.states[half >> 1] === state && !before.has(other)) before.set(other, node);
      }
    return before;
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
    this.costs = enlarge(new Float64Array(room), this.costs);
    this.states = enlarge(new Uint8Array(room), this.states);
  }
}

function enlarge<T extends Float64Array | Int32Array | Uint8Array>(out: T, from: T): T {
  out.set(from);
  return out;
}
