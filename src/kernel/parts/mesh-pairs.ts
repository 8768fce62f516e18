import { moduleText } from '../generated/mesh-pairs-part.js';
import type { KernelPart } from '../kernel-part.js';

export interface MeshPairFunctions {
  /** Pairs of triangles within `tolerance`, at most `limit` and at most what the pair buffer holds. */
  collide(treeA: number, treeB: number, tolerance: number, limit: number): number;
  resumeCollide(limit: number): number;
  /** As `collide`, with gaps and points; at most GAP_CAPACITY. */
  listGaps(treeA: number, treeB: number, tolerance: number): number;
  /** Limits are squares. 0: nothing below `limit2`; 1: found; 2: the hinted pair is the closest. */
  distance(treeA: number, treeB: number, limit2: number, enough2: number, share: number, useHint: number): number;
  /** Batches, see assembly/mesh/batches.ts. */
  collidePoses(treeA: number, treeB: number, count: number): void;
  distancePoses(treeA: number, treeB: number, count: number, enough2: number): void;
  /** For tests. */
  rootSweptDistance(treeA: number, treeB: number): number;
}

export const meshPairs: KernelPart<MeshPairFunctions> = { place: 1, sample: 'collide', text: moduleText };
