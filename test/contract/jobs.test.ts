/**
 * Jobs of every kind, stopped anywhere, sent anywhere and gone on with: the bits of a run without a stop. Workers run the built
 * package, as users have it, and so does what opens the jobs here.
 */
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type * as Io from '../../src/io.js';
import { hashContent } from '../../src/math/content-hash.js';
import { createRandom } from '../../src/math/random.js';
import type * as Model from '../../src/model.js';
import type * as MoleculeDoor from '../../src/molecule.js';
import { createOrder } from '../../src/parallel/job-order.js';
import type { JobKind, JobPlan } from '../../src/parallel/kinds/job-kind.js';
import { pathSeeds } from '../../src/parallel/kinds/path-seeds.js';
import { replicas } from '../../src/parallel/kinds/replicas.js';
import { rigidSearches } from '../../src/parallel/kinds/rigid-searches.js';
import { sceneBatch } from '../../src/parallel/kinds/scene-batch.js';
import { simulations } from '../../src/parallel/kinds/simulations.js';
import type * as Parallel from '../../src/parallel.js';
import { slotProblem } from '../../src/rigid/rigid.test-support.js';
import type * as Rigid from '../../src/rigid.js';
import type * as SceneDoor from '../../src/scene.js';
import type * as SimulationDoor from '../../src/simulation.js';
import { joint, placement, robot as robotOf } from '../models.js';
import { planarArm } from '../scene-fixtures.js';
import { createSphereMesh } from '../support/brute-force-meshes.js';
import { isBuilt, loadDoor } from '../support/built-library.js';

/** A job without its options being told: the same order each time. */
async function orderBatch(kind: Parallel.SceneQuery['kind'], count = 220, shift = 0) {
  const { addObject, addRobot, attachObject, createScene, disposeScene, setPairMargin } =
    await loadDoor<typeof SceneDoor>('scene');
  const { parseUrdf } = await loadDoor<typeof Io>('io');
  const { buildModel } = await loadDoor<typeof Model>('model');
  const { orderSceneBatch } = await loadDoor<typeof Parallel>('parallel');
  const scene = createScene();
  const description = parseUrdf(planarArm('arm', 4, 0.4)).value!;
  const robot = addRobot(scene, { model: buildModel(description.model).model, description });
  const mesh = createSphereMesh(6, 0.1);
  addObject(scene, { name: 'rock', shape: { type: 'mesh', mesh, mode: 'surface' }, pose: [1, 0.9, 0, 0, 0, 0, 1] });
  addObject(scene, { name: 'wall', shape: { type: 'box', size: [0.1, 2, 1] }, pose: [-0.9, 0, 0, 0, 0, 0, 1] });
  addObject(scene, { name: 'tool', shape: { type: 'sphere', radius: 0.05 }, pose: [1.7, 0, 0, 0, 0, 0, 1] });
  attachObject(scene, scene.objects.get('tool')!, { robot, link: 'link3' });
  setPairMargin(scene, 'link2', 'rock', 0.05);
  const configurations = Array.from({ length: count }, (_, i) => [0.013 * i - 3, Math.sin(i), Math.cos(2 * i) + shift]);
  const order = orderSceneBatch(scene, robot, { kind } as Parallel.SceneQuery, configurations);
  disposeScene(scene);
  return order;
}

/** A ball in the plane behind a wall: the straight path and some bent ones fail. */
async function orderPaths() {
  const { addObject, addRobot, createScene, disposeScene } = await loadDoor<typeof SceneDoor>('scene');
  const { buildModel } = await loadDoor<typeof Model>('model');
  const { orderPathOptimisation } = await loadDoor<typeof Parallel>('parallel');
  const limits = { lower: -3, upper: 3, velocity: 10, effort: 1 };
  const model = robotOf([
    joint('x', 'prismatic', 'a', 'b', { axis: [1, 0, 0], limits }),
    joint('y', 'prismatic', 'b', 'c', { axis: [0, 1, 0], limits }),
  ]);
  const collisions = [{ link: 'c', origin: placement(), shape: { type: 'sphere', radius: 0.1 } as const }];
  const scene = createScene();
  const robot = addRobot(scene, {
    model: buildModel(model).model,
    description: { name: 'cart', model, collisions, visuals: [] },
  });
  addObject(scene, { name: 'wall', shape: { type: 'box', size: [0.2, 2.2, 1] }, pose: [0, 0, 0, 0, 0, 0, 1] });
  addObject(scene, { name: 'pocket', shape: { type: 'box', size: [0.8, 0.2, 1] }, pose: [-0.4, 1.2, 0, 0, 0, 0, 1] });
  const order = orderPathOptimisation(scene, robot, { start: [-1, 0.4], goal: [1, 0.4], segments: 8, clearance: 0.01 });
  disposeScene(scene);
  return order;
}

