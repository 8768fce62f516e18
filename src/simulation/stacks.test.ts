/** What stands stays: towers, walls, and columns under few sweeps come to rest and fall asleep. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { computeEnergy } from './energy.js';
import { bodyPose, type Simulation } from './simulation.js';
import { box, GROUND, start } from './simulation.test-support.js';
import { stepSimulation } from './step.js';

const FULL = Boolean(process.env.ORACLE_FULL);
const BALLS = FULL ? 666 : 60;
const pose = new Float64Array(7);

/** How far any box has gone from where it was put. */
function measureDrift(simulation: Simulation): number {
  let largest = 0;
  for (const [i, { start: at }] of simulation.world.bodies.entries()) {
    const [x, y, z] = bodyPose(pose, simulation, i);
    largest = Math.max(largest, Math.hypot(x - at[9], y - at[10], z - at[11]));
  }
  return largest;
}

const tower = () => Array.from({ length: 10 }, (_, i) => box(`b${i}`, 0, 0, 0.5 + i));
const wall = (gap: number, shift: number) =>
  Array.from({ length: 25 }, (_, i) => {
    const row = Math.floor(i / 5);
    return box(`b${String(i).padStart(2, '0')}`, gap * (i % 5) + shift * (row % 2), 0, 0.5 + row);
  });

describe('stacks', () => {
  it('ten boxes stand within 1 mm', { timeout: 600_000 }, () => {
    const simulation = start({ statics: [GROUND], bodies: tower(), step: 1 / 240 });
    stepSimulation(simulation, 240 * (FULL ? 60 : 3));
    expect(measureDrift(simulation)).toBeLessThan(1e-6);
  });

  it.each([
    ['ten boxes', tower()],
    ['a wall of 5 x 5', wall(1, 0)],
    ['a wall of 5 x 5 in bond', wall(1.02, 0.25)],
  ])('%s: within 1 mm, and asleep within 2 s', { timeout: 600_000 }, (_, bodies) => {
    const simulation = start({ statics: [GROUND], bodies, step: 1 / 120, sleepSpeed: 0.01 });
    stepSimulation(simulation, 120 * 2);
    expect(simulation.report.sleeping).toBe(bodies.length);
    expect(measureDrift(simulation)).toBeLessThan(1e-3);
    if (!FULL) return;
    stepSimulation(simulation, 120 * 58);
    expect(measureDrift(simulation)).toBeLessThan(1e-3);
  });

  it('a column under eight sweeps comes to rest', () => {
    const random = createRandom(1);
    const bodies = Array.from({ length: 5 }, (_, i) => ({
      name: `b${i}`,
      shapes: [{ shape: { type: 'box', size: [0.4, 0.4, 0.4] } as const }],
      pose: [random.uniform(-0.03, 0.03), random.uniform(-0.03, 0.03), 0.3 + 0.5 * i, 0, 0, 0, 1] as const,
    }));
    const options = { statics: [GROUND], bodies, step: 1 / 60, solver: 'gauss-seidel', iterations: 8 } as const;
    const simulation = start(options);
    stepSimulation(simulation, 60 * 12);
    let fastest = 0;
    for (const x of simulation.velocity) fastest = Math.max(fastest, Math.abs(x));
    expect(fastest).toBeLessThan(0.01);
    expect(simulation.report.penetration).toBeLessThan(1e-3);
    const sleeper = start({ ...options, sleepSpeed: 0.01 });
    stepSimulation(sleeper, 60 * 20);
    expect(sleeper.report.sleeping).toBe(5);
  });

  it(`${BALLS} balls in a bin settle, and never have more energy than at their start`, { timeout: 600_000 }, () => {
    const random = createRandom(3);
    const side = Math.ceil(Math.sqrt(BALLS / 5));
    const bodies = Array.from({ length: BALLS }, (_, i) => ({
      name: `b${String(i).padStart(3, '0')}`,
      shapes: [{ shape: { type: 'sphere' as const, radius: 0.2 } }],
      pose: [
        0.41 * (i % side) + random.uniform(-0.004, 0.004),
        0.41 * (Math.floor(i / side) % side) + random.uniform(-0.004, 0.004),
        0.3 + 0.45 * Math.floor(i / (side * side)),
        0,
        0,
        0,
        1,
      ] as const,
    }));
    const wide = 0.41 * (side - 1) + 0.3;
    const walls = [
      [1, 0, 0, -0.3],
      [-1, 0, 0, -wide],
      [0, 1, 0, -0.3],
      [0, -1, 0, -wide],
    ].map(([x, y, z, offset], i) => ({
      name: `wall${i}`,
      shapes: [{ shape: { type: 'halfspace' as const, normal: [x, y, z] as const, offset } }],
    }));
    const statics = [GROUND, ...walls];
    const simulation = start({ statics, bodies, step: 1 / 120, solver: 'gauss-seidel', iterations: 30 });
    const first = computeEnergy(simulation);
    let last = first;
    for (let i = 0; i < 100; i++) {
      stepSimulation(simulation, 6);
      last = computeEnergy(simulation);
      expect(last.total).toBeLessThanOrEqual(first.total * (1 + 1e-9));
    }
    expect(simulation.report.penetration).toBeLessThan(0.01);
    expect(last.kinetic).toBeLessThan(1e-3 * (first.total - last.potential));
  });
});
