/**
 * What the static and the dynamic tree have in common: proxies with exact boxes over a `BoxTree`, and all queries.
 * Boxes that are open (half-spaces) or larger than any tree can weigh are kept aside in a list and tested one by one.
 */
import type { NumericArray } from '../math/vec3.js';
import {
  BOX_STRIDE,
  containsPoint,
  copyBox,
  isBounded,
  overlapBoxes,
  prepareRay,
  rayHitsBox,
  requireBox,
  requireMargin,
  squaredGapOfBoxes,
} from './box.js';
import { BoxTree } from './box-tree.js';
import type { FixedBroadPhase, NearPairQuery, NearPairVisitor, PairVisitor, ProxyVisitor } from './broad-phase.js';
import {
  Traversal,
  visitBox,
  visitCrossPairs,
  visitNearPairs,
  visitPoint,
  visitRay,
  visitSelfPairs,
} from './traverse.js';

/** Values of `leafOf` for proxies without a leaf. */
export const NOT_A_PROXY = -1;
export const UNBOUNDED = -2;
export const PENDING = -3;

export abstract class ProxyTree implements FixedBroadPhase, NearPairQuery {
  readonly tree = new BoxTree();
  /** Exact boxes, 6 per proxy id. */
  exact = new Float64Array(0);
  /** Leaf node of each proxy id, or one of the constants above. */
  leafOf = new Int32Array(0);
  /** Ids of proxies kept outside the tree, in the order they came. */
  readonly unbounded: number[] = [];
  protected proxyCount = 0;
  private tests = 0;
  private readonly traversals: Traversal[] = [];
  private running = 0;

  protected constructor(
    protected readonly name: string,
    protected readonly fatMargin: number,
  ) {}

  get size(): number {
    return this.proxyCount;
  }

  get boxTests(): number {
    return this.tests;
  }

  resetCounts(): void {
    this.tests = 0;
  }

  /** Sum of the half areas of all inner boxes: grows as links move apart and the tree gets worse. */
  get cost(): number {
    this.refresh();
    return this.tree.root < 0 ? 0 : this.tree.cost[this.tree.root];
  }

  /** Brings the tree up to date before a query. */
  protected abstract refresh(): void;

  update(id: number, box: NumericArray): void {
    const leaf = this.requireProxy('update', id);
    const { exact } = this;
    const o = id * BOX_STRIDE;
    if (
      exact[o] === box[0] &&
      exact[o + 1] === box[1] &&
      exact[o + 2] === box[2] &&
      exact[o + 3] === box[3] &&
      exact[o + 4] === box[4] &&
      exact[o + 5] === box[5]
    )
      return;
    this.requireIdle('update');
    requireBox('update', box);
    copyBox(exact, o, box);
    const bounded = isBounded(box);
    if (leaf >= 0 && bounded) this.moveLeaf(id, leaf);
    else if (leaf >= 0 || (leaf === UNBOUNDED && bounded)) this.changeResidence(id, bounded);
  }

  pairs(visit: PairVisitor, margin = 0): void {
    requireMargin('pairs', margin);
    const traversal = this.begin();
    try {
      if (!visitSelfPairs(this.tree, this.exactOrNull(), margin, traversal, visit)) return;
      const { unbounded, exact } = this;
      for (let i = 0; i < unbounded.length; i++) {
        const id = unbounded[i];
        const box = this.boxOf(id);
        const ordered: ProxyVisitor = (other) => (id < other ? visit(id, other) : visit(other, id));
        if (!visitBox(this.tree, this.exactOrNull(), box, margin, traversal, ordered)) return;
        for (let j = 0; j < i; j++) {
          traversal.boxTests++;
          const other = unbounded[j];
          if (overlapBoxes(exact, other * BOX_STRIDE, box, 0, margin) && ordered(other) === false) return;
        }
      }
    } finally {
      this.end(traversal);
    }
  }

