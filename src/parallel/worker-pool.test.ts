/** The pool with a worker script of its own, which fails as it is told. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { makeFolder } from '../../test/support/temporary-folder.js';
import type { JobPlan } from './kinds/job-kind.js';
import { ParallelError } from './parallel-error.js';
import { WorkerPool } from './worker-pool.js';

const folder = makeFolder({
  'told.mjs': `import { parentPort } from 'node:worker_threads';
   const shares = new Map();
   let starts = 0;
   parentPort.on('message', (m) => {
     if (m.type === 'start') {
       if (m.shared.refuse) return parentPort.postMessage({ type: 'failed', message: 'not this one' });
       shares.set(m.share, m.shared);
       starts++;
       return parentPort.postMessage({ type: 'ready' });
     }
     if (m.type === 'drop') return void shares.delete(m.share);
     const { first, count } = m.task;
     const { exitAt, muteAt, failAt = [] } = shares.get(m.share);
     const has = (i) => i >= first && i < first + count;
     if (exitAt !== undefined && has(exitAt)) process.exit(3);
     if (muteAt !== undefined && has(muteAt)) return;
     const failing = failAt.find(has);
     if (failing !== undefined)
       return parentPort.postMessage({ type: 'error', id: m.id, index: failing - first, message: 'told to' });
     parentPort.postMessage({ type: 'done', id: m.id, result: { starts, values: Array.from({ length: count }, (_, i) => 2 * (first + i)) } });
   });`,
});

interface Told {
  readonly exitAt?: number;
  readonly muteAt?: number;
  readonly failAt?: readonly number[];
  readonly refuse?: boolean;
}

interface Task {
  readonly first: number;
  readonly count: number;
}

/** Doubles the numbers below `total`. */
function createDoubling(total: number, told: Told = {}) {
  const values = new Array<number>(total).fill(-1);
  const order: number[] = [];
  let next = 0;
  let mostStarts = 0;
  const plan: JobPlan<Task, { starts: number; values: number[] }, number[]> = {
    total,
    get done() {
      return values.filter((value) => value >= 0).length;
    },
    get width() {
      return total - next;
    },
    take: (units) => {
      if (next >= total) return null;
      const task = { first: next, count: Math.min(units, total - next) };
      next += task.count;
      order.push(task.first);
      return task;
    },
    unitsOf: ({ count }) => count,
    merge: ({ first }, result) => {
      mostStarts = Math.max(mostStarts, result.starts);
      result.values.forEach((value, i) => {
        values[first + i] = value;
      });
    },
    save: () => values.slice(),
    output: () => values,
    describe: ({ first }) => `doubled ${first} and following`,
    nameOf: ({ first }, index) => ({ name: `number ${first + index}`, index: first + index }),
  };
  return {
    job: { kind: 'doubling', plan: plan as JobPlan, shared: told as object },
    values,
    order,
    starts: () => mostStarts,
  };
}

const expected = (total: number) => Array.from({ length: total }, (_, i) => 2 * i);
const pools: WorkerPool[] = [];
afterEach(() => {
  for (const pool of pools.splice(0)) pool.dispose();
});

function createPool(workers: number, limits = {}): WorkerPool {
  const pool = new WorkerPool({
    ...{ name: 'pool', workers, script: pathToFileURL(join(folder, 'told.mjs')) },
    limits: { startTimeoutMs: Infinity, answerTimeoutMs: Infinity, ...limits },
  });
  pools.push(pool);
  return pool;
}

