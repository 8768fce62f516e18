/**
 * How far simulated motions are from closed forms, over the step, and the residual of Gauss-Seidel over its iterations. No peer and no
 * time: `ours` is the error, the slope between steps its order. With --report the curves are written as SVG.
 *
 * fall: height after 1 s; tumble: largest change of energy of a torque-free body over 4 s; pendulum: angle of a small swing after 1 s;
 * slide: stopping distance v^2 / (2 mu g); roll: speed when sliding has become rolling, 5/7; bounce: height e^2.
 */
import { createRandom } from '../../dist/esm/math.js';
import { buildModel } from '../../dist/esm/model.js';
import {
  computeEnergy,
  createSimulation,
  createWorld,
  restoreSnapshot,
  stepSimulation,
  takeSnapshot,
} from '../../dist/esm/simulation.js';
import { lineChart } from '../plot.mjs';

const G = 9.81;
const STEPS = [0.008, 0.004, 0.002, 0.001, 0.0005];
const ground = { name: 'ground', shapes: [{ shape: { type: 'halfspace', normal: [0, 0, 1], offset: 0 } }] };
const block = (more) => ({
  name: 'b',
  shapes: [{ shape: { type: 'box', size: [1, 1, 0.2] } }],
  pose: [0, 0, 0.1, 0, 0, 0, 1],
  ...more,
});
const start = (options) => createSimulation(createWorld(options));

function fall(step, integrator) {
  const body = {
    name: 'b',
    shapes: [],
    inertia: { mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] },
    velocity: [1, 0, 2, 0, 0, 0],
  };
  const simulation = start({ bodies: [body], step, integrator });
  stepSimulation(simulation, Math.round(1 / step));
  return Math.abs(simulation.state[4] - (2 - G / 2));
}

function tumble(step, integrator) {
  const body = {
    name: 'b',
    shapes: [],
    inertia: { mass: 1, inertia: [1, 0, 0, 0, 2, 0, 0, 0, 3] },
    velocity: [0, 0, 0, 0.1, 3, 0.2],
  };
  const simulation = start({ gravity: [0, 0, 0], bodies: [body], step, integrator });
  const energy = computeEnergy(simulation).total;
  let worst = 0;
  for (let i = 0; i < 4 / step; i++) {
    stepSimulation(simulation);
    worst = Math.max(worst, Math.abs(computeEnergy(simulation).total / energy - 1));
  }
  return worst;
}

function pendulum(step, integrator) {
  const inertial = {
    mass: 1,
    origin: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -0.5],
    inertia: [1 / 12, 0, 0, 1 / 12, 0, 1e-3],
  };
  const joints = [
    {
      name: 'hinge',
      type: 'continuous',
      parent: 'base',
      child: 'rod',
      origin: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
      axis: [0, 1, 0],
    },
  ];
  const asFloats = (value) => ({ ...value, origin: Float64Array.from(value.origin) });
  const { model } = buildModel({
    name: 'p',
    links: [{ name: 'base' }, { name: 'rod', inertial: asFloats(inertial) }],
    joints: joints.map(asFloats),
  });
  const simulation = start({ robots: [{ name: 'p', model, shapes: [], q: [1e-6] }], step, integrator });
  stepSimulation(simulation, Math.round(1 / step));
  const omega = Math.sqrt((G * 0.5) / (1 / 12 + 0.25));
  return Math.abs(simulation.robots[0].q[0] / 1e-6 - Math.cos(omega));
}

function slide(step) {
  const simulation = start({ statics: [ground], bodies: [block({ velocity: [10, 0, 0, 0, 0, 0], mass: 2 })], step });
  stepSimulation(simulation, Math.round(2.5 / step));
  return Math.abs(simulation.state[2] / (100 / (2 * 0.5 * G)) - 1);
}

function roll(step) {
  const ball = {
    name: 'b',
    shapes: [{ shape: { type: 'sphere', radius: 0.1 } }],
    pose: [0, 0, 0.1, 0, 0, 0, 1],
    velocity: [2, 0, 0, 0, 0, 0],
  };
  const simulation = start({ statics: [ground], bodies: [ball], step });
  stepSimulation(simulation, Math.round(1 / step));
  return Math.abs(simulation.state[9] / (10 / 7) - 1);
}