async function orderPeptide(seed = 9, steps = 137) {
  const { buildMolecule, buildPeptide, spaceTemperatures } = await loadDoor<typeof MoleculeDoor>('molecule');
  const { orderReplicas } = await loadDoor<typeof Parallel>('parallel');
  const molecule = buildMolecule(buildPeptide('GEWTY'));
  const temperatures = spaceTemperatures(300, 700, 3);
  const setups = temperatures.map((temperature, i) => ({ molecule, chain: { overlap: 1.2 }, temperature, seed: i }));
  return orderReplicas(setups, temperatures, { roundSteps: 20, steps, seed });
}

/** A pile with an arm in it, from its start and from a snapshot of step 20; and another world. */
async function describeWorlds() {
  const { buildModel } = await loadDoor<typeof Model>('model');
  const { parseUrdf } = await loadDoor<typeof Io>('io');
  const { model } = buildModel(parseUrdf(planarArm('arm', 3, 0.4)).value!.model);
  const statics = [
    { name: 'floor', shapes: [{ shape: { type: 'halfspace', normal: [0, 0, 1], offset: 0 } as const }] },
  ];
  const cube = { shape: { type: 'box', size: [0.2, 0.2, 0.2] } as const };
  const bodies = [0, 1, 2].map((i) => ({
    name: `b${i}`,
    shapes: [cube],
    pose: [1 + 0.03 * i, 0, 0.1 + 0.21 * i, 0, 0, 0, 1] as const,
  }));
  const robots = [{ name: 'arm', model, shapes: [{ link: 'link1', ...cube }], pose: [0, 0, 0.5, 0, 0, 0, 1] as const }];
  const pile: SimulationDoor.WorldOptions = { statics, bodies, robots, step: 0.005 };
  const drop: SimulationDoor.WorldOptions = { statics, bodies: bodies.slice(1), step: 0.002 };
  return { pile, drop };
}

async function orderWorlds(steps = 60) {
  const { orderSimulations } = await loadDoor<typeof Parallel>('parallel');
  const { createSimulation, createWorld, stepSimulation, takeSnapshot } =
    await loadDoor<typeof SimulationDoor>('simulation');
  const { pile, drop } = await describeWorlds();
  const simulation = createSimulation(createWorld(pile));
  stepSimulation(simulation, 20);
  const start = takeSnapshot(simulation);
  return orderSimulations([{ world: pile }, { world: drop }, { world: pile, start }, { world: pile }], { steps });
}

/** A bar that has to turn through a hole, by three searches; the first round is too short for all of them. */
async function orderBar() {
  const { orderRigidSearches } = await loadDoor<typeof Parallel>('parallel');
  const { start, goal, ...rest } = slotProblem();
  return orderRigidSearches({ ...rest, start, goal }, { searches: 3, seed: 12, firstQueries: 150, maxQueries: 600 });
}

const orders: Readonly<Record<string, () => Promise<Parallel.JobOrder>>> = {
  'batch of free': () => orderBatch('free'),
  'batch of checks': () => orderBatch('check'),
  'batch of nearest': () => orderBatch('nearest'),
  'batch of motions': () => orderBatch('motion'),
  replicas: () => orderPeptide(),
  'rigid searches': () => orderBar(),
  simulations: () => orderWorlds(),
  'first paths': orderPaths,
};

const pools: (Parallel.JobPool | undefined)[] = [];
afterAll(() => {
  for (const pool of pools) pool?.dispose();
});

/** One pool for each number of workers; they stay warm. */
async function poolOf(workers: number): Promise<Parallel.JobPool> {
  const { createJobPool } = await loadDoor<typeof Parallel>('parallel');
  const pool = pools[workers] ?? (await createJobPool({ workers }));
  pools[workers] = pool;
  return pool;
}

/** Where a job is done for a while: `units` here, or on workers until its progress has grown by some share. */
type Leg =
  | { readonly where: 'here'; readonly units: number }
  | { readonly where: 'pauses' | 'workers'; readonly workers: number; readonly share: number };

