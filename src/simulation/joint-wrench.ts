/**
 * What force-torque sensors in joints would read.
 *
 * Method: the force that a joint transmits is what all bodies beyond it need for the accelerations of the last step, (v+ - v) / h at the
 * q and v that it began with, less what contacts and joins put on them: inverse dynamics with external forces (dynamics/rnea.ts). That is
 * the equation the step solved, so its part along the joint is what drives, limits and friction did there, to the solver's residual.
 * Frames: the joint's own moving frame, at its origin. Cost: one inverse dynamics per call. Tested by joint-wrench.test.ts.
 */
import { createDynamicsData, type DynamicsData } from '../dynamics/dynamics-data.js';
import { rnea } from '../dynamics/rnea.js';
import { forwardKinematics } from '../kinematics/forward-kinematics.js';
import { requireFloats, requireIndex, requireText } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { setBasePlacement } from '../model/model.js';
import type { RobotState } from './robot-state.js';
import { requireSimulation, type Simulation } from './simulation.js';
import { joinsOf } from './step.js';
import { LINK, type World } from './world.js';

interface Scratch {
  readonly data: DynamicsData;
  readonly forces: Float64Array;
  readonly acceleration: Float64Array;
}

const scratches = new WeakMap<RobotState, Scratch>();
function scratchOf(robot: RobotState, { gravity, robots }: World, index: number): Scratch {
  let found = scratches.get(robot);
  if (!found) {
    const { model } = robot;
    const { armature } = robots[index].options;
    const data = createDynamicsData(model, { gravity, ...(armature && { armature }) });
    setBasePlacement(data.kinematics, robots[index].base);
    found = { data, forces: new Float64Array(6 * model.jointCount), acceleration: new Float64Array(model.nv) };
    scratches.set(robot, found);
  }
  return found;
}

const point = new Float64Array(3);
const push = new Float64Array(6);

/**
 * Force and moment (N, N m) that a moving joint put on the body beyond it in the last step, in the joint's frame: [force, moment], to
 * `out`. `robot`: its number; `joint`: its name. 0 before the first step, and of the last substep where there are several. Throws where the
 * robot has no such joint, or it does not move (bodies that are fixed to each other are one).
 */
export function readJointWrench(out: Float64Array, simulation: Simulation, robot: number, joint: string): Float64Array {
  const call = 'readJointWrench';
  requireSimulation(call, simulation);
  requireFloats(call, 'out', out, 6);
  requireIndex(call, 'robot', robot, simulation.world.robots.length);
  requireText(call, 'joint', joint);
  const own = simulation.robots[robot];
  const { model, qBefore, vBefore } = own;
  const number = model.jointIndex.get(joint) ?? 0;
  if (number < 1)
    throw new MisuseError(
      `${call}: joint, got ${JSON.stringify(joint)}, expected a joint of robot "${own.name}" that moves`,
    );
  if (simulation.state[1] === 0) return out.fill(0);
  const { data, forces, acceleration } = scratchOf(own, simulation.world, robot);
  const h = simulation.world.step.step / simulation.world.step.substeps;
  const V = simulation.velocity;
  for (let k = 0; k < model.nv; k++) acceleration[k] = (V[own.firstV + k] - vBefore[k]) / h;
  forwardKinematics(model, data.kinematics, qBefore);
  forces.fill(0);
  addContacts(simulation, robot, data, forces, h);
  addJoins(simulation, robot, data, forces, h);
  rnea(model, data, qBefore, vBefore, acceleration, forces);
  for (let k = 0; k < 6; k++) out[k] = data.forces[6 * number + k];
  return out;
}

function addContacts({ contacts, world }: Simulation, robot: number, data: DynamicsData, out: Float64Array, h: number) {
  const { firsts, seconds, points, impulses } = contacts;
  push.fill(0);
  for (let c = 0; c < contacts.count; c++) {
    for (let k = 0; k < 3; k++) {
      push[k] = impulses[3 * c + k] / h;
      point[k] = points[3 * c + k];
    }
    addForce(world, firsts[c], robot, data, out, -1);
    addForce(world, seconds[c], robot, data, out, 1);
  }
}

function addJoins(simulation: Simulation, robot: number, data: DynamicsData, out: Float64Array, h: number): void {
  const { world, constraints: set } = simulation;
  for (const join of joinsOf(simulation)) {
    push.fill(0);
    if (join.block < 0) continue;
    for (let r = 0; r < join.rows; r++) {
      const f = set.impulses[set.rows[join.block + r]] / h;
      for (let k = 0; k < 3; k++) push[(r < 3 ? 0 : 3) + k] += f * join.axes[3 * (r % 3) + k];
    }
    point.set(join.point);
    addForce(world, join.a, robot, data, out, -1);
    if (join.b >= 0) addForce(world, join.b, robot, data, out, 1);
  }
}

/** `push` at `point`, world axes, on a carrier if it is a link of the robot: in its joint's frame. */
function addForce(
  { carriers }: World,
  carrier: number,
  robot: number,
  { kinematics: { jointPlacements: X } }: DynamicsData,
  out: Float64Array,
  sign: number,
): void {
  const { kind, index, joint } = carriers[carrier];
  if (kind !== LINK || index !== robot || joint < 1) return;
  const x = 12 * joint;
  const rx = point[0] - X[x + 9];
  const ry = point[1] - X[x + 10];
  const rz = point[2] - X[x + 11];
  const [fx, fy, fz] = push;
  const mx = push[3] + ry * fz - rz * fy;
  const my = push[4] + rz * fx - rx * fz;
  const mz = push[5] + rx * fy - ry * fx;
  for (let k = 0; k < 3; k++) {
    out[6 * joint + k] += sign * (X[x + k] * fx + X[x + 3 + k] * fy + X[x + 6 + k] * fz);
    out[6 * joint + 3 + k] += sign * (X[x + k] * mx + X[x + 3 + k] * my + X[x + 6 + k] * mz);
  }
}
