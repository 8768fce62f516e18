// A robot from a URDF file and a table: what touches, where, how deep, and what comes closest when nothing does.
import { addObject, addRobot, buildModel, checkScene, createScene, nearestPair, setConfiguration } from 'clearance';
import { loadRobot } from 'clearance/node';

const { value: files, issues } = await loadRobot('examples/arm/arm.urdf', { srdf: 'examples/arm/arm.srdf' });
for (const issue of issues) console.warn(issue.message);

const { model } = buildModel(files.description.model);
const scene = createScene();
const robot = addRobot(scene, { model, ...files });
addObject(scene, {
  name: 'table',
  shape: { type: 'box', size: [1.2, 1.2, 0.05] },
  pose: [0.4, 0, -0.03, 0, 0, 0, 1],
});

const { a, b, distance } = nearestPair(scene);
console.log(`neutral pose: ${a} and ${b} are ${distance.toFixed(4)} m apart`);

const q = robot.q.slice();
q[1] = 1.9;
setConfiguration(robot, q);
for (const contact of checkScene(scene, { all: true }).contacts)
  console.log(`shoulder at 1.9: ${contact.a} is ${contact.depth.toFixed(4)} m inside ${contact.b}`);
