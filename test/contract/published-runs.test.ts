/**
 * Shooting against published runs: three examples of Crocoddyl as its repository logged them in June 2024 (examples/log, files
 * arm_manipulation_fwddyn.log, quadrotor_fwddyn.log, double_pendulum_fwddyn.log), cost of every iteration to the four digits that are
 * there. The robots' numbers are those of its package of robot descriptions (BSD): Kinova's Jaco, Hector, a double pendulum.
 */
import { describe, expect, it } from 'vitest';
import {
  createControlResidual,
  createFramePlacementResidual,
  createFunctionResidual,
  createRobotSpace,
  createRobotStage,
  createRobotTerminal,
  createStateResidual,
  createWeightedQuadratic,
  type ShootingProblem,
  type Stage,
  solveShooting,
  type TerminalStage,
} from '../../src/control.js';
import { parseUrdf } from '../../src/io.js';
import { buildModel, createNeutralConfiguration, findJoint, type Model } from '../../src/model.js';
import { describeRobot } from '../support/describe-robot.js';

const load = (text: string, base?: 'floating'): Model => buildModel(parseUrdf(text).value!.model, { base }).model;
const [PI, HALF] = ['3.14159265359', '1.57079632679'];
const DIGIT = '7.8999684e-07 0 0 7.8999684e-07 0 8e-08';
const FINGER = '.649262481663582';

const JACO = describeRobot(
  [
    ['base', 0, '', ''],
    ['l0', 0.46784, '0 0 0.1255', '0.000951270861568 0 0 0.000951270861568 0 0.000374272'],
    ['l1', 0.7477, '0 -0.002 -0.0605', '0.00152031725204 0 0 0.00152031725204 0 0.00059816'],
    ['l2', 0.99, '0 -0.2065 -0.01', '0.010502207991 0 0 0.000792 0 0.010502207991'],
    ['l3', 0.6763, '0 0.081 -0.0086', '0.00142022431908 0 0 0.000304335 0 0.00142022431908'],
    ['l4', 0.463, '0 0.0028848942 -0.0541932613', '0.0004321316048 0 0 0.0004321316048 0 9.26e-05'],
    ['l5', 0.463, '0 0.0497208855 -0.0028562765', '0.0004321316048 0 0 9.26e-05 0 0.0004321316048'],
    ['l6', 0.99, '0 0 -0.06', '0.0003453236187 0 0 0.0003453236187 0 0.0005816'],
    ['hand', 0, '', ''],
    ['f1', 0.01, '0.022 0 0', DIGIT],
    ['t1', 0.01, '0.022 0 0', DIGIT],
    ['f2', 0.01, '0.022 0 0', DIGIT],
    ['t2', 0.01, '0.022 0 0', DIGIT],
  ],
  [
    ['j0', 'fixed', 'base', 'l0', '0 0 0', `0 0 ${HALF}`, '1 0 0'],
    ['j1', 'continuous', 'l0', 'l1', '0 0 0.15675', `0 ${PI} 0`, '0 0 1'],
    ['j2', 'revolute', 'l1', 'l2', '0 0.0016 -0.11875', `-${HALF} 0 ${PI}`, '0 0 1'],
    ['j3', 'revolute', 'l2', 'l3', '0 -0.410 0', `0 ${PI} 0`, '0 0 1'],
    ['j4', 'continuous', 'l3', 'l4', '0 0.2073 -0.0114', `-${HALF} 0 ${PI}`, '0 0 1'],
    ['j5', 'revolute', 'l4', 'l5', '0 0 -0.10375', `${HALF} 0 ${PI}`, '0 0 1'],
    ['j6', 'continuous', 'l5', 'l6', '0 0.10375 0', `-${HALF} 0 ${PI}`, '0 0 1'],
    ['jh', 'fixed', 'l6', 'hand', '0 0 -0.1600', `${PI} ${HALF} 0`, '1 0 0'],
    ['jf1', 'fixed', 'l6', 'f1', '-0.0025 0.03095 -0.11482', `-1.570796327 ${FINGER} 1.57079632679490`, '1 0 0'],
    ['jt1', 'fixed', 'f1', 't1', '0.044 -0.003 0', '0 0 0', '1 0 0'],
    ['jf2', 'fixed', 'l6', 'f2', '-0.0025 -0.03095 -0.11482', `-1.570796327 ${FINGER} -1.57079632679490`, '1 0 0'],
    ['jt2', 'fixed', 'f2', 't2', '0.044 -0.003 0', '0 0 0', '1 0 0'],
  ],
);
const ARM_UP = [1.5707, 2.618, -1.5707, 3.1415, 2.618, 0];
const HECTOR = describeRobot([['body', 1.477, '0 0 0', '0.01152 0 0 0.01152 0 0.0218']], []);
const PENDULUM = describeRobot(
  [
    ['base', 0, '', ''],
    [
      'l1',
      0.26703,
      '0.0086107 2.1727E-06 0.036012',
      '0.00040827 1.2675E-09 1.8738E-05 0.00038791 3.5443E-08 3.6421E-05',
    ],
    [
      'l2',
      0.33238,
      '-0.0050107 1.9371E-10 0.10088',
      '0.0011753 -3.854E-13 -2.9304E-08 0.0011666 -5.2365E-12 1.4553E-05',
    ],
  ],
  [
    ['j1', 'revolute', 'base', 'l1', '0.0060872 0 0.035', '0 0 0', '1 0 0'],
    ['j2', 'revolute', 'l1', 'l2', '0.023 0 0.1', '0 0 0', '1 0 0'],
  ],
);

