/**
 * The experiments of Lotan, Schwarzer, Halperin, Latombe 2002: figures 4, 7 and 8, table 1, and the growth that sections 3
 * and 4 prove.
 *
 * A step turns one joint, uniform over joints and over angles up to 180 or 5 degrees, tests for contact, and takes the step
 * back when there is one. All representations take the same steps in alternating blocks, and every verdict is compared.
 * The first 200 steps are not counted. Times of an update include taking back; free and colliding tests are apart.
 * Cases named by --case=TEXT only; --full takes 20,000 steps, as the paper; --file=STRUCTURE measures that backbone only.
 */
import { basename } from 'node:path';
import { createStaticTree } from '../../dist/esm/broadphase.js';
import {
  createChainObstacles,
  createChainTree,
  createDynamicTreeChain,
  createHashGridChain,
  createObbTreeChain,
  createPieceObbTreeChain,
  LinkPairs,
} from '../../dist/esm/chain.js';
import { createRandom, createTransform } from '../../dist/esm/math.js';
import { createCollider } from '../../dist/esm/narrowphase.js';
import { createFoldedChain, createLatticeChain, createLayeredChain, loadBackboneChain } from '../chains.mjs';
import { median } from '../measure.mjs';
import { fitExponent, lineChart } from '../plot.mjs';

const blockSize = 25;
const warmUp = 200;

/** Every representation of a moving chain, and the largest chain it is measured on for so many steps. */
const kinds = {
  ChainTree: createChainTree,
  'ChainTree, boxes two levels down': (chain) => createChainTree(chain, { fitDepth: 2 }),
  grid: createHashGridChain,
  '1-OBBTree': createObbTreeChain,
  'K-OBBTree': createPieceObbTreeChain,
  'dynamic tree': createDynamicTreeChain,
};

function takeStep(state, { joint, angle }, times) {
  const start = performance.now();
  state.stageTurn(joint, angle);
  state.apply();
  const updated = performance.now();
  const touches = state.hasContact();
  const tested = performance.now();
  if (touches) state.undo();
  const end = performance.now();
  times.update += updated - start;
  times.undo += end - tested;
  times[touches ? 'colliding' : 'free'] += tested - updated;
  times[touches ? 'collidingSteps' : 'freeSteps']++;
  return touches;
}

const noTimes = () => ({ update: 0, undo: 0, free: 0, colliding: 0, freeSteps: 0, collidingSteps: 0 });
const countSteps = ({ freeSteps, collidingSteps }) => freeSteps + collidingSteps;
const perStep = (times) => ((times.update + times.undo + times.free + times.colliding) * 1e3) / countSteps(times);

/** Moves the chain by each representation of `names` (name -> number of steps); returns what each took. */
function race(name, chain, names, degrees) {
  const random = createRandom(chain.linkCount + degrees);
  const radians = (degrees * Math.PI) / 180;
  const runs = Object.entries(names).map(([kind, steps]) => ({
    kind,
    steps,
    state: kinds[kind](chain),
    times: noTimes(),
    blocks: [],
    boxTests: 0,
    pairTests: 0,
  }));
  for (const { state } of runs) if (state.hasContact()) throw new Error(`${name}: the start is not free`);
  const most = Math.max(...runs.map(({ steps }) => steps));
  for (let done = 0; done < warmUp + most; done += blockSize) {
    const block = Array.from({ length: blockSize }, () => ({
      joint: random.integer(chain.linkCount - 1),
      angle: random.uniform(-radians, radians),
    }));
    const active = runs.filter(({ steps }) => done < warmUp + steps);
    if ((done / blockSize) % 2) active.reverse();
    let verdicts = null;
    for (const run of active) {
      const times = noTimes();
      run.state.stats.volumeTests = 0;
      run.state.stats.pairTests = 0;
      const own = block.map((step) => takeStep(run.state, step, times)).join();
      verdicts ??= own;
      if (own !== verdicts) throw new Error(`${name}: ${run.kind} gives other verdicts`);
      if (done < warmUp) continue;
      for (const key of Object.keys(times)) run.times[key] += times[key];
      run.blocks.push(perStep(times));
      run.boxTests += run.state.stats.volumeTests;
      run.pairTests += run.state.stats.pairTests;
    }
  }
  for (const { state } of runs) state.dispose();
  return runs;
}

