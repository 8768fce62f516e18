// A cart swings its pole up and keeps it there: predictive control at 50 Hz of a simulated cart that was pushed.
import { buildModel } from 'clearance';
import {
  createControlResidual,
  createPredictiveController,
  createRobotSpace,
  createRobotStage,
  createRobotTerminal,
  createStateResidual,
  createWeightedQuadratic,
} from 'clearance/control';
import { createSimulation, createWorld, stepSimulation } from 'clearance/simulation';

const at = (x, y, z) => Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, x, y, z);
const inertial = (mass, z, i) => ({ mass, origin: at(0, 0, z), inertia: [i, 0, 0, i, 0, i] });
const { model } = buildModel({
  name: 'cart-pole',
  links: [
    { name: 'rail' },
    { name: 'cart', inertial: inertial(1, 0, 0.01) },
    { name: 'pole', inertial: inertial(0.2, -0.25, 0.004) },
  ],
  joints: [
    { name: 'slide', type: 'prismatic', parent: 'rail', child: 'cart', origin: at(0, 0, 0), axis: [1, 0, 0] },
    { name: 'hinge', type: 'revolute', parent: 'cart', child: 'pole', origin: at(0, 0, 0), axis: [0, 1, 0] },
  ].map((joint) => ({ ...joint, limits: { lower: -10, upper: 10 } })),
});

// Two seconds ahead, in steps of 40 ms; the motor pushes the cart alone, with 10 N at most.
const up = createStateResidual(createRobotSpace(model), [0, Math.PI, 0, 0]);
const stage = createRobotStage({
  model,
  dt: 0.04,
  actuation: [1, 0],
  controlLower: [-10],
  controlUpper: [10],
  costs: [
    { residual: up, weight: 1, activation: createWeightedQuadratic([1, 1, 0.1, 0.1]) },
    { residual: createControlResidual(1), weight: 0.01 },
  ],
});
const terminal = createRobotTerminal(model, [
  { residual: up, weight: 10, activation: createWeightedQuadratic([1, 2, 0.2, 0.5]) },
]);
const controller = createPredictiveController({
  problem: { start: new Float64Array(4), stages: new Array(50).fill(stage), terminal },
  rate: 50,
  stageTime: 0.04,
  iterations: 2,
  controls: Array.from({ length: 50 }, (_, k) => [k % 25 < 12 ? 3 : -3]),
});

const world = createWorld({ robots: [{ name: 'cart-pole', model, shapes: [] }], step: 0.001 });
const simulation = createSimulation(world);
const [{ q, v, torques }] = simulation.robots;
const [x, u] = [new Float64Array(4), new Float64Array(1)];
let worst = 0;
for (let cycle = 0; cycle < 400; cycle++) {
  if (cycle === 250) v[1] += 2;
  x.set(q);
  x.set(v, 2);
  controller.step(u, x);
  torques[0] = u[0];
  stepSimulation(simulation, 20);
  if (cycle % 100 === 99) {
    const angle = ((q[1] - Math.PI) * 180) / Math.PI;
    console.log(
      `${((cycle + 1) / 50).toFixed(0)} s: cart at ${q[0].toFixed(2)} m, pole ${angle.toFixed(1)} degrees from upright`,
    );
  }
  if (cycle > 350) worst = Math.max(worst, Math.abs(q[1] - Math.PI));
}
console.log(
  `plans kept: ${controller.report().kept} of 400; at the end within ${worst < 0.02 ? '0.02' : worst.toFixed(2)} rad`,
);
world.dispose();
