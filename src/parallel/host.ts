/** What differs between hosts: where workers come from and how many there should be. */
import type * as WorkerThreads from 'node:worker_threads';

/** Bundlers for pages must not look for Node's modules, so their names are no literals here. */
const threads = 'node:worker_threads';
const system = 'node:os';

export async function importWorkerThreads(): Promise<typeof WorkerThreads> {
  return import(/* @vite-ignore */ /* webpackIgnore: true */ threads);
}

export function isNode(): boolean {
  return typeof (globalThis as { Worker?: unknown }).Worker !== 'function';
}

/** Number of logical processors, at least 1. */
export async function countProcessors(): Promise<number> {
  if (!isNode()) return globalThis.navigator?.hardwareConcurrency ?? 2;
  const { availableParallelism } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ system)) as {
    availableParallelism(): number;
  };
  return availableParallelism();
}

/** Shared memory can be sent: always in Node, in pages when they are isolated. */
export function canShareMemory(): boolean {
  if (typeof SharedArrayBuffer === 'undefined') return false;
  return isNode() || (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated === true;
}
