/**
 * The built command line for tests that call it often: in a thread that keeps what it has loaded, for a new process takes
 * longer to start than most commands run. Arguments, standard input, the folder, what is printed and the exit status are
 * those of a process. Processes as such are started by cli.test.ts, command-line.test.ts and examples.test.ts.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';

export interface CommandLineOutcome {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

export interface CommandLineCall {
  readonly cwd?: string;
  readonly input?: string;
  /** `cli/program.js` of another build than the project's own. */
  readonly program?: string;
}

/** Only against a call that hangs. */
const HANG_MS = 580_000;
const ownProgram = fileURLToPath(new URL('../../dist/esm/cli-program.js', import.meta.url));

const done = new Int32Array(new SharedArrayBuffer(4));
const threads = new Map<string, MessagePort>();
/** What commands keep for the next time stays within one run. */
const cache = mkdtempSync(join(tmpdir(), 'command-line-cache-'));
process.once('exit', () => rmSync(cache, { recursive: true, force: true }));

function start(program: string): MessagePort {
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(new URL('./command-line-thread.mjs', import.meta.url), {
    env: { ...process.env, XDG_CACHE_HOME: cache },
    workerData: { port: port2, done, program: pathToFileURL(program).href },
    transferList: [port2],
    stdout: true,
    stderr: true,
  });
  worker.unref();
  port1.unref();
  return port1;
}

/** `args`: the words after the program's name. */
export function callCommandLine(args: readonly string[], call: CommandLineCall = {}): CommandLineOutcome {
  const { program = ownProgram } = call;
  const thread = threads.get(program) ?? start(program);
  threads.set(program, thread);
  const folder = process.cwd();
  if (call.cwd !== undefined) process.chdir(call.cwd);
  try {
    Atomics.store(done, 0, 0);
    thread.postMessage({ args, input: call.input ?? '' });
    if (Atomics.wait(done, 0, 0, HANG_MS) === 'timed-out') throw new Error(`hangs: clearance ${args.join(' ')}`);
  } finally {
    process.chdir(folder);
  }
  const result = receiveMessageOnPort(thread)?.message as CommandLineOutcome & { failure?: string };
  if (result.failure !== undefined) throw new Error(result.failure);
  return result;
}