  nearPairs(radius: number, visit: NearPairVisitor): void {
    requireMargin('nearPairs', radius);
    if (radius < 0) return;
    const traversal = this.begin();
    try {
      const { unbounded, exact } = this;
      let reach = radius;
      // Boxes outside the tree first: they have gap 0 to nearly everything and shrink the radius early.
      for (let i = 0; i < unbounded.length; i++) {
        const id = unbounded[i];
        const near = (other: number): boolean => {
          const squaredGap = squaredGapOfBoxes(exact, id * BOX_STRIDE, exact, other * BOX_STRIDE);
          if (squaredGap > reach * reach) return true;
          const next = visit(Math.min(id, other), Math.max(id, other), Math.sqrt(squaredGap));
          if (next !== undefined) reach = next as number;
          return reach >= 0;
        };
        if (!visitBox(this.tree, null, this.boxOf(id), reach, traversal, near)) return;
        for (let j = 0; j < i; j++) {
          traversal.boxTests++;
          if (!near(unbounded[j])) return;
        }
      }
      visitNearPairs(this.tree, exact, reach, traversal, visit);
    } finally {
      this.end(traversal);
    }
  }

  queryBox(box: NumericArray, visit: ProxyVisitor): void {
    requireBox('queryBox', box);
    const traversal = this.begin();
    try {
      const { region } = traversal;
      copyBox(region, 0, box);
      if (!visitBox(this.tree, this.exactOrNull(), region, 0, traversal, visit)) return;
      for (const id of this.unbounded) {
        traversal.boxTests++;
        if (overlapBoxes(this.exact, id * BOX_STRIDE, region, 0, 0) && visit(id) === false) return;
      }
    } finally {
      this.end(traversal);
    }
  }

  queryPoint(point: NumericArray, visit: ProxyVisitor): void {
    const x = point[0];
    const y = point[1];
    const z = point[2];
    if (point.length !== 3 || Number.isNaN(x) || Number.isNaN(y) || Number.isNaN(z))
      throw new RangeError(`queryPoint: point, got [${Array.from(point).join(', ')}], expected 3 numbers`);
    const traversal = this.begin();
    try {
      if (!visitPoint(this.tree, this.exactOrNull(), x, y, z, traversal, visit)) return;
      for (const id of this.unbounded) {
        traversal.boxTests++;
        if (containsPoint(this.exact, id * BOX_STRIDE, x, y, z) && visit(id) === false) return;
      }
    } finally {
      this.end(traversal);
    }
  }

  castRay(origin: NumericArray, direction: NumericArray, maxT: number, visit: ProxyVisitor): void {
    const ray = prepareRay('castRay', origin, direction, maxT);
    const traversal = this.begin();
    try {
      if (!visitRay(this.tree, this.exactOrNull(), ray, traversal, visit)) return;
      for (const id of this.unbounded) {
        traversal.boxTests++;
        if (rayHitsBox(ray, this.exact, id * BOX_STRIDE) && visit(id) === false) return;
      }
    } finally {
      this.end(traversal);
    }
  }

  /** Pairs (own proxy, proxy of `other`) of boxes at most `margin` apart; both trees are in the same frame. */
  pairsBetween(other: ProxyTree, visit: PairVisitor, margin = 0): void {
    requireMargin('pairsBetween', margin);
    const traversal = this.begin();
    const otherTraversal = other.begin();
    try {
      if (!visitCrossPairs(this.tree, this.exact, other.tree, other.exact, margin, traversal, visit)) return;
      for (const id of this.unbounded) {
        const box = this.boxOf(id);
        const own: ProxyVisitor = (theirs) => visit(id, theirs);
        if (!visitBox(other.tree, other.exactOrNull(), box, margin, traversal, own)) return;
        for (const theirs of other.unbounded)
          if (overlapBoxes(other.exact, theirs * BOX_STRIDE, box, 0, margin) && own(theirs) === false) return;
      }
      for (const theirs of other.unbounded) {
        const box = other.boxOf(theirs);
        if (!visitBox(this.tree, this.exactOrNull(), box, margin, traversal, (id) => visit(id, theirs))) return;
      }
    } finally {
      other.end(otherTraversal);
      this.end(traversal);
    }
  }

