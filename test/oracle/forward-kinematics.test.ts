import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseUrdf } from '../../src/io/robot/urdf.js';
import { forwardKinematics, updateFramePlacements } from '../../src/kinematics/forward-kinematics.js';
import { computeFrameJacobian } from '../../src/kinematics/frame-jacobian.js';
import { buildModel } from '../../src/model/build-model.js';
import {
  differenceConfiguration,
  distanceConfiguration,
  integrateConfiguration,
  interpolateConfiguration,
} from '../../src/model/configuration.js';
import { createData, findFrame, findJoint } from '../../src/model/model.js';
import type { RobotDescription } from '../../src/scene/description.js';
import { needsShared, sharedPath } from '../shared.js';
import { readOracleModel, readOracleSamples, toDescription } from './dynamics-data.js';

const ROBOTS = ['panda', 'panda_mimic', 'ur5', 'double_pendulum_continuous', 'tiago_planar', 'anymal', 'talos'];

function worst(a: ArrayLike<number>, aAt: number, b: ArrayLike<number>): number {
  let error = 0;
  for (let i = 0; i < b.length; i++) error = Math.max(error, Math.abs(a[aAt + i] - b[i]));
  return error;
}

describe.skipIf(!sharedPath('oracles', 'dynamics'))(`reference kinematics${needsShared('oracles', 'dynamics')}`, () => {
  it.each(ROBOTS)('%s: joints, inertias and frames of the rebuilt model', (name) => {
    const oracle = readOracleModel(name);
    const { model, issues } = buildModel(toDescription(oracle), { base: oracle.root, continuous: 'cos-sin' });
    // Some of the published inertias are of no body.
    expect(issues.filter(({ code }) => code !== 'impossible-inertia')).toEqual([]);
    expect(model.nq).toBe(oracle.nq);
    expect(model.nv).toBe(oracle.nv);
    expect(model.jointNames).toEqual(oracle.joints.map((joint) => joint.name));
    oracle.joints.forEach((joint, j) => {
      expect(model.parents[j]).toBe(joint.parent);
      if (j > 0) expect([model.idxQ[j], model.idxV[j]]).toEqual([joint.idx_q, joint.idx_v]);
      expect(Math.abs(model.masses[j] - joint.mass)).toBeLessThan(1e-12 * (1 + joint.mass));
      expect(worst(model.centersOfMass, 3 * j, joint.lever)).toBeLessThan(1e-12);
      expect(worst(model.inertias, 9 * j, joint.inertia)).toBeLessThan(1e-12);
    });
  });

  it.each(ROBOTS)('%s: every joint and frame within 1e-12 of the reach', (name) => {
    const oracle = readOracleModel(name);
    const { model } = buildModel(toDescription(oracle), { base: oracle.root, continuous: 'cos-sin' });
    const data = createData(model);
    const frames = oracle.frames.map((_, f) => findFrame(model, `frame:${f}`));
    let error = 0;
    const samples = readOracleSamples(name);
    expect(samples.length).toBe(50);
    for (const sample of samples) {
      forwardKinematics(model, data, sample.q);
      updateFramePlacements(model, data);
      let reach = 1;
      for (const placement of sample.oMf)
        reach = Math.max(reach, Math.hypot(placement[9], placement[10], placement[11]));
      expect(sample.oMi.length).toBe(model.jointCount);
      expect(sample.oMf.length).toBe(frames.length);
      sample.oMi.forEach((placement, j) => {
        error = Math.max(error, worst(data.jointPlacements, 12 * j, placement) / reach);
      });
      sample.oMf.forEach((placement, f) => {
        // The reference's world frame does not ride on a floating or planar base; ours is data.jointPlacements[0..11].
        if (oracle.root !== 'fixed' && oracle.frames[f].parentJoint === 0) return;
        error = Math.max(error, worst(data.framePlacements, 12 * frames[f], placement) / reach);
      });
    }
    if (process.env.CLEARANCE_REPORT) console.log(`forward kinematics ${name}: worst ${error.toExponential(2)}`);
    expect(error).toBeLessThan(1e-12);
  });

  it.each(ROBOTS)('%s: frame Jacobians in the three references', (name) => {
    const oracle = readOracleModel(name);
    const { model } = buildModel(toDescription(oracle), { base: oracle.root, continuous: 'cos-sin' });
    const data = createData(model);
    const J = new Float64Array(6 * model.nv);
    const references = { LOCAL: 'local', WORLD: 'world', LOCAL_WORLD_ALIGNED: 'local-world-aligned' } as const;
    let compared = 0;
    for (const sample of readOracleSamples(name)) {
      forwardKinematics(model, data, sample.q);
      for (const entry of sample.frames) {
        if (oracle.root !== 'fixed' && oracle.frames[entry.frame].parentJoint === 0) continue;
        for (const [key, reference] of Object.entries(references)) {
          const expected = entry[key as keyof typeof references].J;
          if (!expected) continue;
          computeFrameJacobian(J, model, data, findFrame(model, `frame:${entry.frame}`), reference);
          expect(worst(J, 0, expected)).toBeLessThan(1e-12);
          compared++;
        }
      }
    }
    expect(compared).toBeGreaterThan(80);
  });

  it.each(ROBOTS)('%s: integrate, difference, interpolate, distance', (name) => {
    const oracle = readOracleModel(name);
    const { model } = buildModel(toDescription(oracle), { base: oracle.root, continuous: 'cos-sin' });
    const q = new Float64Array(model.nq);
    const v = new Float64Array(model.nv);
    for (const sample of readOracleSamples(name)) {
      const a = Float64Array.from(sample.q);
      const b = Float64Array.from(sample.qB);
      integrateConfiguration(q, model, a, Float64Array.from(sample.dq));
      expect(worstUpToSign(model, q, sample.integrate)).toBeLessThan(1e-12);
      differenceConfiguration(v, model, a, b);
      // Beside half a turn both senses are right; the samples stay clear of it.
      expect(worst(v, 0, sample.difference)).toBeLessThan(1e-11);
      interpolateConfiguration(q, model, a, b, 0.3);
      expect(worstUpToSign(model, q, sample.interpolate03)).toBeLessThan(1e-12);
      expect(Math.abs(distanceConfiguration(model, a, b) ** 2 - sample.squaredDistanceSum)).toBeLessThan(1e-10);
    }
  });
});

