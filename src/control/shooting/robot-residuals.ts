/**
 * Residuals of a robot's frames and its centre of mass, by the names of the field.
 *
 *   frame placement    log of X_target^-1 X_WF, 6 numbers [linear, angular], in the frame's tangent
 *   frame translation  p_WF - target, 3, world axes        frame rotation  log of R_target^T R_WF, 3
 *   frame velocity     V_WF - target, 6, world axes at the frame's origin
 *   centre of mass     c - target, 3, world axes           sphere clearance  distances of a robot's spheres to others, less radii
 * Targets may be moved between solutions by writing to the array that was given.
 * Source of the log and its Jacobian: Sola, Deray, Atchuthan 2018, "A micro Lie theory for state estimation in robotics",
 * arXiv:1812.01537. Derivatives along steps of the state (right-plus). Tested by residuals.test.ts (differences).
 */

import { computeCenterOfMass, computeCenterOfMassJacobian } from '../../kinematics/center-of-mass.js';
import { computeFramePlacement } from '../../kinematics/forward-kinematics.js';
import { computeFrameJacobian } from '../../kinematics/frame-jacobian.js';
import { computeFrameVelocity } from '../../kinematics/frame-motion.js';
import { requireNumbers } from '../../math/arguments.js';
import { describeValue } from '../../math/known-keys.js';
import { MisuseError } from '../../math/misuse.js';
import { logSe3, rightJacobianInverseSe3 } from '../../math/se3.js';
import { logSo3, rightJacobianInverseSo3 } from '../../math/so3.js';
import { relativeTransform } from '../../math/transform.js';
import { type Model, requireModel } from '../../model/model.js';
import {
  createFrameDerivatives,
  type FrameDerivatives,
  updateFrameDerivatives,
} from '../derivatives/frame-motion-derivatives.js';
import { type Needs, type Residual, type RobotContext, requireRobot, type StageContext } from './residual.js';

/** Frame of a model by name or index. */
export function readFrame(call: string, model: Model, frame: number | string): number {
  requireModel(call, model);
  const index = typeof frame === 'number' ? frame : model.frames.findIndex(({ name }) => name === frame);
  if (!(Number.isInteger(index) && index >= 0 && index < model.frameCount))
    throw new MisuseError(`${call}: frame, got ${describeValue(frame)}, expected the name or index of a frame`);
  return index;
}

const keep = (values: ArrayLike<number>): Float64Array =>
  values instanceof Float64Array ? values : Float64Array.from(values);

const X_WF = new Float64Array(12);
const X_TF = new Float64Array(12);
const xi = new Float64Array(6);
const inverse = new Float64Array(36);
const turn = new Float64Array(3);
const R = new Float64Array(9);
const R_TF = new Float64Array(9);
const inverse3 = new Float64Array(9);

interface FrameResidual {
  readonly name: string;
  readonly size: number;
  readonly needs: Needs;
  readonly evaluate: (r: Float64Array, robot: RobotContext) => void;
  /** Writes size x nv blocks of rx at rows of 2 nv. */
  readonly differentiate: (rx: Float64Array, robot: RobotContext) => void;
}

function createRobotResidual(residual: FrameResidual): Residual {
  return {
    ...residual,
    ofState: true,
    ofControl: false,
    evaluate: (r: Float64Array, context: StageContext) => residual.evaluate(r, requireRobot(residual.name, context)),
    differentiate: (rx: Float64Array, _: Float64Array, context: StageContext) =>
      residual.differentiate(rx, requireRobot(residual.name, context)),
  };
}

/** `placement`: X_WT, 12 numbers. */
export function createFramePlacementResidual(
  model: Model,
  frame: number | string,
  placement: ArrayLike<number>,
): Residual {
  const index = readFrame('createFramePlacementResidual', model, frame);
  requireNumbers('createFramePlacementResidual', 'placement', placement, 12);
  const target = keep(placement);
  const J = new Float64Array(6 * model.nv);
  const place = ({ data }: RobotContext) => {
    computeFramePlacement(X_WF, model, data.kinematics, index);
    logSe3(xi, relativeTransform(X_TF, target, X_WF));
  };
  return createRobotResidual({
    name: 'frame placement',
    size: 6,
    needs: 'placements',
    evaluate: (r, robot) => {
      place(robot);
      r.set(xi);
    },
    differentiate: (rx, robot) => {
      place(robot);
      rightJacobianInverseSe3(inverse, xi);
      computeFrameJacobian(J, model, robot.data.kinematics, index, 'local');
      writeProduct(rx, inverse, J, 6, model.nv);
    },
  });
}

