/**
 * Fleets: one step of many discs on a floor, a part of which moves, with all checks: boxes, cells, exact footprints, contacts that last.
 * From 100 to 100,000 discs, one per four square metres. The peer, where libbullet is installed, is Bullet's btDbvtBroadphase over the same
 * boxes and moves, which stops at pairs of boxes. A row throws when the pairs of boxes differ from Bullet's.
 *
 * The last rows: moved-only against looking at all (time, boxes, tests), and planning 200 robots on a floor (work and time of our own).
 */
import { createFleetWorld, createGridGraph, createRandomProblem, planPaths } from '../../dist/esm/fleet.js';
import { createRandom } from '../../dist/esm/math.js';
import { compare, compareWithProgram } from '../measure.mjs';
import { buildNative, startNative } from '../native-program.mjs';

const RADIUS = 0.25;
const STEPS = 16;

/** Places of discs, and a closed walk of those that move. */
function createWalk(count, share) {
  const random = createRandom(5);
  const side = 2 * Math.sqrt(count);
  const places = Float64Array.from({ length: 2 * count }, () => random.uniform(0, side));
  const moving = Math.floor(share * count);
  const here = places.slice();
  const out = [];
  for (let s = 0; s < STEPS / 2; s++) {
    for (let k = 0; k < 2 * moving; k++) here[k] += random.uniform(-0.15, 0.15);
    out.push(here.slice(0, 2 * moving));
  }
  return { places, moving, walk: [...out, ...out.slice(0, -1).reverse(), places.slice(0, 2 * moving)] };
}

function createDiscs({ places, moving, walk }, options) {
  const world = createFleetWorld(options);
  for (let i = 0; 2 * i < places.length; i++)
    world.addBody({
      name: `r${i}`,
      shape: { type: 'disc', radius: RADIUS },
      pose: [places[2 * i], places[2 * i + 1], 0, 0],
    });
  let next = 0;
  world.addDriver(() => {
    const to = walk[next];
    next = (next + 1) % walk.length;
    for (let i = 0; i < moving; i++) world.movePlane(i, to[2 * i], to[2 * i + 1]);
  });
  world.step(0.1);
  return world;
}

function startBullet(program, { places, moving, walk }) {
  const boxOf = (x, y) => `${x - RADIUS} ${y - RADIUS} 0 ${x + RADIUS} ${y + RADIUS} 1`;
  const boxesOf = (list) =>
    Array.from({ length: list.length / 2 }, (_, i) => boxOf(list[2 * i], list[2 * i + 1])).join(' ');
  const ids = Array.from({ length: moving }, (_, i) => i).join(' ');
  const bullet = startNative(program);
  const rows = walk.map((to) => `${moving} ${ids} ${boxesOf(to)}`);
  bullet.write(`${places.length / 2} ${walk.length}\n${boxesOf(places)}\n${rows.join('\n')}\n`);
  return bullet;
}

/** Pairs of overlapping squares after the first step, by looking at a sorted axis. */
function countPairs({ places, moving, walk }) {
  const at = places.slice();
  at.set(walk[0].subarray(0, 2 * moving));
  const order = Array.from({ length: at.length / 2 }, (_, i) => i).sort((a, b) => at[2 * a] - at[2 * b]);
  let pairs = 0;
  for (let i = 0; i < order.length; i++)
    for (let j = i + 1; j < order.length && at[2 * order[j]] - at[2 * order[i]] <= 2 * RADIUS; j++)
      if (Math.abs(at[2 * order[j] + 1] - at[2 * order[i] + 1]) <= 2 * RADIUS) pairs++;
  return pairs;
}

async function compareStep(program, count, share) {
  const walk = createWalk(count, share);
  const world = createDiscs(walk, { clock: () => performance.now() });
  const name = `${count} discs, ${share === 1 ? 'all' : 'half'} move`;
  const request = {
    suite: 'fleet',
    name,
    inputs: STEPS,
    ours: () => world.step(0.1),
    unit: 'ms',
    rounds: 7,
    blockMs: 30,
  };
  let row;
  if (program === null) row = compare(request);
  else {
    const bullet = startBullet(program, walk);
    const [theirs, own] = [Number(await bullet.ask('check')), countPairs(walk)];
    if (Math.abs(theirs - own) > 1e-3 * own) throw new Error(`Bullet: ${theirs} pairs, expected ${own}`);
    row = await compareWithProgram({
      ...request,
      timePeer: async (calls) => Number(await bullet.ask(`time ${calls}`)),
      peerName: 'Bullet',
    });
    bullet.close();
  }
  const { moveMs, updateMs, checkMs, boxTests, exactTests } = world.profile;
  const phases = `move ${moveMs.toFixed(2)}, boxes ${updateMs.toFixed(2)}, checks ${checkMs.toFixed(2)} ms`;
  process.stderr.write(`  ${name}: ${phases}; ${boxTests} box tests, ${exactTests} exact\n`);
  return row;
}

export async function* run() {
  const program = buildNative('broadphase-bullet', ['bullet']);
  for (const count of [100, 500, 1000, 2000, 10_000, 100_000]) yield await compareStep(program, count, 0.5);
  yield await compareStep(program, 10_000, 1);
  yield await compareStep(program, 100_000, 1);
  const walk = createWalk(1000, 0.01);
  const [moved, all] = ['moved', 'all'].map((checks) => createDiscs(walk, { checks }));
  yield compare({
    suite: 'fleet',
    name: '1000 discs, 10 move, moved only',
    inputs: STEPS,
    ours: () => moved.step(0.1),
    peer: () => all.step(0.1),
    peerName: 'look at all',
    unit: 'us',
  });
  // Counts are the same in every run: boxes of bodies that are looked at, and comparisons of two boxes.
  const counted = (unit, ours, peer) => ({
    suite: 'fleet',
    case: `1000 discs, 10 move, moved only: ${unit}`,
    ours,
    peer,
    peerName: 'look at all',
    ratio: ours / peer,
    unit,
    n: STEPS,
    spread: 0,
  });
  yield counted('boxes looked at', moved.profile.moved, all.size);
  yield counted('box tests', moved.profile.boxTests, all.profile.boxTests);
  const graph = createGridGraph({ width: 32, height: 32, free: new Uint8Array(1024).fill(1) });
  let seed = 0;
  yield compare({
    suite: 'fleet',
    name: 'plan 200 robots on 32 x 32, first plan',
    inputs: 1,
    ours: () => planPaths(createRandomProblem(graph, 200, seed++)),
    unit: 'ms',
    rounds: 5,
  });
}
