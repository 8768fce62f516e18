/**
 * Every quantity of the reference dynamics on all its robots. With CLEARANCE_REPORT set the worst errors are printed.
 * Errors are relative to the largest entry of the reference, at least 1.
 */
import { describe, expect, it } from 'vitest';
import { aba } from '../../src/dynamics/aba.js';
import { computeAbaDerivatives } from '../../src/dynamics/aba-derivatives.js';
import { computeCentroidal } from '../../src/dynamics/centroidal.js';
import { computeCoriolis } from '../../src/dynamics/coriolis.js';
import { crba } from '../../src/dynamics/crba.js';
import { createDynamicsData, type DynamicsData } from '../../src/dynamics/dynamics-data.js';
import { computeKineticEnergy, computePotentialEnergy } from '../../src/dynamics/energy.js';
import { computeGravity } from '../../src/dynamics/gravity.js';
import { computeInverseInertia } from '../../src/dynamics/inverse-inertia.js';
import { computeNonlinearEffects, rnea } from '../../src/dynamics/rnea.js';
import { computeRneaDerivatives } from '../../src/dynamics/rnea-derivatives.js';
import { computeCenterOfMass, computeCenterOfMassJacobian } from '../../src/kinematics/center-of-mass.js';
import { forwardKinematics } from '../../src/kinematics/forward-kinematics.js';
import { computeFrameJacobian } from '../../src/kinematics/frame-jacobian.js';
import { computeFrameJacobianRate } from '../../src/kinematics/frame-jacobian-rate.js';
import {
  computeFrameAcceleration,
  computeFrameClassicalAcceleration,
  computeFrameVelocity,
} from '../../src/kinematics/frame-motion.js';
import { computeMotion } from '../../src/kinematics/motion.js';
import { buildModel } from '../../src/model/build-model.js';
import { computeDifferenceJacobian, computeIntegrateJacobian } from '../../src/model/configuration-jacobians.js';
import { findFrame, findJoint, type Model } from '../../src/model/model.js';
import { needsShared, sharedPath } from '../shared.js';
import { type OracleSample, readOracleModel, readOracleSamples, toDescription } from './dynamics-data.js';

const ROBOTS = [
  'panda',
  'panda_mimic',
  'ur5',
  'double_pendulum_continuous',
  'tiago_planar',
  'anymal',
  'talos',
  'alljoints',
];
const REFERENCES = { LOCAL: 'local', WORLD: 'world', LOCAL_WORLD_ALIGNED: 'local-world-aligned' } as const;

/** Bounds per quantity; those of the reference that this suite must have compared on every robot come first. */
const BOUNDS: Record<string, number> = {
  oMi: 1e-12,
  J: 1e-12,
  dJ: 1e-12,
  vel: 1e-12,
  acc: 1e-12,
  classicalAcc: 1e-12,
  rnea: 1e-12,
  rnea_fext: 1e-12,
  nle: 1e-12,
  gravity: 1e-12,
  staticTorque: 1e-12,
  M: 1e-12,
  kinetic: 1e-12,
  potential: 1e-12,
  com: 1e-12,
  hg: 1e-12,
  dhg: 1e-12,
  vcom: 1e-12,
  acom: 1e-12,
  'aba: torque residual': 1e-9,
  'aba_fext: torque residual': 1e-9,
  Jcom: 1e-12,
  Ag: 1e-12,
  Ig: 1e-12,
  'C v + g - nle': 1e-9,
  'C + C^T - dM/dt': 1e-9,
  'C, fixed base': 1e-9,
  'M Minv - I': 1e-9,
  dtau_dq: 1e-9,
  dtau_dv: 1e-9,
  dtau_dq_fext: 1e-9,
  dgravity_dq: 1e-9,
  'M ddq_dq + dtau_dq': 1e-9,
  'M ddq_dv + dtau_dv': 1e-9,
  dIntegrate: 1e-12,
  dDifference: 1e-12,
};
/** Removed from the reference for alljoints. */
const NOT_OF_ALLJOINTS = ['dJ', 'C + C^T - dM/dt', 'C, fixed base', 'dtau_dq', 'dtau_dv', 'dtau_dq_fext'];
/** Not in the reference for robots with mimic joints. */
const NO_MIMIC = [
  'dJ',
  'Jcom',
  'Ag',
  'Ig',
  'C + C^T - dM/dt',
  'C, fixed base',
  'dtau_dq',
  'dtau_dv',
  'dtau_dq_fext',
  'dgravity_dq',
  'M ddq_dq + dtau_dq',
  'M ddq_dv + dtau_dv',
  'dIntegrate',
  'dDifference',
];

