/**
 * Tools that only the package tests need, from the npm registry. They are installed once into the package cache of
 * node_modules; where that is impossible the reason becomes the title of a skipped test.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './run.js';

export interface Installed {
  readonly folder: string;
  /** Empty when everything is in place. */
  readonly missing: string;
}

/** `file`: a path below the folder that is there once the packages are installed. */
export function installOnce(name: string, packages: readonly string[], file: string): Installed {
  const folder = join(projectRoot, 'node_modules/.cache/clearance-tools', name);
  if (existsSync(join(folder, file))) return { folder, missing: '' };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const options = { cwd: folder, shell: process.platform === 'win32' };
  const npm = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], options);
  const missing =
    npm.status === 0 && existsSync(join(folder, file)) ? '' : `npm could not install ${packages.join(' ')}`;
  return { folder, missing };
}
