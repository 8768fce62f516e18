/** Poses from points of the unit cube: positions in the box, orientations uniform. */

import { sinCos } from '../math/scalar.js';
import { Kronecker } from './kronecker.js';
import type { RigidPose } from './pose.js';
import type { RigidProblem } from './problem.js';

const TURN = 2 * Math.PI;
const trig = new Float64Array(2);

export class PoseSampler {
  private readonly sequence: Kronecker;
  private readonly point: Float64Array;

  constructor(
    private readonly problem: RigidProblem,
    seed: number,
  ) {
    const dimension = problem.group === 'SE3' ? 6 : 3;
    this.sequence = new Kronecker(dimension, seed);
    this.point = new Float64Array(dimension);
  }

  /** Orientations as Shoemake 1992, "Uniform random rotations". */
  next(out: RigidPose): RigidPose {
    const { problem, point } = this;
    const { lower, upper } = problem;
    this.sequence.next(point);
    if (problem.group === 'SE2') {
      out[0] = lower[0] + point[0] * (upper[0] - lower[0]);
      out[1] = lower[1] + point[1] * (upper[1] - lower[1]);
      out[2] = problem.start[2];
      sinCos(trig, TURN * 0.5 * point[2]);
      out[3] = out[4] = 0;
      out[5] = trig[0];
      out[6] = trig[1];
      return out;
    }
    for (let k = 0; k < 3; k++) out[k] = lower[k] + point[k] * (upper[k] - lower[k]);
    const a = Math.sqrt(1 - point[3]);
    const b = Math.sqrt(point[3]);
    sinCos(trig, TURN * point[4]);
    out[3] = a * trig[0];
    out[4] = a * trig[1];
    sinCos(trig, TURN * point[5]);
    out[5] = b * trig[0];
    out[6] = b * trig[1];
    return out;
  }
}
