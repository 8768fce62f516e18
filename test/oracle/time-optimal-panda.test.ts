/**
 * Time-optimal motion of the Panda under its velocity and torque limits, the torques checked again by inverse dynamics on a
 * grid ten times finer than the one used. Model and inertias: the reference file; limits: the robot's data sheet.
 */
import { describe, expect, test } from 'vitest';
import { createDynamicsData } from '../../src/dynamics/dynamics-data.js';
import { rnea } from '../../src/dynamics/rnea.js';
import { createRandom } from '../../src/math/random.js';
import { buildModel } from '../../src/model/build-model.js';
import { createBlendedPath } from '../../src/trajectory/blended-path.js';
import { createLimits } from '../../src/trajectory/limits.js';
import { PathConstraints } from '../../src/trajectory/path-constraints.js';
import { createSplinePath } from '../../src/trajectory/spline-path.js';
import { parameterizeTimeOptimal } from '../../src/trajectory/time-optimal.js';
import { minimizeTime } from '../../src/trajectory/time-reference.test-support.js';
import { createTrajectoryPoint } from '../../src/trajectory/trajectory.js';
import { validateTrajectory } from '../../src/trajectory/validate-trajectory.js';
import { needsShared, sharedPath } from '../shared.js';
import { readOracleModel, toDescription } from './dynamics-data.js';

const isAbsent = sharedPath('oracles', 'dynamics') === null;
/** Velocities rad/s and torques N m of the seven joints; the two fingers (m/s, N) rest. */
const velocity = [2.175, 2.175, 2.175, 2.175, 2.61, 2.61, 2.61, 0.05, 0.05];
const torque = [87, 87, 87, 87, 12, 12, 12, 20, 20];
const lower = [-2.8, -1.7, -2.8, -3.0, -2.8, 0, -2.8];
const upper = [2.8, 1.7, 2.8, -0.1, 2.8, 3.7, 2.8];

describe.skipIf(isAbsent)(`Panda${needsShared('oracles', 'dynamics')}`, () => {
  test.each(['spline', 'blend'] as const)('torque-limited, %s paths: limits kept, as fast as the reference', (kind) => {
    const { model } = buildModel(toDescription(readOracleModel('panda')));
    const data = createDynamicsData(model);
    const random = createRandom(7);
    const limits = createLimits(model, { velocity, torque });
    for (let n = 0; n < 5; n++) {
      const waypoints = Array.from({ length: 4 }, () =>
        Float64Array.from({ length: 9 }, (_, k) => (k < 7 ? random.uniform(lower[k], upper[k]) : 0.02)),
      );
      const path =
        kind === 'spline'
          ? createSplinePath(model, waypoints)
          : createBlendedPath(model, waypoints, { deviation: 0.1 });
      const { status, trajectory, usage } = parameterizeTimeOptimal(path, { limits, intervals: 400 });
      expect(status).toBe('solved');
      expect(usage).toBeLessThanOrEqual(1 + 1e-6);
      const { law } = trajectory!;
      const point = createTrajectoryPoint(model);
      const most = { velocity: 0, torque: 0 };
      for (let i = 0; i < law.speeds.length; i++) {
        for (let part = 0; part < 10; part++) {
          trajectory!.evaluate(point, law.times[i] + ((law.times[i + 1] - law.times[i]) * part) / 10);
          const tau = rnea(model, data, point.q, point.v, point.a);
          for (let k = 0; k < model.nv; k++) {
            most.velocity = Math.max(most.velocity, Math.abs(point.v[k]) / velocity[k]);
            most.torque = Math.max(most.torque, Math.abs(tau[k]) / torque[k]);
          }
        }
      }
      expect(most.velocity).toBeLessThanOrEqual(1 + 1e-6);
      expect(most.torque).toBeLessThanOrEqual(1 + 1e-6);
      expect(Math.max(most.velocity, most.torque)).toBeGreaterThan(0.999);
      expect(validateTrajectory(trajectory!, { limits, dt: trajectory!.duration / 2000 }).first).toBeNull();
      // The shortest time for the same grid and rows.
      const reference = minimizeTime(new PathConstraints(path, limits, data), law);
      const ratio = trajectory!.duration / reference;
      console.log(
        `${kind} ${n}: ${trajectory!.duration.toFixed(4)} s, ${(100 * (ratio - 1)).toFixed(3)} % above the reference; ` +
          `ten times finer: velocity within ${(most.velocity - 1).toExponential(1)} of its limit, torque ${(most.torque - 1).toExponential(1)}`,
      );
      expect(ratio).toBeLessThan(1.01);
      expect(ratio).toBeGreaterThan(0.999);
    }
  });
});
