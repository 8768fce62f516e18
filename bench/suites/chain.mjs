/**
 * The experiments of Lotan, Schwarzer, Halperin, Latombe 2002: figures 4, 7 and 8, table 1, and the growth that sections 3
 * and 4 prove.
 *
 * A step turns one joint, uniform over joints and over angles up to 180 or 5 degrees, tests for contact, and takes the step
 * back when there is one. All representations take the same steps in alternating blocks of 100, and every verdict is compared
 * (raceChains). The first 200 steps are not counted. Times of an update include taking back; free and colliding tests are
 * apart. Cases `lattice` and `backbone` are against the baselines, `volumes` ours with one volume against the others. Cases
 * named by --case=TEXT only; --full takes 20,000 steps, as the paper; --file=STRUCTURE (any number of them)
 * measures those backbones only. --report gathers the rows of several runs, fits the exponents of growth over all of them,
 * writes table 1 and draws the figures.
 */
import { basename } from 'node:path';
import { createStaticTree } from '../../dist/esm/broadphase.js';
import {
  chainRepresentations,
  createChainObstacles,
  createChainTree,
  createLinkPairs,
  raceChains,
} from '../../dist/esm/chain.js';
import { createRandom, createTransform } from '../../dist/esm/math.js';
import { createCollider } from '../../dist/esm/narrowphase.js';
import { createFoldedChain, createLatticeChain, createLayeredChain, loadBackboneChain } from '../chains.mjs';
import { median, startProgress } from '../measure.mjs';
import { fitExponent, lineChart } from '../plot.mjs';
import { createTightGrid } from '../tight-grid.mjs';

const representations = { ...chainRepresentations, 'tight grid': createTightGrid };
const variants = Object.keys(chainRepresentations).filter((name) => name.startsWith('ChainTree, '));
/** Links of the lattices: the paper's four, and longer ones. */
const sizes = [1_000, 2_500, 5_000, 10_000, 100_000, 1_000_000];
const PAPER_LINKS = 10_000;
/** Of any chain; chains of equal spheres have the tight grid as well. */
const baselines = ['grid', '1-OBBTree', 'K-OBBTree', 'dynamic tree'];
const lattice = ['tight grid', ...baselines];

/** A race of the chain by each representation of `names` (name -> number of steps). */
const createRace = (chain, names, degrees, blockSteps = 100) =>
  raceChains(chain, {
    runners: Object.entries(names).map(([kind, steps]) => ({ name: kind, create: representations[kind], steps })),
    steps: Math.max(...Object.values(names)),
    blockSteps,
    seed: chain.linkCount + degrees,
    reach: (degrees * Math.PI) / 180,
    now: () => performance.now(),
  });

/** Runs races of as many blocks each to their ends, a block of every one in turn; returns what each took. */
function finish(name, races) {
  const progress = startProgress(`chain: ${name}`);
  for (;;) {
    const states = races.map((race) => race.next());
    if (!states[0].done) progress.update(states[0].value);
    else {
      progress.stop();
      return states.map(({ value }) => value);
    }
  }
}

function race(name, chain, names, degrees) {
  settle();
  return finish(name, [createRace(chain, names, degrees)])[0];
}

let isSettled = false;

/** Moves a short chain by everything, once: compilers have settled before the first race counts. */
function settle() {
  if (isSettled) return;
  isSettled = true;
  const names = Object.fromEntries(['ChainTree', ...variants, ...lattice].map((name) => [name, 2_000]));
  finish('warm-up', [createRace(createLatticeChain(200, 2), names, 180)]);
}

const perStep = (time, count) => (time * 1e3) / Math.max(1, count);

/** Steps of a race between ours with each of the volumes. */
const planVolumes = (steps) => Object.fromEntries(['ChainTree', ...variants].map((name) => [name, steps]));

/** Runs the races of a chain that are wanted, `kind` against the baselines, and gives their rows. */
function* measure(kind, what, { chain, degrees, file, wants, baselines: plan, volumes }) {
  for (const [name, names] of [
    [`${kind} ${what}`, plan],
    [`volumes ${what}`, volumes],
  ]) {
    if (names && wants(name))
      yield* report(name, { links: chain.linkCount, degrees, file }, race(name, chain, names, degrees));
  }
}

/**
 * Rows of a race: times of every representation and their parts, ratios over the blocks both took, box tests; of ours alone
 * where the race is against baselines.
 */
