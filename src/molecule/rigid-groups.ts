/**
 * Which atoms of a molecule move together when only some of its bonds turn, and in which order the groups hang together.
 *
 * Method: a bond turns only when nothing else joins its two sides, so candidates are bridges of the graph of bonds (depth
 * first search with low points; a bond in a ring never is one), with further atoms at both ends. All other bonds join
 * their atoms into groups. The groups and the bonds that turn are a forest; each tree is walked from the group of its
 * first atom, side branches before the branch that leads to its last atom, so that a backbone comes in order and every
 * side chain right behind the group it hangs on.
 * Source: Tarjan 1974, "A note on finding the bridges of a graph", doi:10.1016/0020-0190(74)90003-9.
 * Cost: linear. No recursion. Checked by protein-chain.test.ts.
 */
import { findBridges } from '../math/bridges.js';

/** Undirected graph of bonds in compressed rows: neighbours of i at `starts[i] .. starts[i + 1]`. */
interface BondGraph {
  readonly starts: Int32Array;
  readonly neighbors: Int32Array;
  /** Number of the bond of each entry. */
  readonly bondOf: Int32Array;
}

export interface RigidGroups {
  /** Group of each atom, in walking order. */
  readonly groupOf: Int32Array;
  readonly count: number;
  /** Group before each one on the way from the root, always a smaller number; -1 for the root of a tree. */
  readonly parents: Int32Array;
  /** First group after a group's branch: its branch is group .. ends[group] - 1. */
  readonly ends: Int32Array;
  /** Index into the candidates of the bond that a group hangs on; -1 for roots. */
  readonly bonds: Int32Array;
}

/**
 * `bonds` holds pairs of atoms below `atomCount`, `candidates` pairs of bonded atoms that may turn. `last`: an atom to
 * come late, for each tree the last one listed counts. In steps.
 */
export function* findRigidGroups(
  atomCount: number,
  bonds: ArrayLike<number>,
  candidates: readonly (readonly [number, number])[],
  last: readonly number[],
): Generator<void, RigidGroups> {
  const graph = toGraph(atomCount, bonds);
  yield;
  const isBridge = findBridges(graph.starts, graph.neighbors, graph.bondOf, bonds.length / 2);
  const turning = new Int32Array(bonds.length / 2).fill(-1);
  candidates.forEach(([a, b], i) => {
    const { starts, neighbors, bondOf } = graph;
    // A bond with nothing beyond it turns nothing.
    if (starts[a + 1] - starts[a] < 2 || starts[b + 1] - starts[b] < 2) return;
    for (let k = starts[a]; k < starts[a + 1]; k++) {
      if (neighbors[k] === b && isBridge[bondOf[k]]) turning[bondOf[k]] = i;
    }
  });
  yield;
  const clusterOf = joinAtoms(atomCount, bonds, turning);
  yield;
  return yield* orderGroups(clusterOf, bonds, turning, last);
}

function toGraph(atomCount: number, bonds: ArrayLike<number>): BondGraph {
  const starts = new Int32Array(atomCount + 1);
  for (let k = 0; k < bonds.length; k++) starts[bonds[k] + 1]++;
  for (let i = 0; i < atomCount; i++) starts[i + 1] += starts[i];
  const fill = starts.slice(0, atomCount);
  const neighbors = new Int32Array(bonds.length);
  const bondOf = new Int32Array(bonds.length);
  for (let k = 0; k < bonds.length; k++) {
    const at = fill[bonds[k]]++;
    neighbors[at] = bonds[k ^ 1];
    bondOf[at] = k >> 1;
  }
  return { starts, neighbors, bondOf };
}

