import { describe, expect, it } from 'vitest';
import type { FloorDescription } from '../scene/floor-description.js';
import { createFloorRun } from './floor-run.js';
import { type ArmSolver, createFloorSetup } from './floor-setup.js';
import { createArmParts, createFloor } from './floor-worlds.test-support.js';

/** The tip's height alone: bend such that sin(bend) lowers 0.3 + reach to it. */
const solveByHand: ArmSolver = (_, target) => () => ({ joints: [0, Math.asin((0.6 - target[2]) / 0.4), 0.1] });

const start = (description: FloorDescription = createFloor()) =>
  createFloorRun(createFloorSetup(description, createArmParts(), solveByHand));

function drive(run: ReturnType<typeof start>, seconds: number): void {
  for (const end = run.time + seconds - 0.01; run.time < end && !run.isDone; ) run.step(0.02);
}

describe('a floor from its file', () => {
  it('does what the queues say: an arm carries a ball, porters cross, guards drive', () => {
    const run = start();
    expect(run.fleet.count).toBe(6);
    expect([0, 1, 4, 5].map((r) => run.fleet.nameOf(r))).toEqual(['carrier', 'porter-1', 'porter-4', 'guard-1']);
    drive(run, 60);
    expect(run.isDone).toBe(true);
    expect(run.metrics()).toMatchObject({ failed: 0, touched: 0, collisions: 0, idle: 6, carrying: 0 });
    expect(run.firstFailure).toBe(null);
    // 8 of the carrier, a goal per porter, 2 of the guard.
    expect(run.metrics().done).toBe(8 + 4 + 2);
    const { world } = run;
    const place = (name: string) => [...world.poses.subarray(6 * world.find(name), 6 * world.find(name) + 3)];
    expect(place('porter-1').slice(0, 2)).toEqual([-5, -6]);
    expect(place('porter-4').slice(0, 2)).toEqual([-8, -6]);
    // The carrier went by (-2, 2) with the ball in its hand; what turned it since was the arm's bend alone.
    const [x, y] = world.solids.find(world.find('ball'))!.transform.subarray(9);
    expect(Math.abs(y - 2)).toBeLessThan(1e-9);
    expect(x).toBeGreaterThan(0.5);
    expect(x).toBeLessThan(1);
  });

  it('goes on with the same bits from what it saved, in every phase', () => {
    const whole = start();
    const states: string[] = [];
    for (let k = 0; k < 12; k++) {
      states.push(whole.save());
      drive(whole, 1);
    }
    states.forEach((state, k) => {
      const run = start();
      run.restore(state);
      expect(run.save()).toBe(state);
      for (let s = k; s < 12; s++) drive(run, 1);
      expect(run.hash()).toBe(whole.hash());
    });
    expect(() => start().restore('{}')).toThrow(/another world/);
    expect(() => start().restore('nothing')).toThrow(/no JSON/);
    const other = createFloor();
    const moved = start({ ...other, floor: { ...other.floor, seed: 9 } });
    expect(() => moved.restore(whole.save())).toThrow(/another world/);
  });

  it('begins again where robots repeat', () => {
    const floor = createFloor();
    const robots = floor.floor.robots.slice(2).map((robot) => ({ ...robot, repeat: true }));
    const run = start({ ...floor, floor: { ...floor.floor, robots } });
    drive(run, 40);
    expect(run.isDone).toBe(false);
    expect(run.metrics().done).toBeGreaterThan(8);
  });

  it('tells what failed, what touched, and who is stuck', () => {
    const floor = createFloor();
    const [carrier] = floor.floor.robots;
    const far = { ...carrier, actions: [{ type: 'pick', object: 'ball', within: 0.2 } as const] };
    const kind = { base: 'omni', shape: { type: 'disc', radius: 0.3 } } as const;
    const run = start({
      ...floor,
      floor: {
        ...floor.floor,
        robots: [
          far,
          // Into the post.
          { ...kind, name: 'blind', pose: [2.8, -3, 0], actions: [{ type: 'move', to: [2.8, 0] }] },
          { ...kind, name: 'careful', pose: [6, 0, 0], avoids: true, actions: [{ type: 'move', to: [2.9, 0] }] },
        ],
      },
    });
    drive(run, 60);
    expect(run.firstFailure).toMatchObject({ robot: 'carrier', action: 'pick' });
    expect(run.failed).toBe(1);
    expect(run.touched).toBeGreaterThan(0);
    expect(run.firstCollision!.bodies).toContain('blind');
    expect(run.stalls()).toEqual([{ kind: 'livelock', robots: ['careful'], waiting: [] }]);
    expect(run.isGoingOn).toBe(false);
  });

  it('refuses what it cannot place or load', () => {
    const floor = createFloor();
    const { objects } = floor;
    expect(() => createFloorSetup(floor, createArmParts())).toThrow(/solveArm, got none/);
    expect(() => createFloorSetup(floor, { meshes: new Map(), arms: new Map() })).toThrow(/arm "arm", got no robot/);
    const endless = { name: 'ground', shape: { type: 'halfspace', normal: [0, 0, 1], offset: 0 } } as const;
    expect(() => start({ ...floor, objects: [...objects, { ...endless, pose: [0, 0, 0, 0, 0, 0, 1] }] })).toThrow(
      /object "ground", got a shape without end/,
    );
    const robots = [
      { ...floor.floor.robots[2], count: 9, at: { random: { bounds: [0, 0, 1, 1], apart: 2 } } } as const,
    ];
    expect(() => start({ ...floor, floor: { ...floor.floor, robots } })).toThrow(
      /guard.at, got room for \d in its bounds/,
    );
    expect(() => createFloorRun({ ...createFloorSetup(floor, createArmParts(), solveByHand) })).toThrow(
      /createFloorSetup/,
    );
  });
});
