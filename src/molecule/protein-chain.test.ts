import { describe, expect, it } from 'vitest';
import { createBruteForceChain } from '../chain/brute-force-chain.js';
import { createChainTree } from '../chain/chain-tree.js';
import { createRandom } from '../math/random.js';
import { buildMolecule } from './build-molecule.js';
import type { Molecule } from './molecule.js';
import { buildPeptide } from './peptide.js';
import {
  createProteinChain,
  createProteinChainInSteps,
  type ProteinChain,
  type ProteinChainOptions,
} from './protein-chain.js';
import { ProteinState } from './protein-state.js';
import { computeTorsions, measureTorsion } from './torsions.js';

const everyResidue = 'ACDEFGHIKLMNPQRSTVWY';

function build(sequence: string, seed = 1): Molecule {
  const random = createRandom(seed);
  const angle = () => random.uniform(-Math.PI, Math.PI);
  const torsions = Array.from(sequence, () => ({
    phi: angle(),
    psi: angle(),
    chi: [angle(), angle(), angle(), angle()],
  }));
  return buildMolecule(buildPeptide(sequence, torsions));
}

/** Turns all atoms beyond the middle bond of a torsion, on the side away from `fixed`, by walking the bonds. */
function turnAtoms(molecule: Molecule, positions: Float64Array, b: number, c: number, angle: number, fixed: number) {
  const beyond = (from: number, to: number): Set<number> => {
    const found = new Set([to]);
    const queue = [to];
    for (let atom = queue.pop(); atom !== undefined; atom = queue.pop()) {
      for (let k = 0; k < molecule.bonds.length; k++) {
        if (molecule.bonds[k] !== atom) continue;
        const other = molecule.bonds[k ^ 1];
        if ((atom === to && other === from) || found.has(other)) continue;
        found.add(other);
        queue.push(other);
      }
    }
    return found;
  };
  let [near, far] = [b, c];
  let moved = beyond(near, far);
  if (moved.has(fixed)) {
    [near, far] = [c, b];
    moved = beyond(near, far);
  }
  const at = (atom: number) => [0, 1, 2].map((k) => positions[3 * atom + k]);
  const [p, q] = [at(near), at(far)];
  const length = Math.hypot(q[0] - p[0], q[1] - p[1], q[2] - p[2]);
  const u = [0, 1, 2].map((k) => (q[k] - p[k]) / length);
  for (const atom of moved) {
    const r = at(atom).map((x, k) => x - p[k]);
    const dot = u[0] * r[0] + u[1] * r[1] + u[2] * r[2];
    const cross = [u[1] * r[2] - u[2] * r[1], u[2] * r[0] - u[0] * r[2], u[0] * r[1] - u[1] * r[0]];
    for (let k = 0; k < 3; k++) {
      positions[3 * atom + k] =
        p[k] + r[k] * Math.cos(angle) + cross[k] * Math.sin(angle) + u[k] * dot * (1 - Math.cos(angle));
    }
  }
}

function worstDifference(a: Float64Array, b: Float64Array): number {
  let worst = 0;
  a.forEach((value, i) => {
    worst = Math.max(worst, Math.abs(value - b[i]));
  });
  return worst;
}

const positionsOf = (state: ProteinState): Float64Array =>
  state.writePositions(state.protein.molecule.positions.slice());

function describeTorsions({ molecule, torsions }: ProteinChain): string[] {
  return torsions.map(({ name, residue, chi }) => `${molecule.residues[residue].name} ${name}${chi || ''}`);
}