/** Rows of a race: times of every representation, ratios over the blocks both took, box tests and their ratio. */
function* report(name, links, degrees, runs) {
  const [ours] = runs;
  const total = countSteps(ours.times);
  const group = { suite: 'chain', links, degrees };
  const number = (part, value, unit = 'us', n = total) => ({
    ...group,
    case: `${name}: ${part}`,
    ours: value,
    peer: null,
    unit,
    n,
  });
  yield number('update', (ours.times.update * 1e3) / total);
  yield number(
    'undo',
    (ours.times.undo * 1e3) / Math.max(1, ours.times.collidingSteps),
    'us',
    ours.times.collidingSteps,
  );
  yield number('free test', (ours.times.free * 1e3) / Math.max(1, ours.times.freeSteps), 'us', ours.times.freeSteps);
  yield number(
    'colliding test',
    (ours.times.colliding * 1e3) / Math.max(1, ours.times.collidingSteps),
    'us',
    ours.times.collidingSteps,
  );
  yield number('step', perStep(ours.times));
  yield number('box tests', ours.boxTests / total, '');
  yield number('link pairs tested', ours.pairTests / total, '');
  for (const peer of runs.slice(1)) {
    const count = peer.blocks.length;
    const own = ours.blocks.slice(0, count);
    const ratios = own.map((time, i) => time / peer.blocks[i]).sort((a, b) => a - b);
    const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
    yield {
      ...number('step', mean(own), 'us', count * blockSize),
      peer: mean(peer.blocks),
      peerName: peer.kind,
      ratio: median(ratios),
      spread: ratios[Math.floor(0.75 * count)] - ratios[Math.floor(0.25 * count)],
    };
    if (peer.kind === 'grid') {
      yield number('grid, per link', (perStep(peer.times) * 1e3) / links, 'ns', count * blockSize);
    }
    if (peer.boxTests > 0) {
      const tests = peer.boxTests / countSteps(peer.times);
      yield {
        ...number('box tests', ours.boxTests / total, '', count * blockSize),
        peer: tests,
        peerName: peer.kind,
        ratio: ours.boxTests / total / tests,
        spread: 0,
      };
    }
  }
}

/** Steps of each representation: baselines as many as ours where they are quick enough, fewer on long chains. */
function planLattice(links, full) {
  const most = full ? 20_000 : 1_000;
  if (links > 100_000) return { ChainTree: full ? 20_000 : 2_000 };
  if (links > 10_000) return { ChainTree: most, grid: 200 };
  const few = links > 2_500 ? 500 : most;
  return {
    ChainTree: most,
    'ChainTree, boxes two levels down': most,
    grid: most,
    '1-OBBTree': few,
    'K-OBBTree': few,
    'dynamic tree': few,
  };
}

function* lattices({ full, wants }) {
  for (const degrees of [180, 5]) {
    const parts = { update: [], free: [], colliding: [] };
    for (const links of [1_000, 2_500, 5_000, 10_000, 100_000, 1_000_000]) {
      const name = `lattice ${links}, +-${degrees} degrees`;
      if (!wants(name)) continue;
      const runs = race(name, createLatticeChain(links, 1), planLattice(links, full), degrees);
      yield* report(name, links, degrees, runs);
      const { times } = runs[0];
      parts.update.push([links, times.update / countSteps(times)]);
      parts.free.push([links, times.free / times.freeSteps]);
      parts.colliding.push([links, times.colliding / times.collidingSteps]);
    }
    for (const [part, points] of Object.entries(parts)) {
      if (points.length < 3) continue;
      const name = `lattice, +-${degrees} degrees: exponent of ${part === 'update' ? part : `the ${part} test`}`;
      yield { suite: 'chain', case: name, ours: fitExponent(points), peer: null, unit: '', n: points.length };
    }
  }
}

async function* backbones({ full, wants, files }) {
  for (const file of files) {
    const chain = await loadBackboneChain(file);
    const residues = chain.linkCount / 3;
    for (const degrees of [180, 5]) {
      const name = `${basename(file)}, ${residues} residues, +-${degrees} degrees`;
      if (!wants(name)) continue;
      const most = full ? 20_000 : 1_000;
      const names = { ChainTree: most, grid: most, '1-OBBTree': most, 'K-OBBTree': most, 'dynamic tree': most };
      yield* report(name, chain.linkCount, degrees, race(name, chain, names, degrees));
    }
  }
}

