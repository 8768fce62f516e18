/**
 * A robot as flat arrays: `Model` never changes and may be shared, `Data` holds the results computed from it.
 *
 * Joints are numbered depth first, children in file order; only joints that move are joints here (fixed ones are merged,
 * their links and names stay as frames). Joint 0 is the base ("universe": not a joint of the file, never moves in the base
 * frame), so loops over moving joints run from 1 to jointCount - 1, and `parents[j] < j`. The joints below j, j included,
 * are j .. subtreeEnds[j] - 1.
 *
 *   array                 stride   index    content
 *   placements            12       joint    X_PJ: joint frame on the parent joint's frame at q = 0
 *   axes                  3        joint    unit axis in the joint frame (normal of a planar joint)
 *   idxQ idxV nqs nvs     1        joint    place in q and v; a mimic joint has nq = nv = 0 and its driver's places
 *   motionSubspaces       6        v        column [linear, angular] of each velocity, in the moving joint frame
 *   masses                1        joint    mass carried by the joint's frame (fixed links merged), kg
 *   centersOfMass         3        joint    in the joint frame, m
 *   inertias              9        joint    about the centre of mass, joint frame axes, row-major, kg m^2
 *   framePlacements       12       frame    X_JF: frame on its joint's frame
 *   lower upper           1        q        -Infinity, Infinity where there is no limit; narrowed by joints that mimic (follower-limits.ts)
 *   velocityLimits efforts 1       v        Infinity where there is no limit
 */

import { requireNumbers, requireOneOf, requireText, throwMisuse } from '../math/arguments.js';
import { setIdentityTransform, TRANSFORM_STRIDE } from '../math/transform.js';
import type { JointDescription } from './description.js';
import type { JointKind } from './joints/joint-kind.js';

export type FrameKind = 'link' | 'joint';

export interface Frame {
  readonly name: string;
  readonly kind: FrameKind;
  /** The joint whose moving frame carries this one; 0 = base. */
  readonly joint: number;
  /** The link this frame is (kind link) or the child link of the joint (kind joint), as index into `linkNames`. */
  readonly link: number;
}

/** How kinematics forms a joint's transform: short products for the common cases. */
export const Shortcut = {
  General: 0,
  TurnX: 1,
  TurnY: 2,
  TurnZ: 3,
  Turn: 4,
  Shift: 5,
} as const;

export interface Model {
  readonly name: string;
  readonly nq: number;
  readonly nv: number;
  /** Number of joints, the base (joint 0) included. */
  readonly jointCount: number;
  readonly frameCount: number;
  readonly linkCount: number;

  /** `universe` at 0; `root_joint` at 1 for floating and planar bases. */
  readonly jointNames: readonly string[];
  /** Kind of each joint; null at 0. */
  readonly jointKinds: readonly (JointKind | null)[];
  /** What the file says of the joint; null for the base and for a `root_joint`. */
  readonly jointDescriptions: readonly (JointDescription | null)[];
  readonly shortcuts: Uint8Array;
  readonly parents: Int32Array;
  readonly subtreeEnds: Int32Array;
  /** Moving joints from the base to joint j, j last. */
  readonly supports: readonly Int32Array[];
  readonly placements: Float64Array;
  readonly axes: Float64Array;
  /** Last part of the composite joint that joint j is a part of; j itself for all others. */
  readonly wholeJoints: Int32Array;
  readonly idxQ: Int32Array;
  readonly idxV: Int32Array;
  readonly nqs: Int32Array;
  readonly nvs: Int32Array;
  readonly motionSubspaces: Float64Array;

  /** q(j) = multiplier q(driver) + offset; driver is 0 for a joint that does not mimic, and never mimics itself. */
  readonly mimicDrivers: Int32Array;
  readonly mimicMultipliers: Float64Array;
  readonly mimicOffsets: Float64Array;
  /** Motion subspace of each joint that mimics, scaled by its multiplier; 6 numbers per joint, zero for the others. */
  readonly mimicSubspaces: Float64Array;

  readonly masses: Float64Array;
  readonly centersOfMass: Float64Array;
  readonly inertias: Float64Array;

  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly velocityLimits: Float64Array;
  readonly effortLimits: Float64Array;

