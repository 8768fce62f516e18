/** Examples of arguments (see doors.ts) for linear, shooting and predictive control, and their derivatives. */
import * as control from '../../../src/control.js';
import type { Door } from './door.js';
import type { Fixture } from './fixture.js';
import { either, exactly, loose, maybe, oneOf } from './slot.js';

const list = (value: readonly unknown[]) => either(value, Array.isArray);
const space = control.createVectorSpace(2);
const residual = control.createControlResidual(1);
const costs = [{ residual, weight: 1 }];
const floats = (count: number) => {
  const value = new Float64Array(count).fill(0.1);
  return either(value, (x) => x instanceof Float64Array && x.length === count);
};
const stage = control.createFunctionStage({ space, nu: 1, costs, dynamics: (out, x, u) => out.set([x[1], u[0]]) });
const problem = () => ({
  start: exactly([0, 0]),
  stages: list([stage]),
  terminal: loose(control.createTerminal(space, [])),
});
const shootingOptions = {
  method: maybe(oneOf('fddp', 'ilqr', 'ddp')),
  states: maybe(
    list([
      [0, 0],
      [0, 0],
    ]),
  ),
  controls: maybe(list([[0]])),
  iterations: maybe(2),
  tolerance: maybe(1e-6),
  criterion: maybe(oneOf('improvement', 'gradient')),
  regularisation: maybe(1e-9),
  onIteration: maybe(() => {}),
};
const linear = () => ({
  A: exactly([1, 0.1, 0, 1]),
  B: exactly([0, 1]),
  Q: exactly([1, 0, 0, 1]),
  R: exactly([1]),
  S: maybe(exactly([0, 0])),
  time: oneOf('discrete', 'continuous'),
});
const filter = () => control.createKalmanFilter({ A: [1], B: [1], C: [1], W: [1], V: [1] });
const constrained = (x: Fixture) => control.createConstrainedDerivatives(x.model, x.dynamics, x.constraints);
const limits = { controlLower: maybe(exactly([-1])), controlUpper: maybe(exactly([1])) };

