/** Loading in a worker of its own: one at a time, with progress, and cancelled by ending the worker. */
import type { LoadProgress } from 'clearance/web';
import type { FromLoader, LoadRequest } from './load-worker.js';

export type Loaded = Extract<FromLoader, { readonly type: 'session' | 'files' }>;

export interface Loader {
  /** Null when it was cancelled, or something else was asked for meanwhile. Rejects when nothing could be read at all. */
  load(request: LoadRequest, onProgress: (progress: LoadProgress) => void): Promise<Loaded | null>;
  /** Ends what is being loaded. */
  cancel(): void;
}

export function createLoader(): Loader {
  let end: (() => void) | null = null;
  const loader: Loader = {
    load(request, onProgress) {
      loader.cancel();
      return new Promise<Loaded | null>((resolve, reject) => {
        const worker = new Worker(new URL('./load-worker.ts', import.meta.url), { type: 'module' });
        const finish = (): void => {
          worker.terminate();
          end = null;
        };
        end = () => {
          finish();
          resolve(null);
        };
        worker.onmessage = ({ data }: MessageEvent<FromLoader>) => {
          if (data.type === 'progress') {
            onProgress(data.progress);
            return;
          }
          finish();
          if (data.type === 'failed') reject(new Error(data.message));
          else resolve(data);
        };
        worker.onerror = (event) => {
          finish();
          reject(new Error(event.message || 'the loading worker could not start'));
        };
        worker.postMessage(request);
      });
    },
    cancel() {
      end?.();
    },
  };
  return loader;
}