  /** Throws when the tree breaks one of its promises. Cost O(n); meant for tests and debugging. */
  validate(): void {
    this.refresh();
    const fail = (what: string): never => {
      throw new Error(`${this.name}.validate: ${what}`);
    };
    const { tree, exact, leafOf } = this;
    const { boxes, child, parent } = tree;
    let leaves = 0;
    const open = tree.root < 0 ? [] : [tree.root];
    if (tree.root >= 0 && parent[tree.root] !== -1) fail('the root has a parent');
    while (open.length > 0) {
      const node = open.pop()!;
      const o = node * BOX_STRIDE;
      if (tree.dirty[node] !== 0) fail(`node ${node} is still marked after a refit`);
      if (tree.isLeaf(node)) {
        const id = ~child[2 * node];
        leaves++;
        if (leafOf[id] !== node) fail(`proxy ${id} does not point back to its leaf ${node}`);
        for (let k = 0; k < 3; k++) {
          if (!(boxes[o + k] <= exact[id * BOX_STRIDE + k] && exact[id * BOX_STRIDE + k + 3] <= boxes[o + k + 3]))
            fail(`leaf ${node} does not contain proxy ${id}`);
        }
        continue;
      }
      for (let side = 0; side < 2; side++) {
        const below = child[2 * node + side];
        if (parent[below] !== node) fail(`node ${below} does not point back to its parent ${node}`);
        open.push(below);
      }
      for (let k = 0; k < 3; k++) {
        const l = child[2 * node] * BOX_STRIDE + k;
        const r = child[2 * node + 1] * BOX_STRIDE + k;
        if (boxes[o + k] !== Math.min(boxes[l], boxes[r]) || boxes[o + k + 3] !== Math.max(boxes[l + 3], boxes[r + 3]))
          fail(`node ${node} is not the union of its children`);
      }
    }
    if (leaves + this.unbounded.length !== this.proxyCount)
      fail(`${leaves} leaves and ${this.unbounded.length} unbounded boxes for ${this.proxyCount} proxies`);
    for (const id of this.unbounded) if (leafOf[id] !== UNBOUNDED) fail(`proxy ${id} is listed as unbounded`);
  }

  /** Writes the box of a leaf that stays in the tree and marks its ancestors. */
  protected moveLeaf(id: number, leaf: number): void {
    const { tree, exact, fatMargin } = this;
    const { boxes } = tree;
    const o = leaf * BOX_STRIDE;
    const e = id * BOX_STRIDE;
    if (
      fatMargin > 0 &&
      boxes[o] <= exact[e] &&
      boxes[o + 1] <= exact[e + 1] &&
      boxes[o + 2] <= exact[e + 2] &&
      exact[e + 3] <= boxes[o + 3] &&
      exact[e + 4] <= boxes[o + 4] &&
      exact[e + 5] <= boxes[o + 5]
    )
      return;
    this.writeLeafBox(id, leaf);
    tree.markAncestors(leaf);
  }

  protected writeLeafBox(id: number, leaf: number): void {
    const { exact, fatMargin } = this;
    const { boxes } = this.tree;
    const o = leaf * BOX_STRIDE;
    const e = id * BOX_STRIDE;
    boxes[o] = exact[e] - fatMargin;
    boxes[o + 1] = exact[e + 1] - fatMargin;
    boxes[o + 2] = exact[e + 2] - fatMargin;
    boxes[o + 3] = exact[e + 3] + fatMargin;
    boxes[o + 4] = exact[e + 4] + fatMargin;
    boxes[o + 5] = exact[e + 5] + fatMargin;
  }

  /** Called when a proxy's box becomes unbounded or bounded. */
  protected abstract changeResidence(id: number, bounded: boolean): void;

  protected requireProxy(operation: string, id: number): number {
    const leaf = id >= 0 && id < this.leafOf.length ? this.leafOf[id] : NOT_A_PROXY;
    if (leaf === NOT_A_PROXY || leaf === undefined)
      throw new RangeError(`${this.name}.${operation}: id, got ${id}, expected the id of a proxy that is present`);
    return leaf;
  }

  /** A visitor that changes the tree it is walking would corrupt the walk. */
  protected requireIdle(operation: string): void {
    if (this.running > 0)
      throw new Error(`${this.name}.${operation}: called from inside a visitor, expected no query to be running`);
  }

  private exactOrNull(): Float64Array | null {
    return this.fatMargin > 0 ? this.exact : null;
  }

  private boxOf(id: number): Float64Array {
    return this.exact.subarray(id * BOX_STRIDE, (id + 1) * BOX_STRIDE);
  }

  /** Starts a query: brings the tree up to date and hands out scratch of its own. Must be followed by `end`. */
  private begin(): Traversal {
    if (this.running === 0) this.refresh();
    if (this.running === this.traversals.length) this.traversals.push(new Traversal());
    const traversal = this.traversals[this.running++];
    traversal.boxTests = 0;
    return traversal;
  }

  private end(traversal: Traversal): void {
    this.running--;
    this.tests += traversal.boxTests;
  }
}
