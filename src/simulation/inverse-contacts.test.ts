import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { projectCone } from './friction-cone.js';
import { computeContactForces } from './inverse-contacts.js';
import { box, GROUND, gatherWrench, start } from './simulation.test-support.js';
import { stepSimulation } from './step.js';

describe('computeContactForces', () => {
  it('gives back what made a wrench, with forces in the cones and never larger ones', () => {
    const random = createRandom(2);
    const p = new Float64Array(3);
    for (let i = 0; i < 200; i++) {
      const k = 1 + (i % 6);
      const A = Float64Array.from({ length: 18 * k }, () => random.uniform(-1, 1));
      const frictions = Array.from({ length: k }, () => random.uniform(0.2, 1));
      const made = new Float64Array(3 * k);
      for (let c = 0; c < k; c++) {
        projectCone(p, 0, random.uniform(0.5, 2), random.uniform(-1, 1), random.uniform(-1, 1), frictions[c], false);
        made.set(p, 3 * c);
      }
      const wrench = new Float64Array(6);
      for (let r = 0; r < 6; r++) for (let c = 0; c < 3 * k; c++) wrench[r] += A[3 * k * r + c] * made[c];
      const f = new Float64Array(3 * k);
      const { status, residual } = computeContactForces(f, { A, wrench, frictions, tolerance: 1e-6 });
      expect(status, `case ${i}, residual ${residual}`).toBe('solved');
      const norm = (v: Float64Array): number => Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));
      expect(norm(f)).toBeLessThanOrEqual(norm(made) * (1 + 1e-5));
      for (let c = 0; c < k; c++)
        expect(Math.sqrt(f[3 * c + 1] ** 2 + f[3 * c + 2] ** 2)).toBeLessThanOrEqual(frictions[c] * f[3 * c] + 1e-9);
    }
  });

  it('says by how much none do', () => {
    // One contact that pushes along x is asked to pull with 3 N.
    const A = new Float64Array(18);
    A[0] = 1;
    A[4] = 1;
    A[8] = 1;
    const f = new Float64Array(3);
    const result = computeContactForces(f, { A, wrench: Float64Array.of(-3, 0, 0, 0, 0, 0), frictions: [0.5] });
    expect(result.status).toBe('infeasible');
    expect(result.residual).toBeCloseTo(3, 6);
  });

  it('recovers the wrenches of simulated contacts', () => {
    const simulation = start({
      statics: [GROUND],
      bodies: [box('b', 0, 0, 0.7, { velocity: [1, 0.4, 0, 0.3, 0.2, 1] })],
      step: 0.002,
    });
    simulation.controllers.push(({ forces }, t) => {
      // Pushed to and fro, so that it slides, sticks and tips.
      forces[0] = 4000 * Math.sin(3 * t);
      forces[1] = 3000 * Math.sin(2 * t + 1);
    });
    let states = 0;
    for (let i = 0; i < (process.env.ORACLE_FULL ? 6000 : 600); i++) {
      stepSimulation(simulation);
      const problem = gatherWrench(simulation, 0);
      if (problem.frictions.length === 0 || problem.size < 1) continue;
      states++;
      const f = new Float64Array(3 * problem.frictions.length);
      const { residual } = computeContactForces(f, problem);
      // Sliding puts the wrench on the border of what the cones can give, where multipliers are largest.
      expect(residual).toBeLessThan(5e-6 * problem.size);
    }
    expect(states).toBeGreaterThan(process.env.ORACLE_FULL ? 1000 : 200);
  });
});