/** `position`: 3 numbers, world. */
export function createFrameTranslationResidual(
  model: Model,
  frame: number | string,
  position: ArrayLike<number>,
): Residual {
  const index = readFrame('createFrameTranslationResidual', model, frame);
  requireNumbers('createFrameTranslationResidual', 'position', position, 3);
  const target = keep(position);
  const J = new Float64Array(6 * model.nv);
  const { nv } = model;
  return createRobotResidual({
    name: 'frame translation',
    size: 3,
    needs: 'placements',
    evaluate: (r, { data }) => {
      computeFramePlacement(X_WF, model, data.kinematics, index);
      for (let i = 0; i < 3; i++) r[i] = X_WF[9 + i] - target[i];
    },
    differentiate: (rx, { data }) => {
      computeFrameJacobian(J, model, data.kinematics, index, 'local-world-aligned');
      for (let i = 0; i < 3; i++) for (let k = 0; k < nv; k++) rx[i * 2 * nv + k] = J[i * nv + k];
    },
  });
}

/** `rotation`: R_WT, 9 numbers. */
export function createFrameRotationResidual(
  model: Model,
  frame: number | string,
  rotation: ArrayLike<number>,
): Residual {
  const index = readFrame('createFrameRotationResidual', model, frame);
  requireNumbers('createFrameRotationResidual', 'rotation', rotation, 9);
  const target = keep(rotation);
  const J = new Float64Array(6 * model.nv);
  const place = ({ data }: RobotContext) => {
    computeFramePlacement(X_WF, model, data.kinematics, index);
    for (let i = 0; i < 9; i++) R[i] = X_WF[i];
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++)
        R_TF[3 * r + c] = target[r] * R[c] + target[3 + r] * R[3 + c] + target[6 + r] * R[6 + c];
    }
    logSo3(turn, R_TF);
  };
  return createRobotResidual({
    name: 'frame rotation',
    size: 3,
    needs: 'placements',
    evaluate: (r, robot) => {
      place(robot);
      r.set(turn);
    },
    differentiate: (rx, robot) => {
      place(robot);
      rightJacobianInverseSo3(inverse3, turn);
      computeFrameJacobian(J, model, robot.data.kinematics, index, 'local');
      writeProduct(rx, inverse3, J.subarray(3 * model.nv), 3, model.nv);
    },
  });
}

/** `velocity`: 6 numbers [linear, angular], world axes at the frame's origin; default 0. */
export function createFrameVelocityResidual(
  model: Model,
  frame: number | string,
  velocity: ArrayLike<number> = new Float64Array(6),
): Residual {
  const index = readFrame('createFrameVelocityResidual', model, frame);
  requireNumbers('createFrameVelocityResidual', 'velocity', velocity, 6);
  const target = keep(velocity);
  const { nv } = model;
  let derivatives: FrameDerivatives | null = null;
  return createRobotResidual({
    name: 'frame velocity',
    size: 6,
    needs: 'velocities',
    evaluate: (r, { data }) => {
      computeFrameVelocity(xi, model, data.kinematics, data, index, 'local-world-aligned');
      for (let i = 0; i < 6; i++) r[i] = xi[i] - target[i];
    },
    differentiate: (rx, { data }) => {
      derivatives ??= createFrameDerivatives(model, data);
      const { velocityDq, velocityDv } = updateFrameDerivatives(derivatives, model, data, index);
      for (let i = 0; i < 6; i++) {
        for (let k = 0; k < nv; k++) {
          rx[i * 2 * nv + k] = velocityDq[i * nv + k];
          rx[i * 2 * nv + nv + k] = velocityDv[i * nv + k];
        }
      }
    },
  });
}

/** `position`: 3 numbers, world. */
export function createCenterOfMassResidual(model: Model, position: ArrayLike<number>): Residual {
  requireModel('createCenterOfMassResidual', model);
  requireNumbers('createCenterOfMassResidual', 'position', position, 3);
  const target = keep(position);
  const { nv } = model;
  const J = new Float64Array(3 * nv);
  return createRobotResidual({
    name: 'center of mass',
    size: 3,
    needs: 'placements',
    evaluate: (r, { data }) => {
      computeCenterOfMass(turn, model, data.kinematics);
      for (let i = 0; i < 3; i++) r[i] = turn[i] - target[i];
    },
    differentiate: (rx, { data }) => {
      computeCenterOfMassJacobian(J, model, data.kinematics, data);
      for (let i = 0; i < 3; i++) for (let k = 0; k < nv; k++) rx[i * 2 * nv + k] = J[i * nv + k];
    },
  });
}

/** rx[:, 0 .. nv) = a J, a size x size, J size x nv; rows of rx have 2 nv numbers. */
function writeProduct(rx: Float64Array, a: Float64Array, J: Float64Array, size: number, nv: number): void {
  for (let i = 0; i < size; i++) {
    for (let l = 0; l < size; l++) {
      const x = a[i * size + l];
      if (x === 0) continue;
      for (let k = 0; k < nv; k++) rx[i * 2 * nv + k] += x * J[l * nv + k];
    }
  }
}
