/** Checks that the mesh queries share: a few comparisons per call. */
import { requireObject, throwMisuse } from '../math/arguments.js';
import { MeshBvh } from './mesh-bvh.js';
import type { PairStats } from './pair-stats.js';

/** Throws on what is no tree, and on one that was disposed. */
export function requireBvh(call: string, what: string, bvh: unknown): void {
  if (!(bvh instanceof MeshBvh) || bvh.isDisposed)
    throwMisuse(call, what, bvh, 'a tree of buildMeshBvh that is not disposed');
}

export function requireStats(call: string, what: string, stats: PairStats | undefined): void {
  if (stats === undefined || (typeof stats?.nodeTests === 'number' && typeof stats.primitiveTests === 'number')) return;
  throwMisuse(call, what, stats, 'an object with the numbers nodeTests and primitiveTests');
}

/** Options of a query: their fields are looked at where they are read. */
export function requireQueryOptions(call: string, options: { readonly stats?: PairStats }): void {
  requireObject(call, 'options', options);
  requireStats(call, 'options.stats', options.stats);
}

export function requireHint(call: string, hint: unknown): void {
  if (hint !== undefined) requireObject(call, 'options.hint', hint, 'an object with triangleA and triangleB');
}
