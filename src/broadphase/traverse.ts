/**
 * Queries on box trees.
 *
 * Self pairs (each once, never an object with itself): at an inner node visit (left, left), (right, right) and, when
 * their boxes overlap, (left, right). Cross pairs: descend into all children of both nodes, testing each combination
 * before it is put on the stack, so only overlapping pairs of nodes are ever stored.
 * Cost: O(n log n + pairs) on well-spread boxes, O(n^2) when all overlap. Stacks are explicit: deep trees are safe.
 * Every function returns false when the visitor stopped it, and adds the volume tests it made to `counter.boxTests`.
 * Tested by test/contract/broad-phases.test.ts against brute force.
 */
import { BOX_STRIDE, containsPoint, overlapBoxes, type PreparedRay, rayHitsBox, squaredGapOfBoxes } from './box.js';
import type { BoxTree } from './box-tree.js';
import type { NearPairVisitor, NearVisitor, PairVisitor, ProxyVisitor } from './broad-phase.js';
import { ProxyList } from './proxy-list.js';

/** Work count and scratch of one running query; nested queries use their own. */
export class Traversal {
  boxTests = 0;
  /** The box asked for, copied. */
  readonly region = new Float64Array(BOX_STRIDE);
  /** Cells of a grid, for broad phases that have one. */
  readonly range = new Int32Array(BOX_STRIDE);
  /** Proxies looked at, for queries that meet some more than once. */
  readonly seen = new ProxyList();
  stack: Int32Array = new Int32Array(256);
  gaps: Float64Array = new Float64Array(128);

  /** Doubles the stacks; returns the new one. */
  grow(): Int32Array {
    const stack = new Int32Array(this.stack.length * 2);
    stack.set(this.stack);
    const gaps = new Float64Array(this.gaps.length * 2);
    gaps.set(this.gaps);
    this.stack = stack;
    this.gaps = gaps;
    return stack;
  }
}

/** Exact boxes of the proxies when leaves are fattened, null when leaves are exact. */
export type ExactBoxes = Float64Array | null;

export function visitSelfPairs(
  tree: BoxTree,
  exact: ExactBoxes,
  margin: number,
  counter: Traversal,
  visit: PairVisitor,
): boolean {
  const { boxes, child } = tree;
  let stack = counter.stack;
  let top = 0;
  let tests = 0;
  if (tree.root >= 0) {
    stack[top++] = tree.root;
    stack[top++] = tree.root;
  }
  while (top > 0) {
    const b = stack[--top];
    const a = stack[--top];
    if (top + 8 > stack.length) stack = counter.grow();
    const leftA = child[2 * a];
    const rightA = child[2 * a + 1];
    if (a === b) {
      if (leftA < 0) continue;
      tests++;
      if (overlapBoxes(boxes, leftA * BOX_STRIDE, boxes, rightA * BOX_STRIDE, margin)) {
        stack[top++] = leftA;
        stack[top++] = rightA;
      }
      if (child[2 * rightA] >= 0) {
        stack[top++] = rightA;
        stack[top++] = rightA;
      }
      if (child[2 * leftA] >= 0) {
        stack[top++] = leftA;
        stack[top++] = leftA;
      }
      continue;
    }
    const leftB = child[2 * b];
    const rightB = child[2 * b + 1];
    if (leftA < 0) {
      if (leftB < 0) {
        const p = ~leftA;
        const q = ~leftB;
        if (exact !== null && !overlapBoxes(exact, p * BOX_STRIDE, exact, q * BOX_STRIDE, margin)) continue;
        if ((p < q ? visit(p, q) : visit(q, p)) === false) {
          counter.boxTests += tests;
          return false;
        }
        continue;
      }
      const o = a * BOX_STRIDE;
      tests += 2;
      if (overlapBoxes(boxes, o, boxes, rightB * BOX_STRIDE, margin)) {
        stack[top++] = a;
        stack[top++] = rightB;
      }
      if (overlapBoxes(boxes, o, boxes, leftB * BOX_STRIDE, margin)) {
        stack[top++] = a;
        stack[top++] = leftB;
      }
      continue;
    }
    if (leftB < 0) {
      const o = b * BOX_STRIDE;
      tests += 2;
      if (overlapBoxes(boxes, rightA * BOX_STRIDE, boxes, o, margin)) {
        stack[top++] = rightA;
        stack[top++] = b;
      }
      if (overlapBoxes(boxes, leftA * BOX_STRIDE, boxes, o, margin)) {
        stack[top++] = leftA;
        stack[top++] = b;
      }
      continue;
    }
    const la = leftA * BOX_STRIDE;
    const ra = rightA * BOX_STRIDE;
    const lb = leftB * BOX_STRIDE;
    const rb = rightB * BOX_STRIDE;
    tests += 4;
    if (overlapBoxes(boxes, ra, boxes, rb, margin)) {
      stack[top++] = rightA;
      stack[top++] = rightB;
    }
    if (overlapBoxes(boxes, ra, boxes, lb, margin)) {
      stack[top++] = rightA;
      stack[top++] = leftB;
    }
    if (overlapBoxes(boxes, la, boxes, rb, margin)) {
      stack[top++] = leftA;
      stack[top++] = rightB;
    }
    if (overlapBoxes(boxes, la, boxes, lb, margin)) {
      stack[top++] = leftA;
      stack[top++] = leftB;
    }
  }
  counter.boxTests += tests;
  return true;
}

