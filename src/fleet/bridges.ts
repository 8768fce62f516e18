/** Where robots that meet cannot be led around each other: edges of their graph that lie on no ring. Tested by path-graph.test.ts. */
import { findBridges } from '../math/bridges.js';
import type { PathGraph } from './path-graph.js';

/** One per entry of `next`: 1 for a bridge, in both of its directions. */
export function listBridges({ vertexCount, first, next }: PathGraph): Uint8Array {
  const edgeOf = new Int32Array(next.length);
  let count = 0;
  for (let v = 0; v < vertexCount; v++)
    for (let e = first[v]; e < first[v + 1]; e++) {
      const u = next[e];
      let back = -1;
      if (u < v) for (let f = first[u]; f < first[u + 1]; f++) if (next[f] === v) back = f;
      edgeOf[e] = back >= 0 ? edgeOf[back] : count++;
    }
  const isBridge = findBridges(first, next, edgeOf, count);
  return Uint8Array.from(edgeOf, (edge) => isBridge[edge]);
}
