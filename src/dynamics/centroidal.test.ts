import { describe, expect, it } from 'vitest';
import { computeCenterOfMass, computeCenterOfMassJacobian } from '../kinematics/center-of-mass.js';
import { forwardKinematics } from '../kinematics/forward-kinematics.js';
import { createRandom } from '../math/random.js';
import { integrateConfiguration } from '../model/configuration.js';
import { createRandomState, createRandomTree, multiply, relativeError } from '../model/random-tree.test-support.js';
import { computeCentroidal } from './centroidal.js';
import { createDynamicsData } from './dynamics-data.js';
import { computeKineticEnergy, computePotentialEnergy } from './energy.js';
import { computeGravity } from './gravity.js';

describe.each([false, true])('centroidal quantities, mimic joints: %s', (mimic) => {
  const cases = Array.from({ length: 40 }, (_, i) => {
    const model = createRandomTree(900 + i, { joints: 2 + (i % 12), mimic });
    return { model, data: createDynamicsData(model), ...createRandomState(model, createRandom(i)) };
  });
  const h = 1e-5;

  it('linear momentum is the mass times the velocity of the centre of mass, which J gives', () => {
    for (const { model, data, q, v, a } of cases) {
      computeCentroidal(model, data, q, v, a);
      const at = (step: number): Float64Array => {
        const p = integrateConfiguration(
          new Float64Array(model.nq),
          model,
          q,
          v.map((x) => step * x),
        );
        forwardKinematics(model, data.kinematics, p);
        const center = new Float64Array(3);
        computeCenterOfMass(center, model, data.kinematics);
        return center;
      };
      const velocity = at(h).map((x, i) => (x - at(-h)[i]) / (2 * h));
      forwardKinematics(model, data.kinematics, q);
      const J = computeCenterOfMassJacobian(new Float64Array(3 * model.nv), model, data.kinematics, data);
      expect(relativeError(multiply(J, v), velocity)).toBeLessThan(1e-8);
      const mass = data.centroidalInertia[0];
      expect(
        relativeError(
          multiply(J, v),
          data.momentum.subarray(0, 3).map((x) => x / mass),
        ),
      ).toBeLessThan(1e-12);
      expect(relativeError(data.centerOfMass, at(0))).toBeLessThan(1e-14);
    }
  });

  it('the rate of the matrix is its difference quotient', () => {
    for (const { model, data, q, v, a } of cases) {
      const at = (step: number): Float64Array => {
        const p = integrateConfiguration(
          new Float64Array(model.nq),
          model,
          q,
          v.map((x) => step * x),
        );
        computeCentroidal(model, data, p, v, a);
        return Float64Array.from(data.centroidalMatrix);
      };
      const [ahead, behind] = [at(h), at(-h)];
      computeCentroidal(model, data, q, v, a);
      expect(
        relativeError(
          data.centroidalMatrixRate,
          ahead.map((x, i) => (x - behind[i]) / (2 * h)),
        ),
      ).toBeLessThan(1e-8);
    }
  });

  it('gravity torques are the gradient of the potential energy', () => {
    for (const { model, data, q } of cases) {
      const gradient = Float64Array.from({ length: model.nv }, (_, k) => {
        const step = new Float64Array(model.nv);
        const at = (x: number): number => {
          step[k] = x;
          return computePotentialEnergy(
            model,
            data,
            integrateConfiguration(new Float64Array(model.nq), model, q, step),
          );
        };
        return (at(h) - at(-h)) / (2 * h);
      });
      expect(relativeError(computeGravity(model, data, q), gradient)).toBeLessThan(1e-7);
    }
  });

  it('kinetic energy of a free body spinning about its centre', () => {
    for (const { model, data, q, v, a } of cases) {
      if (model.jointKinds[1]?.name !== 'floating' || model.jointNames[1] !== 'root_joint') continue;
      // All joints locked: the robot is one body of the centroidal inertia.
      const locked = v.map((x, i) => (i < 6 ? x : 0));
      computeCentroidal(model, data, q, locked, a);
      const { momentum: p, centroidalInertia: I } = data;
      const X = data.kinematics.jointPlacements.subarray(12, 24);
      const w = [0, 1, 2].map((r) => X[3 * r] * v[3] + X[3 * r + 1] * v[4] + X[3 * r + 2] * v[5]);
      const spin = [
        I[4] * w[0] + I[5] * w[1] + I[6] * w[2],
        I[5] * w[0] + I[7] * w[1] + I[8] * w[2],
        I[6] * w[0] + I[8] * w[1] + I[9] * w[2],
      ];
      expect(relativeError(p.subarray(3, 6), spin)).toBeLessThan(1e-12);
      const energy =
        (p[0] ** 2 + p[1] ** 2 + p[2] ** 2) / (2 * I[0]) + 0.5 * (w[0] * spin[0] + w[1] * spin[1] + w[2] * spin[2]);
      expect(relativeError([computeKineticEnergy(model, data, q, locked)], [energy])).toBeLessThan(1e-12);
    }
  });
});
