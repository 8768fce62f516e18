import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { BodyContacts, CONTACT_STRIDE, loadVelocities, writeBodyContact, writeMasses } from './body-contacts.js';
import { writeInverseInertias } from './build-constraints.js';
import type { BodyOptions } from './definition.js';
import { Islands } from './islands.js';
import { GROUND, start } from './simulation.test-support.js';
import { MOST_BODIES, prepareBodyVelocities, solveBodyVelocities } from './solve-body-velocities.js';
import type { ProximalResult } from './solve-proximal.js';
import { stepSimulation } from './step.js';
import { applyBodyImpulses, measureBodyResidual, prepareBodyContacts } from './sweep-body-contacts.js';

/** Boxes and balls above each other, shifted and turned a little; masses to 100 : 1. */
function pile(seed: number, count: number): BodyOptions[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, i) => {
    const tilt = random.uniform(-0.05, 0.05);
    const shape =
      i % 4 === 3 ? ({ type: 'sphere', radius: 0.2 } as const) : ({ type: 'box', size: [0.5, 0.4, 0.4] } as const);
    const place = [random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05), 0.25 + 0.45 * i] as const;
    const pose = [...place, tilt, 0, 0, Math.sqrt(1 - tilt * tilt)] as const;
    return { name: `b${i}`, shapes: [{ shape }], pose, mass: 10 ** random.uniform(-1, 1) };
  });
}

const result: ProximalResult = { status: 'solved', iterations: 0, newtonSteps: 0, factorizations: 0, residual: 0 };

describe('solveBodyVelocities', () => {
  it.each(['elliptic', 'pyramidal'] as const)('impulses meet the conditions that velocities show (%s)', (cone) => {
    let solved = 0;
    let tried = 0;
    for (const seed of [1, 2, 3]) {
      const simulation = start({ statics: [GROUND], bodies: pile(seed, 6), step: 0.004, cone });
      const { world, constraints: set, contacts, velocity } = simulation;
      const inverse = new Float64Array(6 * world.bodies.length);
      for (let i = 0; i < 250; i++) {
        stepSimulation(simulation);
        if (i % 5 !== 0 || contacts.count === 0) continue;
        // The contacts of this step again, at velocities of its end that gravity has changed.
        const V = velocity.map((v, k) => (k % 6 === 2 ? v - 9.81 * 0.004 : v));
        const bodies = new BodyContacts(world.bodies.length);
        bodies.reserve(set.blockCount);
        writeInverseInertias(inverse, simulation);
        writeMasses(bodies, simulation, inverse);
        const islands = new Islands();
        islands.find(set, world.bodies.length);
        for (let k = 0; k < islands.count; k++) {
          const [from, end] = [islands.starts[k], islands.starts[k + 1]];
          for (let b = from; b < end; b++)
            writeBodyContact(bodies, simulation, islands.blocks[b], set.sources[islands.blocks[b]], 0.004);
          prepareBodyContacts(bodies, islands.blocks, from, end);
          expect(prepareBodyVelocities(bodies, V, islands.blocks, from, end)).toBe(true);
          tried++;
          const options = { isWhole: false, iterations: 30, tolerance: 1e-10, goal: 1e-10 };
          const isSolved = solveBodyVelocities(
            bodies,
            islands.blocks,
            from,
            end,
            options,
            cone === 'pyramidal',
            result,
          );
          loadVelocities(bodies, V);
          applyBodyImpulses(bodies, islands.blocks, from, end);
          const residual = measureBodyResidual(bodies, islands.blocks, from, end, cone === 'pyramidal');
          expect(Math.abs(residual - result.residual)).toBeLessThan(1e-10);
          if (!isSolved) continue;
          solved++;
          expect(residual).toBeLessThan(2e-10);
          for (let b = from; b < end; b++)
            expect(bodies.data[CONTACT_STRIDE * islands.blocks[b] + 25]).toBeGreaterThanOrEqual(0);
        }
      }
    }
    expect(tried).toBeGreaterThan(100);
    // Half of these piles are falling over: what is left takes sweeps between.
    expect(solved / tried).toBeGreaterThan(0.2);
  });

  it('refuses islands of too many bodies', () => {
    const bodies = Array.from({ length: MOST_BODIES + 1 }, (_, i) => ({
      name: `b${String(i).padStart(3, '0')}`,
      shapes: [{ shape: { type: 'sphere' as const, radius: 0.1 } }],
      pose: [0.2 * i, 0, 0.1, 0, 0, 0, 1] as const,
    }));
    const simulation = start({ statics: [GROUND], bodies, step: 0.001 });
    const { status, islands } = stepSimulation(simulation);
    expect([status, islands]).toEqual(['ok', 1]);
    const { world, constraints: set } = simulation;
    const flat = new BodyContacts(world.bodies.length);
    flat.reserve(set.blockCount);
    writeMasses(flat, simulation, new Float64Array(6 * world.bodies.length).fill(1));
    const blocks = Int32Array.from({ length: set.blockCount }, (_, b) => b);
    for (const b of blocks) writeBodyContact(flat, simulation, b, set.sources[b], 0.001);
    prepareBodyContacts(flat, blocks, 0, blocks.length);
    expect(prepareBodyVelocities(flat, simulation.velocity, blocks, 0, blocks.length)).toBe(false);
  });
});

it('columns that fell come to rest to rounding', () => {
  const random = createRandom(7);
  const bodies = Array.from({ length: 10 }, (_, i) => {
    const place = [random.uniform(-0.03, 0.03) + 2 * (i % 2), random.uniform(-0.03, 0.03), 0.3 + 0.25 * (i - (i % 2))];
    const shapes = [{ shape: { type: 'box' as const, size: [0.4, 0.4, 0.4] as const } }];
    return { name: `b${i}`, shapes, pose: [...(place as [number, number, number]), 0, 0, 0, 1] as const };
  });
  const simulation = start({ statics: [GROUND], bodies, step: 1 / 60 });
  for (let i = 0; i < 240; i++) stepSimulation(simulation);
  let sum = 0;
  for (let i = 0; i < 60; i++) {
    const { status, residual, iterations } = stepSimulation(simulation);
    expect(status).toBe('ok');
    expect(residual).toBeLessThanOrEqual(1e-9);
    sum += iterations;
  }
  for (const v of simulation.velocity) expect(Math.abs(v)).toBeLessThan(1e-9);
  // Two columns: sweeps and Newton's steps of both.
  expect(sum / 60).toBeLessThan(12);
});
