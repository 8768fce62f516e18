import { describe, expect, it } from 'vitest';
import { buildModel } from '../../src/model/build-model.js';
import { createConfigurationSpace } from '../../src/planning/configuration-space.js';
import { createRrtConnect } from '../../src/planning/rrt-connect.js';
import { sceneAssumptions } from '../../src/scene/assumptions.js';
import { castRobot } from '../../src/scene/motion/cast-robot.js';
import { createSceneMotionChecker } from '../../src/scene/motion/motion-checker.js';
import { createSceneChecker } from '../../src/scene/motion/validity.js';
import { checkScene, nearestPair } from '../../src/scene/queries/check.js';
import { createMonitor } from '../../src/scene/queries/monitor.js';
import { addRobot, removeRobot } from '../../src/scene/robot.js';
import { addObject, createScene, disposeScene, moveObject, setPairMargin } from '../../src/scene/scene.js';
import { packScene, unpackScene } from '../../src/scene/transfer/pack-scene.js';
import { addUrdf, planarArm } from '../scene-fixtures.js';

const emptyMesh = { vertices: new Float64Array(0), triangles: new Uint32Array(0) };
const emptyObject = { name: 'part', shape: { type: 'mesh', mesh: emptyMesh } } as const;

const meshLink = (file: string): string =>
  `<robot name="r"><link name="base"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
   <link name="arm"><collision><geometry><mesh filename="${file}"/></geometry></collision></link>
   <joint name="j" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/><limit lower="-1" upper="1"/></joint></robot>`;

