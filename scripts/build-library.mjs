/**
 * The library from src/: declarations (TypeScript, which also checks the types), ES modules and CommonJS.
 *
 * The doors, the command line and the workers' scripts are bundled into files that share what they have in common: a program
 * loads a few dozen files instead of hundreds, which is most of its first second. Bundlers take from them what is used: calls
 * that only make a module's constants are marked as pure. What the documentation comments say is in the declarations; the code
 * is shipped without them, with short names for all but classes.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { minifySync } from 'rolldown/utils';
import { bundleDependencies, bundledFile, isBundled, libraryGroups, licences } from './bundle-dependencies.mjs';
import { removeFolder, replaceFolder, root, runTool, temporaryFolder } from './toolchain.mjs';

const require = createRequire(import.meta.url);
const ts = require('typescript');

function listFiles(folder, ending) {
  return readdirSync(folder, { recursive: true })
    .map((file) => String(file).split('\\').join('/'))
    .filter((file) => file.endsWith(ending));
}

function write(folder, file, text) {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Outputs by name, with the sources they begin at. All lie in one folder, so that files find each other by name alone. */
function listEntries(format) {
  const doors = readdirSync(join(root, 'src')).filter((file) => file.endsWith('.ts'));
  const workers = readdirSync(join(root, 'src/parallel')).filter((file) => file.endsWith('-worker.ts'));
  const entries = [...doors, ...workers.map((file) => `parallel/${file}`)];
  const named = entries.map((file) => [file.replace(/^.*\//, '').replace(/\.ts$/, ''), `src/${file}`]);
  const commandLine = { cli: 'src/cli/main.ts', 'cli-program': 'src/cli/program.ts' };
  return { ...Object.fromEntries(named), ...(format === 'es' && commandLine) };
}

/** Marks the calls of a module's own constants, outside functions, as free of effects: what nobody uses can go. */
function markPure(code) {
  const file = ts.createSourceFile('module.js', code, ts.ScriptTarget.ES2022, true);
  const places = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node)) return;
    if (ts.isCallExpression(node) && node.expression.kind !== ts.SyntaxKind.ImportKeyword) places.push(node.getStart());
    else if (ts.isNewExpression(node)) places.push(node.getStart());
    ts.forEachChild(node, visit);
  };
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { initializer } of statement.declarationList.declarations) if (initializer) visit(initializer);
  }
  let out = code;
  for (const at of [...new Set(places)].sort((a, b) => b - a))
    out = `${out.slice(0, at)}/* @__PURE__ */ ${out.slice(at)}`;
  return out;
}

/** Where a module of ours lies below dist/, as if every source had a file of its own there; workers' scripts lie beside it. */
function locateModule(code, id, format) {
  const here = format === 'cjs' ? "require('node:url').pathToFileURL(__filename)" : 'import.meta.url';
  const module = relative(join(root, 'src'), id).split('\\').join('/').replace(/\.ts$/, '.js');
  if (module.startsWith('parallel/'))
    return format === 'es' ? code : code.replaceAll('import.meta.url', `${here}.href`);
  return code.replaceAll('import.meta.url', `new URL('${module}', ${here}).href`);
}

const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022, isolatedModules: true };
const transpiled = new Map();

function transpile(fileName) {
  let code = transpiled.get(fileName);
  if (code === undefined) {
    code = markPure(ts.transpileModule(readFileSync(fileName, 'utf8'), { compilerOptions, fileName }).outputText);
    transpiled.set(fileName, code);
  }
  return code;
}

/** Files of ours that a source loads when it is loaded, itself included. */
function listLoaded(entry) {
  const found = new Set();
  const open = [join(root, entry)];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    for (const [, path] of transpile(file).matchAll(
      /^(?:import|export)\b[^'"`;()]*?(?:from\s*)?['"](\.[^'"]+)\.js['"]/gm,
    ))
      open.push(join(dirname(file), `${path}.ts`));
  }
  return found;
}

/**
 * Files of the output for what many share: a file per folder of what the main door loads, and of what a command on a robot loads
 * besides. Left to themselves, bundlers make a file of every set of entries that share something; opening a file takes Node a millisecond,
 * which is more than reading what a program does not use of a larger one.
 */
function sharedGroups() {
  const folderOf = (id) => relative(join(root, 'src'), id).split(/[\\/]/)[0];
  const group = (loaded, prefix, folders) =>
    folders.map((names) => ({
      name: `${prefix}-${names[0]}`,
      test: (id) =>
        loaded.has(id) && names.includes(folderOf(id)) && !id.includes('/generated/') && !id.includes('/parts/'),
      minShareCount: 2,
      includeDependenciesRecursively: false,
    }));
  const main = listLoaded('src/index.ts');
  // Not what a command line loads before it knows the command.
  const others = new Set([...main, ...listLoaded('src/cli/main.ts')]);
  const command = new Set([...listLoaded('src/cli/commands/check.ts')].filter((id) => !others.has(id)));
  return [
    ...group(main, 'shared', [
      ['math', 'kernel'],
      ['geometry'],
      ['model', 'kinematics'],
      ['bvh'],
      // Fills its table of pairs when it is loaded: apart from what is used without it.
      ['narrowphase'],
      ['broadphase', 'chain'],
      ['semantics', 'scene'],
      ['planning'],
      ['ik'],
    ]),
    // Pages read files too, and have no file system: what reads from one is a file of its own.
    ...group(command, 'files', [['io'], ['node']]),
    ...group(command, 'command', [['cli']]),
  ];
}

