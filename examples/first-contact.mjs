/** When a robot that goes straight in joint space first touches something, and which motions are free at every time. */
import { fileURLToPath } from 'node:url';
import { buildModel } from '../dist/esm/model.js';
import { loadRobot } from '../dist/esm/node.js';
import {
  addObject,
  addRobot,
  castRobot,
  createScene,
  createSceneMotionChecker,
  disposeScene,
} from '../dist/esm/scene.js';

const inExamples = (path) => fileURLToPath(new URL(path, import.meta.url));
const { value: files } = await loadRobot(inExamples('arm/arm.urdf'), { srdf: inExamples('arm/arm.srdf') });
const { model } = buildModel(files.description.model);
const scene = createScene();
const robot = addRobot(scene, { model, ...files });
// A wire of 2 mm: states on the way are free, the motion is not.
addObject(scene, {
  name: 'wire',
  shape: { type: 'cylinder', radius: 0.001, length: 2 },
  pose: [0.6, 0, 1, 0, 0, 0, 1],
});

const [from, to] = [-1, 1].map((angle) =>
  Float64Array.from({ length: model.nq }, (_, i) => [angle, 1, 0, -0.6][i] ?? 0),
);
const { hit, time, a, b, point } = castRobot(scene, robot, from, to);
console.log(hit ? `${a} touches ${b} at ${time.toFixed(4)} of the motion, at height ${point[2].toFixed(3)} m` : 'free');

// A planner takes this as its check of motions: see the option `motion` of planRrtConnect.
const checker = createSceneMotionChecker(scene, robot);
const half = Float64Array.from(from, (x, i) => (i === 0 ? -0.3 : x));
console.log(`up to the wire: ${checker.isMotionValid(from, half)}, through it: ${checker.isMotionValid(from, to)}`);
disposeScene(scene);
