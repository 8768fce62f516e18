/**
 * A configuration in which two links of a robot touch, looked for by descent of their distance.
 *
 * Method (Levenberg-Marquardt on the gap vector r = p_B - p_A of the witness points, three equations): 1. J, how the points as they
 * are carried by the joints move against each other per unit of each velocity coordinate; 2. the step -J^T y with
 * (J J^T + lambda I) y = r, at most MOST_STEP per coordinate and held within the limits: coordinates that a limit stops are left
 * out; 3. where it brings the pair nearer, it is taken and lambda shrinks; else lambda grows; 4. again, until they touch, or no
 * step of use is left. The full gap vector, not the distance alone, keeps the descent from zigzagging where an arm is stretched.
 * A local method: a contact elsewhere is not found from every start.
 * Source: Marquardt 1963, "An algorithm for least-squares estimation of nonlinear parameters", doi:10.1137/0111030.
 * Frames: W. Cost: at most MOST_TRIALS distances. Moves the robot. Tested by sample-allowed.test.ts.
 */
import { createMotionData, type MotionData } from '../../kinematics/motion-data.js';
import { clampConfiguration, integrateConfiguration } from '../../model/configuration.js';
import { createDistanceResult } from '../../narrowphase/query.js';
import { setConfiguration } from '../robot.js';
import type { RobotLink, SceneRobot } from '../types.js';
import { updateRobot } from '../update.js';
import { bodiesTouch, bodyDistance } from './body-pairs.js';

const MOST_TRIALS = 100;
/** Radians or metres. */
const MOST_STEP = 0.25;
const LEAST_STEP = 1e-8;

export class ContactSearch {
  private readonly motion: MotionData;
  /** 3 rows of nv. */
  private readonly jacobian: Float64Array;
  private readonly isFree: Uint8Array;
  private readonly step: Float64Array;
  private readonly q: Float64Array;
  private readonly trial: Float64Array;
  private readonly normal = new Float64Array(9);
  private readonly solved = new Float64Array(3);
  private readonly measured = createDistanceResult();
  private readonly pointA = new Float64Array(3);
  private readonly pointB = new Float64Array(3);

  constructor(private readonly robot: SceneRobot) {
    const { model } = robot;
    this.motion = createMotionData(model);
    this.jacobian = new Float64Array(3 * model.nv);
    this.isFree = new Uint8Array(model.nv);
    this.step = new Float64Array(model.nv);
    this.q = new Float64Array(model.nq);
    this.trial = new Float64Array(model.nq);
  }

  /** From a configuration down; the one in which the links touch, or null. */
  descend(a: RobotLink, b: RobotLink, start: Float64Array): Float64Array | null {
    const { robot, q, trial, measured } = this;
    const { model } = robot;
    q.set(start);
    if (this.touchesAt(a, b, q)) return Float64Array.from(q);
    let lambda = 1e-3;
    let { distance } = measured;
    this.writeJacobian(a, b);
    for (let trials = 1; trials < MOST_TRIALS; trials++) {
      if (this.writeStep(lambda) < LEAST_STEP) return null;
      clampConfiguration(trial, model, integrateConfiguration(trial, model, q, this.step));
      if (this.touchesAt(a, b, trial)) return Float64Array.from(trial);
      if (measured.distance < distance) {
        ({ distance } = measured);
        q.set(trial);
        this.writeJacobian(a, b);
        lambda = Math.max(0.25 * lambda, 1e-12);
      } else lambda *= 8;
      if (lambda > 1e12) return null;
    }
    return null;
  }

  /** Returns the largest entry of the step. */
  private writeStep(lambda: number): number {
    const { step, isFree, jacobian: J, robot } = this;
    const { nv } = robot.model;
    isFree.fill(1);
    // Twice: without the coordinates that a limit stopped at first.
    for (let round = 0; round < 2; round++) {
      if (!this.solve(lambda)) return 0;
      const [x, y, z] = this.solved;
      let largest = 0;
      for (let k = 0; k < nv; k++) {
        step[k] = isFree[k] === 0 ? 0 : -(J[k] * x + J[nv + k] * y + J[2 * nv + k] * z);
        largest = Math.max(largest, Math.abs(step[k]));
      }
      const share = largest > MOST_STEP ? MOST_STEP / largest : 1;
      for (let k = 0; k < nv; k++) step[k] *= share;
      if (!this.stopAtLimits()) return share * largest;
    }
    return step.reduce((largest, x) => Math.max(largest, Math.abs(x)), 0);
  }

