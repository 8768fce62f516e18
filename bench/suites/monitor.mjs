/**
 * Monitoring at control rate: a robot and 20 objects, 10,000 updates of smooth motion at 1 kHz. Prints quantiles of single
 * updates, not medians of many: a control loop is late when one update is late. The robot is the bundled arm; with
 * CLEARANCE_ROBOT=FILE (and CLEARANCE_SRDF, CLEARANCE_PACKAGES: folders, separated by ":") another one.
 */
import { fileURLToPath } from 'node:url';
import { createRandom } from '../../dist/esm/math.js';
import { buildModel, clampConfiguration } from '../../dist/esm/model.js';
import { loadRobot } from '../../dist/esm/node.js';
import {
  addObject,
  addRobot,
  createMonitor,
  createScene,
  disposeScene,
  isSceneFree,
  removeObject,
  setConfiguration,
} from '../../dist/esm/scene.js';

const updates = 10_000;
const warmUp = 2000;
const objectCount = 20;
const reach = 0.1;
const inExamples = (path) => fileURLToPath(new URL(`../../examples/${path}`, import.meta.url));

async function loadWanted() {
  const { CLEARANCE_ROBOT: file, CLEARANCE_SRDF: srdf, CLEARANCE_PACKAGES: packages = '' } = process.env;
  if (file === undefined) return loadRobot(inExamples('arm/arm.urdf'), { srdf: inExamples('arm/arm.srdf') });
  return loadRobot(file, { srdf, packagePaths: packages.split(':').filter((path) => path !== '') });
}

const shapes = [
  { type: 'box', size: [0.2, 0.15, 0.1] },
  { type: 'cylinder', radius: 0.06, length: 0.25 },
  { type: 'sphere', radius: 0.08 },
  { type: 'capsule', radius: 0.05, length: 0.2 },
];

/**
 * Objects around the robot at 0.35 to 0.9 m, and a floor-like plate below. With `touches`, a place where the motion would
 * run into the object is drawn again.
 */
function addObjects(scene, random, touches = () => false) {
  addObject(scene, { name: 'plate', shape: { type: 'box', size: [2, 2, 0.02] }, pose: [0, 0, -0.06, 0, 0, 0, 1] });
  for (let k = 1; k < objectCount; ) {
    const angle = random.uniform(-Math.PI, Math.PI);
    const radius = random.uniform(0.35, 0.9);
    const pose = [radius * Math.cos(angle), radius * Math.sin(angle), random.uniform(0.05, 1), 0, 0, 0, 1];
    const object = { name: `object ${k}`, shape: shapes[k % shapes.length], pose };
    if (touches(object)) continue;
    addObject(scene, object);
    k++;
  }
}

/** Sums of sines about the middle of the limits: at most about 1 rad/s per joint. */
function createMotion(model, random) {
  const waves = Array.from({ length: model.nq }, (_, i) => {
    const [lower, upper] = [Math.max(model.lower[i], -Math.PI), Math.min(model.upper[i], Math.PI)];
    const amplitude = 0.3 * (upper - lower);
    return { middle: 0.5 * (lower + upper), amplitude, rate: Math.min(1 / amplitude, 2) * random.uniform(0.5, 1) };
  });
  return (q, time) => {
    waves.forEach(({ middle, amplitude, rate }, i) => {
      q[i] = middle + amplitude * Math.sin(rate * time + i);
    });
    return clampConfiguration(q, model, q);
  };
}

/** Does the motion run into the object? By states 50 ms apart, of a robot whose links may touch each other. */
function createTouchTest({ model, files, motion }) {
  const scene = createScene();
  const names = files.description.model.links.map(({ name }) => name);
  const allowed = names.flatMap((a, i) => names.slice(i + 1).map((b) => ({ a, b, reason: 'user' })));
  const robot = addRobot(scene, { model, ...files, allowed });
  const q = new Float64Array(model.nq);
  return (object) => {
    const added = addObject(scene, object);
    let touching = false;
    for (let time = 0; time < 1e-3 * (warmUp + updates) && !touching; time += 0.05) {
      setConfiguration(robot, motion(q, time));
      touching = !isSceneFree(scene);
    }
    removeObject(scene, added);
    return touching;
  };
}

export async function* run() {
  const { value: files } = await loadWanted();
  const { model } = buildModel(files.description.model);
  const random = createRandom(17);
  const motion = createMotion(model, random);
  const touches = createTouchTest({ model, files, motion });
  for (const [title, test] of [
    ['objects beside its way', touches],
    ['objects in its way', undefined],
  ]) {
    const scene = createScene();
    const robot = addRobot(scene, { model, ...files });
    addObjects(scene, random, test);
    const measured = measure(scene, robot, motion);
    for (const { name, ours, n = updates } of measured) {
      yield {
        suite: 'monitor',
        case: `${model.name} + ${objectCount} ${title}, ${name}`,
        ours,
        peer: null,
        peerName: null,
        ratio: null,
        unit: 'us',
        n,
        spread: 0,
      };
    }
    disposeScene(scene);
  }
}

function measure(scene, robot, motion) {
  const monitor = createMonitor(scene, { distance: reach });
  const q = new Float64Array(robot.model.nq);
  const times = new Float64Array(updates);
  let pairs = 0;
  let contacts = 0;
  let before = { ...monitor.counts };
  for (let step = 0; step < warmUp + updates; step++) {
    motion(q, 1e-3 * step);
    if (step === warmUp) before = { ...monitor.counts };
    const begin = process.hrtime.bigint();
    setConfiguration(robot, q);
    monitor.update(1e-3 * step);
    const spent = Number(process.hrtime.bigint() - begin);
    if (step < warmUp) continue;
    times[step - warmUp] = spent / 1e3;
    pairs += monitor.count;
    contacts += monitor.eventCount;
  }
  times.sort();
  const per = (count) => (count / updates).toFixed(1);
  const distances = per(monitor.counts.distances - before.distances);
  const work = `${per(pairs)} near pairs, ${per(contacts)} contacts, ${distances} distances`;
  // The same answer without memory, on every hundredth state: what the incremental update saves.
  let spent = 0;
  for (let step = 0; step < updates; step += 100) {
    motion(q, 1e-3 * step);
    const fresh = createMonitor(scene, { distance: reach });
    const begin = process.hrtime.bigint();
    setConfiguration(robot, q);
    fresh.update();
    spent += Number(process.hrtime.bigint() - begin) / 1e3;
  }
  return [
    { name: 'median', ours: times[updates / 2] },
    { name: '99th percentile', ours: times[0.99 * updates] },
    { name: '99.9th percentile', ours: times[0.999 * updates] },
    { name: 'slowest', ours: times[updates - 1] },
    { name: `mean (${work})`, ours: times.reduce((sum, time) => sum + time, 0) / updates },
    { name: 'first update of a new monitor, mean', ours: spent / (updates / 100), n: updates / 100 },
  ];
}