export const shootingDoor: Door = {
  checkDerivatives: () => ({
    request: {
      evaluate: (y: Float64Array, x: Float64Array) => {
        y[0] = x[0] * x[0];
      },
      jacobian: exactly([2, 0]),
      x: exactly([1, 0]),
      outputs: 1,
      inputSpace: maybe(loose(space)),
      outputSpace: maybe(loose(control.createVectorSpace(1))),
      step: maybe(0.01),
      tolerance: maybe(0.1),
    },
  }),
  createConstrainedDerivatives: (x) => ({ model: x.model, data: x.dynamics, constraints: x.constraints }),
  computeConstrainedDerivatives: (x) => ({
    out: loose(constrained(x)),
    model: x.model,
    data: x.dynamics,
    constraints: x.constraints,
    state: { q: exactly(x.q), v: exactly(x.v), tau: exactly(x.v) },
    options: maybe({ proximal: maybe(1e-8), tolerance: maybe(1e-12), iterations: maybe(5) }),
  }),
  computeImpulseDerivatives: (x) => ({
    out: loose(constrained(x)),
    model: x.model,
    data: x.dynamics,
    constraints: x.constraints,
    state: { q: exactly(x.q), v: exactly(x.v) },
    options: maybe({ restitution: maybe(0), proximal: maybe(1e-8), tolerance: maybe(1e-12), iterations: maybe(5) }),
  }),
  solveRiccati: () => ({ request: linear() }),
  solveFiniteLqr: () => ({
    request: { ...linear(), time: oneOf('continuous'), QN: exactly([1, 0, 0, 1]), steps: 3, duration: 1 },
  }),
  solveLinearQuadratic: () => ({
    stages: list([{ A: [1], B: [1], Q: [1], R: [1] }]),
    terminal: { Q: exactly([1]), q: maybe(exactly([0])) },
  }),
  trackReference: () => ({
    request: {
      A: exactly([1, 0.1, 0, 1]),
      B: exactly([0, 1]),
      c: maybe(exactly([0, 0])),
      Q: exactly([1, 0, 0, 1]),
      R: exactly([1]),
      QN: maybe(exactly([1, 0, 0, 1])),
      states: exactly([0, 0, 0, 0]),
      controls: maybe(exactly([0])),
    },
  }),
  createKalmanFilter: () => ({
    request: {
      A: exactly([1]),
      // One row, as long as there are controls.
      B: maybe(either([1], (x) => Array.isArray(x) || ArrayBuffer.isView(x))),
      C: exactly([1]),
      W: exactly([1]),
      V: exactly([1]),
      x: maybe(exactly([0])),
      P: maybe(exactly([1])),
    },
  }),
  predictKalman: () => ({ filter: loose(filter()), u: exactly([0]) }),
  updateKalman: () => ({ filter: loose(filter()), y: exactly([0]) }),
  solveSteadyKalman: () => ({
    request: {
      A: exactly([0.5]),
      C: exactly([1]),
      W: exactly([1]),
      V: exactly([1]),
      time: oneOf('discrete', 'continuous'),
    },
  }),
  createVectorSpace: () => ({ n: 2 }),
  createRobotSpace: (x) => ({ model: x.model }),
  createWeightedQuadratic: () => ({ weights: exactly([1, 2]) }),
  createQuadraticBarrier: () => ({ lower: exactly([0]), upper: exactly([1]) }),
  createSmoothAbsolute: () => ({ e: 0.1 }),
  createStateResidual: () => ({ space: loose(space), reference: maybe(exactly([0, 0])) }),
  createControlResidual: () => ({ nu: 1, reference: maybe(exactly([0])) }),
  createFunctionResidual: () => ({
    request: { name: 'own', size: 1, evaluate: () => {}, differentiate: maybe(() => {}) },
  }),
  createFramePlacementResidual: (x) => ({
    model: x.model,
    frame: either(2, (y) => typeof y === 'string'),
    placement: exactly([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]),
  }),
  createFrameTranslationResidual: (x) => ({
    model: x.model,
    frame: either(2, (y) => typeof y === 'string'),
    position: exactly([0, 0, 0]),
  }),
  createFrameRotationResidual: (x) => ({
    model: x.model,
    frame: either(2, (y) => typeof y === 'string'),
    rotation: exactly([1, 0, 0, 0, 1, 0, 0, 0, 1]),
  }),
  createFrameVelocityResidual: (x) => ({
    model: x.model,
    frame: either(2, (y) => typeof y === 'string'),
    velocity: maybe(exactly([0, 0, 0, 0, 0, 0])),
  }),
  createCenterOfMassResidual: (x) => ({ model: x.model, position: exactly([0, 0, 0]) }),
  createSphereClearanceResidual: (x) => ({
    model: x.model,
    spheres: list([{ frame: 2, radius: 0.1 }]),
    obstacles: floats(4),
  }),
  createRobotStage: (x) => ({
    request: {
      model: x.model,
      dt: 0.1,
      costs: list([]),
      actuation: maybe(exactly(new Float64Array(x.model.nv))),
      contacts: maybe(list([{ kind: 'point', frame: 2 }])),
      stabilisation: maybe(loose({})),
      dynamics: maybe(loose({})),
      ...limits,
    },
  }),
  createImpulseStage: (x) => ({
    request: {
      model: x.model,
      contacts: list([{ kind: 'point', frame: 2 }]),
      restitution: maybe(0),
      costs: list([]),
      dynamics: maybe(loose({})),
    },
  }),
  createRobotTerminal: (x) => ({ model: x.model, costs: list([]) }),
  createFunctionStage: () => ({
    request: {
      space: loose(space),
      nu: 1,
      costs: list(costs),
      dynamics: () => {},
      integrator: maybe(oneOf('euler', 'runge-kutta')),
      dt: maybe(0.1),
      differentiate: maybe(() => {}),
      ...limits,
    },
  }),
  createTerminal: () => ({ space: loose(space), costs: list([]) }),
  createShootingSolver: () => ({ problem: problem() }),
  solveShooting: () => ({ problem: problem(), options: maybe(shootingOptions) }),
  solveConstrainedShooting: () => ({
    problem: problem(),
    constraints: list([{ residual, lower: [0], upper: [1] }]),
    options: maybe({
      ...shootingOptions,
      constraintTolerance: maybe(1e-3),
      penalty: maybe(10),
      rounds: maybe(2),
    }),
  }),
  drawShootingLog: () => ({ entries: list([]) }),
  createPredictiveController: () => ({
    request: {
      problem: problem(),
      rate: 10,
      stageTime: 0.1,
      iterations: maybe(1),
      firstIterations: maybe(2),
      method: maybe(oneOf('fddp', 'ilqr', 'ddp')),
      regularisation: maybe(1e-9),
      controls: maybe(list([[0]])),
      clock: maybe(() => 0),
      update: maybe(() => {}),
    },
  }),
};
