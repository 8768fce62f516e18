import { describe, expect, it } from 'vitest';
import { createDynamicsData } from '../../dynamics/dynamics-data.js';
import { updateKinematics } from '../../kinematics/forward-kinematics.js';
import { computeVelocities } from '../../kinematics/motion.js';
import { createRandom } from '../../math/random.js';
import { expSe3 } from '../../math/se3.js';
import { randomConfiguration } from '../../model/configuration.js';
import { createRandomTree } from '../../model/random-tree.test-support.js';
import { checkDerivatives } from '../derivatives/check-derivatives.js';
import { createQuadraticBarrier, createSmoothAbsolute, createWeightedQuadratic, quadratic } from './activations.js';
import { createCostSum } from './cost-sum.js';
import { createControlResidual, createFunctionResidual, createStateResidual } from './plain-residuals.js';
import type { Residual, StageContext } from './residual.js';
import {
  createCenterOfMassResidual,
  createFramePlacementResidual,
  createFrameRotationResidual,
  createFrameTranslationResidual,
  createFrameVelocityResidual,
} from './robot-residuals.js';
import { createSphereClearanceResidual } from './sphere-clearance.js';
import { createStageDerivatives } from './stage.js';
import { createRobotSpace, createVectorSpace } from './state-space.js';

const random = createRandom(21);
const draw = (count: number) => Float64Array.from({ length: count }, () => random.uniform(-1, 1));

describe('Residuals', () => {
  const model = createRandomTree(4, { joints: 6, base: 'floating' });
  const data = createDynamicsData(model);
  const { nq, nv } = model;
  const space = createRobotSpace(model);
  const nu = 3;
  const contextAt = (x: Float64Array, u: Float64Array): StageContext => {
    const [q, v] = [x.slice(0, nq), x.slice(nq)];
    updateKinematics(model, data.kinematics, q);
    computeVelocities(model, data, q, v);
    return { space, nu, x, u, robot: { model, data, q, v } };
  };
  const tip = model.frameCount - 1;
  const placement = expSe3(new Float64Array(12), draw(6));
  const spheres = [
    { frame: tip, center: [0.1, 0.2, -0.1], radius: 0.05 },
    { frame: tip, radius: 0.1 },
    { frame: 5, center: [0, 0, 0.3], radius: 0.05 },
  ];
  const residuals: readonly Residual[] = [
    createStateResidual(
      space,
      (() => {
        const x = new Float64Array(nq + nv);
        x.set(randomConfiguration(new Float64Array(nq), model, random));
        return x;
      })(),
    ),
    createControlResidual(nu, draw(nu)),
    createFramePlacementResidual(model, tip, placement),
    createFrameTranslationResidual(model, tip, draw(3)),
    createFrameRotationResidual(model, tip, placement.slice(0, 9)),
    createFrameVelocityResidual(model, tip, draw(6)),
    createCenterOfMassResidual(model, draw(3)),
    createSphereClearanceResidual(model, spheres, Float64Array.of(1, 2, 3, 0.1, -1, 0.5, 2, 0.2)),
    createFunctionResidual({
      name: 'own',
      size: 2,
      evaluate: (r, x, u) => {
        r[0] = x[nq] * u[0];
        r[1] = x[nq + 1] ** 2 - u[1];
      },
    }),
  ];
  for (const residual of residuals) {
    it(`${residual.name}: derivatives agree with differences`, () => {
      for (let trial = 0; trial < 5; trial++) {
        const x = new Float64Array(nq + nv);
        x.set(randomConfiguration(new Float64Array(nq), model, random));
        x.set(draw(nv), nq);
        const u = draw(nu);
        const { size } = residual;
        const [rx, ru] = [new Float64Array(size * 2 * nv), new Float64Array(size * nu)];
        residual.differentiate(rx, ru, contextAt(x, u));
        const byState = checkDerivatives({
          evaluate: (r, at) => residual.evaluate(r, contextAt(at, u)),
          jacobian: rx,
          x,
          outputs: size,
          inputSpace: space,
        });
        expect(byState.status, JSON.stringify({ ...byState, jacobian: 0 })).toBe('ok');
        const byControl = checkDerivatives({
          evaluate: (r, at) => residual.evaluate(r, contextAt(x, at)),
          jacobian: ru,
          x: u,
          outputs: size,
        });
        expect(byControl.status).toBe('ok');
      }
    });
  }

  it('are refused where there is no robot, or no such frame', () => {
    const plain = createVectorSpace(2);
    const context = { space: plain, nu: 0, x: new Float64Array(2), u: new Float64Array(0), robot: null };
    expect(() => residuals[3].evaluate(new Float64Array(3), context)).toThrow(/without a robot/);
    expect(() => createFrameTranslationResidual(model, 'nose', [0, 0, 0])).toThrow(/name or index of a frame/);
  });
});

describe('Activations and sums of costs', () => {
  const activations = {
    quadratic,
    weighted: createWeightedQuadratic([1, 2, 0.5]),
    barrier: createQuadraticBarrier([-0.1, -Infinity, 0], [0.2, 0.3, Infinity]),
    'smooth absolute': createSmoothAbsolute(0.3),
  };
  for (const [name, activation] of Object.entries(activations)) {
    it(`${name}: first and second derivatives agree with differences`, () => {
      const r = Float64Array.of(0.7, -0.4, -0.9);
      const [first, second] = [new Float64Array(3), new Float64Array(3)];
      activation.differentiate(first, second, r);
      const slope = checkDerivatives({
        evaluate: (y, at) => {
          y[0] = activation.value(at);
        },
        jacobian: first,
        x: r,
        outputs: 1,
      });
      expect(slope.status).toBe('ok');
      const diagonal = Float64Array.from({ length: 9 }, (_, i) => (i % 4 === 0 ? second[i / 4] : 0));
      const bend = checkDerivatives({
        evaluate: (y, at) => activation.differentiate(y, new Float64Array(3), at),
        jacobian: diagonal,
        x: r,
        outputs: 3,
      });
      expect(bend.status).toBe('ok');
    });
  }

  it('add up, with the gradient of the sum and Gauss-Newton Hessians', () => {
    const space = createVectorSpace(3);
    const cost = createCostSum(
      [
        { residual: createStateResidual(space, [1, 2, 3]), weight: 2, activation: activations.weighted },
        { residual: createControlResidual(2), weight: 0.5, name: 'effort' },
      ],
      3,
      2,
    );
    const context = { space, nu: 2, x: draw(3), u: draw(2), robot: null };
    const out = createStageDerivatives(3, 2);
    cost.addDerivatives(out, context, 1);
    const listed = cost.list(context);
    expect(listed.map(({ name }) => name)).toEqual(['state', 'effort']);
    expect(listed[0].cost + listed[1].cost).toBeCloseTo(cost.evaluate(context), 14);
    const slope = checkDerivatives({
      evaluate: (y, at) => {
        y[0] = cost.evaluate({ ...context, x: at });
      },
      jacobian: out.lx,
      x: context.x,
      outputs: 1,
    });
    expect(slope.status).toBe('ok');
    expect(Array.from(out.lxx)).toEqual([2, 0, 0, 0, 4, 0, 0, 0, 1]);
    expect(Array.from(out.luu)).toEqual([0.5, 0, 0, 0.5]);
  });
});