const at = (x: number, y: number, z: number) => [1, 0, 0, 0, 1, 0, 0, 0, 1, x, y, z];

function createArm(): ShootingProblem {
  const model = load(JACO);
  const start = new Float64Array(model.nq + model.nv);
  for (const [i, angle] of ARM_UP.entries()) start[model.idxQ[findJoint(model, `j${i + 1}`)]] = angle;
  const goal = createFramePlacementResidual(model, 'hand', at(0.6, 0.2, 0.5));
  const costs = [
    { residual: goal, weight: 1 },
    { residual: createStateResidual(createRobotSpace(model), start), weight: 0.1 },
    { residual: createControlResidual(6), weight: 0.1 },
  ];
  const stage = createRobotStage({ model, dt: 0.01, costs });
  return {
    start,
    stages: new Array(100).fill(stage),
    terminal: createRobotTerminal(model, [{ residual: goal, weight: 1000 }]),
  };
}

/** Four rotors 0.1525 m from the middle, which twist the body by 1/66 m of their thrust. */
function createQuadrotor(): ShootingProblem {
  const model = load(HECTOR, 'floating');
  const start = new Float64Array(13);
  start.set(createNeutralConfiguration(model));
  const [d, twist] = [0.1525, 1e-6 / 6.6e-5];
  const actuation = [
    ...new Array(8).fill(0),
    ...[1, 1, 1, 1],
    ...[0, d, 0, -d],
    ...[-d, 0, d, 0],
    ...[-twist, twist, -twist, twist],
  ];
  const goal = createFramePlacementResidual(model, 'body', at(1, 0, 1));
  const weights = [...new Array(3).fill(0.1), ...new Array(9).fill(1000)];
  const activation = createWeightedQuadratic(weights);
  const costs = [
    { residual: createStateResidual(createRobotSpace(model), start), weight: 1e-6, activation },
    { residual: createControlResidual(4), weight: 1e-6 },
    { residual: goal, weight: 0.01 },
  ];
  const stage = createRobotStage({ model, dt: 0.03, actuation, costs });
  return {
    start,
    stages: new Array(33).fill(stage),
    terminal: createRobotTerminal(model, [{ residual: goal, weight: 3 }]),
  };
}

