/**
 * What an accelerometer at the origin of a robot's link reads: the change of that point's velocity over the last (sub)step less gravity, in
 * the link's axes as it stands now.
 *
 * Method: velocities by the frame's Jacobian at both ends of the step. First order in the step. Cost: kinematics and two Jacobians.
 * Tested by sensors.test.ts.
 */
import { forwardKinematics } from '../kinematics/forward-kinematics.js';
import { computeFrameJacobian } from '../kinematics/frame-jacobian.js';
import { requireFloats, requireIndex, requireText } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { createTransform } from '../math/transform.js';
import { createData, setBasePlacement } from '../model/model.js';
import { carrierPlacement, requireSimulation, type Simulation } from './simulation.js';

const X = createTransform();

/** `out`: 3 numbers, m/s^2; `robot`: its number, `link`: its name. At rest the opposite of gravity, which is what it reads before the first step. */
export function readLinkAccelerometer(
  out: Float64Array,
  simulation: Simulation,
  robot: number,
  link: string,
): Float64Array {
  const call = 'readLinkAccelerometer';
  requireSimulation(call, simulation);
  requireFloats(call, 'out', out, 3);
  const { world, robots } = simulation;
  requireIndex(call, 'robot', robot, robots.length);
  requireText(call, 'link', link);
  const { model, name, q, v, qBefore, vBefore } = robots[robot];
  const number = model.linkIndex.get(link);
  const carrier = world.carrierIndex.get(`${name}/${link}`);
  if (number === undefined || carrier === undefined)
    throw new MisuseError(`${call}: link, got ${JSON.stringify(link)}, expected a link of robot "${name}"`);
  const h = world.step.step / world.step.substeps;
  const data = createData(model);
  setBasePlacement(data, world.robots[robot].base);
  const J = new Float64Array(6 * model.nv);
  const a = Float64Array.from(world.gravity, (g) => -g);
  if (simulation.state[1] > 0)
    for (const [place, speed, sign] of [
      [q, v, 1],
      [qBefore, vBefore, -1],
    ] as const) {
      forwardKinematics(model, data, place);
      computeFrameJacobian(J, model, data, model.linkFrames[number], 'local-world-aligned');
      for (let r = 0; r < 3; r++)
        for (let k = 0; k < model.nv; k++) a[r] += (sign * J[r * model.nv + k] * speed[k]) / h;
    }
  carrierPlacement(X, simulation, carrier);
  for (let k = 0; k < 3; k++) out[k] = X[k] * a[0] + X[3 + k] * a[1] + X[6 + k] * a[2];
  return out;
}