function bounce(step) {
  const shapes = [{ shape: { type: 'sphere', radius: 0.1 }, material: { restitution: 0.8 } }];
  const simulation = start({ statics: [ground], bodies: [{ name: 'b', shapes, pose: [0, 0, 1.1, 0, 0, 0, 1] }], step });
  let top = 0;
  let hasBounced = false;
  for (let i = 0; i < 1.2 / step; i++) {
    stepSimulation(simulation);
    hasBounced ||= simulation.state[11] > 0;
    if (hasBounced) top = Math.max(top, simulation.state[4] - 0.1);
  }
  return Math.abs(top / 0.64 - 1);
}

/** One step of a pile that is falling together, solved with ever more iterations. */
function* sweepPile() {
  const random = createRandom(3);
  const bodies = Array.from({ length: 16 }, (_, i) => ({
    name: `b${i}`,
    shapes: [{ shape: { type: 'box', size: [0.4, 0.3, 0.5] } }],
    pose: [random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), 0.4 + 0.55 * i, 0, 0, 0, 1],
  }));
  const options = { statics: [ground], bodies, step: 0.002 };
  const settled = start(options);
  stepSimulation(settled, 400);
  const from = takeSnapshot(settled);
  for (const iterations of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048]) {
    const simulation = start({ ...options, solver: 'gauss-seidel', iterations, tolerance: 0 });
    restoreSnapshot(simulation, from);
    stepSimulation(simulation);
    yield [iterations, Math.max(simulation.report.residual, 1e-16)];
  }
}

const MOTIONS = [
  ['fall', fall, ['semi-implicit', 'rk4']],
  ['tumble', tumble, ['semi-implicit', 'rk4']],
  ['pendulum', pendulum, ['semi-implicit', 'rk4']],
  ['slide', slide, ['rigid']],
  ['roll', roll, ['rigid']],
  ['bounce', bounce, ['rigid']],
];

const row = (name, ours, curve, point) => ({
  ...{
    suite: 'simulation-error',
    case: name,
    ours,
    peer: null,
    peerName: null,
    ratio: null,
    unit: '',
    n: 1,
    spread: 0,
  },
  ...{ curve, point },
});

export function* run({ only = null }) {
  for (const [name, measure, ways] of MOTIONS)
    for (const way of ways) {
      if (only !== null && !name.includes(only)) continue;
      for (const step of STEPS) {
        const error = measure(step, way);
        yield row(`${name}, ${way}, ${step} s`, error, `${name}, ${way}`, [step, Math.max(error, 1e-16)]);
      }
    }
  if (only !== null && !'sweeps'.includes(only)) return;
  for (const [iterations, residual] of sweepPile())
    yield row(`sweeps, ${iterations}`, residual, 'sweeps', [iterations, residual]);
}

function groupByCurve(rows) {
  const curves = new Map();
  for (const one of rows) curves.set(one.curve, [...(curves.get(one.curve) ?? []), one]);
  return curves;
}

/** Order: the slope from the first to the third step, of errors above rounding. */
export function derive(rows) {
  return [...groupByCurve(rows)].flatMap(([curve, list]) => {
    const points = list.map(({ point }) => point).filter(([, error]) => error > 1e-11);
    if (curve === 'sweeps' || points.length < 2) return [];
    const [[h0, e0], [h1, e1]] = [points[0], points[Math.min(2, points.length - 1)]];
    return [row(`order of ${curve}`, Math.log(e0 / e1) / Math.log(h0 / h1), curve, [0, 0])];
  });
}

export function plot(rows) {
  const curves = groupByCurve(rows.filter(({ derived }) => !derived));
  const series = [...curves].map(([name, list]) => ({ name, points: list.map(({ point }) => point) }));
  const motions = series.filter(({ name }) => name !== 'sweeps');
  const sweeps = series.filter(({ name }) => name === 'sweeps');
  const files = [];
  if (motions.length > 0)
    files.push({
      name: 'simulation-error.svg',
      content: lineChart({ title: 'Error of simulated motions', xLabel: 'step, s', yLabel: 'error', series: motions }),
    });
  if (sweeps.length > 0)
    files.push({
      name: 'simulation-sweeps.svg',
      content: lineChart({
        title: 'Gauss-Seidel on a pile',
        xLabel: 'iterations',
        yLabel: 'residual, m/s',
        series: sweeps,
      }),
    });
  return files;
}
