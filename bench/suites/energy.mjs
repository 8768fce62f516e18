/**
 * The energy of a protein after one backbone torsion, cutoff 9 angstrom: partial sums in a tree against a grid of cells.
 *
 * Both sides run in the kernel with the same code for the energies of pairs, and skip pairs inside rigid pieces; the grid
 * computes what the torsion moved before and after it. A second grid computes all pairs anew.
 * Words: pairs *looked at* are those whose distance is computed; *evaluated* ones are within the cutoff (and bonded ones),
 * their energy is computed.
 * Steps: `every step taken back`: a turn by a normal deviate of 5 degrees, energy and undo, always from the same compact
 * state. `Metropolis`: the same turns at 300 K, decided by the energy; both sides keep or take back the same steps, and the
 * time covers energy and undo, for steps kept and taken back apart. `whole step`: as in the 2004 paper a step is first
 * tested for clashes (links that touch by more than they do at the start), and only then costs an energy: ChainTree and
 * energy tree against the chain's hash grid and the grid energy, each with the chain's own update and undo.
 * Both sides take the same steps in alternating blocks; energies are compared after each step, within 1e-9.
 *
 * Without --file=PDB chains of 60, 150, 750 and 1,000 residues are built: helices of 18 residues joined by turns, folded up by
 * Monte Carlo on the radius of gyration of the backbone with rigid side chains; a row says how many atoms lie within the
 * cutoff of an atom. Source of the experiment: Lotan, Schwarzer, Halperin, Latombe 2004, doi:10.1089/cmb.2004.11.902.
 */
import { readFileSync } from 'node:fs';
import { createChainTree, createHashGridChain } from '../../dist/esm/chain.js';
import { parsePdb } from '../../dist/esm/io.js';
import { createRandom } from '../../dist/esm/math.js';
import {
  BOLTZMANN,
  buildMolecule,
  buildPeptide,
  createEnergyTree,
  createForceField,
  createGridEnergy,
  createMonteCarlo,
  createProteinChain,
  createProteinState,
} from '../../dist/esm/molecule.js';

const degree = Math.PI / 180;
const blockSize = 20;
const warmUp = 12;
const helix = 18;
const turn = 4;

/** Radius of gyration of the links' origins, as an energy that pulls a chain together. */
class Compactness {
  total = 0;
  saved = 0;

  constructor(conformation) {
    this.conformation = conformation;
    this.poses = new Float64Array(12 * conformation.protein.linkCount);
  }

  listTerms() {
    return { total: this.total };
  }

  update() {
    this.saved = this.total;
    const { poses } = this;
    this.conformation.state.writeLinkPoses(poses);
    const count = poses.length / 12;
    let [squares, x, y, z] = [0, 0, 0, 0];
    for (let at = 9; at < poses.length; at += 12) {
      x += poses[at];
      y += poses[at + 1];
      z += poses[at + 2];
      squares += poses[at] ** 2 + poses[at + 1] ** 2 + poses[at + 2] ** 2;
    }
    this.total = 5 * Math.sqrt(Math.max(0, squares / count - (x * x + y * y + z * z) / count ** 2));
    return this.total;
  }

  undo() {
    this.total = this.saved;
  }
}

/** Helices that turns of four residues let fold up into a ball. */
function createCompact(count) {
  const sequence = Array.from({ length: count }, (_, i) => 'AEALKKALEEAGSDVQKL'[i % 18]).join('');
  const isTurn = (residue) => residue % (helix + turn) >= helix;
  const torsions = Array.from({ length: count }, (_, i) => {
    const [phi, psi] = isTurn(i) ? [-120, 130] : [-62, -42];
    return { phi: phi * degree, psi: psi * degree };
  });
  const molecule = buildMolecule(buildPeptide(sequence, torsions));
  const options = { sideChains: 'rigid' };
  const protein = createProteinChain(molecule, { ...options, overlap: findOverlap(molecule, options) });
  const conformation = createProteinState(protein, createChainTree(protein.chain));
  const turning = protein.torsions.flatMap(({ residue }, i) => (isTurn(residue) ? [i] : []));
  const move = {
    name: 'turn',
    propose(state, random) {
      const torsion = turning[random.integer(turning.length)];
      state.stage(torsion, state.torsions[torsion] + 15 * degree * random.normal());
      return 0;
    },
  };
  const steps = 20 * count;
  const simulation = createMonteCarlo(conformation, new Compactness(conformation), {
    moves: [{ move, weight: 1 }],
    temperature: { from: 3000, to: 30, steps },
    seed: 1,
  });
  simulation.run(steps);
  protein.torsions.forEach(({ name, residue }, i) => {
    torsions[residue] = { ...torsions[residue], [name]: conformation.torsions[i] };
  });
  return buildMolecule(buildPeptide(sequence, torsions));
}

