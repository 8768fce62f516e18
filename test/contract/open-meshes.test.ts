/** What lies inside an open mesh, which counts as a surface, stands in every answer whose verdict would be another one were it closed. */
import { expect, it } from 'vitest';
import type { Shape } from '../../src/geometry/shapes.js';
import type { TriangleMesh } from '../../src/geometry/triangle-mesh.js';
import { createConfigurationSpace } from '../../src/planning/configuration-space.js';
import { planRrtConnect } from '../../src/planning/rrt-connect.js';
import { sceneAssumptions } from '../../src/scene/assumptions.js';
import { castRobot } from '../../src/scene/motion/cast-robot.js';
import { createSceneMotionChecker } from '../../src/scene/motion/motion-checker.js';
import { createSceneChecker } from '../../src/scene/motion/validity.js';
import { checkScene, nearestPair } from '../../src/scene/queries/check.js';
import { findEnclosedBodies, stateAssumptions } from '../../src/scene/queries/enclosed.js';
import { createMonitor } from '../../src/scene/queries/monitor.js';
import { setConfiguration } from '../../src/scene/robot.js';
import { addObject, createScene, disposeScene, moveObject } from '../../src/scene/scene.js';
import { createPathInScene } from '../../src/trajectory/path-in-scene.js';
import { createBoxMesh } from '../sample-shapes.js';
import { addUrdf } from '../scene-fixtures.js';

/** A robot of one slide along x that carries a ball, beside an open box. */
function createSlideCell(mesh: TriangleMesh) {
  const scene = createScene();
  const robot = addUrdf(
    scene,
    `<robot name="slide"><link name="base"/><link name="tip"><collision><geometry><sphere radius="0.01"/>
    </geometry></collision></link><joint name="x" type="prismatic"><parent link="base"/><child link="tip"/><axis xyz="1 0 0"/>
    <limit lower="-4" upper="4" effort="1" velocity="1"/></joint></robot>`,
  );
  addObject(scene, { name: 'tent', shape: { type: 'mesh', mesh } });
  return { scene, robot };
}

it('every answer that rests on it says so', () => {
  // Without its face at x = 1: the ball comes and goes through the hole.
  const whole = createBoxMesh([2, 2, 2]);
  const mesh = {
    ...whole,
    triangles: Uint32Array.from([...whole.triangles.slice(0, 6), ...whole.triangles.slice(12)]),
  };
  const { scene, robot } = createSlideCell(mesh);
  const [inside, outside] = [Float64Array.of(0), Float64Array.of(3)];
  const word = expect.stringContaining('so "tip" inside it does not count as a contact');
  const says = ({ assumed }: { readonly assumed: readonly string[] }): void => expect(assumed).toEqual([word]);
  const isQuiet = ({ assumed }: { readonly assumed: readonly string[] }): void => expect(assumed).toEqual([]);
  const at = <T>(q: Float64Array, ask: () => T): T => {
    setConfiguration(robot, q);
    return ask();
  };
  const monitor = createMonitor(scene, { distance: 10 });
  for (const [q, look] of [
    [inside, says],
    [outside, isQuiet],
  ] as const) {
    look(at(q, () => checkScene(scene)));
    look(at(q, () => checkScene(scene, { depth: 'none' })));
    look(at(q, () => nearestPair(scene)!));
    look(at(q, () => stateAssumptions(scene)));
    at(q, () => monitor.update());
    look(monitor);
    look(castRobot(scene, robot, q, q));
    const checker = createSceneChecker(scene, robot);
    expect(checker.isValid(q)).toBe(true);
    look(checker);
    const motion = createSceneMotionChecker(scene, robot);
    expect(motion.isMotionValid(q, q)).toBe(true);
    look(motion);
    look(createPathInScene(scene, robot, [q, q]));
  }
  says(castRobot(scene, robot, outside, inside));
  says(castRobot(scene, robot, inside, outside));
  says(createPathInScene(scene, robot, [outside, inside], { corners: 'stop' }));
  const space = createConfigurationSpace(robot.model);
  for (const [start, goal] of [
    [outside, inside],
    [inside, outside],
  ]) {
    const checker = createSceneChecker(scene, robot);
    const found = planRrtConnect({ space, checker, start, goals: [goal] });
    expect(found.status).toBe('solved');
    says(found);
  }
  setConfiguration(robot, outside);
  isQuiet(sceneAssumptions(scene));
  disposeScene(scene);
});

it('open meshes in compounds, and shapes of parts inside them', () => {
  const whole = createBoxMesh([2, 2, 2]);
  const mesh = { ...whole, triangles: whole.triangles.slice(3) };
  const compound = {
    type: 'compound',
    children: [{ shape: { type: 'mesh', mesh }, pose: [5, 0, 0, 0, 0, 0, 1] }],
  } as const;
  const inner: Shape[] = [
    { type: 'mesh', mesh: createBoxMesh([0.1, 0.1, 0.1]) },
    { type: 'points', points: Float64Array.of(9, 9, 9, 0, 0, 0), radius: 0.01 },
    { type: 'octree', cells: Int32Array.of(0, 0, 0, 1), resolution: 0.1 },
    { type: 'compound', children: [{ shape: { type: 'cone', radius: 0.1, length: 0.1 } }] },
    { type: 'convex', points: Float64Array.of(0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1) },
  ];
  for (const shape of inner) {
    const scene = createScene();
    addObject(scene, { name: 'outer', shape: compound });
    const object = addObject(scene, { name: 'inner', shape, pose: [5, 0, 0, 0, 0, 0, 1] });
    expect(
      findEnclosedBodies(scene).map(({ body }) => body),
      shape.type,
    ).toEqual(['inner']);
    moveObject(scene, object, [0, 0, 0, 0, 0, 0, 1]);
    expect(findEnclosedBodies(scene), shape.type).toEqual([]);
    disposeScene(scene);
  }
});
