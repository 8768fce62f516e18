import { afterAll, describe, expect, it } from 'vitest';
import { useCheckedKernel } from '../kernel/checked-kernel.js';
import { useInlinedKernel } from '../kernel/kernel.js';
import { createRandom } from '../math/random.js';
import { BodyContacts, loadVelocities, writeBodyContact, writeMasses } from './body-contacts.js';
import { writeInverseInertias } from './build-constraints.js';
import { box, GROUND, start } from './simulation.test-support.js';
import type { GaussSeidelResult } from './solve-gauss-seidel.js';
import { stepSimulation } from './step.js';
import {
  applyBodyImpulses,
  measureBodyResidual,
  prepareBodyContacts,
  sweepBodyContacts,
  sweepShifts,
} from './sweep-body-contacts.js';

describe.each(['release', 'checked'])('contacts of bodies in the kernel (%s)', (build) => {
  afterAll(() => {
    useInlinedKernel();
  });

  it.each([true, false])('have the bits of the loops in JavaScript (pyramids: %s)', (pyramidal) => {
    if (build === 'checked') useCheckedKernel();
    else useInlinedKernel();
    const random = createRandom(5);
    const bodies = Array.from({ length: 30 }, (_, i) =>
      box(`b${i}`, 1.02 * (i % 5), 0, 0.5 + Math.floor(i / 5), {
        velocity: Array.from({ length: 6 }, () => random.uniform(-0.3, 0.3)),
        density: 10 ** random.uniform(1, 3),
      }),
    );
    const simulation = start({ statics: [GROUND], bodies, step: 0.004 });
    const { constraints: set, world, velocity } = simulation;
    const inverse = new Float64Array(6 * world.bodies.length);
    let pushing = 0;
    for (let i = 0; i < 16; i++) {
      stepSimulation(simulation);
      writeInverseInertias(inverse, simulation);
      const count = set.blockCount;
      if (count <= 30) continue;
      // Other velocities at each step, so that contacts open, stick and slide.
      const V = velocity.map((v, k) => v + (k % 6 === 2 ? -0.04 : random.uniform(-0.02, 0.02)));
      const from = random.integer(5);
      const both = [true, false].map((byKernel) => {
        const flat = new BodyContacts(world.bodies.length, byKernel);
        flat.reserve(count);
        writeMasses(flat, simulation, inverse);
        loadVelocities(flat, V);
        for (let b = 0; b < count; b++) {
          flat.order[b] = count - 1 - b;
          writeBodyContact(flat, simulation, b, set.sources[b], 0.004);
          flat.wanted[b] = ((b * 7) % 5) - 2;
          flat.pushed[b] = 0;
        }
        return flat;
      });
      const [own, plain] = both;
      expect(own.block).not.toBe(null);
      expect(plain.block).toBe(null);
      const expectSame = (): void => {
        for (const key of ['data', 'velocities', 'pushed', 'shifts'] as const)
          expect([...own[key].subarray(0, 32 * count)].slice(0, plain[key].length)).toEqual([
            ...plain[key].subarray(0, Math.min(32 * count, own[key].length)),
          ]);
      };
      const { functions, address } = own.block!;
      functions.prepareContacts(address, from, count);
      prepareBodyContacts(plain, plain.order, from, count);
      functions.applyContacts(address, from, count);
      applyBodyImpulses(plain, plain.order, from, count);
      expectSame();
      const swept: GaussSeidelResult = { iterations: 0, residual: 0, status: 'limit' };
      for (const [iterations, tolerance] of [
        [3, 0],
        [40, 1e-3],
      ]) {
        const sweeps = functions.sweepContacts(address, from, count, iterations, tolerance, pyramidal ? 1 : 0);
        sweepBodyContacts(plain, plain.order, from, count, { iterations, tolerance, pyramidal }, swept);
        expect(sweeps).toBe(swept.status === 'solved' ? swept.iterations : -swept.iterations);
        expectSame();
        expect(functions.measureContacts(address, from, count, pyramidal ? 1 : 0)).toBe(
          measureBodyResidual(plain, plain.order, from, count, pyramidal),
        );
      }
      for (let round = 0; round < 3; round++)
        expect(functions.shiftContacts(address, from, count)).toBe(sweepShifts(plain, plain.order, from, count));
      expectSame();
      for (let b = 0; b < count; b++) if (plain.data[32 * b + 25] > 0) pushing++;
    }
    expect(pushing).toBeGreaterThan(200);
  });
});
