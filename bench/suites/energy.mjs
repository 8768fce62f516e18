/**
 * The energy of a protein after one backbone torsion, cutoff 9 angstrom: partial sums in a tree against a grid of cells. A
 * step turns a backbone torsion by a normal deviate of 5 degrees, renews the energy and takes both back, so every step
 * starts from the same compact state. Peers: the grid that computes only pairs the torsion moved against each other, before
 * and after ("both sides skip pairs inside rigid pieces"), and the grid that computes all pairs. Both sides take the same
 * steps in alternating blocks, and the energies are compared. Without --file=PDB a loose bundle is built: helices of 18
 * residues joined by turns, 60 to 1,000 residues, far less compact than a real protein: give a file for that.
 */
import { readFileSync } from 'node:fs';
import { createChainTree } from '../../dist/esm/chain.js';
import { parsePdb } from '../../dist/esm/io.js';
import { createRandom } from '../../dist/esm/math.js';
import {
  buildMolecule,
  buildPeptide,
  createEnergyTree,
  createForceField,
  createProteinChain,
  GridEnergy,
  ProteinState,
} from '../../dist/esm/molecule.js';
import { median } from '../measure.mjs';

const degree = Math.PI / 180;
const blockSize = 10;

/** Helices that fold back on each other: turns of four residues between them. */
function createBundle(count) {
  const sequence = Array.from({ length: count }, (_, i) => 'AEALKKALEEAGSDVQKL'[i % 18]).join('');
  const torsions = Array.from({ length: count }, (_, i) => {
    const place = i % 22;
    const [phi, psi] = place < 18 ? [-62, -42] : [[-90, 0], [-75, 120], [60, 30], [-70, 140]][place - 18]; // biome-ignore format: one row
    return { phi: phi * degree, psi: psi * degree };
  });
  return buildMolecule(buildPeptide(sequence, torsions));
}

function createSide(protein, field, kind) {
  const conformation = new ProteinState(protein, createChainTree(protein.chain));
  const energy =
    kind === 'tree' ? createEnergyTree(conformation, field) : new GridEnergy(conformation, field, { pairs: kind });
  return { conformation, energy };
}

function takeSteps({ conformation, energy }, steps) {
  const totals = [];
  let time = 0;
  for (const { torsion, turn } of steps) {
    conformation.stage(torsion, conformation.torsions[torsion] + turn);
    conformation.apply();
    const start = performance.now();
    totals.push(energy.update());
    const end = performance.now();
    conformation.undo();
    const back = performance.now();
    energy.undo();
    time += end - start + performance.now() - back;
  }
  return { totals, time: (time * 1e3) / steps.length };
}

function* measure(molecule, name) {
  const field = createForceField(molecule);
  const protein = createProteinChain(molecule);
  const backbone = protein.torsions.flatMap((torsion, i) => (torsion.name === 'chi' ? [] : [i]));
  const random = createRandom(1);
  const createSteps = () =>
    Array.from({ length: blockSize }, () => ({
      torsion: backbone[random.integer(backbone.length)],
      turn: 5 * degree * random.normal(),
    }));
  const tree = createSide(protein, field, 'tree');
  for (const [kind, blocks] of [
    ['changed', 30],
    ['all', 8],
  ]) {
    const grid = createSide(protein, field, kind);
    for (let block = 0; block < 3; block++) {
      const steps = createSteps();
      takeSteps(tree, steps);
      takeSteps(grid, steps);
    }
    grid.energy.pairCount = 0;
    const [ours, peers, ratios] = [[], [], []];
    for (let block = 0; block < blocks; block++) {
      const steps = createSteps();
      const runs = [() => takeSteps(tree, steps), () => takeSteps(grid, steps)];
      const results = block % 2 ? [runs[1](), runs[0]()].reverse() : [runs[0](), runs[1]()];
      const [a, b] = results;
      a.totals.forEach((total, i) => {
        if (Math.abs(total - b.totals[i]) > 1e-9 * Math.max(1e4, Math.abs(total)))
          throw new Error(`${name}: energies differ`);
      });
      ours.push(a.time);
      peers.push(b.time);
      ratios.push(a.time / b.time);
    }
    const sorted = [...ratios].sort((x, y) => x - y);
    const n = blocks * blockSize;
    const row = { suite: 'energy', peerName: `grid, ${kind} pairs`, n, unit: 'us' };
    yield {
      ...row,
      case: `${name}: step`,
      ours: median(ours),
      peer: median(peers),
      ratio: median(ratios),
      spread: sorted[Math.floor(0.75 * blocks)] - sorted[Math.floor(0.25 * blocks)],
    };
    const pairs = grid.energy.pairCount / n;
    const nanoseconds = (1e3 * peers.reduce((sum, time) => sum + time, 0)) / blocks / pairs;
    yield {
      ...row,
      case: `${name}: grid, ${kind}, per pair`,
      ours: nanoseconds,
      peer: null,
      ratio: null,
      unit: 'ns',
      spread: 0,
    };
  }
  tree.energy.dispose();
}

export function* run({ files = [] } = {}) {
  if (files.length === 0) {
    for (const count of [60, 150, 370, 750, 1000])
      yield* measure(createBundle(count), `loose bundle of ${count} residues`);
  }
  for (const file of files) {
    const { value } = parsePdb(readFileSync(file));
    const [chain] = value.models[0].atoms.chains;
    const molecule = buildMolecule(value, { chains: [chain], hetero: false });
    yield* measure(molecule, `${file.split('/').pop()} chain ${chain}, ${molecule.residues.length} residues`);
  }
}
