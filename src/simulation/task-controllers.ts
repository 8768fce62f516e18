/**
 * Controllers that hold a link's frame at a pose: impedance, and operational space.
 *
 * Method: e the way from the frame to the target (metres, and the rotation vector), V its velocity, both in world axes at its origin.
 * Impedance: tau = J^T (K e - D V): the frame gives way to a force by force / K. Operational space: tau = J^T L (K e - D V) with the
 * inertia L = (J M^-1 J^T)^-1 that the frame has, so that e'' + D e' + K e = 0 whatever the arm's shape, and motions that the
 * frame does not see are damped by their own inertia. Gravity and velocity terms are the robot's own affair (`compensateGravity`);
 * J' v is left out.
 * Source: Hogan 1985, "Impedance control: an approach to manipulation", doi:10.1115/1.3140702; Khatib 1987, "A unified approach for
 * motion and force control of robot manipulators: the operational space formulation", doi:10.1109/JRA.1987.1087068.
 * Cost: M and its factors, nv x 6. Directions that the frame cannot go get no torque; torques stay within the joints' effort limits. Tested by task-controllers.test.ts.
 */
import { crba } from '../dynamics/crba.js';
import { factorizeInertia, solveInertia } from '../dynamics/factorize-inertia.js';
import { computeFrameJacobian } from '../kinematics/frame-jacobian.js';
import { type Fields, requireFields, requireNotNegative, requireOneOf, requireText } from '../math/arguments.js';
import { solveByElimination } from '../math/dense/elimination.js';
import { MisuseError } from '../math/misuse.js';
import { logSo3 } from '../math/so3.js';
import { createTransform, type Pose } from '../math/transform.js';
import { limitTorques } from './limit-torques.js';
import { type Controller, carrierPlacement, requireSimulation, type Simulation } from './simulation.js';
import { readPose } from './world.js';

export interface TaskControlOptions {
  readonly robot: string;
  readonly link: string;
  readonly type: 'impedance' | 'operational-space';
  /** Of the link's frame in the world; or a function of the time. */
  readonly target: Pose | ((t: number) => Pose);
  /** Impedance: N/m and N m/rad; operational space: 1/s^2. [along, about]; 0 leaves it free. */
  readonly stiffness: readonly [number, number];
  /** N s/m and N m s/rad; operational space: 1/s. */
  readonly damping: readonly [number, number];
  /** Of motions that the frame does not see, 1/s; operational space. Default 2. */
  readonly restDamping?: number;
}

const FIELDS: Fields = {
  robot: requireText,
  link: requireText,
  type: (call, what, value) => requireOneOf(call, what, value, ['impedance', 'operational-space']),
  target: () => {},
  stiffness: requirePair,
  damping: requirePair,
  restDamping: requireNotNegative,
};

function requirePair(call: string, what: string, value: unknown): void {
  const [along, about] = Array.isArray(value) && value.length === 2 ? value : [undefined, undefined];
  requireNotNegative(call, `${what}[0]`, along);
  requireNotNegative(call, `${what}[1]`, about);
}

/** Part of the largest entry of J M^-1 J^T that is added to its diagonal: directions that the frame cannot go. */
const LEAST = 1e-10;
const X = createTransform();
const turn = new Float64Array(3);
const R = new Float64Array(9);

/** A function for `controllers`: sets the robot's torques at every step. Throws where the simulation has no such robot or link. */
export function createTaskController(simulation: Simulation, options: TaskControlOptions): Controller {
  const call = 'createTaskController';
  requireFields(call, 'options', options, FIELDS);
  const { robot: name, link, type, target, stiffness, damping, restDamping = 2 } = options;
  requireSimulation(call, simulation);
  const index = simulation.world.robots.findIndex((robot) => robot.name === name);
  if (index < 0)
    throw new MisuseError(`${call}: options.robot, got ${JSON.stringify(name)}, expected the name of a robot`);
  const { model } = simulation.robots[index];
  const number = model.linkIndex.get(link);
  const carrier = simulation.world.carrierIndex.get(`${name}/${link}`);
  if (number === undefined || carrier === undefined)
    throw new MisuseError(`${call}: options.link, got ${JSON.stringify(link)}, expected a link of robot "${name}"`);
  const fixed = typeof target === 'function' ? null : readPose(call, 'options.target', target);
  const { nv } = model;
  const frame = model.linkFrames[number];
  const J = new Float64Array(6 * nv);
  const B = new Float64Array(6 * nv);
  const factors = new Float64Array(nv * nv);
  const A = new Float64Array(36);
  const pull = new Float64Array(6);
  const V = new Float64Array(6);
  const restPull = new Float64Array(6);
  return (now, t) => {
    const { q, v, torques, data } = now.robots[index];
    const wanted = fixed ?? readPose(call, 'target', (target as (t: number) => Pose)(t));
    const isSpace = type === 'operational-space';
    const M = isSpace ? crba(model, data, q) : factors;
    now.robots[index].place();
    computeFrameJacobian(J, model, data.kinematics, frame, 'local-world-aligned');
    carrierPlacement(X, now, carrier);
    // R = R_target R^T, whose rotation vector is the way in world axes.
    for (let r = 0; r < 3; r++)
      for (let c = 0; c < 3; c++) {
        R[3 * r + c] = 0;
        for (let k = 0; k < 3; k++) R[3 * r + c] += wanted[3 * r + k] * X[3 * c + k];
      }
    logSo3(turn, R);
    for (let r = 0; r < 6; r++) {
      V[r] = 0;
      for (let k = 0; k < nv; k++) V[r] += J[r * nv + k] * v[k];
      const e = r < 3 ? wanted[9 + r] - X[9 + r] : turn[r - 3];
      const kind = r < 3 ? 0 : 1;
      pull[r] = stiffness[kind] * e - damping[kind] * V[r];
    }
    torques.fill(0);
    if (isSpace) {
      if (!factorizeInertia(factors, M, nv, data.factorParents)) return;
      for (let r = 0; r < 6; r++) for (let k = 0; k < nv; k++) B[6 * k + r] = J[r * nv + k];
      solveInertia(B, 6, factors, nv, data.factorParents);
      let largest = 0;
      for (let r = 0; r < 6; r++)
        for (let c = 0; c < 6; c++) {
          let sum = 0;
          for (let k = 0; k < nv; k++) sum += J[r * nv + k] * B[6 * k + c];
          A[6 * r + c] = sum;
          largest = Math.max(largest, Math.abs(sum));
        }
      for (let r = 0; r < 6; r++) {
        A[7 * r] += LEAST * largest;
        // Damping of the rest, d M v, less what of it the frame would see.
        restPull[r] = pull[r] + restDamping * V[r];
      }
      if (!solveByElimination(A, restPull, 6, 0)) {
        limitTorques(torques, model);
        return;
      }
      for (let k = 0; k < nv; k++) for (let c = 0; c < nv; c++) torques[k] -= restDamping * M[k * nv + c] * v[c];
    } else restPull.set(pull);
    for (let k = 0; k < nv; k++) for (let r = 0; r < 6; r++) torques[k] += J[r * nv + k] * restPull[r];
    limitTorques(torques, model);
  };
}
