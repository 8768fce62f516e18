/**
 * Continuous collision of two moving shapes: time of first contact, both bodies moving and turning. No npm library casts
 * rotating shapes; the rows without rotation are compared with Rapier's castShape (single precision).
 * `hits` is the share of motions that touch, `iterations` the mean number of distance
 * queries or directions tried. Attitudes at both ends are
 * random, so most motions turn by more than a right angle. Where the reference motions lie beside the project they are
 * timed too, with the median over motions.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import RAPIER from '@dimforge/rapier3d-compat';
import { createRandom } from '../../dist/esm/math.js';
import { castPair, createCastResult, createCollider } from '../../dist/esm/narrowphase.js';
import { createBumpySphere, createPoses, toTransforms } from '../inputs.mjs';
import { compare, median } from '../measure.mjs';

const count = 400;
const reference = fileURLToPath(new URL('../../../shared/oracles/proximity/', import.meta.url));
const shapes = {
  box: { type: 'box', size: [1, 0.75, 1.25] },
  sphere: { type: 'sphere', radius: 0.5 },
  capsule: { type: 'capsule', radius: 0.25, length: 1 },
  cylinder: { type: 'cylinder', radius: 0.375, length: 1 },
  cone: { type: 'cone', radius: 0.5, length: 1 },
};
const pairs = [
  ['box', 'box'],
  ['sphere', 'capsule'],
  ['cylinder', 'box'],
  ['cone', 'cylinder'],
];

/** From one side of the origin to the other, past it by up to 1.5. */
function createMotions(random, path, turning) {
  const starts = createPoses(random, count, 2, 3);
  const ends = createPoses(random, count, 0, 1.5);
  const offsets = createPoses(random, count, 0, 0.2);
  return starts.map((start, i) => {
    const end = [...ends[i].slice(0, 3).map((x, k) => x - start[k]), ...(turning ? ends[i] : start).slice(3)];
    const [b0, b1, a0] = toTransforms([start, end, [0, 0, 0, ...offsets[i].slice(3)]]);
    const a1 = turning ? toTransforms([offsets[i]])[0] : a0;
    return { a0, a1, b0, b1, path };
  });
}

function* measure(name, a, b, motions) {
  const result = createCastResult();
  let hits = 0;
  let iterations = 0;
  let limits = 0;
  for (const motion of motions) {
    castPair(result, a, b, motion);
    if (result.hit) hits++;
    if (result.status !== 'ok') limits++;
    iterations += result.iterations;
  }
  yield {
    ...compare({
      suite: 'cast',
      name,
      inputs: motions.length,
      ours: (i) => castPair(result, a, b, motions[i]),
      unit: 'us',
      rounds: 9,
      blockMs: 25,
    }),
    hits: hits / motions.length,
    iterations: iterations / motions.length,
    limits,
  };
}

/** Each motion's own time, the best of five, since a few grazing motions weigh much in a mean. */
function* measureReference(kind) {
  const lines = readFileSync(`${reference}cast_${kind}.jsonl`, 'utf8').trim().split('\n');
  const cases = lines.map((line) => {
    const { A, B, a0, b0, b1 } = JSON.parse(line);
    const [X_WA, start, end] = toTransforms([a0, b0, b1]);
    return { a: createCollider(A), b: createCollider(B), motion: { a0: X_WA, a1: X_WA, b0: start, b1: end } };
  });
  const result = createCastResult();
  const ask = ({ a, b, motion }) => castPair(result, a, b, motion);
  for (let round = 0; round < 50; round++) cases.forEach(ask);
  let limits = 0;
  const times = cases.map((one) => {
    let best = Infinity;
    for (let round = 0; round < 5; round++) {
      const begin = process.hrtime.bigint();
      for (let i = 0; i < 10; i++) ask(one);
      best = Math.min(best, Number(process.hrtime.bigint() - begin) / 10);
    }
    if (result.status !== 'ok') limits++;
    return best;
  });
  yield {
    suite: 'cast',
    case: `median of reference ${kind}`,
    ours: median(times) / 1000,
    peer: null,
    peerName: null,
    ratio: null,
    unit: 'us',
    n: cases.length,
    spread: null,
    limits,
  };
}

/** Straight motions of two boxes against Rapier. */
function* measureStraight(random) {
  const [a, b] = [createCollider(shapes.box), createCollider(shapes.box)];
  const motions = createMotions(random, 'slerp', false);
  const cuboid = new RAPIER.Cuboid(0.5, 0.375, 0.625);
  const still = { x: 0, y: 0, z: 0 };
  const quaternions = motions.map(({ b0 }) => toQuaternion(b0));
  const rotationsA = motions.map(({ a0 }) => toQuaternion(a0));
  const result = createCastResult();
  const vector = (X, from) => ({
    x: X[9] - (from ? from[9] : 0),
    y: X[10] - (from ? from[10] : 0),
    z: X[11] - (from ? from[11] : 0),
  });
  const starts = motions.map(({ b0 }) => vector(b0, null));
  const velocities = motions.map(({ b0, b1 }) => vector(b1, b0));
  const ask = (i) =>
    cuboid.castShape(still, rotationsA[i], still, cuboid, starts[i], quaternions[i], velocities[i], 0, 1, true);
  let disagree = 0;
  motions.forEach((motion, i) => {
    castPair(result, a, b, motion);
    const peer = ask(i);
    if (result.hit !== (peer !== null) || (peer && Math.abs(peer.time_of_impact - result.time) > 1e-3)) disagree++;
  });
  yield {
    ...compare({
      suite: 'cast',
      name: 'straight box - box',
      inputs: motions.length,
      ours: (i) => castPair(result, a, b, motions[i]),
      peer: ask,
      peerName: 'rapier',
      unit: 'us',
      rounds: 9,
      blockMs: 25,
    }),
    disagree,
  };
}

function toQuaternion(X) {
  const w = 0.5 * Math.sqrt(Math.max(0, 1 + X[0] + X[4] + X[8]));
  if (w > 1e-3) {
    const s = 0.25 / w;
    return { x: s * (X[7] - X[5]), y: s * (X[2] - X[6]), z: s * (X[3] - X[1]), w };
  }
  const x = 0.5 * Math.sqrt(Math.max(0, 1 + X[0] - X[4] - X[8]));
  const y = 0.5 * Math.sqrt(Math.max(0, 1 - X[0] + X[4] - X[8]));
  const z = 0.5 * Math.sqrt(Math.max(0, 1 - X[0] - X[4] + X[8]));
  return { x, y: X[1] < 0 ? -y : y, z: X[2] < 0 ? -z : z, w };
}

export async function* run() {
  await RAPIER.init();
  const random = createRandom(5);
  yield* measureStraight(random);
  for (const [nameA, nameB] of pairs) {
    const [a, b] = [createCollider(shapes[nameA]), createCollider(shapes[nameB])];
    yield* measure(`turning ${nameA} - ${nameB}`, a, b, createMotions(random, 'slerp', true));
    yield* measure(`screw ${nameA} - ${nameB}`, a, b, createMotions(random, 'screw', true));
  }
  if (existsSync(reference))
    for (const kind of ['box_box', 'sphere_capsule', 'cylinder_box', 'cone_cylinder']) yield* measureReference(kind);
  const mesh = createCollider({ type: 'mesh', mesh: createBumpySphere(60, 30), mode: 'surface' });
  const box = createCollider(shapes.box);
  yield* measure('turning mesh 3,480 - box', mesh, box, createMotions(random, 'slerp', true));
  yield* measure('turning mesh 3,480 - mesh 3,480', mesh, mesh, createMotions(random, 'slerp', true));
}