describe('createProteinChain', () => {
  const optionSets: ProteinChainOptions[] = [
    {},
    { sideChains: 'rigid' },
    { omega: true },
    { sideChains: 'rigid', omega: true },
  ];

  it.each(optionSets)('starts with the positions it was made from: %j', (options) => {
    const molecule = build(everyResidue);
    const protein = createProteinChain(molecule, options);
    const state = new ProteinState(protein, createChainTree(protein.chain));
    expect(worstDifference(positionsOf(state), molecule.positions)).toBeLessThan(1e-11);
    expect([...protein.linkOf].every((link) => link >= 0)).toBe(true);
    expect([...protein.atoms].sort((a, b) => a - b)).toEqual(Array.from({ length: molecule.atomCount }, (_, i) => i));
  });

  it('names the torsions that can turn: not those of proline, rings, nor ends without atoms', () => {
    const molecule = build('APKW');
    const rigid = createProteinChain(molecule, { sideChains: 'rigid' });
    expect(describeTorsions(rigid)).toEqual(['ALA psi', 'PRO psi', 'LYS phi', 'LYS psi', 'TRP phi', 'TRP psi']);
    // Side chains come right behind the C alpha link, before the rest of the backbone.
    expect(describeTorsions(createProteinChain(molecule))).toEqual(
      ['ALA psi', 'PRO psi', 'LYS phi', 'LYS chi1', 'LYS chi2', 'LYS chi3', 'LYS chi4', 'LYS psi', 'TRP phi', 'TRP chi1', 'TRP chi2', 'TRP psi'], // biome-ignore format: one row
    );
    expect(describeTorsions(createProteinChain(molecule, { sideChains: 'rigid', omega: true }))).toContain('PRO omega');
    const links = 1 + rigid.torsions.length;
    expect(rigid.linkCount).toBe(links);
    expect(rigid.chain.exclusion).toBe(2);
  });

  it.each(optionSets)('a staged torsion has the value staged, and the others keep theirs: %j', (options) => {
    const random = createRandom(7);
    const molecule = build(everyResidue, 3);
    const protein = createProteinChain(molecule, options);
    const state = new ProteinState(protein, createChainTree(protein.chain));
    for (let step = 0; step < 200; step++) {
      for (let k = 0; k <= step % 3; k++) {
        state.stage(random.integer(protein.torsions.length), random.uniform(-10, 10));
      }
      state.apply();
      const positions = positionsOf(state);
      protein.torsions.forEach(({ atoms: [a, b, c, d] }, i) => {
        const apart = measureTorsion(positions, a, b, c, d) - state.torsions[i];
        expect(Math.abs(apart - 2 * Math.PI * Math.round(apart / (2 * Math.PI)))).toBeLessThan(1e-9);
      });
    }
    const torsions = computeTorsions({ ...molecule, positions: positionsOf(state) });
    protein.torsions.forEach(({ name, residue, chi }, i) => {
      const measured = name === 'chi' ? torsions[residue]!.chi[chi - 1] : torsions[residue]![name];
      // The last psi, without a next N, is counted from O.
      if (measured !== null) expect(measured).toBeCloseTo(state.torsions[i], 9);
    });
  });

  it.each(optionSets)('turns the same atoms as walking the bonds does: %j', (options) => {
    const random = createRandom(11);
    const molecule = build('GRAKPEWCQ', 5);
    const protein = createProteinChain(molecule, options);
    const state = new ProteinState(protein, createChainTree(protein.chain));
    const reference = molecule.positions.slice();
    for (let step = 0; step < 100; step++) {
      const torsion = random.integer(protein.torsions.length);
      const angle = random.uniform(-1, 1);
      state.stage(torsion, state.torsions[torsion] + angle);
      state.apply();
      const [, b, c] = protein.torsions[torsion].atoms;
      turnAtoms(molecule, reference, b, c, angle, protein.atoms[0]);
      expect(worstDifference(positionsOf(state), reference)).toBeLessThan(1e-9);
    }
  });

  it('undo puts the same bits back, and a conformation is its torsions whatever came before', () => {
    const random = createRandom(13);
    const protein = createProteinChain(build(everyResidue, 9));
    const state = new ProteinState(protein, createChainTree(protein.chain));
    const count = protein.torsions.length;
    for (let step = 0; step < 300; step++) {
      const before = positionsOf(state);
      for (let k = 0; k < 3; k++) state.stage(random.integer(count), random.uniform(-3, 3));
      state.apply();
      if (random.next() < 0.5) continue;
      expect(state.undo()).toBe(true);
      expect(positionsOf(state)).toEqual(before);
      expect(state.undo()).toBe(false);
    }
    const fresh = new ProteinState(protein, createChainTree(protein.chain));
    state.torsions.forEach((value, i) => {
      fresh.stage(i, value);
    });
    fresh.apply();
    expect(positionsOf(fresh)).toEqual(positionsOf(state));
    expect([...fresh.state.data.boxes]).toEqual([...state.state.data.boxes]);
  });

  it('another representation of the chain gives the same positions', () => {
    const random = createRandom(17);
    const protein = createProteinChain(build(everyResidue, 2));
    const tree = new ProteinState(protein, createChainTree(protein.chain));
    const plain = new ProteinState(protein, createBruteForceChain(protein.chain));
    for (let step = 0; step < 50; step++) {
      const torsion = random.integer(protein.torsions.length);
      const value = random.uniform(-3, 3);
      for (const state of [tree, plain]) {
        state.stage(torsion, value);
        state.apply();
      }
    }
    expect(worstDifference(positionsOf(tree), positionsOf(plain))).toBeLessThan(1e-11);
  });

  it('a disulfide holds what is between its cysteines, or opens when asked', () => {
    const molecule = build('AACAAACAA', 4);
    const [a, b] = [2, 6].map((residue) => molecule.residues[residue].first + 5);
    expect([a, b].map((atom) => molecule.atomNames[atom])).toEqual(['SG', 'SG']);
    const pairs: [number, number][] = [];
    for (let k = 0; k < molecule.bonds.length; k += 2) pairs.push([molecule.bonds[k], molecule.bonds[k + 1]]);
    pairs.push([a, b]);
    pairs.sort((x, y) => x[0] - y[0] || x[1] - y[1]);
    const bonded: Molecule = { ...molecule, bonds: Int32Array.from(pairs.flat()), disulfides: [[2, 6]] };
    const kept = createProteinChain(bonded);
    const turning = new Set(kept.torsions.map(({ residue, name }) => `${residue} ${name}`));
    for (const name of ['2 psi', '3 phi', '4 psi', '6 phi', '2 chi', '6 chi']) expect(turning.has(name)).toBe(false);
    for (const name of ['2 phi', '6 psi', '1 psi', '7 phi']) expect(turning.has(name)).toBe(true);
    expect(kept.remarks).toEqual(['nothing between A/CYS 3 and A/CYS 7 turns, as a disulfide joins them']);
    const open = createProteinChain(bonded, { disulfides: 'open' });
    expect(describeTorsions(open)).toEqual(describeTorsions(createProteinChain(molecule)));
    expect(open.remarks).toEqual(['the disulfide of A/CYS 3 and A/CYS 7 is not held together']);
  });

  it('a gap is rigid, another chain stays in place; both are told', () => {
    const whole = build('AAAAAAAAA', 6);
    const cut = (residue: number, gap: boolean): Molecule => {
      const bonds: number[] = [];
      for (let k = 0; k < whole.bonds.length; k += 2) {
        const [i, j] = [whole.residueOf[whole.bonds[k]], whole.residueOf[whole.bonds[k + 1]]];
        if (!(i === residue - 1 && j === residue)) bonds.push(whole.bonds[k], whole.bonds[k + 1]);
      }
      const residues = whole.residues.map((r, i) => (gap || i < residue ? r : { ...r, chain: 'B' }));
      const gaps = gap ? [{ before: residue - 1, after: residue, missing: 2, distance: 5 }] : [];
      return { ...whole, bonds: Int32Array.from(bonds), residues, gaps };
    };
    const move = (molecule: Molecule, residue: number) => {
      const protein = createProteinChain(molecule);
      const state = new ProteinState(protein, createChainTree(protein.chain));
      expect(worstDifference(positionsOf(state), whole.positions)).toBeLessThan(1e-11);
      const psi = protein.torsions.findIndex((torsion) => torsion.residue === residue && torsion.name === 'psi');
      state.stage(psi, 1);
      state.apply();
      return { protein, moved: positionsOf(state) };
    };
    const alpha = (residue: number) => 3 * (whole.residues[residue].first + 1);
    const span = (positions: Float64Array, i: number, j: number) =>
      Math.hypot(...[0, 1, 2].map((k) => positions[alpha(i) + k] - positions[alpha(j) + k]));
    const gap = move(cut(5, true), 2);
    expect(gap.protein.remarks).toEqual(['the gap from A/ALA 5 to A/ALA 6 is rigid']);
    expect(span(gap.moved, 4, 6)).toBeCloseTo(span(whole.positions, 4, 6), 9);
    expect(span(gap.moved, 0, 6)).not.toBeCloseTo(span(whole.positions, 0, 6), 2);
    const two = move(cut(5, false), 2);
    expect(two.protein.remarks).toEqual([
      'what begins with B/ALA 6 is bonded to nothing before it and keeps its pose against the first link',
    ]);
    expect(span(two.moved, 0, 6)).toBeCloseTo(span(whole.positions, 0, 6), 9);
    expect(span(two.moved, 4, 6)).not.toBeCloseTo(span(whole.positions, 4, 6), 2);
    // Torsions of the second chain turn within it.
    const second = move(cut(5, false), 6);
    expect(span(second.moved, 0, 4)).toBeCloseTo(span(whole.positions, 0, 4), 12);
    expect(span(second.moved, 0, 8)).not.toBeCloseTo(span(whole.positions, 0, 8), 2);
  });

  it('refuses what it cannot use', () => {
    const molecule = build('AAA');
    expect(() => createProteinChain({ ...molecule, residues: [] })).toThrow(/amino acid, expected at least one/);
    expect(() => createProteinChain(molecule, { overlap: -1 })).toThrow(/overlap, got -1/);
    const protein = createProteinChain(molecule);
    const state = new ProteinState(protein, createChainTree(protein.chain));
    expect(() => state.stage(-1, 0)).toThrow(/torsion, got -1/);
    expect(() => state.stage(0, Number.NaN)).toThrow(/value, got NaN/);
    expect(() => new ProteinState(createProteinChain(molecule), state.state)).toThrow(/another chain/);
  });

  it('a bond of atoms in one place does not turn, and is named; the others do', () => {
    const given = build('GSAG');
    const positions = given.positions.slice();
    const at = (name: string) => 3 * given.atomNames.findIndex((own, i) => own === name && given.residueOf[i] === 1);
    positions.copyWithin(at('C'), at('CA'), at('CA') + 3);
    const [whole, protein] = [createProteinChain(given), createProteinChain({ ...given, positions })];
    expect(protein.torsions.length).toBe(whole.torsions.length - 1);
    expect(protein.remarks).toEqual(['A/SER 2/CA and A/SER 2/C are in one place: no bond turns']);
    const conformation = new ProteinState(protein, createChainTree(protein.chain));
    protein.torsions.forEach((_, i) => {
      conformation.stage(i, 0.7);
    });
    conformation.apply();
    expect(conformation.writePositions(positions.slice()).every(Number.isFinite)).toBe(true);
  });
});

describe('createProteinChainInSteps', () => {
  it('gives the chain that comes at once, and refuses before its first step', () => {
    const molecule = buildMolecule(buildPeptide('AGKWPFLM'.repeat(4)));
    const steps = createProteinChainInSteps(molecule, { omega: true });
    let count = 0;
    for (;;) {
      const { done, value } = steps.next();
      if (!done) {
        count++;
        continue;
      }
      const { chain, ...rest } = value;
      const { chain: expected, ...others } = createProteinChain(molecule, { omega: true });
      expect(rest).toEqual(others);
      for (const name of ['jointKinds', 'origins', 'axes', 'shapes', 'exclusion', 'tolerance'] as const)
        expect(chain[name]).toEqual(expected[name]);
      break;
    }
    expect(count).toBeGreaterThan(10);
    expect(() => createProteinChainInSteps(molecule, { overlap: 5 })).toThrow(
      'createProteinChainInSteps: options.overlap, got 5, expected 0 to 4 angstrom',
    );
  });
});
