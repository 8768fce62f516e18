/**
 * Reading the nodes of a tree, wherever they lie. Addresses are in 4-byte words; layout and rounding contract are in
 * kernel/layout.ts.
 */
import {
  AABB_CHILD,
  AABB_NODE_BYTES,
  KIND_AABB,
  KIND_OBB,
  LEAF_COUNT_SHIFT,
  LEAF_FIRST_MASK,
  OBB_CHILD,
  OBB_NODE_BYTES,
  RSS_NODE_BYTES,
} from '../kernel/layout.js';

const LEAF_BIT = 0x80000000;

export function nodeWords(kind: number): number {
  return (kind === KIND_AABB ? AABB_NODE_BYTES : kind === KIND_OBB ? OBB_NODE_BYTES : RSS_NODE_BYTES) / 4;
}

/** Words from a box (node + lane) to its child reference. */
export function childWords(kind: number): number {
  return (kind === KIND_AABB ? AABB_CHILD : OBB_CHILD) / 4;
}

export function isLeafReference(child: number): boolean {
  return child >= LEAF_BIT;
}

export function leafTriangleCount(child: number): number {
  return ((child >>> LEAF_COUNT_SHIFT) & 7) + 1;
}

export function leafFirstTriangle(child: number): number {
  return child & LEAF_FIRST_MASK;
}
