import { describe, expect, it } from 'vitest';
import { createRandom } from '../../math/random.js';
import { randomConfiguration } from '../../model/configuration.js';
import { createRandomTree } from '../../model/random-tree.test-support.js';
import { checkDerivatives } from '../derivatives/check-derivatives.js';
import { createFunctionStage } from './function-stage.js';
import { createControlResidual, createStateResidual } from './plain-residuals.js';
import { createImpulseStage, createRobotStage } from './robot-stage.js';
import { createStageDerivatives, type Stage } from './stage.js';
import { createRobotSpace, createVectorSpace } from './state-space.js';

const random = createRandom(8);
const draw = (count: number) => Float64Array.from({ length: count }, () => random.uniform(-1, 1));

/** fx, fu, lx and lu of a stage against differences. */
function checkStage(stage: Stage, x: Float64Array, u: Float64Array, tolerance = 1e-6): void {
  const { space, nu } = stage;
  const out = createStageDerivatives(space.ndx, nu);
  stage.differentiate(out, x, u);
  const next = new Float64Array(space.nx);
  const cost = (y: Float64Array, at: Float64Array, control: Float64Array) => {
    y[0] = stage.evaluate(next, at, control);
  };
  const reports = [
    checkDerivatives({
      evaluate: (y, at) => {
        stage.evaluate(y, at, u);
      },
      jacobian: out.fx,
      x,
      outputs: space.nx,
      inputSpace: space,
      outputSpace: space,
      tolerance,
    }),
    checkDerivatives({
      evaluate: (y, at) => cost(y, at, u),
      jacobian: out.lx,
      x,
      outputs: 1,
      inputSpace: space,
      tolerance,
    }),
  ];
  if (nu > 0) {
    reports.push(
      checkDerivatives({
        evaluate: (y, at) => {
          stage.evaluate(y, x, at);
        },
        jacobian: out.fu,
        x: u,
        outputs: space.nx,
        outputSpace: space,
        tolerance,
      }),
      checkDerivatives({ evaluate: (y, at) => cost(y, x, at), jacobian: out.lu, x: u, outputs: 1, tolerance }),
    );
  }
  for (const report of reports) expect(report.status, JSON.stringify({ ...report, jacobian: 0 })).toBe('ok');
}

describe('Stages of a robot', () => {
  for (let seed = 1; seed <= 4; seed++) {
    it(`have the derivatives of differences: free, in contact, at an impulse (tree ${seed})`, () => {
      const model = createRandomTree(seed, { joints: 5, base: 'floating', mimic: seed % 2 === 0 });
      const { nq, nv, frameCount } = model;
      const x = new Float64Array(nq + nv);
      x.set(randomConfiguration(new Float64Array(nq), model, random));
      x.set(draw(nv), nq);
      const costs = [{ residual: createStateResidual(createRobotSpace(model)), weight: 0.3 }];
      const B = draw(nv * 2);
      const dynamics = { armature: new Float64Array(nv).fill(0.2) };
      const contacts = [{ kind: 'point', frame: frameCount - 1 }] as const;
      checkStage(createRobotStage({ model, dt: 0.05, costs, dynamics }), x, draw(nv));
      checkStage(createRobotStage({ model, dt: 0.05, costs, dynamics, actuation: B, contacts }), x, draw(2));
      checkStage(createImpulseStage({ model, costs, dynamics, contacts }), x, new Float64Array(0));
    });
  }
});

describe('Stages of functions', () => {
  const space = createVectorSpace(2);
  const costs = [
    { residual: createStateResidual(space), weight: 1 },
    { residual: createControlResidual(1), weight: 0.1 },
  ];
  const swing = (out: Float64Array, x: Float64Array, u: Float64Array) => {
    out[0] = x[1];
    out[1] = u[0] * x[0] - Math.sin(x[0]);
  };
  for (const integrator of ['euler', 'runge-kutta'] as const) {
    it(`${integrator}: derivatives and curvature agree with differences`, () => {
      const stage = createFunctionStage({ space, nu: 1, costs, dynamics: swing, integrator, dt: 0.1 });
      const [x, u] = [draw(2), draw(1)];
      checkStage(stage, x, u);
      // The curvature along p is the derivative of p^T fx and p^T fu.
      const p = draw(2);
      const bend = createStageDerivatives(2, 1);
      stage.addCurvature?.(bend, x, u, p);
      const slopes = (y: Float64Array, at: Float64Array, control: Float64Array) => {
        const out = createStageDerivatives(2, 1);
        stage.differentiate(out, at, control);
        for (let k = 0; k < 2; k++) y[k] = p[0] * out.fx[k] + p[1] * out.fx[2 + k];
        y[2] = p[0] * out.fu[0] + p[1] * out.fu[1];
      };
      const byState = checkDerivatives({
        evaluate: (y, at) => slopes(y, at, u),
        jacobian: Float64Array.of(...bend.lxx, ...bend.lxu),
        x,
        outputs: 3,
        step: 0.1,
        tolerance: 1e-5,
      });
      expect(byState.status, JSON.stringify(byState)).toBe('ok');
      const byControl = checkDerivatives({
        evaluate: (y, at) => slopes(y, x, at),
        jacobian: Float64Array.of(...bend.lxu, ...bend.luu),
        x: u,
        outputs: 3,
        step: 0.1,
        tolerance: 1e-5,
      });
      expect(byControl.status).toBe('ok');
    });
  }

  it('refuse limits that cross and an integrator without a time', () => {
    const request = { space, nu: 1, costs, dynamics: swing };
    expect(() => createFunctionStage({ ...request, integrator: 'euler' })).toThrow(/dt/);
    expect(() => createFunctionStage({ ...request, controlLower: [1], controlUpper: [0] })).toThrow(/controlLower/);
  });
});
