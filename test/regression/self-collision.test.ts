/** Faults reported of other self-collision checkers and scenes, as inputs of ours. */
import { describe, expect, it } from 'vitest';
import type { Pose } from '../../src/math/transform.js';
import { attachObject } from '../../src/scene/attach.js';
import { checkScene, isSceneFree, nearestPair } from '../../src/scene/queries/check.js';
import { sampleAllowedPairs } from '../../src/scene/queries/sample-allowed.js';
import { placeRobot, setConfiguration } from '../../src/scene/robot.js';
import { addObject, createScene, moveObject } from '../../src/scene/scene.js';
import { addUrdf, boxLink, planarArm, revolute } from '../scene-fixtures.js';

const at = (x: number, y = 0, z = 0): Pose => [x, y, z, 0, 0, 0, 1];
const unitBox = { type: 'box', size: [1, 1, 1] } as const;

describe('self-collision and allowed collisions', () => {
  it('U138: a disabled pair is skipped, and the matrix says so with its reason', () => {
    const scene = createScene();
    const urdf = `<robot name="r">${boxLink('l0', '1 1 1')}${boxLink('l1', '1 1 1')}${boxLink('l2', '1 1 1')}${revolute('a', 'l0', 'l1', '0 0 0')}${revolute('b', 'l1', 'l2', '0 0 0')}</robot>`;
    const srdf = '<robot name="r"><disable_collisions link1="l0" link2="l2" reason="User"/></robot>';
    const robot = addUrdf(scene, urdf, { srdf });
    expect(isSceneFree(scene)).toBe(true);
    expect(robot.allowed.get('l2', 'l0')).toMatchObject({ reason: 'user', note: 'User' });
    expect(isSceneFree(withRobot(urdf))).toBe(false);
  });

  it('U140: adjacent links that touch at their joint are free by default, and checked on request', () => {
    expect(isSceneFree(withRobot(planarArm('r', 2, 0.5)))).toBe(true);
    const scene = createScene();
    addUrdf(scene, planarArm('r', 2, 0.5), { checkAdjacent: true });
    expect(isSceneFree(scene)).toBe(false);
  });

  it('U142: a pair in collision in 96 % of the samples is "always", the same matrix for the same seed, with counts', () => {
    // The tip block overlaps the base unless |a| > 0.96 x 3.1: a ring of boxes would be free there.
    const urdf = `<robot name="r">${boxLink('base', '2 2 0.2', '0.95 0 0')}${boxLink('mid', '0.02 0.02 0.02', '0 0 1')}${boxLink('tip', '0.1 0.1 0.1', '0 0 0')}
      ${revolute('a', 'base', 'mid', '0 0 0')}<joint name="b" type="prismatic"><parent link="mid"/><child link="tip"/><axis xyz="1 0 0"/><limit lower="0" upper="0.104" velocity="1" effort="1"/></joint></robot>`;
    const run = (seed: number) => sampleAllowedPairs(addUrdf(createScene(), urdf), { samples: 2000, seed });
    const first = run(1);
    const again = run(1);
    expect(again).toEqual(first);
    const pair = first.pairs.find(({ a, b }) => a === 'base' && b === 'tip')!;
    expect(['always', 'default']).toContain(pair.reason);
    expect(pair.collisions).toBeGreaterThanOrEqual(1900);
    expect(pair.collisions).toBeLessThanOrEqual(2000);
  });

  it('U144: margins apply to attached objects too', () => {
    const scene = createScene({ margin: 0.02 });
    const robot = addUrdf(scene, planarArm('r', 2, 0.5));
    const held = addObject(scene, { name: 'held', shape: { type: 'box', size: [0.1, 0.1, 0.1] }, pose: at(1.05) });
    addObject(scene, { name: 'wall', shape: unitBox, pose: at(1.1 + 0.5 + 0.015) });
    attachObject(scene, held, { robot, link: 'link1' });
    expect(checkScene(scene).contacts[0]).toMatchObject({ a: 'held', b: 'wall' });
  });

  it('U146: both fingers of a gripper are checked', () => {
    const scene = createScene();
    const urdf = `<robot name="g">${boxLink('palm', '0.1 0.1 0.1')}${boxLink('left', '0.1 0.02 0.02', '0.1 0 0')}${boxLink('right', '0.1 0.02 0.02', '0.1 0 0')}${revolute('l', 'palm', 'left', '0 0.04 0')}${revolute('r', 'palm', 'right', '0 -0.04 0')}</robot>`;
    addUrdf(scene, urdf);
    addObject(scene, { name: 'part', shape: { type: 'sphere', radius: 0.01 }, pose: at(0.12, 0.045) });
    expect(checkScene(scene, { all: true }).contacts.map(({ a, b }) => [a, b])).toEqual([['left', 'part']]);
  });

  it('U116: every collision element of a link counts', () => {
    const urdf =
      '<robot name="r"><link name="l"><collision><geometry><box size="1 1 1"/></geometry></collision><collision><origin xyz="2 0 0"/><geometry><box size="1 1 1"/></geometry></collision></link></robot>';
    const scene = withRobot(urdf);
    addObject(scene, { name: 'ball', shape: { type: 'sphere', radius: 0.1 }, pose: at(2) });
    expect(checkScene(scene).contacts[0]).toMatchObject({ a: 'l', b: 'ball' });
  });
});

describe('several robots', () => {
  it('U147: two instances of one arm are checked against each other without editing the URDF', () => {
    const scene = createScene();
    const urdf = planarArm('arm', 3, 0.2);
    const left = addUrdf(scene, urdf, { name: 'left' });
    const right = addUrdf(scene, urdf, { name: 'right', placement: [0.8, 0, 0, 0, 0, 1, 0] });
    const contact = checkScene(scene).contacts[0];
    expect([contact.a.split('/')[0], contact.b.split('/')[0]]).toEqual(['left', 'right']);
    setConfiguration(left, [1.5, 0]);
    setConfiguration(right, [1.5, 0]);
    expect(isSceneFree(scene)).toBe(true);
  });
});

describe('stale bounds', () => {
  it('U059: a moved object is seen at once', () => {
    const scene = createScene();
    addObject(scene, { name: 'a', shape: unitBox });
    const b = addObject(scene, { name: 'b', shape: unitBox, pose: at(5) });
    expect(isSceneFree(scene)).toBe(true);
    moveObject(scene, b, at(0.5));
    expect(isSceneFree(scene)).toBe(false);
    expect(nearestPair(scene)!.distance).toBeCloseTo(-0.5, 12);
  });

  it('U059: a moved robot base is seen at once', () => {
    const scene = createScene();
    const robot = addUrdf(scene, planarArm('r', 2, 0.5));
    addObject(scene, { name: 'block', shape: unitBox, pose: at(0, 5) });
    expect(isSceneFree(scene)).toBe(true);
    placeRobot(robot, at(0, 5));
    expect(isSceneFree(scene)).toBe(false);
  });

  it('U063: updating without changes keeps pair order and bits', () => {
    const scene = createScene();
    for (let k = 0; k < 10; k++)
      addObject(scene, { name: `cube${k}`, shape: unitBox, pose: at(0.7 * k, 0.1 * (k % 3)) });
    const first = JSON.stringify(checkScene(scene, { all: true }));
    for (let k = 0; k < 100; k++) expect(JSON.stringify(checkScene(scene, { all: true }))).toBe(first);
  });
});

function withRobot(urdf: string) {
  const scene = createScene();
  addUrdf(scene, urdf);
  return scene;
}
