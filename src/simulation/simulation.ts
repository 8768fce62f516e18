/**
 * A state of a world and what stepping it needs. All that later steps depend on is in `state` and `contacts` (with its impulses), so a
 * snapshot of the two goes on to the same bits.
 *
 *   array    stride  index   content
 *   state    1               t, steps done; then per body: centre of mass 3, quaternion of C 4, velocity 3, angular velocity 3, rest time 1;
 *                            then per robot: q, v, rest time
 *   forces   6       body    force and moment about the centre of mass, world axes; kept until changed
 *   velocity 1       V       velocities after the last step, in the order of world.ts
 */
import { requireIndex, requireLength, requireNumbers, requireObject, requireText } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { mat3ToQuat, quatToMat3 } from '../math/quat.js';
import { createTransform, multiplyTransform, type Pose, type Transform, transformToPose } from '../math/transform.js';
import { ConstraintSet } from './constraint-set.js';
import { ContactSet } from './contact-set.js';
import { createGeometryPlaces, type GeometryPlaces, placeGeometries } from './geometry-places.js';
import { RobotState } from './robot-state.js';
import type { StepReport } from './step-report.js';
import { LINK, readPose, requireWorld, type World } from './world.js';

export const BODY_STRIDE = 14;
export const FIRST_BODY = 2;

/** Sets torques and forces for the step that begins at t: writes to `robots[i].torques` and `forces`. */
export type Controller = (simulation: Simulation, t: number) => void;

export interface Simulation {
  readonly world: World;
  readonly state: Float64Array;
  readonly robots: readonly RobotState[];
  readonly contacts: ContactSet;
  readonly constraints: ConstraintSet;
  readonly places: GeometryPlaces;
  readonly forces: Float64Array;
  readonly velocity: Float64Array;
  readonly controllers: Controller[];
  /** Of the last step. */
  readonly report: StepReport;
  /** X_WC, 12 per body. */
  readonly bodyPlacements: Float64Array;
}

/** The world at its start. */
export function createSimulation(world: World): Simulation {
  requireWorld('createSimulation', world);
  const stateLength =
    FIRST_BODY +
    BODY_STRIDE * world.bodies.length +
    world.robots.reduce((n, { model }) => n + model.nq + model.nv + 1, 0);
  const state = new Float64Array(stateLength);
  const forces = new Float64Array(6 * world.bodies.length);
  const bodyPlacements = new Float64Array(12 * world.bodies.length);
  let at = FIRST_BODY;
  for (const { start, velocity } of world.bodies) {
    state.set(start.subarray(9), at);
    state.set(mat3ToQuat(new Float64Array(4), start), at + 3);
    state.set(velocity, at + 7);
    at += BODY_STRIDE;
  }
  const robots = world.robots.map((robot) => {
    const { nq, nv } = robot.model;
    const own = new RobotState(robot, world, state.subarray(at, at + nq), state.subarray(at + nq, at + nq + nv + 1));
    at += nq + nv + 1;
    return own;
  });
  const report: StepReport = {
    contacts: 0,
    islands: 0,
    sleeping: 0,
    penetration: 0,
    residual: 0,
    iterations: 0,
    status: 'ok',
  };
  const simulation: Simulation = {
    world,
    state,
    robots,
    contacts: new ContactSet(),
    constraints: new ConstraintSet(),
    places: createGeometryPlaces(world),
    forces,
    velocity: new Float64Array(world.velocityCount),
    controllers: [],
    report,
    bodyPlacements,
  };
  refreshPlacements(simulation);
  return simulation;
}

/** Brings everything that follows from `state` up to date: call it after writing to it. */
export function refreshPlacements(simulation: Simulation): void {
  requireSimulation('refreshPlacements', simulation);
  const { state, bodyPlacements: X, world } = simulation;
  for (let i = 0; i < world.bodies.length; i++) {
    const s = FIRST_BODY + BODY_STRIDE * i;
    placeBody(X, 12 * i, state, s);
  }
  for (const robot of simulation.robots) robot.place();
  placeGeometries(simulation.places, world, X, simulation.robots);
}

const rotation = new Float64Array(9);
const quaternion = new Float64Array(4);

