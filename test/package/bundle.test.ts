/** A bundler's production build of the packed package: in a page, in a web worker, on a server; and its size. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { chromiumPath, needsChromium, openPage } from './browser.js';
import { runNode } from './run.js';
import { expectedAnswers, expectedPoolAnswers, writeEsmProgram, writePoolProgram } from './smoke.js';

const app = join(inject('consumer'), '..', 'app');

/** The line that docs/deploy.md asks for, and nothing beyond it. */
const strictPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'";
const policyWithoutWasm = "default-src 'none'; script-src 'self'; worker-src 'self'";

const reportFailure = "window.addEventListener('error', () => { window.failed = true; });\n";

function writePage(name: string, script: string): void {
  writeFileSync(
    join(app, `${name}.html`),
    `<!doctype html><html lang="en"><title>${name}</title><script type="module" src="/${name}.js"></script></html>`,
  );
  writeFileSync(join(app, `${name}.js`), script);
}

beforeAll(async () => {
  mkdirSync(app);
  symlinkSync(join(inject('consumer'), 'node_modules'), join(app, 'node_modules'));
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'app', private: true, type: 'module' }));
  writePage('page', reportFailure + writeEsmProgram('window.answers = computeAnswers();'));
  writePage(
    'starts-worker',
    `${reportFailure}const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
     worker.onmessage = (event) => { window.answers = event.data; };
     worker.onerror = (event) => { console.error(event.message); window.failed = true; };`,
  );
  writeFileSync(join(app, 'worker.js'), writeEsmProgram('postMessage(computeAnswers());'));
  writePage('worker-pool', reportFailure + writePoolProgram('window.answers = await checkOnWorkers();'));
  writeFileSync(join(app, 'server.js'), writeEsmProgram());
  await build({
    root: app,
    logLevel: 'error',
    worker: { format: 'es' },
    build: {
      outDir: 'out',
      rollupOptions: { input: ['page', 'starts-worker', 'worker-pool'].map((page) => join(app, `${page}.html`)) },
    },
  });
});

describe.skipIf(!chromiumPath)(`Vite production build in Chromium${needsChromium}`, () => {
  it('U192: answers in a page under a strict Content-Security-Policy', async () => {
    const outcome = await openPage(join(app, 'out'), strictPolicy, 'page.html');
    expect(outcome).toEqual({ answers: expectedAnswers, errors: [] });
  });

  it('answers in a module worker under the same policy', async () => {
    const outcome = await openPage(join(app, 'out'), strictPolicy, 'starts-worker.html');
    expect(outcome).toEqual({ answers: expectedAnswers, errors: [] });
  });

  it('answers with a pool of workers under the same policy', async () => {
    const outcome = await openPage(join(app, 'out'), strictPolicy, 'worker-pool.html');
    expect(outcome.answers).toEqual(expectedPoolAnswers);
    // The page's console tells of the script that the program looks for in vain.
    expect(outcome.errors.filter((error) => !/404|no-such-script/.test(error))).toEqual([]);
  });

  it("says what is missing when the policy lacks 'wasm-unsafe-eval'", async () => {
    const { answers, errors } = await openPage(join(app, 'out'), policyWithoutWasm, 'page.html');
    expect(answers).toBeUndefined();
    expect(errors.join('\n')).toMatch(/wasm-unsafe-eval/);
  });
});

describe('Vite builds', () => {
  it.each([
    { title: 'with the package left outside', bundled: false },
    { title: 'with the package bundled in', bundled: true },
  ])('U194: answer on a server, $title', async ({ bundled }) => {
    const outDir = `server-${bundled}`;
    await build({
      root: app,
      logLevel: 'error',
      ssr: bundled ? { noExternal: true } : {},
      build: { ssr: 'server.js', outDir },
    });
    expect(JSON.parse(runNode([join(outDir, 'server.js')], app))).toEqual(expectedAnswers);
  });

  // One program per door: a bundle holds what it uses, kernels included. Kilobytes of all files, some percent above what was reached.
  it.each([
    { door: 'math', names: ['createTransform'], ceiling: 1 },
    { door: 'geometry', names: ['reportMesh'], ceiling: 4 },
    { door: 'model', names: ['buildModel'], ceiling: 16 },
    { door: 'kinematics', names: ['forwardKinematics'], ceiling: 7 },
    { door: 'dynamics', names: ['aba'], ceiling: 32 },
    { door: 'broadphase', names: ['createDynamicTree'], ceiling: 18 },
    { door: 'bvh', names: ['buildMeshBvh'], ceiling: 18 },
    { door: 'bvh', names: ['buildMeshBvh', 'distanceMeshMesh'], ceiling: 32 },
    { door: 'narrowphase', names: ['createCollider', 'distance'], ceiling: 104 },
    { door: 'molecule', names: ['buildMolecule'], ceiling: 9 },
    { door: 'compile', names: ['compileModel'], ceiling: 63 },
    { door: 'scene', names: ['createScene', 'addRobot', 'checkScene'], ceiling: 164 },
    { door: 'ik', names: ['createIkSolver'], ceiling: 30 },
    { door: 'trajectory', names: ['parameterizeTimeOptimal'], ceiling: 38 },
    { door: 'control', names: ['solveRiccati'], ceiling: 6 },
    { door: 'control', names: ['solveShooting', 'createRobotStage'], ceiling: 54 },
    { door: 'planning', names: ['planRrtConnect'], ceiling: 21 },
    { door: 'io', names: ['parseUrdf'], ceiling: 23 },
    { door: 'index', names: ['createIkSolver'], ceiling: 30 },
  ])('keep $names of $door below $ceiling kB, minified and gzipped', async ({ door, names, ceiling }) => {
    const path = door === 'index' ? 'clearance' : `clearance/${door}`;
    const code = `import { ${names.join(', ')} } from '${path}'; globalThis.x = [${names.join(', ')}];`;
    const name = `size-${door}-${names.length}`;
    const entry = join(app, `${name}.js`);
    writeFileSync(entry, code);
    const outDir = join(app, name);
    await build({
      root: app,
      logLevel: 'error',
      build: { outDir, minify: true, rollupOptions: { input: entry, output: { entryFileNames: '[name].js' } } },
    });
    const bytes = readdirSync(outDir)
      .filter((file) => file.endsWith('.js'))
      .reduce((sum, file) => sum + gzipSync(readFileSync(join(outDir, file))).length, 0);
    expect(bytes / 1000).toBeLessThan(ceiling);
  });
});
