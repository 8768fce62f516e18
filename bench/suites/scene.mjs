/**
 * Scenes of many robots of one model: what a further robot and a further context cost in time and memory, and rays on a scene of 100
 * robots. Many objects: adding them, checks. Assemblies: the nearest pair and the pairs within a distance among many objects. Times are of
 * the process's own work, least of several rounds, of many objects medians. The robot is the bundled arm; with CLEARANCE_ROBOT=FILE (and
 * CLEARANCE_SRDF, CLEARANCE_PACKAGES: folders, separated by ":") another one.
 */
import { fileURLToPath } from 'node:url';
import { createRandom } from '../../dist/esm/math.js';
import { buildModel, randomConfiguration } from '../../dist/esm/model.js';
import { loadRobot } from '../../dist/esm/node.js';
import {
  addObject,
  addRobot,
  castSceneRays,
  checkScene,
  createContext,
  createScene,
  createSceneRayBatch,
  disposeScene,
  isSceneFree,
  moveObject,
  nearestPair,
  pairsWithin,
  setConfiguration,
} from '../../dist/esm/scene.js';
import { median } from '../measure.mjs';

const suite = 'scene';
const count = 1000;
const rounds = 5;
const rayCount = 50_000;
const inExamples = (path) => fileURLToPath(new URL(`../../examples/${path}`, import.meta.url));

async function loadWanted() {
  const { CLEARANCE_ROBOT: file, CLEARANCE_SRDF: srdf, CLEARANCE_PACKAGES: packages = '' } = process.env;
  if (file === undefined) return loadRobot(inExamples('arm/arm.urdf'), { srdf: inExamples('arm/arm.srdf') });
  return loadRobot(file, { srdf, packagePaths: packages.split(':').filter((path) => path !== '') });
}

const row = (name, ours, unit, n) => ({
  suite,
  case: name,
  ours,
  peer: null,
  peerName: null,
  ratio: null,
  unit,
  n,
  spread: 0,
});

