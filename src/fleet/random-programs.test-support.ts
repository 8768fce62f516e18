/** Random programs on a fleet's world, and what touches by looking at every pair: for fleet-world.test.ts and longer runs. */
import { createRandom, type SeededRandom } from '../math/random.js';
import type { FleetBody, FleetMode } from './fleet-body.js';
import { createFleetWorld, type FleetWorld } from './fleet-world.js';
import type { FleetShape } from './footprint.js';

import type { FleetWorldOptions } from './world-options.js';

/** Solids have tests of their own. */
type Upright = Exclude<FleetShape, { readonly type: 'solid' }>;

const MODES: readonly FleetMode[] = ['3d', '2d', 'static', 'disabled'];

export interface Placed {
  readonly shape: Upright;
  pose: [number, number, number, number];
  mode: FleetMode;
}

/** The definition of contact, written down once more without cells, boxes or flat rows. */
export function touchesByDefinition(a: Placed, b: Placed): boolean {
  if (a.mode === 'disabled' || b.mode === 'disabled') return false;
  if (a.mode === 'static' && b.mode === 'static') return false;
  const plane = a.mode === '2d' && b.mode === '2d';
  const low = ({ shape, pose }: Placed) => (shape.type === 'sphere' ? pose[2] - shape.radius : pose[2]);
  const high = ({ shape, pose }: Placed) =>
    pose[2] + (shape.type === 'sphere' ? shape.radius : shape.type === 'disc' ? (shape.height ?? 1) : shape.size[2]);
  if (!plane && (a.shape.type === 'sphere' || b.shape.type === 'sphere')) {
    const [ball, other] = a.shape.type === 'sphere' ? [a, b] : [b, a];
    const r = (ball.shape as { radius: number }).radius;
    if (other.shape.type === 'sphere')
      return gapOf(ball, other) ** 2 + (ball.pose[2] - other.pose[2]) ** 2 <= (r + other.shape.radius) ** 2;
    const up = Math.max(0, low(other) - ball.pose[2], ball.pose[2] - high(other));
    const out = Math.max(0, planeGap(other, [ball.pose[0], ball.pose[1]]));
    return up * up + out * out <= r * r;
  }
  if (!plane && (low(a) > high(b) || low(b) > high(a))) return false;
  if (a.shape.type !== 'box') return planeGap(b, [a.pose[0], a.pose[1]]) <= a.shape.radius;
  if (b.shape.type !== 'box') return planeGap(a, [b.pose[0], b.pose[1]]) <= b.shape.radius;
  return rectanglesMeet(corners(a), corners(b));
}

function gapOf(a: Placed, b: Placed): number {
  return Math.sqrt((a.pose[0] - b.pose[0]) ** 2 + (a.pose[1] - b.pose[1]) ** 2);
}

/** Distance from a point to a footprint, 0 within. */
function planeGap({ shape, pose }: Placed, [x, y]: readonly [number, number]): number {
  if (shape.type !== 'box') return Math.max(0, Math.sqrt((x - pose[0]) ** 2 + (y - pose[1]) ** 2) - shape.radius);
  const c = Math.cos(pose[3]);
  const s = Math.sin(pose[3]);
  const u = Math.max(0, Math.abs(c * (x - pose[0]) + s * (y - pose[1])) - shape.size[0] / 2);
  const v = Math.max(0, Math.abs(c * (y - pose[1]) - s * (x - pose[0])) - shape.size[1] / 2);
  return Math.sqrt(u * u + v * v);
}

function corners({ shape, pose }: Placed): [number, number][] {
  const [w, d] = (shape as { size: readonly number[] }).size;
  const c = Math.cos(pose[3]);
  const s = Math.sin(pose[3]);
  return [
    [1, 1],
    [-1, 1],
    [-1, -1],
    [1, -1],
  ].map(([i, j]) => [pose[0] + (c * i * w - s * j * d) / 2, pose[1] + (s * i * w + c * j * d) / 2]);
}

/** No side of either separates them. */
function rectanglesMeet(a: readonly [number, number][], b: readonly [number, number][]): boolean {
  const separated = (p: readonly [number, number][], q: readonly [number, number][]) =>
    p.some(([x, y], k) => {
      const [nextX, nextY] = p[(k + 1) % p.length];
      return q.every(([u, v]) => (nextX - x) * (v - y) - (nextY - y) * (u - x) < 0);
    });
  return !separated(a, b) && !separated(b, a);
}

export interface Program {
  readonly world: FleetWorld;
  readonly placed: Map<string, Placed>;
  readonly random: SeededRandom;
}

const OPTIONS: readonly FleetWorldOptions[] = [
  {},
  { cellSizeMode: 'AUTO_ADAPTIVE' },
  { cellSizeMode: 'CONSTANT', cellSize: 0.3 },
  { cellSizeMode: 'CONSTANT', cellSize: 5, multiCellThreshold: 0.1 },
  { cellSizeMode: 'CONSTANT', cellSize: 1, multiCellThreshold: 8 },
  { checks: 'all' },
  { minimumCellSize: 0.01, scaleFactor: 0.5 },
];

