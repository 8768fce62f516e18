/**
 * Checks a proof that a turning body has no path, without the planner.
 *
 * 1. Parts must be convex and lie in the body and in the obstacles that they name, by whole numbers.
 * 2. Each box that is said to be forbidden is judged anew, its pair alone (box-verdict.ts, which box-verdict.test.ts compares with
 *    dense evaluation): the parts must overlap at every pose of it.
 * 3. What is left is flooded from the boxes around the start, over shared parts of sides, by a search of its own through the tree.
 *    No box around the goal may be reached.
 *
 * Cost: O(boxes log boxes). Tested by plan-turning.test.ts, which also alters proofs and wants them refused.
 */
import { requireList, requireObject } from '../../math/arguments.js';
import type { SeparationVerdict } from '../verify-separation.js';
import { isConvexPartOf } from '../verify-separation.js';
import { judgeBoxPair, type SidedPart, toSidedPart } from './box-verdict.js';
import { listBodyPolygons, type PlanePose, requireTurningProblem, type TurningProblem } from './turning-problem.js';
import type { TurningProof } from './turning-proof.js';

const refuse = (reason: string): SeparationVerdict => ({ accepted: false, reason });

/** `[x0, x1, y0, y1, t0, t1]`, angles as parts of a turn. */
type Box = readonly [number, number, number, number, number, number];

interface Node {
  readonly box: Box;
  readonly value: number;
  low: Node | null;
  high: Node | null;
  isReached: boolean;
}

const TURN = 2 * Math.PI;

export function verifyTurningProof(problem: TurningProblem, proof: TurningProof): SeparationVerdict {
  requireTurningProblem('verifyTurningProof', 'problem', problem);
  requireObject('verifyTurningProof', 'proof', proof);
  requireList('verifyTurningProof', 'proof.body', proof.body);
  requireList('verifyTurningProof', 'proof.obstacles', proof.obstacles);
  requireList('verifyTurningProof', 'proof.tree', proof.tree);
  const { body } = problem;
  if ('disc' in body) return refuse('a disc does not turn');
  const polygons = listBodyPolygons(body);
  const bodyParts: SidedPart[] = [];
  for (const [i, part] of proof.body.entries()) {
    if (!polygons.some((polygon) => isConvexPartOf(part, { polygon })))
      return refuse(`part ${i} of the body is not convex, or not in the body`);
    bodyParts.push(toSidedPart(part));
  }
  // Parts that no box names need not be in anything.
  const named = new Set<number>();
  for (const value of proof.tree) if (value >= 0) named.add(Math.floor(value / bodyParts.length));
  const obstacleParts: SidedPart[] = [];
  for (const [i, entry] of proof.obstacles.entries()) {
    const obstacle = problem.obstacles[entry?.obstacle];
    if (obstacle === undefined) return refuse(`part ${i}: there is no obstacle ${entry?.obstacle}`);
    if (named.has(i) && !isConvexPartOf(entry.part, obstacle))
      return refuse(`part ${i} is not convex, or not in obstacle ${entry.obstacle}`);
    obstacleParts.push(toSidedPart(entry.part));
  }
  const [x0, y0, x1, y1] = problem.bounds;
  const built = buildTree(proof.tree, [x0, x1, y0, y1, 0, 1]);
  if (typeof built === 'string') return refuse(built);
  for (const { box, value } of built.leaves) {
    if (value < 0) continue;
    const o = obstacleParts[Math.floor(value / bodyParts.length)];
    if (o === undefined) return refuse(`the tree names a pair ${value} that there is not`);
    if (!overlapsEverywhere(o, bodyParts[value % bodyParts.length], box))
      return refuse(`in the box ${box.join(' ')} pair ${value} is not known to overlap`);
  }
  return flood(built.root, problem.start, problem.goal);
}

