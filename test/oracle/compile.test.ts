/**
 * Compiled robots against the reference dynamics on all its robots, and against the generic algorithms on random trees of every
 * joint type (1,000 with ORACLE_FULL set, 100 otherwise). With CLEARANCE_REPORT set the worst errors are printed.
 */
import { describe, expect, it } from 'vitest';
import { compareCompiled, type Errors, keepWorst } from '../../src/compile/compare.test-support.js';
import { compileModel } from '../../src/compile/compiled-model.js';
import { createDynamicsData } from '../../src/dynamics/dynamics-data.js';
import { createRandom } from '../../src/math/random.js';
import { buildModel } from '../../src/model/build-model.js';
import { findJoint } from '../../src/model/model.js';
import { createRandomState, createRandomTree, relativeError } from '../../src/model/random-tree.test-support.js';
import { needsShared, sharedPath } from '../shared.js';
import { readOracleModel, readOracleSamples, toDescription } from './dynamics-data.js';

const ROBOTS = [
  'panda',
  'panda_mimic',
  'ur5',
  'double_pendulum_continuous',
  'tiago_planar',
  'anymal',
  'talos',
  'alljoints',
];
const TREES = process.env.ORACLE_FULL ? 1000 : 100;

function report(name: string, errors: object): void {
  if (process.env.CLEARANCE_REPORT) process.stdout.write(`compiled ${name}: ${JSON.stringify(errors)}\n`);
}

describe.skipIf(!sharedPath('oracles', 'dynamics'))(
  `compiled robots, reference${needsShared('oracles', 'dynamics')}`,
  () => {
    it.each(ROBOTS)('%s', (name) => {
      const oracle = readOracleModel(name);
      const { model } = buildModel(toDescription(oracle), { base: oracle.root, continuous: 'cos-sin' });
      const compiled = compileModel(model, { externalForces: true });
      const data = compiled.createData();
      const generic = createDynamicsData(model);
      const joints = oracle.joints.map((joint, j) => (j === 0 ? 0 : findJoint(model, joint.name)));
      const reference = { placements: 0, rnea: 0, rneaWithForces: 0, M: 0 };
      let worst: Errors | null = null;
      const samples = readOracleSamples(name);
      expect(samples.length).toBe(50);
      for (const read of samples) {
        const q = Float64Array.from(read.q);
        const v = Float64Array.from(read.v);
        const a = Float64Array.from(read.a);
        const fext = new Float64Array(6 * model.jointCount);
        joints.forEach((ours, j) => {
          fext.set(read.fext.slice(6 * j, 6 * j + 6), 6 * ours);
        });
        compiled.forwardKinematics(data, q);
        joints.forEach((ours, j) => {
          const placement = data.kinematics.jointPlacements.slice(12 * ours, 12 * ours + 12);
          reference.placements = Math.max(reference.placements, relativeError(placement, read.oMi[j]));
        });
        reference.rnea = Math.max(reference.rnea, relativeError(compiled.rnea(data, q, v, a), read.rnea));
        reference.rneaWithForces = Math.max(
          reference.rneaWithForces,
          relativeError(compiled.rnea(data, q, v, a, fext), read.rnea_fext),
        );
        if (read.M) reference.M = Math.max(reference.M, relativeError(compiled.crba(data, q), read.M));
        worst = keepWorst(
          worst,
          compareCompiled(compiled, data, generic, { q, v, a: Float64Array.from(read.tau) }, fext),
        );
      }
      report(name, { reference, generic: worst });
      for (const [what, error] of Object.entries(reference)) expect(error, what).toBeLessThan(1e-12);
      const { abaResidual, genericAbaResidual, ...others } = worst as Errors;
      for (const [what, error] of Object.entries(others)) expect(error, what).toBeLessThan(1e-12);
      expect(abaResidual).toBeLessThan(Math.max(1e-9, genericAbaResidual));
    });
  },
);

describe('compiled random trees', () => {
  const blocks = 20;
  it.each(Array.from({ length: blocks }, (_, i) => i))(
    `equal the generic algorithms, block %i of ${blocks}`,
    (block) => {
      let worst: Errors | null = null;
      for (let i = 0; i < TREES / blocks; i++) {
        const seed = 5000 + (TREES / blocks) * block + i;
        const random = createRandom(seed);
        const model = createRandomTree(seed, { joints: 2 + random.integer(59), mimic: seed % 4 === 0 });
        const compiled = compileModel(model);
        const state = createRandomState(model, random);
        const errors = compareCompiled(compiled, compiled.createData(), createDynamicsData(model), state);
        worst = keepWorst(worst, errors);
        const { abaResidual, genericAbaResidual, ...others } = errors;
        for (const [what, error] of Object.entries(others)) expect(error, `${what}, seed ${seed}`).toBeLessThan(1e-12);
        expect(abaResidual, `aba, seed ${seed}`).toBeLessThan(Math.max(1e-12, 10 * genericAbaResidual));
      }
      report(`trees, block ${block}`, worst as Errors);
    },
  );
});