/** Entries without a reference (NaN) do not count. */
function relative(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (actual.length !== expected.length) return Number.POSITIVE_INFINITY;
  let error = 0;
  let scale = 1;
  for (let i = 0; i < expected.length; i++) {
    if (Number.isNaN(expected[i])) continue;
    if (!Number.isFinite(actual[i])) return Number.POSITIVE_INFINITY;
    error = Math.max(error, Math.abs(actual[i] - expected[i]));
    scale = Math.max(scale, Math.abs(expected[i]));
  }
  return error / scale;
}

/** Largest entry of |A B + C| relative to the largest of the terms that make it up. */
function residual(A: Float64Array, B: Float64Array, C: ArrayLike<number>, n: number): number {
  let worst = 0;
  for (let r = 0; r < n; r++) {
    for (let c = 0; c < n; c++) {
      let sum = C[r * n + c];
      let terms = Math.max(1, Math.abs(sum));
      for (let k = 0; k < n; k++) {
        sum += A[r * n + k] * B[k * n + c];
        terms = Math.max(terms, Math.abs(A[r * n + k] * B[k * n + c]));
      }
      worst = Math.max(worst, Math.abs(sum) / terms);
    }
  }
  return worst;
}

type Record_ = (what: string, error: number) => void;

describe.skipIf(!sharedPath('oracles', 'dynamics'))(`reference dynamics${needsShared('oracles', 'dynamics')}`, () => {
  it.each(ROBOTS)('%s', (name) => {
    const oracle = readOracleModel(name);
    const { model } = buildModel(toDescription(oracle), { base: oracle.root, continuous: 'cos-sin' });
    const data = createDynamicsData(model);
    const worst: Record<string, number> = {};
    const record: Record_ = (what, error) => {
      worst[what] = Math.max(worst[what] ?? 0, error);
    };
    const samples = readOracleSamples(name);
    expect(samples.length).toBe(50);
    // Parts of composites leave gaps.
    const joints = oracle.joints.map((joint, j) => (j === 0 ? 0 : findJoint(model, joint.name)));
    const hasComposites = model.jointCount > joints.length;
    for (const read of samples) {
      const fext = new Array<number>(6 * model.jointCount).fill(0);
      joints.forEach((ours, j) => {
        for (let i = 0; i < 6; i++) fext[6 * ours + i] = read.fext[6 * j + i];
      });
      // The reference lacks the change of S with q inside its ZYX joint (difference quotients agree with ours there).
      const dgravity_dq = read.dgravity_dq?.slice();
      for (const { idx_v } of oracle.joints.filter((joint) => joint.type === 'JointModelSphericalZYX')) {
        for (let i = 0; i < 9; i++) {
          if (dgravity_dq) dgravity_dq[(idx_v + Math.floor(i / 3)) * model.nv + idx_v + (i % 3)] = Number.NaN;
        }
      }
      const sample = { ...read, fext, dgravity_dq };
      compareKinematics(
        record,
        model,
        data,
        joints,
        sample,
        (f) => oracle.frames[f].parentJoint === 0 && oracle.root !== 'fixed',
      );
      compareDynamics(record, model, data, sample);
      if (sample.dIntegrate_q) compareTangents(record, model, sample);
      if (sample.M) compareMatrices(record, model, data, sample, oracle.root === 'fixed');
      if (sample.dgravity_dq) compareDerivatives(record, model, data, sample);
    }
    if (process.env.CLEARANCE_REPORT) {
      const row = (what: string) => `${what.padEnd(28)} ${worst[what]?.toExponential(1) ?? '-'}`;
      console.log([name, ...Object.keys(BOUNDS).map(row)].join('\n'));
    }
    for (const [what, bound] of Object.entries(BOUNDS)) {
      if (hasComposites && NOT_OF_ALLJOINTS.includes(what)) continue;
      if (oracle.mimic && NO_MIMIC.includes(what)) continue;
      if (what === 'C, fixed base' && oracle.root !== 'fixed') continue;
      expect(worst[what], what).toBeLessThan(bound);
    }
  });
});