function* report(name, { links, degrees, file }, runs) {
  const [first] = runs;
  const { update, undo, free, colliding, freeSteps, collidingSteps } = first.times;
  const group = { suite: 'chain', links, degrees, ...(file && { file }) };
  const number = (part, value, unit = 'us', n = first.steps) => ({
    ...group,
    case: `${name}: ${part}`,
    ours: value,
    peer: null,
    unit,
    n,
  });
  if (!name.startsWith('volumes')) {
    yield number('update', perStep(update, first.steps));
    yield number('undo', perStep(undo, collidingSteps), 'us', collidingSteps);
    yield number('free test', perStep(free, freeSteps), 'us', freeSteps);
    yield number('colliding test', perStep(colliding, collidingSteps), 'us', collidingSteps);
    yield number('step', perStep(update + undo + free + colliding, first.steps));
    yield number('box tests', first.volumeTests, '');
    yield number('link pairs tested', first.pairTests, '');
  }
  for (const peer of runs.slice(1)) {
    const against = (part, own, other, unit = 'us') => ({
      ...number(part, own, unit, peer.steps),
      peer: other,
      peerName: peer.name,
      ratio: own / other,
      spread: 0,
    });
    const own = first.blocks.slice(0, peer.blocks.length);
    const ratios = own.map(({ time }, i) => time / peer.blocks[i].time).sort((a, b) => a - b);
    const mean = (blocks, key, unit = 1) => (unit * blocks.reduce((sum, block) => sum + block[key], 0)) / blocks.length;
    const times = peer.times;
    yield {
      ...against('step', mean(own, 'time', 1e3), mean(peer.blocks, 'time', 1e3)),
      ratio: median(ratios),
      spread: ratios[Math.floor(0.75 * ratios.length)] - ratios[Math.floor(0.25 * ratios.length)],
    };
    // Parts of fewer steps stand against ours of all steps: they are drawn, the step's ratio is what counts.
    yield against(
      'update and undo',
      perStep(update + undo, first.steps),
      perStep(times.update + times.undo, peer.steps),
    );
    yield against('test', perStep(free + colliding, first.steps), perStep(times.free + times.colliding, peer.steps));
    const perLink = (time) => (perStep(time, peer.steps) * 1e3) / links;
    if (peer.name === 'grid') {
      const step = times.update + times.undo + times.free + times.colliding;
      yield number('grid, step per link', perLink(step), 'ns', peer.steps);
    }
    if (peer.name.endsWith('OBBTree')) {
      yield number(`${peer.name}, rebuild per link`, perLink(times.update), 'ns', peer.steps);
    }
    if (peer.volumeTests > 0) yield against('box tests', mean(own, 'volumeTests'), peer.volumeTests, '');
  }
}

const paperSteps = (full) => (full ? 20_000 : 1_000);

/** Steps of each representation: baselines as many as ours where they are quick enough, fewer on long chains. */
function planLattice(links, full) {
  const most = paperSteps(full);
  if (links > 100_000) return { ChainTree: most };
  if (links > PAPER_LINKS) return { ChainTree: most, 'tight grid': most, grid: 200 };
  const few = links > 2_500 ? Math.min(most, 1_000) : most;
  return { ChainTree: most, 'tight grid': most, grid: most, '1-OBBTree': few, 'K-OBBTree': few, 'dynamic tree': few };
}

/** ChainTree on all sizes in one run, long blocks of each in turn: its growth without the drift between runs. */
function* growth({ full, wants }) {
  for (const degrees of [180, 5]) {
    if (!wants(`growth, +-${degrees} degrees`)) continue;
    settle();
    const chains = sizes.map((links) => createLatticeChain(links, 1));
    const plan = { ChainTree: paperSteps(full) };
    const runs = finish(
      `growth, +-${degrees} degrees`,
      chains.map((chain) => createRace(chain, plan, degrees, 500)),
    );
    for (const [i, links] of sizes.entries())
      yield* report(`growth ${links}, +-${degrees} degrees`, { links, degrees }, runs[i]);
  }
}

function* lattices({ full, wants }) {
  for (const degrees of [180, 5]) {
    for (const links of sizes) {
      const what = `${links}, +-${degrees} degrees`;
      const volumes = links > PAPER_LINKS ? null : planVolumes(paperSteps(full));
      if (!wants(`lattice ${what}`) && !(volumes && wants(`volumes ${what}`))) continue;
      const chain = createLatticeChain(links, 1);
      yield* measure('lattice', what, { chain, degrees, wants, baselines: planLattice(links, full), volumes });
    }
  }
}

