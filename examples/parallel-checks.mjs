/** A thousand states checked on two workers, with the answers of one thread. */
import { fileURLToPath } from 'node:url';
import { createRandom } from '../dist/esm/math.js';
import { buildModel, randomConfiguration } from '../dist/esm/model.js';
import { loadRobot } from '../dist/esm/node.js';
import { createParallelScene } from '../dist/esm/parallel.js';
import { addObject, addRobot, createScene, disposeScene, isSceneFree, setConfiguration } from '../dist/esm/scene.js';

const inExamples = (path) => fileURLToPath(new URL(path, import.meta.url));
const { value: files } = await loadRobot(inExamples('arm/arm.urdf'), { srdf: inExamples('arm/arm.srdf') });
const { model } = buildModel(files.description.model);
const scene = createScene();
const robot = addRobot(scene, { model, ...files });
addObject(scene, { name: 'table', shape: { type: 'box', size: [2, 2, 0.1] }, pose: [0, 0, -0.1, 0, 0, 0, 1] });

const random = createRandom(1);
const states = Array.from({ length: 1000 }, () => randomConfiguration(new Float64Array(model.nq), model, random));
const parallel = await createParallelScene(scene, robot, { workers: 2 });
const free = await parallel.isFreeMany(states);
parallel.dispose();

const same = states.every((q, i) => {
  setConfiguration(robot, q);
  return isSceneFree(scene) === (free[i] === 1);
});
console.log(`${free.reduce((sum, x) => sum + x, 0)} of ${states.length} states are free; one thread agrees: ${same}`);
disposeScene(scene);
