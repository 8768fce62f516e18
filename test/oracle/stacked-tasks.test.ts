/** Stacks of tasks on robots with many joints: feet and hands at once. Never NaN; what one configuration meets is solved. */
import { describe, expect, it } from 'vitest';
import { createIkSolver } from '../../src/ik/solve-ik.js';
import { drawStack } from '../../src/ik/stacks.test-support.js';
import type { IkTask } from '../../src/ik/tasks/task.js';
import { computeFramePlacement, updateKinematics } from '../../src/kinematics/forward-kinematics.js';
import { createRandom, type Random } from '../../src/math/random.js';
import { createTransform } from '../../src/math/transform.js';
import { buildModel } from '../../src/model/build-model.js';
import {
  clampConfiguration,
  createNeutralConfiguration,
  integrateConfiguration,
} from '../../src/model/configuration.js';
import { createData, findFrame, type Model } from '../../src/model/model.js';
import { loadRobot } from '../../src/node/load-robot.js';
import { needsShared, sharedPath } from '../shared.js';

const folder = sharedPath('data', 'robots');
const talos = 'talos/robots/talos_data/robots/talos_reduced.urdf';
const anymal = 'anymal_kinova/robots/anymal_b_simple_description/robots/anymal.urdf';

describe.skipIf(!folder)(`stacks of tasks${needsShared('data', 'robots')}`, () => {
  it.each([
    [talos, ['leg_left_6_link', 'leg_right_6_link']],
    [talos, ['leg_left_6_link', 'leg_right_6_link', 'arm_right_7_link']],
    [anymal, ['LF_FOOT', 'RF_FOOT', 'LH_FOOT']],
    [anymal, ['LF_FOOT', 'RF_FOOT', 'LH_FOOT', 'RH_FOOT']],
  ])('%s: poses of %s near a stand', async (file, links) => {
    const model = await load(file, 'floating');
    const data = createData(model);
    const random = createRandom(11);
    for (let n = 0; n < 20; n++) {
      const goal = drawNear(model, random, 0.3);
      updateKinematics(model, data, goal);
      const tasks = links.map((link): IkTask => {
        const frame = findFrame(model, link, 'link');
        expect(frame, link).toBeGreaterThanOrEqual(0);
        return { kind: 'pose', frame, target: computeFramePlacement(createTransform(), model, data, frame) };
      });
      const result = createIkSolver(model, tasks).solve({ seed: n + 1 });
      expect(result.q.every(Number.isFinite), `stand ${n}`).toBe(true);
      expect(result.status, `stand ${n}`).toBe('solved');
    }
  });

  it.each([
    [talos, 'floating'],
    [anymal, 'floating'],
    ['fetch/resources/fetch/fetch.urdf', 'fixed'],
  ] as const)('%s, base %s: random stacks of 7 to 24 rows never give NaN', async (file, base) => {
    const model = await load(file, base);
    const random = createRandom(12);
    for (let n = 0; n < 30; n++) {
      const { tasks, rows } = drawStack(model, random, 7, 24);
      const result = createIkSolver(model, tasks).solve({ seed: n + 1, restarts: 3 });
      const numbers = [...result.q, result.positionError, result.rotationError];
      expect(numbers.every(Number.isFinite), `stack ${n}, ${rows} rows`).toBe(true);
    }
  });
});

async function load(file: string, base: 'fixed' | 'floating'): Promise<Model> {
  const { value } = await loadRobot(`${folder}/${file}`, { geometry: 'none' });
  if (!value) throw new Error(`${file} does not load`);
  return buildModel(value.description.model, { base }).model;
}

/** Every coordinate moved a little from neutral, inside the limits. */
function drawNear(model: Model, random: Random, size: number): Float64Array {
  const step = Float64Array.from({ length: model.nv }, () => random.uniform(-size, size));
  const q = integrateConfiguration(new Float64Array(model.nq), model, createNeutralConfiguration(model), step);
  return clampConfiguration(q, model, q);
}
