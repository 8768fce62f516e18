/**
 * Executed plans on the benchmark maps beside the project, 1 % of the robots stopped at a time: every pair proven apart in every step. 12,000
 * robot-seconds, and more than 10^6 with ORACLE_FULL=1. Goals first, then deliveries without an end, with turns and without.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createFleetRun, createFleetSetup } from '../../src/fleet/fleet-run.js';
import { parseGridMap } from '../../src/io/grid/grid-map-file.js';
import { createRandom } from '../../src/math/random.js';
import type { FleetCell } from '../../src/scene/fleet-description.js';
import { needsShared, sharedPath } from '../shared.js';

const folder = sharedPath('data', 'mapf');
const isFull = Boolean(process.env.ORACLE_FULL);

function run(name: string, robots: number, seed: number, withTasks: boolean, seconds: number) {
  const map = parseGridMap(readFileSync(`${folder}/${name}.map`, 'utf8')).value!;
  const random = createRandom(seed);
  // Places of tasks in the part of the map where the middle is.
  const reached = flood(map.width, map.free);
  const draw = (): FleetCell => {
    const cell = reached[random.integer(reached.length)];
    return [cell % map.width, Math.floor(cell / map.width)];
  };
  const places = (count: number) => Array.from({ length: count }, draw);
  const starts = new Map<string, FleetCell>();
  while (starts.size < robots) {
    const cell = draw();
    starts.set(cell.join(), cell);
  }
  const fleet = {
    map: [],
    robots: withTasks ? [...starts.values()].map((start, i) => ({ name: `r${i}`, start })) : robots,
    radius: 0.45,
    speed: 1.5,
    seed,
    stops: { share: 0.01, seconds: 10 },
    ...(withTasks ? { tasks: { pickups: places(40), deliveries: places(40) }, turnRate: 2 } : {}),
  };
  const made = createFleetRun(createFleetSetup({ version: 1, objects: [], fleet }, map), { rounds: 200 });
  const current = made.run!;
  for (let k = 0; k < seconds * 10 && !current.isDone; k++) current.step(0.1);
  return current;
}

function flood(width: number, free: ArrayLike<number>): number[] {
  let best: number[] = [];
  const seen = new Uint8Array(free.length);
  for (let start = 0; start < free.length; start++) {
    if (!free[start] || seen[start]) continue;
    const part = [start];
    seen[start] = 1;
    for (let k = 0; k < part.length; k++) {
      const c = part[k];
      const x = c % width;
      for (const next of [x > 0 ? c - 1 : -1, x < width - 1 ? c + 1 : -1, c - width, c + width])
        if (next >= 0 && next < free.length && free[next] && !seen[next]) {
          seen[next] = 1;
          part.push(next);
        }
    }
    if (part.length > best.length) best = part;
  }
  return best;
}

describe.skipIf(!folder)(`executed plans${needsShared('data', 'mapf')}`, () => {
  it.each([
    ['random-32-32-10', 150, false, 60, 400],
    ['random-32-32-20', 120, true, 30, 1500],
    ['warehouse-10-20-10-2-1', 400, true, 12, 1500],
    ['empty-48-48', 300, true, 12, 1000],
  ] as const)('%s, %i robots: no pair that is not proven apart', (name, robots, withTasks, seconds, full) => {
    let robotSeconds = 0;
    let [stopped, delivered] = [0, 0];
    for (let seed = 1; seed <= (isFull ? (withTasks ? 1 : 4) : 1); seed++) {
      const fleet = run(name, robots, seed, withTasks, isFull ? full : seconds);
      expect({ collisions: fleet.collisions, first: fleet.firstCollision }).toEqual({ collisions: 0, first: null });
      // Nobody waits in a circle; on maps of single lanes some may drive in vain, which is told.
      expect(fleet.stalls().filter(({ kind }) => kind === 'deadlock')).toEqual([]);
      if (name === 'empty-48-48') expect(fleet.stalls().filter(({ kind }) => kind === 'livelock')).toEqual([]);
      robotSeconds += fleet.time * robots;
      stopped += fleet.metrics().stopped;
      delivered += fleet.metrics().delivered;
      // Aisles of one cell: 148 in this time when robots swapped there and every way was as good as its opposite.
      if (isFull && name.startsWith('warehouse')) expect(fleet.metrics().delivered).toBeGreaterThan(450);
      if (isFull && name === 'empty-48-48') expect(fleet.metrics().delivered).toBeGreaterThan(3 * robots);
    }
    if (isFull)
      console.log(
        `${name}: ${Math.round(robotSeconds)} robot-seconds, ${stopped} stopped at the end, ${delivered} delivered`,
      );
    expect(robotSeconds).toBeGreaterThan(isFull ? 20_000 : 2000);
  });
});