/** Smallest atom of the group of each atom: union-find over the bonds that do not turn. */
function joinAtoms(atomCount: number, bonds: ArrayLike<number>, turning: Int32Array): Int32Array {
  const leader = Int32Array.from({ length: atomCount }, (_, i) => i);
  const find = (atom: number): number => {
    let root = atom;
    while (leader[root] !== root) root = leader[root];
    for (let i = atom; leader[i] !== root; ) {
      const up = leader[i];
      leader[i] = root;
      i = up;
    }
    return root;
  };
  for (let bond = 0; bond < turning.length; bond++) {
    if (turning[bond] >= 0) continue;
    const [a, b] = [find(bonds[2 * bond]), find(bonds[2 * bond + 1])];
    leader[Math.max(a, b)] = Math.min(a, b);
  }
  for (let atom = 0; atom < atomCount; atom++) find(atom);
  return leader;
}

function* orderGroups(
  clusterOf: Int32Array,
  bonds: ArrayLike<number>,
  turning: Int32Array,
  last: readonly number[],
): Generator<void, RigidGroups> {
  const atomCount = clusterOf.length;
  const edges = new Map<number, [number, number][]>();
  for (let bond = 0; bond < turning.length; bond++) {
    if (turning[bond] < 0) continue;
    for (const [from, to] of [
      [bonds[2 * bond], bonds[2 * bond + 1]],
      [bonds[2 * bond + 1], bonds[2 * bond]],
    ]) {
      const list = edges.get(clusterOf[from]);
      const edge: [number, number] = [clusterOf[to], turning[bond]];
      if (list) list.push(edge);
      else edges.set(clusterOf[from], [edge]);
    }
  }
  yield;
  const up = markMainBranch(clusterOf, edges, last);
  yield;
  const numberOf = new Int32Array(atomCount).fill(-1);
  const [parents, groupBonds]: [number[], number[]] = [[], []];
  for (let atom = 0; atom < atomCount; atom++) {
    if (clusterOf[atom] !== atom || numberOf[atom] >= 0) continue;
    const stack: [number, number, number][] = [[atom, -1, -1]];
    for (let top = stack.pop(); top; top = stack.pop()) {
      const [cluster, parent, bond] = top;
      const group = parents.length;
      numberOf[cluster] = group;
      parents.push(parent);
      groupBonds.push(bond);
      const further = (edges.get(cluster) ?? []).filter(([to]) => numberOf[to] < 0);
      // What is pushed first comes last: the main branch, then the others from the largest atom to the smallest.
      further.sort((x, y) => Number(up.has(y[0])) - Number(up.has(x[0])) || y[0] - x[0]);
      for (const [to, edge] of further) stack.push([to, group, edge]);
    }
  }
  yield;
  const count = parents.length;
  const ends = Int32Array.from({ length: count }, (_, i) => i + 1);
  for (let group = count - 1; group > 0; group--) {
    const parent = parents[group];
    if (parent >= 0) ends[parent] = Math.max(ends[parent], ends[group]);
  }
  return {
    groupOf: Int32Array.from(clusterOf, (cluster) => numberOf[cluster]),
    count,
    parents: Int32Array.from(parents),
    ends,
    bonds: Int32Array.from(groupBonds),
  };
}

/** Clusters on the way from each tree's first cluster to the last one of `last` that it holds. */
function markMainBranch(
  clusterOf: Int32Array,
  edges: ReadonlyMap<number, readonly (readonly [number, number])[]>,
  last: readonly number[],
): ReadonlySet<number> {
  const main = new Set<number>();
  const before = new Map<number, number>();
  const rankOf = new Map(last.map((atom, rank) => [clusterOf[atom], rank] as const));
  for (let root = 0; root < clusterOf.length; root++) {
    if (clusterOf[root] !== root || before.has(root)) continue;
    before.set(root, -1);
    const queue = [root];
    let end = -1;
    let best = -1;
    for (let head = 0; head < queue.length; head++) {
      const rank = rankOf.get(queue[head]) ?? -1;
      if (rank > best) [end, best] = [queue[head], rank];
      for (const [to] of edges.get(queue[head]) ?? []) {
        if (before.has(to)) continue;
        before.set(to, queue[head]);
        queue.push(to);
      }
    }
    for (let cluster = end; cluster >= 0; cluster = before.get(cluster)!) main.add(cluster);
  }
  return main;
}
