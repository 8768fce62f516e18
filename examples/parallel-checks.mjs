/** A thousand states checked on two workers, with the answers of one thread. */
import { requireValue } from 'clearance';
import { createRandom } from 'clearance/math';
import { buildModel, randomConfiguration } from 'clearance/model';
import { loadRobot } from 'clearance/node';
import { createParallelScene } from 'clearance/parallel';
import { addObject, addRobot, createScene, disposeScene, isSceneFree, setConfiguration } from 'clearance/scene';

const files = requireValue(await loadRobot('examples/arm/arm.urdf', { srdf: 'examples/arm/arm.srdf' }));
const { model } = buildModel(files.description.model);
const scene = createScene();
const robot = addRobot(scene, { model, ...files });
addObject(scene, { name: 'table', shape: { type: 'box', size: [2, 2, 0.1] }, pose: [0, 0, -0.1, 0, 0, 0, 1] });

const random = createRandom(1);
const states = Array.from({ length: 1000 }, () => randomConfiguration(new Float64Array(model.nq), model, random));
const parallel = await createParallelScene(scene, robot, { workers: 2 });
const free = await parallel.isFreeMany(states);
parallel.dispose();

const different = states.filter((q, i) => {
  setConfiguration(robot, q);
  return isSceneFree(scene) !== (free[i] === 1);
}).length;
console.log(`${free.reduce((sum, x) => sum + x, 0)} of ${states.length} states are free`);
console.log(`${different} of them are answered differently on one thread`);
disposeScene(scene);
