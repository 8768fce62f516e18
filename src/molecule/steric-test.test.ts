import { describe, expect, it } from 'vitest';
import { createChainTree } from '../chain/chain-tree.js';
import { createRandom } from '../math/random.js';
import { buildMolecule } from './build-molecule.js';
import { findClashes } from './clashes.js';
import { buildPeptide } from './peptide.js';
import { createProteinChain } from './protein-chain.js';
import { ProteinState } from './protein-state.js';
import { StericTest } from './steric-test.js';

describe('StericTest', () => {
  it.each([
    ['chi', 1],
    ['rigid', 2],
  ] as const)('has as many clashes as the report, side chains %s, seed %i', (sideChains, seed) => {
    const random = createRandom(seed);
    const sequence = Array.from({ length: 40 }, () => 'ACDEFGHIKLMNPQRSTVWY'[random.integer(20)]).join('');
    const helix = Array.from(sequence, () => ({ phi: -1, psi: -0.8 }));
    const molecule = buildMolecule(buildPeptide(sequence, helix));
    const protein = createProteinChain(molecule, { sideChains });
    const conformation = new ProteinState(protein, createChainTree(protein.chain));
    const test = new StericTest(conformation);
    const positions = molecule.positions.slice();
    const find = () => findClashes({ ...molecule, positions: conformation.writePositions(positions) }).clashes;
    const report = () => find().length;
    let [clashing, undone] = [0, 0];
    expect(test.update()).toBe(report());
    for (let step = 0; step < 500; step++) {
      const before = test.count;
      const changes = step % 10 === 9 ? 5 + random.integer(protein.torsions.length) : 1 + (step % 3);
      for (let k = 0; k < changes; k++) {
        const torsion = random.integer(protein.torsions.length);
        conformation.stage(torsion, conformation.torsions[torsion] + random.uniform(-1, 1) / changes);
      }
      conformation.apply();
      expect(test.update()).toBe(report());
      if (test.count > 0) clashing++;
      if (test.count > before) {
        conformation.undo();
        test.undo();
        undone++;
        expect(test.count).toBe(report());
      }
      if (step % 25 > 0) continue;
      const listed: { a: number; b: number; overlap: number }[] = [];
      test.forEachClash((a, b, overlap) => listed.push({ a, b, overlap }));
      listed.sort((x, y) => x.a - y.a || x.b - y.b);
      const expected = find();
      expect(listed.map(({ a, b }) => [a, b])).toEqual(expected.map(({ a, b }) => [a, b]));
      listed.forEach(({ overlap }, i) => {
        expect(overlap).toBeCloseTo(expected[i].overlap, 9);
      });
    }
    expect(clashing).toBeGreaterThan(50);
    expect(undone).toBeGreaterThan(50);
  });

  it('refuses links that may overlap by more than a clash', () => {
    const protein = createProteinChain(buildMolecule(buildPeptide('AAA')), { overlap: 1 });
    const conformation = new ProteinState(protein, createChainTree(protein.chain));
    expect(() => new StericTest(conformation)).toThrow(/overlap, got 0.4, expected at least the 1/);
  });
});
