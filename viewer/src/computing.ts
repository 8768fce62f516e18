export function startComputing(): Worker {
  return new Worker(new URL('./compute-worker.ts', import.meta.url), { type: 'module' });
}
