/**
 * A roadmap in a scene in which a box moves between queries: the cells of motions hold the robot at every time, and paths that are returned are free by
 * checks at dense states, whatever was remembered.
 */
import { afterEach, expect, it } from 'vitest';
import { createRandom } from '../../src/math/random.js';
import { createConfigurationSpace } from '../../src/planning/configuration-space.js';
import { attachObject } from '../../src/scene/attach.js';
import { isSceneFree } from '../../src/scene/queries/check.js';
import { placeRobot, robotFramePlacement, setConfiguration } from '../../src/scene/robot.js';
import { addObject, createScene, disposeScene, moveObject, setSceneMargin } from '../../src/scene/scene.js';
import type { Scene } from '../../src/scene/types.js';
import { createGroupRoadmap } from '../../src/tasks/group-roadmap.js';
import { planGroup } from '../../src/tasks/plan-group.js';
import { SweptCells } from '../../src/tasks/swept-cells.js';
import { addUrdf, planarArm } from '../scene-fixtures.js';

const scenes: Scene[] = [];
afterEach(() => {
  for (const scene of scenes.splice(0)) disposeScene(scene);
});

function createArm() {
  const scene = createScene();
  scenes.push(scene);
  const robot = addUrdf(scene, planarArm('arm', 4, 0.3));
  addObject(scene, { name: 'post', shape: { type: 'sphere', radius: 0.1 }, pose: [0.7, 0.5, 0, 0, 0, 0, 1] });
  const box = addObject(scene, { name: 'mover', shape: { type: 'box', size: [0.2, 0.1, 0.2] } });
  return { scene, robot, box };
}

type Arm = ReturnType<typeof createArm>;

it('what a motion may meet is in its cells', () => {
  const { scene, robot, box } = createArm();
  const { model } = robot;
  const space = createConfigurationSpace(model, {});
  const cells = SweptCells.create(scene, robot, space, [0, 1, 2], robot.q)!;
  const random = createRandom(2);
  const [a, b, q] = [0, 0, 0].map(() => new Float64Array(3));
  let clear = 0;
  let met = 0;
  for (let i = 0; i < 40; i++) {
    space.sample(a, random);
    space.sample(b, random);
    space.interpolate(b, a, b, 0.4);
    const marks = cells.sweep(a, b);
    for (let j = 0; j < 10; j++) {
      moveObject(scene, box, [
        random.uniform(-1.2, 1.2),
        random.uniform(-1.2, 1.2),
        random.uniform(-0.3, 0.3),
        0,
        0,
        0,
        1,
      ]);
      setConfiguration(robot, a);
      isSceneFree(scene);
      if (cells.mayMeet(marks, box.body)) {
        met++;
        continue;
      }
      clear++;
      for (let k = 0; k <= 60; k++) {
        setConfiguration(robot, space.interpolate(q, a, b, k / 60));
        const isFree = isSceneFree(scene);
        if (isFree) continue;
        // It is not the box that is in the way.
        const at = box.body.worldPlacement.slice();
        moveObject(scene, box, [9, 9, 9, 0, 0, 0, 1]);
        expect(isSceneFree(scene)).toBe(false);
        moveObject(scene, box, at);
      }
    }
  }
  expect(clear).toBeGreaterThan(100);
  expect(met).toBeGreaterThan(20);
});

it.each(['experience', 'lazy-prm'])('paths of %s are free where the box stands then', (planner) => {
  const { scene, robot, box } = createArm();
  const { model } = robot;
  const roadmap = createGroupRoadmap(scene, robot);
  const random = createRandom(7);
  const q = new Float64Array(model.nq);
  const space = createConfigurationSpace(model, {});
  const ends = [
    [0, 0, 0],
    [1.6, 0.3, -0.4],
    [-1.4, 0.8, 0.2],
    [2.6, -0.5, 0.6],
  ];
  let solved = 0;
  for (let i = 0; i < 40; i++) {
    const angle = random.uniform(-3, 3);
    const away = random.uniform(0.6, 1.1);
    moveObject(scene, box, [away * Math.cos(angle), away * Math.sin(angle), 0, 0, 0, 0, 1]);
    const [start, goal] = [ends[i % 4], ends[(i + 1 + random.integer(3)) % 4]];
    const request = { start, goal, roadmap, moving: ['mover'], simplify: i % 2 === 0, maxIterations: 150, planner };
    const plan = planGroup(scene, robot, request);
    if (plan.status !== 'solved') continue;
    solved++;
    expect(plan.certified).toBe(true);
    expect([...plan.path[0]]).toEqual(start);
    expect([...plan.path[plan.path.length - 1]]).toEqual(goal);
    for (let k = 1; k < plan.path.length; k++)
      for (let t = 0; t <= 20; t++) {
        setConfiguration(robot, space.interpolate(q, plan.path[k - 1], plan.path[k], t / 20));
        expect(isSceneFree(scene)).toBe(true);
      }
  }
  expect(solved).toBeGreaterThan(15);
});

// What motions take up was kept although the robot stood elsewhere, held something or the margin had grown.
it.each([
  ['the base has moved', ({ robot }: Arm) => placeRobot(robot, [0.5, 0.4, 0, 0, 0, 0, 1])],
  ['the margin has grown', ({ scene }: Arm) => setSceneMargin(scene, 0.1)],
  [
    'something is held',
    ({ scene, robot }: Arm) => {
      setConfiguration(robot, [0, 0, 0]);
      const held = addObject(scene, {
        ...{ name: 'held', shape: { type: 'sphere', radius: 0.15 }, pose: [1.3, 0, 0, 0, 0, 0, 1] },
      });
      attachObject(scene, held, { robot, link: 'link3' });
    },
  ],
] as const)('paths are free after %s', (_, change) => {
  const arm = createArm();
  const { scene, robot, box } = arm;
  const roadmap = createGroupRoadmap(scene, robot);
  const random = createRandom(3);
  const space = createConfigurationSpace(robot.model, {});
  const [q, a, b] = [0, 0, 0].map(() => new Float64Array(3));
  const plan = (start: Float64Array, goal: Float64Array) =>
    planGroup(scene, robot, { start, goal, roadmap, moving: ['mover'], simplify: false, maxIterations: 150 });
  const away = [9, 9, 0, 0, 0, 0, 1] as const;
  let asked = 0;
  for (let round = 0; round < 60; round++) {
    if (round === 30) change(arm);
    moveObject(scene, box, away);
    space.sample(a, random);
    space.sample(b, random);
    const first = plan(a, b);
    if (first.status !== 'solved') continue;
    for (const at of [0.3, 0.5, 0.7]) {
      // In the way that was found, beside the outermost link.
      const k = 1 + Math.floor(at * (first.path.length - 1));
      setConfiguration(robot, space.interpolate(q, first.path[k - 1], first.path[k], 0.5));
      const tip = robotFramePlacement(new Float64Array(12), robot, 'link3');
      moveObject(scene, box, [tip[9] + 0.2, tip[10] + 0.15, 0, 0, 0, 0, 1]);
      const around = plan(a, b);
      if (around.status !== 'solved') continue;
      asked++;
      for (let i = 1; i < around.path.length; i++)
        for (let t = 0; t <= 20; t++) {
          setConfiguration(robot, space.interpolate(q, around.path[i - 1], around.path[i], t / 20));
          expect(isSceneFree(scene), `round ${round}`).toBe(true);
        }
    }
  }
  expect(asked).toBeGreaterThan(20);
});
