/** Faults found by editing scenes in ways that are rare but legal: each test is the exact input that broke. */
import { describe, expect, it } from 'vitest';
import { parseUrdf } from '../../src/io/robot/urdf.js';
import { buildModel } from '../../src/model/build-model.js';
import { attachObject, detachObject } from '../../src/scene/attach.js';
import { checkScene, isSceneFree, nearestPair, pairsWithin } from '../../src/scene/queries/check.js';
import { addRobot, placeRobot, removeRobot } from '../../src/scene/robot.js';
import {
  addObject,
  createScene,
  disposeScene,
  moveObject,
  removeObject,
  setPairMargin,
  setSceneMargin,
} from '../../src/scene/scene.js';

const sphere = (radius: number) => ({ type: 'sphere', radius }) as const;
const at = (x: number) => [x, 0, 0, 0, 0, 0, 1] as const;

const URDF = `<robot name="two">
<link name="a"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<link name="b"><collision><geometry><sphere radius="0.3"/></geometry></collision></link>
<joint name="j1" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/>
<limit lower="-3" upper="3" effort="1" velocity="1"/></joint></robot>`;

function twoLinks() {
  const description = parseUrdf(URDF).value!;
  return { description, model: buildModel(description.model).model };
}

describe('negative margins allow that much penetration', () => {
  const overlapping = () => {
    const scene = createScene();
    addObject(scene, { name: 'a', shape: sphere(1), pose: at(0) });
    addObject(scene, { name: 'b', shape: sphere(1), pose: at(1.9) });
    return scene;
  };

  it('of the scene, of a pair, of a query', () => {
    const scene = overlapping();
    expect(isSceneFree(scene)).toBe(false);
    setSceneMargin(scene, -0.2);
    expect(isSceneFree(scene)).toBe(true);
    expect(checkScene(scene).free).toBe(true);
    expect(pairsWithin(scene, { margin: 0 })).toEqual([]);
    setSceneMargin(scene, -0.05);
    expect(isSceneFree(scene)).toBe(false);
    expect(pairsWithin(scene, { margin: 0 })).toHaveLength(1);
    setPairMargin(scene, 'b', 'a', -0.11);
    expect(isSceneFree(scene)).toBe(true);
    expect(isSceneFree(scene, 0.02)).toBe(false);
    expect(nearestPair(scene)!.distance).toBeCloseTo(-0.1, 12);
    disposeScene(scene);
  });

  it('of more than an object is thick', () => {
    const scene = createScene({ margin: -5 });
    const robot = addRobot(scene, twoLinks());
    addObject(scene, { name: 'inside', shape: sphere(0.1) });
    expect(isSceneFree(scene)).toBe(true);
    expect(robot.links).toHaveLength(2);
    disposeScene(scene);
  });
});

describe('the allowed-collision matrix may change after a query', () => {
  it('of the robot and of the scene', () => {
    const scene = createScene();
    const robot = addRobot(scene, { ...twoLinks(), allowed: { pairs: [], replace: true }, placement: at(0) });
    const held = addObject(scene, { name: 'ball', shape: sphere(0.2), pose: [0, 0, 1, 0, 0, 0, 1] });
    attachObject(scene, held, { robot, link: 'a' });
    expect(isSceneFree(scene)).toBe(false);
    scene.allowed.allow({ a: 'ball', b: 'b', reason: 'user' });
    expect(isSceneFree(scene)).toBe(true);
    scene.allowed.forbid('b', 'ball');
    expect(checkScene(scene, { all: true }).contacts.map(({ a, b }) => [a, b])).toEqual([['b', 'ball']]);
    detachObject(scene, held);
    removeObject(scene, held);
    robot.allowed.allow({ a: 'b', b: 'a', reason: 'user' });
    expect(nearestPair(scene)).toBeNull();
    disposeScene(scene);
  });
});

describe('what is no placement', () => {
  it('is refused by every function that takes one', () => {
    const scene = createScene();
    const robot = addRobot(scene, twoLinks());
    const ball = addObject(scene, { name: 'ball', shape: sphere(0.1), pose: at(5) });
    const scaled = Float64Array.of(2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0);
    const mirrored = Float64Array.of(-1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);
    for (const placement of [scaled, mirrored, new Float64Array(12), new Float64Array(7)]) {
      expect(() => moveObject(scene, ball, placement)).toThrow(/^moveObject: .* expected/);
      expect(() => placeRobot(robot, placement)).toThrow(/^placeRobot: .* expected/);
      expect(() => attachObject(scene, ball, { robot, link: 'b', placement })).toThrow(/^attachObject: .* expected/);
      expect(() => addObject(scene, { name: 'new', shape: sphere(1), placement })).toThrow(/^addObject: .* expected/);
    }
    expect(() => isSceneFree(scene, Number.NaN)).toThrow('margin, got NaN');
    expect(isSceneFree(scene)).toBe(true);
    expect(scene.objects.size).toBe(1);
    disposeScene(scene);
  });
});

describe('meshes that cannot be solids', () => {
  const urdf = URDF.replace('<box size="1 1 1"/>', '<mesh filename="part.stl"/>');
  const load = (triangles: number[]) => {
    const description = parseUrdf(urdf).value!;
    const vertices = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
    const meshes = new Map([['part.stl', { vertices, triangles: Uint32Array.from(triangles) }]]);
    return { description, model: buildModel(description.model).model, meshes };
  };

  it('stay surfaces when all meshes are asked to be solid', () => {
    const scene = createScene();
    addRobot(scene, { ...load([0, 1, 2]), meshMode: 'solid', allowed: { pairs: [], replace: true } });
    expect(nearestPair(scene)!.distance).toBeCloseTo(0.7, 12);
    disposeScene(scene);
  });

  it('are left out when they hold no triangle, and named when they are broken', () => {
    const scene = createScene();
    expect(
      addRobot(scene, { ...load([]), allowed: { pairs: [], replace: true } }).links.map(({ name }) => name),
    ).toEqual(['b']);
    expect(() => addRobot(scene, load([0, 1, 7]))).toThrow(
      /^addObject: shape of "a": validateShape: mesh triangles\[2\], got 7/,
    );
    expect(scene.world.colliders.size).toBe(1);
    disposeScene(scene);
  });
});

describe('objects that leave the scene', () => {
  it('while attached leave their robot too', () => {
    const scene = createScene();
    const robot = addRobot(scene, twoLinks());
    const held = addObject(scene, { name: 'ball', shape: sphere(0.2), pose: at(3) });
    attachObject(scene, held, { robot, link: 'b' });
    removeObject(scene, held);
    expect(robot.attached.size).toBe(0);
    expect(() => attachObject(scene, held, { robot, link: 'b' })).toThrow('is not in this scene');
    expect(() => moveObject(scene, held, at(1))).toThrow('is not in this scene');
    removeRobot(scene, robot);
    expect(isSceneFree(scene)).toBe(true);
    disposeScene(scene);
    expect(() => addRobot(scene, twoLinks())).toThrow('disposed');
  });
});
