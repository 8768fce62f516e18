/**
 * A long chain under Monte Carlo steps: one torsion per step, taken back when links touch. The start is a cube lattice
 * walked row by row, spacing 4, radius 1, seeded jitter; joint and angle uniform, angles up to 180 or 5 degrees. The peer
 * is our own hash grid over the explicit chain. Both sides take the same steps in alternating blocks, and every verdict
 * is compared.
 */
import { createChain, createChainTree, createHashGridChain } from '../../dist/esm/chain.js';
import { createRandom } from '../../dist/esm/math.js';
import { median } from '../measure.mjs';

const spacing = 4;
const blockSize = 25;

/** Lattice points in boustrophedon order. */
function createLattice(linkCount, random) {
  const side = Math.ceil(Math.cbrt(linkCount) - 1e-9);
  const points = [];
  for (let i = 0; i < linkCount; i++) {
    const z = Math.floor(i / side ** 2);
    const rowInLayer = Math.floor(i / side) % side;
    const y = z % 2 ? side - 1 - rowInLayer : rowInLayer;
    const x = Math.floor(i / side) % 2 ? side - 1 - (i % side) : i % side;
    points.push([x, y, z].map((k) => spacing * k + random.uniform(-0.3, 0.3)));
  }
  return points;
}

export function createLatticeChain(linkCount, seed) {
  const points = createLattice(linkCount, createRandom(seed));
  const links = points.map(() => ({ shape: { type: 'sphere', radius: 1 } }));
  const joints = points.slice(1).map((point, i) => {
    const bond = point.map((x, k) => x - points[i][k]);
    return { type: 'revolute', origin: [...bond, 0, 0, 0, 1], axis: bond };
  });
  return createChain({ links, joints });
}

/** Takes the steps on one representation; adds update and test time apart, for free and for colliding steps. */
function takeSteps(state, steps, times) {
  const verdicts = [];
  for (const { joint, angle } of steps) {
    const start = performance.now();
    state.stageTurn(joint, angle);
    state.apply();
    const updated = performance.now();
    const touches = state.hasContact();
    const tested = performance.now();
    if (touches) state.undo();
    const end = performance.now();
    times.update += updated - start + end - tested;
    times[touches ? 'colliding' : 'free'].push(tested - updated);
    verdicts.push(touches);
  }
  return verdicts;
}

const sum = (values) => values.reduce((total, value) => total + value, 0);
const createTimes = () => ({ update: 0, free: [], colliding: [] });
const perStep = ({ update, free, colliding }, count) => ((update + sum(free) + sum(colliding)) * 1e3) / count;

function* measure(linkCount, degrees, stepCount) {
  const chain = createLatticeChain(linkCount, 1);
  const tree = createChainTree(chain);
  const grid = createHashGridChain(chain);
  const random = createRandom(linkCount + degrees);
  const name = `${linkCount} links, torsions to ${degrees} degrees`;
  if (tree.hasContact() || grid.hasContact()) throw new Error(`${name}: the start is not free`);
  const createSteps = () =>
    Array.from({ length: blockSize }, () => ({
      joint: random.integer(linkCount - 1),
      angle: (random.uniform(-degrees, degrees) * Math.PI) / 180,
    }));
  // The first blocks leave the lattice and let the optimiser settle.
  for (let block = 0; block < 8; block++) {
    const steps = createSteps();
    takeSteps(tree, steps, createTimes());
    takeSteps(grid, steps, createTimes());
  }
  const ours = createTimes();
  const peer = createTimes();
  const ratios = [];
  tree.stats.volumeTests = 0;
  tree.stats.pairTests = 0;
  for (let block = 0; block < stepCount / blockSize; block++) {
    const steps = createSteps();
    const [a, b] = [createTimes(), createTimes()];
    const runs = [() => takeSteps(tree, steps, a), () => takeSteps(grid, steps, b)];
    const [first, second] = block % 2 ? runs.reverse() : runs;
    const [verdicts, others] = [first(), second()];
    if (verdicts.join() !== others.join()) throw new Error(`${name}: the verdicts differ`);
    for (const [total, part] of [
      [ours, a],
      [peer, b],
    ]) {
      total.update += part.update;
      total.free.push(...part.free);
      total.colliding.push(...part.colliding);
    }
    ratios.push(perStep(a, blockSize) / perStep(b, blockSize));
  }
  const row = { suite: 'chain', peerName: 'hash grid', n: stepCount };
  const sorted = [...ratios].sort((x, y) => x - y);
  const spread = sorted[Math.floor(0.75 * sorted.length)] - sorted[Math.floor(0.25 * sorted.length)];
  const compare = (part, a, b) => ({
    ...row,
    case: `${name}: ${part}`,
    ours: a,
    peer: b,
    ratio: part === 'step' ? median(ratios) : a / b,
    unit: 'us',
    spread: part === 'step' ? spread : 0,
  });
  yield compare('step', perStep(ours, stepCount), perStep(peer, stepCount));
  yield compare('update and undo', (ours.update * 1e3) / stepCount, (peer.update * 1e3) / stepCount);
  for (const part of ['free', 'colliding']) {
    const count = ours[part].length;
    if (count) yield compare(`${part} test`, (sum(ours[part]) * 1e3) / count, (sum(peer[part]) * 1e3) / count);
  }
  const count = (part, value) => ({ ...row, case: `${name}: ${part}`, ours: value / stepCount, peer: null, unit: '' });
  yield count('box tests', tree.stats.volumeTests);
  yield count('link pairs tested', tree.stats.pairTests);
}

export function* run() {
  for (const linkCount of [1000, 10_000]) {
    for (const degrees of [180, 5]) yield* measure(linkCount, degrees, linkCount > 1000 ? 1000 : 4000);
  }
}
