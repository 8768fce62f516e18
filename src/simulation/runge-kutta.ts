/**
 * A step of the classical fourth-order method, for worlds in which nothing touches.
 *
 * Method: stages on the state of free bodies (quaternions as numbers, normalised at the end) and on q (+) xi of robots, whose xi'
 * is v plus the commutators of the group up to fourth order (Runge, Kutta, Munthe-Kaas). Drives are taken as springs at each stage.
 * Source: Munthe-Kaas 1998, "Runge-Kutta methods on Lie groups", doi:10.1007/BF02510919.
 * Fails: returns false for robots with planar or composite joints, which commutators are not written for, and singular inertias.
 * Tested by motion.test.ts.
 */
import { aba } from '../dynamics/aba.js';
import { normalizeQuat } from '../math/quat.js';
import { crossMotion } from '../math/spatial.js';
import { integrateConfiguration } from '../model/configuration.js';
import type { JointKind } from '../model/joints/joint-kind.js';
import { multiplyMoments } from './free-bodies.js';
import type { RobotState } from './robot-state.js';
import { BODY_STRIDE, FIRST_BODY, placeBody, type Simulation } from './simulation.js';

const STAGES = [0, 0.5, 0.5, 1];
const WEIGHTS = [1 / 6, 1 / 3, 1 / 3, 1 / 6];

/** Whether the step was made. */
export function stepRungeKutta(simulation: Simulation, h: number, t: number): boolean {
  if (!simulation.robots.every(hasKnownGroups)) return false;
  for (let i = 0; i < simulation.world.bodies.length; i++) stepBody(simulation, i, h);
  for (const robot of simulation.robots) stepRobot(robot, h, t);
  return true;
}

function hasKnownGroups({ model, singular }: RobotState): boolean {
  if (singular) return false;
  for (let j = 1; j < model.jointCount; j++) {
    const kind = model.jointKinds[j] as JointKind;
    if (model.nqs[j] > 0 && !['vector', 'circle', 'rotation', 'rigid'].includes(kind.group)) return false;
  }
  return true;
}

const s0 = new Float64Array(13);
const s1 = new Float64Array(13);
const rate = new Float64Array(13);
const sum = new Float64Array(13);
const X = new Float64Array(12);
const L = new Float64Array(3);
const w = new Float64Array(3);
const a = new Float64Array(3);

function stepBody({ world, state, forces }: Simulation, i: number, h: number): void {
  const at = FIRST_BODY + BODY_STRIDE * i;
  const { mass, moments } = world.bodies[i];
  for (let k = 0; k < 13; k++) s0[k] = state[at + k];
  sum.fill(0);
  for (let stage = 0; stage < 4; stage++) {
    for (let k = 0; k < 13; k++) s1[k] = s0[k] + (stage === 0 ? 0 : STAGES[stage] * h * rate[k]);
    for (let k = 0; k < 3; k++) {
      rate[k] = s1[7 + k];
      rate[7 + k] = world.gravity[k] + forces[6 * i + k] / mass;
      w[k] = s1[10 + k];
    }
    const [x, y, z, q] = [s1[3], s1[4], s1[5], s1[6]];
    rate[3] = 0.5 * (w[0] * q + w[1] * z - w[2] * y);
    rate[4] = 0.5 * (w[1] * q + w[2] * x - w[0] * z);
    rate[5] = 0.5 * (w[2] * q + w[0] * y - w[1] * x);
    rate[6] = -0.5 * (w[0] * x + w[1] * y + w[2] * z);
    const norm = Math.sqrt(x * x + y * y + z * z + q * q);
    for (let k = 3; k < 7; k++) s1[k] /= norm;
    placeBody(X, 0, s1, 0);
    multiplyMoments(L, X, moments, w, false);
    a[0] = forces[6 * i + 3] - (w[1] * L[2] - w[2] * L[1]);
    a[1] = forces[6 * i + 4] - (w[2] * L[0] - w[0] * L[2]);
    a[2] = forces[6 * i + 5] - (w[0] * L[1] - w[1] * L[0]);
    multiplyMoments(w, X, moments, a, true);
    for (let k = 0; k < 3; k++) rate[10 + k] = w[k];
    for (let k = 0; k < 13; k++) sum[k] += WEIGHTS[stage] * rate[k];
  }
  for (let k = 0; k < 13; k++) state[at + k] = s0[k] + h * sum[k];
  const q = state.subarray(at + 3, at + 7);
  normalizeQuat(q, q);
}

function stepRobot(robot: RobotState, h: number, t: number): void {
  const { model, data, q, v, torques, damping, servos, compensates } = robot;
  const { nv, nq } = model;
  const q0 = Float64Array.from(q);
  const v0 = Float64Array.from(v);
  const xi = new Float64Array(nv);
  const stageQ = new Float64Array(nq);
  const stageV = Float64Array.from(v);
  const tau = new Float64Array(nv);
  const xiRate = new Float64Array(nv);
  const vRate = new Float64Array(nv);
  const xiSum = new Float64Array(nv);
  const vSum = new Float64Array(nv);
  for (let stage = 0; stage < 4; stage++) {
    const c = STAGES[stage] * h;
    for (let k = 0; k < nv; k++) {
      xi[k] = stage === 0 ? 0 : c * xiRate[k];
      stageV[k] = v0[k] + (stage === 0 ? 0 : c * vRate[k]);
    }
    integrateConfiguration(stageQ, model, q0, xi);
    servos.start(stageQ, stageV, t + c);
    servos.saturate(stageV, 0, 0);
    for (let k = 0; k < nv; k++) tau[k] = torques[k] + servos.push[k] - (servos.damping[k] + damping[k]) * stageV[k];
    if (compensates) robot.addBias(tau, stageQ, stageV);
    aba(model, data, stageQ, stageV, tau);
    vRate.set(data.ddq);
    writeRate(xiRate, robot, xi, stageV);
    for (let k = 0; k < nv; k++) {
      xiSum[k] += WEIGHTS[stage] * h * xiRate[k];
      vSum[k] += WEIGHTS[stage] * h * vRate[k];
    }
  }
  integrateConfiguration(q, model, q0, xiSum);
  for (let k = 0; k < nv; k++) v[k] = v0[k] + vSum[k];
}

const part = new Float64Array(6);
const bracket = new Float64Array(6);
const second = new Float64Array(6);
const speed = new Float64Array(6);

/** xi' = v + [xi, v] / 2 + [xi, [xi, v]] / 12, joint by joint. */
function writeRate(out: Float64Array, { model }: RobotState, xi: Float64Array, v: Float64Array): void {
  out.set(v);
  for (let j = 1; j < model.jointCount; j++) {
    const group = model.jointKinds[j]?.group;
    if (model.nvs[j] === 0 || (group !== 'rigid' && group !== 'rotation')) continue;
    const at = model.idxV[j];
    part.fill(0);
    speed.fill(0);
    const shift = group === 'rotation' ? 3 : 0;
    for (let k = 0; k < model.nvs[j]; k++) {
      part[shift + k] = xi[at + k];
      speed[shift + k] = v[at + k];
    }
    crossMotion(bracket, part, speed);
    crossMotion(second, part, bracket);
    for (let k = 0; k < model.nvs[j]; k++) out[at + k] += bracket[shift + k] / 2 + second[shift + k] / 12;
  }
}
