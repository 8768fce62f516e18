/**
 * Pick and place in the bundled scene: every leg is free at dense states with what is held then, is timed within the limits, and the can ends where it
 * shall be.
 */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createTransform, poseToTransform } from '../../src/math/transform.js';
import { loadRobot } from '../../src/node/load-robot.js';
import { loadScene } from '../../src/node/load-scene.js';
import { attachObject, detachObject } from '../../src/scene/attach.js';
import { checkScene } from '../../src/scene/queries/check.js';
import { setConfiguration } from '../../src/scene/robot.js';
import { disposeScene } from '../../src/scene/scene.js';
import { createCell } from '../../src/tasks/create-cell.js';
import { type PickAndPlaceRequest, pickAndPlace } from '../../src/tasks/pick-and-place.js';
import { createTrajectoryPoint } from '../../src/trajectory/trajectory.js';

const file = (path: string): string => fileURLToPath(new URL(`../../examples/${path}`, import.meta.url));

const request: PickAndPlaceRequest = {
  group: 'arm',
  object: 'can',
  tool: 'tool',
  grasps: [{ name: 'slanted', pose: [0, 0, 0.03, 0.455189, 0.803957, -0.188547, 0.333009] }],
  place: [0.4, 0.45, 0.26, 0, 0, 0.805952, 0.591981],
  start: 'ready',
  open: { finger_left_slide: 0.04 },
  closed: { finger_left_slide: 0.035 },
  touchLinks: ['hand', 'finger_left', 'finger_right'],
  supports: ['table'],
  limits: { acceleration: 3 },
};

async function createExample() {
  const robot = (await loadRobot(file('arm/arm.urdf'), { srdf: file('arm/arm.srdf') })).value!;
  const around = (await loadScene(file('scenes/table-shelf.json'))).value!;
  return createCell({ robot, around });
}

describe('pickAndPlace', () => {
  it('takes the can and puts it down, every leg certified and timed', async () => {
    const { scene, robot } = await createExample();
    const can = scene.objects.get('can')!;
    const stood = can.body.worldPlacement.slice();
    const shown = robot.q.slice();
    const plan = pickAndPlace(scene, robot, request);
    expect(plan.reason).toBe('');
    expect(plan).toMatchObject({ status: 'solved', grasp: 'slanted', complete: true });
    const names = ['move', 'approach', 'close', 'lift', 'transfer', 'lower', 'open', 'leave'];
    expect(plan.legs.map(({ name }) => name)).toEqual(names);
    expect(plan.legs.every(({ certified, motion }) => certified && motion.checked === 'certified')).toBe(true);
    expect(plan.legs.map(({ holds }) => holds)).toEqual([false, false, false, true, true, true, false, false]);
    // As it was.
    expect([...robot.q]).toEqual([...shown]);
    expect(can.attachment).toBeNull();
    expect([...can.body.worldPlacement]).toEqual([...stood]);
    expect(scene.allowed.list()).toEqual([]);
    const wanted = poseToTransform(createTransform(), request.place);
    for (let i = 0; i < 12; i++) expect(plan.place![i]).toBeCloseTo(wanted[i], 3);
    // Played back: only the can, its gripper and its table touch.
    const point = createTrajectoryPoint(robot.model);
    const touched = new Set<string>();
    let last: Float64Array | null = null;
    for (const { motion, holds } of plan.legs) {
      const trajectory = motion.trajectory!;
      trajectory.evaluate(point, 0);
      if (last) for (let k = 0; k < point.q.length; k++) expect(point.q[k]).toBeCloseTo(last[k], 9);
      setConfiguration(robot, point.q);
      if (holds && !can.attachment) attachObject(scene, can, { robot, link: 'tool' });
      if (!holds && can.attachment) detachObject(scene, can);
      for (let i = 0; i <= 60; i++) {
        trajectory.evaluate(point, (trajectory.duration * i) / 60);
        setConfiguration(robot, point.q);
        for (const { a, b } of checkScene(scene, { all: true, depth: 'none' }).contacts)
          touched.add([a, b].sort().join());
      }
      last = point.q.slice();
    }
    const allowed = [
      ['can', 'table'],
      ['can', 'hand'],
      ['can', 'finger_left'],
      ['can', 'finger_right'],
    ].map((pair) => pair.join());
    expect([...touched].filter((pair) => !allowed.includes(pair))).toEqual([]);
    expect(plan.trajectory!.duration).toBeCloseTo(
      plan.legs.reduce((sum, { motion }) => sum + motion.trajectory!.duration, 0),
      9,
    );
    disposeScene(scene);
  });

  it('says at which leg it fails, and leaves the scene as it was', async () => {
    const { scene, robot } = await createExample();
    const far = pickAndPlace(scene, robot, { ...request, place: [3, 0, 0.26, 0, 0, 0, 1] });
    expect(far).toMatchObject({ status: 'failed', trajectory: null, place: null });
    expect(far.reason).toMatch(/^transfer: invalid-goal/);
    expect(far.legs.map(({ name }) => name)).toEqual(['move', 'approach', 'close', 'lift']);
    expect(scene.objects.get('can')!.attachment).toBeNull();
    expect(scene.allowed.list()).toEqual([]);
    expect(() => pickAndPlace(scene, robot, { ...request, object: 'nothing' })).toThrow(/object, got "nothing"/);
    expect(() => pickAndPlace(scene, robot, { ...request, grasps: [] })).toThrow(/grasps, got/);
    disposeScene(scene);
  });
});