describe('a pool of workers', () => {
  it.each([1, 2, 3])('does several jobs at once with %i workers, which it starts once', async (workers) => {
    const pool = createPool(workers);
    const shared = {};
    const jobs = [500, 1, 0, 77].map((total) => createDoubling(total, shared));
    const progress: number[][] = jobs.map(() => []);
    await Promise.all(jobs.map(({ job }, i) => pool.run(job, { onProgress: (share) => progress[i].push(share) })));
    jobs.forEach(({ values }, i) => {
      expect(values).toEqual(expected(values.length));
      expect(progress[i].at(-1)).toBe(1);
      expect([...progress[i]].sort((a, b) => a - b)).toEqual(progress[i]);
    });
    const again = createDoubling(300, shared);
    await pool.run(again.job);
    expect(again.values).toEqual(expected(300));
    // Each worker was sent what all share once.
    expect(again.starts()).toBe(1);
  });

  it('keeps the last few things that it sent', async () => {
    const pool = createPool(1);
    for (let i = 0; i < 7; i++) {
      const { job, values } = createDoubling(40);
      await pool.run(job);
      expect(values).toEqual(expected(40));
    }
  });

  it('tells the first part that fails by its index, and goes on with other jobs', async () => {
    const pool = createPool(2);
    const failing = createDoubling(400, { failAt: [120, 250, 330] });
    const other = createDoubling(400);
    const results = await Promise.allSettled([pool.run(failing.job), pool.run(other.job)]);
    expect(results[0]).toMatchObject({ status: 'rejected', reason: { message: 'number 120: told to', index: 120 } });
    expect((results[0] as PromiseRejectedResult).reason).toBeInstanceOf(ParallelError);
    expect(results[1].status).toBe('fulfilled');
    expect(other.values).toEqual(expected(400));
  });

  it('fails the job of a worker that ends, and goes on with other jobs in a new one', async () => {
    for (const workers of [1, 2]) {
      const pool = createPool(workers);
      const leaving = createDoubling(300, { exitAt: 100 });
      const others = [createDoubling(300), createDoubling(300)];
      const results = await Promise.allSettled([leaving, ...others].map(({ job }) => pool.run(job)));
      expect(results[0]).toMatchObject({
        status: 'rejected',
        reason: {
          message: expect.stringMatching(
            /^pool: worker file:.*told\.mjs failed while it doubled \d+ and following: it ended with exit code 3$/,
          ),
        },
      });
      for (const [i, { values }] of others.entries()) {
        expect(results[i + 1].status).toBe('fulfilled');
        expect(values).toEqual(expected(300));
      }
    }
  });

  it('fails the job of a worker that stays silent, and goes on with other jobs', async () => {
    const pool = createPool(2, { answerTimeoutMs: 300 });
    const silent = createDoubling(100, { muteAt: 0 });
    const other = createDoubling(900);
    const results = await Promise.allSettled([pool.run(silent.job), pool.run(other.job)]);
    expect(results[0]).toMatchObject({ reason: { message: expect.stringMatching(/did not answer within 0\.3 s/) } });
    expect(other.values).toEqual(expected(900));
  });

  it('fails the job that a worker cannot take', async () => {
    const pool = createPool(2);
    const refused = createDoubling(100, { refuse: true });
    const other = createDoubling(100);
    const results = await Promise.allSettled([pool.run(refused.job), pool.run(other.job)]);
    expect(results[0]).toMatchObject({ reason: { message: 'pool: a worker could not take the job: not this one' } });
    expect(other.values).toEqual(expected(100));
    await expect(createPool(2).start('doubling', { refuse: true })).rejects.toThrow(/not this one/);
  });

  it('ends a run by its signal, and does what comes after', async () => {
    const pool = createPool(2);
    const stopped = createDoubling(10_000);
    const controller = new AbortController();
    const other = createDoubling(300);
    const running = pool.run(stopped.job, { signal: controller.signal, onProgress: () => controller.abort('enough') });
    const results = await Promise.allSettled([running, pool.run(other.job)]);
    expect(results[0]).toEqual({ status: 'rejected', reason: 'enough' });
    expect(stopped.job.plan.done).toBeLessThan(10_000);
    expect(other.values).toEqual(expected(300));
    await expect(pool.run(createDoubling(3).job, { signal: AbortSignal.abort('before') })).rejects.toBe('before');
  });

  it('rejects what is under way when it is disposed, and what comes later', async () => {
    const pool = createPool(1);
    const running = pool.run(createDoubling(100, { muteAt: 0 }).job);
    pool.dispose();
    await expect(running).rejects.toThrow(/disposed/);
    await expect(pool.run(createDoubling(1).job)).rejects.toThrow(/disposed/);
  });

  it('fails a job whose data cannot be sent', async () => {
    const pool = createPool(1);
    const { job } = createDoubling(10);
    await expect(pool.run({ ...job, shared: { call: () => 1 } })).rejects.toThrow(/could not be cloned/);
  });
});
