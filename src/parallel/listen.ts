/**
 * The worker's end of the line, in pages, Deno and Bun (module workers) and in Node (worker threads). The listener of a web
 * worker is set while its script runs, since messages that come earlier than a listener are lost there.
 */
import { importWorkerThreads } from './host.js';

interface WebScope<To, From> {
  postMessage(message: From): void;
  addEventListener(type: 'message', listener: (event: { readonly data: To }) => void): void;
}

/** `create` gets the way to answer and gives the handler of messages. */
export function listen<To, From>(create: (post: (message: From) => void) => (message: To) => void): void {
  const scope = globalThis as unknown as Partial<WebScope<To, From>>;
  if (typeof scope.postMessage === 'function' && typeof scope.addEventListener === 'function') {
    const web = scope as WebScope<To, From>;
    const handle = create((message) => web.postMessage(message));
    web.addEventListener('message', ({ data }) => handle(data));
    return;
  }
  void importWorkerThreads().then(({ parentPort }) => {
    if (!parentPort) throw new Error('listen: expected to run in a worker');
    const handle = create((message) => parentPort.postMessage(message));
    parentPort.on('message', handle);
  });
}