/**
 * Pairs (proxy of `treeA`, proxy of `treeB`) of two trees in one frame. Descends the larger of the two subtrees, which
 * keeps the compared boxes of similar size.
 */
export function visitCrossPairs(
  treeA: BoxTree,
  exactA: Float64Array,
  treeB: BoxTree,
  exactB: Float64Array,
  margin: number,
  counter: Traversal,
  visit: PairVisitor,
): boolean {
  const boxesA = treeA.boxes;
  const boxesB = treeB.boxes;
  const childA = treeA.child;
  const childB = treeB.child;
  let stack = counter.stack;
  let top = 0;
  if (treeA.root >= 0 && treeB.root >= 0) {
    stack[top++] = treeA.root;
    stack[top++] = treeB.root;
  }
  while (top > 0) {
    const b = stack[--top];
    const a = stack[--top];
    if (top + 4 > stack.length) stack = counter.grow();
    counter.boxTests++;
    if (!overlapBoxes(boxesA, a * BOX_STRIDE, boxesB, b * BOX_STRIDE, margin)) continue;
    const leftA = childA[2 * a];
    const leftB = childB[2 * b];
    if (leftA < 0 && leftB < 0) {
      const p = ~leftA;
      const q = ~leftB;
      if (!overlapBoxes(exactA, p * BOX_STRIDE, exactB, q * BOX_STRIDE, margin)) continue;
      if (visit(p, q) === false) return false;
    } else if (leftB < 0 || (leftA >= 0 && treeA.cost[a] >= treeB.cost[b])) {
      stack[top++] = childA[2 * a + 1];
      stack[top++] = b;
      stack[top++] = leftA;
      stack[top++] = b;
    } else {
      stack[top++] = a;
      stack[top++] = childB[2 * b + 1];
      stack[top++] = a;
      stack[top++] = leftB;
    }
  }
  return true;
}

