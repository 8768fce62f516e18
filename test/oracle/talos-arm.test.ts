/** The numbers of the arm in test/support are those of the published file: same mass matrix and gravity at random configurations. */
import { describe, expect, it } from 'vitest';
import { computeGravity, crba, createDynamicsData } from '../../src/dynamics.js';
import { createRandom } from '../../src/math.js';
import { buildModel } from '../../src/model.js';
import { loadRobot } from '../../src/node.js';
import { needsShared, sharedPath } from '../shared.js';
import { createTalosArm } from '../support/talos-arm.js';

const URDF = ['data', 'robots', 'talos', 'robots', 'talos_data', 'robots', 'talos_left_arm.urdf'] as const;
const file = sharedPath(...URDF);

describe.skipIf(!file)(`the arm of Talos${needsShared(...URDF)}`, () => {
  it('has the dynamics of the file', async () => {
    const { value } = await loadRobot(file as string, { geometry: 'none' });
    const { model } = buildModel((value as NonNullable<typeof value>).description.model);
    const random = createRandom(7);
    const arm = createTalosArm();
    for (let n = 0; n < 20; n++) {
      const q = Float64Array.from({ length: 7 }, () => random.uniform(-2, 2));
      const [ours, theirs] = [createDynamicsData(arm), createDynamicsData(model)];
      const gravity = computeGravity(model, theirs, q);
      for (const [i, torque] of computeGravity(arm, ours, q).entries()) expect(torque).toBeCloseTo(gravity[i], 9);
      const mass = crba(model, theirs, q);
      for (const [i, entry] of crba(arm, ours, q).entries()) expect(entry).toBeCloseTo(mass[i], 10);
    }
  });
});
