/** When a robot that goes straight in joint space first touches something, and which motions are free at every time. */
import { buildModel, requireValue } from 'clearance';
import { loadRobot } from 'clearance/node';
import { addObject, addRobot, castRobot, createScene, createSceneMotionChecker, disposeScene } from 'clearance/scene';

const files = requireValue(await loadRobot('examples/arm/arm.urdf', { srdf: 'examples/arm/arm.srdf' }));
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
const verdict = (a, b) => (checker.isMotionValid(a, b) ? 'free' : 'blocked');
console.log(`up to the wire: ${verdict(from, half)}, through it: ${verdict(from, to)}`);
disposeScene(scene);
