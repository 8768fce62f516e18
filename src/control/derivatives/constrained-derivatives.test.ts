import { describe, expect, it } from 'vitest';
import { computeConstrainedDynamics, computeConstraintImpulse } from '../../dynamics/constrained-dynamics.js';
import { createConstraints, type RigidConstraint } from '../../dynamics/constraints.js';
import { createDynamicsData } from '../../dynamics/dynamics-data.js';
import { createRandom } from '../../math/random.js';
import { integrateConfiguration, randomConfiguration } from '../../model/configuration.js';
import { createRandomTree } from '../../model/random-tree.test-support.js';
import { checkDerivatives } from './check-derivatives.js';
import {
  computeConstrainedDerivatives,
  computeImpulseDerivatives,
  createConstrainedDerivatives,
} from './constrained-derivatives.js';

describe('Derivatives of constrained dynamics', () => {
  for (let seed = 1; seed <= 8; seed++) {
    it(`agree with differences: accelerations, forces, impulses (tree ${seed})`, () => {
      const random = createRandom(seed);
      const model = createRandomTree(seed, { joints: 4, mimic: seed % 3 === 0, base: 'floating' });
      const data = createDynamicsData(model, {
        armature: new Float64Array(model.nv).fill(0.1),
        damping: new Float64Array(model.nv).fill(0.3),
      });
      const { nq, nv, frameCount } = model;
      const list: RigidConstraint[] = [
        { kind: seed % 2 === 0 ? 'frame' : 'point', frame: frameCount - 1 },
        ...(seed > 5 ? [{ kind: 'point', frame: frameCount - 2, other: 3 } as const] : []),
        ...(seed > 8 ? [{ kind: 'frame', frame: frameCount - 3, other: 2 } as const] : []),
      ];
      const constraints = createConstraints(model, list, { damping: 2, stiffness: seed > 7 ? 5 : 0 });
      const q = randomConfiguration(new Float64Array(nq), model, random);
      const draw = (count: number) => Float64Array.from({ length: count }, () => random.uniform(-1, 1));
      const [v, tau] = [draw(nv), draw(nv)];
      const { size } = constraints;
      const options = { proximal: 1e-8, iterations: 200 };
      const out = createConstrainedDerivatives(model, data, constraints);
      const status = computeConstrainedDerivatives(out, model, data, constraints, { q, v, tau }, options);
      expect(status).toBe('ok');
      const moved = new Float64Array(nq);
      const check = (jacobian: Float64Array, rows: number, run: (x: Float64Array) => Float64Array) => {
        const report = checkDerivatives({
          evaluate: (y, x) => y.set(run(x).subarray(0, rows)),
          jacobian,
          x: new Float64Array(nv),
          outputs: rows,
          tolerance: 1e-6,
        });
        expect(report.status, JSON.stringify({ ...report, jacobian: 0 })).toBe('ok');
      };
      const dynamics = (dq: Float64Array, dv: Float64Array, dtau: Float64Array) => {
        integrateConfiguration(moved, model, q, dq);
        computeConstrainedDynamics(
          model,
          data,
          constraints,
          { q: moved, v: v.map((x, i) => x + dv[i]), tau: tau.map((x, i) => x + dtau[i]) },
          options,
        );
        return data.ddq;
      };
      const zero = new Float64Array(nv);
      check(out.dq, nv, (d) => dynamics(d, zero, zero));
      check(out.dv, nv, (d) => dynamics(zero, d, zero));
      check(out.dtau, nv, (d) => dynamics(zero, zero, d));
      check(out.forcesDq, size, (d) => {
        dynamics(d, zero, zero);
        return constraints.forces;
      });
      check(out.forcesDv, size, (d) => {
        dynamics(zero, d, zero);
        return constraints.forces;
      });
      check(out.forcesDtau, size, (d) => {
        dynamics(zero, zero, d);
        return constraints.forces;
      });
      const restitution = 0.3;
      computeImpulseDerivatives(out, model, data, constraints, { q, v }, { ...options, restitution });
      const impulse = (dq: Float64Array, dv: Float64Array) => {
        integrateConfiguration(moved, model, q, dq);
        computeConstraintImpulse(
          model,
          data,
          constraints,
          moved,
          v.map((x, i) => x + dv[i]),
          {
            ...options,
            restitution,
          },
        );
        return constraints.velocity;
      };
      check(out.dq, nv, (d) => impulse(d, zero));
      check(out.dv, nv, (d) => impulse(zero, d));
      check(out.forcesDq, size, (d) => {
        impulse(d, zero);
        return constraints.forces;
      });
      check(out.forcesDv, size, (d) => {
        impulse(zero, d);
        return constraints.forces;
      });
    });
  }
});
