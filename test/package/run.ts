/** Child processes for the package tests: output on success, a readable error otherwise. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly error?: Error;
}

/** Runs a program to its end, whatever that is. */
export function tryProgram(command: string, args: readonly string[], cwd: string): Ended {
  // What the test runner sets for itself is not what a user has.
  const { NODE_ENV: _, VITEST: __, ...env } = process.env;
  return spawnSync(command, args, { cwd, env, encoding: 'utf8', timeout: 580_000, maxBuffer: 2 ** 26 });
}

export function runProgram(command: string, args: readonly string[], cwd: string): string {
  const result = tryProgram(command, args, cwd);
  if (result.status !== 0) {
    const reason = result.error?.message ?? `exit status ${result.status}`;
    throw new Error(`${command} ${args.join(' ')}: ${reason}\n${result.stdout}\n${result.stderr}`);
  }
  return result.stdout;
}

export function runNode(args: readonly string[], cwd: string): string {
  return runProgram(process.execPath, args, cwd);
}

/** Entry script of a development tool. */
export function findTool(packageName: string, binary: string): string {
  const require = createRequire(join(projectRoot, 'package.json'));
  const manifest = join(projectRoot, 'node_modules', packageName, 'package.json');
  const { bin } = require(manifest) as { bin: string | Record<string, string> };
  return join(dirname(manifest), typeof bin === 'string' ? bin : bin[binary]);
}
