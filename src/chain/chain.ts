/**
 * A kinematic chain as flat, frozen data: N links in a row, joint i between link i and link i + 1.
 *
 * X_{i,i+1} = origin_i motion_i: the frame of link i + 1 in the frame of link i is the joint's fixed placement times its
 * motion (a turn about `axis`, a shift along it, any turn, or nothing). Each link carries one shape: a sphere, a capsule, a
 * cluster of balls, or any other shape that has bounds (link-shapes.ts).
 *
 *   origins  12 (N - 1)  placement of joint i in link i          jointKinds  N - 1
 *   axes      3 (N - 1)  unit axis in the joint's frame
 *   shapes   12 N        pose of the shape frame in link i
 */

import { validateShape } from '../geometry/validate-shape.js';
import {
  type Fields,
  oneOf,
  requireFields,
  requireList,
  requireNumbers,
  requireObject,
  throwMisuse,
  unchecked,
} from '../math/arguments.js';
import { finishSteps } from '../math/finish-steps.js';
import { MisuseError } from '../math/misuse.js';
import { hypot } from '../math/scalar.js';
import { touchingTolerance } from '../math/tolerance.js';
import {
  copyTransformAt,
  createTransform,
  type Pose,
  poseToTransform,
  setIdentityTransform,
  TRANSFORM_STRIDE,
} from '../math/transform.js';
import { describeQuaternion } from '../math/unit-quaternion.js';
import { type BallCluster, type LinkShape, LinkShapes } from './link-shapes.js';

export type ChainJointType = 'revolute' | 'prismatic' | 'spherical' | 'fixed';

export interface ChainLink {
  /** Anything but a half-space. Meshes and shapes of parts bring their own hierarchies. */
  readonly shape: LinkShape;
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
  /** @internal */
  readonly links: LinkShapes;
  /** Distance up to which two links touch. */
  readonly tolerance: number;
}

export const REVOLUTE = 0;
export const PRISMATIC = 1;
export const SPHERICAL = 2;
const FIXED = 3;

const kindOf: Record<ChainJointType, number> = {
  revolute: REVOLUTE,
  prismatic: PRISMATIC,
  spherical: SPHERICAL,
  fixed: FIXED,
};

const DESCRIPTION: Fields = { links: requireList, joints: requireList, exclusion: unchecked };
const LINK: Fields = { shape: unchecked, pose: unchecked };
const JOINT: Fields = { type: oneOf(...Object.keys(kindOf)), origin: unchecked, axis: unchecked };

const LINKS_AT_ONCE = 5000;

/** Most links of a chain: a pair of link numbers is kept as one exact integer. */
const MOST_LINKS = 2 ** 26;

function requireShape(link: number, shape: LinkShape): void {
  const name = `links[${link}].shape`;
  requireObject('createChain', name, shape, 'a shape');
  if (shape.type === 'balls') {
    requireBalls(name, shape);
  } else if (shape.type === 'halfspace') {
    throw new MisuseError(`createChain: ${name}, got a half-space, expected a shape with bounds`);
  } else if (shape.type === 'sphere' || shape.type === 'capsule') {
    // A point and a bare segment are links too.
    requireSize(`${name}.radius`, shape.radius);
    if (shape.type === 'capsule') requireSize(`${name}.length`, shape.length);
  } else validateShape(shape);
}

function requireBalls(name: string, { centers, radii }: BallCluster): void {
  requireNumbers('createChain', `${name}.radii`, radii);
  requireNumbers('createChain', `${name}.centers`, centers);
  if (radii.length === 0 || centers.length !== 3 * radii.length) {
    throw new MisuseError(
      `createChain: ${name}.centers, got ${centers.length} numbers for ${radii.length} radii, expected 3 finite ones each`,
    );
  }
  for (let i = 0; i < radii.length; i++) requireSize(`${name}.radii[${i}]`, radii[i]);
}

function requireSize(name: string, value: unknown): void {
  if (typeof value !== 'number' || !(value >= 0 && value < Infinity))
    throwMisuse('createChain', name, value, 'a finite number >= 0');
}