/** Milliseconds of the process's own work. */
function timeWork(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Kilobytes on the heap and in arrays; needs --expose-gc, as `npm run bench` gives it. */
function measureMemory() {
  for (let i = 0; i < 4; i++) globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1000;
}

const onGrid = (i, step, side) => [step * (i % side), step * Math.floor(i / side), 0, 0, 0, 0, 1];

function* measureRobots(source) {
  const times = [];
  for (let r = 0; r < rounds; r++) {
    const scene = createScene();
    addRobot(scene, source);
    const add = () => {
      for (let i = 1; i < count; i++) addRobot(scene, { ...source, placement: onGrid(i, 3, 32) });
    };
    const before = measureMemory();
    times.push(timeWork(add));
    if (r + 1 === rounds) {
      yield row(`add ${count - 1} further robots, first time`, times[0], 'ms', 1);
      yield row(`add ${count - 1} further robots`, Math.min(...times), 'ms', rounds);
      const kilobytes = () => (measureMemory() - before) / (count - 1);
      yield row('further robot', kilobytes(), 'kB', count - 1);
      isSceneFree(scene);
      checkScene(scene, { all: true, depth: 'none' });
      yield row('further robot, after checks', kilobytes(), 'kB', count - 1);
      castSceneRays(createSceneRayBatch(1), scene, Float64Array.of(-5, 0, 0.5, 1, 0, 0));
      yield row('further robot, after checks and rays', kilobytes(), 'kB', count - 1);
    }
    disposeScene(scene);
  }
}

function* measureContexts(source) {
  const scene = createScene();
  addRobot(scene, source);
  const contexts = [createContext(scene)];
  isSceneFree(contexts[0]);
  const before = measureMemory();
  const kilobytes = () => (measureMemory() - before) / count;
  for (let i = 0; i < count; i++) contexts.push(createContext(scene));
  yield row('further context', kilobytes(), 'kB', count);
  for (const context of contexts) isSceneFree(context);
  yield row('further context, after a check', kilobytes(), 'kB', count);
  for (const context of contexts) disposeScene(context);
  disposeScene(scene);
}

/** Origins on a sphere around the scene, or anywhere in it; targets anywhere in it. */
function createRays(random, kind) {
  const anywhere = () => [random.uniform(-0.5, 9.5), random.uniform(-0.5, 9.5), random.uniform(0, 1.2)];
  const around = () => {
    const away = [random.normal(), random.normal(), random.normal()];
    const length = Math.hypot(...away);
    return [4.5, 4.5, 0.6].map((x, k) => x + (8 * away[k]) / length);
  };
  const rays = new Float64Array(6 * rayCount);
  for (let i = 0; i < rayCount; i++) {
    const origin = kind === 'from around' ? around() : anywhere();
    rays.set(origin, 6 * i);
    rays.set(
      anywhere().map((x, k) => x - origin[k]),
      6 * i + 3,
    );
  }
  return rays;
}

function* measureRays(source) {
  const random = createRandom(3);
  const scene = createScene();
  for (let i = 0; i < 100; i++) {
    const robot = addRobot(scene, { ...source, placement: onGrid(i, 1, 10) });
    setConfiguration(robot, randomConfiguration(new Float64Array(robot.model.nq), robot.model, random));
  }
  const batch = createSceneRayBatch(rayCount);
  for (const kind of ['from around', 'from within']) {
    const rays = createRays(random, kind);
    const times = Array.from({ length: rounds }, () => timeWork(() => castSceneRays(batch, scene, rays)));
    yield row(`first hits, 100 robots, ${kind}`, (1000 * Math.min(...times)) / rayCount, 'us', rounds * rayCount);
  }
  disposeScene(scene);
}

/** Objects of four kinds, each in a cube of 2 m on average. */
function describeObjects(random, size) {
  const reach = 2 * Math.cbrt(size);
  const length = () => random.uniform(0.1, 0.7);
  const shapes = [
    () => ({ type: 'sphere', radius: 0.5 * length() }),
    () => ({ type: 'box', size: [length(), length(), length()] }),
    () => ({ type: 'capsule', radius: 0.5 * length(), length: length() }),
    () => ({ type: 'cylinder', radius: 0.5 * length(), length: length() }),
  ];
  return Array.from({ length: size }, (_, i) => {
    const turn = [random.normal(), random.normal(), random.normal(), random.normal()];
    const norm = Math.hypot(...turn);
    const position = [0, 1, 2].map(() => random.uniform(0, reach));
    return { name: `object${i}`, shape: shapes[i % 4](), pose: [...position, ...turn.map((x) => x / norm)] };
  });
}

/** Their trees are built. */
function createAssembly(random, size) {
  const scene = createScene();
  for (const object of describeObjects(random, size)) addObject(scene, object);
  isSceneFree(scene);
  return scene;
}

function moveSome(random, scene, objects) {
  for (let k = 0; k < objects.length / 100; k++) {
    const object = objects[random.integer(objects.length)];
    const placement = object.body.worldPlacement.slice();
    for (let axis = 9; axis < 12; axis++) placement[axis] += random.uniform(-0.1, 0.1);
    moveObject(scene, object, placement);
  }
}

/** Adding objects, the first check, which builds the trees, and one after a few have moved: all pairs that touch. */
function* measureChecks() {
  const check = (scene) => checkScene(scene, { all: true, depth: 'none' });
  for (const size of [10_000, 100_000]) {
    const random = createRandom(5);
    const [adds, firsts, moved, verdicts] = [[], [], [], []];
    for (let r = 0; r < rounds; r++) {
      const described = describeObjects(random, size);
      const scene = createScene();
      adds.push(
        timeWork(() => {
          for (const object of described) addObject(scene, object);
        }),
      );
      firsts.push(timeWork(() => check(scene)));
      const objects = [...scene.objects.values()];
      for (let k = 0; k < rounds; k++) {
        moveSome(random, scene, objects);
        moved.push(timeWork(() => check(scene)));
        moveSome(random, scene, objects);
        verdicts.push(timeWork(() => isSceneFree(scene)));
      }
      disposeScene(scene);
    }
    yield row(`add ${size} objects, first time`, adds[0], 'ms', 1);
    yield row(`add ${size} objects`, median(adds), 'ms', rounds);
    yield row(`first check of ${size} objects, first time`, firsts[0], 'ms', 1);
    yield row(`first check of ${size} objects`, median(firsts), 'ms', rounds);
    yield row(`check of ${size} objects, 1 % moved`, median(moved), 'ms', moved.length);
    yield row(`verdict on ${size} objects, 1 % moved`, median(verdicts), 'ms', verdicts.length);
  }
}

function* measureAssemblies(source) {
  const random = createRandom(5);
  const repeats = 20;
  const least = (work) => Math.min(...Array.from({ length: repeats }, () => timeWork(work)));
  for (const size of [300, 1000, 3000, 10_000]) {
    const scene = createAssembly(random, size);
    const of = `among ${size} objects`;
    yield row(
      `nearest pair ${of}, first time`,
      timeWork(() => nearestPair(scene)),
      'ms',
      1,
    );
    yield row(
      `nearest pair ${of}`,
      least(() => nearestPair(scene)),
      'ms',
      repeats,
    );
    const objects = [...scene.objects.values()];
    const times = [];
    for (let r = 0; r < repeats; r++) {
      moveSome(random, scene, objects);
      times.push(timeWork(() => nearestPair(scene)));
    }
    yield row(`nearest pair ${of}, 1 % moved`, Math.min(...times), 'ms', repeats);
    yield row(
      `pairs within 5 cm ${of}`,
      least(() => pairsWithin(scene, { margin: 0.05 })),
      'ms',
      repeats,
    );
    addRobot(scene, source);
    yield row(
      `nearest pair of a robot ${of}`,
      least(() => nearestPair(scene)),
      'ms',
      repeats,
    );
    disposeScene(scene);
  }
}

export async function* run() {
  const { value } = await loadWanted();
  const source = { model: buildModel(value.description.model).model, ...value };
  yield* measureRobots(source);
  yield* measureContexts(source);
  yield* measureRays(source);
  yield* measureChecks();
  yield* measureAssemblies(source);
}