function overlapsEverywhere(obstacle: SidedPart, body: SidedPart, [x0, x1, y0, y1, t0, t1]: Box): boolean {
  if (t1 - t0 > 0.25) return false;
  return judgeBoxPair(obstacle, body, { x0, x1, y0, y1, from: TURN * t0, to: TURN * t1 }) > 0;
}

function buildTree(tree: readonly number[], whole: Box): { root: Node; leaves: Node[] } | string {
  const leaves: Node[] = [];
  const root: Node = { box: whole, value: tree[0], low: null, high: null, isReached: false };
  const stack = [root];
  let used = 1;
  const take = (box: Box): Node => ({ box, value: Number.NaN, low: null, high: null, isReached: false });
  // Nodes come in the order in which a walk over the tree meets them.
  let next = stack.pop();
  const waiting: Node[] = [];
  while (next !== undefined) {
    const node: Node = next;
    const { box, value } = node;
    if (!Number.isInteger(value) || value < -4) return 'the tree holds something that is no node';
    if (value < 0 && value > -4) {
      const k = 2 * (-1 - value);
      const middle = (box[k] + box[k + 1]) / 2;
      node.low = take(replace(box, k + 1, middle));
      node.high = take(replace(box, k, middle));
      waiting.push(node.high);
      next = node.low;
    } else {
      leaves.push(node);
      next = waiting.pop();
    }
    if (next === undefined) break;
    if (used >= tree.length) return 'the tree ends early';
    (next as { value: number }).value = tree[used++];
  }
  return used === tree.length ? { root, leaves } : 'the tree goes on after its last leaf';
}

function replace(box: Box, at: number, value: number): Box {
  return box.map((old, k) => (k === at ? value : old)) as unknown as Box;
}

function flood(root: Node, start: PlanePose, goal: PlanePose): SeparationVerdict {
  const queue = [...leavesAt(root, start)];
  for (const leaf of queue) leaf.isReached = true;
  while (queue.length > 0) {
    const { box } = queue.pop()!;
    for (const leaf of leavesBeside(root, box)) {
      if (leaf.isReached) continue;
      leaf.isReached = true;
      queue.push(leaf);
    }
  }
  for (const leaf of leavesAt(root, goal)) if (leaf.isReached) return refuse('the goal is not parted from the start');
  return { accepted: true, reason: '' };
}

/** Leaves that are not forbidden, around a pose. */
function* leavesAt(root: Node, [x, y, theta]: PlanePose): Generator<Node> {
  const t = theta / TURN - Math.floor(theta / TURN);
  yield* visit(root, ([x0, x1, y0, y1, t0, t1]) => {
    const isIn = x >= x0 && x <= x1 && y >= y0 && y <= y1;
    return isIn && [t - 1, t, t + 1].some((u) => u > t0 - 1e-12 && u < t1 + 1e-12);
  });
}

/** Leaves that are not forbidden and share part of a side. */
function* leavesBeside(root: Node, [x0, x1, y0, y1, t0, t1]: Box): Generator<Node> {
  const overlap = (a0: number, a1: number, b0: number, b1: number) => Math.sign(Math.min(a1, b1) - Math.max(a0, b0));
  yield* visit(root, (box) => {
    const x = overlap(x0, x1, box[0], box[1]);
    const y = overlap(y0, y1, box[2], box[3]);
    if (x < 0 || y < 0) return false;
    const t = Math.max(
      overlap(t0, t1, box[4], box[5]),
      overlap(t0 - 1, t1 - 1, box[4], box[5]),
      overlap(t0 + 1, t1 + 1, box[4], box[5]),
    );
    // Touching in two directions at once is an edge.
    return t >= 0 && x + y + t >= 2;
  });
}

function* visit(root: Node, isMeant: (box: Box) => boolean): Generator<Node> {
  const stack = [root];
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (!isMeant(node.box)) continue;
    if (node.low !== null && node.high !== null) stack.push(node.low, node.high);
    else if (node.value < 0) yield node;
  }
}
