import { beforeAll, describe, expect, it } from 'vitest';
import { createChainTree } from '../../chain/chain-tree.js';
import { useCheckedKernel } from '../../kernel/checked-kernel.js';
import { getKernel } from '../../kernel/kernel.js';
import { createRandom } from '../../math/random.js';
import { buildMolecule } from '../build-molecule.js';
import { includesSorted } from '../clashes.js';
import { buildPeptide } from '../peptide.js';
import { createProteinChain, type ProteinChainOptions } from '../protein-chain.js';
import { ProteinState } from '../protein-state.js';
import { computeEnergy, type EnergyTerms } from './compute-energy.js';
import { EnergyTree } from './energy-tree.js';
import { createForceField, type ForceFieldOptions } from './force-field.js';
import { GridEnergy } from './grid-energy.js';

const degree = Math.PI / 180;

/** A peptide, by default a loose helix: atoms of many residues within the cutoff. */
function createConformation(sequence: string, phi = -65, psi = -35, options: ProteinChainOptions = {}) {
  const torsions = Array.from(sequence, () => ({ phi: phi * degree, psi: psi * degree }));
  const protein = createProteinChain(buildMolecule(buildPeptide(sequence, torsions)), { overlap: 4, ...options });
  return new ProteinState(protein, createChainTree(protein.chain));
}

function createRandomSequence(length: number, seed: number): string {
  const random = createRandom(seed);
  return Array.from({ length }, () => 'ACDEFGHIKLMNPQRSTVWY'[random.integer(20)]).join('');
}

function expectSame(ours: Readonly<Record<string, number>>, reference: EnergyTerms): void {
  for (const name of ['lennardJones', 'electrostatic', 'torsion'] as const) {
    const tolerance = 1e-9 * Math.max(10, Math.abs(reference[name]));
    expect(Math.abs(ours[name] - reference[name])).toBeLessThanOrEqual(tolerance);
  }
}

interface Walk {
  readonly conformation: ProteinState;
  readonly steps: number;
  readonly every: number;
  readonly seed: number;
  readonly field?: ForceFieldOptions;
}

/** Random steps of one to nine torsions, a third of them taken back, compared with the definition now and then. */
function walk({ conformation, steps, every, seed, field: options }: Walk): void {
  const { protein } = conformation;
  const field = createForceField(protein.molecule, options);
  const tree = new EnergyTree(conformation, field);
  const all = new GridEnergy(conformation, field);
  const changed = new GridEnergy(conformation, field, { pairs: 'changed' });
  const energies = [tree, all, changed];
  const positions = protein.molecule.positions.slice();
  const random = createRandom(seed);
  const compare = () => {
    const reference = computeEnergy(field, conformation.writePositions(positions));
    for (const energy of energies) {
      expectSame(energy.listTerms(), reference);
      const { lennardJones, electrostatic, torsion } = energy.listTerms();
      expect(energy.total).toBe(lennardJones + electrostatic + torsion);
    }
  };
  compare();
  for (let step = 0; step < steps; step++) {
    const count = random.integer(3) > 0 ? 1 : 1 + random.integer(9);
    for (let i = 0; i < count; i++) {
      const torsion = random.integer(protein.torsions.length);
      const size = random.integer(4) > 0 ? 0.05 : Math.PI;
      conformation.stage(torsion, conformation.torsions[torsion] + random.uniform(-size, size));
    }
    const before = energies.map((energy) => energy.total);
    conformation.apply();
    for (const energy of energies) energy.update();
    if (random.integer(3) === 0) {
      conformation.undo();
      for (const energy of energies) energy.undo();
      expect(energies.map((energy) => energy.total)).toEqual(before);
    }
    if ((step + 1) % every === 0) compare();
  }
  // No step leaves a trace: a tree made now has the same bits.
  const fresh = new EnergyTree(conformation, field);
  expect(fresh.listTerms()).toEqual(tree.listTerms());
  for (const energy of [fresh, ...energies]) energy.dispose();
}

