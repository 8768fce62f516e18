/** The kinds of jobs by name. A worker loads the code of a kind when its first job comes. */
import { throwMisuse } from '../../math/arguments.js';
import type { JobKind } from './job-kind.js';

const kinds: Readonly<Record<string, () => Promise<JobKind>>> = {
  'scene-batch': async () => (await import('./scene-batch.js')).sceneBatch,
  'path-seeds': async () => (await import('./path-seeds.js')).pathSeeds,
  replicas: async () => (await import('./replicas.js')).replicas,
  'rigid-searches': async () => (await import('./rigid-searches.js')).rigidSearches,
  simulations: async () => (await import('./simulations.js')).simulations,
};

/** Rejects with a MisuseError for names that no kind has. */
export async function loadKind(call: string, what: string, name: unknown): Promise<JobKind> {
  if (typeof name !== 'string' || !Object.hasOwn(kinds, name))
    throwMisuse(call, what, name, `one of ${Object.keys(kinds).join(', ')}`);
  return kinds[name]();
}
