/**
 * How much the joints between two frames can do to a point of one, seen from the other, while they go straight between two states.
 *
 * W is the sum of the joints' |w|, U that of |l| + |w| r, with r the distance of the point from the joint: in the middle of the motion, and what half of it
 * adds, so that U (1 - W / 2) <= sum of |l| + |w| r in the middle. Infinite where W reaches 2. Joints that carry both frames alike count for
 * neither. Source: see robot-constraint.ts. Tested by robot-constraint.test.ts.
 */
import type { FrameKinematics } from './frame-kinematics.js';

export interface ChainBounds {
  /** Whose forward kinematics are those of the middle; `point` in the frame. */
  bound(a: Float64Array, b: Float64Array, point: Float64Array): { readonly W: number; readonly U: number };
}

interface ChainJoint {
  readonly joint: number;
  /** Place of the number that moves it in a state. */
  readonly at: number;
  readonly wraps: boolean;
  /** Per unit of that number. */
  readonly linear: number;
  readonly angular: number;
}

/** -1 is the world. */
export function createChainBounds(kinematics: FrameKinematics, frame: number, from: number): ChainBounds {
  const { model, data, indices } = kinematics;
  const above = new Set(from < 0 ? [] : model.supports[model.frameJoints[from]]);
  const below = frame < 0 ? new Int32Array(0) : model.supports[model.frameJoints[frame]];
  const chain = [...below.filter((j) => !above.has(j)), ...[...above].filter((j) => !below.includes(j))];
  const joints: ChainJoint[] = [];
  for (const joint of chain) {
    const driver = model.mimicDrivers[joint];
    const moved = driver > 0 ? driver : joint;
    const at = indices.indexOf(model.idxQ[moved]);
    if (at < 0) continue;
    const S = driver > 0 ? model.mimicSubspaces : model.motionSubspaces;
    const o = 6 * (driver > 0 ? joint : model.idxV[joint]);
    const length = (i: number): number => Math.sqrt(S[i] * S[i] + S[i + 1] * S[i + 1] + S[i + 2] * S[i + 2]);
    const { isWrapped } = model.jointKinds[moved]!;
    joints.push({ joint, at, wraps: isWrapped, linear: length(o), angular: length(o + 3) });
  }
  return {
    bound(a, b, point) {
      const X = data.jointPlacements;
      const F = kinematics.placeFrame(frame);
      const p = [0, 1, 2].map(
        (i) => F[9 + i] + F[3 * i] * point[0] + F[3 * i + 1] * point[1] + F[3 * i + 2] * point[2],
      );
      let W = 0;
      let U = 0;
      for (const { joint, at, wraps, linear, angular } of joints) {
        let change = b[at] - a[at];
        if (wraps) change -= 2 * Math.PI * Math.round(change / (2 * Math.PI));
        change = Math.abs(change);
        const o = 12 * joint + 9;
        const x = p[0] - X[o];
        const y = p[1] - X[o + 1];
        const z = p[2] - X[o + 2];
        W += angular * change;
        U += change * (linear + angular * Math.sqrt(x * x + y * y + z * z));
      }
      return W < 2 ? { W, U: U / (1 - 0.5 * W) } : { W: Number.POSITIVE_INFINITY, U: Number.POSITIVE_INFINITY };
    },
  };
}
