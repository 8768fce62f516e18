/**
 * Contacts and distance between a chain and obstacles: shapes of any kind, meshes with their own hierarchies among them.
 *
 * Method: for each obstacle, a walk down the tree. A node is dropped when its box is farther from the obstacle's bounding
 * ball than the margin, or when the obstacle is farther from the node's centre than its radius and the margin: that is one
 * query of the narrow phase, which goes down the obstacle's own hierarchy. The nearer child is opened first; links are
 * measured exactly.
 * Source: Lotan, Schwarzer, Halperin, Latombe 2002, section 6.3, ACM Symposium on Computational Geometry; Quinlan 1994,
 *   "Efficient distance computation between non-convex objects", section 3, doi:10.1109/ROBOT.1994.351059.
 * Frames: obstacles stand in the frame of the chain's link 0. Cost: O(N^(2/3)) nodes for an obstacle the size of a link and
 *   a well-behaved chain, far fewer as a rule; one narrow-phase query each.
 * Checked by test/contract/chain-queries.test.ts against every link.
 */
import {
  type Fields,
  requireFields,
  requireInstance,
  requireList,
  requireNumber,
  requireNumbers,
  unchecked,
} from '../math/arguments.js';
import {
  createTransform,
  invertTransform,
  multiplyTransform,
  multiplyTransformAt,
  setIdentityTransform,
  TRANSFORM_STRIDE,
  type Transform,
} from '../math/transform.js';
import { Collider, createCollider } from '../narrowphase/collider.js';
import { isWithinBound } from '../narrowphase/tolerance.js';
import type { ChainTree } from './chain-tree.js';
import { requireChainTree, requireCutoff } from './chain-tree.js';
import type { LinkPairs } from './link-pairs.js';
import { requireLinkPairs } from './link-pairs.js';
import { POINT_RADIUS } from './link-shapes.js';
import { BOX_STRIDE, HALF, RADIUS } from './tree-layout.js';

export interface ChainObstacle {
  readonly collider: Collider;
  /** Pose in the frame of the chain's link 0. Read at every query, so that it may be moved in place. */
  readonly pose: Transform;
}

const FIRST = 0;
const ALL = 1;
const NEAREST = 2;
const OBSTACLE: Fields = { collider: unchecked, pose: unchecked };

function requireObstacles(obstacles: readonly ChainObstacle[]): void {
  const call = 'createChainObstacles';
  requireList(call, 'obstacles', obstacles, 'a list of obstacles');
  obstacles.forEach((obstacle, i) => {
    requireFields(call, `obstacles[${i}]`, obstacle, OBSTACLE);
    requireInstance(call, `obstacles[${i}].collider`, obstacle.collider, Collider, 'what createCollider returned');
    requireNumbers(call, `obstacles[${i}].pose`, obstacle.pose, 12);
  });
}

export class ChainObstacles {
  /** What `hasContact` or `distance` found; -1 when there is nothing. */
  link = -1;
  obstacle = -1;
  private readonly point = createCollider({ type: 'sphere', radius: POINT_RADIUS });
  private readonly pointPose = setIdentityTransform(createTransform());
  private readonly stack: Int32Array;
  /** Pose of the obstacle in the node's volume, per entry. */
  private readonly poses: Float64Array;
  private depth = 0;
  private mode = FIRST;
  private margin = 0;
  private out: LinkPairs | null = null;
  private isDone = false;
  private readonly X_NO: Transform = createTransform();
  private readonly childPose: Transform = createTransform();
  private readonly parent: Transform = createTransform();

  constructor(
    private readonly tree: ChainTree,
    readonly obstacles: readonly ChainObstacle[],
  ) {
    requireChainTree('createChainObstacles', 'tree', tree);
    requireObstacles(obstacles);
    const entries = tree.data.layout.height + 4;
    this.stack = new Int32Array(2 * entries);
    this.poses = new Float64Array(TRANSFORM_STRIDE * entries);
  }

  /** Whether a link touches an obstacle: the first found in `link`, `obstacle`. */
  hasContact(): boolean {
    this.run(FIRST, this.tree.chain.tolerance, null);
    return this.isDone;
  }

  /** All pairs of a link and an obstacle with a gap of at most `cutoff` (touching by default), sorted, into `out`. */
  collectPairs(out: LinkPairs, cutoff = this.tree.chain.tolerance): number {
    requireLinkPairs('collectPairs', out);
    requireCutoff('collectPairs', cutoff);
    out.clear();
    this.run(ALL, cutoff, out);
    out.sort();
    return out.count;
  }

  /** The smallest gap, negative when one penetrates, the pair in `link`, `obstacle`; `upperBound`, and -1, when none is below it. */
  distance(upperBound = Infinity): number {
    requireNumber('distance', 'upperBound', upperBound);
    this.run(NEAREST, upperBound, null);
    return this.margin;
  }

  private run(mode: number, margin: number, out: LinkPairs | null): void {
    this.tree.requireLive();
    this.mode = mode;
    this.margin = margin;
    this.out = out;
    this.isDone = false;
    this.link = -1;
    this.obstacle = -1;
    for (let i = 0; i < this.obstacles.length && !this.isDone; i++) this.searchObstacle(i);
    this.out = null;
  }

