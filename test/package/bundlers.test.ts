/** The packed package through every bundler that docs/deploy.md names, without configuration of ours; the page then answers. */
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { chromiumPath, needsChromium, openPage } from './browser.js';
import { installOnce } from './install.js';
import { runNode, runProgram } from './run.js';
import { runtimes } from './runtimes.js';

const policy = "default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'";

/** A scene, a mesh file, a robot and a plan: the doors that most pages use. */
const program = `
import { addObject, addRobot, buildModel, checkScene, createScene, setConfiguration } from 'clearance';
import { parseMesh, parseUrdf } from 'clearance/io';
import { createRealVectorSpace, planRrtConnect } from 'clearance/planning';

export async function computeAnswers() {
  const obj = new TextEncoder().encode('v 0 0 0\\nv 1 0 0\\nv 0 1 0\\nv 0 0 1\\nf 1 3 2\\nf 1 2 4\\nf 2 3 4\\nf 1 4 3\\n');
  const { value } = await parseMesh(obj, { file: 'corner.obj' });
  const scene = createScene();
  addObject(scene, { name: 'corner', shape: { type: 'mesh', mesh: value.mesh }, pose: [0.4, -0.2, -0.2, 0, 0, 0, 1] });
  const urdf = '<robot name="r"><link name="a"/><link name="b"><collision><geometry><sphere radius="0.1"/></geometry>' +
    '</collision></link><joint name="j" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="1 0 0"/>' +
    '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>';
  const description = parseUrdf(urdf).value;
  const { model } = buildModel(description.model);
  const robot = addRobot(scene, { model, description });
  const free = [-0.5, 0.5].map((q) => {
    setConfiguration(robot, [q]);
    return checkScene(scene).free;
  });
  const space = createRealVectorSpace({ lower: [-1, -1], upper: [1, 1] });
  const checker = { isValid: (q) => q[0] * q[0] + q[1] * q[1] > 0.25 };
  const [start, goal] = [Float64Array.of(-0.9, 0), Float64Array.of(0.9, 0)];
  const found = planRrtConnect({ space, checker, start, goals: [goal], seed: 1, resolution: 0.01 });
  return { triangles: value.mesh.triangles.length / 3, free, status: found.status };
}
`;
const expected = { triangles: 4, free: [true, false], status: 'solved' };

const entry = `
import { computeAnswers } from './program.js';
computeAnswers().then((answers) => { window.answers = answers; }, (error) => { console.error(error); window.failed = true; });
`;

interface Bundler {
  readonly name: string;
  readonly packages: readonly string[];
  /** A path that is there once the packages are installed. */
  readonly file: string;
  /** Builds `entry.js` of the folder, which holds the packages, too; returns where index.html or main.js lies. */
  build(folder: string): string;
}

const inModules = (folder: string, path: string): string => join(folder, 'node_modules', path);