const legs: fc.Arbitrary<Leg[]> = fc.array(
  fc.oneof(
    fc.record({ where: fc.constant('here' as const), units: fc.integer({ min: 1, max: 90 }) }),
    fc.record({
      where: fc.constantFrom('pauses' as const, 'workers' as const, 'workers' as const),
      workers: fc.integer({ min: 1, max: 4 }),
      share: fc.double({ min: 0, max: 0.4, noNaN: true }),
    }),
  ),
  { minLength: 1, maxLength: 5 },
);

async function runAlone<T>(order: Parallel.JobOrder<T>): Promise<T> {
  const { openJob } = await loadDoor<typeof Parallel>('parallel');
  const job = await openJob(order);
  while (!job.step(10_000));
  return job.output!;
}

describe.skipIf(!isBuilt)(`jobs${isBuilt ? '' : ' (skipped: not built, run npm run build)'}`, () => {
  it.each(Object.keys(orders))('%s: stopped, sent and gone on with, the bits of a run without a stop', async (name) => {
    const { formatJobData, parseJobData, resumeJob, openJob } = await loadDoor<typeof Parallel>('parallel');
    const order = await orders[name]();
    const expected = hashContent(await runAlone(order));
    const property = fc.asyncProperty(legs, async (parts) => {
      let sent = order;
      let job = await openJob(order);
      const seen: number[] = [job.progress];
      for (const leg of parts) {
        if (leg.where === 'here') job.step(leg.units);
        else {
          const from = job.progress;
          const controller = new AbortController();
          const onProgress = (progress: number): void => {
            seen.push(progress);
            if (progress >= from + leg.share) controller.abort();
          };
          const pool = leg.where === 'workers' ? await poolOf(leg.workers) : undefined;
          await job.run({ pool, signal: controller.signal, onProgress }).catch((error) => {
            if (!controller.signal.aborted) throw error;
          });
        }
        seen.push(job.progress);
        sent = parseJobData(formatJobData(sent)) as Parallel.JobOrder;
        const checkpoint = parseJobData(formatJobData(structuredClone(job.save()))) as Parallel.JobCheckpoint;
        job = await resumeJob(sent, checkpoint);
        expect(job.progress).toBe(seen.at(-1));
      }
      const output = await job.run({ pool: await poolOf(2), onProgress: (progress) => seen.push(progress) });
      seen.push(job.progress);
      expect(hashContent(output)).toBe(expected);
      expect(hashContent(job.output)).toBe(expected);
      expect(job.progress).toBe(1);
      expect([...seen].sort((a, b) => a - b)).toEqual(seen);
    });
    await fc.assert(property, { numRuns: process.env.ORACLE_FULL ? 200 : 12, seed: 3 });
  });

  it('a batch answers what the queries answer', async () => {
    const free = (await runAlone(await orderBatch('free'))) as Uint8Array;
    const checks = (await runAlone(await orderBatch('check'))) as SceneDoor.SceneCheck[];
    expect(Array.from(free)).toEqual(checks.map((check) => Number(check.free)));
    expect(new Set(free)).toEqual(new Set([0, 1]));
    expect((await runAlone(await orderBatch('motion'))) as Uint8Array).toHaveLength(219);
    expect(await runAlone(await orderBatch('free', 0))).toHaveLength(0);
    expect(await runAlone(await orderBatch('motion', 1))).toHaveLength(0);
  });

  it('replicas stand where those of one thread stand, swaps and all', async () => {
    const molecules = await loadDoor<typeof MoleculeDoor>('molecule');
    const molecule = molecules.buildMolecule(molecules.buildPeptide('GEWTY'));
    const temperatures = molecules.spaceTemperatures(300, 700, 3);
    const simulations = temperatures.map((temperature, seed) =>
      molecules.createSimulation({ molecule, chain: { overlap: 1.2 }, temperature, seed }),
    );
    const alone = molecules.createReplicaExchange(simulations, molecules.createTemperatureLadder(temperatures, 9), 20);
    alone.run(137);
    const { energies, ...output } = (await runAlone(await orderPeptide())) as Parallel.ReplicasOutput;
    expect(output).toEqual(alone.save());
    expect(energies).toEqual(simulations.map(({ energy }) => energy.total));
  });

  it('simulations end where those end that are stepped one by one', async () => {
    const { createSimulation, createWorld, restoreSnapshot, stepSimulation, takeSnapshot } =
      await loadDoor<typeof SimulationDoor>('simulation');
    const { pile, drop } = await describeWorlds();
    const output = (await runAlone(await orderWorlds())) as Float64Array[];
    const order = (await orderWorlds()).input as { starts: (Float64Array | null)[] };
    for (const [i, options] of [pile, drop, pile, pile].entries()) {
      const simulation = createSimulation(createWorld(options));
      if (order.starts[i]) restoreSnapshot(simulation, order.starts[i]!);
      stepSimulation(simulation, 60);
      expect([...output[i]]).toEqual([...takeSnapshot(simulation)]);
    }
    expect([...output[0]]).toEqual([...output[3]]);
  });

  it('rigid searches answer with the one that needs the fewest queries', async () => {
    const { createRigidSearch } = await loadDoor<typeof Rigid>('rigid');
    const { search, plan } = (await runAlone(await orderBar())) as Parallel.RigidSearchesOutput;
    const alone = [12, 13, 14].map((seed) => {
      const one = createRigidSearch(slotProblem(), { seed, maxQueries: 600 });
      while (!one.step(1000));
      return one.result();
    });
    const solved = alone.filter(({ status }) => status === 'solved').map(({ searchQueries }) => searchQueries);
    expect(plan.status).toBe('solved');
    expect(plan.searchQueries).toBe(Math.min(...solved));
    expect(plan.path).toEqual(alone[search].path);
  });

  it.each(['scene-batch', 'replicas', 'simulations', 'rigid-searches', 'path-seeds'])(
    '%s: any sizes of tasks, any order of results, any answerer',
    async (name) => {
      const kinds = {
        replicas,
        simulations,
        'scene-batch': sceneBatch,
        'rigid-searches': rigidSearches,
        'path-seeds': pathSeeds,
      };
      const kind = kinds[name as keyof typeof kinds] as unknown as JobKind;
      const order: Parallel.JobOrder = await {
        replicas: orderPeptide,
        simulations: orderWorlds,
        'rigid-searches': orderBar,
        'path-seeds': orderPaths,
        'scene-batch': () => orderBatch('check'),
      }[name]!();
      const expected = hashContent(await runAlone(order));
      for (let run = 0; run < 12; run++) {
        const random = createRandom(run);
        const performers = Array.from({ length: 1 + (run % 4) }, () => kind.prepare(kind.share(order.input)));
        let plan: JobPlan = kind.plan(order.input, order.seed, null);
        for (;;) {
          const seat = random.integer(performers.length);
          const taken = Array.from({ length: 1 + random.integer(4) }, () => plan.take(1 + random.integer(30), seat));
          const tasks = taken.filter((task) => task !== null);
          if (tasks.length === 0) break;
          while (tasks.length > 0) {
            const [task] = tasks.splice(random.integer(tasks.length), 1);
            plan.merge(
              task,
              structuredClone(performers[random.integer(performers.length)].perform(structuredClone(task))),
            );
            // What is under way is lost now and then, and done again.
            if (random.next() < 0.2) {
              tasks.length = 0;
              plan = kind.plan(order.input, order.seed, structuredClone(plan.save()));
            }
          }
        }
        for (const performer of performers) performer.dispose();
        expect(plan.done).toBe(plan.total);
        expect(hashContent(plan.output())).toBe(expected);
      }
    },
  );

  it('several at once on one pool, one of them cancelled: each has the output that it has alone', async () => {
    const { openJob } = await loadDoor<typeof Parallel>('parallel');
    const pool = await poolOf(2);
    const names = Object.keys(orders);
    const all = await Promise.all(names.map(async (name) => openJob(await orders[name]())));
    const cancelled = await openJob(await orderPeptide(4, 5000));
    const stopped = cancelled.run({ pool, onProgress: (progress) => progress > 0.02 && cancelled.cancel() });
    const outputs = await Promise.all([
      ...all.map((job) => job.run({ pool })),
      expect(stopped).rejects.toMatchObject({ name: 'AbortError' }),
    ]);
    for (const [i, name] of names.entries())
      expect(hashContent(outputs[i])).toBe(hashContent(await runAlone(await orders[name]())));
    expect(cancelled.output).toBeNull();
    expect(cancelled.progress).toBeGreaterThan(0.02);
    expect(cancelled.progress).toBeLessThan(1);
    cancelled.step(10);
  });

  it('their hash is that of their inputs: the same for the same, another for any other', async () => {
    const hashes = await Promise.all([
      orderBatch('free'),
      orderBatch('check'),
      orderBatch('free', 219),
      orderBatch('free', 220, 1e-16),
      orderBatch('free', 220, 1e-15),
      orderPeptide(),
      orderPeptide(10),
      orderPeptide(9, 138),
    ]).then((all) => all.map(({ hash }) => hash));
    expect(new Set(hashes).size).toBe(hashes.length);
    expect((await orderBatch('free')).hash).toBe(hashes[0]);
    expect((await orderPeptide()).hash).toBe(hashes[5]);
    for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('refuses a checkpoint of other inputs, another seed, another kind, and one that was altered', async () => {
    const { openJob, resumeJob } = await loadDoor<typeof Parallel>('parallel');
    const order = await orderPeptide();
    const job = await openJob(order);
    job.step(50);
    const checkpoint = job.save();
    await expect(resumeJob(await orderPeptide(10), checkpoint)).rejects.toThrow(
      /^resumeJob: checkpoint\.hash, got \w{12}\.\.\., expected \w{12}\.\.\.: the checkpoint is of other inputs or another seed/,
    );
    await expect(resumeJob(await orderPeptide(9, 200), checkpoint)).rejects.toThrow(/is of other inputs/);
    await expect(resumeJob(await orderBatch('free'), checkpoint)).rejects.toThrow(
      /^resumeJob: checkpoint\.kind, got "replicas", expected "scene-batch"/,
    );
    const altered = structuredClone(checkpoint) as { state: { replicas: { torsions: number[] }[] } };
    altered.state.replicas[0].torsions[0] += 2 ** -50;
    await expect(resumeJob(order, altered as never)).rejects.toThrow(
      /^resumeJob: checkpoint\.checksum, got .*the checkpoint was altered/,
    );
    for (const change of [{ progress: 0.9 }, { hash: order.hash.replace(/./, 'x') }, { state: null }, { more: 1 }])
      await expect(resumeJob(order, { ...checkpoint, ...change })).rejects.toThrow(/the checkpoint was altered/);
    for (const [change, message] of [
      [{ format: 'clearance-fold' }, /checkpoint\.format, got "clearance-fold"/],
      [{ version: 0 }, /checkpoint\.version, got 0, expected 1 as its order/],
    ] as const)
      await expect(resumeJob(order, { ...checkpoint, ...change } as never)).rejects.toThrow(message);
  });

  it('refuses an order that was altered, of another release, or of no kind', async () => {
    const { openJob } = await loadDoor<typeof Parallel>('parallel');
    const order = await orderBatch('free');
    const input = structuredClone(order.input) as { configurations: Float64Array };
    input.configurations[0] += 1e-9;
    await expect(openJob({ ...order, input })).rejects.toThrow(/^openJob: order\.hash, got .*the order was altered/);
    await expect(openJob({ ...order, seed: 1 })).rejects.toThrow(/the order was altered/);
    await expect(openJob({ ...order, version: 2 })).rejects.toThrow(
      /order\.version, got 2, expected 1 for scene-batch/,
    );
    await expect(openJob({ ...order, kind: 'simulation' })).rejects.toThrow(
      /order\.kind, got "simulation", expected one of scene-batch, path-seeds, replicas/,
    );
    await expect(openJob({ ...order, kind: 'toString' })).rejects.toThrow(/order\.kind, got "toString"/);
    await expect(openJob({ ...order, input: {} })).rejects.toThrow(/order\.input\.scene, got undefined/);
  });

  it('one that runs is not begun again, and a query that cannot be answered is told by its number', async () => {
    const { openJob } = await loadDoor<typeof Parallel>('parallel');
    const job = await openJob(await orderPeptide());
    const running = job.run();
    await expect(job.run()).rejects.toThrow(/^run: job, got one that runs/);
    expect(() => job.step()).toThrow(/^step: job, got one that runs/);
    expect(job.output).toBeNull();
    await running;
    expect(job.output).not.toBeNull();
    const { hash: _, ...rest } = await orderBatch('free');
    const input = structuredClone(rest.input) as { configurations: Float64Array };
    input.configurations[3 * 57] = Number.NaN;
    const broken = await openJob(createOrder('test', sceneBatch as never, 0, input as never));
    for (const options of [{}, { pool: await poolOf(2) }])
      await expect(broken.run(options)).rejects.toMatchObject({
        name: 'ParallelError',
        index: 57,
        message: /^query 57: q/,
      });
    expect(() => broken.step(300)).toThrow(/query 57/);
  });
});
