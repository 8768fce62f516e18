/**
 * The smallest sets of parts that come out as one along a direction: strongly connected components of the blocking graph without
 * successors, and that nothing outside blocks.
 *
 * Source: Tarjan 1972, "Depth-first search and linear graph algorithms", doi:10.1137/0201010, without recursion; Wilson, Latombe 1994,
 * doi:10.1016/0004-3702(94)90048-5. Tested by sequence.test.ts.
 */

/** `blocks(a, b)`: b is in the way of a; `isHeld(a)`: something that stays is. Sets of numbers below `count`. */
export function findClosedSets(
  count: number,
  blocks: (a: number, b: number) => boolean,
  isHeld: (a: number) => boolean,
): number[][] {
  const index = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const component = new Int32Array(count).fill(-1);
  const stack: number[] = [];
  const sets: number[][] = [];
  let next = 0;
  for (let root = 0; root < count; root++) {
    if (index[root] >= 0) continue;
    const work: { node: number; to: number }[] = [{ node: root, to: 0 }];
    while (work.length > 0) {
      const top = work[work.length - 1];
      const { node } = top;
      if (top.to === 0 && index[node] < 0) {
        index[node] = low[node] = next++;
        stack.push(node);
      }
      let descended = false;
      while (top.to < count && !descended) {
        const to = top.to++;
        if (to === node || !blocks(node, to)) continue;
        if (index[to] < 0) {
          work.push({ node: to, to: 0 });
          descended = true;
        } else if (component[to] < 0) low[node] = Math.min(low[node], index[to]);
      }
      if (descended) continue;
      work.pop();
      if (work.length > 0) {
        const parent = work[work.length - 1].node;
        low[parent] = Math.min(low[parent], low[node]);
      }
      if (low[node] !== index[node]) continue;
      const set: number[] = [];
      for (let member = -1; member !== node; ) {
        member = stack.pop() as number;
        component[member] = sets.length;
        set.push(member);
      }
      sets.push(set);
    }
  }
  return sets.filter((set) =>
    set.every((a) => {
      if (isHeld(a)) return false;
      for (let b = 0; b < count; b++) if (component[b] !== component[a] && b !== a && blocks(a, b)) return false;
      return true;
    }),
  );
}