/** Their cost has its whole second derivative, w cos q of each joint, where that of a sum of squares would be w. */
function createPendulum(): ShootingProblem {
  const model = load(PENDULUM);
  const swing = createFunctionResidual({
    name: 'upright',
    size: 6,
    evaluate: (r, [a, b, va, vb]) => {
      r.set([Math.sin(a), Math.sin(b), 1 - Math.cos(a), 1 - Math.cos(b), va, vb]);
    },
  });
  const activation = createWeightedQuadratic([1, 1, 1, 1, 0.1, 0.1]);
  const costs = [
    { residual: createControlResidual(1), weight: 0.01 },
    { residual: swing, weight: 1e-3, activation },
  ];
  const plain = createRobotStage({ model, dt: 0.01, actuation: [1, 0], costs });
  const last = createRobotTerminal(model, [{ residual: swing, weight: 100, activation }]);
  const addCurvature = (lxx: Float64Array, x: Float64Array, weight: number): void => {
    for (const i of [0, 1]) lxx[5 * i] += weight * (Math.cos(x[i]) - 1);
  };
  const stage: Stage = {
    ...plain,
    differentiate: (out, x, u) => {
      plain.differentiate(out, x, u);
      addCurvature(out.lxx, x, 1e-5);
    },
  };
  const terminal: TerminalStage = {
    ...last,
    differentiate: (lx, lxx, x) => {
      last.differentiate(lx, lxx, x);
      addCurvature(lxx, x, 100);
    },
  };
  return { start: Float64Array.of(3.14, 0, 0, 0), stages: new Array(100).fill(stage), terminal };
}

/** Iterations, and the first costs; from there on each stays within the last digit of the one before, down to `end`. */
const RUNS = {
  arm: {
    create: createArm,
    iterations: 73,
    costs: [
      1926, 1661, 667.5, 468.1, 419.3, 250.7, 250.5, 250.2, 214.2, 176.8, 58.64, 36.04, 35.54, 35.12, 34.31, 33.15,
      31.79, 30.35, 28.99, 27.74, 25.37, 22.54, 19.9, 8.839, 8.359, 8.298, 8.249, 8.212, 8.183, 8.162, 8.15, 8.142,
      8.137, 8.134, 8.132, 8.131, 8.13, 8.129, 8.129, 8.129, 8.129, 8.128, 8.126, 8.125,
    ],
    end: 8.125,
  },
  quadrotor: {
    create: createQuadrotor,
    iterations: 25,
    costs: [0.7489, 0.1319, 0.01796, 0.005249, 0.005223, 0.005216, 0.005212, 0.005211, 0.00521, 0.005209],
    end: 0.005209,
  },
  'double pendulum': {
    create: createPendulum,
    iterations: 54,
    costs: [
      7.817e-4, 1.718e-3, 3.343e-3, 4.019e-3, 4.948e-3, 6.891e-3, 7.897e-3, 9.199e-3, 0.01088, 0.01491, 0.02125,
      0.02406, 0.02516, 0.02757, 0.02663, 0.02601, 0.02552, 0.02543, 0.02471, 0.0234, 0.02269, 0.02218, 0.02174,
      0.02139, 0.02099, 0.02064, 0.0206, 0.02059,
    ],
    end: 0.02059,
  },
};

describe("Crocoddyl's examples", () => {
  it.each(Object.entries(RUNS))('%s: its iterations, with its costs', (_, { create, iterations, costs, end }) => {
    const problem = create();
    const { nx } = problem.terminal.space;
    const zero = new Float64Array(nx);
    // Of the floating base.
    if (nx === 13) zero[6] = 1;
    const states = Array.from({ length: problem.stages.length + 1 }, () => zero);
    const result = solveShooting(problem, { states });
    expect(result.status).toBe('converged');
    expect(result.iterations).toBe(iterations);
    const found = result.log.map(({ cost }) => Number(cost.toPrecision(4)));
    expect(found.slice(0, costs.length)).toEqual(costs);
    expect(new Set(found.slice(costs.length))).toEqual(new Set([end]));
  });
});
