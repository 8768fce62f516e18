// A robot from a URDF file above a table: what touches, how deep, and what is nearest when nothing does.
import { addObject, addRobot, buildModel, checkScene, createScene, nearestPair, setConfiguration } from 'clearance';
import { loadRobot } from 'clearance/node';

const { value: files } = await loadRobot('examples/arm/arm.urdf', { srdf: 'examples/arm/arm.srdf' });
const { model } = buildModel(files.description.model);
const scene = createScene();
const robot = addRobot(scene, { model, ...files });
addObject(scene, { name: 'table', shape: { type: 'box', size: [2, 2, 0.05] }, pose: [0, 0, -0.03, 0, 0, 0, 1] });
console.log(nearestPair(scene)); // { a: 'base_link', b: 'table', distance: ..., pointA, pointB, normal, ... }

setConfiguration(robot, robot.q.with(1, 2.05)); // shoulder down
for (const { a, b, depth } of checkScene(scene, { all: true }).contacts) console.log(`${a} is ${depth} m into ${b}`);
