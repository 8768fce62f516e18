import { describe, it } from 'vitest';
import { expect } from '../../test/support/quick-expect.js';
import { createRandom } from '../math/random.js';
import { createFleetWorld } from './fleet-world.js';
import { distanceSegmentRectangle, distanceSegments } from './plane-gaps.js';
import { createRobotFleet } from './robot-fleet.js';
import { spawnRandom } from './spawn.js';
import { VelocityChooser } from './velocity-obstacles.js';
import { createWorldProof } from './world-proof.js';

/** Robots at random places with goals at random places, walls and posts among them, some stopped for a while. */
function crowd(count: number, seed: number, side: number) {
  const world = createFleetWorld();
  const fleet = createRobotFleet(world);
  const random = createRandom(seed);
  world.addBody({
    name: 'wall',
    shape: { type: 'box', size: [side / 3, 0.2, 1] },
    pose: [0, 0, 0, 0.4],
    mode: 'static',
  });
  world.addBody({ name: 'post', shape: { type: 'disc', radius: 0.3 }, pose: [3, 3, 0, 0], mode: 'static' });
  const places = spawnRandom(8 * count, [-side, -side, side, side], 0.8, seed);
  const isClear = (x: number, y: number) => Math.abs(y) > side / 5 && Math.sqrt((x - 3) ** 2 + (y - 3) ** 2) > 1;
  const clear: [number, number][] = [];
  for (let k = 0; k < places.length; k += 2)
    if (isClear(places[k], places[k + 1])) clear.push([places[k], places[k + 1]]);
  for (let k = 0; k < count; k++) {
    const [x, y] = clear[2 * k];
    const r = fleet.addRobot({
      name: `r${k}`,
      base: k % 2 === 0 ? 'omni' : 'differential',
      shape: { type: 'disc', radius: random.uniform(0.15, 0.35) },
      pose: [x, y, 0, random.uniform(-3, 3)],
      speed: random.uniform(0.5, 1.5),
      acceleration: random.uniform(0.5, 2),
      turnRate: 2,
      avoids: true,
    });
    fleet.enqueue(r, { type: 'move', to: clear[2 * k + 1] });
    if (k % 5 === 0) fleet.enqueue(r, { type: 'wait', seconds: 1 });
    fleet.enqueue(r, { type: 'move', to: [x, y] });
  }
  return { world, fleet };
}

