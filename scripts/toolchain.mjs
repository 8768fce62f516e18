/**
 * What `npm start`, `npm test` and `npm run build` share. Plain Node and no dependencies, because each of them may
 * be the first command on a bare clone: install what the lock file asks for, build what changed, say what is missing.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The tools that build and test need more than the package itself does at run time (see `engines`). */
const oldestNode = [20, 19];
const oldestNpm = [9, 0];

export function fail(message) {
  process.stderr.write(`\n${message}\n`);
  process.exit(2);
}

function isOlder(version, [major, minor]) {
  const [a, b] = version.split('.').map(Number);
  return a < major || (a === major && b < minor);
}

export function requireVersions() {
  if (isOlder(process.versions.node, oldestNode)) {
    fail(`Clearance builds on Node ${oldestNode.join('.')} or newer; this is Node ${process.versions.node}.`);
  }
  const npm = /npm\/(\d+\.\d+)/.exec(process.env.npm_config_user_agent || '');
  if (npm && isOlder(npm[1], oldestNpm)) {
    fail(`Clearance installs with npm ${oldestNpm[0]} or newer; this is npm ${npm[1]}. Run: npm install -g npm`);
  }
}

/** Runs a command in the project's folder with our own output; returns its exit status. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (result.error) fail(`${command}: ${result.error.message}`);
  return result.status === null ? 1 : result.status;
}

/** Path of a tool's entry script, so that no shell and no `npx` is needed. */
export function tool(packageName, binary = packageName) {
  const folder = join(root, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[binary]);
}

export function runTool(packageName, args, options) {
  return run(process.execPath, [tool(packageName, options?.binary ?? packageName), ...args], options);
}

/** The exit status of a tool and what it printed, while others run. */
export function captureTool(packageName, args, { binary = packageName, cwd = root } = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [tool(packageName, binary), ...args], { cwd });
    const printed = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => printed.push(chunk));
    child.on('error', (error) => fail(`${packageName}: ${error.message}`));
    child.on('close', (status) => resolve({ status: status ?? 1, output: Buffer.concat(printed).toString('utf8') }));
  });
}

/** npm through the Node that runs us: works where `npm` is a .cmd file, too. */
export function runNpm(args) {
  const cli = process.env.npm_execpath;
  if (cli && /\.[cm]?js$/.test(cli)) return run(process.execPath, [cli, ...args]);
  return run('npm', args, { shell: process.platform === 'win32' });
}

/** The first package of the lock file that is missing or has another version; null when all are in place. */
function findStalePackage() {
  const installedFile = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return 'node_modules';
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages;
  for (const [path, entry] of Object.entries(wanted)) {
    if (!path.includes('node_modules/') || entry.link || entry.optional || entry.devOptional) continue;
    if (!installed[path] || installed[path].version !== entry.version) return path;
  }
  return null;
}

export function ensureInstalled() {
  const stale = findStalePackage();
  if (!stale) return;
  process.stderr.write(`Installing dependencies (${stale} is missing or out of date) ...\n`);
  if (runNpm(['ci', '--no-audit', '--no-fund', '--loglevel=error']) !== 0) {
    fail('npm ci failed: see its message above. It needs the npm registry once; after that nothing does.');
  }
}

function* listFiles(path) {
  if (!existsSync(path)) return;
  if (statSync(path).isFile()) {
    yield path;
    return;
  }
  for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (['node_modules', 'dist', 'generated'].includes(entry.name) || /\.test(-support)?\.ts$/.test(entry.name))
      continue;
    yield* listFiles(join(path, entry.name));
  }
}

function hashFiles(paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    for (const file of listFiles(join(root, path))) {
      hash.update(relative(root, file).split(sep).join('/')).update('\0').update(readFileSync(file)).update('\0');
    }
  }
  return hash.digest('hex');
}

const stampFile = join(root, 'dist', '.build.json');

function readStamps() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return {}; // no build yet, or one that was cut off: build again
  }
}

/**
 * Runs the steps whose inputs' content changed since they last succeeded, or whose output is missing.
 * A step is { name, inputs: paths, outputs: paths, build: () => exit status }.
 */
export function runSteps(steps, { force = false } = {}) {
  for (const step of steps) {
    const hash = hashFiles(step.inputs);
    const isFresh = readStamps()[step.name] === hash && step.outputs.every((path) => existsSync(join(root, path)));
    if (isFresh && !force) continue;
    process.stderr.write(`Building ${step.name} ...\n`);
    if (step.build() !== 0) fail(`The build of ${step.name} failed: see the messages above.`);
    const missing = step.outputs.find((path) => !existsSync(join(root, path)));
    if (missing) fail(`The build of ${step.name} ended without an error but left no ${missing}.`);
    mkdirSync(join(root, 'dist'), { recursive: true });
    writeFileSync(stampFile, `${JSON.stringify({ ...readStamps(), [step.name]: hash }, null, 2)}\n`);
  }
}

export function removeFolder(path) {
  rmSync(join(root, path), { recursive: true, force: true });
}

/** Where a folder of dist/ grows before it replaces the old one; two builds at a time do not meet. */
export const temporaryFolder = (name) => `dist/.next-${name}-${process.pid}`;

/** Swaps a finished folder in by renaming: whoever reads the old one never sees half of the new, nor long nothing. */
export function replaceFolder(path, next) {
  const former = temporaryFolder('former');
  if (existsSync(join(root, path))) renameSync(join(root, path), join(root, former));
  renameSync(join(root, next), join(root, path));
  removeFolder(former);
}
