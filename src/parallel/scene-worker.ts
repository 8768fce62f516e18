/**
 * The script that a worker of the pool runs: a module worker in pages, Deno and Bun, a worker thread in Node. The listener
 * of a web worker is set while the script runs, since messages that come earlier than a listener are lost there.
 */
import { createJobHandler } from './answer-jobs.js';
import { importWorkerThreads } from './host.js';
import type { FromWorker, ToWorker } from './messages.js';

interface WebScope {
  postMessage(message: FromWorker, transfer: ArrayBuffer[]): void;
  addEventListener(type: 'message', listener: (event: { readonly data: ToWorker }) => void): void;
}

const scope = globalThis as unknown as Partial<WebScope>;

if (typeof scope.postMessage === 'function' && typeof scope.addEventListener === 'function') {
  const web = scope as WebScope;
  const handle = createJobHandler((message, transfer) => web.postMessage(message, transfer));
  web.addEventListener('message', ({ data }) => handle(data));
} else {
  void importWorkerThreads().then(({ parentPort }) => {
    if (!parentPort) throw new Error('scene-worker: expected to run in a worker');
    const handle = createJobHandler((message, transfer) => parentPort.postMessage(message, transfer));
    parentPort.on('message', handle);
  });
}
