/**
 * The bundled arm: full self-check at random configurations, with and without forward kinematics, and against the shelf.
 * No npm peer checks robots; these rows are for comparing one version of Clearance with the next on one machine.
 */
import { fileURLToPath } from 'node:url';
import { createRandom } from '../../dist/esm/math.js';
import { buildModel, randomConfiguration } from '../../dist/esm/model.js';
import { loadRobot } from '../../dist/esm/node.js';
import {
  addObject,
  addRobot,
  createScene,
  isSceneFree,
  nearestPair,
  setConfiguration,
  updateScene,
} from '../../dist/esm/scene.js';
import { compare } from '../measure.mjs';

const stateCount = 256;
const inExamples = (path) => fileURLToPath(new URL(`../../examples/${path}`, import.meta.url));

export async function* run() {
  const { value: files } = await loadRobot(inExamples('arm/arm.urdf'), { srdf: inExamples('arm/arm.srdf') });
  const { model } = buildModel(files.description.model);
  const random = createRandom(3);
  const states = Array.from({ length: stateCount }, () =>
    randomConfiguration(new Float64Array(model.nq), model, random),
  );
  const scene = createScene();
  const robot = addRobot(scene, { model, ...files });
  yield compare({
    suite: 'robot',
    name: 'arm, place its bodies',
    inputs: stateCount,
    unit: 'us',
    ours: (i) => {
      setConfiguration(robot, states[i]);
      updateScene(scene);
    },
  });
  const rows = (suffix) => [
    {
      name: `arm, is it free${suffix}`,
      ours: (i) => {
        setConfiguration(robot, states[i]);
        isSceneFree(scene);
      },
    },
    {
      name: `arm, nearest pair${suffix}`,
      ours: (i) => {
        setConfiguration(robot, states[i]);
        nearestPair(scene);
      },
    },
  ];
  for (const row of rows('')) yield compare({ suite: 'robot', inputs: stateCount, unit: 'us', ...row });
  const board = { type: 'box', size: [0.6, 1, 0.02] };
  for (let level = 0; level < 4; level++) {
    addObject(scene, { name: `shelf ${level}`, shape: board, pose: [0.7, 0, 0.1 + 0.3 * level, 0, 0, 0, 1] });
  }
  for (const row of rows(', four shelves')) yield compare({ suite: 'robot', inputs: stateCount, unit: 'us', ...row });
}
