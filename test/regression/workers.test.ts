/** Worker faults of other libraries; each row's input must work here. Workers run the built package, as users have it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type * as Io from '../../src/io.js';
import type * as Model from '../../src/model.js';
import type * as Parallel from '../../src/parallel.js';
import type * as SceneDoor from '../../src/scene.js';
import { planarArm } from '../scene-fixtures.js';
import { createSphereMesh } from '../support/brute-force-meshes.js';

const built = fileURLToPath(new URL('../../dist/esm/', import.meta.url));
const isBuilt = existsSync(join(built, 'parallel.js'));
const load = <T>(door: string): Promise<T> => import(/* @vite-ignore */ pathToFileURL(join(built, `${door}.js`)).href);

async function createArm(vertices?: Float64Array) {
  const scenes = await load<typeof SceneDoor>('scene');
  const { parseUrdf } = await load<typeof Io>('io');
  const { buildModel } = await load<typeof Model>('model');
  const scene = scenes.createScene();
  const description = parseUrdf(planarArm('arm', 4, 0.4)).value!;
  const { model } = buildModel(description.model);
  const robot = scenes.addRobot(scene, { model, description });
  const mesh = createSphereMesh(6, 0.1);
  if (vertices) vertices.set(mesh.vertices);
  const shape = {
    type: 'mesh' as const,
    mode: 'surface' as const,
    mesh: { ...mesh, vertices: vertices ?? mesh.vertices },
  };
  scenes.addObject(scene, { name: 'rock', shape, pose: [1, 0.9, 0, 0, 0, 0, 1] });
  scenes.addObject(scene, { name: 'tool', shape: { type: 'sphere', radius: 0.05 }, pose: [1.7, 0, 0, 0, 0, 0, 1] });
  scenes.attachObject(scene, scene.objects.get('tool')!, { robot, link: 'link3' });
  scenes.setPairMargin(scene, 'link2', 'rock', 0.05);
  return { scenes, scene, robot };
}

/** 450 configurations: several pieces, more than the workers. */
const configurations = Array.from({ length: 450 }, (_, i) => [0.013 * i - 3, Math.sin(i), Math.cos(2 * i)]);

describe.skipIf(!isBuilt)(`worker pool${isBuilt ? '' : ' (skipped: nothing built, run npm run build)'}`, () => {
  it('U198: meshes in shared memory, given and sent, answer as on one thread, in order', async () => {
    const { createParallelScene } = await load<typeof Parallel>('parallel');
    const buffer = new SharedArrayBuffer(createSphereMesh(6, 0.1).vertices.byteLength);
    const { scenes, scene, robot } = await createArm(new Float64Array(buffer));
    const serial = configurations.map((q) => {
      scenes.setConfiguration(robot, q);
      return {
        check: scenes.checkScene(scene, { all: true }),
        nearest: scenes.nearestPair(scene, { maxDistance: 0.3 }),
      };
    });
    const free = serial.map(({ check }) => Number(check.free));
    expect(new Set(free)).toEqual(new Set([0, 1]));
    for (const shared of [true, false]) {
      const parallel = await createParallelScene(scene, robot, { workers: 2, shared });
      try {
        expect(Array.from(await parallel.isFreeMany(configurations))).toEqual(free);
        const [checks, nearest] = await Promise.all([
          parallel.checkMany(configurations, { all: true }),
          parallel.nearestMany(Float64Array.from(configurations.flat()), { maxDistance: 0.3 }),
        ]);
        expect(checks).toEqual(serial.map(({ check }) => check));
        expect(nearest).toEqual(serial.map((answer) => answer.nearest));
        const checker = scenes.createSceneMotionChecker(scene, robot);
        const motions = configurations
          .slice(1)
          .map((q, i) => Number(checker.isMotionValid(Float64Array.from(configurations[i]), Float64Array.from(q))));
        expect(Array.from(await parallel.areMotionsFree(configurations))).toEqual(motions);
        expect(await parallel.checkMany([])).toEqual([]);
      } finally {
        parallel.dispose();
      }
      await expect(parallel.isFreeMany(configurations)).rejects.toThrow(/disposed/);
    }
    scenes.disposeScene(scene);
  });

  it('U200: a script that is not there rejects with its URL and the cause', async () => {
    const { createParallelScene } = await load<typeof Parallel>('parallel');
    const { scenes, scene, robot } = await createArm();
    const script = pathToFileURL(join(built, 'copied/job-worker.js'));
    await expect(createParallelScene(scene, robot, { workers: 2, script })).rejects.toThrow(
      /worker file:.*copied\/job-worker\.js failed: .*Cannot find module/,
    );
    scenes.disposeScene(scene);
  });

  it('tells the first query that fails by its index, and goes on afterwards', async () => {
    const { createParallelScene, ParallelError } = await load<typeof Parallel>('parallel');
    const { scenes, scene, robot } = await createArm();
    const parallel = await createParallelScene(scene, robot, { workers: 2 });
    const broken = configurations.map((q, i) => (i === 317 || i === 402 ? [0, Number.NaN, 0] : q));
    await expect(parallel.isFreeMany(broken)).rejects.toMatchObject({ name: 'ParallelError', index: 317 });
    await expect(parallel.isFreeMany([[0, 0, 0], [0]])).rejects.toThrow(/query 1: q, got 1 numbers, expected 3/);
    await expect(parallel.areMotionsFree(configurations, { tolerance: -1 })).rejects.toThrow(/tolerance, got -1/);
    await expect(parallel.isFreeMany(configurations, { margin: Number.NaN })).rejects.toThrow(/margin, got NaN/);
    await expect(parallel.isFreeMany([[0]])).rejects.toBeInstanceOf(ParallelError);
    expect((await parallel.isFreeMany(configurations)).length).toBe(450);
    parallel.dispose();
    scenes.disposeScene(scene);
  });

  it('rejects what is under way when it is disposed', async () => {
    const { createParallelScene } = await load<typeof Parallel>('parallel');
    const { scenes, scene, robot } = await createArm();
    const parallel = await createParallelScene(scene, robot, { workers: 1 });
    const answers = parallel.checkMany(configurations);
    parallel.dispose();
    await expect(answers).rejects.toThrow(/disposed/);
    await expect(createParallelScene(scene, robot, { workers: 0 })).rejects.toThrow(/workers, got 0/);
    scenes.disposeScene(scene);
  });
});
