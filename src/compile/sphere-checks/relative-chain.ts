/**
 * How two links of a robot move against each other: the joints between them, and where those and points of the links are in the
 * frame of the last joint that carries both.
 *
 * Frames: C the frame of that joint. Joints are listed from link A up to C and down to link B, so that a joint farther on in the list
 * is nearer to B. Coordinates that do not vary stand as `rest` says. Tested by impossible-pairs.test.ts.
 */
import { cos, sin } from '../../math/scalar.js';
import { multiplyTransform } from '../../math/transform.js';
import type { Model } from '../../model/model.js';

export interface ChainJoint {
  readonly joint: number;
  /** On the way down to B: moves B seen from C; else A. */
  readonly isTowardB: boolean;
  /** Place among the varying coordinates. */
  readonly coordinate: number;
  /** Joint value = factor q + offset. */
  readonly factor: number;
  readonly offset: number;
  readonly slides: boolean;
}

export interface RelativeChain {
  readonly model: Model;
  readonly jointA: number;
  readonly jointB: number;
  /** All joints between A and B, those that vary and those that rest. */
  readonly path: readonly { readonly joint: number; readonly isTowardB: boolean }[];
  /** Those that vary. */
  readonly joints: readonly ChainJoint[];
  /** Coordinates that move them, ascending. */
  readonly coordinates: readonly number[];
}

/** `place`: place of each of the model's coordinates among those that vary, or -1. */
export function createRelativeChain(model: Model, jointA: number, jointB: number, place: Int32Array): RelativeChain {
  const up = [...model.supports[jointA]];
  const down = [...model.supports[jointB]];
  let shared = 0;
  while (shared < up.length && shared < down.length && up[shared] === down[shared]) shared++;
  const path = [
    ...up
      .slice(shared)
      .reverse()
      .map((joint) => ({ joint, isTowardB: false })),
    ...down.slice(shared).map((joint) => ({ joint, isTowardB: true })),
  ];
  const joints: ChainJoint[] = [];
  for (const { joint, isTowardB } of path) {
    const coordinate = place[model.idxQ[joint]];
    if (coordinate < 0) continue;
    const mimics = model.mimicDrivers[joint] > 0;
    joints.push({
      joint,
      isTowardB,
      coordinate,
      factor: mimics ? model.mimicMultipliers[joint] : 1,
      offset: mimics ? model.mimicOffsets[joint] : 0,
      slides: model.jointKinds[joint]?.name === 'prismatic',
    });
  }
  const coordinates = [...new Set(joints.map(({ coordinate }) => coordinate))].sort((a, b) => a - b);
  return { model, jointA, jointB, path, joints, coordinates };
}

/** Placements of a chain's joints in C for one configuration, 12 numbers each, and the axes of those that vary. */
export class ChainPlacements {
  /** X_CA and X_CB. */
  readonly linkA = new Float64Array(12);
  readonly linkB = new Float64Array(12);
  /** Axis and a point on it, 6 numbers per varying joint, in C. */
  readonly axes: Float64Array;
  private readonly motion = new Float64Array(12);
  private readonly at = new Float64Array(12);

  constructor(
    readonly chain: RelativeChain,
    /** X_JM of joints that rest. */
    private readonly rested: ReadonlyMap<number, Float64Array>,
  ) {
    this.axes = new Float64Array(6 * chain.joints.length);
  }

  /** q: the varying coordinates. */
  place(q: ArrayLike<number>): void {
    this.placeSide(q, false, this.linkA);
    this.placeSide(q, true, this.linkB);
  }

  private placeSide(q: ArrayLike<number>, isTowardB: boolean, out: Float64Array): void {
    const { chain, at, axes } = this;
    const { model, path, joints } = chain;
    at.set([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    for (let i = 0; i < path.length; i++) {
      const step = isTowardB ? path[i] : path[path.length - 1 - i];
      if (step.isTowardB !== isTowardB) continue;
      const j = step.joint;
      multiplyTransform(at, at, model.placements.subarray(12 * j, 12 * j + 12));
      const k = joints.findIndex(({ joint }) => joint === j);
      if (k < 0) {
        multiplyTransform(at, at, this.rested.get(j) as Float64Array);
        continue;
      }
      const { coordinate, factor, offset, slides } = joints[k];
      const u = model.axes.subarray(3 * j, 3 * j + 3);
      for (let r = 0; r < 3; r++) {
        axes[6 * k + r] = at[3 * r] * u[0] + at[3 * r + 1] * u[1] + at[3 * r + 2] * u[2];
        axes[6 * k + 3 + r] = at[9 + r];
      }
      moveAlong(this.motion, u, factor * q[coordinate] + offset, slides);
      multiplyTransform(at, at, this.motion);
    }
    out.set(at);
  }
}

/** X_JM of a joint about or along the unit vector u. */
function moveAlong(out: Float64Array, u: ArrayLike<number>, value: number, slides: boolean): void {
  if (slides) {
    out.set([1, 0, 0, 0, 1, 0, 0, 0, 1, u[0] * value, u[1] * value, u[2] * value]);
    return;
  }
  const c = cos(value);
  const s = sin(value);
  const [x, y, z] = [u[0], u[1], u[2]];
  const d = 1 - c;
  out.set([
    c + d * x * x,
    d * x * y - s * z,
    d * x * z + s * y,
    d * x * y + s * z,
    c + d * y * y,
    d * y * z - s * x,
    d * x * z - s * y,
    d * y * z + s * x,
    c + d * z * z,
    0,
    0,
    0,
  ]);
}
