/** The built command line in this process: what it prints and its exit status, with times and paths of the run left out. */
import childProcess from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Command } from 'commander';

const cli = fileURLToPath(new URL('../../../dist/esm/', import.meta.url));

async function load<T>(file: string): Promise<T> {
  const path = join(cli, file);
  if (!existsSync(path)) throw new Error('the command line is not built: run `npm run build`');
  return (await import(pathToFileURL(path).href)) as T;
}

interface ProgramModule {
  createProgram(): Promise<Command>;
  runCommandLine(args: readonly string[]): Promise<void>;
}

export interface Outcome {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** All commands without subcommands, by their words. */
export async function listCommands(): Promise<Map<string, Command>> {
  const { createProgram } = await load<ProgramModule>('cli-program.js');
  const found = new Map<string, Command>();
  const walk = (command: Command, words: string): void => {
    if (command.commands.length === 0) found.set(words, command);
    for (const child of command.commands) walk(child, words === '' ? child.name() : `${words} ${child.name()}`);
  };
  walk(await createProgram(), '');
  return found;
}

export async function runInProcess(args: readonly string[]): Promise<Outcome> {
  const { runCommandLine } = await load<ProgramModule>('cli-program.js');
  const written = { out: '', err: '' };
  const { stdout, stderr } = process;
  const originals = [stdout.write, stderr.write] as const;
  const listeners = process.listeners('SIGINT');
  let served: Promise<string> | null = null;
  const before = process.exitCode;
  const take = (which: 'out' | 'err') =>
    ((text: string | Uint8Array) => {
      written[which] += typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
      const url = /http:\/\/127\.0\.0\.1:\d+\//.exec(written.out)?.[0];
      if (url !== undefined && served === null) served = readServed(url).finally(() => interrupt(listeners));
      return true;
    }) as typeof stdout.write;
  stdout.write = take('out');
  stderr.write = take('err');
  process.exitCode = 0;
  const restore = replaceSpawning((words) => stdout.write(`${JSON.stringify(words)}\n`));
  try {
    await runCommandLine(args);
    if (served !== null) written.out += await served;
    const clean = args.includes('--port') ? withoutTimes : (text: string) => withoutPorts(withoutTimes(text));
    return { status: Number(process.exitCode ?? 0), out: clean(written.out), err: clean(written.err) };
  } finally {
    restore();
    [stdout.write, stderr.write] = originals;
    process.exitCode = before;
  }
}

/** A run takes as long as it takes; `step` to `ratio` are the times of `chain bench`. */
function withoutTimes(text: string): string {
  return text
    .replace(
      /"(ms|planMs|simplifyMs|prepareMs|timedMs|certifyMs|checkUs|fullCheckUs|step|update|undo|freeTest|collidingTest|ratio|realTimeFactor)":[-+.\de]+/g,
      '"$1":0',
    )
    .replace(/[-+.\de]+ (ms|us|x real time)\b/g, '0 $1')
    .replace(/steps, [.\d]+ s$/gm, 'steps, 0 s')
    .replace(/\bin [-+.\de]+ s\b/g, 'in 0 s')
    .replace(/^(us|grid|ChainTree) {2,}.*$/gm, '$1');
}

/** Any free one. */
const withoutPorts = (text: string): string => text.replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:0');

/** Of what a run serves: its session and files. */
async function readServed(url: string): Promise<string> {
  const session = await (await fetch(`${url}api/session.json`)).text();
  const served = [...session.matchAll(/(?:files|made)\/[^"]+/g)].map(([path]) => path);
  const texts = await Promise.all(served.map(async (path) => (await fetch(url + path)).text()));
  return [session, ...texts].join('\n');
}

/** Ends what waits for Ctrl-C, without a signal to this process. */
async function interrupt(before: readonly unknown[]): Promise<void> {
  for (;;) {
    const added = process.listeners('SIGINT').filter((listener) => !before.includes(listener));
    if (added.length > 0) {
      for (const listener of added) listener('SIGINT');
      return;
    }
    await setTimeout(1);
  }
}

/** Other programs are told of, not started. */
function replaceSpawning(tell: (words: readonly string[]) => void): () => void {
  const { spawn, spawnSync } = childProcess;
  Object.assign(childProcess, {
    spawn: (_program: string, words: readonly string[] = []) => {
      tell(words);
      const child = Object.assign(new EventEmitter(), { unref: () => undefined });
      setImmediate(() => child.emit('spawn'));
      return child;
    },
    spawnSync: (_program: string, words: readonly string[] = []) => {
      tell(words);
      return { status: 0 };
    },
  });
  syncBuiltinESMExports();
  return () => {
    Object.assign(childProcess, { spawn, spawnSync });
    syncBuiltinESMExports();
  };
}
