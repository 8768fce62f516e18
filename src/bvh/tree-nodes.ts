/**
 * Reading and writing the nodes of a tree, wherever they lie. Addresses are in 4-byte words; layout and rounding
 * contract are in kernel/layout.ts.
 */
import {
  AABB_CHILD,
  AABB_NODE_BYTES,
  BOX_CENTRE,
  BOX_HALF,
  BOX_ROTATION,
  KIND_OBB,
  LEAF_COUNT_SHIFT,
  LEAF_FIRST_MASK,
  OBB_CHILD,
  OBB_NODE_BYTES,
} from '../kernel/layout.js';
import type { FittedBox } from './fit-box.js';

export const MAX_LEAF_TRIANGLES = 8;
const LEAF_BIT = 0x80000000;
/** Unit roundoff of f32, with a margin for the f64 arithmetic that measured the box. */
const ROUNDOFF = 6.1e-8;
const EMPTY_HALF = -1e30;
const CENTRE = BOX_CENTRE / 4;
const HALF = BOX_HALF / 4;
const ROTATION = BOX_ROTATION / 4;

export function nodeWords(kind: number): number {
  return (kind === KIND_OBB ? OBB_NODE_BYTES : AABB_NODE_BYTES) / 4;
}

/** Words from a box (node + lane) to its child reference. */
export function childWords(kind: number): number {
  return (kind === KIND_OBB ? OBB_CHILD : AABB_CHILD) / 4;
}

export function leafReference(first: number, count: number): number {
  return (LEAF_BIT | ((count - 1) << LEAF_COUNT_SHIFT) | first) >>> 0;
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

/** Marks all four lanes of a node empty. */
export function clearNode(f32: Float32Array, u32: Uint32Array, node: number, kind: number): void {
  for (let lane = 0; lane < 4; lane++) {
    const box = node + lane;
    for (let i = 0; i < 3; i++) {
      f32[box + CENTRE + 4 * i] = 0;
      f32[box + HALF + 4 * i] = EMPTY_HALF;
    }
    if (kind === KIND_OBB) for (let i = 0; i < 9; i++) f32[box + ROTATION + 4 * i] = i % 4 === 0 ? 1 : 0;
    u32[box + childWords(kind)] = 0;
  }
}

/** Stores a box in f32 so that it contains everything the f64 box does. */
export function writeBox(f32: Float32Array, box: number, kind: number, fitted: FittedBox): void {
  const { rotation, centre, half } = fitted;
  const reach = Math.abs(centre[0]) + Math.abs(centre[1]) + Math.abs(centre[2]) + half[0] + half[1] + half[2];
  for (let i = 0; i < 3; i++) {
    f32[box + CENTRE + 4 * i] = centre[i];
    f32[box + HALF + 4 * i] = (half[i] + ROUNDOFF * reach) * (1 + 2 * ROUNDOFF);
  }
  if (kind === KIND_OBB) for (let i = 0; i < 9; i++) f32[box + ROTATION + 4 * i] = rotation[i];
}
