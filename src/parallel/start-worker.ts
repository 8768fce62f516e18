/**
 * Starts one worker and hides what web workers and worker threads have different.
 *
 * Bundlers find a worker's script by the form `new Worker(new URL('./job-worker.js', import.meta.url))` and build it as
 * an entry of its own, so that it is served from the page's origin and a policy of `worker-src 'self'` allows it.
 * In the CommonJS build `import.meta.url` becomes the file's own URL.
 */
import { importWorkerThreads, isNode } from './host.js';

/** Beside this module, for worker threads. */
const FILE = './job-worker.js';

export interface WorkerHandle<To> {
  /** Where its script is, for messages. */
  readonly url: string;
  post(message: To): void;
  terminate(): void;
  /** Node: a worker that is held keeps the process alive. */
  hold(active: boolean): void;
}

export interface WorkerEvents<From> {
  onMessage(message: From): void;
  /** It could not start, threw outside a job, or ended. */
  onFailure(cause: Error): void;
}

export async function startWorker<To, From>(
  script: string | URL | undefined,
  events: WorkerEvents<From>,
): Promise<WorkerHandle<To>> {
  return isNode() ? startThread(script, events) : startWebWorker(script, events);
}

async function startThread<To, From>(
  script: string | URL | undefined,
  events: WorkerEvents<From>,
): Promise<WorkerHandle<To>> {
  const { Worker } = await importWorkerThreads();
  // Not in one expression: bundlers would take it for a file to copy.
  const here = import.meta.url;
  const url = new URL(script ?? FILE, here);
  const worker = new Worker(url);
  worker.on('message', (message: From) => events.onMessage(message));
  worker.on('messageerror', (error) => events.onFailure(error));
  worker.on('error', (error) => events.onFailure(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', (code) => events.onFailure(new Error(`it ended with exit code ${code}`)));
  return {
    url: url.href,
    post: (message) => worker.postMessage(message),
    terminate: () => void worker.terminate(),
    hold: (active) => (active ? worker.ref() : worker.unref()),
  };
}

function startWebWorker<To, From>(script: string | URL | undefined, events: WorkerEvents<From>): WorkerHandle<To> {
  const worker =
    script === undefined
      ? new Worker(new URL('./job-worker.js', import.meta.url), { type: 'module' })
      : new Worker(script, { type: 'module' });
  worker.onmessage = ({ data }) => events.onMessage(data);
  worker.onmessageerror = () => events.onFailure(new Error('a message could not be read'));
  worker.onerror = (event) => {
    event.preventDefault?.();
    // A script that cannot be loaded gives an event without any message.
    events.onFailure(new Error(event.message || 'its script could not be loaded: not found, or forbidden by a policy'));
  };
  return {
    url: String(script ?? `${FILE} beside the module that starts it`),
    post: (message) => worker.postMessage(message),
    terminate: () => worker.terminate(),
    hold: () => undefined,
  };
}
