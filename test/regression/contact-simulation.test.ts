/** Faults of other engines' contact simulation (cases/bugs.tsv), on ours. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/math/random.js';
import { createSimulation, createWorld, restoreSnapshot, stepSimulation, takeSnapshot } from '../../src/simulation.js';

const ground = { name: 'ground', shapes: [{ shape: { type: 'halfspace', normal: [0, 0, 1], offset: 0 } }] } as const;

describe('contact simulation', () => {
  it('U127: ten boxes stand, 5 s at 1/240 s', () => {
    const bodies = Array.from({ length: 10 }, (_, i) => ({
      name: `b${i}`,
      shapes: [{ shape: { type: 'box', size: [1, 1, 1] } as const }],
      pose: [0, 0, 0.5 + i, 0, 0, 0, 1] as const,
    }));
    const simulation = createSimulation(createWorld({ statics: [ground], bodies, step: 1 / 240 }));
    const { state } = simulation;
    const top = 2 + 14 * 9;
    let fastest = 0;
    for (let i = 1; i <= 5 * 240; i++) {
      stepSimulation(simulation);
      if (i <= 2 * 240) continue;
      for (let b = 0; b < 10; b++) fastest = Math.max(fastest, Math.hypot(...state.subarray(9 + 14 * b, 12 + 14 * b)));
    }
    expect(Math.hypot(state[top], state[top + 1], state[top + 2] - 9.5)).toBeLessThan(0.02);
    expect(fastest).toBeLessThan(0.05);
  });

  it.each([1, 2, 3])('U129: a spiky hull comes to rest and sleeps (%i)', (seed) => {
    const random = createRandom(seed);
    const corners = Array.from({ length: 20 }, () => {
      const d = [0, 1, 2].map(() => random.uniform(-1, 1));
      const norm = Math.hypot(...d);
      return [(0.5 * d[0]) / norm, (0.1 * d[1]) / norm, (0.1 * d[2]) / norm] as const;
    });
    const hull = {
      name: 'hull',
      shapes: [{ shape: { type: 'convex', points: Float64Array.from(corners.flat()) } as const }],
      pose: [0, 0, 0.5 + 0.5, 0, 0, 0, 1] as const,
    };
    const simulation = createSimulation(
      createWorld({ statics: [ground], bodies: [hull], step: 1 / 240, sleepSpeed: 0.01 }),
    );
    const from = simulation.state[4];
    let highest = 0;
    for (let i = 1; i <= 3 * 240; i++) {
      stepSimulation(simulation);
      highest = Math.max(highest, simulation.state[4]);
    }
    expect(highest).toBeLessThanOrEqual(from);
    expect(simulation.report.sleeping).toBe(1);
  });

  it('U131: a hundred resets leave one body, at the same bits', () => {
    const body = {
      name: 'a',
      shapes: [{ shape: { type: 'sphere', radius: 0.1 } as const }],
      pose: [0, 0, 1, 0, 0, 0, 1] as const,
    };
    const world = createWorld({ statics: [ground], bodies: [body], step: 0.002 });
    const simulation = createSimulation(world);
    const start = takeSnapshot(simulation);
    stepSimulation(simulation, 20);
    const end = Array.from(simulation.state);
    for (let i = 0; i < 100; i++) {
      restoreSnapshot(simulation, start);
      stepSimulation(simulation, 20);
      expect(world.bodies.length).toBe(1);
      expect(Array.from(simulation.state)).toEqual(end);
    }
  });
});