/** Update and undo alone, long chains against 10,000 links, the same steps in blocks in turn. */
function* updates({ wants, full }) {
  const name = 'update alone';
  if (!wants(name)) return;
  const sizes = [10_000, 100_000, 1_000_000];
  const runs = sizes.map((links) => {
    const tree = createChainTree(createLatticeChain(links, 1));
    tree.hasContact();
    return { links, tree, random: createRandom(links), times: [] };
  });
  for (let block = 0; block < (full ? 400 : 100); block++) {
    for (const { links, tree, random, times } of runs) {
      const steps = Array.from({ length: 50 }, () => [random.integer(links - 1), random.uniform(-Math.PI, Math.PI)]);
      const start = performance.now();
      for (const [joint, angle] of steps) {
        tree.stageTurn(joint, angle);
        tree.apply();
        tree.undo();
      }
      if (block >= 10) times.push(((performance.now() - start) * 1e3) / 50);
    }
  }
  const base = median(runs[0].times);
  for (const { links, times } of runs) {
    const value = median(times);
    yield {
      suite: 'chain',
      links,
      case: `${name}, ${links} links`,
      ours: value,
      peer: base,
      peerName: '10,000 links',
      ratio: value / base,
      spread: 0,
      unit: 'us',
      n: 50 * times.length,
    };
  }
}

/** Section 4.2: tests of a whole search of the layers, whose exponent the bound says is 4/3. */
function* layers({ wants, full }) {
  const name = 'layers of section 4.2';
  if (!wants(name)) return;
  const points = [];
  for (const size of full ? [16, 24, 32, 48, 64, 96, 128] : [16, 24, 32, 48, 64]) {
    const chain = createLayeredChain(size);
    const tree = createChainTree(chain);
    const found = tree.collectContacts(new LinkPairs());
    if (found > 0) throw new Error(`${name}: ${found} contacts where there are none`);
    points.push([chain.linkCount, tree.stats.volumeTests]);
    yield {
      suite: 'chain',
      links: chain.linkCount,
      case: `${name}, ${chain.linkCount} links`,
      ours: tree.stats.volumeTests,
      peer: null,
      unit: 'box tests',
      n: 1,
    };
    tree.dispose();
  }
  yield {
    suite: 'chain',
    case: `${name}: exponent (bound 4/3)`,
    ours: fitExponent(points.slice(1)),
    peer: null,
    unit: '',
    n: points.length,
  };
}

/** Section 6.3: a compact chain against one sphere of a link's size, at places inside and around it; bound N^(2/3). */
function* oneSphere({ wants, full }) {
  const name = 'one sphere';
  if (!wants(name)) return;
  const points = [];
  for (const links of full ? [1_000, 10_000, 100_000, 1_000_000] : [1_000, 10_000, 100_000]) {
    const tree = createChainTree(createLatticeChain(links, 1));
    const sphere = { collider: createCollider({ type: 'sphere', radius: 1 }), pose: createTransform() };
    const query = createChainObstacles(tree, [sphere]);
    const random = createRandom(links);
    const side = 4 * Math.cbrt(links);
    const out = new LinkPairs();
    const count = 200;
    const start = performance.now();
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 3; k++) sphere.pose[9 + k] = random.uniform(0, side);
      query.collectPairs(out);
    }
    const time = ((performance.now() - start) * 1e3) / count;
    points.push([links, tree.stats.volumeTests / count]);
    yield {
      suite: 'chain',
      links,
      case: `${name}, ${links} links: node tests`,
      ours: tree.stats.volumeTests / count,
      peer: null,
      unit: '',
      n: count,
    };
    yield { suite: 'chain', links, case: `${name}, ${links} links`, ours: time, peer: null, unit: 'us', n: count };
    tree.dispose();
  }
  yield {
    suite: 'chain',
    case: `${name}: exponent (bound 2/3)`,
    ours: fitExponent(points),
    peer: null,
    unit: '',
    n: points.length,
  };
}