describe('what answers rest on', () => {
  it('is nothing for a scene whose parts are all there', () => {
    const scene = createScene();
    addUrdf(scene, planarArm('arm', 3, 0.3));
    addObject(scene, { name: 'ball', shape: { type: 'sphere', radius: 0.1 }, pose: [0, 0, 2, 0, 0, 0, 1] });
    expect(sceneAssumptions(scene)).toEqual({ complete: true, assumed: [] });
    expect(checkScene(scene)).toMatchObject({ complete: true, assumed: [] });
    disposeScene(scene);
  });

  it('names links whose mesh is not loaded in every answer', () => {
    const scene = createScene();
    const robot = addUrdf(scene, meshLink('package://r/arm.stl'));
    addObject(scene, { name: 'ball', shape: { type: 'sphere', radius: 0.1 }, pose: [0, 0, 2, 0, 0, 0, 1] });
    const wanted = { complete: false, assumed: ['dropped: link "arm": the mesh "package://r/arm.stl" is not loaded'] };
    expect(robot.missing).toHaveLength(1);
    expect(sceneAssumptions(scene)).toEqual(wanted);
    expect(checkScene(scene)).toMatchObject({ free: true, ...wanted });
    expect(checkScene(scene, { depth: 'none' })).toMatchObject(wanted);
    expect(nearestPair(scene)).toMatchObject(wanted);
    const monitor = createMonitor(scene, { distance: 1 });
    monitor.update();
    expect({ complete: monitor.complete, assumed: monitor.assumed }).toEqual(wanted);
    const from = Float64Array.of(0);
    expect(castRobot(scene, robot, from, Float64Array.of(1))).toMatchObject(wanted);
    const checker = createSceneChecker(scene, robot);
    const motion = createSceneMotionChecker(scene, robot);
    for (const source of [checker, motion])
      expect({ complete: source.complete, assumed: source.assumed }).toEqual(wanted);
    const search = createRrtConnect({
      space: createConfigurationSpace(robot.model),
      checker,
      motion,
      start: from,
      goals: [Float64Array.of(1)],
    });
    expect(search.result()).toMatchObject(wanted);
    const copy = unpackScene(packScene(scene));
    expect(checkScene(copy)).toMatchObject(wanted);
    disposeScene(copy);
    disposeScene(scene);
  });

  it('follows additions and removals', () => {
    const scene = createScene();
    const robot = addUrdf(scene, meshLink('a.stl'));
    const before = checkScene(scene);
    expect(before.complete).toBe(false);
    expect(checkScene(scene).assumed).toBe(before.assumed);
    removeRobot(scene, robot);
    expect(checkScene(scene)).toMatchObject({ complete: true, assumed: [] });
    addUrdf(scene, meshLink('a.stl'), { meshes: new Map([['a.stl', emptyMesh]]) });
    expect(sceneAssumptions(scene)).toEqual({
      complete: false,
      assumed: ['dropped: link "arm": its mesh has no triangles: nothing can touch it'],
    });
    expect(() => addObject(scene, emptyObject)).toThrow(/expected .* at least one triangle/);
    disposeScene(scene);
  });

  it('takes what descriptions and loaders say', () => {
    const scene = createScene();
    addObject(scene, {
      name: 'part',
      shape: { type: 'sphere', radius: 1 },
      issues: [
        { severity: 'warning', message: 'welded', file: 'part.stl', line: 3, assumes: 'altered' },
        { severity: 'warning', message: 'no colour' },
        { severity: 'error', message: 'cut off', element: 'facet 7' },
      ],
    });
    expect(sceneAssumptions(scene)).toEqual({
      complete: false,
      assumed: ['altered: part.stl:3: welded', 'dropped: facet 7: cut off'],
    });
    const other = createScene();
    const robot = addUrdf(other, planarArm('arm', 2, 0.3));
    const description = {
      ...robot.description,
      name: 'second',
      assumed: [{ kind: 'guessed' as const, element: 'link "x"', message: 'metres' }],
    };
    addRobot(other, { model: robot.model, description });
    expect(sceneAssumptions(other)).toEqual({
      complete: true,
      assumed: ['guessed: robot "second", link "x": metres'],
    });
    disposeScene(scene);
    disposeScene(other);
  });

  it('tells quaternions that had to be normalised, and refuses those that are no rotation', () => {
    const scene = createScene();
    const shape = { type: 'box', size: [1, 1, 1] } as const;
    const object = addObject(scene, { name: 'box', shape, pose: [0, 0, 0, 0, 0, 0, 1.00005] });
    expect(sceneAssumptions(scene).assumed).toEqual([
      'altered: object "box": the quaternion of its pose was not of length 1 and is scaled to it',
    ]);
    expect(sceneAssumptions(scene).complete).toBe(true);
    moveObject(scene, object, [0, 0, 1, 0, 0, 0.6, 0.8000001]);
    expect(sceneAssumptions(scene).assumed).toEqual([]);
    moveObject(scene, object, [0, 0, 1, 0, 0, 0, 0.9995]);
    expect(sceneAssumptions(scene).assumed).toHaveLength(1);
    expect(() => moveObject(scene, object, [0, 0, 1, 0, 0, 0, 1.1])).toThrow(
      /quaternion .* of length 1.1, expected x, y, z, w of length 1/,
    );
    disposeScene(scene);
  });

  it('tells robots that cannot touch anything', () => {
    const scene = createScene();
    addUrdf(scene, '<robot name="frames"><link name="a"/></robot>');
    expect(sceneAssumptions(scene)).toEqual({
      complete: true,
      assumed: ['guessed: robot "frames": no link has collision geometry: nothing of it can touch anything'],
    });
    const { model, description } = scene.robots[0];
    const empty = { ...description, model: { ...description.model, links: [] } };
    const other = createScene();
    addRobot(other, { model, description: empty });
    expect(checkScene(other)).toMatchObject({
      complete: false,
      assumed: ['dropped: robot "frames": it has no links: there is nothing to check'],
    });
    disposeScene(scene);
    disposeScene(other);
  });

  it('tells margins of bodies that do not exist', () => {
    const scene = createScene();
    addUrdf(scene, planarArm('arm', 2, 0.3));
    setPairMargin(scene, 'link1', 'tabel', 0.1);
    expect(sceneAssumptions(scene)).toEqual({
      complete: false,
      assumed: ['dropped: margin of a pair with "tabel": the scene has no such body'],
    });
    addObject(scene, { name: 'tabel', shape: { type: 'sphere', radius: 0.1 }, pose: [5, 0, 0, 0, 0, 0, 1] });
    expect(sceneAssumptions(scene).complete).toBe(true);
    disposeScene(scene);
  });

  it('tells collision geometry that a sphere model leaves out, and geometry of links that do not exist', () => {
    const scene = createScene();
    const { model, description } = addUrdf(createScene(), planarArm('arm', 3, 0.3));
    const spheres = new Map([
      ['link0', [{ center: [0, 0, 0] as const, radius: 0.1 }]],
      ['link1', []],
      ['wrist', [{ center: [0, 0, 0] as const, radius: 0.1 }]],
    ]);
    addRobot(scene, { model, description, geometry: 'spheres', spheres });
    expect(sceneAssumptions(scene)).toEqual({
      complete: false,
      assumed: [
        'dropped: link "wrist": the robot has no such link: its geometry is left out',
        'dropped: link "link2": it has collision geometry and no spheres',
      ],
    });
    expect(buildModel(description.model).model.nq).toBe(2);
    disposeScene(scene);
  });
});