/**
 * Table 1 over all 20,000 steps on chains where figure 7 gives the K-OBBTree fewer: counts alone, which nothing else that
 * runs on the machine changes.
 */
function* boxCounts({ full, wants }) {
  if (!full) return;
  for (const degrees of [180, 5]) {
    for (const links of [5_000, 10_000]) {
      const name = `counts ${links}, +-${degrees} degrees`;
      if (!wants(name)) continue;
      const runs = race(name, createLatticeChain(links, 1), { ChainTree: 20_000, 'K-OBBTree': 20_000 }, degrees);
      for (const row of report(name, { links, degrees }, runs)) {
        if (row.peer !== null && row.case.endsWith(': box tests')) yield row;
      }
    }
  }
}

async function* backbones({ full, wants, files }) {
  for (const file of files) {
    const { chain, chainName, residueCount } = await loadBackboneChain(file);
    for (const degrees of [180, 5]) {
      const what = `${basename(file)} chain ${chainName}, ${residueCount} residues, +-${degrees} degrees`;
      const steps = paperSteps(full);
      yield* measure('backbone', what, {
        chain,
        degrees,
        file: basename(file),
        wants,
        baselines: Object.fromEntries(['ChainTree', ...baselines].map((name) => [name, steps])),
        volumes: planVolumes(steps),
      });
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

/**
 * Section 4.2: tests of a whole search of the layers, at least N^(4/3) of them for large N, and of one sphere at the point
 * that lies in the hull of every unit: section 6.3 bounds those by N^(2/3).
 */
function* layers({ wants, full }) {
  const name = 'layers of section 4.2';
  if (!wants(name)) return;
  for (const size of full ? [16, 24, 32, 48, 64, 96, 128, 192, 256] : [16, 24, 32, 48, 64]) {
    const { chain, common } = createLayeredChain(size);
    const tree = createChainTree(chain);
    const out = createLinkPairs();
    const found = tree.collectContacts(out);
    if (found > 0) throw new Error(`${name}: ${found} contacts where there are none`);
    const row = { suite: 'chain', links: chain.linkCount, peer: null, unit: 'box tests', n: 1 };
    yield { ...row, case: `${name}, ${chain.linkCount} links`, ours: tree.stats.volumeTests };
    const sphere = createUnitSphere();
    sphere.pose.set(common, 9);
    tree.stats.volumeTests = 0;
    createChainObstacles(tree, [sphere]).collectPairs(out);
    yield { ...row, case: `${name}, ${chain.linkCount} links: one sphere`, ours: tree.stats.volumeTests };
    tree.dispose();
  }
}

const createUnitSphere = () => ({ collider: createCollider({ type: 'sphere', radius: 1 }), pose: createTransform() });

/** Section 6.3: a compact chain against one sphere of a link's size, at places inside it; bound N^(2/3). */
function* oneSphere({ wants, full }) {
  const name = 'one sphere';
  if (!wants(name)) return;
  for (const links of full ? [1_000, 10_000, 100_000, 1_000_000] : [1_000, 10_000, 100_000]) {
    const tree = createChainTree(createLatticeChain(links, 1));
    const sphere = createUnitSphere();
    const query = createChainObstacles(tree, [sphere]);
    const random = createRandom(links);
    const side = 4 * Math.cbrt(links);
    const places = Array.from({ length: 1_000 }, () => [0, 1, 2].map(() => random.uniform(0, side)));
    const out = createLinkPairs();
    const visitAll = () => {
      let most = 0;
      let sum = 0;
      for (const place of places) {
        sphere.pose.set(place, 9);
        tree.stats.volumeTests = 0;
        query.collectPairs(out);
        sum += tree.stats.volumeTests;
        most = Math.max(most, tree.stats.volumeTests);
      }
      return { most, average: sum / places.length };
    };
    const { most, average } = visitAll();
    const start = performance.now();
    visitAll();
    const time = ((performance.now() - start) * 1e3) / places.length;
    const row = { suite: 'chain', links, peer: null, n: places.length };
    yield { ...row, case: `${name}, ${links} links: mean`, ours: average, unit: 'box tests' };
    yield { ...row, case: `${name}, ${links} links: most`, ours: most, unit: 'box tests' };
    yield { ...row, case: `${name}, ${links} links: time`, ours: time, unit: 'us' };
    tree.dispose();
  }
}

/** Figure 4: a refitted tree adapted to the folded chain, before and after it is stretched out; ours on the same change. */
function* figure4({ wants }) {
  const name = 'figure 4';
  if (!wants(name)) return;
  for (const links of [1_000, 2_500, 5_000, 10_000]) {
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
    yield* growth(options);
    yield* boxCounts(options);
    yield* updates(options);
    yield* layers(options);
    yield* oneSphere(options);
    yield* figure4(options);
  } else yield* backbones(options);
}

/** Points (links, ours) of the rows whose case is `head`, links, `tail`. */
function listPoints(rows, { head, tail, degrees }) {
  return rows
    .filter((row) => row.links && row.peer === null && row.degrees === degrees)
    .filter((row) => row.case.startsWith(head) && row.case.endsWith(tail))
    .map((row) => [row.links, row.ours])
    .sort((a, b) => a[0] - b[0]);
}

const searchesOf = {
  'layers, whole search': { head: 'layers', tail: ' links' },
  'sphere in layers': { head: 'layers', tail: ': one sphere' },
  'sphere in lattice, mean': { head: 'one sphere', tail: ': mean' },
  'sphere in lattice, most': { head: 'one sphere', tail: ': most' },
};
const changesOf = {
  'adapted tree, folded': { head: 'figure 4', tail: ': adapted tree, folded' },
  'the same, stretched': { head: 'figure 4', tail: ': the same tree refitted, stretched' },
  ChainTree: { head: 'figure 4', tail: ': ChainTree, the same change' },
};
const parts = ['update', 'free test', 'colliding test', 'box tests'];
const partOf = (head, part, degrees) => ({ head, tail: `: ${part}`, degrees });

/**
 * Exponents of growth, least squares in logarithms over all sizes that the rows have, three at least; of moving lattices
 * over the paper's sizes as well: 20,000 steps loosen those chains more than the longer ones.
 */
export function derive(rows) {
  const fit = (name, points) => {
    if (points.length < 3) return [];
    const [least, most] = [points[0][0], points.at(-1)[0]].map((links) => links.toLocaleString('en-US'));
    const text = `exponent: ${name}, ${least} to ${most} links`;
    return [{ suite: 'chain', case: text, ours: fitExponent(points), peer: null, unit: '', n: points.length }];
  };
  const fitAll = (searches, prefix = '') =>
    Object.entries(searches).flatMap(([name, where]) => fit(`${prefix}${name}`, listPoints(rows, where)));
  const fitMoving = (kind) =>
    [180, 5].flatMap((degrees) =>
      parts.flatMap((part) => {
        const name = `${kind}, +-${degrees} degrees, ${part}`;
        const points = listPoints(rows, partOf(kind, part, degrees));
        const paper = points.filter(([links]) => links <= PAPER_LINKS);
        return [...(paper.length < points.length ? fit(name, paper) : []), ...fit(name, points)];
      }),
    );
  return [...fitMoving('lattice'), ...fitMoving('growth'), ...fitAll(searchesOf), ...fitAll(changesOf, 'figure 4, ')];
}

/** What the paper's table 1 has, ChainTree and K-OBBTree. */
const published = {
  1000: [703, 114],
  2500: [715, 131],
  5000: [905, 163],
  10000: [964, 178],
  '1shg': [242, 73],
};

/** Table 1: box tests per step, ours by volume over all steps; then ours and the K-OBBTree over the same steps; the paper's. */
function writeTable(rows) {
  const tests = rows.filter((row) => row.links && row.case.endsWith(': box tests'));
  const number = (value) => (value === undefined ? '' : Number(value.toPrecision(3)));
  const lines = [
    ['chain', ...variants, 'same steps: ChainTree', 'K-OBBTree', 'ratio', 'steps', "paper's", 'ratio'],
    ['---', ...Array(variants.length + 6).fill('---:')],
  ];
  const compared = tests.filter(({ peerName }) => peerName === 'K-OBBTree');
  const isBackbone = ({ file }) => Number(file !== undefined);
  compared.sort((a, b) => isBackbone(a) - isBackbone(b) || b.degrees - a.degrees || a.links - b.links);
  for (const pieces of compared) {
    const volumes = tests.filter((row) => row.case === pieces.case.replace(/^\w+/, 'volumes'));
    const known = published[pieces.file?.split('.')[0].toLowerCase() ?? pieces.links];
    lines.push([
      pieces.case.slice(0, -': box tests'.length),
      ...variants.map((variant) => number(volumes.find(({ peerName }) => peerName === variant)?.peer)),
      number(pieces.ours),
      number(pieces.peer),
      number(pieces.ratio),
      pieces.n,
      known ? known.join(' / ') : '',
      known ? number(known[0] / known[1]) : '',
    ]);
  }
  return lines.length > 2 ? lines.map((line) => `| ${line.join(' | ')} |\n`).join('') : null;
}

/** Table and plots of the rows: steps and their parts over N for every representation, box tests, growth. */
export function plot(rows) {
  const isOf = {
    lattice: (row) => /^(lattice|volumes)/.test(row.case) && row.file === undefined,
    backbone: ({ file }) => file !== undefined,
  };
  /** Points over the links: `field` of the rows of a part, against `peerName` (none: ours alone). */
  const select = (of, degrees, part, peerName, field = peerName === undefined ? 'ours' : 'peer') =>
    rows
      .filter((row) => row.degrees === degrees && row.case.endsWith(`: ${part}`) && row.peerName === peerName)
      .filter(isOf[of])
      .map((row) => [row.links, row[field]])
      .sort((a, b) => a[0] - b[0]);
  const files = [];
  const table = writeTable(rows);
  if (table) files.push({ name: 'chain-table-1.md', content: table });
  const draw = (name, title, yLabel, series) => {
    if (series.some(({ points }) => points.length > 0)) {
      files.push({ name: `${name}.svg`, content: lineChart({ title, xLabel: 'links', yLabel, series }) });
    }
  };
  for (const degrees of [180, 5]) {
    for (const [of, figure, what] of [
      ['lattice', 7, 'a compact chain'],
      ['backbone', 8, 'protein backbones'],
    ]) {
      const angles = `+-${degrees} degrees`;
      // Volumes by their own names, which fit beside the picture.
      const against = (part, names) =>
        names.map((name) => ({ name: name.replace('ChainTree, ', ''), points: select(of, degrees, part, name) }));
      for (const [part, title] of [
        ['step', 'update and test'],
        ['update and undo', 'update'],
        ['test', 'test'],
      ]) {
        // Ours of a part stands beside that of a peer, ours of a step alone as well, for chains without a peer.
        const points = select(of, degrees, part, part === 'step' ? undefined : 'grid', 'ours');
        const name = `chain-figure-${figure}-${part.split(' ')[0]}-${degrees}`;
        const series = [{ name: 'ChainTree', points }, ...against(part, of === 'lattice' ? lattice : baselines)];
        draw(name, `Figure ${figure}: ${title}, ${what}, ${angles}`, 'microseconds per step', series);
      }
      draw(`chain-figure-${figure}-box-tests-${degrees}`, `Box tests, ${what}, ${angles}`, 'box tests per step', [
        { name: 'ChainTree', points: select(of, degrees, 'box tests') },
        ...against('box tests', [...variants, 'K-OBBTree', '1-OBBTree']),
      ]);
    }
    draw(`chain-growth-${degrees}`, `ChainTree, all sizes in one run, +-${degrees} degrees`, 'microseconds', [
      ...parts.slice(0, 3).map((part) => ({ name: part, points: listPoints(rows, partOf('growth', part, degrees)) })),
    ]);
  }
  const pointsOf = (all) => Object.entries(all).map(([name, where]) => ({ name, points: listPoints(rows, where) }));
  /** What grows with the power, through the last point of a series. */
  const guide = (name, power, { points }) => {
    const [n, tests] = points.at(-1) ?? [];
    return { name, points: points.map(([x]) => [x, tests * (x / n) ** power]) };
  };
  const [whole, ...spheres] = pointsOf(searchesOf);
  draw('chain-layers', 'Layers of section 4.2: a whole search', 'box tests', [whole, guide('N^(4/3)', 4 / 3, whole)]);
  draw('chain-one-sphere', 'A chain against one sphere', 'box tests', [
    ...spheres,
    guide('N^(2/3)', 2 / 3, spheres[0]),
  ]);
  draw('chain-figure-4', 'Figure 4: a folded chain stretched out', 'box tests of a search', pointsOf(changesOf));
  return files;
}
