/** Energies and clash counts made, updated and taken back in any order around a conformation's applications and undoings. */
import { describe, it } from 'vitest';
import { expect } from '../../test/support/quick-expect.js';
import { createChainTree } from '../chain/chain-tree.js';
import { createRandom } from '../math/random.js';
import { buildMolecule } from './build-molecule.js';
import { findClashes } from './clashes.js';
import { computeEnergy } from './energy/compute-energy.js';
import { EnergyTree } from './energy/energy-tree.js';
import { createForceField } from './energy/force-field.js';
import { GridEnergy } from './energy/grid-energy.js';
import { buildPeptide } from './peptide.js';
import { createProteinChain } from './protein-chain.js';
import { ProteinState } from './protein-state.js';
import { StericTest } from './steric-test.js';

const sequence = 'GEWTYDDATKTFTVTE';
const molecule = buildMolecule(
  buildPeptide(
    sequence,
    Array.from(sequence, () => ({ phi: -1.1, psi: -0.7 })),
  ),
);
const protein = createProteinChain(molecule);
const field = createForceField(molecule);
const positions = molecule.positions.slice();
const createConformation = () => new ProteinState(protein, createChainTree(protein.chain));
type Conformation = ReturnType<typeof createConformation>;

interface Observed {
  update(): number;
  undo(): void;
  /** Throws where it knows that it belongs to another conformation. */
  read(): number;
}

const kinds: Readonly<Record<string, (conformation: Conformation) => Observed>> = {
  EnergyTree: (conformation) => read(new EnergyTree(conformation, field)),
  'GridEnergy, all pairs': (conformation) => read(new GridEnergy(conformation, field)),
  'GridEnergy, changed pairs': (conformation) => read(new GridEnergy(conformation, field, { pairs: 'changed' })),
  StericTest: (conformation) => {
    const test = new StericTest(conformation);
    test.update();
    return { update: () => test.update(), undo: () => test.undo(), read: () => test.count };
  },
};

function read(energy: EnergyTree | GridEnergy): Observed {
  return { update: () => energy.update(), undo: () => energy.undo(), read: () => energy.total };
}

function expected(kind: string, conformation: Conformation): number {
  conformation.writePositions(positions);
  if (kind === 'StericTest') return findClashes({ ...molecule, positions }).clashes.length;
  return computeEnergy(field, positions).total;
}

function near(got: number, want: number): boolean {
  return Math.abs(got - want) <= 1e-8 * Math.max(10, Math.abs(want));
}

describe.each(Object.entries(kinds))('%s', (kind, create) => {
  it('made between an application and its undoing, follows the undoing', () => {
    const conformation = createConformation();
    const before = expected(kind, conformation);
    conformation.stage(20, 0.4);
    conformation.stage(7, -2);
    conformation.apply();
    const observed = create(conformation);
    expect(near(observed.read(), expected(kind, conformation))).toBe(true);
    conformation.undo();
    observed.undo();
    expect(near(observed.read(), before), `${observed.read()} for ${before}`).toBe(true);
  });

  it.each([1, 2, 3])('is right, or refuses, in any order of calls (seed %i)', (seed) => {
    const random = createRandom(seed);
    const conformation = createConformation();
    let observed: Observed[] = [create(conformation)];
    const log: string[] = [];
    for (let step = 0; step < 120; step++) {
      const choice = random.integer(10);
      if (choice < 4) {
        for (let k = 0; k <= random.integer(3); k++) {
          const torsion = random.integer(protein.torsions.length);
          conformation.stage(torsion, conformation.torsions[torsion] + random.uniform(-0.4, 0.4));
        }
        conformation.apply();
        log.push('apply');
      } else if (choice < 6) log.push(`undo ${conformation.undo()}`);
      else if (choice < 7 && observed.length < 4) {
        observed.push(create(conformation));
        log.push('create');
      } else {
        const which = random.integer(observed.length);
        if (choice < 9) observed[which].update();
        else observed[which].undo();
        log.push(`${choice < 9 ? 'update' : 'undo'} ${which}`);
      }
      if (step % 40 === 39) observed = observed.slice(0, 1);
      // An update always leads to the present conformation.
      const late = observed[random.integer(observed.length)];
      if (random.next() < 0.3) {
        const got = late.update();
        log.push(`update ${observed.indexOf(late)}`);
        const want = expected(kind, conformation);
        expect(near(got, want), `${got} for ${want} after ${log.join(', ')}`).toBe(true);
      }
      if (kind === 'StericTest') continue;
      for (const { read: total } of observed) {
        let got: number;
        try {
          got = total();
        } catch (error) {
          expect(String(error)).toMatch(/MisuseError.*expected update\(\) after apply\(\), undo\(\) after undo\(\)/);
          continue;
        }
        const want = expected(kind, conformation);
        expect(near(got, want), `${got} for ${want} after ${log.join(', ')}`).toBe(true);
      }
    }
  });

  it.each(['observer first', 'conformation first'])('taken back together with the conformation, %s', (order) => {
    const random = createRandom(9);
    const conformation = createConformation();
    const observed = create(conformation);
    for (let step = 0; step < 25; step++) {
      const torsion = random.integer(protein.torsions.length);
      const before = observed.update();
      conformation.stage(torsion, random.uniform(-3, 3));
      conformation.apply();
      observed.update();
      if (order === 'observer first') observed.undo();
      conformation.undo();
      if (order !== 'observer first') observed.undo();
      expect(observed.read()).toBe(before);
    }
  });
});

it('a conformation whose chain has tried moves since keeps its last application', () => {
  const conformation = createConformation();
  conformation.stage(3, 1);
  conformation.apply();
  conformation.state.evaluateMoves(new Uint8Array(1), Int32Array.of(0, 0), new Int32Array(0), new Float64Array(0));
  const poses = conformation.state.writeLinkPoses(new Float64Array(12 * protein.linkCount));
  expect(conformation.undo()).toBe(false);
  expect(conformation.torsions[3]).toBe(1);
  expect(conformation.state.writeLinkPoses(new Float64Array(12 * protein.linkCount))).toEqual(poses);
});
