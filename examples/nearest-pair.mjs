// How close does the arm come to anything along a motion? The nearest allowed pair at every step, and the closest of all.
import { addObject, addRobot, buildModel, createScene, nearestPair, requireValue, setConfiguration } from 'clearance';
import { interpolateConfiguration } from 'clearance/model';
import { loadRobot } from 'clearance/node';

const files = requireValue(await loadRobot('examples/arm/arm.urdf', { srdf: 'examples/arm/arm.srdf' }));
const { model } = buildModel(files.description.model);
const scene = createScene();
const robot = addRobot(scene, { model, ...files });
addObject(scene, {
  name: 'post',
  shape: { type: 'cylinder', radius: 0.05, length: 1 },
  pose: [0.45, 0.35, 0.5, 0, 0, 0, 1],
});

const from = Float64Array.of(0, 0, 0, -1.8, 0, 1.341593, 0, 0);
const to = Float64Array.of(2, 0, 0, -1.8, 0, 1.341593, 0, 0);
let closest = null;
for (let i = 0; i <= 100; i++) {
  setConfiguration(robot, interpolateConfiguration(new Float64Array(model.nq), model, from, to, i / 100));
  const pair = nearestPair(scene);
  if (!closest || pair.distance < closest.distance) closest = { ...pair, step: i };
}
const { a, b, distance, step } = closest;
console.log(
  `closest at step ${step}: ${a} and ${b}, ${(1000 * distance).toFixed(1)} mm ${distance < 0 ? 'inside' : 'apart'}`,
);