/**
 * The reference's robots whose very file lies beside the data; the reference sorts children by name, we by file. Not the
 * panda: the file there is another edition (no inertials, right angles with 12 digits, another finger frame).
 */
const FILES: Record<string, string[]> = {
  ur5: ['ur5_ur10', 'robots', 'ur_description', 'urdf', 'ur5_robot.urdf'],
  anymal: ['anymal_kinova', 'robots', 'anymal_b_simple_description', 'robots', 'anymal.urdf'],
};

function loadFile(name: string) {
  const oracle = readOracleModel(name);
  const { value } = parseUrdf(readFileSync(sharedPath('data', 'robots', ...FILES[name]) as string, 'utf8'));
  const mimic = oracle.mimic ? 'honour' : 'ignore';
  const { model } = buildModel((value as RobotDescription).model, { base: oracle.root, mimic, continuous: 'cos-sin' });
  return { oracle, model };
}

describe.skipIf(!sharedPath('data', 'robots'))(`from robot files${needsShared('data', 'robots')}`, () => {
  it.each(Object.keys(FILES))('%s: inertias merged over fixed links', (name) => {
    const { oracle, model } = loadFile(name);
    oracle.joints.forEach((joint, j) => {
      const ours = j === 0 ? 0 : findJoint(model, joint.name);
      expect(Math.abs(model.masses[ours] - joint.mass)).toBeLessThan(1e-12 * (1 + joint.mass));
      expect(worst(model.centersOfMass, 3 * ours, joint.lever)).toBeLessThan(1e-12);
      expect(worst(model.inertias, 9 * ours, joint.inertia)).toBeLessThan(1e-12);
    });
  });

  it.each(Object.keys(FILES))('%s: every frame the reference names', (name) => {
    const { oracle, model } = loadFile(name);
    expect([model.nq, model.nv, model.jointCount]).toEqual([oracle.nq, oracle.nv, oracle.joints.length]);
    const data = createData(model);
    const q = new Float64Array(model.nq);
    const frames = oracle.frames.map((frame) => findFrame(model, frame.name, frame.type === 'BODY' ? 'link' : 'joint'));
    expect(frames.slice(1).every((frame) => frame >= 0)).toBe(true);
    let error = 0;
    for (const sample of readOracleSamples(name)) {
      for (const joint of oracle.joints.filter((each) => each.nq > 0)) {
        q.set(sample.q.slice(joint.idx_q, joint.idx_q + joint.nq), model.idxQ[findJoint(model, joint.name)]);
      }
      forwardKinematics(model, data, q);
      updateFramePlacements(model, data);
      // Frame 0 is the reference's world.
      for (let f = 1; f < frames.length; f++) {
        error = Math.max(error, worst(data.framePlacements, 12 * frames[f], sample.oMf[f]));
      }
    }
    if (process.env.CLEARANCE_REPORT)
      console.log(`forward kinematics of the file, ${name}: worst ${error.toExponential(2)}`);
    expect(error).toBeLessThan(1e-12);
  });
});

/** A quaternion and its negative are one orientation. */
function worstUpToSign(model: ReturnType<typeof buildModel>['model'], q: Float64Array, reference: number[]): number {
  const flipped = Float64Array.from(q);
  for (let j = 1; j < model.jointCount; j++) {
    if (model.jointKinds[j]?.name !== 'floating') continue;
    const at = model.idxQ[j] + 3;
    let dot = 0;
    for (let i = at; i < at + 4; i++) dot += q[i] * reference[i];
    if (dot < 0) for (let i = at; i < at + 4; i++) flipped[i] = -q[i];
  }
  return worst(flipped, 0, reference);
}
