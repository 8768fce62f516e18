/**
 * Forward kinematics of states that hold some coordinates of a robot: what constraints of its frames share.
 *
 * Only joints of one number each. Tested by robot-constraint.test.ts.
 */
import { computeFramePlacement, updateKinematics } from '../../kinematics/forward-kinematics.js';
import { throwMisuse } from '../../math/arguments.js';
import { createTransform, poseToTransform, relativeTransform, transformPoint } from '../../math/transform.js';
import { type Data, findFrame, type Model } from '../../model/model.js';

const CALL = 'createRobotConstraint';
export const IDENTITY = poseToTransform(createTransform(), [0, 0, 0, 0, 0, 0, 1]);

/** Forward kinematics and Jacobians of states of some coordinates. */
export class FrameKinematics {
  readonly q: Float64Array;
  /** Columns of the Jacobian: the velocity of each coordinate. */
  readonly columns: Int32Array;
  private readonly wraps: Uint8Array;
  private readonly placed = createTransform();

  constructor(
    readonly model: Model,
    readonly data: Data,
    readonly indices: Int32Array,
    rest: Float64Array,
  ) {
    this.q = rest;
    const ofCoordinate = new Int32Array(model.nq).fill(-1);
    for (let j = 1; j < model.jointCount; j++)
      if (model.nqs[j] === 1 && model.nvs[j] === 1) ofCoordinate[model.idxQ[j]] = model.idxV[j];
    this.columns = indices.map((i) => ofCoordinate[i] ?? -1);
    this.wraps = Uint8Array.from(indices, (i) => {
      const joint = model.jointKinds.findIndex((kind, j) => kind !== null && kind.nq > 0 && model.idxQ[j] === i);
      return model.jointKinds[joint]?.isWrapped ? 1 : 0;
    });
    const general = this.columns.findIndex((column) => column < 0);
    if (general >= 0) throwMisuse(CALL, 'options.indices', indices[general], 'coordinates of joints of one number');
  }

  /** Halfway, the shorter way round. */
  middle(out: Float64Array, a: Float64Array, b: Float64Array): void {
    for (let k = 0; k < out.length; k++) {
      let change = b[k] - a[k];
      if (this.wraps[k] === 1) change -= 2 * Math.PI * Math.round(change / (2 * Math.PI));
      out[k] = a[k] + 0.5 * change;
    }
  }

  place(state: ArrayLike<number>): void {
    const { q, indices } = this;
    for (let k = 0; k < indices.length; k++) q[indices[k]] = state[k];
    updateKinematics(this.model, this.data, q);
  }

  /** X_WF at the state that was placed last; -1: the world. */
  placeFrame(frame: number): Float64Array {
    if (frame < 0) return IDENTITY;
    return computeFramePlacement(this.placed, this.model, this.data, frame);
  }

  /** Rotation of frame B seen from A, and where a point of B is, at `rest`. */
  placeNow(frame: number, relativeTo: number, point: Float64Array): Float64Array {
    updateKinematics(this.model, this.data, this.q);
    const X_WB = this.placeFrame(frame).slice();
    const X_WA = relativeTo < 0 ? IDENTITY : this.placeFrame(relativeTo).slice();
    const X = relativeTransform(createTransform(), X_WA, X_WB);
    const p = transformPoint(new Float64Array(3), X, point);
    X.set(p, 9);
    return X;
  }

  find(call: string, what: string, name: unknown): number {
    const frame = typeof name === 'string' ? findFrame(this.model, name) : -1;
    if (frame < 0) throwMisuse(call, what, name, 'a link or joint of the robot');
    return frame;
  }
}