function createSide(protein, field, kind, createState = createChainTree) {
  const conformation = createProteinState(protein, createState(protein.chain));
  const energy =
    kind === 'tree' ? createEnergyTree(conformation, field) : createGridEnergy(conformation, field, { pairs: kind });
  return { conformation, energy };
}

const stageStep = ({ conformation }, { torsion, angle }) =>
  conformation.stage(torsion, conformation.torsions[torsion] + angle);

/** Times energies; `decide(step number, energy before and after)`: whether the step is kept. */
function timeEnergies(side, steps, decide) {
  const { conformation, energy } = side;
  return steps.map((step, i) => {
    const before = energy.total;
    stageStep(side, step);
    conformation.apply();
    const start = performance.now();
    const after = energy.update();
    const updated = performance.now();
    const isKept = decide(i, before, after);
    let undone = 0;
    if (!isKept) {
      conformation.undo();
      const back = performance.now();
      energy.undo();
      undone = performance.now() - back;
    }
    return {
      outcome: isKept ? 'kept' : 'taken back',
      total: after,
      time: 1e3 * (updated - start + undone),
      undone: 1e3 * undone,
    };
  });
}

/** Times whole steps, from the change of the chain on. */
function timeSteps(side, steps, decide) {
  const { conformation, energy } = side;
  return steps.map((step, i) => {
    const before = energy.total;
    stageStep(side, step);
    const start = performance.now();
    conformation.apply();
    const isFree = !conformation.state.hasContact();
    const after = isFree ? energy.update() : before;
    const isKept = isFree && decide(i, before, after);
    if (!isKept) conformation.undo();
    if (isFree && !isKept) energy.undo();
    const time = 1e3 * (performance.now() - start);
    return { outcome: !isFree ? 'clashing' : isKept ? 'kept' : 'taken back', total: after, time };
  });
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Rows of blocks of steps that both sides take in turn; by outcome where there are several. */
function* race(name, { ours, peer, peerName, time, createSteps, blocks, isMetropolis }) {
  const random = createRandom(3);
  const results = [];
  const clear = ({ energy: { stats } }) => {
    for (const key of Object.keys(stats)) stats[key] = 0;
  };
  for (let block = -warmUp; block < blocks; block++) {
    if (block === 0) for (const side of [ours, peer]) clear(side);
    const steps = createSteps();
    const draws = steps.map(() => Math.log(random.next()));
    // The second side follows the first one's decisions, so that rounding cannot part them.
    const decisions = [];
    const decide = (i, before, after) => {
      decisions[i] ??= isMetropolis && draws[i] < -(after - before) / (BOLTZMANN * 300);
      return decisions[i];
    };
    const sides = block % 2 ? [peer, ours] : [ours, peer];
    const taken = sides.map((side) => time(side, steps, decide));
    const [a, b] = block % 2 ? taken.reverse() : taken;
    a.forEach(({ total, outcome }, i) => {
      if (outcome !== b[i].outcome || Math.abs(total - b[i].total) > 1e-9 * Math.max(1e3, Math.abs(total))) {
        throw new Error(`${name}: the two sides differ, ${outcome} ${total} and ${b[i].outcome} ${b[i].total}`);
      }
      if (block >= 0)
        results.push({ outcome, block, a: a[i].time, b: b[i].time, undoA: a[i].undone, undoB: b[i].undone });
    });
  }
  const row = { suite: 'energy', peerName, unit: 'us' };
  const outcomes = [...new Set(results.map(({ outcome }) => outcome))].sort();
  for (const outcome of outcomes.length > 1 ? ['all', ...outcomes] : ['all']) {
    const chosen = results.filter((result) => outcome === 'all' || result.outcome === outcome);
    const ratioOf = (list) => mean(list.map(({ a }) => a)) / mean(list.map(({ b }) => b));
    const ratios = Array.from({ length: blocks }, (_, block) => chosen.filter((result) => result.block === block))
      .filter((list) => list.length > 0)
      .map(ratioOf)
      .sort((x, y) => x - y);
    const at = (share) => ratios[Math.min(ratios.length - 1, Math.floor(share * ratios.length))];
    yield {
      ...row,
      case: `${name}${outcome === 'all' ? '' : `, ${outcome}`}`,
      ours: mean(chosen.map(({ a }) => a)),
      peer: mean(chosen.map(({ b }) => b)),
      ratio: ratioOf(chosen),
      n: chosen.length,
      spread: at(0.75) - at(0.25),
    };
  }
  return results;
}

/** Pairs per step and nanoseconds per pair of both sides. */
function* describeWork(name, { ours, peer, peerName, results }) {
  const row = { suite: 'energy', peerName, n: results.length, spread: 0 };
  for (const [key, what] of [
    ['atomPairs', 'looked at'],
    ['computedPairs', 'evaluated'],
  ]) {
    const [a, b] = [ours, peer].map(({ energy }) => energy.stats[key]);
    const [timeA, timeB] = [mean(results.map(({ a: time }) => time)), mean(results.map(({ b: time }) => time))];
    const [perStepA, perStepB] = [a / results.length, b / results.length];
    yield { ...row, case: `${name}: pairs ${what} per step`, ours: perStepA, peer: perStepB, ratio: a / b, unit: '' };
    const [costA, costB] = [(1e3 * timeA) / perStepA, (1e3 * timeB) / perStepB];
    yield {
      ...row,
      case: `${name}: time per pair ${what}`,
      ours: costA,
      peer: costB,
      ratio: costA / costB,
      unit: 'ns',
    };
  }
  const [undoA, undoB] = [mean(results.map(({ undoA }) => undoA)), mean(results.map(({ undoB }) => undoB))];
  yield { ...row, case: `${name}: undo`, ours: undoA, peer: undoB, ratio: undoA / undoB, unit: 'us' };
}

/** The smallest overlap at which a protein does not touch itself as it is, angstrom. */
function findOverlap(molecule, options = {}) {
  for (let overlap = 0.4; ; overlap += 0.2) {
    const tree = createChainTree(createProteinChain(molecule, { ...options, overlap }).chain);
    if (!tree.hasContact()) return overlap;
  }
}

function* measure(molecule, name) {
  const field = createForceField(molecule);
  const overlap = findOverlap(molecule);
  const protein = createProteinChain(molecule, { overlap });
  const backbone = protein.torsions.flatMap((torsion, i) => (torsion.name === 'chi' ? [] : [i]));
  const random = createRandom(1);
  const createSteps = () =>
    Array.from({ length: blockSize }, () => ({
      torsion: backbone[random.integer(backbone.length)],
      angle: 5 * degree * random.normal(),
    }));
  const sides = [];
  const open = (...args) => {
    const side = createSide(protein, field, ...args);
    sides.push(side);
    return side;
  };
  const all = open('all');
  yield {
    suite: 'energy',
    case: `${name}: atoms within the cutoff of an atom`,
    ours: (2 * all.energy.stats.computedPairs) / field.atoms.length,
    peer: null,
    ratio: null,
    unit: '',
    n: field.atoms.length,
    spread: 0,
  };
  for (const [kind, blocks, peer] of [
    ['changed', 20, open('changed')],
    ['all', 4, all],
  ]) {
    const peerName = `grid, ${kind} pairs`;
    const race1 = { ours: open('tree'), peer, peerName, time: timeEnergies, createSteps, blocks, isMetropolis: false };
    const results = yield* race(`${name}: every step taken back`, race1);
    yield* describeWork(name, { ...race1, results });
  }
  const shared = { peerName: 'grid, changed pairs', createSteps, blocks: 20, isMetropolis: true };
  const energies = { ours: open('tree'), peer: open('changed'), time: timeEnergies };
  yield* race(`${name}: Metropolis`, { ...shared, ...energies });
  const whole = { ours: open('tree'), peer: open('changed', createHashGridChain), time: timeSteps };
  yield* race(`${name}: whole step, overlaps up to ${overlap.toFixed(1)}`, { ...shared, ...whole });
  for (const { energy, conformation } of sides) {
    energy.dispose();
    if (conformation.state.dispose) conformation.state.dispose();
  }
}

export function* run({ files = [], only = null } = {}) {
  if (files.length === 0) {
    for (const count of [60, 150, 750, 1000]) {
      const name = `built, ${count} residues`;
      if (only === null || name.includes(only)) yield* measure(createCompact(count), name);
    }
  }
  for (const file of files) {
    const { value } = parsePdb(readFileSync(file));
    const [chain] = value.models[0].atoms.chains;
    const molecule = buildMolecule(value, { chains: [chain], hetero: false });
    yield* measure(molecule, `${file.split('/').pop()} chain ${chain}, ${molecule.residues.length} residues`);
  }
}
