/**
 * The proof that a turning body has no path, as plain data: boxes of poses, and for each forbidden one the pair of convex parts that
 * overlaps in all of it.
 *
 * `tree` is the halving of bounds times a whole turn, each node before its two children: -1, -2, -3 halves across x, y, the angle
 * in the middle; -4 is a box that is not forbidden, or not known to be; n >= 0 a box in which part floor(n / body.length) of
 * `obstacles` and part n mod body.length of `body` overlap at every pose.
 */
import type { ConvexPart } from '../convex-parts.js';
import type { BoxNode } from './pose-boxes.js';
import type { TurningParts } from './turning-problem.js';

export interface TurningProof {
  /** Convex parts inside the body, and inside obstacles with the number of each. */
  readonly body: readonly ConvexPart[];
  readonly obstacles: readonly { readonly obstacle: number; readonly part: ConvexPart }[];
  readonly tree: readonly number[];
}

export const OPEN_LEAF = -4;

export function writeTurningProof(parts: TurningParts, root: BoxNode): TurningProof {
  const tree: number[] = [];
  const stack = [root];
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (node.children !== null) {
      tree.push(-1 - node.axis);
      stack.push(node.children[1], node.children[0]);
    } else tree.push(node.pair >= 0 ? node.pair : OPEN_LEAF);
  }
  return {
    body: parts.body,
    // A part of which nothing is certain forbids nothing: no node names it.
    obstacles: parts.obstacles.map(({ obstacle, inner, outer }) => ({ obstacle, part: inner ?? outer })),
    tree,
  };
}
