/** Targets that a nearly stretched arm reaches: every seed finds them. */
import { expect, it } from 'vitest';
import { joint, placement, robot } from '../../test/models.js';
import { computeFramePlacement, updateKinematics } from '../kinematics/forward-kinematics.js';
import { createRandom } from '../math/random.js';
import { createTransform, poseToTransform } from '../math/transform.js';
import { buildModel } from '../model/build-model.js';
import { randomConfiguration } from '../model/configuration.js';
import { createData, findFrame, type Model } from '../model/model.js';
import { createIkSolver } from './solve-ik.js';

const HALF = Math.PI / 2;
/** The seven joints of the Franka arm: origin, quarter turns about x, limits. */
const FRANKA: readonly (readonly [readonly [number, number, number], number, number, number])[] = [
  [[0, 0, 0.333], 0, -2.8973, 2.8973],
  [[0, 0, 0], -1, -1.7628, 1.7628],
  [[0, -0.316, 0], 1, -2.8973, 2.8973],
  [[0.0825, 0, 0], 1, -3.0718, -0.0698],
  [[-0.0825, 0.384, 0], -1, -2.8973, 2.8973],
  [[0, 0, 0], 1, -0.0175, 3.7525],
  [[0.088, 0, 0], 1, -2.8973, 2.8973],
];

function createFranka(): { model: Model; flange: number } {
  const joints = FRANKA.map(([xyz, turns, lower, upper], i) =>
    joint(`j${i}`, 'revolute', `l${i}`, `l${i + 1}`, {
      axis: [0, 0, 1],
      limits: { lower, upper, velocity: 2 },
      origin: placement([...xyz], [turns * HALF, 0, 0]),
    }),
  );
  const { model } = buildModel(
    robot([...joints, joint('f', 'fixed', 'l7', 'flange', { origin: placement([0, 0, 0.107]) })]),
  );
  return { model, flange: findFrame(model, 'flange') };
}

const { model, flange } = createFranka();

it('a pose at the edge is solved by every seed', () => {
  const target = poseToTransform(
    createTransform(),
    [
      0.6750181691623145, 0.212521714315685, 0.0707890658408693, -0.3778138241779435, -0.7111129757923753,
      -0.15694122443947855, 0.5717906102684688,
    ],
  );
  const solver = createIkSolver(model, flange);
  for (let seed = 1; seed <= 40; seed++) {
    const { status, positionError } = solver.solve({ target, seed });
    expect([status, positionError < 1e-6], `seed ${seed}`).toEqual(['solved', true]);
  }
});

it('so are poses of stretched and folded arms, of joints at their limits, and of both (seed 61)', () => {
  const random = createRandom(61);
  const data = createData(model);
  const target = createTransform();
  const q = new Float64Array(model.nq);
  const solver = createIkSolver(model, flange);
  for (let n = 0; n < 300; n++) {
    randomConfiguration(q, model, random);
    const near = 10 ** (-4 * random.next());
    for (let i = 0; i < 7; i++) {
      const draw = random.next();
      const [lower, upper] = [model.lower[i], model.upper[i]];
      if (i === 3 && n % 2 === 0) q[i] = upper - near * (upper - lower) * 0.05;
      else if (draw < 0.1) q[i] = lower + near * 0.01;
      else if (draw > 0.9) q[i] = upper - near * 0.01;
    }
    updateKinematics(model, data, q);
    computeFramePlacement(target, model, data, flange);
    const { status, positionError, rotationError } = solver.solve({ target, seed: n });
    expect(status, `target ${n}, off by ${positionError} m, ${rotationError} rad`).toBe('solved');
  }
});

it('moved out step by step, a pose is solved up to the edge and not beyond it, the nearest configuration is kept', () => {
  const data = createData(model);
  const target = createTransform();
  updateKinematics(model, data, Float64Array.of(0, 1.2, 0, -0.4, 0, 1.2, 0));
  computeFramePlacement(target, model, data, flange);
  const [x] = [target[9]];
  const solver = createIkSolver(model, flange);
  const errors: number[] = [];
  for (let step = 0; step < 100; step++) {
    target[9] = x + 0.002 * step;
    const { status, positionError } = solver.solve({ target, restarts: 20 });
    errors.push(status === 'solved' ? 0 : positionError);
  }
  const edge = errors.findIndex((error) => error > 0);
  expect(edge).toBeGreaterThan(0);
  for (let step = edge; step < 100; step++) {
    expect(errors[step], `step ${step}`).toBeGreaterThan(0);
    expect(errors[step], `step ${step}`).toBeLessThan(0.002 * (step - edge + 1) + 1e-4);
  }
});
