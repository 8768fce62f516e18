/**
 * Paths under constraints, with the meshes of real robots: a glass that a Panda holds upright through given problems, a bar that two Pandas carry. Every
 * path is certified, its certificate passes the verifier, and ten times finer samples leave the constraint by no more than is said.
 *
 * Ends are given states moved onto the manifold, or drawn near one. Four problems and two by default; fifty and twenty:
 * `ORACLE_FULL=1 npx vitest run --project oracle test/oracle/constrained-planning.test.ts`.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/math/random.js';
import { relativeTransform, transformToPose } from '../../src/math/transform.js';
import { buildModel } from '../../src/model/build-model.js';
import type { Model } from '../../src/model/model.js';
import { loadRobot } from '../../src/node/load-robot.js';
import { createConfigurationSpace } from '../../src/planning/configuration-space.js';
import { type ConstrainedSpace, createConstrainedSpace } from '../../src/planning/constraints/constrained-space.js';
import type { FrameConstraint } from '../../src/planning/constraints/frame-constraint.js';
import { createRobotConstraint } from '../../src/planning/constraints/robot-constraint.js';
import { attachObject } from '../../src/scene/attach.js';
import { certifyPath } from '../../src/scene/motion/certify-path.js';
import { verifyPathCertificate } from '../../src/scene/motion/verify-path.js';
import { addRobot, robotFramePlacement, setConfiguration } from '../../src/scene/robot.js';
import { addObject, createScene, disposeScene } from '../../src/scene/scene.js';
import { createSphereChecker } from '../../src/scene/spheres/sphere-checker.js';
import type { Scene, SceneRobot } from '../../src/scene/types.js';
import { type ConstrainedRequest, planConstrained } from '../../src/tasks/constrained-plan.js';
import { needsShared, sharedPath } from '../shared.js';
import type { ProblemFile } from './sphere-robot.js';
import { addObstacles } from './sphere-scene.js';

const folder = sharedPath('oracles', 'planning');
const robots = sharedPath('data', 'robots');
const full = Boolean(process.env.ORACLE_FULL);
const FINGERS = 0.02;

function makeSpace(
  model: Model,
  constraints: readonly FrameConstraint[],
  indices: number[],
  rest: Float64Array,
): ConstrainedSpace {
  const constraint = createRobotConstraint(model, constraints, { indices, rest });
  return createConstrainedSpace(createConfigurationSpace(model, { indices }), constraint);
}

/** Plans, and says what is wrong with the answer. */
function planAndCheck(
  scene: Scene,
  robot: SceneRobot,
  request: ConstrainedRequest,
  space: ConstrainedSpace,
  indices: readonly number[],
): string {
  const plan = planConstrained(scene, robot, request);
  if (plan.status !== 'solved' || !plan.certified) return `${plan.status}: ${plan.reason}`;
  const q = new Float64Array(indices.length);
  let worst = 0;
  for (let i = 1; i < plan.path.length; i++)
    for (let s = 0; s <= 10; s++) {
      const [a, b] = [plan.path[i - 1], plan.path[i]];
      for (const [k, at] of indices.entries()) q[k] = a[at] + (s / 10) * (b[at] - a[at]);
      worst = Math.max(worst, space.residual(q));
    }
  if (!(worst <= plan.deviation + 2e-9) || !(plan.deviation <= request.deviation!)) return `off by ${worst}`;
  const { certificate, reason } = certifyPath(scene, robot, plan.path, { tolerance: 1e-7 });
  if (!certificate) return `not certified: ${reason}`;
  return verifyPathCertificate(scene, robot, plan.path, certificate).isProven ? '' : 'not verified';
}

