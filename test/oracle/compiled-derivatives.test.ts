/**
 * Compiled derivatives of RNEA and ABA against the reference dynamics on its robots, and against the generic functions on large random
 * trees (400 with ORACLE_FULL set, 40 otherwise).
 */
import { describe, it } from 'vitest';
import { compileModel } from '../../src/compile/compiled-model.js';
import { computeAbaDerivatives } from '../../src/dynamics/aba-derivatives.js';
import { createDynamicsData } from '../../src/dynamics/dynamics-data.js';
import { computeRneaDerivatives } from '../../src/dynamics/rnea-derivatives.js';
import { createRandom } from '../../src/math/random.js';
import { buildModel } from '../../src/model/build-model.js';
import { findJoint } from '../../src/model/model.js';
import { createRandomState, createRandomTree, relativeError } from '../../src/model/random-tree.test-support.js';
import { needsShared, sharedPath } from '../shared.js';
import { expect } from '../support/quick-expect.js';
import { readOracleModel, readOracleSamples, toDescription } from './dynamics-data.js';

/** Without mimic joints, of which the reference has no derivatives, and without those whose subspace turns with q. */
const ROBOTS = ['panda', 'ur5', 'double_pendulum_continuous', 'tiago_planar', 'anymal', 'talos'];
const TREES = process.env.ORACLE_FULL ? 400 : 40;
const algorithms = ['rneaDerivatives', 'abaDerivatives'] as const;

describe.skipIf(!sharedPath('oracles', 'dynamics'))(
  `compiled derivatives, reference${needsShared('oracles', 'dynamics')}`,
  () => {
    it.each(ROBOTS)('%s', (name) => {
      const oracle = readOracleModel(name);
      const { model } = buildModel(toDescription(oracle), { base: oracle.root, continuous: 'cos-sin' });
      const compiled = compileModel(model, { algorithms, externalForces: true });
      const data = compiled.createData();
      const joints = oracle.joints.map((joint, j) => (j === 0 ? 0 : findJoint(model, joint.name)));
      const n = model.nv;
      let compared = 0;
      for (const { q, v, a, tau, fext: read, dtau_dq, dtau_dv, dtau_dq_fext, M } of readOracleSamples(name)) {
        if (!dtau_dq || !dtau_dv || !dtau_dq_fext || !M) continue;
        const fext = new Float64Array(6 * model.jointCount);
        joints.forEach((ours, j) => {
          fext.set(read.slice(6 * j, 6 * j + 6), 6 * ours);
        });
        compiled.rneaDerivatives(data, q, v, a);
        expect(relativeError(data.dtauDq, dtau_dq)).toBeLessThan(1e-12);
        expect(relativeError(data.dtauDv, dtau_dv)).toBeLessThan(1e-12);
        compiled.rneaDerivatives(data, q, v, a, fext);
        expect(relativeError(data.dtauDq, dtau_dq_fext)).toBeLessThan(1e-12);
        expect(compiled.abaDerivatives(data, q, v, tau)).toBe('ok');
        for (const [ours, theirs] of [
          [data.ddqDq, data.dtauDq],
          [data.ddqDv, data.dtauDv],
        ]) {
          for (let r = 0; r < n; r++) {
            for (let c = 0; c < n; c++) {
              let sum = theirs[r * n + c];
              let terms = Math.max(1, Math.abs(sum));
              for (let k = 0; k < n; k++) {
                sum += M[r * n + k] * ours[k * n + c];
                terms = Math.max(terms, Math.abs(M[r * n + k] * ours[k * n + c]));
              }
              expect(Math.abs(sum) / terms).toBeLessThan(1e-9);
            }
          }
        }
        compared++;
      }
      expect(compared).toBeGreaterThan(5);
    });
  },
);

describe('compiled derivatives of random trees', () => {
  const blocks = 10;
  it.each(Array.from({ length: blocks }, (_, i) => i))(
    `equal the generic functions, block %i of ${blocks}`,
    (block) => {
      for (let i = 0; i < TREES / blocks; i++) {
        const seed = 8000 + (TREES / blocks) * block + i;
        const random = createRandom(seed);
        const model = createRandomTree(seed, { joints: 2 + random.integer(59) });
        const compiled = compileModel(model, { algorithms });
        const data = compiled.createData();
        const generic = createDynamicsData(model);
        const { q, v, a } = createRandomState(model, random);
        computeRneaDerivatives(model, generic, q, v, a);
        compiled.rneaDerivatives(data, q, v, a);
        expect(relativeError(data.dtauDq, generic.dtauDq), `seed ${seed}`).toBeLessThan(1e-12);
        expect(relativeError(data.dtauDv, generic.dtauDv), `seed ${seed}`).toBeLessThan(1e-12);
        expect(computeAbaDerivatives(model, generic, q, v, a)).toBe('ok');
        expect(compiled.abaDerivatives(data, q, v, a)).toBe('ok');
        for (const name of ['inverseM', 'ddqDq', 'ddqDv'] as const) {
          expect(relativeError(data[name], generic[name]), `${name}, seed ${seed}`).toBeLessThan(1e-8);
        }
      }
    },
  );
});
