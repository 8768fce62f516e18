// A one-legged robot hops forward: it stands, flies, lands with an impulse and stands again, in one problem of optimal control.
import { buildModel, createData, createTransform, findFrame, forwardKinematics } from 'clearance';
import {
  createControlResidual,
  createFrameTranslationResidual,
  createImpulseStage,
  createRobotSpace,
  createRobotStage,
  createRobotTerminal,
  createStateResidual,
  createWeightedQuadratic,
  solveShooting,
} from 'clearance/control';
import { computeFramePlacement } from 'clearance/kinematics';

const at = (x, y, z) => Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, x, y, z);
const inertial = (mass, z, i) => ({ mass, origin: at(0, 0, z), inertia: [i, 0, 0, i, 0, i] });
const joint = (name, type, parent, child, origin, axis) => ({ name, type, parent, child, origin, axis });
const { model } = buildModel({
  name: 'hopper',
  links: [
    { name: 'world' },
    { name: 'carriage' },
    { name: 'body', inertial: inertial(5, 0, 0.05) },
    { name: 'thigh', inertial: inertial(0.4, -0.15, 0.003) },
    { name: 'shank', inertial: inertial(0.3, -0.15, 0.002) },
    { name: 'foot' },
  ],
  joints: [
    joint('forward', 'prismatic', 'world', 'carriage', at(0, 0, 0), [1, 0, 0]),
    joint('up', 'prismatic', 'carriage', 'body', at(0, 0, 0), [0, 0, 1]),
    joint('hip', 'revolute', 'body', 'thigh', at(0, 0, 0), [0, 1, 0]),
    joint('knee', 'revolute', 'thigh', 'shank', at(0, 0, -0.3), [0, 1, 0]),
    joint('ankle', 'fixed', 'shank', 'foot', at(0, 0, -0.3), [1, 0, 0]),
  ].map((each) => ({ ...each, limits: { lower: -10, upper: 10 } })),
});
const foot = findFrame(model, 'foot');
const contacts = [{ kind: 'point', frame: foot }];

// The knee is bent, the foot below the hip.
const stance = (x) => Float64Array.of(x, 0.6 * Math.cos(0.6), -0.6, 1.2, 0, 0, 0, 0);
const stand = (x, weights) => ({
  residual: createStateResidual(createRobotSpace(model), stance(x)),
  weight: 1,
  activation: createWeightedQuadratic(weights),
});
const footTo = (place, weight) => ({ residual: createFrameTranslationResidual(model, 'foot', place), weight });
const costs = [
  { residual: createControlResidual(2), weight: 1e-3 },
  stand(0.2, [0, 0, 0.1, 0.1, 1e-3, 1e-3, 1e-3, 1e-3]),
];
const common = { model, dt: 0.01, actuation: [0, 0, 0, 0, 1, 0, 0, 1] };
const holding = createRobotStage({ ...common, costs, contacts, stabilisation: { damping: 20 } });
const flying = createRobotStage({ ...common, costs });
const apex = createRobotStage({ ...common, costs: [...costs, footTo([0.2, 0, 0.12], 20)] });
const landing = createImpulseStage({ model, contacts, costs: [footTo([0.4, 0, 0], 1e5)] });
const phase = (stage, count) => new Array(count).fill(stage);
const flight = [...phase(flying, 14), apex, apex, ...phase(flying, 14)];
const stages = [...phase(holding, 30), ...flight, landing, ...phase(holding, 30)];
const terminal = createRobotTerminal(model, [stand(0.4, [1000, 1000, 100, 100, 100, 100, 100, 100])]);
const states = Array.from({ length: stages.length + 1 }, (_, k) => stance((0.4 * k) / stages.length));
const hop = solveShooting({ start: stance(0), stages, terminal }, { states, iterations: 300 });

const data = createData(model);
const feet = hop.states.map((x) => {
  forwardKinematics(model, data, x.subarray(0, 4));
  return computeFramePlacement(createTransform(), model, data, foot).slice(9);
});
console.log(`${hop.status} after ${hop.iterations} iterations, gap ${hop.gap}`);
console.log(`in the air the foot is up to ${Math.max(...feet.map(([, , z]) => z)).toFixed(2)} m high`);
console.log(`it lands at ${feet[60][0].toFixed(3)} m, ${Math.abs(feet[60][2]).toFixed(3)} m above the ground`);
const [before, after] = [hop.states[60][5], hop.states[61][5]].map((v) => (-v).toFixed(2));
console.log(`the body sinks at ${before} m/s, after the impulse at ${after} m/s`);
console.log(`it ends at ${hop.states[stages.length][0].toFixed(2)} m`);
