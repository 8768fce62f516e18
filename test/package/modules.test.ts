/** The packed package in every module system and engine we claim. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { projectRoot, runNode, runProgram } from './run.js';
import { runtimes } from './runtimes.js';
import { expectedAnswers, expectedPoolAnswers, writeCjsProgram, writeEsmProgram, writePoolProgram } from './smoke.js';

const consumer = inject('consumer');
const { exports: subpaths } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  exports: Record<string, unknown>;
};
/** Doors that need nothing a user has to install besides the package. */
const doors = Object.keys(subpaths)
  .filter((path) => !/\.(json|wasm)$|^\.\/three$/.test(path))
  .map((path) => `clearance${path.slice(1)}`);

beforeAll(() => {
  writeFileSync(join(consumer, 'smoke.mjs'), writeEsmProgram());
  writeFileSync(join(consumer, 'smoke.cjs'), writeCjsProgram());
  writeFileSync(
    join(consumer, 'worker.mjs'),
    [
      "import { parentPort } from 'node:worker_threads';",
      writeEsmProgram('parentPort.postMessage(computeAnswers());'),
    ].join('\n'),
  );
  writeFileSync(
    join(consumer, 'starts-worker.mjs'),
    `import { Worker } from 'node:worker_threads';
     const worker = new Worker(new URL('./worker.mjs', import.meta.url));
     worker.on('message', (answers) => console.log(JSON.stringify(answers)));
     worker.on('error', (error) => { console.error(error); process.exitCode = 1; });`,
  );
  writeFileSync(join(consumer, 'pool.mjs'), writePoolProgram('console.log(JSON.stringify(await checkOnWorkers()));'));
  writeFileSync(
    join(consumer, 'pool.cjs'),
    writePoolProgram('checkOnWorkers().then((answers) => console.log(JSON.stringify(answers)));', 'require'),
  );
  writeFileSync(
    join(consumer, 'precompiled.mjs'),
    `import { readFileSync } from 'node:fs';
     import { createRequire } from 'node:module';
     import { useKernel } from 'clearance/kernel';
     const file = createRequire(import.meta.url).resolve('clearance/kernel.wasm');
     useKernel(new WebAssembly.Module(readFileSync(file)));
     await import('./smoke.mjs');`,
  );
});

describe('packed package', () => {
  it('answers as an ES module', () => {
    expect(JSON.parse(runNode(['smoke.mjs'], consumer))).toEqual(expectedAnswers);
  });

  it('answers as CommonJS', () => {
    expect(JSON.parse(runNode(['smoke.cjs'], consumer))).toEqual(expectedAnswers);
  });

  it('answers in a worker thread', () => {
    expect(JSON.parse(runNode(['starts-worker.mjs'], consumer))).toEqual(expectedAnswers);
  });

  it.each(['pool.mjs', 'pool.cjs'])('answers with a pool of workers: %s', (program) => {
    expect(JSON.parse(runNode([program], consumer))).toEqual(expectedPoolAnswers);
  });

  it('takes a kernel that the caller compiled from clearance/kernel.wasm', () => {
    expect(JSON.parse(runNode(['precompiled.mjs'], consumer))).toEqual(expectedAnswers);
  });

  it.each(doors)('gives the same names to import and to require: %s', (door) => {
    const list =
      'console.log(JSON.stringify(Object.keys(m).filter((k) => k !== "default" && k !== "__esModule" && k !== "module.exports").sort()))';
    const imported = runNode(['--input-type=module', '-e', `import * as m from '${door}'; ${list}`], consumer);
    const required = runNode(['--input-type=commonjs', '-e', `const m = require('${door}'); ${list}`], consumer);
    expect(JSON.parse(imported).length).toBeGreaterThan(0);
    expect(required).toBe(imported);
  });

  it('refuses paths that are not doors', () => {
    expect(() => runNode(['-e', "require('clearance/dist/cjs/index.js')"], consumer)).toThrow(
      /ERR_PACKAGE_PATH_NOT_EXPORTED/,
    );
  });
});

for (const { name, command, args, missing } of runtimes) {
  describe.skipIf(missing)(`${name}${missing && ` (skipped: ${missing})`}`, () => {
    it('answers as an ES module', () => {
      expect(JSON.parse(runProgram(command, [...args, 'smoke.mjs'], consumer))).toEqual(expectedAnswers);
    });

    it('answers as CommonJS', () => {
      expect(JSON.parse(runProgram(command, [...args, 'smoke.cjs'], consumer))).toEqual(expectedAnswers);
    });
  });
}
