/**
 * Steps of whole worlds beside Rapier and MuJoCo, in one process: the same bodies, step and seconds; both step in turns of some steps,
 * CPU time of each turn, the median of the ratios of turns. `work` says, measured on both alike from where bodies are before and after
 * the step that follows each turn (medians over turns): how deep they are in each other, and the largest speed at which what overlaps goes
 * on to close, which rigid bodies cannot: the part of the residual that all engines have. Then our own largest residual, contacts and
 * iterations per step. Places of Rapier and Jolt are single precision: their closing speeds are multiples of a unit, which is told, and 0 is
 * what is below half of it.
 *
 * Rapier (its npm build, deterministic SIMD-free WebAssembly) computes in single precision with its default of 4 solver iterations;
 * MuJoCo runs the world that `writeWorldMjcf` writes, with its own defaults (Newton, elliptic cones).
 */
import RAPIER from '@dimforge/rapier3d-compat';
import loadMujoco from '@mujoco/mujoco';
import initJolt from 'jolt-physics/wasm-compat';
import { writeWorldMjcf } from '../../dist/esm/io.js';
import { createRandom } from '../../dist/esm/math.js';
import { buildModel } from '../../dist/esm/model.js';
import { createSimulation, createWorld, stepSimulation } from '../../dist/esm/simulation.js';
import { median } from '../measure.mjs';
import { readReferenceRobot } from '../reference-robots.mjs';

const ground = { name: 'ground', shapes: [{ shape: { type: 'halfspace', normal: [0, 0, 1], offset: 0 } }] };

/** MuJoCo's number for geometries that are planes. */
const PLANE = 0;

/** Columns of bodies above the ground, each shifted a little. */
function createHeap(count, shape, spacing) {
  const random = createRandom(1);
  const side = Math.ceil(Math.sqrt(count / 5));
  return Array.from({ length: count }, (_, i) => {
    const [x, y, z] = [i % side, Math.floor(i / side) % side, Math.floor(i / (side * side))];
    const shift = () => random.uniform(-0.03, 0.03);
    const place = [spacing * (x - side / 2) + shift(), spacing * (y - side / 2) + shift(), spacing * (z + 0.6)];
    return { name: `b${String(i).padStart(4, '0')}`, shapes: [{ shape }], pose: [...place, 0, 0, 0, 1], density: 1000 };
  });
}

async function createRapier(bodies, step) {
  await RAPIER.init();
  const world = new RAPIER.World({ x: 0, y: 0, z: -9.81 });
  world.timestep = step;
  const floor = RAPIER.ColliderDesc.cuboid(100, 100, 10).setTranslation(0, 0, -10).setFriction(0.5);
  world.createCollider(floor);
  const made = bodies.map(({ pose, shapes: [{ shape }] }) => {
    const body = world.createRigidBody(
      RAPIER.RigidBodyDesc.dynamic().setTranslation(pose[0], pose[1], pose[2]).setCanSleep(false),
    );
    const collider =
      shape.type === 'sphere'
        ? RAPIER.ColliderDesc.ball(shape.radius)
        : RAPIER.ColliderDesc.cuboid(...shape.size.map((x) => x / 2));
    world.createCollider(collider.setDensity(1000).setFriction(0.5), body);
    return body;
  });
  return {
    name: 'Rapier',
    isSingle: true,
    step: () => world.step(),
    places: () => made.map((body) => Object.values(body.translation())),
    end: () => world.free(),
  };
}

async function createMujoco(simulation) {
  const mujoco = await loadMujoco();
  const model = mujoco.MjModel.from_xml_string(writeWorldMjcf(simulation).value);
  const data = new mujoco.MjData(model);
  mujoco.mj_resetDataKeyframe(model, data, 0);
  mujoco.mj_forward(model, data);
  return {
    name: 'MuJoCo',
    step: () => mujoco.mj_step(model, data),
    places: () => {
      mujoco.mj_kinematics(model, data);
      const list = [];
      for (let i = 0; i < model.ngeom; i++)
        if (model.geom_type[i] !== PLANE) list.push(Array.from(data.geom_xpos.slice(3 * i, 3 * i + 3)));
      return list;
    },
    end: () => {
      data.delete();
      model.delete();
    },
  };
}

