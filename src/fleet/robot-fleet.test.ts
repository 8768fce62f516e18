import { describe, it } from 'vitest';
import { expect } from '../../test/support/quick-expect.js';
import { createRandom } from '../math/random.js';
import { findDubinsWay } from './dubins.js';
import { createFleetWorld } from './fleet-world.js';
import type { FleetRobot } from './robot-actions.js';
import { createRobotFleet } from './robot-fleet.js';
import { spawnGrid, spawnRandom } from './spawn.js';

const robot = (name: string, base: FleetRobot['base'], more: Partial<FleetRobot> = {}): FleetRobot => ({
  name,
  base,
  shape: { type: 'disc', radius: 0.2 },
  pose: [0, 0, 0, 0],
  ...more,
});
const poseOf = (world: ReturnType<typeof createFleetWorld>, id: number) => [
  ...world.poses.subarray(6 * id, 6 * id + 4),
];

describe('ways of cars', () => {
  it('end where they should, at the goal itself too', () => {
    const random = createRandom(5);
    for (let n = 0; n < 2000; n++) {
      const spread = n % 2 === 0 ? 8 : 1;
      const start = [random.uniform(-spread, spread), random.uniform(-spread, spread), random.uniform(-4, 4)];
      const goal = [random.uniform(-spread, spread), random.uniform(-spread, spread), random.uniform(-4, 4)] as const;
      const way = findDubinsWay(start[0], start[1], start[2], goal, 1.5);
      let [x, y, yaw] = start;
      let length = 0;
      for (let k = 0; k < 6; k += 2) {
        const [c, s] = [way[k], way[k + 1]];
        expect(s).toBeGreaterThanOrEqual(0);
        const end = yaw + c * s;
        x += c === 0 ? s * Math.cos(yaw) : (Math.sin(end) - Math.sin(yaw)) / c;
        y += c === 0 ? s * Math.sin(yaw) : (Math.cos(yaw) - Math.cos(end)) / c;
        yaw = end;
        length += s;
      }
      expect(Math.abs(x - goal[0]) + Math.abs(y - goal[1])).toBeLessThan(1e-8);
      expect(Math.abs(Math.sin((yaw - goal[2]) / 2))).toBeLessThan(1e-8);
      const line = Math.sqrt((goal[0] - start[0]) ** 2 + (goal[1] - start[1]) ** 2);
      expect(length).toBeGreaterThanOrEqual(line - 1e-9);
      // Far apart, no way is longer than the line by more than a turn and a third at either end.
      if (line > 6) expect(length).toBeLessThan(line + 1.5 * 2 * Math.PI * 1.5);
    }
  });
});

describe('robots', () => {
  it.each(['omni', 'differential', 'car'] as const)('%s bases reach their goals within their limits', (base) => {
    const world = createFleetWorld();
    const fleet = createRobotFleet(world);
    const r = fleet.addRobot(robot('a', base, { speed: 0.8, acceleration: 0.5, turnRate: 1.2, turningRadius: 0.7 }));
    const id = fleet.bodyOf(r);
    fleet.enqueue(
      r,
      { type: 'move', to: [3, -2, 2] },
      {
        type: 'path',
        points: [
          [0, 0],
          [-2, 1],
        ],
      },
    );
    let speed = 0;
    let steps = 0;
    for (; steps < 2000 && !fleet.isIdle(r); steps++) {
      const [x, y, , yaw] = poseOf(world, id);
      world.step(0.05);
      const [x1, y1, , yaw1] = poseOf(world, id);
      expect(Math.sqrt((x1 - x) ** 2 + (y1 - y) ** 2)).toBeLessThanOrEqual(0.8 * 0.05 + 1e-9);
      expect(Math.abs(yaw1 - yaw)).toBeLessThanOrEqual(1.2 * 0.05 + 1e-9);
      // A turn on the spot has a speed of its own.
      if (x1 !== x && speed > 0) expect(fleet.speedOf(r) - speed).toBeLessThanOrEqual(0.5 * 0.05 + 1e-9);
      speed = x1 === x ? 0 : fleet.speedOf(r);
      // Cars and differential bases go where they look.
      if (base !== 'omni' && Math.abs(yaw1 - yaw) < 1e-12 && Math.abs(x1 - x) > 1e-6)
        expect(Math.abs(Math.cos(yaw) * (y1 - y) - Math.sin(yaw) * (x1 - x))).toBeLessThan(1e-9);
    }
    expect(fleet.isIdle(r)).toBe(true);
    const [x, y] = poseOf(world, id);
    expect(Math.abs(x + 2) + Math.abs(y - 1)).toBeLessThan(1e-6);
  });

  it('do what waits in their queue, in order, and tell', () => {
    const world = createFleetWorld();
    const fleet = createRobotFleet(world);
    const r = fleet.addRobot(robot('a', 'omni', { joints: { values: [0, 0], rate: 1 } }));
    const load = world.addBody({ name: 'load', shape: { type: 'box', size: [0.2, 0.2, 0.2] }, pose: [0.1, 0, 0, 0] });
    const told: string[] = [];
    fleet.onAction(({ action, outcome }) => told.push(`${action} ${outcome}`));
    fleet.enqueue(
      r,
      { type: 'pick', body: 'load' },
      { type: 'pose', solve: (x, y) => [x + 1, y, 0] },
      { type: 'drop' },
      { type: 'drop' },
      { type: 'joints', values: [0.5, -1] },
      { type: 'wait', seconds: 0.3 },
      { type: 'pose', solve: () => null },
      { type: 'charge', seconds: 0 },
    );
    for (let k = 0; k < 200 && !fleet.isIdle(r); k++) world.step(0.1);
    expect(told.filter((text) => !text.endsWith('begun'))).toEqual([
      'pick done',
      'pose done',
      'drop done',
      'drop failed',
      'joints done',
      'wait done',
      'pose failed',
      'charge done',
    ]);
    expect(poseOf(world, load)[0]).toBeCloseTo(1.1, 9);
    expect([...fleet.jointsOf(r)]).toEqual([0.5, -1]);
    // What was carried touches its carrier again once it is put down, and not before.
    world.step(0.1);
    expect(world.isTouching(fleet.bodyOf(r), load)).toBe(true);
  });

  it('start in rows or at random with room between them', () => {
    expect([...spawnGrid(3, 2, 1.5, [1, 1])]).toEqual([1, 1, 2.5, 1, 1, 2.5]);
    const places = spawnRandom(150, [0, 0, 20, 20], 1, 3);
    expect(places.length).toBeGreaterThan(280);
    for (let i = 0; i < places.length; i += 2)
      for (let j = 0; j < i; j += 2)
        expect((places[i] - places[j]) ** 2 + (places[i + 1] - places[j + 1]) ** 2).toBeGreaterThanOrEqual(1);
    const world = createFleetWorld();
    const fleet = createRobotFleet(world);
    const all = [0, 1, 2].map((k) =>
      fleet.addRobot(robot(`r${k}`, 'omni', { pose: [places[2 * k], places[2 * k + 1], 0, 0] })),
    );
    fleet.moveAll(all, [0, 0, 5, 5, 9, 9]);
    for (let k = 0; k < 400; k++) world.step(0.1);
    for (const v of poseOf(world, fleet.bodyOf(2)).slice(0, 2)) expect(v).toBeCloseTo(9, 9);
    expect(() => fleet.moveAll(all, [0])).toThrow(/moveAll: goals, got 1 numbers/);
  });
});