describe.skipIf(!folder || !robots)(
  `paths under constraints${needsShared('oracles', 'planning')}${needsShared('data', 'robots')}`,
  () => {
    const packages = {
      dual_arm_panda_moveit_config: `${robots}/dual_arm_panda/dual_arm_panda_moveit_config`,
      panda_description: `${robots}/panda/panda_description`,
      moveit_resources_panda_description: `${robots}/panda/panda_description`,
    };

    test('a glass stays upright', async () => {
      const { value } = await loadRobot(`${packages.panda_description}/urdf/panda.urdf`, {
        srdf: `${robots}/panda/panda_moveit_config/config/panda.srdf`,
        packages,
      });
      const { model } = buildModel(value!.description.model);
      const file = JSON.parse(readFileSync(`${folder}/panda.json`, 'utf8')) as ProblemFile;
      const all = Object.values(file.problems).flat();
      const count = full ? 50 : 4;
      const indices = [0, 1, 2, 3, 4, 5, 6];
      const constraints = [{ type: 'axis', frame: 'panda_hand', axis: [1, 0, 0] }] as const;
      const wrong: string[] = [];
      for (let p = 0; p < count; p++) {
        const problem = all[p * Math.floor(all.length / count)];
        const scene = createScene();
        const robot = addRobot(scene, { model, ...value! });
        const rest = Float64Array.from([...problem.start, FINGERS, FINGERS].slice(0, model.nq));
        setConfiguration(robot, rest);
        addObstacles(scene, problem.obstacles);
        const glass = { name: 'glass', shape: { type: 'cylinder', radius: 0.03, length: 0.12 } } as const;
        const touchLinks = ['panda_hand', 'panda_leftfinger', 'panda_rightfinger'];
        const placement = [0, 0, 0.1, 0, Math.SQRT1_2, 0, Math.SQRT1_2] as const;
        attachObject(scene, addObject(scene, glass), { robot, link: 'panda_hand', touchLinks, placement });
        const space = makeSpace(model, constraints, indices, rest);
        const checker = createSphereChecker(scene, robot, { indices, rest, prove: false });
        const random = createRandom(7);
        const near = (given: readonly number[]): number[] | null => {
          for (let t = 0; t < 300; t++) {
            const q = Float64Array.from(given, (x) => x + 0.01 * t * random.normal());
            if (space.project(q) && checker.isValid(q)) return [...q];
          }
          return null;
        };
        const [start, goal] = [near(problem.start), near(problem.goals[0])];
        const request = { group: 'panda_arm', constraints, deviation: 1e-3 };
        const fault =
          start && goal ? planAndCheck(scene, robot, { ...request, start, goal }, space, indices) : 'no free ends';
        if (fault !== '') wrong.push(`${p}: ${fault}`);
        disposeScene(scene);
      }
      expect(wrong).toEqual([]);
    }, 3_600_000);

    test('two arms carry a bar', async () => {
      const config = `${packages.dual_arm_panda_moveit_config}/config`;
      const { value } = await loadRobot(`${config}/panda.urdf.xacro`, { srdf: `${config}/panda.srdf`, packages });
      const { model } = buildModel(value!.description.model);
      const arm = [0, -0.785, 0, -2.356, 0, 1.571, 0.785];
      const nominal = new Float64Array(model.nq);
      const indices: number[] = [];
      for (let j = 1; j < model.jointCount; j++) {
        const at = model.idxQ[j];
        const [, side, digit] = /^(left|right)_panda_joint(\d)$/.exec(model.jointNames[j]) ?? [];
        if (!digit) {
          if (model.nqs[j] === 1) nominal[at] = FINGERS;
          continue;
        }
        indices.push(at);
        nominal[at] = arm[Number(digit) - 1] + (digit === '1' ? (side === 'left' ? 0.55 : -0.55) : 0);
      }
      const random = createRandom(11);
      const wrong: string[] = [];
      for (let p = 0; p < (full ? 20 : 2); p++) {
        const scene = createScene();
        const robot = addRobot(scene, { model, ...value! });
        setConfiguration(robot, nominal);
        const [A, B] = ['left', 'right'].map((side) =>
          robotFramePlacement(new Float64Array(12), robot, `${side}_panda_hand`),
        );
        const tips = [A, B].map((X) => [0, 1, 2].map((i) => X[9 + i] + 0.1 * X[3 * i + 2]));
        const middle = [0, 1, 2].map((i) => 0.5 * (tips[0][i] + tips[1][i])) as [number, number, number];
        const shape = { type: 'box', size: [0.03, tips[1][1] - tips[0][1] + 0.06, 0.03] } as const;
        const bar = addObject(scene, { name: 'bar', shape, pose: [...middle, 0, 0, 0, 1] });
        const touchLinks = ['left', 'right'].flatMap((side) =>
          ['hand', 'leftfinger', 'rightfinger'].map((link) => `${side}_panda_${link}`),
        );
        attachObject(scene, bar, { robot, link: 'left_panda_hand', touchLinks });
        addObject(scene, {
          name: 'table',
          shape: { type: 'box', size: [0.8, 1.6, 0.1] },
          pose: [0.6, 0, 0.1, 0, 0, 0, 1],
        });
        const pose = [...transformToPose(new Float64Array(7), relativeTransform(new Float64Array(12), A, B))];
        const frames = { frame: 'right_panda_hand', relativeTo: 'left_panda_hand' };
        const constraints = [{ type: 'pose', ...frames, pose }] as const;
        const space = makeSpace(model, constraints, indices, nominal);
        for (let i = 0; i < 3; i++) {
          const size = [0.1 + 0.2 * random.next(), 0.1 + 0.3 * random.next(), 0.1 + 0.3 * random.next()] as const;
          const at = [0.35 + 0.5 * random.next(), -0.9 + 1.8 * random.next(), 0.2 + 0.9 * random.next()] as const;
          addObject(scene, { name: `box ${i}`, shape: { type: 'box', size }, pose: [...at, 0, 0, 0, 1] });
        }
        const checker = createSphereChecker(scene, robot, { indices, rest: nominal, prove: false });
        // A loop of two arms has states that no motion joins, also where nothing is in the way (Trinkle, Milgram 2002): a goal is drawn by a
        // walk from the start that keeps the loop closed, whatever it goes through.
        const wander = (from: Float64Array): Float64Array => {
          const q = Float64Array.from(indices, (i) => from[i]);
          const towards = new Float64Array(indices.length);
          for (let tries = 0; tries < 4000; tries++) {
            for (let k = 0; k < q.length; k++) towards[k] = nominal[indices[k]] + 0.6 * random.normal();
            const next = q.slice();
            for (let n = 0; n < 12 && space.stepTowards(next, towards) === 1; n++) q.set(next);
            let apart = 0;
            for (const [k, at] of indices.entries()) apart = Math.max(apart, Math.abs(q[k] - from[at]));
            if (apart > 0.8 && space.satisfiesBounds(q) && checker.isValid(q)) break;
          }
          const whole = nominal.slice();
          for (const [k, at] of indices.entries()) whole[at] = q[k];
          return whole;
        };
        const draw = (): Float64Array => {
          for (;;) {
            const q = Float64Array.from(indices, (i) => nominal[i] + 0.6 * random.normal());
            if (!space.project(q) || !checker.isValid(q)) continue;
            const whole = nominal.slice();
            for (const [k, at] of indices.entries()) whole[at] = q[k];
            return whole;
          }
        };
        const group = ['left_panda_arm', 'right_panda_arm'];
        const start = draw();
        const request = { group, start, goal: wander(start), constraints, deviation: 1e-6 };
        const fault = planAndCheck(scene, robot, request, space, indices);
        if (fault !== '') wrong.push(`${p}: ${fault}`);
        disposeScene(scene);
      }
      expect(wrong).toEqual([]);
    }, 3_600_000);
  },
);
