/**
 * The poses of a turning body as boxes: free, forbidden, or not yet known, divided where it matters, until boxes that are free join
 * start and goal, or the forbidden ones part them.
 *
 * 1. The root is the bounds times a whole turn, whose ends are joined. Boxes are halved across their longest side, an angle counting as
 *    what the body's farthest point travels by it.
 * 2. A box is judged against the pairs that its parent could not judge (box-verdict.ts).
 * 3. The way from start to goal through boxes that are not forbidden, with the fewest unknown ones, is searched by breadth;
 *    all unknown boxes on it are halved; and so on. No way: a proof. A way without unknown boxes: a path.
 *
 * Boxes touch where they share part of a side. That suffices: forbidden boxes are closed, so no path slips between two of them.
 *
 * Source: C. Wang, Y.-J. Chiang, C. Yap, "On soft predicates in subdivision motion planning", Computational Geometry 48, 2015.
 * Cost: O(boxes) for each search. Tested by plan-turning.test.ts.
 */
import type { PlaneBounds } from '../pieces.js';
import type { StopCheck } from '../stop-check.js';
import { judgeBoxPair, type PoseBox, type SidedPart, toSidedPart } from './box-verdict.js';
import type { PlanePose, TurningParts } from './turning-problem.js';

export const TURN = 2 * Math.PI;

const FREE = 0;
const UNKNOWN = 1;
const FORBIDDEN = 2;

/** A node of the tree. Angles are parts of a turn, dyadic, so that halves are exact. */
export interface BoxNode {
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
  readonly t0: number;
  readonly t1: number;
  state: number;
  /** Of a forbidden box: the pair that overlaps in all of it. */
  pair: number;
  /** Pairs that are not judged yet, null once it is halved. */
  pairs: Int32Array | null;
  /** Boxes that share part of a side and are not forbidden. */
  near: Set<BoxNode>;
  axis: 0 | 1 | 2;
  children: readonly [BoxNode, BoxNode] | null;
  /** Mark of the search that reached it last, and from where. */
  reached: number;
  from: BoxNode | null;
}

export class PoseBoxes {
  readonly root: BoxNode;
  count = 1;
  private searches = 0;
  private readonly obstacles: readonly SidedPart[];
  private readonly body: readonly SidedPart[];
  private readonly radius: number;

  constructor(
    parts: TurningParts,
    [x0, y0, x1, y1]: PlaneBounds,
    private readonly start: PlanePose,
    private readonly goal: PlanePose,
    private readonly check: StopCheck,
  ) {
    this.obstacles = parts.obstacles.map(({ inner, outer }) => toSidedPart(inner ?? outer));
    this.isCertain = parts.obstacles.map(({ inner }) => inner !== null);
    this.outerObstacles = parts.obstacles.map(({ inner, outer }, i) =>
      inner === outer || inner === null ? this.obstacles[i] : toSidedPart(outer),
    );
    this.body = parts.body.map(toSidedPart);
    this.radius = parts.radius;
    const pairs = new Int32Array(this.obstacles.length * this.body.length);
    for (let i = 0; i < pairs.length; i++) pairs[i] = i;
    this.root = createNode(x0, x1, y0, y1, 0, 1, pairs);
  }

  private readonly outerObstacles: readonly SidedPart[];
  private readonly isCertain: readonly boolean[];

  /** Halves the root's turn first: no polygon says much about a body at all angles. */
  private splitTurns(node: BoxNode, levels: number): void {
    if (levels === 0) return;
    for (const child of this.halve(node, 2)) this.splitTurns(child, levels - 1);
  }

  /** Halves unknown boxes until `limit` boxes, or none of the way is wider than `least` metres. */
  search(limit: number, least: number): { status: 'free' | 'parted' | 'open'; way: BoxNode[] } {
    if (this.count === 1) this.splitTurns(this.root, 3);
    for (;;) {
      const way = this.findWay();
      if (way === null) return { status: 'parted', way: [] };
      const unknown = way.filter((box) => box.state === UNKNOWN);
      if (unknown.length === 0) return { status: 'free', way };
      if (this.count >= limit) return { status: 'open', way };
      let halved = 0;
      for (const box of unknown) {
        if (this.spanOf(box) <= least) continue;
        halved++;
        for (const child of this.halve(box))
          if (child.state === UNKNOWN && this.spanOf(child) > least) this.halve(child);
      }
      if (halved === 0) return { status: 'open', way };
    }
  }

  private spanOf({ x0, x1, y0, y1, t0, t1 }: BoxNode): number {
    return Math.max(x1 - x0, y1 - y0, (t1 - t0) * TURN * this.radius);
  }

