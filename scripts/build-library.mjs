/**
 * The library from src/: declarations (TypeScript, which also checks the types), ES modules, CommonJS, the bundled readers.
 * Files are transpiled one by one (`isolatedModules` makes that safe). What the documentation comments say is in the
 * declarations; the code is shipped without them, with short names inside functions.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { minifySync } from 'rolldown/utils';
import { bundleDependencies, useBundledDependencies } from './bundle-dependencies.mjs';
import { removeFolder, replaceFolder, root, runTool, temporaryFolder } from './toolchain.mjs';

const require = createRequire(import.meta.url);
const ts = require('typescript');

/** What `import.meta.url` is in CommonJS. */
const fileUrl = "require('node:url').pathToFileURL(__filename).href";

function listFiles(folder, ending) {
  return readdirSync(folder, { recursive: true })
    .map((file) => String(file).split('\\').join('/'))
    .filter((file) => file.endsWith(ending));
}

/**
 * Short names inside functions; those that stack traces show stay. Comments inside a line are for bundlers: a file that has
 * some keeps its form.
 */
function shorten(file, code) {
  if (/\/\*\s*(?:@vite-ignore|webpack\w+:|[@#]__\w+__)/.test(code)) return code;
  return minifySync(file, code, {
    compress: true,
    mangle: { toplevel: true, keepNames: true },
    codegen: { removeWhitespace: true, legalComments: 'none' },
  }).code;
}

function transpile(file, module) {
  const fileName = join(root, 'src', file);
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module, esModuleInterop: true, isolatedModules: true };
  return ts.transpileModule(readFileSync(fileName, 'utf8'), { compilerOptions, fileName }).outputText;
}

function write(folder, file, text) {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function withoutComments(file) {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.ES2022);
  return ts.createPrinter({ removeComments: true }).printFile(source);
}

/** A tab for four spaces: a tenth of the declarations is indentation. */
function indentByTabs(text) {
  return text.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4));
}

/** Removes the declarations that no door leads to. */
function pruneDeclarations(folder) {
  const needed = new Set();
  const open = listFiles(folder, '.d.ts').filter((file) => !file.includes('/'));
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (needed.has(file)) continue;
    needed.add(file);
    const text = readFileSync(join(folder, file), 'utf8');
    for (const [, path] of text.matchAll(/(?:from|import\()\s*['"](\.[^'"]+)\.js['"]/g))
      open.push(join(dirname(file), `${path}.d.ts`).split('\\').join('/'));
  }
  for (const file of listFiles(folder, '.d.ts')) if (!needed.has(file)) rmSync(join(folder, file));
}

const esm = temporaryFolder('esm');
const cjs = temporaryFolder('cjs');
try {
  const status = runTool('typescript', ['-p', 'tsconfig.build.json', '--outDir', esm], { binary: 'tsc' });
  if (status !== 0) process.exit(status);
  const sources = listFiles(join(root, esm), '.d.ts').map((file) => file.replace(/\.d\.ts$/, ''));
  pruneDeclarations(join(root, esm));
  for (const name of sources) {
    const file = `${name}.js`;
    const code = useBundledDependencies(transpile(`${name}.ts`, ts.ModuleKind.ES2022), file);
    write(join(root, esm), file, shorten(file, code));
    if (name.startsWith('cli/')) continue;
    const common = transpile(`${name}.ts`, ts.ModuleKind.CommonJS).replaceAll('import.meta.url', fileUrl);
    write(join(root, cjs), file, shorten(file, useBundledDependencies(common, file)));
  }
  // Declarations do not depend on the module format: the folder's own package.json makes these CommonJS. Comments are
  // shipped once, in those of the ES modules.
  for (const file of listFiles(join(root, esm), '.d.ts')) {
    write(join(root, cjs), file, indentByTabs(withoutComments(join(esm, file))));
    write(join(root, esm), file, indentByTabs(readFileSync(join(root, esm, file), 'utf8')));
  }
  write(join(root, cjs), 'package.json', '{ "type": "commonjs" }\n');
  await bundleDependencies(join(root, esm), 'es');
  await bundleDependencies(join(root, cjs), 'cjs');
  replaceFolder('dist/esm', esm);
  replaceFolder('dist/cjs', cjs);
  copyFileSync(join(root, 'src/kernel/generated/kernel.wasm'), join(root, 'dist/kernel.wasm'));
} finally {
  removeFolder(esm);
  removeFolder(cjs);
}
