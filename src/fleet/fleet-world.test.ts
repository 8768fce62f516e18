import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import type { ContactPhase } from './contact-events.js';
import type { FleetMode } from './fleet-body.js';
import { createFleetWorld } from './fleet-world.js';
import { runRandomProgram } from './random-programs.test-support.js';

const disc = (radius = 0.5) => ({ type: 'disc' as const, radius });
const at = (x: number, y = 0, z = 0): [number, number, number, number] => [x, y, z, 0];

function pairWorld(modes: readonly [FleetMode, FleetMode], z = 0) {
  const world = createFleetWorld();
  const a = world.addBody({ name: 'a', shape: disc(), pose: at(0), mode: modes[0] });
  const b = world.addBody({ name: 'b', shape: disc(), pose: at(0.9, 0, z), mode: modes[1] });
  world.step(0.1);
  return { world, a, b, touching: world.isTouching(a, b) };
}

describe('a fleet of bodies', () => {
  it('touches as the definition says, over random programs of additions, removals, teleports, modes and callbacks', () => {
    // 10^6 programs: ORACLE_FULL in test/oracle/fleet-programs.test.ts.
    for (let seed = 0; seed < 800; seed++) expect(runRandomProgram(seed, 6)).toBeNull();
  });

  it.each([
    ['2d', '2d', 0, true],
    ['2d', '2d', 5, true],
    ['2d', '3d', 5, false],
    ['3d', '3d', 5, false],
    ['3d', '3d', 0.9, true],
    ['2d', 'static', 0, true],
    ['static', 'static', 0, false],
    ['2d', 'disabled', 0, false],
    ['disabled', 'disabled', 0, false],
  ] as const)('%s beside %s, %d m higher: touching %s', (first, second, z, expected) => {
    expect(pairWorld([first, second], z).touching).toBe(expected);
    expect(pairWorld([second, first], -z).touching).toBe(expected);
  });

  it('tells contacts that begin, stay and end, also of bodies that rest', () => {
    const { world, a, b } = pairWorld(['2d', '2d']);
    const told: string[] = [];
    world.onContact((phase: ContactPhase, i, j) => told.push(`${phase} ${i} ${j}`));
    world.step(0.1);
    expect(world.profile.moved).toBe(0);
    world.setPose(b, 0.8, 0, 0, 0);
    world.step(0.1);
    world.setPose(b, 3, 0, 0, 0);
    world.step(0.1);
    world.step(0.1);
    world.setPose(b, 1, 0, 0, 0);
    world.step(0.1);
    world.removeBody(a);
    world.step(0.1);
    expect(told).toEqual(['stay 0 1', 'stay 0 1', 'end 0 1', 'begin 0 1', 'end 0 1']);
    expect(world.contactCount).toBe(0);
  });

  it('moves everything before anything is checked, whatever the order', () => {
    const world = createFleetWorld();
    const a = world.addBody({ name: 'a', shape: disc(), pose: at(0) });
    const b = world.addBody({ name: 'b', shape: disc(), pose: at(1.2) });
    world.step(0.1);
    // Both go right: in between, the first alone would touch the second.
    world.addDriver((w) => {
      w.movePlane(a, w.poses[6 * a] + 0.5, 0);
      w.movePlane(b, w.poses[6 * b] + 0.5, 0);
    });
    world.step(0.1);
    expect(world.contactCount).toBe(0);
  });

  it('counts what a callback moves in the next step', () => {
    const { world, a, b } = pairWorld(['2d', '2d']);
    world.onContact((_, __, ___, w) => w.setPose(b, 10, 0, 0, 0));
    world.setPose(a, 0.1, 0, 0, 0);
    world.step(0.1);
    expect(world.isTouching(a, b)).toBe(true);
    world.step(0.1);
    expect(world.isTouching(a, b)).toBe(false);
    expect(() => {
      world.onContact((_, __, ___, w) => w.step(1));
      world.setPose(b, 0, 0, 0, 0);
      world.step(0.1);
    }).toThrow(/step: called from a contact listener/);
  });

  it('calls monitors at their times', () => {
    const { world } = pairWorld(['2d', '2d']);
    const times: number[] = [];
    const stop = world.addMonitor(0.25, (w) => times.push(Math.round(w.time * 10) / 10));
    for (let k = 0; k < 10; k++) world.step(0.1);
    stop();
    for (let k = 0; k < 10; k++) world.step(0.1);
    expect(times).toEqual([0.4, 0.6, 0.9, 1.1]);
  });

  it('does not depend on the order of insertion', () => {
    const random = createRandom(9);
    const bodies = Array.from({ length: 80 }, (_, k) => ({
      name: `b${k}`,
      shape: k % 3 === 0 ? { type: 'box' as const, size: [1, 2, 1] as const } : disc(random.uniform(0.2, 1)),
      pose: [random.uniform(0, 12), random.uniform(0, 12), 0, random.uniform(-3, 3)] as const,
    }));
    const pairsOf = (list: typeof bodies) => {
      const world = createFleetWorld();
      for (const body of list) world.addBody(body);
      world.step(0.1);
      const pairs: string[] = [];
      world.forEachContact((a, b) => {
        pairs.push([world.nameOf(a), world.nameOf(b)].sort().join());
      });
      return pairs.sort();
    };
    const expected = pairsOf(bodies);
    expect(expected.length).toBeGreaterThan(20);
    expect(pairsOf([...bodies].reverse())).toEqual(expected);
  });

  it('looks at moved bodies alone, and finds what looking at all finds', () => {
    const run = (checks: 'moved' | 'all') => {
      const world = createFleetWorld({ checks });
      for (let k = 0; k < 200; k++)
        world.addBody({ name: `b${k}`, shape: disc(), pose: at((k % 20) * 0.95, Math.floor(k / 20) * 3) });
      world.step(0.1);
      for (let k = 0; k < 5; k++) world.setPose(k, world.poses[6 * k] + 0.3, 0.2, 0, 0);
      world.step(0.1);
      return { tests: world.profile.boxTests, boxes: world.profile.boxesUpdated, contacts: world.contactCount };
    };
    const moved = run('moved');
    const all = run('all');
    expect(moved.contacts).toBe(all.contacts);
    expect(moved.boxes).toBe(5);
    expect(moved.tests).toBeLessThan(all.tests / 10);
  });

  it('chooses the cell size by its modes', () => {
    const fill = (world: ReturnType<typeof createFleetWorld>, radius: number, name: string) => {
      for (let k = 0; k < 3; k++) world.addBody({ name: `${name}${k}`, shape: disc(radius), pose: at(5 * k) });
    };
    const initial = createFleetWorld();
    fill(initial, 1, 'a');
    initial.step(0.1);
    expect(initial.cellSize).toBe(4);
    const adaptive = createFleetWorld({ cellSizeMode: 'AUTO_ADAPTIVE' });
    for (const world of [initial, adaptive]) {
      world.step(0.1);
      fill(world, 3, 'b');
      fill(world, 3, 'c');
      world.step(0.1);
    }
    expect([initial.cellSize, adaptive.cellSize]).toEqual([4, 12]);
    expect(createFleetWorld({ cellSizeMode: 'CONSTANT', cellSize: 7 }).cellSize).toBeNull();
    expect(() => createFleetWorld({ cellSize: 7 })).toThrow(/options\.cellSize, got 7/);
  });

  it('refuses ids of bodies that are gone and names that are taken', () => {
    const { world, a } = pairWorld(['2d', '2d']);
    expect(() => world.addBody({ name: 'b', shape: disc(), pose: at(0) })).toThrow(/addBody: name, got "b" twice/);
    world.removeBody(a);
    expect(() => world.setPose(a, 0, 0, 0, 0)).toThrow(/setPose: id, got 0/);
    expect(() => world.removeBody(7)).toThrow(/removeBody: id, got 7/);
    expect(world.size).toBe(1);
  });
});
