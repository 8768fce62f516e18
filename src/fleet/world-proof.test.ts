import { describe, it } from 'vitest';
import { expect } from '../../test/support/quick-expect.js';
import { createRandom } from '../math/random.js';
import { createArmModel } from './arm-model.test-support.js';
import { createFleetArm } from './fleet-arm.js';
import { createFleetWorld } from './fleet-world.js';
import { createRobotFleet } from './robot-fleet.js';
import { createWorldProof } from './world-proof.js';

/** Arms in a small place: many meet. */
function busyWorld(seed: number) {
  const arm = createFleetArm(createArmModel());
  const world = createFleetWorld();
  const fleet = createRobotFleet(world);
  const random = createRandom(seed);
  for (let k = 0; k < 5; k++) {
    const r = fleet.addRobot({
      name: `r${k}`,
      base: k % 2 === 0 ? 'omni' : 'differential',
      shape: k === 1 ? { type: 'box', size: [0.6, 0.4, 0.4] } : { type: 'disc', radius: 0.3, height: 0.4 },
      pose: [random.uniform(-3, 3), random.uniform(-3, 3), 0, random.uniform(-3, 3)],
      mode: '3d',
      arm,
      joints: { values: [0, 0, 0], rate: 1.5 },
    });
    for (let n = 0; n < 6; n++)
      fleet.enqueue(
        r,
        { type: 'move', to: [random.uniform(-3, 3), random.uniform(-3, 3)] },
        { type: 'joints', values: [random.uniform(-2, 2), random.uniform(-1, 1), random.uniform(0, 0.3)] },
      );
  }
  return { world, fleet };
}

describe('proofs of steps', () => {
  it('never prove a step at whose end something that moved touches, and most others', () => {
    let proven = 0;
    let touched = 0;
    for (let seed = 1; seed <= 4; seed++) {
      const { world, fleet } = busyWorld(seed);
      const proof = createWorldProof(world, fleet);
      const placeOf = (id: number) =>
        [...(world.solids.find(id)?.transform ?? world.poses.subarray(6 * id, 6 * id + 6))].join();
      for (let k = 0; k < 150; k++) {
        const before = Array.from({ length: world.bodyCount }, (_, id) => placeOf(id));
        const moved = (id: number) => placeOf(id) !== before[id];
        world.step(0.1);
        const { unproven } = proof.prove();
        // What touches at the end of a step, and moved in it, was not apart in it.
        let least = 0;
        world.forEachContact((a, b) => {
          if (moved(a) || moved(b)) least++;
        });
        expect(unproven).toBeGreaterThanOrEqual(least);
        touched += world.contactCount > 0 ? 1 : 0;
        proven += unproven === 0 ? 1 : 0;
      }
    }
    expect(touched).toBeGreaterThan(8);
    expect(proven).toBeGreaterThan(200);
  });

  it('see what passes through another between two steps', () => {
    const world = createFleetWorld();
    const a = world.addBody({ name: 'a', shape: { type: 'disc', radius: 0.2 }, pose: [0, 0, 0, 0] });
    const b = world.addBody({ name: 'b', shape: { type: 'box', size: [0.2, 2, 1] }, pose: [1, 0, 0, 0] });
    const plate = world.addBody({
      name: 'plate',
      shape: { type: 'solid', shape: { type: 'box', size: [0.1, 0.1, 2] } },
      pose: [0, 5, 1.2, 0],
    });
    const beside = world.addBody({
      name: 'beside',
      shape: { type: 'solid', shape: { type: 'box', size: [0.1, 0.1, 2] } },
      pose: [1, 5, 1.2, 0],
    });
    const proof = createWorldProof(world);
    world.step(0.1);
    expect(proof.prove().unproven).toBe(0);
    world.setPose(a, 2, 0, 0, 0);
    world.setPose(plate, 2, 5, 1.2, 0);
    world.step(0.1);
    expect(world.contactCount).toBe(0);
    const verdict = proof.prove();
    expect(verdict.unproven).toBe(2);
    expect([verdict.a, verdict.b]).toEqual([a, b]);
    // Side by side, however far they go.
    world.setPose(plate, 20, 5, 1.2, 0);
    world.setPose(beside, 19, 5, 1.2, 0);
    proof.forget();
    world.setPose(plate, 40, 5, 1.2, 0);
    world.setPose(beside, 39, 5, 1.2, 0);
    world.step(0.1);
    expect(proof.prove().unproven).toBe(0);
    expect(() => createWorldProof(createFleetWorld(), createRobotFleet(world))).toThrow(/fleet, got another/);
  });
});