function randomBody(random: SeededRandom, name: string): FleetBody & { readonly shape: Upright } {
  const spread = random.next() < 0.3 ? 20 : 3;
  const size = random.next() < 0.1 ? 8 : 0.8;
  const kind = random.integer(3);
  const shape: Upright =
    kind === 0
      ? { type: 'disc', radius: random.uniform(0.05, size), height: random.uniform(0.1, 2) }
      : kind === 1
        ? { type: 'box', size: [random.uniform(0.1, 2 * size), random.uniform(0.1, 2 * size), random.uniform(0.1, 2)] }
        : { type: 'sphere', radius: random.uniform(0.05, size) };
  return { name, shape, pose: randomPose(random, spread), mode: MODES[random.integer(4)] };
}

function randomPose(random: SeededRandom, spread: number): [number, number, number, number] {
  return [
    random.uniform(-spread, spread),
    random.uniform(-spread, spread),
    random.uniform(-1.5, 1.5),
    random.next() < 0.3 ? 0 : random.uniform(-4, 4),
  ];
}

/** One program: additions, removals, teleports, changes of mode, changes inside callbacks, a check after each step. Returns what differs. */
export function runRandomProgram(seed: number, steps: number): string | null {
  const random = createRandom(seed);
  const world = createFleetWorld(OPTIONS[random.integer(OPTIONS.length)]);
  const placed = new Map<string, Placed>();
  /** Bodies that a callback switched off, whose contacts ended with it, even if it switched them on again. */
  const switchedOff = new Set<string>();
  let names = 0;
  const add = () => {
    const body = randomBody(random, `b${names++}`);
    world.addBody(body);
    placed.set(body.name, { shape: body.shape, pose: [...body.pose], mode: body.mode ?? '2d' });
  };
  const change = () => {
    const all = [...placed.keys()];
    const name = all[random.integer(all.length)];
    const what = random.integer(8);
    if (what < 2 || name === undefined) add();
    else if (what === 2) {
      world.removeBody(world.find(name));
      placed.delete(name);
    } else if (what === 3) {
      placed.get(name)!.mode = MODES[random.integer(4)];
      world.setMode(world.find(name), placed.get(name)!.mode);
      if (placed.get(name)!.mode === 'disabled') switchedOff.add(name);
    } else {
      const pose = randomPose(random, random.next() < 0.05 ? 1e6 : 3);
      placed.get(name)!.pose = pose;
      world.setPose(world.find(name), ...pose);
    }
  };
  let begun = 0;
  let ended = 0;
  world.onContact((phase) => {
    if (phase === 'begin') begun++;
    else if (phase === 'end') ended++;
    if (random.next() < 0.1) change();
  });
  for (let k = random.integer(12); k >= 0; k--) add();
  for (let step = 0; step < steps; step++) {
    for (let k = random.integer(4); k > 0; k--) change();
    const before = new Map([...placed].map(([name, body]) => [name, { ...body }]));
    const expected = new Set<string>();
    const list = [...before];
    for (let i = 0; i < list.length; i++)
      for (let j = i + 1; j < list.length; j++)
        if (touchesByDefinition(list[i][1], list[j][1])) expected.add([list[i][0], list[j][0]].sort().join('-'));
    switchedOff.clear();
    // Listeners change the world after the checks: what they removed has ended its contacts.
    world.step(0.1);
    const found = new Set<string>();
    world.forEachContact((a, b) => {
      found.add([world.nameOf(a), world.nameOf(b)].sort().join('-'));
    });
    for (const pair of expected) {
      if (found.has(pair) || pair.split('-').some((name) => !placed.has(name) || switchedOff.has(name))) continue;
      return `seed ${seed} step ${step}: ${pair} is missing`;
    }
    for (const pair of found) if (!expected.has(pair)) return `seed ${seed} step ${step}: ${pair} does not touch`;
  }
  world.step(0.1);
  world.step(0.1);
  if (begun - ended < 0) return `seed ${seed}: ${begun} begun, ${ended} ended`;
  // What is there now, put into another world in another order.
  const other = createFleetWorld(OPTIONS[random.integer(OPTIONS.length)]);
  const list = [...placed];
  for (let k = list.length - 1; k > 0; k--) {
    const j = random.integer(k + 1);
    [list[k], list[j]] = [list[j], list[k]];
  }
  for (const [name, { shape, pose, mode }] of list) other.addBody({ name, shape, pose, mode });
  other.step(0.1);
  let touching = 0;
  for (let i = 0; i < list.length; i++)
    for (let j = i + 1; j < list.length; j++) if (touchesByDefinition(list[i][1], list[j][1])) touching++;
  let wrong = other.contactCount - touching;
  other.forEachContact((a, b) => {
    if (!touchesByDefinition(placed.get(other.nameOf(a))!, placed.get(other.nameOf(b))!)) wrong++;
  });
  return wrong === 0 ? null : `seed ${seed}: ${other.contactCount} contacts in another order, expected ${touching}`;
}