const bundlers: readonly Bundler[] = [
  {
    name: 'esbuild',
    packages: ['esbuild@0.28', '@esbuild/linux-x64@0.28'],
    file: 'node_modules/@esbuild/linux-x64/bin/esbuild',
    build(folder) {
      const binary = inModules(folder, '@esbuild/linux-x64/bin/esbuild');
      runProgram(
        binary,
        ['entry.js', '--bundle', '--platform=browser', '--format=esm', '--outfile=out/main.js'],
        folder,
      );
      return join(folder, 'out');
    },
  },
  {
    name: 'webpack',
    packages: ['webpack@5', 'webpack-cli@6'],
    file: 'node_modules/webpack-cli/bin/cli.js',
    build(folder) {
      const args = ['--entry', './entry.js', '--mode', 'production', '--output-path', 'out'];
      runNode([inModules(folder, 'webpack-cli/bin/cli.js'), ...args], folder);
      return join(folder, 'out');
    },
  },
  {
    name: 'Rollup with its node-resolve plugin',
    packages: ['rollup@4', '@rollup/plugin-node-resolve@16'],
    file: 'node_modules/rollup/dist/bin/rollup',
    build(folder) {
      const args = [
        'entry.js',
        '--plugin',
        'node-resolve',
        '--format',
        'es',
        '--dir',
        'out',
        '--entryFileNames',
        'main.js',
      ];
      runNode([inModules(folder, 'rollup/dist/bin/rollup'), ...args], folder);
      return join(folder, 'out');
    },
  },
  {
    name: 'Parcel with package exports on',
    packages: ['parcel@2'],
    file: 'node_modules/parcel/lib/bin.js',
    build(folder) {
      runNode(
        [inModules(folder, 'parcel/lib/bin.js'), 'build', 'index.html', '--dist-dir', 'out', '--no-source-maps'],
        folder,
      );
      return join(folder, 'out');
    },
  },
  {
    name: 'Next',
    packages: ['next@16', 'react@19', 'react-dom@19'],
    file: 'node_modules/next/dist/bin/next',
    build(folder) {
      mkdirSync(join(folder, 'app'));
      writeFileSync(
        join(folder, 'app/layout.js'),
        'export default ({ children }) => <html lang="en"><body>{children}</body></html>;\n',
      );
      writeFileSync(
        join(folder, 'app/page.js'),
        `'use client';
         import { useEffect } from 'react';
         import { computeAnswers } from '../program.js';
         export default function Page() {
           useEffect(() => { computeAnswers().then((answers) => { window.answers = answers; }, (error) => { console.error(error); window.failed = true; }); }, []);
           return <main>clearance</main>;
         }\n`,
      );
      // A folder of plain files, so that this test needs no second server.
      writeFileSync(join(folder, 'next.config.mjs'), "export default { output: 'export' };\n");
      runProgram(process.execPath, [inModules(folder, 'next/dist/bin/next'), 'build'], folder);
      return join(folder, 'out');
    },
  },
  {
    name: 'Bun',
    packages: [],
    file: '',
    build(folder) {
      const bun = runtimes.find(({ name }) => name === 'Bun');
      runProgram(
        bun?.command ?? 'bun',
        ['build', 'entry.js', '--target', 'browser', '--outfile', 'out/main.js'],
        folder,
      );
      return join(folder, 'out');
    },
  },
];

/** Folders that hold symbolic links confuse some bundlers: the packages are there for real. */
function createApp(name: string, tools: string): string {
  const folder = join(inject('consumer'), '..', `bundled-${name.split(' ')[0].toLowerCase()}`);
  mkdirSync(folder);
  if (tools)
    cpSync(join(tools, 'node_modules'), join(folder, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  cpSync(join(inject('consumer'), 'node_modules'), join(folder, 'node_modules'), {
    recursive: true,
    force: false,
    filter: (source) => !/node_modules\/(?:three|@types|undici-types)$/.test(source),
  });
  writeFileSync(
    join(folder, 'package.json'),
    // Parcel reads a package's `exports` only where the application asks for it.
    JSON.stringify({
      name: 'app',
      private: true,
      type: 'module',
      '@parcel/resolver-default': { packageExports: true },
    }),
  );
  writeFileSync(join(folder, 'program.js'), program);
  writeFileSync(join(folder, 'entry.js'), entry);
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><html lang="en"><title>app</title><script type="module" src="./entry.js"></script></html>',
  );
  return folder;
}

describe.each(bundlers)('$name', ({ name, packages, file, build }) => {
  const installed = packages.length > 0 ? installOnce(name.split(' ')[0].toLowerCase(), packages, file) : null;
  const missing = installed?.missing ?? runtimes.find((runtime) => runtime.name === name)?.missing ?? '';

  it.skipIf(missing)(`builds a page that answers${missing && ` (skipped: ${missing})`}${needsChromium}`, async () => {
    const folder = createApp(name, installed?.folder ?? '');
    const out = build(folder);
    expect(readdirSync(out).length).toBeGreaterThan(0);
    if (!chromiumPath) return;
    if (!readdirSync(out).includes('index.html'))
      writeFileSync(
        join(out, 'index.html'),
        '<!doctype html><html lang="en"><title>app</title><script type="module" src="/main.js"></script></html>',
      );
    const { answers, errors } = await openPage(out, policy, 'index.html');
    expect({ answers, errors: errors.filter((error) => !/404|favicon/.test(error)) }).toEqual({
      answers: expected,
      errors: [],
    });
  });
});
