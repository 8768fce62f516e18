/**
 * The same bits on every engine: the hashes of golden.mjs, run on the packed package in Node 20, 22 and 24, Bun, Deno and
 * Chromium (there as Vite's production build, minifier included), against each other and against golden.json.
 * Where results change on purpose, `npx vitest run --project package test/package/golden.test.ts -u` writes the file anew.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { chromiumPath, needsChromium, openPage } from './browser.js';
import { projectRoot, runNode, runProgram } from './run.js';
import { runtimes } from './runtimes.js';

interface Goldens {
  readonly hashes: Readonly<Record<string, string>>;
  /** How many numbers went into each hash. */
  readonly counts: Readonly<Record<string, number>>;
}

const folder = join(inject('consumer'), '..', 'golden');
const promised =
  'plan optimal roadmap constraints coordination acm ik dynamics pairs casts chains fold trajectory scene files fleet rigid simulation'.split(
    ' ',
  );
let here: Goldens;
/** What each engine answered, told at the end. */
const told: string[] = [];
const tell = (engine: string, { hashes }: Goldens): void => {
  told.push(
    `${engine}: ${Object.entries(hashes)
      .map(([area, hash]) => `${area} ${hash}`)
      .join(', ')}`,
  );
};

/** Texts and meshes of the example arm, as a module: a page has no file system. */
function writeFilesModule(): string {
  const arm = join(projectRoot, 'examples/arm');
  const meshes = readdirSync(join(arm, 'meshes')).map((file) => [
    `meshes/${file}`,
    readFileSync(join(arm, 'meshes', file)).toString('base64'),
  ]);
  const [urdf, srdf] = ['arm.urdf', 'arm.srdf'].map((file) => readFileSync(join(arm, file), 'utf8'));
  return `export const files = ${JSON.stringify({ urdf, srdf, meshes: Object.fromEntries(meshes) })};\n`;
}

beforeAll(() => {
  mkdirSync(folder);
  symlinkSync(join(inject('consumer'), 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'golden', private: true, type: 'module' }));
  copyFileSync(join(projectRoot, 'test/package/golden.mjs'), join(folder, 'golden.mjs'));
  writeFileSync(join(folder, 'files.mjs'), writeFilesModule());
  const imports = "import { computeGoldens } from './golden.mjs';\nimport { files } from './files.mjs';\n";
  writeFileSync(join(folder, 'run.mjs'), `${imports}console.log(JSON.stringify(computeGoldens(files)));\n`);
  writeFileSync(
    join(folder, 'page.js'),
    `window.addEventListener('error', () => { window.failed = true; });\n${imports}window.answers = computeGoldens(files);\n`,
  );
  writeFileSync(
    join(folder, 'page.html'),
    '<!doctype html><html lang="en"><title>golden</title><script type="module" src="/page.js"></script></html>',
  );
  here = JSON.parse(runNode(['run.mjs'], folder)) as Goldens;
  tell(`Node ${process.versions.node}`, here);
});

afterAll(() => console.log(told.join('\n')));

describe('golden hashes', () => {
  it('cover every area that is promised, each with numbers enough', () => {
    expect(Object.keys(here.hashes)).toEqual(promised);
    for (const [area, count] of Object.entries(here.counts)) expect(count, area).toBeGreaterThan(50);
  });

  it(`are those of golden.json in Node ${process.versions.node}`, async () => {
    await expect(`${JSON.stringify(here, null, 2)}\n`).toMatchFileSnapshot('golden.json');
  });

  it.skipIf(!chromiumPath)(`are the same in Chromium, built by Vite${needsChromium}`, async () => {
    await build({
      root: folder,
      logLevel: 'error',
      build: { outDir: 'out', rollupOptions: { input: join(folder, 'page.html') } },
    });
    const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'";
    const { answers, errors } = await openPage(join(folder, 'out'), policy, 'page.html');
    expect(errors).toEqual([]);
    tell('Chromium', answers as Goldens);
    expect(answers).toEqual(here);
  });

  for (const { name, command, args, missing } of runtimes) {
    it.skipIf(missing)(`are the same in ${name}${missing && ` (skipped: ${missing})`}`, () => {
      const version = runProgram(command, ['--version'], folder).trim();
      const answers = JSON.parse(runProgram(command, [...args, 'run.mjs'], folder)) as Goldens;
      tell(`${name}, ${version.split('\n')[0]}`, answers);
      expect(answers).toEqual(here);
    });
  }
});
