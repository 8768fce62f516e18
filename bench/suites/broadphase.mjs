/**
 * Broad phases: one step moves all or 1 % of the boxes a little (random walk, each coordinate by at most 0.15) and reports
 * all pairs. Sizes and density as in the reference data: sides 0.5 to 1.5, 5.7 pairs per box.
 * Every method's pairs are compared with the tree's after the first step; a row throws when they differ. The peer, where
 * libbullet is installed, is Bullet's btDbvtBroadphase: every step takes the new boxes and walks over all exact pairs.
 *
 * Each method has a worker thread of its own: sharing an engine, they would share its type feedback too and each would be
 * slower than in a program that uses one.
 *
 * The last rows take 1,000 boxes, of which ten move, and ask for the pairs of what moved; the ratio is to the same step with
 * all of them moving.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import {
  createAutoBroadPhase,
  createDynamicTree,
  createHashGrid,
  createSweepAndPrune,
} from '../../dist/esm/broadphase.js';
import { createRandom } from '../../dist/esm/math.js';
import { compare, compareWithProgram } from '../measure.mjs';
import { buildNative, startNative } from '../native-program.mjs';

const steps = 16;
const methods = {
  auto: createAutoBroadPhase,
  tree: createDynamicTree,
  'tree, kept pairs': () => createDynamicTree({ persistentPairs: true }),
  'tree, fat, kept pairs': () => createDynamicTree({ fatMargin: 0.1, persistentPairs: true }),
  grid: createHashGrid,
  'sweep, 1 axis': createSweepAndPrune,
  'sweep, 3 axes': () => createSweepAndPrune({ axes: 3 }),
};

function createBoxes(random, count) {
  const side = 23.7 * Math.cbrt(count / 10_000);
  const boxes = new Float64Array(6 * count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      const centre = random.uniform(0, side);
      const half = random.uniform(0.25, 0.75);
      boxes[6 * i + k] = centre - half;
      boxes[6 * i + 3 + k] = centre + half;
    }
  }
  return boxes;
}

/** Steps of a walk that ends where it began: each goes out in the first half and back in the second. */
function createSteps(random, boxes, share) {
  const count = boxes.length / 6;
  const current = boxes.slice();
  const walk = [];
  for (let s = 0; s < steps / 2; s++) {
    const ids = share === 1 ? Array.from({ length: count }, (_, i) => i) : [];
    while (ids.length < share * count) {
      const id = random.integer(count);
      if (!ids.includes(id)) ids.push(id);
    }
    const before = new Float64Array(6 * ids.length);
    ids.forEach((id, i) => {
      before.set(current.subarray(6 * id, 6 * id + 6), 6 * i);
      for (let k = 0; k < 3; k++) {
        const shift = 0.1 * (random.next() + random.next() + random.next() - 1.5);
        current[6 * id + k] += shift;
        current[6 * id + 3 + k] += shift;
      }
    });
    const after = new Float64Array(6 * ids.length);
    ids.forEach((id, i) => {
      after.set(current.subarray(6 * id, 6 * id + 6), 6 * i);
    });
    walk.push({ ids: Int32Array.from(ids), before, after });
  }
  return [
    ...walk.map(({ ids, after }) => ({ ids, boxes: after })),
    ...walk.reverse().map(({ ids, before }) => ({ ids, boxes: before })),
  ];
}

function digest(phase) {
  let [count, hash] = [0, 0];
  phase.pairs((a, b) => {
    count++;
    const h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b);
    hash = (hash + (h ^ (h >>> 13))) | 0;
  });
  return `${count} pairs, hash ${hash}`;
}

function startBullet(program, boxes, walk) {
  const bullet = startNative(program);
  const rows = walk.map(({ ids, boxes: moved }) => `${ids.length} ${ids.join(' ')} ${moved.join(' ')}`);
  bullet.write(`${boxes.length / 6} ${walk.length}\n${boxes.join(' ')}\n${rows.join('\n')}\n`);
  return bullet;
}

function start(create, boxes) {
  const phase = create();
  for (let o = 0; o < boxes.length; o += 6) phase.add(boxes.subarray(o, o + 6));
  return phase;
}

async function compareMethod(count, share, method, program) {
  const random = createRandom(5);
  const boxes = createBoxes(random, count);
  const walk = createSteps(random, boxes, share);
  const [expected, got] = [createDynamicTree, methods[method]].map((create) => {
    const phase = start(create, boxes);
    phase.updateMany(walk[0].ids, walk[0].boxes);
    return digest(phase);
  });
  if (got !== expected) throw new Error(`${method}: ${got}, expected ${expected}`);
  const phase = start(methods[method], boxes);
  const found = { pairs: 0 };
  const visit = () => {
    found.pairs++;
  };
  // The walk goes on by itself: a step taken twice would move nothing.
  let next = 0;
  const ours = () => {
    phase.updateMany(walk[next].ids, walk[next].boxes);
    phase.pairs(visit);
    next = (next + 1) % steps;
  };
  const name = `${count} boxes, ${share === 1 ? 'all' : '1 %'} move, ${method}`;
  const request = { suite: 'broadphase', name, inputs: steps, ours, unit: 'ms', rounds: 7, blockMs: 30 };
  if (!program) return compare(request);
  const bullet = startBullet(program, boxes, walk);
  const pairs = Number(await bullet.ask('check'));
  // Bullet keeps boxes in single precision, so a pair that just touches may differ.
  const own = Number.parseInt(got, 10);
  if (Math.abs(pairs - own) > 1e-3 * own) throw new Error(`Bullet: ${pairs} pairs, ours ${own}`);
  const timePeer = async (calls) => Number(await bullet.ask(`time ${calls}`));
  const row = await compareWithProgram({ ...request, timePeer, peerName: 'Bullet' });
  bullet.close();
  return row;
}

function compareMoved(method) {
  const random = createRandom(5);
  const boxes = createBoxes(random, 1000);
  const [ours, peer] = [0.01, 1].map((share) => {
    const walk = createSteps(random, boxes, share);
    const phase = start(methods[method], boxes);
    const found = { pairs: 0 };
    const visit = () => {
      found.pairs++;
    };
    let next = 0;
    return () => {
      phase.updateMany(walk[next].ids, walk[next].boxes);
      phase.pairsOfMoved(visit);
      next = (next + 1) % steps;
    };
  });
  const name = `1000 boxes, 10 move, pairs of moved, ${method}`;
  return compare({ suite: 'broadphase', name, inputs: steps, ours, peer, peerName: 'all move', unit: 'us' });
}

function inWorker(task) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: task });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

export async function* run() {
  const program = buildNative('broadphase-bullet', ['bullet']);
  for (const [count, share] of [
    [1000, 1],
    [1000, 0.01],
    [10_000, 1],
    [10_000, 0.01],
    [100_000, 1],
    [100_000, 0.01],
  ]) {
    for (const method of Object.keys(methods)) {
      // Far from its use: a sorted axis meets thousands of boxes each.
      if (count === 100_000 && method.startsWith('sweep')) continue;
      if (count === 100_000 && share === 1 && method !== 'auto') continue;
      yield await inWorker({ count, share, method, program });
    }
  }
  for (const method of Object.keys(methods)) yield await inWorker({ moved: true, method });
}

if (!isMainThread) {
  const { moved, count, share, method, program } = workerData;
  parentPort.postMessage(moved ? compareMoved(method) : await compareMethod(count, share, method, program));
}
