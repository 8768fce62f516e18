// An acrobot, two links with a motor at the elbow only, swings itself up: FDDP for the first plan, then predictive control.
import { buildModel } from 'clearance';
import {
  createControlResidual,
  createPredictiveController,
  createRobotSpace,
  createRobotStage,
  createRobotTerminal,
  createStateResidual,
  createWeightedQuadratic,
  drawShootingLog,
  solveShooting,
} from 'clearance/control';
import { createSimulation, createWorld, stepSimulation } from 'clearance/simulation';

const at = (x, y, z) => Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, x, y, z);
const inertial = { mass: 1, origin: at(0, 0, -0.5), inertia: [0.083, 0, 0, 0.083, 0, 0.001] };
const hinge = { type: 'revolute', axis: [0, 1, 0], limits: { lower: -20, upper: 20 } };
const { model } = buildModel({
  name: 'acrobot',
  links: [{ name: 'base' }, { name: 'upper', inertial }, { name: 'lower', inertial }],
  joints: [
    { ...hinge, name: 'shoulder', parent: 'base', child: 'upper', origin: at(0, 0, 0) },
    { ...hinge, name: 'elbow', parent: 'upper', child: 'lower', origin: at(0, 0, -1) },
  ],
});

// A second and a half ahead in steps of 20 ms; the elbow turns with 20 N m at most.
const dt = 0.02;
const ahead = 75;
const up = createStateResidual(createRobotSpace(model), [Math.PI, 0, 0, 0]);
const stage = createRobotStage({
  model,
  dt,
  actuation: [0, 1],
  controlLower: [-20],
  controlUpper: [20],
  costs: [
    { residual: up, weight: 1, activation: createWeightedQuadratic([1, 0.5, 0.1, 0.1]) },
    { residual: createControlResidual(1), weight: 0.01 },
  ],
});
const terminal = createRobotTerminal(model, [
  { residual: up, weight: 20, activation: createWeightedQuadratic([2, 1, 0.5, 0.5]) },
]);
const problem = { start: new Float64Array(4), stages: new Array(ahead).fill(stage), terminal };
const guess = Array.from({ length: ahead }, (_, k) => [k % 50 < 25 ? 3 : -3]);
const plan = solveShooting(problem, { iterations: 500, tolerance: 1e-6, controls: guess });
console.log(`${plan.status} after ${plan.iterations} iterations, cost ${plan.cost.toFixed(2)}`);
console.log(`its log as a picture: ${drawShootingLog(plan.log).length > 1000 ? 'drawn' : 'empty'}`);

// The simulation steps ten times finer than the plan: predictive control at 50 Hz makes up for it.
const controller = createPredictiveController({
  problem,
  rate: 50,
  stageTime: dt,
  iterations: 2,
  controls: plan.controls,
});
const world = createWorld({ robots: [{ name: 'acrobot', model, shapes: [] }], step: dt / 10 });
const simulation = createSimulation(world);
const [{ q, v, torques }] = simulation.robots;
const [x, u] = [new Float64Array(4), new Float64Array(1)];
for (let cycle = 0; cycle < 400; cycle++) {
  x.set(q);
  x.set(v, 2);
  controller.step(u, x);
  torques[1] = u[0];
  stepSimulation(simulation, 10);
}
const height = -Math.cos(q[0]) - Math.cos(q[0] + q[1]);
console.log(`tip at ${height.toFixed(2)} m of 2, speeds ${Array.from(v, (x) => x.toFixed(1)).join(' ')} rad/s`);
world.dispose();
