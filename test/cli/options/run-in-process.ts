/** The built command line in this process: what it prints and its exit status, with times and paths of the run left out. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Command } from 'commander';

const cli = fileURLToPath(new URL('../../../dist/esm/cli/', import.meta.url));

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
  const { createProgram } = await load<ProgramModule>('program.js');
  const found = new Map<string, Command>();
  const walk = (command: Command, words: string): void => {
    if (command.commands.length === 0) found.set(words, command);
    for (const child of command.commands) walk(child, words === '' ? child.name() : `${words} ${child.name()}`);
  };
  walk(await createProgram(), '');
  return found;
}

export async function runInProcess(args: readonly string[]): Promise<Outcome> {
  const { runCommandLine } = await load<ProgramModule>('program.js');
  const written = { out: '', err: '' };
  const { stdout, stderr } = process;
  const originals = [stdout.write, stderr.write] as const;
  const before = process.exitCode;
  const take = (which: 'out' | 'err') =>
    ((text: string | Uint8Array) => {
      written[which] += typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
      return true;
    }) as typeof stdout.write;
  stdout.write = take('out');
  stderr.write = take('err');
  process.exitCode = 0;
  try {
    await runCommandLine(args);
    return { status: Number(process.exitCode ?? 0), out: withoutTimes(written.out), err: withoutTimes(written.err) };
  } finally {
    [stdout.write, stderr.write] = originals;
    process.exitCode = before;
  }
}

/** A run takes as long as it takes. */
function withoutTimes(text: string): string {
  return text
    .replace(/"(ms|planMs|simplifyMs|prepareMs|timedMs|checkUs|fullCheckUs)":[-+.\de]+/g, '"$1":0')
    .replace(/[-+.\de]+ (ms|us)\b/g, '0 $1')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:0');
}

interface ViewerModule {
  startViewer(files: readonly string[], args: object): Promise<{ readonly url: string; close(): Promise<void> }>;
}

/** What `view` serves: its session and files. */
export async function runViewer(words: readonly string[]): Promise<Outcome> {
  const { viewCommand } = await load<{ viewCommand(): Command }>('commands/view.js');
  const { startViewer } = await load<ViewerModule>('viewer-server.js');
  let given: { files: string[]; args: object } | null = null;
  const command = viewCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .action((files: string[], args: object) => {
      given = { files, args };
    });
  try {
    await command.parseAsync(words, { from: 'user' });
    const { files, args } = given as unknown as { files: string[]; args: object };
    const { url, close } = await startViewer(files, args);
    try {
      const session = await (await fetch(`${url}api/session.json`)).text();
      const served = [...session.matchAll(/files\/\d+\/[^"]+/g)].map(([path]) => path);
      const texts = await Promise.all(served.map(async (path) => (await fetch(url + path)).text()));
      return { status: 0, out: [session, ...texts].join('\n'), err: '' };
    } finally {
      await close();
    }
  } catch (error) {
    return { status: 2, out: '', err: (error as Error).message };
  }
}
