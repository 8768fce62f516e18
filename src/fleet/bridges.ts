/**
 * Edges of a graph that lie on no ring: who meets another there cannot be led around.
 *
 * Source: R. E. Tarjan, "A note on finding the bridges of a graph", Information Processing Letters 2, 1974, doi:10.1016/0020-0190(74)90003-9.
 * Method: depth-first numbers and the least number that each subtree reaches; an own stack. Cost: O(edges). Tested by path-graph.test.ts.
 */
import type { PathGraph } from './path-graph.js';

/** One per entry of `next`: 1 for a bridge, in both of its directions. */
export function findBridges({ vertexCount, first, next }: PathGraph): Uint8Array {
  const isBridge = new Uint8Array(next.length);
  const number = new Int32Array(vertexCount).fill(-1);
  const least = new Int32Array(vertexCount);
  const cursor = first.slice(0, vertexCount);
  /** The entry of `next` by which each was reached. */
  const reachedBy = new Int32Array(vertexCount).fill(-1);
  const stack = new Int32Array(vertexCount);
  let count = 0;
  for (let root = 0; root < vertexCount; root++) {
    if (number[root] >= 0) continue;
    let depth = 0;
    stack[0] = root;
    number[root] = least[root] = count++;
    while (depth >= 0) {
      const v = stack[depth];
      const above = depth > 0 ? stack[depth - 1] : -1;
      if (cursor[v] < first[v + 1]) {
        const e = cursor[v]++;
        const u = next[e];
        if (number[u] < 0) {
          reachedBy[u] = e;
          number[u] = least[u] = count++;
          stack[++depth] = u;
        } else if (u !== above) least[v] = Math.min(least[v], number[u]);
        continue;
      }
      depth--;
      if (above < 0) continue;
      least[above] = Math.min(least[above], least[v]);
      if (least[v] <= number[above]) continue;
      isBridge[reachedBy[v]] = 1;
      for (let e = first[v]; e < first[v + 1]; e++) if (next[e] === above) isBridge[e] = 1;
    }
  }
  return isBridge;
}