describe.each(['release', 'checked'])('EnergyTree, %s kernel', (kind) => {
  beforeAll(() => {
    if (kind === 'checked') useCheckedKernel();
  });

  it('equals the definition over random steps of a helix', () => {
    walk({ conformation: createConformation(createRandomSequence(60, 1)), steps: 300, every: 10, seed: 2 });
  });

  it.each([1, 2, 3, 5, 9, 17, 33])('equals it for %i residues', (length) => {
    const conformation = createConformation(createRandomSequence(length, length));
    if (conformation.torsions.length === 0) return;
    walk({ conformation, steps: 60, every: 3, seed: length });
  });

  it('equals it for rigid side chains, turning peptide bonds, other cutoffs and dielectrics', () => {
    const sequence = createRandomSequence(40, 5);
    walk({
      conformation: createConformation(sequence, -65, -35, { sideChains: 'rigid', omega: true }),
      steps: 100,
      every: 5,
      seed: 6,
      field: { cutoff: 12, switchOn: 10, dielectric: 4 },
    });
    walk({
      conformation: createConformation(sequence, -120, 130),
      steps: 100,
      every: 5,
      seed: 7,
      field: { cutoff: 5 },
    });
  });

  it('grids look at few pairs beyond the cutoff and give their memory back', () => {
    const { usedBytes } = getKernel();
    const conformation = createConformation(createRandomSequence(80, 3));
    const field = createForceField(conformation.protein.molecule);
    const positions = conformation.writePositions(conformation.protein.molecule.positions.slice());
    let within = 0;
    for (const i of field.atoms) {
      for (const j of field.atoms) {
        const square = [0, 1, 2].reduce((sum, k) => sum + (positions[3 * i + k] - positions[3 * j + k]) ** 2, 0);
        if (j > i && square <= 81 && !includesSorted(field.excluded[i], j)) within++;
      }
    }
    const grid = new GridEnergy(conformation, field);
    expect(grid.stats.computedPairs).toBeGreaterThanOrEqual(within);
    expect(grid.stats.computedPairs).toBeLessThan(1.01 * within);
    expect(grid.stats.atomPairs).toBeLessThan(6 * within);
    grid.dispose();
    grid.dispose();
    conformation.state.dispose();
    expect(getKernel().usedBytes).toBeLessThanOrEqual(usedBytes);
    expect(() => grid.update()).toThrow(/disposed/);
  });

  it('grows its pool and gives all memory back', () => {
    const { usedBytes } = getKernel();
    // Stretched out at first, then a tight coil: many more pairs within the cutoff.
    const conformation = createConformation('G'.repeat(200), 180, 180);
    const field = createForceField(conformation.protein.molecule, { cutoff: 30 });
    const tree = new EnergyTree(conformation, field);
    const positions = conformation.protein.molecule.positions.slice();
    conformation.protein.torsions.forEach((_, torsion) => {
      conformation.stage(torsion, -1.2);
    });
    const before = tree.listTerms();
    conformation.apply();
    tree.update();
    const coiled = tree.listTerms();
    expectSame(coiled, computeEnergy(field, conformation.writePositions(positions)));
    conformation.undo();
    tree.undo();
    expect(tree.listTerms()).toEqual(before);
    conformation.protein.torsions.forEach((_, torsion) => {
      conformation.stage(torsion, -1.2);
    });
    conformation.apply();
    tree.update();
    expect(tree.listTerms()).toEqual(coiled);
    tree.dispose();
    tree.dispose();
    conformation.state.dispose();
    expect(getKernel().usedBytes).toBeLessThanOrEqual(usedBytes);
    expect(() => tree.update()).toThrow(/disposed/);
  });
});

describe('EnergyTree', () => {
  // 10^5 steps with ORACLE_FULL, as many as a test of every change can afford otherwise.
  it('equals the definition after many steps of one to nine torsions, a third of them taken back', () => {
    const steps = process.env.ORACLE_FULL ? 100_000 : 400;
    walk({ conformation: createConformation(createRandomSequence(50, 21)), steps, every: steps / 100, seed: 22 });
  }, 1_200_000);

  it('equals the definition where a chain hangs on another by a bridge, its torsions the other way round', () => {
    const molecule = buildMolecule(buildPeptide('ACGAFCKG', Array(8).fill({ phi: -65 * degree, psi: -35 * degree })));
    const atomOf = (residue: number, name: string) =>
      molecule.atomNames.indexOf(name, molecule.residues[residue].first);
    const [cut, held] = [atomOf(3, 'C'), atomOf(4, 'N')];
    const bonds: [number, number][] = [[atomOf(1, 'SG'), atomOf(5, 'SG')]];
    for (let k = 0; k < molecule.bonds.length; k += 2) {
      const [a, b] = molecule.bonds.subarray(k, k + 2);
      if (a !== cut || b !== held) bonds.push([a, b]);
    }
    bonds.sort((x, y) => x[0] - y[0] || x[1] - y[1]);
    const protein = createProteinChain({ ...molecule, bonds: Int32Array.from(bonds.flat()) }, { overlap: 4 });
    expect(protein.torsions.some(({ atoms, link }) => protein.linkOf[atoms[1]] === link)).toBe(true);
    walk({ conformation: new ProteinState(protein, createChainTree(protein.chain)), steps: 60, every: 1, seed: 5 });
  });

  it('follows a side chain at the cost of that side chain', () => {
    const conformation = createConformation(createRandomSequence(600, 9));
    const tree = new EnergyTree(conformation, createForceField(conformation.protein.molecule));
    const total = tree.stats.leafPairs;
    const chi = conformation.protein.torsions.findIndex(({ name, residue }) => name === 'chi' && residue > 300);
    tree.stats.leafPairs = 0;
    conformation.stage(chi, 0.3);
    conformation.apply();
    tree.update();
    expect(tree.stats.leafPairs).toBeLessThan(total / 50);
    tree.dispose();
  });

  it('refuses what it cannot use', () => {
    const conformation = createConformation('ACDA');
    const other = createForceField(createConformation('ACDA').protein.molecule);
    expect(() => new EnergyTree(conformation, other)).toThrow(/field, got one of another molecule/);
  });
});
