/**
 * The edges that a sweep line crosses, from below, in a balanced search tree with a list through it.
 *
 * A treap whose priorities are a fixed mixing of the edge's number: the same edges give the same tree. An edge is put in after a
 * known neighbour, so that comparing is left to `findBelow`, which costs O(log n) tests. Tested by region.test.ts and trapezoid-map.test.ts.
 */

const NONE = -1;

function mix(value: number): number {
  let h = Math.imul(value + 1, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  return (h ^ (h >>> 13)) >>> 0;
}

export class SweepStatus {
  private root = NONE;
  private readonly left: Int32Array;
  private readonly right: Int32Array;
  private readonly parent: Int32Array;
  private readonly before: Int32Array;
  private readonly after: Int32Array;
  private lowest = NONE;

  constructor(edgeCount: number) {
    this.left = new Int32Array(edgeCount).fill(NONE);
    this.right = new Int32Array(edgeCount).fill(NONE);
    this.parent = new Int32Array(edgeCount).fill(NONE);
    this.before = new Int32Array(edgeCount).fill(NONE);
    this.after = new Int32Array(edgeCount).fill(NONE);
  }

  /** The edge below, -1 where there is none. */
  previous(edge: number): number {
    return this.before[edge];
  }

  /** The edge above; of -1 the lowest of all. */
  next(edge: number): number {
    return edge === NONE ? this.lowest : this.after[edge];
  }

  /** The highest edge that is below, where `isBelow` holds for a lower part of the edges. */
  findBelow(isBelow: (edge: number) => boolean): number {
    let found = NONE;
    let node = this.root;
    while (node !== NONE) {
      if (isBelow(node)) {
        found = node;
        node = this.right[node];
      } else {
        node = this.left[node];
      }
    }
    return found;
  }

  /** Puts an edge right above another; below all where that is -1. */
  insertAfter(below: number, edge: number): void {
    const above = this.next(below);
    this.before[edge] = below;
    this.after[edge] = above;
    if (below === NONE) this.lowest = edge;
    else this.after[below] = edge;
    if (above !== NONE) this.before[above] = edge;
    this.left[edge] = NONE;
    this.right[edge] = NONE;
    if (this.root === NONE) {
      this.root = edge;
      this.parent[edge] = NONE;
      return;
    }
    if (below !== NONE && this.right[below] === NONE) {
      this.right[below] = edge;
      this.parent[edge] = below;
    } else {
      this.left[above] = edge;
      this.parent[edge] = above;
    }
    const priority = mix(edge);
    while (this.parent[edge] !== NONE && mix(this.parent[edge]) < priority) this.rotateUp(edge);
  }

  remove(edge: number): void {
    while (this.left[edge] !== NONE || this.right[edge] !== NONE) {
      const l = this.left[edge];
      const r = this.right[edge];
      this.rotateUp(r === NONE || (l !== NONE && mix(l) > mix(r)) ? l : r);
    }
    const parent = this.parent[edge];
    if (parent === NONE) this.root = NONE;
    else if (this.left[parent] === edge) this.left[parent] = NONE;
    else this.right[parent] = NONE;
    this.parent[edge] = NONE;
    const below = this.before[edge];
    const above = this.after[edge];
    if (below === NONE) this.lowest = above;
    else this.after[below] = above;
    if (above !== NONE) this.before[above] = below;
  }

  private rotateUp(node: number): void {
    const parent = this.parent[node];
    const grand = this.parent[parent];
    if (this.left[parent] === node) {
      const moved = this.right[node];
      this.left[parent] = moved;
      if (moved !== NONE) this.parent[moved] = parent;
      this.right[node] = parent;
    } else {
      const moved = this.left[node];
      this.right[parent] = moved;
      if (moved !== NONE) this.parent[moved] = parent;
      this.left[node] = parent;
    }
    this.parent[parent] = node;
    this.parent[node] = grand;
    if (grand === NONE) this.root = node;
    else if (this.left[grand] === parent) this.left[grand] = node;
    else this.right[grand] = node;
  }
}