function compareKinematics(
  record: Record_,
  model: Model,
  data: DynamicsData,
  joints: readonly number[],
  sample: OracleSample,
  skipFrame: (f: number) => boolean,
): void {
  const { q, v, a } = sample;
  const { kinematics } = data;
  const six = new Float64Array(6);
  const J = new Float64Array(6 * model.nv);
  forwardKinematics(model, kinematics, q);
  computeMotion(model, data, q, v, a);
  const placements = joints.map((j) => Array.from(kinematics.jointPlacements.subarray(12 * j, 12 * j + 12)));
  record('oMi', relative(placements.flat(), sample.oMi.flat()));
  for (const entry of sample.frames) {
    if (skipFrame(entry.frame)) continue;
    const frame = findFrame(model, `frame:${entry.frame}`);
    for (const [key, reference] of Object.entries(REFERENCES)) {
      const { vel, acc, classicalAcc, J: expectedJ, dJ } = entry[key as keyof typeof REFERENCES];
      record('vel', relative(computeFrameVelocity(six, model, kinematics, data, frame, reference), vel));
      record('acc', relative(computeFrameAcceleration(six, model, kinematics, data, frame, reference), acc));
      computeFrameClassicalAcceleration(six, model, kinematics, data, frame, reference);
      record('classicalAcc', relative(six, classicalAcc));
      if (expectedJ) record('J', relative(computeFrameJacobian(J, model, kinematics, frame, reference), expectedJ));
      if (dJ) record('dJ', relative(computeFrameJacobianRate(J, model, kinematics, data, frame, reference), dJ));
    }
  }
  const com = new Float64Array(3);
  record('com', relative([computeCenterOfMass(com, model, kinematics), ...com], [sample.mass, ...sample.com]));
  if (sample.Jcom) {
    const Jcom = new Float64Array(3 * model.nv);
    record('Jcom', relative(computeCenterOfMassJacobian(Jcom, model, kinematics, data), sample.Jcom));
  }
}

function compareTangents(record: Record_, model: Model, sample: OracleSample): void {
  const J = new Float64Array(model.nv * model.nv);
  const [dq, q, qB] = [sample.dq, sample.q, sample.qB].map((numbers) => Float64Array.from(numbers));
  record('dIntegrate', relative(computeIntegrateJacobian(J, model, dq, 'q'), sample.dIntegrate_q as number[]));
  record('dIntegrate', relative(computeIntegrateJacobian(J, model, dq, 'v'), sample.dIntegrate_v as number[]));
  record('dDifference', relative(computeDifferenceJacobian(J, model, q, qB, 'a'), sample.dDifference_q0 as number[]));
  record('dDifference', relative(computeDifferenceJacobian(J, model, q, qB, 'b'), sample.dDifference_q1 as number[]));
}

