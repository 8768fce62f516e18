/** A worker's side of the pool: keeps what it was sent of each job and answers tasks from it. */
import type { JobPerformer } from './kinds/job-kind.js';
import { loadKind } from './kinds/registry.js';
import type { FromWorker, ToWorker } from './messages.js';

/** Returns the handler of incoming messages. */
export function createJobHandler(post: (message: FromWorker) => void): (message: ToWorker) => void {
  const performers = new Map<number, JobPerformer>();
  const start = async ({ share, kind, shared }: Extract<ToWorker, { type: 'start' }>): Promise<void> => {
    try {
      performers.set(share, (await loadKind('job worker', 'kind', kind)).prepare(shared));
      post({ type: 'ready' });
    } catch (error) {
      post({ type: 'failed', message: (error as Error).message });
    }
  };
  return (message) => {
    if (message.type === 'start') return void start(message);
    const performer = performers.get(message.share);
    if (message.type === 'drop') {
      performers.delete(message.share);
      performer?.dispose();
      return;
    }
    const { id, task } = message;
    try {
      const since = performance.now();
      const result = performer!.perform(task);
      post({ type: 'done', id, result, milliseconds: performance.now() - since });
    } catch (error) {
      post({ type: 'error', id, ...toFault(error) });
    }
  };
}

/** What is told of an error of a task, and which part of the task it names. */
export function toFault(error: unknown): { readonly index: number; readonly message: string } {
  const { index = 0, message } = error as { readonly index?: number; readonly message: string };
  return { index, message };
}