/** Jolt in one thread with its defaults: 10 steps for velocities and 2 for positions. */
async function createJolt(bodies, step) {
  const jolt = await initJolt();
  const settings = new jolt.JoltSettings();
  const filter = new jolt.ObjectLayerPairFilterTable(2);
  filter.EnableCollision(0, 1);
  filter.EnableCollision(1, 1);
  const layers = new jolt.BroadPhaseLayerInterfaceTable(2, 2);
  for (const layer of [0, 1]) layers.MapObjectToBroadPhaseLayer(layer, new jolt.BroadPhaseLayer(layer));
  settings.mObjectLayerPairFilter = filter;
  settings.mBroadPhaseLayerInterface = layers;
  settings.mObjectVsBroadPhaseLayerFilter = new jolt.ObjectVsBroadPhaseLayerFilterTable(layers, 2, filter, 2);
  const engine = new jolt.JoltInterface(settings);
  const list = engine.GetPhysicsSystem().GetBodyInterface();
  engine.GetPhysicsSystem().SetGravity(new jolt.Vec3(0, 0, -9.81));
  const add = (shape, place, motion, layer, active) => {
    const [position, rotation] = [new jolt.RVec3(...place), new jolt.Quat(0, 0, 0, 1)];
    const creation = new jolt.BodyCreationSettings(shape, position, rotation, motion, layer);
    creation.mFriction = 0.5;
    creation.mAllowSleeping = false;
    const body = list.CreateBody(creation);
    list.AddBody(body.GetID(), active);
    return body;
  };
  const floor = new jolt.BoxShape(new jolt.Vec3(100, 100, 10), 0);
  add(floor, [0, 0, -10], jolt.EMotionType_Static, 0, jolt.EActivation_DontActivate);
  const made = bodies.map(({ pose, shapes: [{ shape }] }) => {
    const own =
      shape.type === 'sphere'
        ? new jolt.SphereShape(shape.radius)
        : new jolt.BoxShape(new jolt.Vec3(...shape.size.map((x) => x / 2)), 0);
    return add(own, pose.slice(0, 3), jolt.EMotionType_Dynamic, 1, jolt.EActivation_Activate);
  });
  return {
    name: 'Jolt',
    isSingle: true,
    step: () => engine.Step(step, 1),
    places: () =>
      made.map((body) => {
        const p = body.GetCenterOfMassPosition();
        return [p.GetX(), p.GetY(), p.GetZ()];
      }),
    end: () => jolt.destroy(engine),
  };
}

/**
 * Of what overlaps `before` a step: the largest depth, and the largest speed at which its gap has closed `after` it. Balls with each other
 * and the ground, boxes in their columns (which stand upright), of robots the ground alone.
 */
function measureOverlaps(before, after, { shape, hasPairs }, step) {
  const isBall = shape.type === 'sphere';
  const size = isBall ? 2 * shape.radius : shape.size[2];
  const gapOf = (p, q) => {
    const [x, y, z] = [0, 1, 2].map((c) => p[c] - q[c]);
    if (isBall) return Math.abs(x) < size && Math.abs(y) < size ? Math.sqrt(x * x + y * y + z * z) - size : 1;
    return Math.abs(x) < 0.5 * size && Math.abs(y) < 0.5 * size ? Math.abs(z) - size : 1;
  };
  let depth = 0;
  let closing = 0;
  const add = (gap, next) => {
    if (!(gap <= 0)) return;
    depth = Math.max(depth, -gap);
    closing = Math.max(closing, (gap - next) / step);
  };
  for (const [i, p] of before.entries()) {
    add(p[2] - 0.5 * size, after[i][2] - 0.5 * size);
    for (let k = 0; hasPairs && k < i; k++) {
      const gap = gapOf(p, before[k]);
      if (gap <= 0) add(gap, gapOf(after[i], after[k]));
    }
  }
  return [depth, closing];
}

function timeTurn(f, steps) {
  const begin = process.cpuUsage();
  for (let i = 0; i < steps; i++) f();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / steps;
}

/** Turns of `turn` steps, ours and the peer's by turns, those after `from` seconds counted: before that both compile, and settle. */
async function race({ name, options, seconds, peer, contact, turn = 20, from = seconds / 3 }) {
  const world = createWorld(options);
  const simulation = createSimulation(world);
  const other = await peer(simulation);
  const times = [];
  const others = [];
  const depths = [[], []];
  const speeds = [[], []];
  const turns = Math.round(seconds / world.step.step / turn);
  const first = Math.floor(from / world.step.step / turn);
  let residual = 0;
  let iterations = 0;
  for (let i = 0; i < turns; i++) {
    const ours = () => {
      const time = timeTurn(() => {
        stepSimulation(simulation);
        if (i < first) return;
        residual = Math.max(residual, simulation.report.residual);
        iterations += simulation.report.iterations;
      }, turn);
      if (i >= first) times.push(time);
    };
    const theirs = () => {
      const time = timeTurn(other.step, turn);
      if (i >= first) others.push(time);
    };
    for (const run of i % 2 === 0 ? [ours, theirs] : [theirs, ours]) run();
    if (i < first) continue;
    const { placements } = simulation.places;
    const moving = world.geometries.flatMap(({ carrier }, g) =>
      world.carriers[carrier].kind === 0 ? [] : [12 * g + 9],
    );
    const own = () => moving.map((at) => Array.from(placements.subarray(at, at + 3)));
    for (const [side, places, step] of [
      [0, own, () => stepSimulation(simulation)],
      [1, other.places, other.step],
    ]) {
      const before = places();
      step();
      const [depth, closing] = measureOverlaps(before, places(), contact, world.step.step);
      depths[side].push(depth);
      speeds[side].push(closing);
    }
  }
  const ratios = times.map((time, i) => time / others[i]).sort((a, b) => a - b);
  const { contacts } = simulation.report;
  other.end();
  world.dispose();
  const mm = (x) => `${(1000 * x).toPrecision(2)} mm`;
  const [own, its] = depths.map((list) => median(list));
  const [ownSpeed, itsSpeed] = speeds.map((list) => median(list));
  return {
    suite: 'simulation',
    case: name,
    ours: median(times),
    peer: median(others),
    peerName: other.name,
    ratio: median(ratios),
    unit: 'us',
    n: times.length * turn,
    spread: ratios[Math.floor(0.75 * ratios.length)] - ratios[Math.floor(0.25 * ratios.length)],
    work:
      `deep ${mm(own)}, ${other.name} ${mm(its)}, closing ${ownSpeed.toExponential(1)}, ${other.name} ` +
      `${itsSpeed.toExponential(1)} m/s${other.isSingle ? ` (in units of ${unitOf(world).toExponential(0)})` : ''}, residual ${residual.toExponential(1)} m/s, ` +
      `${contacts} contacts, ${(iterations / (times.length * turn)).toFixed(1)} iterations`,
  };
}

