// An arm follows its target among balls that move: predictive control at 50 Hz, in a simulated world that counts contacts.
import { buildModel, createTransform, findFrame, requireValue } from 'clearance';
import * as control from 'clearance/control';
import { computeFramePlacement } from 'clearance/kinematics';
import { loadRobot } from 'clearance/node';
import { fitRobotSpheres, toSphereLists } from 'clearance/scene';
import * as sim from 'clearance/simulation';

const files = requireValue(await loadRobot('examples/arm/arm.urdf'));
const { model } = buildModel(files.description.model);
const { nq, nv } = model;
const fitted = fitRobotSpheres(files, { count: 3 });
const moving = [...toSphereLists(fitted)].filter(([link]) => !['base_link', 'link_1', 'link_2'].includes(link));
const spheres = moving.flatMap(([frame, list]) => list.map((sphere) => ({ frame, ...sphere })));
console.log(`${spheres.length} spheres contain the arm: ${fitted.proven ? 'proven' : 'not proven'}`);

const radius = 0.08;
const placeBall = (i, t) => {
  const phase = (0.5 + 0.1 * i) * t + 1.3 * i;
  return [0.55 + 0.1 * Math.sin(2 * phase), (i - 1) * 0.25 + 0.3 * Math.sin(phase), 0.45 + 0.25 * Math.cos(phase)];
};
const [ahead, stageTime, rate] = [12, 0.06, 50];
const obstacles = Array.from({ length: ahead + 1 }, () => new Float64Array(12));
const target = Float64Array.of(0.5, 0.3, 0.5);
const start = new Float64Array(nq + nv);
start.set([0, 0.4, 0, -1.4, 0, 1.3, 0]);
const light = control.createWeightedQuadratic(start.map((_, i) => (i < nv ? 0.05 : 0.3)));
const margin = new Array(3 * spheres.length).fill(0.05);
const barrier = control.createQuadraticBarrier(margin, new Array(margin.length).fill(Infinity));
const costs = obstacles.map((balls) => [
  { residual: control.createFrameTranslationResidual(model, 'tool', target), weight: 5 },
  { residual: control.createStateResidual(control.createRobotSpace(model), start), weight: 1, activation: light },
  { residual: control.createSphereClearanceResidual(model, spheres, balls), weight: 1e4, activation: barrier },
]);
const effort = { residual: control.createControlResidual(nv), weight: 2e-3 };
// The arm's own controller cancels gravity, as in the simulation below.
const stage = { model, dt: stageTime, dynamics: { gravity: [0, 0, 0] } };
const stages = costs.slice(0, ahead).map((list) => control.createRobotStage({ ...stage, costs: [...list, effort] }));
const controller = control.createPredictiveController({
  problem: { start, stages, terminal: control.createRobotTerminal(model, costs[ahead]) },
  rate,
  stageTime,
  update: (t) => {
    for (const [k, balls] of obstacles.entries())
      for (let i = 0; i < 3; i++) balls.set([...placeBall(i, t + k * stageTime), radius], 4 * i);
  },
});

// In the world the arm is its spheres, which are larger: what does not touch them does not touch the arm.
const ball = { type: 'sphere', radius };
const bodies = [0, 1, 2].map((i) => ({ name: `ball ${i}`, shapes: [{ shape: ball }] }));
const shapes = spheres.map(({ frame: link, center, radius: r }) => ({
  link,
  shape: { type: 'sphere', radius: r },
  pose: [...center, 0, 0, 0, 1],
}));
const allowed = moving.flatMap(([a], i) => moving.slice(i + 1).map(([b]) => [a, b]));
const robots = [{ name: 'arm', model, shapes, allowed, compensateGravity: true, q: start.slice(0, nq) }];
const simulation = sim.createSimulation(sim.createWorld({ robots, bodies, gravity: [0, 0, 0], step: 0.002 }));
const [{ q, v, torques, data }] = simulation.robots;
const [u, X_WT, tool] = [new Float64Array(nv), createTransform(), findFrame(model, 'tool')];
const away = [];
let touched = 0;
for (let cycle = 0; cycle < 300; cycle++) {
  target[1] = cycle % 150 < 75 ? 0.3 : -0.3;
  controller.step(u, [...q, ...v]);
  torques.set(u);
  for (let i = 0; i < 3; i++) sim.setBodyPose(simulation, i, [...placeBall(i, cycle / rate), 0, 0, 0, 1]);
  sim.stepSimulation(simulation, 10);
  touched += sim.listContactForces(simulation).filter(({ a, b }) => `${a} ${b}`.includes('arm')).length;
  computeFramePlacement(X_WT, model, data.kinematics, tool);
  away.push(Math.hypot(X_WT[9] - target[0], X_WT[10] - target[1], X_WT[11] - target[2]));
}
const half = 1000 * away.sort((a, b) => a - b)[150];
console.log(`balls touched the arm ${touched} times, plans kept: ${controller.report().kept}`);
console.log(`the tool was within ${half.toFixed(0)} mm of its target half of the time`);