  private halve(node: BoxNode, axis = this.widestAxis(node)): readonly [BoxNode, BoxNode] {
    const { x0, x1, y0, y1, t0, t1 } = node;
    const pairs = node.pairs!;
    const xm = axis === 0 ? (x0 + x1) / 2 : x1;
    const ym = axis === 1 ? (y0 + y1) / 2 : y1;
    const tm = axis === 2 ? (t0 + t1) / 2 : t1;
    const low = createNode(x0, xm, y0, ym, t0, tm, pairs);
    const high = createNode(axis === 0 ? xm : x0, x1, axis === 1 ? ym : y0, y1, axis === 2 ? tm : t0, t1, pairs);
    const children = [low, high] as const;
    node.axis = axis;
    node.children = children;
    node.pairs = null;
    this.count++;
    this.check();
    for (const child of children) {
      if (node.state === FREE) child.state = FREE;
      else this.judge(child);
    }
    for (const near of node.near) {
      near.near.delete(node);
      for (const child of children) join(child, near);
    }
    join(low, high);
    node.near = NOTHING;
    return children;
  }

  private widestAxis({ x0, x1, y0, y1, t0, t1 }: BoxNode): 0 | 1 | 2 {
    const turn = (t1 - t0) * TURN * this.radius;
    if (turn >= x1 - x0 && turn >= y1 - y0) return 2;
    return x1 - x0 >= y1 - y0 ? 0 : 1;
  }

  private judge(node: BoxNode): void {
    if (node.t1 - node.t0 > 0.25) return;
    const { x0, x1, y0, y1, t0, t1 } = node;
    const box: PoseBox = { x0, x1, y0, y1, from: TURN * t0, to: TURN * t1 };
    const bodyCount = this.body.length;
    const left: number[] = [];
    for (const pair of node.pairs!) {
      const o = Math.floor(pair / bodyCount);
      const body = this.body[pair % bodyCount];
      let verdict = judgeBoxPair(this.obstacles[o], body, box);
      if (verdict > 0 && this.isCertain[o]) {
        node.state = FORBIDDEN;
        node.pair = pair;
        node.pairs = null;
        return;
      }
      if (verdict < 0 && this.outerObstacles[o] !== this.obstacles[o])
        verdict = judgeBoxPair(this.outerObstacles[o], body, box) < 0 ? -1 : 0;
      if (verdict >= 0) left.push(pair);
    }
    node.pairs = Int32Array.from(left);
    if (left.length === 0) node.state = FREE;
  }

  /** The boxes around a pose. */
  private *boxesAround([x, y, theta]: PlanePose): Generator<BoxNode> {
    const t = theta / TURN - Math.floor(theta / TURN);
    const stack = [this.root];
    // Angles are known up to rounding: near a border both boxes are meant.
    const off = 1e-12;
    while (stack.length > 0) {
      const node = stack.pop()!;
      const isAt = [-1, 0, 1].some((turn) => t + turn >= node.t0 - off && t + turn <= node.t1 + off);
      if (!isAt || x < node.x0 || x > node.x1 || y < node.y0 || y > node.y1) continue;
      if (node.children !== null) stack.push(...node.children);
      else if (node.state !== FORBIDDEN) yield node;
    }
  }

  /** Boxes from start to goal with the fewest unknown ones. */
  private findWay(): BoxNode[] | null {
    const mark = ++this.searches;
    const goals = new Set(this.boxesAround(this.goal));
    let layer: BoxNode[] = [];
    const later: BoxNode[] = [];
    const reach = (box: BoxNode, from: BoxNode | null) => {
      if (box.reached === mark) return;
      box.reached = mark;
      box.from = from;
      (box.state === FREE ? layer : later).push(box);
    };
    for (const box of this.boxesAround(this.start)) reach(box, null);
    let reached = 0;
    while (layer.length > 0 || later.length > 0) {
      if ((++reached & 1023) === 0) this.check();
      if (layer.length === 0) layer = later.splice(0);
      const box = layer.pop()!;
      if (goals.has(box)) {
        const way: BoxNode[] = [];
        for (let at: BoxNode | null = box; at !== null; at = at.from) way.push(at);
        return way.reverse();
      }
      for (const near of box.near) reach(near, box);
    }
    return null;
  }
}

const NOTHING: Set<BoxNode> = new Set();

function createNode(
  x0: number,
  x1: number,
  y0: number,
  y1: number,
  t0: number,
  t1: number,
  pairs: Int32Array,
): BoxNode {
  return {
    x0,
    x1,
    y0,
    y1,
    t0,
    t1,
    state: UNKNOWN,
    pair: -1,
    pairs,
    near: new Set(),
    axis: 0,
    children: null,
    reached: 0,
    from: null,
  };
}

function join(a: BoxNode, b: BoxNode): void {
  if (a.state === FORBIDDEN || b.state === FORBIDDEN || !areNeighbours(a, b)) return;
  a.near.add(b);
  b.near.add(a);
}

/** Whether two boxes share part of a side that is no edge or corner. */
function areNeighbours(a: BoxNode, b: BoxNode): boolean {
  const x = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
  const y = Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
  const t = Math.min(a.t1, b.t1) - Math.max(a.t0, b.t0);
  if (x < 0 || y < 0 || (x === 0 && y === 0)) return false;
  const isAround = (a.t0 === 0 && b.t1 === 1) || (b.t0 === 0 && a.t1 === 1);
  const touchesInAngle = t === 0 || isAround;
  if (x > 0 && y > 0) return touchesInAngle || t > 0;
  return t > 0;
}
