/** The parts of the build, in order: kernel (WebAssembly), library (ESM, CommonJS, types), viewer (web page). */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { removeFolder, root, run, runNpm, runTool } from './toolchain.mjs';

const require = createRequire(import.meta.url);

/** Where a folder grows before it replaces the old one; two builds at a time do not meet. */
const nextFolder = (name) => `dist/.next-${name}-${process.pid}`;

/** Swaps a finished folder in by renaming: whoever reads the old one never sees half of the new, nor long nothing. */
function replaceFolder(path, next) {
  const former = nextFolder('former');
  if (existsSync(join(root, path))) renameSync(join(root, path), join(root, former));
  renameSync(join(root, next), join(root, path));
  removeFolder(former);
}

function listRecursively(folder) {
  return readdirSync(folder, { recursive: true }).map(String);
}

/** What `import.meta.url` is in CommonJS. */
const fileUrl = "require('node:url').pathToFileURL(__filename).href";

/**
 * CommonJS from the same sources. Files are transpiled one by one (`isolatedModules` makes that safe); declarations do
 * not depend on the module format, so they are copied, and the folder's own package.json makes them CommonJS.
 */
function buildCommonJs() {
  const ts = require('typescript');
  const next = join(root, nextFolder('cjs'));
  const compilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.CommonJS,
    esModuleInterop: true,
    sourceMap: true,
    inlineSources: true,
    isolatedModules: true,
  };
  for (const emitted of listRecursively(join(root, 'dist/esm'))) {
    if (!emitted.endsWith('.js') || emitted.startsWith('cli')) continue;
    const file = emitted.replace(/\.js$/, '.ts');
    const output = join(next, emitted);
    mkdirSync(dirname(output), { recursive: true });
    const fileName = join(root, 'src', file);
    const result = ts.transpileModule(readFileSync(fileName, 'utf8'), { compilerOptions, fileName });
    const map = JSON.parse(result.sourceMapText);
    const up = '../'.repeat(file.split(/[\\/]/).length + 1);
    map.sources = [`${up}src/${file.split('\\').join('/')}`];
    writeFileSync(output, result.outputText.replaceAll('import.meta.url', fileUrl));
    writeFileSync(`${output}.map`, JSON.stringify(map));
  }
  for (const file of listRecursively(join(root, 'dist/esm'))) {
    if (!/\.d\.ts(\.map)?$/.test(file) || file.startsWith('cli')) continue;
    mkdirSync(dirname(join(next, file)), { recursive: true });
    copyFileSync(join(root, 'dist/esm', file), join(next, file));
  }
  writeFileSync(join(next, 'package.json'), '{ "type": "commonjs" }\n');
  replaceFolder('dist/cjs', nextFolder('cjs'));
  return 0;
}

function buildLibrary() {
  const next = nextFolder('esm');
  const status = runTool('typescript', ['-p', 'tsconfig.build.json', '--outDir', next], { binary: 'tsc' });
  if (status !== 0) {
    removeFolder(next);
    return status;
  }
  replaceFolder('dist/esm', next);
  copyFileSync(join(root, 'src/kernel/generated/kernel.wasm'), join(root, 'dist/kernel.wasm'));
  return buildCommonJs();
}

const kernelInputs = ['assembly', 'scripts/build-kernel.mjs', 'src/kernel/layout.ts', 'package-lock.json'];
const libraryInputs = [...kernelInputs, 'src', 'tsconfig.base.json', 'tsconfig.build.json', 'scripts/build-steps.mjs'];

export const kernelStep = {
  name: 'kernel',
  inputs: kernelInputs,
  outputs: ['src/kernel/generated/kernel-module.ts', 'src/kernel/generated/kernel.wasm'],
  build: () => run(process.execPath, ['scripts/build-kernel.mjs']),
};

export const libraryStep = {
  name: 'library',
  inputs: libraryInputs,
  outputs: ['dist/esm/index.js', 'dist/esm/index.d.ts', 'dist/cjs/index.js', 'dist/cjs/index.d.ts', 'dist/kernel.wasm'],
  build: buildLibrary,
};

export const viewerStep = {
  name: 'viewer',
  inputs: [...libraryInputs, 'viewer', 'examples'],
  outputs: ['viewer/dist/index.html'],
  build: () => runNpm(['run', 'build', '--workspace', 'viewer']),
};

export const steps = [kernelStep, libraryStep, viewerStep];
