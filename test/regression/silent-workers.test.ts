/** Workers that never answer, end on their own or answer with a failure: every wait has an end and names the script. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { createParallelScene, ParallelError } from '../../src/parallel.js';
import { createScene, disposeScene } from '../../src/scene/scene.js';
import { addUrdf, planarArm } from '../scene-fixtures.js';

const folder = mkdtempSync(join(tmpdir(), 'workers-'));
afterAll(() => rmSync(folder, { recursive: true }));

function script(name: string, onMessage: string): URL {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads';\nparentPort.on('message', (m) => { ${onMessage} });\n`,
  );
  return pathToFileURL(file);
}

const READY = "if (m.type === 'start') parentPort.postMessage({ type: 'ready' });";
const states = Array.from({ length: 250 }, (_, i) => [0.01 * i, 0]);

async function withArm<T>(work: (...arm: [ReturnType<typeof createScene>, ReturnType<typeof addUrdf>]) => Promise<T>) {
  const scene = createScene();
  try {
    return await work(scene, addUrdf(scene, planarArm('arm', 3, 0.3)));
  } finally {
    disposeScene(scene);
  }
}

describe('workers that do not answer', () => {
  it('at the start: rejected within the limit, with the script’s name', async () => {
    const silent = script('silent', '');
    const made = withArm((scene, robot) =>
      createParallelScene(scene, robot, { workers: 2, script: silent, startTimeoutMs: 60 }),
    );
    await expect(made).rejects.toThrow(/worker file:.*silent\.mjs failed: it did not answer within 0.06 s/);
    await expect(made).rejects.toBeInstanceOf(ParallelError);
  });

  it('to a job: rejected within the limit, and the pool with it', async () => {
    await withArm(async (scene, robot) => {
      const mute = script('mute', READY);
      const pool = await createParallelScene(scene, robot, { workers: 2, script: mute, answerTimeoutMs: 60 });
      expect(pool).toMatchObject({ complete: true, assumed: [] });
      await expect(pool.isFreeMany(states)).rejects.toThrow(
        /mute\.mjs failed while it answered queries \d+ and following: it did not answer within 0.06 s/,
      );
      await expect(pool.checkMany(states)).rejects.toThrow(/did not answer/);
      pool.dispose();
    });
  });

  it('that end on their own are told with their exit code', async () => {
    await withArm(async (scene, robot) => {
      const leaving = script('leaving', `${READY} if (m.type === 'run') process.exit(3);`);
      const pool = await createParallelScene(scene, robot, { workers: 1, script: leaving });
      await expect(pool.isFreeMany(states)).rejects.toThrow(/leaving\.mjs failed .*it ended with exit code 3/);
      pool.dispose();
    });
  });

  it('that fail a query name its index', async () => {
    await withArm(async (scene, robot) => {
      const failing = script(
        'failing',
        `${READY} if (m.type === 'run') parentPort.postMessage({ type: 'error', id: m.id, index: 7, message: 'out of order' });`,
      );
      const pool = await createParallelScene(scene, robot, { workers: 1, script: failing });
      await expect(pool.isFreeMany(states)).rejects.toMatchObject({ index: 7, message: 'query 7: out of order' });
      pool.dispose();
    });
  });

  it('limits that are none are refused', async () => {
    await withArm(async (scene, robot) => {
      for (const options of [{ startTimeoutMs: 0 }, { answerTimeoutMs: Number.NaN }, { workers: 1.5 }, { worker: 1 }])
        await expect(createParallelScene(scene, robot, options as object)).rejects.toThrow(
          /^createParallelScene: .*expected/,
        );
    });
  });
});
