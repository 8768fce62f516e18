/**
 * A chain kept explicitly: the pose of every link in the frame of link 0. The common part of the baselines, which differ
 * in how they look for pairs.
 *
 * Every link after the first changed joint gets a new pose, one product each: O(N) per change, however small. The joints
 * and poses before the change stay in a second set of arrays, so undo copies them back.
 */
import { requireLength } from '../math/arguments.js';
import {
  copyTransformAt,
  multiplyTransformAt,
  relativeTransform,
  TRANSFORM_STRIDE,
  type Transform,
} from '../math/transform.js';
import type { Chain } from './chain.js';
import { ChainState } from './chain-state.js';
import { SEGMENT } from './link-shapes.js';

export abstract class ExplicitChain extends ChainState {
  protected readonly joints: Float64Array;
  /** Poses of the links in the frame of link 0. */
  protected readonly poses: Float64Array;
  /** Poses of the links' shapes in the frame of link 0. */
  protected readonly shapes: Float64Array;
  private readonly oldJoints: Float64Array;
  private readonly oldPoses: Float64Array;
  private readonly oldShapes: Float64Array;
  /** First link that the last change moved. */
  protected firstMoved: number;
  private readonly relative: Transform = new Float64Array(TRANSFORM_STRIDE);
  private readonly shapeA: Transform = new Float64Array(TRANSFORM_STRIDE);
  private readonly shapeB: Transform = new Float64Array(TRANSFORM_STRIDE);

  protected constructor(chain: Chain) {
    super(chain);
    const n = chain.linkCount;
    this.joints = chain.origins.slice();
    this.poses = new Float64Array(TRANSFORM_STRIDE * n);
    this.shapes = new Float64Array(TRANSFORM_STRIDE * n);
    this.oldJoints = this.joints.slice();
    this.oldPoses = this.poses.slice();
    this.oldShapes = this.shapes.slice();
    this.firstMoved = n;
    this.poses[0] = 1;
    this.poses[4] = 1;
    this.poses[8] = 1;
    copyTransformAt(this.shapes, 0, chain.shapes, 0);
    this.placeFrom(1);
  }

  jointTransform(out: Transform, joint: number): Transform {
    this.requireJoint('jointTransform', joint);
    requireLength('jointTransform', 'out', out, 12);
    copyTransformAt(out, 0, this.joints, TRANSFORM_STRIDE * joint);
    return out;
  }

  protected writeRelativePose(out: Transform, i: number, j: number): Transform {
    copyTransformAt(this.shapeA, 0, this.poses, TRANSFORM_STRIDE * i);
    copyTransformAt(this.shapeB, 0, this.poses, TRANSFORM_STRIDE * j);
    return relativeTransform(out, this.shapeA, this.shapeB);
  }

  writeLinkPoses(out: Float64Array): Float64Array {
    requireLength('writeLinkPoses', 'out', out, 12 * this.chain.linkCount);
    out.set(this.poses);
    return out;
  }

  protected update(): void {
    const first = this.stagedJoints[0];
    this.firstMoved = first + 1;
    this.oldJoints.set(this.joints.subarray(12 * first), 12 * first);
    this.oldPoses.set(this.poses.subarray(12 * (first + 1)), 12 * (first + 1));
    this.oldShapes.set(this.shapes.subarray(12 * (first + 1)), 12 * (first + 1));
    for (let i = 0; i < this.stagedCount; i++) {
      const joint = this.stagedJoints[i];
      copyTransformAt(this.joints, 12 * joint, this.stagedTransforms, 12 * this.slotOf[joint]);
    }
    this.placeFrom(first + 1);
    this.stats.transformUpdates += this.chain.linkCount - first - 1;
  }

  protected revert(): void {
    const first = this.firstMoved - 1;
    this.joints.set(this.oldJoints.subarray(12 * first), 12 * first);
    this.poses.set(this.oldPoses.subarray(12 * (first + 1)), 12 * (first + 1));
    this.shapes.set(this.oldShapes.subarray(12 * (first + 1)), 12 * (first + 1));
  }

  /** Whether two links touch or cross. */
  protected touches(a: number, b: number): boolean {
    const { links, tolerance } = this.chain;
    const { kinds, halfLengths, radii } = links;
    this.stats.pairTests++;
    const { shapes, relative } = this;
    if (kinds[a] === SEGMENT && kinds[b] === SEGMENT && halfLengths[a] === 0 && halfLengths[b] === 0) {
      const x = shapes[12 * b + 9] - shapes[12 * a + 9];
      const y = shapes[12 * b + 10] - shapes[12 * a + 10];
      const z = shapes[12 * b + 11] - shapes[12 * a + 11];
      return Math.sqrt(x * x + y * y + z * z) - (radii[a] + radii[b]) <= tolerance;
    }
    copyTransformAt(this.shapeA, 0, shapes, 12 * a);
    copyTransformAt(this.shapeB, 0, shapes, 12 * b);
    relativeTransform(relative, this.shapeA, this.shapeB);
    return links.isWithin(a, b, relative, 0, tolerance);
  }

  private placeFrom(first: number): void {
    const { poses, joints, shapes, chain } = this;
    for (let i = first; i < chain.linkCount; i++) {
      multiplyTransformAt(poses, 12 * i, poses, 12 * (i - 1), joints, 12 * (i - 1));
      multiplyTransformAt(shapes, 12 * i, poses, 12 * i, chain.shapes, 12 * i);
    }
  }
}
