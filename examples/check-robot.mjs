// A robot from a URDF file above a table: what is nearest, then what touches, and how deep.
import { addObject, addRobot, buildModel, checkScene, createScene, nearestPair, setConfiguration } from 'clearance';
import { requireValue } from 'clearance/io';
import { loadRobot } from 'clearance/node';

const files = requireValue(await loadRobot('examples/arm/arm.urdf', { srdf: 'examples/arm/arm.srdf' }));
const { model } = buildModel(files.description.model);
const scene = createScene();
const robot = addRobot(scene, { model, ...files });
addObject(scene, { name: 'table', shape: { type: 'box', size: [2, 2, 0.05] }, pose: [0, 0, -0.03, 0, 0, 0, 1] });
console.log(nearestPair(scene)); // { a: 'base_link', b: 'table', distance: 0.005, pointA, pointB, normal, ... }

setConfiguration(robot, [0, 2.05, 0, 0, 0, 0, 0, 0]); // shoulder down
for (const { a, b, depth } of checkScene(scene, { all: true }).contacts)
  console.log(`${a} is ${(1000 * depth).toFixed(1)} mm into ${b}`);
