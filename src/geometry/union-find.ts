/**
 * Sets that grow together, as parents in one array: `parent[i] = i` at first, `parent[findRoot(parent, a)] = findRoot(parent, b)` joins.
 * Paths are halved on the way (Tarjan, van Leeuwen 1984), so that a long row of unions costs no long walks.
 */
export function findRoot(parent: Uint32Array, node: number): number {
  let root = node;
  while (parent[root] !== root) {
    parent[root] = parent[parent[root]];
    root = parent[root];
  }
  return root;
}