  private searchObstacle(index: number): void {
    const { data } = this.tree;
    const { height, nodeCount } = data.layout;
    const root = this.childPose;
    for (let k = 0; k < TRANSFORM_STRIDE; k++) root[k] = data.frames[TRANSFORM_STRIDE * (nodeCount - 1) + k];
    multiplyTransform(this.X_NO, invertTransform(root, root), this.obstacles[index].pose);
    this.poses.set(this.X_NO, 0);
    this.depth = 0;
    if (height === 0) this.measureLink(index, 0);
    else if (this.mayReach(index, height, 0)) this.push(height, 0);
    while (this.depth > 0 && !this.isDone) this.open(index);
  }

  private push(level: number, node: number): void {
    this.poses.set(this.X_NO, TRANSFORM_STRIDE * this.depth);
    this.stack[2 * this.depth] = level;
    this.stack[2 * this.depth + 1] = node;
    this.depth++;
  }

  private open(index: number): void {
    const { layout } = this.tree.data;
    this.depth--;
    const level = this.stack[2 * this.depth] - 1;
    const first = 2 * this.stack[2 * this.depth + 1];
    const { parent } = this;
    for (let k = 0; k < TRANSFORM_STRIDE; k++) parent[k] = this.poses[TRANSFORM_STRIDE * this.depth + k];
    const hasSecond = first + 1 < layout.counts[level];
    this.enter(level, first, parent);
    const near = this.centerGap(index, level, first);
    let order = 0;
    if (hasSecond) {
      this.enter(level, first + 1, parent);
      order = this.centerGap(index, level, first + 1) < near ? 1 : 0;
    }
    // The child visited first lies on top of the stack.
    if (level === 0) {
      for (let turn = 0; turn < (hasSecond ? 2 : 1) && !this.isDone; turn++) {
        const link = first + (turn === 0 ? order : 1 - order);
        this.enter(0, link, parent);
        this.measureLink(index, link);
      }
      return;
    }
    for (let turn = hasSecond ? 1 : 0; turn >= 0; turn--) {
      const node = first + (turn === 0 ? order : 1 - order);
      this.enter(level, node, parent);
      if (this.mayReach(index, level, node)) this.push(level, node);
    }
  }

  /** Pose of the obstacle in a child's volume, from its pose in the parent's. */
  private enter(level: number, node: number, parent: Float64Array): void {
    const { layout, boxes } = this.tree.data;
    const at = BOX_STRIDE * (layout.starts[level] + node);
    for (let k = 0; k < TRANSFORM_STRIDE; k++) this.childPose[k] = boxes[at + k];
    invertTransform(this.childPose, this.childPose);
    multiplyTransformAt(this.X_NO, 0, this.childPose, 0, parent, 0);
  }

  /** Lower bound of the gap between the node's ball and the obstacle's; -Infinity for one without bounds. */
  private centerGap(index: number, level: number, node: number): number {
    const { collider } = this.obstacles[index];
    const { layout, boxes } = this.tree.data;
    const { X_NO } = this;
    let squared = 0;
    for (let r = 0; r < 3; r++) {
      const { center } = collider;
      const x = X_NO[3 * r] * center[0] + X_NO[3 * r + 1] * center[1] + X_NO[3 * r + 2] * center[2] + X_NO[9 + r];
      squared += x * x;
    }
    const radius = boxes[BOX_STRIDE * (layout.starts[level] + node) + RADIUS];
    return Math.sqrt(squared) - collider.boundingRadius - radius;
  }

  /** False when no link below the node can be within the margin of the obstacle. */
  private mayReach(index: number, level: number, node: number): boolean {
    const { collider } = this.obstacles[index];
    const { layout, boxes } = this.tree.data;
    const { X_NO, margin } = this;
    const at = BOX_STRIDE * (layout.starts[level] + node);
    this.tree.stats.volumeTests++;
    const { center, boundingRadius } = collider;
    if (boundingRadius < Infinity) {
      let squared = 0;
      for (let r = 0; r < 3; r++) {
        const x = X_NO[3 * r] * center[0] + X_NO[3 * r + 1] * center[1] + X_NO[3 * r + 2] * center[2] + X_NO[9 + r];
        const out = Math.max(0, Math.abs(x) - boxes[at + HALF + r]);
        squared += out * out;
      }
      if (Math.sqrt(squared) - boundingRadius > margin) return false;
    }
    return isWithinBound(this.point, this.pointPose, collider, X_NO, Math.max(0, margin) + boxes[at + RADIUS]);
  }

  /** X_NO: pose of the obstacle in the link's shape frame. */
  private measureLink(index: number, link: number): void {
    this.tree.stats.pairTests++;
    const { collider } = this.obstacles[index];
    const { links } = this.tree.chain;
    if (this.mode === NEAREST) {
      const gap = links.measureCollider(link, collider, this.X_NO, this.margin);
      if (!(gap < this.margin || (gap === this.margin && this.link < 0))) return;
      this.margin = gap;
    } else if (!links.isColliderWithin(link, collider, this.X_NO, this.margin)) {
      return;
    } else if (this.mode === ALL) {
      this.out!.add(link, index);
      return;
    } else this.isDone = true;
    this.link = link;
    this.obstacle = index;
  }
}

/** Obstacles of any shape for a chain; each with its pose in the frame of link 0. */
export function createChainObstacles(tree: ChainTree, obstacles: readonly ChainObstacle[]): ChainObstacles {
  return new ChainObstacles(tree, obstacles);
}
