export function startReader(): Worker {
  return new Worker(new URL('./load-worker.ts', import.meta.url), { type: 'module' });
}
