import { describe, it } from 'vitest';
import { expect } from '../../test/support/quick-expect.js';
import { createRandom } from '../math/random.js';
import { transformPoint } from '../math/transform.js';
import { createArmModel } from './arm-model.test-support.js';
import { createFleetArm, type FleetArm } from './fleet-arm.js';
import { createFleetWorld } from './fleet-world.js';
import type { FleetRobot } from './robot-actions.js';
import { createRobotFleet } from './robot-fleet.js';

const robotWith = (arm: FleetArm, name: string, x: number, y = 0): FleetRobot => ({
  name,
  base: 'omni',
  shape: { type: 'disc', radius: 0.3, height: 0.4 },
  pose: [x, y, 0, 0],
  mode: '3d',
  arm,
  joints: { values: [0, 0, 0], rate: 1 },
});

describe('arms on bases', () => {
  it('share a model; links go with base and joints, and touch what is there', () => {
    const arm = createFleetArm(createArmModel());
    const world = createFleetWorld();
    const fleet = createRobotFleet(world);
    const a = fleet.addRobot(robotWith(arm, 'a', 0));
    const b = fleet.addRobot(robotWith(arm, 'b', 5));
    // In reach of a's arm alone, above the bases.
    const shelf = world.addBody({
      name: 'shelf',
      shape: { type: 'box', size: [0.2, 0.2, 0.4] },
      pose: [0, 1, 0.5, 0],
      mode: 'static',
    });
    world.step(0.1);
    expect(world.contactCount).toBe(0);
    expect(world.nameOf(fleet.linksOf(b)[1])).toBe('b/fore');
    fleet.enqueue(a, { type: 'joints', values: [Math.PI / 2, 0, 0] });
    for (let k = 0; k < 40 && !fleet.isIdle(a); k++) world.step(0.1);
    expect(fleet.linksOf(a).some((link) => world.isTouching(link, shelf))).toBe(true);
    expect(world.isTouching(fleet.bodyOf(a), shelf)).toBe(false);
    fleet.enqueue(a, { type: 'joints', values: [9, 0, 0] }, { type: 'joints', values: [0] });
    const told: string[] = [];
    fleet.onAction(({ action, outcome }) => told.push(`${action} ${outcome}`));
    world.step(0.1);
    expect(told.filter((text) => text === 'joints failed').length).toBe(2);
  });

  it('move no point of a link farther than the bound', () => {
    const arm = createFleetArm(createArmModel());
    const world = createFleetWorld();
    const fleet = createRobotFleet(world);
    const r = fleet.addRobot({ ...robotWith(arm, 'a', 0), base: 'differential' });
    const random = createRandom(3);
    const bound = new Float64Array(3);
    for (let k = 0; k < 200; k++) {
      fleet.enqueue(
        r,
        { type: 'joints', values: [random.uniform(-2, 2), random.uniform(-1, 1), random.uniform(0, 0.3)] },
        { type: 'move', to: [random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-3, 3)] },
      );
      world.step(0.1);
      const before = fleet.linksOf(r).map((id) => world.solids.find(id)!.transform.slice());
      const base = world.poses.slice(0, 3);
      world.step(0.1);
      fleet.linksOf(r).forEach((id, n) => {
        expect(fleet.boundMotion(id, bound)).toBe(true);
        for (let c = 0; c < 8; c++) {
          // Corners of the box; ends of the capsule; points of the ball.
          const half = [
            [0.3, 0.05, 0.05],
            [0, 0, 0.25],
            [0.05, 0, 0],
          ][n];
          const point = half.map((h, i) => (c & (1 << i) ? h : -h));
          const from = transformPoint(new Float64Array(3), before[n], point);
          const to = transformPoint(new Float64Array(3), world.solids.find(id)!.transform, point);
          const off = [0, 1, 2].map((i) => to[i] - from[i] - (world.poses[i] - base[i]));
          expect(Math.sqrt(off[0] ** 2 + off[1] ** 2 + off[2] ** 2)).toBeLessThanOrEqual(bound[1] + 1e-12);
        }
      });
    }
  });

  it('pick what is near, carry it with the gripper, and drop it; one body has one robot', () => {
    const arm = createFleetArm(createArmModel());
    const world = createFleetWorld();
    const fleet = createRobotFleet(world);
    const a = fleet.addRobot(robotWith(arm, 'a', 0));
    const b = fleet.addRobot(robotWith(arm, 'b', 0, 4));
    const part = world.addBody({
      name: 'part',
      shape: { type: 'solid', shape: { type: 'sphere', radius: 0.05 } },
      pose: [1.4, 0, 0.6, 0],
    });
    const told: string[] = [];
    fleet.onAction(({ robot, action, outcome }) => told.push(`${robot} ${action} ${outcome}`));
    fleet.enqueue(a, { type: 'pick', body: 'part', within: 0.4 }, { type: 'joints', values: [Math.PI / 2, 0, 0] });
    fleet.enqueue(b, { type: 'pick', body: 'part' });
    for (let k = 0; k < 40; k++) world.step(0.1);
    expect(told).toContain('a pick done');
    expect(told).toContain('b pick failed');
    const at = world.solids.find(part)!.transform;
    expect(Math.abs(at[9]) + Math.abs(at[10] - 1.4)).toBeLessThan(1e-9);
    expect(fleet.linksOf(a).some((link) => world.isTouching(link, part))).toBe(false);
    fleet.enqueue(a, { type: 'drop' }, { type: 'move', to: [-3, 0] });
    fleet.enqueue(a, { type: 'pick', body: 'part', within: 0.4 });
    for (let k = 0; k < 60; k++) world.step(0.1);
    expect(world.solids.find(part)!.transform[10]).toBeCloseTo(1.4, 9);
    expect(told.slice(-1)).toEqual(['a pick failed']);
    fleet.removeRobot(a);
    expect(world.find('a/upper')).toBe(-1);
    expect(() => fleet.enqueue(a, { type: 'drop' })).toThrow(/that was not removed/);
    world.step(0.1);
  });

  it('go on from their state with the same bits, joints, loads, contacts and avoidance', () => {
    const build = () => {
      const arm = createFleetArm(createArmModel());
      const world = createFleetWorld();
      const fleet = createRobotFleet(world);
      const solve = (x: number, y: number) => ({ base: [x + 0.7, y - 0.2, 1] as const, joints: [0.3, -0.2, 0.1] });
      world.addBody({ name: 'part', shape: { type: 'box', size: [0.1, 0.1, 0.1] }, pose: [1.3, 0, 0.6, 0] });
      for (let k = 0; k < 6; k++) {
        const r = fleet.addRobot({
          ...robotWith(arm, `r${k}`, 4 * Math.floor(k / 2), 4 * (k % 2)),
          ...(k < 3 ? {} : { avoids: true, base: 'differential' as const }),
        });
        fleet.enqueue(r, { type: 'pick', body: 'part', within: 0.5 }, { type: 'pose', solve, name: 'shift' });
        fleet.enqueue(
          r,
          { type: 'move', to: [8 - 3 * k, 1 + k, 2] },
          { type: 'wait', seconds: 0.35 },
          { type: 'drop' },
        );
      }
      return { world, fleet, solvers: { shift: solve } };
    };
    const whole = build();
    const cut = build();
    for (let k = 0; k < 60; k++) whole.world.step(0.1);
    for (let k = 0; k < 23; k++) cut.world.step(0.1);
    const text = cut.fleet.save();
    const again = build();
    again.fleet.restore(text, again.solvers);
    for (let k = 23; k < 60; k++) again.world.step(0.1);
    expect(again.fleet.save()).toBe(whole.fleet.save());
    expect(() => again.fleet.restore(text)).toThrow(/solvers, got none of the name "shift"/);
    expect(() => again.fleet.restore('{}')).toThrow(/state of other robots/);
  });

  it('are refused where a joint has no number of its own', () => {
    const { model, shapes } = createArmModel();
    expect(() => createFleetArm({ model, shapes: [{ link: 'none', shape: { type: 'sphere', radius: 1 } }] })).toThrow(
      /shapes\[0\]\.link, got "none"/,
    );
    expect(() => createFleetArm({ model, shapes, gripper: 'hand' })).toThrow(/gripper, got "hand"/);
  });
});