export function placeBody(X: Float64Array, x: number, state: Float64Array, s: number): void {
  for (let k = 0; k < 4; k++) quaternion[k] = state[s + 3 + k];
  quatToMat3(rotation, quaternion);
  for (let k = 0; k < 9; k++) X[x + k] = rotation[k];
  for (let k = 0; k < 3; k++) X[x + 9 + k] = state[s + k];
}

/** Index of a body or robot by name. Throws where there is none. */
export function findBody(simulation: Simulation, name: string): number {
  requireSimulation('findBody', simulation);
  requireText('findBody', 'name', name);
  const found = simulation.world.bodies.findIndex((body) => body.name === name);
  if (found < 0) throw new MisuseError(`findBody: name, got ${JSON.stringify(name)}, expected the name of a body`);
  return found;
}

export function findRobot(simulation: Simulation, name: string): number {
  requireSimulation('findRobot', simulation);
  requireText('findRobot', 'name', name);
  const found = simulation.world.robots.findIndex((robot) => robot.name === name);
  if (found < 0) throw new MisuseError(`findRobot: name, got ${JSON.stringify(name)}, expected the name of a robot`);
  return found;
}

export function requireSimulation(call: string, simulation: unknown): void {
  requireObject(call, 'simulation', simulation, 'what createSimulation returned');
  const { state, world } = simulation as Partial<Simulation>;
  if (!(state instanceof Float64Array) || typeof world !== 'object' || world === null)
    throw new MisuseError(`${call}: simulation, got no state, expected what createSimulation returned`);
}

const X_WB = createTransform();

/** out = the pose of a body's own frame. */
export function bodyPose(out: Float64Array, simulation: Simulation, body: number): Float64Array {
  requireSimulation('bodyPose', simulation);
  requireLength('bodyPose', 'out', out, 7);
  requireIndex('bodyPose', 'body', body, simulation.world.bodies.length);
  const X_WC = simulation.bodyPlacements.subarray(12 * body, 12 * body + 12);
  multiplyTransform(X_WB, X_WC, simulation.world.bodies[body].inverseFrame);
  return transformToPose(out, X_WB);
}

/** Puts a body's frame elsewhere; velocities stay as they are, and contacts begin anew. */
export function setBodyPose(simulation: Simulation, body: number, pose: Pose): void {
  requireSimulation('setBodyPose', simulation);
  requireIndex('setBodyPose', 'body', body, simulation.world.bodies.length);
  requireNumbers('setBodyPose', 'pose', pose, 7);
  const X = readPose('setBodyPose', 'pose', pose);
  const X_WC = multiplyTransform(createTransform(), X, simulation.world.bodies[body].frame);
  const s = FIRST_BODY + BODY_STRIDE * body;
  simulation.state.set(X_WC.subarray(9), s);
  simulation.state.set(mat3ToQuat(new Float64Array(4), X_WC), s + 3);
  simulation.state[s + 13] = 0;
  refreshPlacements(simulation);
}

/** Velocity of the centre of mass and angular velocity, world axes. */
export function setBodyVelocity(simulation: Simulation, body: number, velocity: ArrayLike<number>): void {
  requireSimulation('setBodyVelocity', simulation);
  requireIndex('setBodyVelocity', 'body', body, simulation.world.bodies.length);
  const s = FIRST_BODY + BODY_STRIDE * body;
  requireNumbers('setBodyVelocity', 'velocity', velocity, 6);
  for (let k = 0; k < 6; k++) simulation.state[s + 7 + k] = velocity[k];
  simulation.state[s + 13] = 0;
}

/** X of a carrier's frame in the world: a static, a body, or a link. */
export function carrierPlacement(out: Transform, simulation: Simulation, carrier: number): Transform {
  requireSimulation('carrierPlacement', simulation);
  requireLength('carrierPlacement', 'out', out, 12);
  const { world, bodyPlacements, robots } = simulation;
  requireIndex('carrierPlacement', 'carrier', carrier, world.carriers.length);
  const { kind, index, joint, frame } = world.carriers[carrier];
  if (kind === 0) out.set(frame);
  else {
    const X = kind === LINK ? robots[index].data.kinematics.jointPlacements : bodyPlacements;
    const at = kind === LINK ? 12 * joint : 12 * index;
    multiplyTransform(out, X.subarray(at, at + 12), frame);
  }
  return out;
}