function compareDynamics(record: Record_, model: Model, data: DynamicsData, sample: OracleSample): void {
  const { q, v, a, tau, fext } = sample;
  record('rnea', relative(rnea(model, data, q, v, a), sample.rnea));
  record('rnea_fext', relative(rnea(model, data, q, v, a, fext), sample.rnea_fext));
  record('nle', relative(computeNonlinearEffects(model, data, q, v), sample.nle));
  record('gravity', relative(computeGravity(model, data, q), sample.gravity));
  if (sample.staticTorque) record('staticTorque', relative(computeGravity(model, data, q, fext), sample.staticTorque));
  record('kinetic', relative([computeKineticEnergy(model, data, q, v)], [sample.kinetic]));
  record('potential', relative([computePotentialEnergy(model, data, q)], [sample.potential]));
  for (const [what, forces] of [
    ['aba', null],
    ['aba_fext', fext],
  ] as const) {
    expect(aba(model, data, q, v, tau, forces)).toBe('ok');
    const ddq = Float64Array.from(data.ddq);
    record(`${what}: torque residual`, relative(rnea(model, data, q, v, ddq, forces), tau));
  }
  computeCentroidal(model, data, q, v, a);
  record('hg', relative(data.momentum, sample.hg));
  record('dhg', relative(data.momentumRate, sample.dhg));
  const mass = sample.mass;
  record(
    'vcom',
    relative(
      Array.from(data.momentum.subarray(0, 3), (p) => p / mass),
      sample.vcom,
    ),
  );
  record(
    'acom',
    relative(
      Array.from(data.momentumRate.subarray(0, 3), (f) => f / mass),
      sample.acom,
    ),
  );
  record('com', relative(data.centerOfMass, sample.com));
  if (sample.Ag) record('Ag', relative(data.centroidalMatrix, sample.Ag));
  if (sample.Ig) record('Ig', relative(expandInertia(data.centroidalInertia), sample.Ig));
}

/** 6x6 of a spatial inertia about its centre of mass. */
function expandInertia([m, , , , xx, xy, xz, yy, yz, zz]: Float64Array): number[] {
  const out = new Array<number>(36).fill(0);
  for (const i of [0, 7, 14]) out[i] = m;
  [xx, xy, xz, xy, yy, yz, xz, yz, zz].forEach((value, i) => {
    out[6 * (3 + Math.floor(i / 3)) + 3 + (i % 3)] = value;
  });
  return out;
}

function compareMatrices(
  record: Record_,
  model: Model,
  data: DynamicsData,
  sample: OracleSample,
  fixedBase: boolean,
): void {
  const { q, v } = sample;
  const n = model.nv;
  const M = Float64Array.from(crba(model, data, q));
  record('M', relative(M, sample.M as number[]));
  const C = computeCoriolis(model, data, q, v);
  const bias = sample.v.map((_, r) => sample.gravity[r] + v.reduce((sum, x, c) => sum + C[r * n + c] * x, 0));
  record('C v + g - nle', relative(bias, sample.nle));
  if (sample.C && fixedBase) record('C, fixed base', relative(C, sample.C));
  if (sample.C) {
    // C + C^T = dM/dt does not depend on the choice of C.
    const sum = (matrix: ArrayLike<number>) =>
      Array.from({ length: n * n }, (_, i) => matrix[i] + matrix[(i % n) * n + Math.floor(i / n)]);
    record('C + C^T - dM/dt', relative(sum(C), sum(sample.C)));
  }
  expect(computeInverseInertia(model, data, q)).toBe('ok');
  const identity = Float64Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? -1 : 0));
  record('M Minv - I', residual(M, data.inverseM, identity, n));
}

function compareDerivatives(record: Record_, model: Model, data: DynamicsData, sample: OracleSample): void {
  const { q, v, a, tau, fext } = sample;
  const n = model.nv;
  const zero = new Float64Array(n);
  computeRneaDerivatives(model, data, q, v, a);
  if (sample.dtau_dq) record('dtau_dq', relative(data.dtauDq, sample.dtau_dq));
  if (sample.dtau_dv) record('dtau_dv', relative(data.dtauDv, sample.dtau_dv));
  computeRneaDerivatives(model, data, q, v, a, fext);
  if (sample.dtau_dq_fext) record('dtau_dq_fext', relative(data.dtauDq, sample.dtau_dq_fext));
  computeRneaDerivatives(model, data, q, zero, zero);
  if (sample.dgravity_dq) record('dgravity_dq', relative(data.dtauDq, sample.dgravity_dq));
  expect(computeAbaDerivatives(model, data, q, v, tau)).toBe('ok');
  const { ddqDq, ddqDv } = data;
  record('M ddq_dq + dtau_dq', residual(data.M, ddqDq, data.dtauDq, n));
  record('M ddq_dv + dtau_dv', residual(data.M, ddqDv, data.dtauDv, n));
}
