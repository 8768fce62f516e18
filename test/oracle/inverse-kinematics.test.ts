/** Reachable targets of two arms (joint angles drawn uniformly in the limits): every one must be solved, inside the limits. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createIkSolver } from '../../src/ik/solve-ik.js';
import { computeFramePlacement, forwardKinematics } from '../../src/kinematics/forward-kinematics.js';
import { createRandom } from '../../src/math/random.js';
import { logSo3 } from '../../src/math/so3.js';
import { createTransform, relativeTransform, type Transform } from '../../src/math/transform.js';
import { buildModel } from '../../src/model/build-model.js';
import {
  clampConfiguration,
  createNeutralConfiguration,
  isWithinLimits,
  randomConfiguration,
} from '../../src/model/configuration.js';
import { createData, findFrame, findJoint, type Model } from '../../src/model/model.js';
import { loadRobot } from '../../src/node/load-robot.js';
import { createSceneChecker } from '../../src/scene/motion/validity.js';
import { addRobot } from '../../src/scene/robot.js';
import { createScene, disposeScene } from '../../src/scene/scene.js';
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

/** Targets from configurations drawn uniformly of the named joints, the others neutral. */
function drawTargets(model: Model, frame: number, count: number, moving: readonly number[]) {
  const random = createRandom(23);
  const data = createData(model);
  const start = createNeutralConfiguration(model);
  clampConfiguration(start, model, start);
  const drawn = new Float64Array(model.nq);
  return {
    start,
    draw: (isFree: (q: Float64Array) => boolean = () => true): Transform => {
      const q = Float64Array.from(start);
      do {
        randomConfiguration(drawn, model, random);
        for (const i of moving) q[i] = drawn[i];
      } while (!isFree(q));
      forwardKinematics(model, data, q);
      return computeFramePlacement(createTransform(), model, data, frame);
    },
    count,
  };
}

function expectReached(model: Model, frame: number, q: Float64Array, target: Transform): void {
  const data = createData(model);
  forwardKinematics(model, data, q);
  const reached = computeFramePlacement(createTransform(), model, data, frame);
  const error = relativeTransform(createTransform(), reached, target);
  expect(Math.hypot(error[9], error[10], error[11])).toBeLessThanOrEqual(1.0001e-6);
  expect(Math.hypot(...logSo3([0, 0, 0], error))).toBeLessThanOrEqual(1.0001e-6);
  expect(isWithinLimits(model, q)).toBe(true);
}

describe('inverse kinematics of a snake of thirty links', () => {
  it.each([1, 2, 3])('seed %i: every target, all 29 joints moving', async (seed) => {
    const file = fileURLToPath(new URL('../../examples/snake/snake-30.urdf', import.meta.url));
    const { value } = await loadRobot(file, { geometry: 'none' });
    const { model } = buildModel(value!.description.model);
    const frame = findFrame(model, 'link_29');
    const all = Array.from({ length: model.nq }, (_, i) => i);
    const { draw, count } = drawTargets(model, frame, 500, all);
    const solver = createIkSolver(model, frame);
    for (let k = 0; k < count; k++) {
      const target = draw();
      const { status, q } = solver.solve({ target, seed });
      expect(status, `target ${k}`).toBe('solved');
      expectReached(model, frame, q, target);
    }
  });
});

const pr2 = sharedPath('data', 'robots', 'pr2', 'robots', 'pr2_description', 'urdf', 'pr2.urdf');

describe.skipIf(!pr2)(`inverse kinematics of PR2's right arm${needsShared('data', 'robots', 'pr2')}`, () => {
  it.each([1, 2, 3])('seed %i: every target, the other joints at rest', async (seed) => {
    const { value } = await loadRobot(pr2!, { geometry: 'none' });
    const { model } = buildModel(value!.description.model);
    const frame = findFrame(model, 'r_gripper_tool_frame');
    const names = 'shoulder_pan shoulder_lift upper_arm_roll elbow_flex forearm_roll wrist_flex wrist_roll'.split(' ');
    const joints = names.map((name) => findJoint(model, `r_${name}_joint`));
    const moving = joints.map((j) => model.idxQ[j]);
    const { draw, count, start } = drawTargets(model, frame, 1000, moving);
    const solver = createIkSolver(model, frame, { velocities: joints.map((j) => model.idxV[j]) });
    for (let k = 0; k < count; k++) {
      const target = draw();
      const { status, q } = solver.solve({ target, seed, start });
      expect(status, `target ${k}`).toBe('solved');
      expectReached(model, frame, q, target);
      for (let i = 0; i < model.nq; i++) if (!moving.includes(i)) expect(q[i]).toBe(start[i]);
    }
  });
});

const panda = sharedPath('data', 'robots', 'panda');

describe.skipIf(!panda)(`inverse kinematics without self-collision${needsShared('data', 'robots', 'panda')}`, () => {
  it.each([1, 2, 3])('panda, seed %i: at least 995 of 1000 targets from free configurations', async (seed) => {
    const { value: files } = await loadRobot(`${panda}/panda_description/urdf/panda.urdf`, {
      srdf: `${panda}/panda_moveit_config/config/panda.srdf`,
      packagePaths: [panda!],
    });
    const { model } = buildModel(files!.description.model);
    const frame = findFrame(model, 'panda_link8');
    const scene = createScene();
    const robot = addRobot(scene, { model, ...files! });
    const checker = createSceneChecker(scene, robot);
    const isValid = (q: Float64Array): boolean => checker.isValid(q);
    const moving = [0, 1, 2, 3, 4, 5, 6];
    const { draw, count, start } = drawTargets(model, frame, 1000, moving);
    const solver = createIkSolver(model, frame, { velocities: moving });
    let solved = 0;
    let refused = 0;
    for (let k = 0; k < count; k++) {
      const target = draw(isValid);
      if (!isValid(solver.solve({ target, seed, start }).q)) refused++;
      const { status, q } = solver.solve({ target, seed, start, isValid, restarts: 200 });
      if (status !== 'solved') continue;
      solved++;
      expect(isValid(q)).toBe(true);
      expectReached(model, frame, q, target);
    }
    disposeScene(scene);
    console.info(`panda, seed ${seed}: ${solved} of ${count} free; ${refused} first solutions touch themselves`);
    expect(solved / count).toBeGreaterThanOrEqual(0.995);
    expect(refused).toBeGreaterThan(0);
  });
});