/** The sources as modules of plain JavaScript. */
function sources(format, vendor) {
  return {
    name: 'sources',
    resolveId(id, importer) {
      const bundle = bundledFile(id);
      if (bundle) return join(vendor, bundle);
      const isOurs = importer?.startsWith(join(root, 'src')) && id.startsWith('.');
      return isOurs ? join(dirname(importer), id.replace(/\.js$/, '.ts')) : null;
    },
    load(id) {
      if (!id.startsWith(join(root, 'src')) || !id.endsWith('.ts')) return null;
      return { code: locateModule(transpile(id), id, format), moduleType: 'js' };
    },
    /** Names in others' libraries help nobody who reads a stack trace. */
    transform(code, id) {
      if (id.startsWith(join(root, 'src')) || id.startsWith('\0')) return null;
      return minifySync(id, code, { compress: false, mangle: { toplevel: true }, codegen: { removeWhitespace: false } })
        .code;
    },
  };
}

/** Throws where a door's file exports what the door does not name. */
function requireExports({ fileName, facadeModuleId, exports }) {
  if (!facadeModuleId || dirname(facadeModuleId) !== join(root, 'src')) return;
  const code = transpile(facadeModuleId);
  const unknown = exports.find((name) => !new RegExp(`\\b${name}\\b`).test(code));
  if (unknown) throw new Error(`${fileName} exports ${unknown}, which ${facadeModuleId} does not`);
}

async function bundle(folder, format, vendor) {
  const build = await rolldown({
    input: listEntries(format),
    cwd: root,
    platform: 'neutral',
    resolve: { conditionNames: ['import', 'browser', 'default'], mainFields: ['module', 'main'] },
    external: (id, importer) => !id.startsWith('.') && !isAbsolute(id) && !(importer === undefined || isBundled(id)),
    treeshake: { moduleSideEffects: false },
    // Asked for by groups that do not take what their modules import; `requireExports` below sees to it that no door gets more names.
    preserveEntrySignatures: 'allow-extension',
    // What is missing would only be found out when it is called.
    onwarn: (warning) => {
      // Commands are loaded when they are asked for: what some import and others load later is a file of its own.
      if (warning.code === 'INEFFECTIVE_DYNAMIC_IMPORT') return;
      throw new Error(warning.message);
    },
    checks: { pluginTimings: false },
    plugins: [sources(format, vendor)],
  });
  const { output } = await build.generate({
    format,
    exports: 'named',
    entryFileNames: '[name].js',
    chunkFileNames: ({ name }) => (/^(shared|files|command)-/.test(name) ? '[name]-[hash].js' : 'shared-[hash].js'),
    // Files of their own for others' libraries: bundlers leave out files of which nothing is used, whatever they do when loaded.
    codeSplitting: { groups: [...libraryGroups(vendor), ...sharedGroups()] },
    minify: {
      compress: true,
      mangle: { toplevel: true, keepNames: { function: false, class: true } },
      codegen: { removeWhitespace: true },
    },
    comments: { legal: true, annotation: true, jsdoc: false },
  });
  await build.close();
  for (const file of output) {
    requireExports(file);
    write(folder, file.fileName, file.code);
  }
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
    for (const [, path] of text.matchAll(/(?:from|import\(?)\s*['"](\.[^'"]+)\.js['"]/g))
      open.push(join(dirname(file), `${path}.d.ts`).split('\\').join('/'));
  }
  for (const file of listFiles(folder, '.d.ts')) if (!needed.has(file)) rmSync(join(folder, file));
}

const esm = temporaryFolder('esm');
const cjs = temporaryFolder('cjs');
const vendor = temporaryFolder('vendor');
try {
  const status = runTool('typescript', ['-p', 'tsconfig.build.json', '--outDir', esm], { binary: 'tsc' });
  if (status !== 0) process.exit(status);
  pruneDeclarations(join(root, esm));
  // Declarations do not depend on the module format: the folder's own package.json makes these CommonJS. Comments are
  // shipped once, in those of the ES modules.
  for (const file of listFiles(join(root, esm), '.d.ts')) {
    write(join(root, cjs), file, indentByTabs(withoutComments(join(esm, file))));
    write(join(root, esm), file, indentByTabs(readFileSync(join(root, esm, file), 'utf8')));
  }
  write(join(root, cjs), 'package.json', '{ "type": "commonjs" }\n');
  await bundleDependencies(join(root, vendor));
  await bundle(join(root, esm), 'es', join(root, vendor));
  await bundle(join(root, cjs), 'cjs', join(root, vendor));
  for (const folder of [esm, cjs]) write(join(root, folder), 'THIRD-PARTY.txt', licences());
  replaceFolder('dist/esm', esm);
  replaceFolder('dist/cjs', cjs);
  copyFileSync(join(root, 'src/kernel/generated/kernel.wasm'), join(root, 'dist/kernel.wasm'));
} finally {
  for (const folder of [esm, cjs, vendor]) removeFolder(folder);
}
