/** First paths as a job: what `optimisePath` gives, however many are tried at once, with a stop in between and through text. */
import { describe, expect, it } from 'vitest';
import { joint, placement, robot as robotOf } from '../../test/models.js';
import { optimisePath, type PathOptimisation } from '../control/paths/optimise-path.js';
import { buildModel } from '../model/build-model.js';
import { addRobot } from '../scene/robot.js';
import { addObject, createScene } from '../scene/scene.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import { openJob, resumeJob } from './job.js';
import type { JobCheckpoint } from './job-checkpoint.js';
import { formatJobData, parseJobData } from './job-data-text.js';
import type { JobOrder } from './job-order.js';
import { pathSeeds } from './kinds/path-seeds.js';
import { orderPathOptimisation } from './order-path-optimisation.js';

const LIMITS = { lower: -3, upper: 3, velocity: 10, effort: 1 };

/** A ball in the plane behind a wall with a gap at one end: the straight path fails. */
function createCart(): { scene: Scene; robot: SceneRobot } {
  const scene = createScene();
  const model = robotOf([
    joint('x', 'prismatic', 'a', 'b', { axis: [1, 0, 0], limits: LIMITS }),
    joint('y', 'prismatic', 'b', 'c', { axis: [0, 1, 0], limits: LIMITS }),
  ]);
  const collisions = [{ link: 'c', origin: placement(), shape: { type: 'sphere', radius: 0.1 } as const }];
  const robot = addRobot(scene, {
    model: buildModel(model).model,
    description: { name: 'cart', model, collisions, visuals: [] },
  });
  addObject(scene, { name: 'wall', shape: { type: 'box', size: [0.2, 2.2, 1] }, pose: [0, 0, 0, 0, 0, 0, 1] });
  addObject(scene, { name: 'pocket', shape: { type: 'box', size: [0.8, 0.2, 1] }, pose: [-0.4, 1.2, 0, 0, 0, 0, 1] });
  return { scene, robot };
}

const REQUEST = { start: [-1, 0.4], goal: [1, 0.4], seeds: 6, clearance: 0.01 } as const;

/** Units are taken and answered in a given order, as workers would. */
function runInOrder(order: JobOrder<PathOptimisation>, pick: (waiting: readonly number[]) => number, width: number) {
  const input = order.input as Parameters<typeof pathSeeds.share>[0];
  const performer = pathSeeds.prepare(pathSeeds.share(input));
  const plan = pathSeeds.plan(input, 0, null);
  const waiting: number[] = [];
  let progress = 0;
  let tried = 0;
  for (;;) {
    while (waiting.length < width) {
      const task = plan.take(1, 0);
      if (task === null) break;
      waiting.push(task);
    }
    if (waiting.length === 0) break;
    const [task] = waiting.splice(pick(waiting), 1);
    plan.merge(task, performer.perform(task));
    tried++;
    expect(plan.done / plan.total).toBeGreaterThanOrEqual(progress);
    progress = plan.done / plan.total;
  }
  performer.dispose();
  expect(progress).toBe(1);
  return { output: plan.output(), tried };
}

describe('first paths as a job', () => {
  it.each([
    ['trajopt', false],
    ['trajopt', true],
    ['chomp', false],
  ] as const)('%s, all %s: the bits of one thread, in whatever order they are answered', async (method, all) => {
    const { scene, robot } = createCart();
    const request = { ...REQUEST, method, all };
    const alone = optimisePath(scene, robot, request);
    expect(alone.attempts.length).toBeGreaterThan(1);
    const order = orderPathOptimisation(scene, robot, request);
    const first = runInOrder(order, () => 0, 1);
    expect(first.output).toEqual(alone);
    expect(first.tried).toBe(alone.attempts.length);
    expect(runInOrder(order, ({ length }) => length - 1, 6).output).toEqual(alone);
    const job = await openJob(order);
    job.step();
    const sent = parseJobData(formatJobData(order)) as JobOrder<PathOptimisation>;
    const resumed = await resumeJob(sent, parseJobData(formatJobData(job.save())) as JobCheckpoint);
    while (!resumed.step());
    expect(resumed.output).toEqual(alone);
  });

  it('tells of bad ends as optimisePath does, and refuses what it refuses, and functions', async () => {
    const { scene, robot } = createCart();
    const bad = { ...REQUEST, goal: [0, 0] };
    const job = await openJob(orderPathOptimisation(scene, robot, bad));
    expect(job.step()).toBe(true);
    expect(job.output).toEqual(optimisePath(scene, robot, bad));
    expect(job.output?.status).toBe('invalid-goal');
    expect(() => orderPathOptimisation(scene, robot, { ...REQUEST, seeds: 0 })).toThrow(/seeds, got 0/);
    const withStop = { ...REQUEST, shouldStop: () => false };
    expect(() => orderPathOptimisation(scene, robot, withStop)).toThrow(/functions cannot travel/);
  });
});
