/**
 * Single-leaf changes of a box tree: insert, remove, and the rotations that keep it good.
 *
 * Insert: descend from the root to the sibling that adds the least total area, comparing at each node "pair here"
 * with a lower bound for "go into this child"; then refit upward, and at each ancestor try the four swaps of a child
 * with a grandchild of the other side, taking the one that shrinks the inner boxes most. Ties go down, so that
 * coinciding boxes do not pile up under the root.
 * Remove: the sibling takes the parent's place; ancestors are marked for the next refit.
 * Source: Bittner, Hapala, Havran 2013, "Fast insertion-based optimization of bounding volume hierarchies",
 * doi:10.1111/cgf.12000 (cost of an insertion); Kopta, Ize, Spjut, Brunvand, Davis, Kensler 2012, "Fast, effective BVH
 * updates for animated scenes", doi:10.1145/2159616.2159649 (rotations).
 * Cost: O(depth). Insertion expects a tree without marked nodes (`refitDirty` first).
 * Tested by dynamic-tree.test.ts.
 */
import { BOX_STRIDE, halfAreaOfBox, halfAreaOfUnion } from './box.js';
import type { BoxTree } from './box-tree.js';

/** Links the unlinked node `leaf`, whose box is set. */
export function insertLeaf(tree: BoxTree, leaf: number): void {
  if (tree.root < 0) {
    tree.root = leaf;
    tree.parent[leaf] = -1;
    return;
  }
  const sibling = findSibling(tree, leaf);
  const joint = tree.allocateNode();
  // Read the arrays after allocateNode: it may replace them.
  const { child, parent } = tree;
  const above = parent[sibling];
  parent[joint] = above;
  child[2 * joint] = sibling;
  child[2 * joint + 1] = leaf;
  parent[sibling] = joint;
  parent[leaf] = joint;
  if (above < 0) tree.root = joint;
  else if (child[2 * above] === sibling) child[2 * above] = joint;
  else child[2 * above + 1] = joint;
  for (let node = joint; node >= 0; node = parent[node]) {
    tree.refitNode(node);
    rotate(tree, node);
  }
}

/** Unlinks `leaf`; the leaf itself stays allocated, its parent is freed. */
export function removeLeaf(tree: BoxTree, leaf: number): void {
  const { child, parent } = tree;
  const joint = parent[leaf];
  if (joint < 0) {
    tree.root = -1;
    return;
  }
  const sibling = child[2 * joint] === leaf ? child[2 * joint + 1] : child[2 * joint];
  const above = parent[joint];
  parent[sibling] = above;
  parent[leaf] = -1;
  if (above < 0) tree.root = sibling;
  else {
    if (child[2 * above] === joint) child[2 * above] = sibling;
    else child[2 * above + 1] = sibling;
    tree.markAncestors(sibling);
  }
  tree.freeNode(joint);
}

function findSibling(tree: BoxTree, leaf: number): number {
  const { boxes, child } = tree;
  const l = leaf * BOX_STRIDE;
  const leafArea = halfAreaOfBox(boxes, l);
  /** Growth of the ancestors if the leaf goes below `node`. */
  let inherited = 0;
  let node = tree.root;
  let union = halfAreaOfUnion(boxes, node * BOX_STRIDE, boxes, l);
  while (child[2 * node] >= 0) {
    const pairHere = inherited + union;
    inherited += union - halfAreaOfBox(boxes, node * BOX_STRIDE);
    const left = child[2 * node];
    const right = child[2 * node + 1];
    const leftUnion = halfAreaOfUnion(boxes, left * BOX_STRIDE, boxes, l);
    const rightUnion = halfAreaOfUnion(boxes, right * BOX_STRIDE, boxes, l);
    const leftCost = descendCost(tree, left, leftUnion, leafArea);
    const rightCost = descendCost(tree, right, rightUnion, leafArea);
    const goLeft = leftCost <= rightCost;
    if (pairHere < inherited + (goLeft ? leftCost : rightCost)) break;
    node = goLeft ? left : right;
    union = goLeft ? leftUnion : rightUnion;
  }
  return node;
}

/** What putting the leaf into `node` adds at least: exact for a leaf, a lower bound for an inner node. */
function descendCost(tree: BoxTree, node: number, union: number, leafArea: number): number {
  return tree.child[2 * node] < 0 ? union : union - halfAreaOfBox(tree.boxes, node * BOX_STRIDE) + leafArea;
}

/** Tries the four swaps of a child of `node` with a grandchild on the other side. */
function rotate(tree: BoxTree, node: number): void {
  const { boxes, child, parent } = tree;
  let best = 0;
  let bestUncle = -1;
  let bestNephew = -1;
  for (let side = 0; side < 2; side++) {
    const uncle = child[2 * node + side];
    const other = child[2 * node + 1 - side];
    if (child[2 * other] < 0) continue;
    const area = halfAreaOfBox(boxes, other * BOX_STRIDE);
    for (let k = 0; k < 2; k++) {
      const stays = child[2 * other + 1 - k];
      const gain = area - halfAreaOfUnion(boxes, uncle * BOX_STRIDE, boxes, stays * BOX_STRIDE);
      if (gain > best) {
        best = gain;
        bestUncle = uncle;
        bestNephew = child[2 * other + k];
      }
    }
  }
  if (bestUncle < 0) return;
  const other = parent[bestNephew];
  const uncleSlot = child[2 * node] === bestUncle ? 2 * node : 2 * node + 1;
  const nephewSlot = child[2 * other] === bestNephew ? 2 * other : 2 * other + 1;
  child[uncleSlot] = bestNephew;
  child[nephewSlot] = bestUncle;
  parent[bestNephew] = node;
  parent[bestUncle] = other;
  tree.refitNode(other);
  tree.refitNode(node);
}
