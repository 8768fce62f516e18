/** Packs the built package once and installs it into an empty project, as a user would get it. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A project with nothing but the packed package installed. */
    consumer: string;
    tarball: string;
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url));

function runNpm(args: readonly string[], cwd: string): string {
  const result = spawnSync('npm', args, { cwd, encoding: 'utf8', shell: process.platform === 'win32' });
  if (result.status !== 0) throw new Error(`npm ${args.join(' ')}:\n${result.stdout}\n${result.stderr}`);
  return result.stdout;
}

export default function setup(project: TestProject): () => void {
  if (!existsSync(join(root, 'dist/esm/index.js'))) throw new Error('Nothing to pack: run npm run build first.');
  const folder = mkdtempSync(join(tmpdir(), 'clearance-package-'));
  const [packed] = JSON.parse(runNpm(['pack', '--ignore-scripts', '--json', '--pack-destination', folder], root)) as [
    { filename: string },
  ];
  const tarball = join(folder, packed.filename);
  const consumer = join(folder, 'consumer');
  mkdirSync(consumer);
  writeFileSync(join(consumer, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  runNpm(['install', '--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock', tarball], consumer);
  project.provide('consumer', consumer);
  project.provide('tarball', tarball);
  return () => rmSync(folder, { recursive: true, force: true });
}