export function visitBox(
  tree: BoxTree,
  exact: ExactBoxes,
  box: Float64Array,
  margin: number,
  counter: Traversal,
  visit: ProxyVisitor,
): boolean {
  const { boxes, child } = tree;
  // The test of overlapBoxes, unrolled: this loop is what a step with few moves spends its time on.
  const x0 = box[0];
  const y0 = box[1];
  const z0 = box[2];
  const x1 = box[3] + margin;
  const y1 = box[4] + margin;
  const z1 = box[5] + margin;
  let stack = counter.stack;
  let top = 0;
  let tests = 0;
  let node = tree.root;
  while (node >= 0) {
    const o = node * BOX_STRIDE;
    tests++;
    if (
      boxes[o] <= x1 &&
      x0 <= boxes[o + 3] + margin &&
      boxes[o + 1] <= y1 &&
      y0 <= boxes[o + 4] + margin &&
      boxes[o + 2] <= z1 &&
      z0 <= boxes[o + 5] + margin
    ) {
      const left = child[2 * node];
      if (left >= 0) {
        if (top === stack.length) stack = counter.grow();
        stack[top++] = child[2 * node + 1];
        node = left;
        continue;
      }
      const isHit = exact === null || overlapBoxes(exact, ~left * BOX_STRIDE, box, 0, margin);
      if (isHit && visit(~left) === false) {
        counter.boxTests += tests;
        return false;
      }
    }
    node = top > 0 ? stack[--top] : -1;
  }
  counter.boxTests += tests;
  return true;
}

export function visitPoint(
  tree: BoxTree,
  exact: ExactBoxes,
  x: number,
  y: number,
  z: number,
  counter: Traversal,
  visit: ProxyVisitor,
): boolean {
  const { boxes, child } = tree;
  let stack = counter.stack;
  let top = 0;
  if (tree.root >= 0) stack[top++] = tree.root;
  while (top > 0) {
    const node = stack[--top];
    if (top + 2 > stack.length) stack = counter.grow();
    counter.boxTests++;
    if (!containsPoint(boxes, node * BOX_STRIDE, x, y, z)) continue;
    const left = child[2 * node];
    if (left >= 0) {
      stack[top++] = child[2 * node + 1];
      stack[top++] = left;
    } else {
      if (exact !== null && !containsPoint(exact, ~left * BOX_STRIDE, x, y, z)) continue;
      if (visit(~left) === false) return false;
    }
  }
  return true;
}

export function visitRay(
  tree: BoxTree,
  exact: ExactBoxes,
  ray: PreparedRay,
  counter: Traversal,
  visit: ProxyVisitor,
): boolean {
  const { boxes, child } = tree;
  let stack = counter.stack;
  let top = 0;
  if (tree.root >= 0) stack[top++] = tree.root;
  while (top > 0) {
    const node = stack[--top];
    if (top + 2 > stack.length) stack = counter.grow();
    counter.boxTests++;
    if (!rayHitsBox(ray, boxes, node * BOX_STRIDE)) continue;
    const left = child[2 * node];
    if (left >= 0) {
      stack[top++] = child[2 * node + 1];
      stack[top++] = left;
    } else {
      if (exact !== null && !rayHitsBox(ray, exact, ~left * BOX_STRIDE)) continue;
      if (visit(~left) === false) return false;
    }
  }
  return true;
}

/**
 * Self pairs within a shrinking radius, nearer node pairs first. `gaps` runs beside the stack: entry i of it belongs
 * to the node pair at 2i, 2i + 1. Returns the final radius, negative when the visitor stopped.
 */