/** Throws on what no `createChain` made. */
export function requireChain(call: string, chain: unknown): void {
  requireChainObject(call, chain);
  if ((chain as Chain).links.isDisposed)
    throw new MisuseError(`${call}: chain, got one that was disposed, expected a live one`);
}

function requireChainObject(call: string, chain: unknown): void {
  if (!((chain as Chain | null | undefined)?.links instanceof LinkShapes))
    throwMisuse(call, 'chain', chain, 'what createChain returned');
}

export function createChain(description: ChainDescription): Chain {
  return finishSteps(createChainInSteps(description));
}

/** As `createChain`, some thousand links at a step. */
export function* createChainInSteps(description: ChainDescription): Generator<void, Chain> {
  requireFields('createChain', 'description', description, DESCRIPTION);
  const { links, joints, exclusion = 1 } = description;
  requireList('createChain', 'description.links', links);
  const n = links.length;
  requireList('createChain', 'description.joints', joints);
  if (n < 1 || n > MOST_LINKS) throw new MisuseError(`createChain: links, got ${n}, expected 1 to ${MOST_LINKS}`);
  if (joints.length !== n - 1) throw new MisuseError(`createChain: joints, got ${joints.length}, expected ${n - 1}`);
  if (!(Number.isSafeInteger(exclusion) && exclusion >= 0)) {
    throw new MisuseError(`createChain: exclusion, got ${exclusion}, expected an integer >= 0`);
  }
  const shapes = new Float64Array(TRANSFORM_STRIDE * n);
  const X = createTransform();
  for (const [i, link] of links.entries()) {
    if (i % LINKS_AT_ONCE === 0) yield;
    requireFields('createChain', `links[${i}]`, link, LINK);
    const { shape, pose } = link;
    requireShape(i, shape);
    if (pose !== undefined) requirePose(`links[${i}].pose`, pose);
    copyTransformAt(shapes, TRANSFORM_STRIDE * i, pose ? poseToTransform(X, pose) : setIdentityTransform(X), 0);
  }
  yield;
  const linkShapes = new LinkShapes(
    links.map(({ shape }) => shape),
    shapes,
  );
  let reach = 0;
  let extent = 0;
  for (let i = 0; i < n; i++) {
    extent = Math.max(extent, 2 * linkShapes.reaches[i]);
    reach = Math.max(reach, hypot(shapes[12 * i + 9], shapes[12 * i + 10], shapes[12 * i + 11]));
  }
  const jointKinds = new Uint8Array(n - 1);
  const origins = new Float64Array(TRANSFORM_STRIDE * (n - 1));
  const axes = new Float64Array(3 * (n - 1));
  for (const [i, joint] of joints.entries()) {
    if (i % LINKS_AT_ONCE === 0) yield;
    requireFields('createChain', `joints[${i}]`, joint, JOINT);
    const { type, origin, axis = [0, 0, 1] } = joint;
    if (type === undefined) JOINT.type('createChain', `joints[${i}].type`, type);
    jointKinds[i] = kindOf[type];
    requirePose(`joints[${i}].origin`, origin);
    copyTransformAt(origins, TRANSFORM_STRIDE * i, poseToTransform(X, origin), 0);
    requireNumbers('createChain', `joints[${i}].axis`, axis, 3);
    const length = hypot(axis[0], axis[1], axis[2]);
    if (!(length > 0)) throw new MisuseError(`createChain: joints[${i}].axis, got length 0, expected a direction`);
    for (let k = 0; k < 3; k++) axes[3 * i + k] = axis[k] / length;
    reach = Math.max(reach, hypot(origin[0], origin[1], origin[2]));
  }
  return Object.freeze({
    linkCount: n,
    exclusion,
    jointKinds,
    origins,
    axes,
    shapes,
    links: linkShapes,
    tolerance: touchingTolerance(extent, reach),
  });
}

function requirePose(name: string, pose: Pose): void {
  requireNumbers('createChain', name, pose, 7);
  const problem = describeQuaternion(pose, 3);
  if (problem !== null) throw new MisuseError(`createChain: ${name}, ${problem}`);
}

/** Frees the kernel memory of links that are meshes; chains without any need it not. */
export function disposeChain(chain: Chain): void {
  requireChainObject('disposeChain', chain);
  chain.links.dispose();
}
