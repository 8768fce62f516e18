import { describe, expect, it } from 'vitest';
import { crba } from '../dynamics/crba.js';
import { createDynamicsData } from '../dynamics/dynamics-data.js';
import { factorizeInertia, solveInertia } from '../dynamics/factorize-inertia.js';
import { createRandom } from '../math/random.js';
import { createRandomState, createRandomTree } from '../model/random-tree.test-support.js';
import { RobotBranches } from './robot-branches.js';

describe('RobotBranches', () => {
  it('scales velocities so that M is 1, and rows so that their products are J M^-1 J^T', () => {
    for (let seed = 1; seed <= 12; seed++) {
      const model = createRandomTree(seed, { joints: 9, mimic: seed % 3 === 0 });
      const random = createRandom(seed);
      const data = createDynamicsData(model);
      const { q, v } = createRandomState(model, random);
      const { nv, jointCount } = model;
      const M = Float64Array.from(crba(model, data, q));
      const factors = new Float64Array(nv * nv);
      expect(factorizeInertia(factors, M, nv, data.factorParents)).toBe(true);
      const branches = new RobotBranches(model, data);
      const roots = Float64Array.from({ length: nv }, (_, k) => Math.sqrt(factors[k * nv + k]));
      branches.load({ factors, roots }, false);
      const u = Float64Array.from([7, ...v]);
      branches.toScaled(u, 1);
      let energy = 0;
      for (let i = 0; i < nv; i++) for (let k = 0; k < nv; k++) energy += v[i] * M[i * nv + k] * v[k];
      const own = u.subarray(1).reduce((sum, x) => sum + x * x, 0);
      expect(Math.abs(own - energy)).toBeLessThan(1e-9 * energy);
      branches.fromScaled(u, 1);
      expect(u[0]).toBe(7);
      for (let k = 0; k < nv; k++) expect(u[k + 1]).toBeCloseTo(v[k], 10);
      for (let trial = 0; trial < 6; trial++) {
        const a = Math.floor(random.uniform(1, jointCount));
        const b = Math.floor(random.uniform(1, jointCount));
        const branch = branches.of(a, trial < 3 ? a : b);
        const rows = trial % 2 === 0 ? 3 : 1;
        const count = branch.velocities.length;
        const J = new Float64Array(2 + rows * count);
        const Y = new Float64Array(J.length);
        const full = Array.from({ length: rows }, () => new Float64Array(nv));
        for (let r = 0; r < rows; r++)
          for (let k = 0; k < count; k++) {
            J[2 + r * count + k] = random.uniform(-1, 1);
            full[r][branch.velocities[k]] = J[2 + r * count + k];
          }
        branches.scaleRows(J, Y, 2, rows, branch);
        expect([...Y]).toEqual([...J.subarray(0, 2).fill(0), ...J.subarray(2)]);
        for (let r = 0; r < rows; r++) {
          const solved = solveInertia(Float64Array.from(full[r]), 1, factors, nv, data.factorParents);
          for (let c = 0; c < rows; c++) {
            let expected = 0;
            for (let k = 0; k < nv; k++) expected += full[c][k] * solved[k];
            let product = 0;
            for (let k = 0; k < count; k++) product += J[2 + r * count + k] * J[2 + c * count + k];
            expect(Math.abs(product - expected)).toBeLessThan(1e-9 * (1 + Math.abs(expected)));
          }
        }
      }
    }
  });
});
