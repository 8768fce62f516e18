// From one compartment of a shelf to another: the straight line is blocked, the planner finds a way round, shortcuts shorten it.
import { readFileSync } from 'node:fs';
import {
  addObject,
  addRobot,
  buildModel,
  createConfigurationSpace,
  createScene,
  createSceneChecker,
  planRrtConnect,
  requireValue,
  shortcutPath,
} from 'clearance';
import { loadRobot, loadScene } from 'clearance/node';
import { isMotionValid } from 'clearance/planning';
import { createShapeResolver } from 'clearance/scene';

const files = requireValue(await loadRobot('examples/arm/arm.urdf', { srdf: 'examples/arm/arm.srdf' }));
const shelf = requireValue(await loadScene('examples/scenes/table-shelf.json'));
const { model } = buildModel(files.description.model);
const scene = createScene();
const robot = addRobot(scene, { model, ...files });
const resolver = createShapeResolver(shelf.meshes);
for (const { name, shape, pose } of shelf.description.objects)
  addObject(scene, { name, shape: resolver.resolve(shape), pose });

const [problem] = readFileSync('examples/scenes/problems.jsonl', 'utf8').split('\n');
const start = Float64Array.from(JSON.parse(problem).start);
const goal = Float64Array.from(JSON.parse(problem).goal);
const space = createConfigurationSpace(model);
const checker = createSceneChecker(scene, robot);
const resolution = 0.02; // radians between checked configurations
console.log(`straight line: ${isMotionValid(space, checker, start, goal, resolution) ? 'free' : 'blocked'}`);

const found = planRrtConnect({ space, checker, start, goals: [goal], seed: 1, resolution });
console.log(`${found.status}: ${found.path.length} configurations, length ${found.length.toFixed(2)}`);
const short = shortcutPath({ space, checker, path: found.path, seed: 1, resolution });
console.log(`shortened: ${short.path.length} configurations, length ${short.length.toFixed(2)}`);
