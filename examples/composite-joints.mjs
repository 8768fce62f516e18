// Joints beyond URDF's: a universal joint, and one composed of a rail, a screw and a ball that act as one.
import { buildModel, createData, createTransform, findFrame, forwardKinematics } from 'clearance';
import { aba, createDynamicsData, rnea } from 'clearance/dynamics';
import { computeFramePlacement } from 'clearance/kinematics';
import { integrateConfiguration } from 'clearance/model';

const identity = createTransform();
const at = (x, y, z) => Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, x, y, z);
const inertial = { mass: 2, origin: at(0, 0, 0.1), inertia: [0.02, 0, 0, 0.02, 0, 0.01] };
const { model } = buildModel({
  name: 'crane',
  links: [{ name: 'base' }, { name: 'mast', inertial }, { name: 'load', inertial }],
  joints: [
    {
      name: 'foot',
      type: 'universal',
      parent: 'base',
      child: 'mast',
      origin: identity,
      axis: [1, 0, 0],
      secondAxis: [0, 1, 0],
      limits: { lower: -0.5, upper: 0.5 },
    },
    {
      name: 'carriage',
      type: 'composite',
      parent: 'mast',
      child: 'load',
      origin: at(0, 0, 0.5),
      axis: [1, 0, 0],
      parts: [
        { type: 'prismatic', axis: [1, 0, 0], limits: { lower: -0.4, upper: 0.4 } },
        { type: 'helical', axis: [0, 0, 1], pitch: 0.01 },
        { type: 'spherical', origin: at(0, 0, -0.2) },
      ],
    },
  ],
});
console.log(`${model.nq} coordinates, ${model.nv} velocities`);

// Two turns, the rail, the screw, the ball: one coordinate per velocity but for the ball's quaternion.
const q = Float64Array.of(0, 0, 0.3, 4 * Math.PI, 0, 0, 0, 1);
const data = createData(model);
const X_WL = createTransform();
const place = () => {
  forwardKinematics(model, data, q);
  computeFramePlacement(X_WL, model, data, findFrame(model, 'load'));
  return Array.from(X_WL.subarray(9), (x) => x.toFixed(3)).join(' ');
};
console.log(`two turns of the screw: ${place()}`);
integrateConfiguration(q, model, q, Float64Array.of(0.2, 0, 0, 0, 0, 0, 0.5));
console.log(`mast leans, ball turns: ${place()}`);

const dynamics = createDynamicsData(model);
const v = Float64Array.from({ length: model.nv }, (_, i) => 0.1 * i);
const torque = new Float64Array(model.nv);
const status = aba(model, dynamics, q, v, torque);
const back = rnea(model, dynamics, q, v, dynamics.ddq.slice());
const [fall, left] = [dynamics.ddq, back].map((values) => Math.max(...Array.from(values, Math.abs)));
console.log(
  `falls freely: ${status}, accelerations up to ${fall.toFixed(1)}, which ask for torques of ${left.toFixed(6)}`,
);