/** Figure 4: a refitted tree adapted to the folded chain, before and after it is stretched out; ours on the same change. */
function* figure4({ wants }) {
  const name = 'figure 4';
  if (!wants(name)) return;
  for (const links of [1_000, 10_000]) {
    const { chain, joint } = createFoldedChain(links);
    const tree = createChainTree(chain);
    tree.hasContact();
    const poses = new Float64Array(12 * links);
    const boxesOf = () => {
      tree.writeLinkPoses(poses);
      return Float64Array.from({ length: 6 * links }, (_, i) => {
        const k = i % 6;
        return poses[12 * Math.floor(i / 6) + 9 + (k % 3)] + (k < 3 ? -1 : 1);
      });
    };
    const adapted = createStaticTree(boxesOf());
    const countTests = () => {
      adapted.resetCounts();
      let pairs = 0;
      adapted.pairs(() => {
        pairs++;
      });
      return [adapted.boxTests, pairs];
    };
    const [before] = countTests();
    tree.stats.volumeTests = 0;
    tree.stageTurn(joint, Math.PI);
    tree.apply();
    tree.hasContact();
    const ids = Int32Array.from({ length: links }, (_, i) => i);
    adapted.updateMany(ids, boxesOf());
    const [after] = countTests();
    const row = { suite: 'chain', links, peer: null, unit: 'box tests', n: 1 };
    yield { ...row, case: `${name}, ${links} links: adapted tree, folded`, ours: before };
    yield { ...row, case: `${name}, ${links} links: the same tree refitted, stretched`, ours: after };
    yield { ...row, case: `${name}, ${links} links: ChainTree, the same change`, ours: tree.stats.volumeTests };
    tree.dispose();
  }
}

export async function* run({ full = false, only = null, files = [] } = {}) {
  const options = { full, files, wants: (name) => only === null || name.includes(only) };
  if (files.length === 0) {
    yield* lattices(options);
    yield* updates(options);
    yield* layers(options);
    yield* oneSphere(options);
    yield* figure4(options);
  } else yield* backbones(options);
}

/** Plots of the rows: step and update over N for every representation, box tests, exponents. */
export function plot(rows) {
  const pick = (part, degrees, peerName) =>
    rows
      .filter((row) => row.degrees === degrees && row.case.endsWith(`: ${part}`) && row.peerName === peerName)
      .map((row) => [row.links, peerName === undefined ? row.ours : row.peer]);
  const peers = ['grid', '1-OBBTree', 'K-OBBTree', 'dynamic tree'];
  const files = [];
  for (const degrees of [180, 5]) {
    const ours = (part, name = `ChainTree, ${part}`) => ({ name, points: pick(part, degrees) });
    if (ours('step').points.length === 0) continue;
    files.push({
      name: `chain-step-${degrees}.svg`,
      content: lineChart({
        title: `Update and test of one torsion, +-${degrees} degrees`,
        xLabel: 'links',
        yLabel: 'microseconds per step',
        series: [
          ours('step', 'ChainTree'),
          ...peers.map((peer) => ({ name: peer, points: pick('step', degrees, peer) })),
        ],
      }),
    });
    files.push({
      name: `chain-parts-${degrees}.svg`,
      content: lineChart({
        title: `ChainTree, +-${degrees} degrees`,
        xLabel: 'links',
        yLabel: 'microseconds',
        series: ['update', 'free test', 'colliding test'].map((part) => ours(part, part)),
      }),
    });
    files.push({
      name: `chain-box-tests-${degrees}.svg`,
      content: lineChart({
        title: `Box tests per step, +-${degrees} degrees`,
        xLabel: 'links',
        yLabel: 'box tests',
        series: [
          ours('box tests', 'ChainTree'),
          { name: 'K-OBBTree', points: pick('box tests', degrees, 'K-OBBTree') },
          { name: '1-OBBTree', points: pick('box tests', degrees, '1-OBBTree') },
        ],
      }),
    });
  }
  const layered = rows.filter((row) => row.case.startsWith('layers') && row.links).map((row) => [row.links, row.ours]);
  if (layered.length > 0) {
    const last = layered[layered.length - 1];
    files.push({
      name: 'chain-layers.svg',
      content: lineChart({
        title: 'Layers of section 4.2',
        xLabel: 'links',
        yLabel: 'box tests of a whole search',
        series: [
          { name: 'measured', points: layered },
          { name: 'N^(4/3)', points: layered.map(([n]) => [n, last[1] * (n / last[0]) ** (4 / 3)]) },
        ],
      }),
    });
  }
  return files;
}