/** What places of single precision between 1 and 2 m can tell of a speed: nothing slower moves there. */
const unitOf = ({ step: { step } }) => 2 ** -23 / step;

function* listHeaps() {
  // As many sweeps as it takes to leave no more than the peer does: of balls Jolt leaves less than Rapier.
  for (const [count, kind, shape, spacing, iterations] of [
    [500, 'boxes', { type: 'box', size: [0.4, 0.4, 0.4] }, 0.5, [50, 50]],
    [1000, 'balls', { type: 'sphere', radius: 0.2 }, 0.45, [8, 20]],
  ]) {
    const bodies = createHeap(count, shape, spacing);
    yield { name: `${count} ${kind}`, bodies, iterations };
  }
}

const FOOT = { type: 'sphere', radius: 0.06 };
/** Robots touch the ground alone. */
const FEET = { shape: FOOT, hasPairs: false };

/** A reference robot with a ball on its last link that rests on the ground, or falls there. */
function createRobot(name, [x, y] = [0, 0]) {
  const read = readReferenceRobot(name);
  if (!read) return null;
  const { model } = buildModel(read.description, { base: read.base === 'floating' ? 'floating' : 'fixed' });
  const shapes = model.linkNames.slice(1).map((link) => ({ link, shape: FOOT }));
  const pose = [x, y, read.base === 'fixed' ? 0.2 : 1.0, 0, 0, 0, 1];
  const allowed = model.linkNames.flatMap((a, i) => model.linkNames.slice(i + 1).map((b) => [a, b]));
  return { name, model, shapes, pose, allowed };
}

export async function* run({ only = null }) {
  const isWanted = (name) => only === null || name.includes(only);
  for (const { name, bodies, iterations } of listHeaps()) {
    if (!isWanted(name)) continue;
    const step = 1 / 60;
    const contact = { shape: bodies[0].shapes[0].shape, hasPairs: true };
    for (const [i, create] of [createRapier, createJolt].entries()) {
      const options = {
        statics: [ground],
        bodies,
        step,
        solver: 'gauss-seidel',
        iterations: iterations[i],
        tolerance: 1e-6,
      };
      const row = `${name}, up to ${iterations[i]} iterations${' '.repeat(i)}`;
      yield race({ name: row, options, seconds: 9, contact, peer: () => create(bodies, step) });
    }
  }
  for (const [name, robotName, seconds, from, turn] of [
    ['panda, falling on balls at its links', 'panda', 30, 10, 100],
    ['talos likewise, 0.6 s to 1.8 s', 'talos', 1.8, 0.6, 20],
    ['talos likewise, 4 s to 12 s: it lies', 'talos', 12, 4, 100],
  ]) {
    if (!isWanted(name)) continue;
    const robot = createRobot(robotName);
    if (!robot) continue;
    const options = { statics: [ground], robots: [robot], step: 0.002 };
    yield race({ name, options, seconds, from, turn, contact: FEET, peer: createMujoco });
  }
  if (isWanted('22 robots') && readReferenceRobot('talos')) {
    const robots = Array.from({ length: 22 }, (_, i) => {
      const robot = createRobot('talos', [3 * (i % 5), 3 * Math.floor(i / 5)]);
      return { ...robot, name: `talos${String(i).padStart(2, '0')}` };
    });
    const options = { statics: [ground], robots, step: 0.002 };
    yield race({
      name: '22 robots (Talos) likewise, 0.4 s to 1.2 s',
      options,
      seconds: 1.2,
      turn: 20,
      contact: FEET,
      peer: createMujoco,
    });
  }
  if (isWanted('stack')) {
    const bodies = Array.from({ length: 10 }, (_, i) => ({
      name: `b${i}`,
      shapes: [{ shape: { type: 'box', size: [0.4, 0.4, 0.4] } }],
      pose: [0, 0, 0.2 + 0.4 * i, 0, 0, 0, 1],
    }));
    const options = { statics: [ground], bodies, step: 0.002 };
    const contact = { shape: bodies[0].shapes[0].shape, hasPairs: true };
    yield race({ name: 'stack of ten boxes', options, seconds: 30, turn: 100, contact, peer: createMujoco });
  }
}
