/** Where attached objects of scene files hang: by their pose in the link, in every configuration. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSceneFile } from '../../src/io/scene-file.js';
import { createTransform, multiplyTransform, type Pose, poseToTransform } from '../../src/math/transform.js';
import { attachObject } from '../../src/scene/attach.js';
import { checkScene } from '../../src/scene/queries/check.js';
import { robotFramePlacement, setConfiguration } from '../../src/scene/robot.js';
import { addObject, createScene } from '../../src/scene/scene.js';
import { updateRobot } from '../../src/scene/update.js';
import { addUrdf, planarArm } from '../scene-fixtures.js';

const file = (attached: object) =>
  parseSceneFile(
    JSON.stringify({
      version: 1,
      objects: [{ name: 'tool', shape: { type: 'sphere', radius: 0.05 } }],
      attached: [{ object: 'tool', link: 'link2', ...attached }],
    }),
  );

describe('attached objects', () => {
  it('a pose is that of the object in its link, whatever the robot does', () => {
    const number = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(number, number, number, number, fc.tuple(number, number), (x, y, z, angle, q) => {
        const pose: Pose = [x, y, z, 0, 0, Math.sin(angle), Math.cos(angle)];
        const [{ object, link, touchLinks, pose: placement }] = file({ pose }).value!.attached;
        const scene = createScene();
        const robot = addUrdf(scene, planarArm('arm', 3, 1));
        const held = addObject(scene, { name: object, shape: { type: 'sphere', radius: 0.05 } });
        // The configuration at the time of attaching means nothing then.
        setConfiguration(robot, [q[1], q[0]]);
        attachObject(scene, held, { robot, link, touchLinks, placement });
        setConfiguration(robot, q);
        updateRobot(robot);
        const expected = multiplyTransform(
          createTransform(),
          robotFramePlacement(createTransform(), robot, link),
          poseToTransform(createTransform(), pose),
        );
        for (let i = 0; i < 12; i++) expect(held.body.worldPlacement[i]).toBeCloseTo(expected[i], 12);
      }),
      { seed: 5, numRuns: 50 },
    );
  });

  it('a tool given in its link touches what is there', () => {
    const scene = createScene();
    const robot = addUrdf(scene, planarArm('arm', 3, 1));
    const wall = addObject(scene, {
      name: 'wall',
      shape: { type: 'box', size: [0.1, 1, 1] },
      pose: [3.5, 0, 0, 0, 0, 0, 1],
    });
    const tool = addObject(scene, { name: 'tool', shape: { type: 'sphere', radius: 0.05 } });
    attachObject(scene, tool, { robot, link: 'link2', placement: [1.42, 0, 0, 0, 0, 0, 1] });
    expect(checkScene(scene, { all: true }).contacts).toMatchObject([{ a: 'tool', b: wall.name }]);
  });

  it('the mass and the pose of a file are read, and checked', () => {
    expect(file({ mass: 2.5, pose: [0, 0, 0.1, 0, 0, 0, 1] }).value!.attached[0]).toEqual({
      object: 'tool',
      link: 'link2',
      touchLinks: [],
      pose: [0, 0, 0.1, 0, 0, 0, 1],
      mass: 2.5,
    });
    expect(file({ mass: 0 }).issues[0].message).toMatch(/^got 0, expected a number above 0/);
    expect(file({ pose: [0, 0, 0, 0, 0, 0, 2] }).issues[0].message).toMatch(/quaternion .* of length 2, expected/);
  });
});
