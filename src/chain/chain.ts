/**
 * A kinematic chain as flat, frozen data: N links in a row, joint i between link i and link i + 1.
 *
 * X_{i,i+1} = origin_i motion_i: the frame of link i + 1 in the frame of link i is the joint's fixed placement times its
 * motion (a turn about `axis`, a shift along it, any turn, or nothing). Each link carries one sphere or capsule, kept as a
 * segment of half-length h along the z axis of its shape frame, and a radius.
 *
 *   origins  12 (N - 1)  placement of joint i in link i          jointKinds  N - 1
 *   axes      3 (N - 1)  unit axis in the joint's frame          radii       N
 *   shapes   12 N        pose of the shape frame in link i       halfLengths N (0: sphere)
 */
import type { Capsule, Sphere } from '../geometry/shapes.js';
import { touchingTolerance } from '../math/tolerance.js';
import {
  copyTransformAt,
  createTransform,
  type Pose,
  poseToTransform,
  setIdentityTransform,
  TRANSFORM_STRIDE,
} from '../math/transform.js';

export type ChainJointType = 'revolute' | 'prismatic' | 'spherical' | 'fixed';

export interface ChainLink {
  readonly shape: Sphere | Capsule;
  /** Pose of the shape in the link's frame; identity when left out. */
  readonly pose?: Pose;
}

export interface ChainJoint {
  readonly type: ChainJointType;
  /** Pose of the joint in the frame of the link before it. */
  readonly origin: Pose;
  /** Axis of a revolute or prismatic joint in the joint's frame; z when left out. Scaled to length one. */
  readonly axis?: readonly [number, number, number];
}

export interface ChainDescription {
  readonly links: readonly ChainLink[];
  /** One fewer than links; joints[i] joins links[i] and links[i + 1]. */
  readonly joints: readonly ChainJoint[];
  /**
   * Links whose numbers differ by at most this never count as touching, since neighbours share a joint and touch there.
   * 1 by default: links that share a joint.
   */
  readonly exclusion?: number;
}

export interface Chain {
  readonly linkCount: number;
  readonly exclusion: number;
  readonly jointKinds: Uint8Array;
  readonly origins: Float64Array;
  readonly axes: Float64Array;
  readonly shapes: Float64Array;
  readonly halfLengths: Float64Array;
  readonly radii: Float64Array;
  /** Distance up to which two links touch. */
  readonly tolerance: number;
}

export const REVOLUTE = 0;
export const PRISMATIC = 1;
export const SPHERICAL = 2;
export const FIXED = 3;

const kindOf: Record<ChainJointType, number> = {
  revolute: REVOLUTE,
  prismatic: PRISMATIC,
  spherical: SPHERICAL,
  fixed: FIXED,
};

/** Most links of a chain: a pair of link numbers is kept as one exact integer. */
const MOST_LINKS = 2 ** 26;

function requireFinite(name: string, values: readonly number[], length: number): void {
  if (values.length !== length || !values.every(Number.isFinite)) {
    throw new RangeError(`createChain: ${name}, got [${values.join(', ')}], expected ${length} finite numbers`);
  }
}

function requireLength(name: string, value: number): number {
  if (!(value >= 0 && value < Infinity)) {
    throw new RangeError(`createChain: ${name}, got ${value}, expected a finite number >= 0`);
  }
  return value;
}

export function createChain(description: ChainDescription): Chain {
  const { links, joints, exclusion = 1 } = description;
  const n = links.length;
  if (n < 1 || n > MOST_LINKS) throw new RangeError(`createChain: links, got ${n}, expected 1 to ${MOST_LINKS}`);
  if (joints.length !== n - 1) throw new RangeError(`createChain: joints, got ${joints.length}, expected ${n - 1}`);
  if (!(Number.isSafeInteger(exclusion) && exclusion >= 0)) {
    throw new RangeError(`createChain: exclusion, got ${exclusion}, expected an integer >= 0`);
  }
  const shapes = new Float64Array(TRANSFORM_STRIDE * n);
  const halfLengths = new Float64Array(n);
  const radii = new Float64Array(n);
  const X = createTransform();
  let reach = 0;
  let extent = 0;
  links.forEach(({ shape, pose }, i) => {
    if (shape.type !== 'sphere' && shape.type !== 'capsule') {
      const { type } = shape as { type: string };
      throw new TypeError(`createChain: links[${i}].shape, got ${type}, expected a sphere or a capsule`);
    }
    if (pose) requirePose(`links[${i}].pose`, pose);
    copyTransformAt(shapes, TRANSFORM_STRIDE * i, pose ? poseToTransform(X, pose) : setIdentityTransform(X), 0);
    radii[i] = requireLength(`links[${i}].shape.radius`, shape.radius);
    if (shape.type === 'capsule') halfLengths[i] = requireLength(`links[${i}].shape.length`, shape.length) / 2;
    extent = Math.max(extent, 2 * (radii[i] + halfLengths[i]));
    reach = Math.max(reach, Math.hypot(shapes[12 * i + 9], shapes[12 * i + 10], shapes[12 * i + 11]));
  });
  const jointKinds = new Uint8Array(n - 1);
  const origins = new Float64Array(TRANSFORM_STRIDE * (n - 1));
  const axes = new Float64Array(3 * (n - 1));
  joints.forEach(({ type, origin, axis = [0, 0, 1] }, i) => {
    if (kindOf[type] === undefined) {
      throw new TypeError(
        `createChain: joints[${i}].type, got ${type}, expected one of ${Object.keys(kindOf).join(', ')}`,
      );
    }
    jointKinds[i] = kindOf[type];
    requirePose(`joints[${i}].origin`, origin);
    copyTransformAt(origins, TRANSFORM_STRIDE * i, poseToTransform(X, origin), 0);
    requireFinite(`joints[${i}].axis`, axis, 3);
    const length = Math.hypot(...axis);
    if (!(length > 0)) throw new RangeError(`createChain: joints[${i}].axis, got length 0, expected a direction`);
    for (let k = 0; k < 3; k++) axes[3 * i + k] = axis[k] / length;
    reach = Math.max(reach, Math.hypot(origin[0], origin[1], origin[2]));
  });
  return Object.freeze({
    linkCount: n,
    exclusion,
    jointKinds,
    origins,
    axes,
    shapes,
    halfLengths,
    radii,
    tolerance: touchingTolerance(extent, reach),
  });
}

function requirePose(name: string, pose: Pose): void {
  requireFinite(name, pose, 7);
  if (!(Math.hypot(pose[3], pose[4], pose[5], pose[6]) > 0)) {
    throw new RangeError(`createChain: ${name}, got a quaternion of length 0, expected a rotation`);
  }
}