export function visitNearPairs(
  tree: BoxTree,
  exact: Float64Array,
  radius: number,
  counter: Traversal,
  visit: NearPairVisitor,
): number {
  const { boxes, child, cost } = tree;
  let { stack, gaps } = counter;
  let limit = radius * radius;
  let top = 0;
  let tests = 0;
  if (tree.root >= 0) {
    stack[0] = stack[1] = tree.root;
    gaps[0] = 0;
    top = 1;
  }
  while (top > 0) {
    top--;
    let a = stack[2 * top];
    let b = stack[2 * top + 1];
    if (gaps[top] > limit) continue;
    if (2 * top + 8 > stack.length) {
      stack = counter.grow();
      gaps = counter.gaps;
    }
    let leftA = child[2 * a];
    if (a === b) {
      if (leftA < 0) continue;
      const right = child[2 * a + 1];
      const gap = squaredGapOfBoxes(boxes, leftA * BOX_STRIDE, boxes, right * BOX_STRIDE);
      tests++;
      if (gap <= limit) {
        stack[2 * top] = leftA;
        stack[2 * top + 1] = right;
        gaps[top++] = gap;
      }
      if (child[2 * right] >= 0) {
        stack[2 * top] = stack[2 * top + 1] = right;
        gaps[top++] = 0;
      }
      if (child[2 * leftA] >= 0) {
        stack[2 * top] = stack[2 * top + 1] = leftA;
        gaps[top++] = 0;
      }
      continue;
    }
    const leftB = child[2 * b];
    if (leftA < 0 && leftB < 0) {
      const p = Math.min(~leftA, ~leftB);
      const q = Math.max(~leftA, ~leftB);
      const gap = squaredGapOfBoxes(exact, p * BOX_STRIDE, exact, q * BOX_STRIDE);
      if (gap > limit) continue;
      const next = visit(p, q, Math.sqrt(gap));
      if (next !== undefined) radius = next as number;
      if (radius < 0) break;
      limit = radius * radius;
      continue;
    }
    // The larger one is taken apart.
    if (leftA < 0 || (leftB >= 0 && cost[a] < cost[b])) {
      const inner = b;
      b = a;
      a = inner;
      leftA = leftB;
    }
    const rightA = child[2 * a + 1];
    const leftGap = squaredGapOfBoxes(boxes, leftA * BOX_STRIDE, boxes, b * BOX_STRIDE);
    const rightGap = squaredGapOfBoxes(boxes, rightA * BOX_STRIDE, boxes, b * BOX_STRIDE);
    tests += 2;
    // The nearer one ends on top.
    const isLeftFirst = leftGap <= rightGap;
    const farther = isLeftFirst ? rightGap : leftGap;
    if (farther <= limit) {
      stack[2 * top] = isLeftFirst ? rightA : leftA;
      stack[2 * top + 1] = b;
      gaps[top++] = farther;
    }
    const nearer = isLeftFirst ? leftGap : rightGap;
    if (nearer <= limit) {
      stack[2 * top] = isLeftFirst ? leftA : rightA;
      stack[2 * top + 1] = b;
      gaps[top++] = nearer;
    }
  }
  counter.boxTests += tests;
  return radius;
}

/** Boxes within a shrinking radius of a box, nearer child first. Returns the final radius, negative when stopped. */
export function visitNearest(
  tree: BoxTree,
  exact: Float64Array,
  box: Float64Array,
  radius: number,
  counter: Traversal,
  visit: NearVisitor,
): number {
  const { boxes, child } = tree;
  let top = 0;
  const push = (node: number, gap: number): void => {
    if (2 * top + 2 > counter.stack.length) counter.grow();
    counter.stack[top] = node;
    counter.gaps[top++] = gap;
  };
  if (tree.root >= 0) push(tree.root, squaredGapOfBoxes(boxes, tree.root * BOX_STRIDE, box, 0));
  while (top > 0) {
    const node = counter.stack[--top];
    if (counter.gaps[top] > radius * radius) continue;
    const left = child[2 * node];
    if (left < 0) {
      const squaredGap = squaredGapOfBoxes(exact, ~left * BOX_STRIDE, box, 0);
      if (squaredGap > radius * radius) continue;
      const next = visit(~left, Math.sqrt(squaredGap));
      if (next !== undefined) radius = next as number;
      if (radius < 0) return radius;
      continue;
    }
    const right = child[2 * node + 1];
    counter.boxTests += 2;
    const leftGap = squaredGapOfBoxes(boxes, left * BOX_STRIDE, box, 0);
    const rightGap = squaredGapOfBoxes(boxes, right * BOX_STRIDE, box, 0);
    if (leftGap <= rightGap) {
      push(right, rightGap);
      push(left, leftGap);
    } else {
      push(left, leftGap);
      push(right, rightGap);
    }
  }
  return radius;
}
