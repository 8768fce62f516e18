/** Reachable targets of two arms (joint angles drawn uniformly in the limits): every one must be solved, inside the limits. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createIkSolver } from '../../src/ik/solve-ik.js';
import { computeFramePlacement, forwardKinematics } from '../../src/kinematics/forward-kinematics.js';
import { logSo3 } from '../../src/math/so3.js';
import { createTransform, relativeTransform } from '../../src/math/transform.js';
import { buildModel } from '../../src/model/build-model.js';
import { createData, findFrame, findJoint } from '../../src/model/model.js';
import { needsShared, sharedPath } from '../shared.js';
import { readOracleModel, toDescription } from './dynamics-data.js';

interface TargetSet {
  readonly root: string;
  readonly tip: string;
  readonly n: number;
  readonly lower: number[];
  readonly upper: number[];
  readonly targets: { readonly q: number[]; readonly T: number[] }[];
}

const folder = sharedPath('oracles', 'dynamics');

describe.skipIf(!folder)(`inverse kinematics${needsShared('oracles', 'dynamics')}`, () => {
  it.each([
    ['panda', 1],
    ['panda', 2],
    ['panda', 3],
    ['ur5', 1],
    ['ur5', 2],
    ['ur5', 3],
  ])('%s, seed %i: every target to 1e-6 m and 1e-6 rad', (name, seed) => {
    const set: TargetSet = JSON.parse(gunzipSync(readFileSync(`${folder}/ik_${name}.json.gz`)).toString());
    const oracle = readOracleModel(name);
    const description = toDescription(oracle);
    const names = description.joints
      .filter(({ type }) => type !== 'fixed')
      .map((joint) => joint.name)
      .slice(0, set.n);
    const joints = description.joints.map((joint) => {
      const i = names.indexOf(joint.name);
      return i < 0 ? joint : { ...joint, limits: { lower: set.lower[i], upper: set.upper[i] } };
    });
    const { model } = buildModel({ ...description, joints });
    const frameOf = (wanted: string): number =>
      findFrame(model, `frame:${oracle.frames.findIndex(({ name: own }) => own === wanted)}`);
    const frame = frameOf(set.tip);
    const root = frameOf(set.root);
    const chain = names.map((joint) => model.idxV[findJoint(model, joint)]);
    const solver = createIkSolver(model, frame, { velocities: chain });
    const data = createData(model);
    const X_WR = computeFramePlacement(createTransform(), model, data, root);
    const reached = createTransform();
    let unsolved = 0;
    for (const { T } of set.targets) {
      const target = createTransform();
      target.set(T);
      // Targets are given in the root link's frame, which stands at the world's origin in both models.
      expect(X_WR[9]).toBe(0);
      const { status, q } = solver.solve({ target, seed });
      if (status !== 'solved') {
        unsolved++;
        continue;
      }
      forwardKinematics(model, data, q);
      computeFramePlacement(reached, model, data, frame);
      const error = relativeTransform(createTransform(), reached, target);
      expect(Math.hypot(error[9], error[10], error[11])).toBeLessThanOrEqual(1.0001e-6);
      expect(Math.hypot(...logSo3([0, 0, 0], error))).toBeLessThanOrEqual(1.0001e-6);
      for (let i = 0; i < model.nq; i++) {
        expect(q[i]).toBeGreaterThanOrEqual(model.lower[i]);
        expect(q[i]).toBeLessThanOrEqual(model.upper[i]);
      }
    }
    expect(set.targets.length).toBe(2000);
    expect(unsolved).toBe(0);
  });
});
