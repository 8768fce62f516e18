/**
 * Edges of a graph that lie on no ring.
 *
 * Source: Tarjan 1974, "A note on finding the bridges of a graph", doi:10.1016/0020-0190(74)90003-9.
 * Method: depth-first numbers and the least number that each subtree reaches, without recursion. Cost: linear. Tested by
 * src/molecule/protein-chain.test.ts and src/fleet/path-graph.test.ts.
 */

/** 1 for edges whose loss would part their ends. Neighbours of v, and the edges to them, at `starts[v] .. starts[v + 1]`. */
export function findBridges(
  starts: Int32Array,
  neighbors: Int32Array,
  edgeOf: Int32Array,
  edgeCount: number,
): Uint8Array {
  const count = starts.length - 1;
  const isBridge = new Uint8Array(edgeCount);
  const order = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const next = starts.slice(0, count);
  const path = new Int32Array(count);
  const entered = new Int32Array(count).fill(-1);
  let time = 0;
  for (let root = 0; root < count; root++) {
    if (order[root] >= 0) continue;
    let depth = 0;
    path[0] = root;
    order[root] = low[root] = time++;
    while (depth >= 0) {
      const v = path[depth];
      if (next[v] < starts[v + 1]) {
        const k = next[v]++;
        const other = neighbors[k];
        if (edgeOf[k] === entered[v]) continue;
        if (order[other] >= 0) {
          low[v] = Math.min(low[v], order[other]);
          continue;
        }
        entered[other] = edgeOf[k];
        order[other] = low[other] = time++;
        path[++depth] = other;
        continue;
      }
      depth--;
      if (depth < 0) break;
      const before = path[depth];
      low[before] = Math.min(low[before], low[v]);
      if (low[v] > order[before]) isBridge[entered[v]] = 1;
    }
  }
  return isBridge;
}
