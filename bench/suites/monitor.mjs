/**
 * Monitoring at control rate: a robot and 20 objects, 10,000 updates of smooth motion at 1 kHz. Prints quantiles of single
 * updates, not medians of many: a control loop is late when one update is late. The robot is the bundled arm; with
 * CLEARANCE_ROBOT=FILE (and CLEARANCE_SRDF, CLEARANCE_PACKAGES: folders, separated by ":") another one.
 */
import { fileURLToPath } from 'node:url';
import { createRandom } from '../../dist/esm/math.js';
import { buildModel, clampConfiguration } from '../../dist/esm/model.js';
import { loadRobot } from '../../dist/esm/node.js';
import { addObject, addRobot, createMonitor, createScene, setConfiguration } from '../../dist/esm/scene.js';

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

/** Objects around the robot at 0.35 to 0.9 m, and a floor-like plate below. */
function addObjects(scene, random) {
  addObject(scene, { name: 'plate', shape: { type: 'box', size: [2, 2, 0.02] }, pose: [0, 0, -0.06, 0, 0, 0, 1] });
  for (let k = 1; k < objectCount; k++) {
    const angle = random.uniform(-Math.PI, Math.PI);
    const radius = random.uniform(0.35, 0.9);
    const pose = [radius * Math.cos(angle), radius * Math.sin(angle), random.uniform(0.05, 1), 0, 0, 0, 1];
    addObject(scene, { name: `object ${k}`, shape: shapes[k % shapes.length], pose });
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

export async function* run() {
  const { value: files } = await loadWanted();
  const { model } = buildModel(files.description.model);
  const random = createRandom(17);
  const scene = createScene();
  const robot = addRobot(scene, { model, ...files });
  addObjects(scene, random);
  const motion = createMotion(model, random);
  const monitor = createMonitor(scene, { distance: reach });
  const q = new Float64Array(model.nq);
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
  const row = (name, ours, extra = {}) => ({
    suite: 'monitor',
    case: `${model.name} + ${objectCount} objects, ${name}`,
    ours,
    peer: null,
    peerName: null,
    ratio: null,
    unit: 'us',
    n: updates,
    spread: 0,
    ...extra,
  });
  yield row('median', times[updates / 2]);
  yield row('99th percentile', times[0.99 * updates]);
  yield row('99.9th percentile', times[0.999 * updates]);
  yield row('slowest', times[updates - 1]);
  const work = {
    distances: monitor.counts.distances - before.distances,
    boxes: monitor.counts.boxTests - before.boxTests,
  };
  yield row(
    `mean of ${per(pairs)} near pairs (${per(contacts)} contact events), ${per(work.distances)} distances, ${per(work.boxes)} box tests`,
    times.reduce((sum, time) => sum + time, 0) / updates,
  );
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
  yield row('first update of a new monitor, mean', spent / (updates / 100), { n: updates / 100 });
}
