/** Runs the built command line for command-line.ts, one call after the other; see there. */
import { PassThrough } from 'node:stream';
import { workerData } from 'node:worker_threads';

const { port, done, program } = workerData;

async function answer({ args, input }) {
  const written = { out: '', err: '' };
  const take = (which) => (text) => {
    written[which] += typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
    return true;
  };
  process.stdout.write = take('out');
  process.stderr.write = take('err');
  Object.defineProperty(process, 'stdin', { configurable: true, value: new PassThrough().end(input) });
  process.exitCode = 0;
  const { runCommandLine } = await import(program);
  await runCommandLine(args);
  return { status: process.exitCode, ...written };
}

port.on('message', (call) => {
  answer(call)
    .catch((error) => ({ failure: error.stack }))
    .then((result) => {
      port.postMessage(result);
      Atomics.store(done, 0, 1);
      Atomics.notify(done, 0);
    });
});
