/** Examples of arguments (see doors.ts) for simulations. */
import { buildModel } from '../../../src/model.js';
import { createSimulation, createWorld, type Simulation, takeSnapshot } from '../../../src/simulation.js';
import type { Door } from './door.js';
import { either, exactly, loose, maybe, output } from './slot.js';

const sphere = { type: 'sphere', radius: 0.1 } as const;
const pose = [0, 0, 1, 0, 0, 0, 1] as const;
const make = (): Simulation =>
  createSimulation(createWorld({ bodies: [{ name: 'ball', shapes: [{ shape: sphere }], pose }] }));
/** With a robot of one hinge. */
const armed = (): Simulation => {
  const origin = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);
  const links = [
    { name: 'base' },
    { name: 'arm', inertial: { mass: 1, origin, inertia: [1, 0, 0, 1, 0, 1] } },
  ] as const;
  const joints = [{ name: 'turn', type: 'continuous', parent: 'base', child: 'arm', origin, axis: [0, 1, 0] }] as const;
  const { model } = buildModel({ name: 'arm', links, joints });
  return createSimulation(createWorld({ robots: [{ name: 'arm', model, shapes: [] }] }));
};
let made: Simulation | null = null;
const simulation = () => {
  made ??= make();
  return loose(made);
};
const floats = (values: readonly number[]) => {
  const value = Float64Array.from(values);
  return either(value, (x) => x instanceof Float64Array && x.length === value.length);
};
/** One contact that is pressed together. */
const problem = () => ({
  G: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
  b: Float64Array.of(-1, 0, 0),
  n: 3,
  rows: Int32Array.of(0),
  kinds: Uint8Array.of(1),
  blockCount: 1,
  frictions: Float64Array.of(0.5),
  lower: new Float64Array(3),
  upper: new Float64Array(3),
  law: 'coulomb',
  pyramidal: false,
});

const door: Door = {
  createWorld: () => ({
    options: loose({ step: 0.001, bodies: [{ name: 'ball', shapes: [{ shape: sphere }], pose }] }),
  }),
  createSimulation: () => {
    made ??= make();
    return { world: loose(made.world) };
  },
  stepSimulation: () => ({ simulation: simulation(), count: maybe(1) }),
  refreshPlacements: () => ({ simulation: simulation() }),
  findBody: () => ({ simulation: simulation(), name: 'ball' }),
  findRobot: () => ({
    simulation: loose({ state: new Float64Array(2), world: { robots: [{ name: 'arm' }] } }),
    name: 'arm',
  }),
  bodyPose: () => ({ out: output(new Float64Array(7)), simulation: simulation(), body: 0 }),
  setBodyPose: () => ({ simulation: simulation(), body: 0, pose: exactly([...pose]) }),
  setBodyVelocity: () => ({ simulation: simulation(), body: 0, velocity: exactly([0, 0, 0, 0, 0, 0]) }),
  carrierPlacement: () => ({ out: output(new Float64Array(12)), simulation: simulation(), carrier: 0 }),
  createJointController: () => ({
    simulation: loose(armed()),
    options: loose({ robot: 'arm', target: { q: [0] }, stiffness: 1, damping: 1 }),
  }),
  createTaskController: () => ({
    simulation: loose(armed()),
    options: loose({
      ...{ robot: 'arm', link: 'arm', type: 'impedance', target: [...pose] },
      ...{ stiffness: [1, 1], damping: [1, 1] },
    }),
  }),
  takeSnapshot: () => ({ simulation: simulation() }),
  restoreSnapshot: () => {
    made ??= make();
    const snapshot = takeSnapshot(made);
    return { simulation: loose(made), snapshot: either(snapshot, (x) => x instanceof Float64Array) };
  },
  forkSimulation: () => ({ simulation: simulation() }),
  computeEnergy: () => ({ simulation: simulation() }),
  computeMomentum: () => ({ out: floats([0, 0, 0, 0, 0, 0]), simulation: simulation() }),
  describeState: () => ({ simulation: simulation() }),
  listFrames: () => ({ simulation: simulation() }),
  listContactForces: () => ({ simulation: simulation() }),
  readJointWrench: () => ({
    out: floats([0, 0, 0, 0, 0, 0]),
    simulation: loose(armed()),
    robot: 0,
    joint: 'turn',
  }),
  readAccelerometer: () => ({
    out: floats([0, 0, 0]),
    simulation: simulation(),
    body: 0,
    before: exactly([0, 0, 0]),
  }),
  readContactWrench: () => ({ out: floats([0, 0, 0, 0, 0, 0]), simulation: simulation(), carrier: 0 }),
  readLinkAccelerometer: () => ({
    out: floats([0, 0, 0]),
    simulation: loose(armed()),
    robot: 0,
    link: 'arm',
  }),
  castRayFan: () => ({
    out: floats([0]),
    simulation: simulation(),
    from: exactly([0, 0, 0]),
    directions: exactly([0, 0, 1]),
    range: 10,
    except: maybe(-1),
  }),
  contactResidual: () => ({
    problem: loose(problem()),
    f: floats([0, 0, 0]),
    w: floats([0, 0, 0]),
  }),
  solveContacts: () => ({
    f0: floats([0, 0, 0]),
    problem: loose(problem()),
    options: maybe({ iterations: maybe(10), tolerance: maybe(1e-9) }),
  }),
  computeContactForces: () => ({
    f: floats([0, 0, 0]),
    problem: loose({ A: Float64Array.of(1, 0, 0), wrench: Float64Array.of(2), frictions: [0.5] }),
  }),
  toWorldOptions: () => ({
    description: loose({
      scene: { version: 1, objects: [], robots: [], attached: [] },
      simulation: { version: 1, settings: {}, bodies: [], materials: [], robots: [], joins: [], pairs: [] },
    }),
    parts: loose({ meshes: new Map(), robots: new Map() }),
  }),
};

/** Of the io door: what writes simulations. */
export const simulationWriters: Door = {
  readSimulationRecording: (x) => ({ bytes: x.bytes }),
  createSimulationRecorder: () => ({ sink: () => undefined, robots: either([], Array.isArray) }),
  parseWorldFile: () => ({ text: '{}', options: maybe({ file: maybe('world.json') }) }),
  writeWorldMjcf: () => ({ simulation: simulation() }),
};

export const simulationDoors: Readonly<Record<string, Door>> = { simulation: door };