  readonly frames: readonly Frame[];
  readonly frameJoints: Int32Array;
  readonly framePlacements: Float64Array;
  /** 1 for frames that coincide with their joint's frame, as most do. */
  readonly framesAtJoint: Uint8Array;
  readonly linkNames: readonly string[];
  /** Joint that carries each link, and the link's frame. */
  readonly linkJoints: Int32Array;
  readonly linkFrames: Int32Array;
  /** X_WB where the base stands unless `setBasePlacement` moves it. */
  readonly basePlacement: Float64Array;

  readonly jointIndex: ReadonlyMap<string, number>;
  readonly linkIndex: ReadonlyMap<string, number>;
}

export interface Data {
  /** X_WJ of every joint, 12 numbers each; the first twelve are X_WB, the base. */
  readonly jointPlacements: Float64Array;
  /** X_WF of every frame, 12 numbers each. */
  readonly framePlacements: Float64Array;
  /** 1 for joints whose placement the last kinematics call changed; index 0 is the base. */
  readonly moved: Uint8Array;
  /** The q of the last kinematics call; NaN before the first. */
  readonly lastConfiguration: Float64Array;
  /** Transform and coordinate of one joint: scratch. */
  readonly jointTransform: Float64Array;
  readonly coordinate: Float64Array;
}

export function createData(model: Model): Data {
  requireModel('createData', model);
  return createDataIn(new Float64Array(countDataNumbers(model)), 0, model);
}

export function countDataNumbers({ jointCount, frameCount, nq }: Model): number {
  return TRANSFORM_STRIDE * (jointCount + frameCount + 1) + nq + 1;
}

/** As `createData`, in a part of a block: an array of its own costs more than what is in it. */
export function createDataIn(block: Float64Array, first: number, model: Model): Data {
  const { jointCount, frameCount, nq } = model;
  let at = first;
  const take = (count: number): Float64Array => {
    at += count;
    return new Float64Array(block.buffer, block.byteOffset + 8 * (at - count), count);
  };
  const jointPlacements = take(TRANSFORM_STRIDE * jointCount);
  jointPlacements.set(model.basePlacement);
  return {
    jointPlacements,
    framePlacements: take(TRANSFORM_STRIDE * frameCount),
    moved: new Uint8Array(jointCount),
    lastConfiguration: take(nq).fill(Number.NaN),
    jointTransform: setIdentityTransform(take(TRANSFORM_STRIDE)),
    coordinate: take(1),
  };
}

/** Stands the base elsewhere: X_WB. Takes effect with the next kinematics call, which then recomputes every joint. */
export function setBasePlacement(data: Data, X_WB: ArrayLike<number>): void {
  if (!(data?.jointPlacements instanceof Float64Array && data.lastConfiguration instanceof Float64Array))
    throwMisuse('setBasePlacement', 'data', data, 'what createData returned');
  requireNumbers('setBasePlacement', 'X_WB', X_WB, 12);
  data.jointPlacements.set(X_WB as Float64Array);
  data.lastConfiguration.fill(Number.NaN);
}

/** Index of a moving joint by name; -1 when there is none (fixed joints are frames: see `findFrame`). */
export function findJoint(model: Model, name: string): number {
  requireModel('findJoint', model);
  requireText('findJoint', 'name', name);
  return model.jointIndex.get(name) ?? -1;
}

/** Index of a link by name; -1 when there is none. */
export function findLink(model: Model, name: string): number {
  requireModel('findLink', model);
  requireText('findLink', 'name', name);
  return model.linkIndex.get(name) ?? -1;
}

/** Index of a frame by name; a link wins over a joint of the same name unless `kind` says otherwise. -1 when absent. */
export function findFrame(model: Model, name: string, kind?: FrameKind): number {
  requireModel('findFrame', model);
  requireText('findFrame', 'name', name);
  if (kind !== undefined) requireOneOf('findFrame', 'kind', kind, ['link', 'joint']);
  if (kind !== 'joint') {
    const link = findLink(model, name);
    if (link >= 0) return model.linkFrames[link];
  }
  return kind === 'link' ? -1 : model.frames.findIndex((frame) => frame.kind === 'joint' && frame.name === name);
}

export function requireModel(call: string, model: unknown): void {
  const { jointCount, idxQ, jointKinds } = (model ?? {}) as Partial<Model>;
  if (typeof jointCount !== 'number' || idxQ === undefined || jointKinds === undefined)
    throwMisuse(call, 'model', model, 'the model that buildModel returned');
}
