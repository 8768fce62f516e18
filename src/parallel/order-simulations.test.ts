import { expect, it } from 'vitest';
import type { WorldOptions } from '../simulation/definition.js';
import { createSimulation } from '../simulation/simulation.js';
import { box, createPendulum, GROUND } from '../simulation/simulation.test-support.js';
import { restoreSnapshot, takeSnapshot } from '../simulation/snapshot.js';
import { stepSimulation } from '../simulation/step.js';
import { createWorld } from '../simulation/world.js';
import { openJob, resumeJob } from './job.js';
import type { JobCheckpoint } from './job-checkpoint.js';
import { formatJobData, parseJobData } from './job-data-text.js';
import type { JobOrder } from './job-order.js';
import { orderSimulations } from './order-simulations.js';

it('simulations of a batch end where those end that are stepped one by one, with a stop in between and through text', async () => {
  const pile: WorldOptions = {
    statics: [GROUND],
    bodies: [box('a', 0, 0, 0.5), box('b', 0.2, 0, 1.52)],
    robots: [{ name: 'p', model: createPendulum(2), shapes: [], q: [1, 0.5], pose: [4, 0, 3, 0, 0, 0, 1] }],
    step: 0.005,
  };
  const drop: WorldOptions = { statics: [GROUND], bodies: [box('a', 0, 0, 0.7)] };
  const first = createSimulation(createWorld(pile));
  stepSimulation(first, 12);
  const start = takeSnapshot(first);
  const order = orderSimulations([{ world: pile }, { world: drop }, { world: pile, start }], { steps: 40 });
  const job = await openJob(order);
  for (let i = 0; i < 7; i++) job.step(9);
  expect(job.progress).toBe(63 / 120);
  const sent = parseJobData(formatJobData(order)) as JobOrder<readonly Float64Array[]>;
  const resumed = await resumeJob(sent, parseJobData(formatJobData(job.save())) as JobCheckpoint);
  while (!resumed.step(11));
  for (const [i, [options, from]] of (
    [
      [pile, null],
      [drop, null],
      [pile, start],
    ] as const
  ).entries()) {
    const simulation = createSimulation(createWorld(options));
    if (from) restoreSnapshot(simulation, from);
    stepSimulation(simulation, 40);
    expect([...resumed.output![i]]).toEqual([...takeSnapshot(simulation)]);
  }
});

it('refuses worlds that createWorld refuses, and snapshots of other worlds', () => {
  const twice = { bodies: [box('a', 0, 0, 0), box('a', 0, 0, 2)] };
  expect(() => orderSimulations([{ world: twice }], { steps: 1 })).toThrow(/"a" twice/);
  const start = takeSnapshot(createSimulation(createWorld({ bodies: [box('a', 0, 0, 0)] })));
  expect(() => orderSimulations([{ world: {}, start }], { steps: 1 })).toThrow(/one of another world/);
});