describe('robots that avoid', () => {
  it('are apart at every time of every step, among walls and each other, and most arrive', () => {
    for (let seed = 1; seed <= 2; seed++) {
      const { world, fleet } = crowd(60, seed, 9);
      const proof = createWorldProof(world, fleet);
      let unproven = 0;
      const speeds = new Float64Array(60);
      for (let k = 0; k < 900; k++) {
        world.step(0.1);
        unproven += proof.prove().unproven;
        for (let r = 0; r < 60; r++) {
          const speed = fleet.speedOf(r);
          // One that lands goes its last step with what the next one can brake, and stands after it.
          expect(Math.abs(speed - speeds[r])).toBeLessThanOrEqual((speed === 0 ? 2 : 1) * 2 * 0.1 + 1e-9);
          speeds[r] = speed;
        }
      }
      expect(unproven).toBe(0);
      expect(world.contactCount).toBe(0);
      let idle = 0;
      for (let r = 0; r < 60; r++) if (fleet.isIdle(r)) idle++;
      // Nobody plans ways around walls here.
      expect(idle).toBeGreaterThan(35);
    }
  });

  it('pass each other head on, swap places on a circle, and say who is stuck', () => {
    const world = createFleetWorld();
    const fleet = createRobotFleet(world);
    const count = 12;
    for (let k = 0; k < count; k++) {
      const [c, s] = [Math.cos((2 * Math.PI * k) / count), Math.sin((2 * Math.PI * k) / count)];
      const r = fleet.addRobot({
        name: `r${k}`,
        base: 'omni',
        shape: { type: 'disc', radius: 0.25 },
        pose: [5 * c, 5 * s, 0, 0],
        avoids: true,
      });
      fleet.enqueue(r, { type: 'move', to: [-5 * c, -5 * s, 1] });
    }
    const proof = createWorldProof(world, fleet);
    for (let k = 0; k < 900; k++) {
      world.step(0.1);
      expect(proof.prove().unproven).toBe(0);
    }
    for (let r = 0; r < count; r++) expect(fleet.isIdle(r)).toBe(true);
    // A goal on which another stands for good.
    const late = fleet.addRobot({
      name: 'late',
      base: 'differential',
      shape: { type: 'disc', radius: 0.25 },
      pose: [0, 8, 0, 0],
      avoids: true,
    });
    fleet.enqueue(late, { type: 'move', to: [world.poses[0], world.poses[1]] });
    for (let k = 0; k < 400; k++) world.step(0.1);
    expect(fleet.isIdle(late)).toBe(false);
    expect(fleet.stuckFor(late)).toBeGreaterThan(5);
    expect(() =>
      fleet.addRobot({ name: 'c', base: 'car', shape: { type: 'disc', radius: 1 }, pose: [9, 9, 0, 0], avoids: true }),
    ).toThrow(/avoids, got true of a car/);
  });

  it('choose the nearest allowed velocity, as a dense search does', () => {
    const random = createRandom(8);
    for (let n = 0; n < 200; n++) {
      const chooser = new VelocityChooser();
      chooser.begin();
      const [vx, vy] = [random.uniform(-1, 1), random.uniform(-1, 1)];
      const others = Array.from({ length: 1 + random.integer(4) }, () => {
        const d = random.uniform(1.1, 4);
        const a = random.uniform(-3.2, 3.2);
        return [d * Math.cos(a), d * Math.sin(a), random.uniform(-1, 1), random.uniform(-1, 1)];
      });
      for (const [dx, dy, ox, oy] of others) chooser.add(dx, dy, vx - ox, vy - oy, 1, vx, vy, 1, 2);
      chooser.choose(0.7, 0.2, 1);
      expect(chooser.x ** 2 + chooser.y ** 2).toBeLessThan(1 + 1e-9);
      // With the whole share of each, what was found meets nobody who keeps its velocity, wherever that is possible.
      const meets = (x: number, y: number) =>
        others.some(([dx, dy, ox, oy]) => {
          const [wx, wy] = [x - ox, y - oy];
          const t = Math.min(2, Math.max(0, (dx * wx + dy * wy) / (wx * wx + wy * wy || 1)));
          return (dx - t * wx) ** 2 + (dy - t * wy) ** 2 < 1 - 1e-9;
        });
      if (others.length === 1) expect(meets(chooser.x, chooser.y)).toBe(false);
    }
  });

  it('measure segments and rectangles as dense sampling does', () => {
    const random = createRandom(4);
    for (let n = 0; n < 300; n++) {
      const rows = Float64Array.from({ length: 8 }, () => random.uniform(-2, 2));
      const boxes = Float64Array.from([-1, -0.5, 0, random.uniform(-0.9, 1), random.uniform(-0.4, 1), 0]);
      let segments = Number.POSITIVE_INFINITY;
      let rectangle = Number.POSITIVE_INFINITY;
      for (let i = 0; i <= 60; i++) {
        const [x, y] = [rows[0] + ((rows[2] - rows[0]) * i) / 60, rows[1] + ((rows[3] - rows[1]) * i) / 60];
        const cx = Math.max(boxes[0] - x, 0, x - boxes[3]);
        const cy = Math.max(boxes[1] - y, 0, y - boxes[4]);
        rectangle = Math.min(rectangle, Math.sqrt(cx * cx + cy * cy));
        for (let j = 0; j <= 60; j++) {
          const [u, v] = [rows[4] + ((rows[6] - rows[4]) * j) / 60, rows[5] + ((rows[7] - rows[5]) * j) / 60];
          segments = Math.min(segments, Math.sqrt((x - u) ** 2 + (y - v) ** 2));
        }
      }
      for (const [exact, sampled] of [
        [distanceSegments(rows, 0, 4), segments],
        [distanceSegmentRectangle(rows, 0, boxes, 0), rectangle],
      ]) {
        expect(exact).toBeLessThanOrEqual(sampled + 1e-12);
        expect(exact).toBeGreaterThan(sampled - 0.1);
      }
    }
  });
});