  /** Marks coordinates that stand at a limit which the step would cross; true when there are some. */
  private stopAtLimits(): boolean {
    const { robot, q, step, isFree } = this;
    const { model } = robot;
    let stopped = false;
    for (let j = 1; j < model.jointCount; j++) {
      if (model.nqs[j] !== 1 || model.nvs[j] !== 1) continue;
      const [k, v] = [model.idxQ[j], model.idxV[j]];
      const isStopped = (q[k] <= model.lower[k] && step[v] < 0) || (q[k] >= model.upper[k] && step[v] > 0);
      if (!isStopped) continue;
      isFree[v] = 0;
      step[v] = 0;
      stopped = true;
    }
    return stopped;
  }

  /** (J J^T + lambda trace I) y = r, a symmetric positive definite system of three, by Cholesky's method; false where nothing moves. */
  private solve(lambda: number): boolean {
    const { normal: A, solved: y, jacobian: J, isFree, pointA, pointB, robot } = this;
    const { nv } = robot.model;
    A.fill(0);
    for (let k = 0; k < nv; k++) {
      if (isFree[k] === 0) continue;
      for (let r = 0; r < 3; r++) for (let c = 0; c <= r; c++) A[3 * r + c] += J[r * nv + k] * J[c * nv + k];
    }
    const trace = A[0] + A[4] + A[8];
    if (!(trace > 1e-200)) return false;
    const damping = lambda * trace;
    for (let r = 0; r < 3; r++) A[4 * r] += damping;
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c <= r; c++) {
        let sum = A[3 * r + c];
        for (let m = 0; m < c; m++) sum -= A[3 * r + m] * A[3 * c + m];
        A[3 * r + c] = r === c ? Math.sqrt(Math.max(sum, 1e-30 * trace)) : sum / A[4 * c];
      }
    }
    for (let r = 0; r < 3; r++) {
      let sum = pointB[r] - pointA[r];
      for (let m = 0; m < r; m++) sum -= A[3 * r + m] * y[m];
      y[r] = sum / A[4 * r];
    }
    for (let r = 2; r >= 0; r--) {
      let sum = y[r];
      for (let m = r + 1; m < 3; m++) sum -= A[3 * m + r] * y[m];
      y[r] = sum / A[4 * r];
    }
    return true;
  }

  private touchesAt(a: RobotLink, b: RobotLink, q: Float64Array): boolean {
    const { robot, measured } = this;
    setConfiguration(robot, q);
    updateRobot(robot);
    if (bodiesTouch(a.body, b.body, 0)) return true;
    bodyDistance(measured, a.body, b.body, Infinity, 'hull');
    return false;
  }

  /** Of the last distance, whose points are kept. */
  private writeJacobian(a: RobotLink, b: RobotLink): void {
    const { jacobian, measured, robot, pointA, pointB } = this;
    jacobian.fill(0);
    pointA.set(measured.pointA);
    pointB.set(measured.pointB);
    const { frameJoints } = robot.model;
    this.addMotion(frameJoints[b.frame], pointB, 1);
    this.addMotion(frameJoints[a.frame], pointA, -1);
  }

  /** Adds sign * v of the point, as it is carried by a joint, for unit velocities. */
  private addMotion(carrier: number, p: Float64Array, sign: number): void {
    const { jacobian, motion, robot } = this;
    const { nv, parents } = robot.model;
    const X = robot.data.jointPlacements;
    const { columnSubspaces: S } = motion;
    for (let j = carrier; j > 0; j = parents[j]) {
      const at = 12 * j;
      // The point in the joint's moving frame.
      const x = p[0] - X[at + 9];
      const y = p[1] - X[at + 10];
      const z = p[2] - X[at + 11];
      const px = X[at] * x + X[at + 3] * y + X[at + 6] * z;
      const py = X[at + 1] * x + X[at + 4] * y + X[at + 7] * z;
      const pz = X[at + 2] * x + X[at + 5] * y + X[at + 8] * z;
      for (let c = motion.columnStarts[j]; c < motion.columnStarts[j + 1]; c++) {
        const s = 6 * c;
        const vx = S[s] + S[s + 4] * pz - S[s + 5] * py;
        const vy = S[s + 1] + S[s + 5] * px - S[s + 3] * pz;
        const vz = S[s + 2] + S[s + 3] * py - S[s + 4] * px;
        for (let r = 0; r < 3; r++)
          jacobian[r * nv + motion.columnVelocities[c]] +=
            sign * (X[at + 3 * r] * vx + X[at + 3 * r + 1] * vy + X[at + 3 * r + 2] * vz);
      }
    }
  }
}
