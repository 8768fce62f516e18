/**
 * A binary tree of boxes in flat arrays: storage, refit and its cost measure. Traversals, building and insertion
 * live in their own files and are shared by the static and the dynamic tree.
 *
 *   boxes   Float64Array  6 per node   [minX minY minZ maxX maxY maxZ]
 *   child   Int32Array    2 per node   inner: left node, right node; leaf: ~proxy id (negative), unused
 *   parent  Int32Array    1 per node   -1 at the root; links the free list when the node is free
 *   dirty   Uint8Array    1 per node   1 when a leaf below has moved since the last refit
 *   cost    Float64Array  1 per node   sum of half areas of the inner nodes of the subtree
 *
 * Refit is lazy: a moved leaf marks its ancestors, stopping at the first one already marked, and the next query
 * recomputes just the marked nodes, bottom up. k moved leaves cost O(k log n), all leaves O(n). After a build nodes come behind their
 * parents (`isOrdered`), and all of them are recomputed by one loop from the last to the first.
 * The cost measure is the surface-area heuristic up to constants: Goldsmith, Salmon 1987, "Automatic creation of
 * object hierarchies for ray tracing", doi:10.1109/MCG.1987.276983. It is stored per subtree, not accumulated,
 * so it never drifts.
 */
import { BOX_STRIDE, halfAreaOfBox } from './box.js';

export class BoxTree {
  root = -1;
  /** Every node has a larger number than its parent, and none is free. */
  isOrdered = false;
  boxes = new Float64Array(0);
  child = new Int32Array(0);
  parent = new Int32Array(0);
  dirty = new Uint8Array(0);
  cost = new Float64Array(0);
  /** Changes when nodes come or go: then any of them may have other children. */
  topology = 0;
  /** For `reader`, who copies the tree: what `refitDirty` has recomputed since the count was set to 0; -1: more than have room, or all. */
  reader: object | null = null;
  refitted = new Int32Array(0);
  refittedCount = -1;
  private capacity = 0;
  private used = 0;
  private free = -1;
  private stack = new Int32Array(64);

  /** Nodes in use, or free again: all are below this number. */
  get nodeCount(): number {
    return this.used;
  }

  /** Forgets all nodes and makes room for `nodes` of them. */
  reset(nodes: number): void {
    this.topology++;
    this.root = -1;
    this.used = 0;
    this.free = -1;
    this.reserve(nodes);
  }

  /** Returns an unlinked node. */
  allocateNode(): number {
    this.topology++;
    this.isOrdered = false;
    let node = this.free;
    if (node >= 0) this.free = this.parent[node];
    else {
      if (this.used === this.capacity) this.reserve(Math.max(16, this.capacity * 2));
      node = this.used++;
    }
    this.parent[node] = -1;
    this.dirty[node] = 0;
    this.cost[node] = 0;
    return node;
  }

  /** After `reset`: this many unlinked nodes, from number 0 on. */
  allocateNodes(count: number): void {
    this.topology++;
    this.used = count;
    this.dirty.fill(0, 0, count);
    this.cost.fill(0, 0, count);
  }

  freeNode(node: number): void {
    this.topology++;
    this.isOrdered = false;
    this.parent[node] = this.free;
    this.free = node;
  }

  isLeaf(node: number): boolean {
    return this.child[2 * node] < 0;
  }

  /** Marks everything above `node` for the next refit. */
  markAncestors(node: number): void {
    const { parent, dirty } = this;
    for (let p = parent[node]; p >= 0 && dirty[p] === 0; p = parent[p]) dirty[p] = 1;
  }

  /** Recomputes box and cost of one inner node from its children. */
  refitNode(node: number): void {
    const { boxes, child, cost } = this;
    const left = child[2 * node];
    const right = child[2 * node + 1];
    const o = node * BOX_STRIDE;
    const l = left * BOX_STRIDE;
    const r = right * BOX_STRIDE;
    // A loop here takes twice the time.
    const x0 = Math.min(boxes[l], boxes[r]);
    const y0 = Math.min(boxes[l + 1], boxes[r + 1]);
    const z0 = Math.min(boxes[l + 2], boxes[r + 2]);
    const x1 = Math.max(boxes[l + 3], boxes[r + 3]);
    const y1 = Math.max(boxes[l + 4], boxes[r + 4]);
    const z1 = Math.max(boxes[l + 5], boxes[r + 5]);
    boxes[o] = x0;
    boxes[o + 1] = y0;
    boxes[o + 2] = z0;
    boxes[o + 3] = x1;
    boxes[o + 4] = y1;
    boxes[o + 5] = z1;
    cost[node] = cost[left] + cost[right] + halfAreaOfBox(boxes, o);
  }

  /** Recomputes the marked nodes bottom up. */
  refitDirty(): void {
    const { child, dirty } = this;
    if (this.root < 0 || dirty[this.root] === 0) return;
    let stack = this.stack;
    let top = 0;
    stack[0] = this.root;
    while (top >= 0) {
      const node = stack[top];
      const left = child[2 * node];
      const right = child[2 * node + 1];
      if (top + 1 === stack.length) {
        const grown = new Int32Array(stack.length * 2);
        grown.set(stack);
        this.stack = stack = grown;
      }
      if (dirty[left] === 1) stack[++top] = left;
      else if (dirty[right] === 1) stack[++top] = right;
      else {
        this.refitNode(node);
        dirty[node] = 0;
        top--;
        if (this.refittedCount === this.refitted.length) this.refittedCount = -1;
        if (this.refittedCount >= 0) this.refitted[this.refittedCount++] = node;
      }
    }
  }

  /** Recomputes all nodes of an ordered tree, leaves from the boxes of their proxies. */
  refitAll(proxyBoxes: Float64Array): void {
    const { child, boxes } = this;
    this.refittedCount = -1;
    for (let node = this.used - 1; node >= 0; node--) {
      const item = child[2 * node];
      if (item >= 0) {
        this.refitNode(node);
        continue;
      }
      const o = node * BOX_STRIDE;
      const e = ~item * BOX_STRIDE;
      boxes[o] = proxyBoxes[e];
      boxes[o + 1] = proxyBoxes[e + 1];
      boxes[o + 2] = proxyBoxes[e + 2];
      boxes[o + 3] = proxyBoxes[e + 3];
      boxes[o + 4] = proxyBoxes[e + 4];
      boxes[o + 5] = proxyBoxes[e + 5];
    }
    this.dirty.fill(0, 0, this.used);
  }

  private reserve(nodes: number): void {
    if (nodes <= this.capacity) return;
    const boxes = new Float64Array(nodes * BOX_STRIDE);
    boxes.set(this.boxes);
    const child = new Int32Array(nodes * 2);
    child.set(this.child);
    const parent = new Int32Array(nodes);
    parent.set(this.parent);
    const dirty = new Uint8Array(nodes);
    dirty.set(this.dirty);
    const cost = new Float64Array(nodes);
    cost.set(this.cost);
    this.boxes = boxes;
    this.child = child;
    this.parent = parent;
    this.dirty = dirty;
    this.cost = cost;
    this.capacity = nodes;
  }
}
