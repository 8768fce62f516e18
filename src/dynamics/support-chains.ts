/**
 * What supports each velocity and what it supports, as lists, and room for the factors of M^-1 along them (inverse-factors.ts). Robots
 * with mimic joints: every earlier v counts as supporting.
 *
 *   array          stride       index   content
 *   chainStarts    1            v       where the chain of v begins in `chains` and `inverseFactors`, nv + 1 numbers
 *   chains         1            packed  what supports v, from the base on, v last
 *   chainEnds      1            v       what v supports: v + 1 .. chainEnds[v] - 1
 *   runStarts      1            v       where the runs of v begin in `runs`, nv + 1 numbers
 *   runs           2            packed  first and end of the columns in which row v of M is not zero
 *   sharedCounts   ceil(nv/4)   v       terms of four columns
 *   inverseFactors 1            packed  Y
 *   pivotInverses  1            v       D^-1
 * Tested by crba.test.ts and derivatives.test.ts.
 */

export interface InverseFactors {
  readonly chainStarts: Int32Array;
  readonly chains: Int32Array;
  readonly chainEnds: Int32Array;
  readonly runStarts: Int32Array;
  readonly runs: Int32Array;
  readonly sharedCounts: Uint16Array;
  readonly inverseFactors: Float64Array;
  readonly pivotInverses: Float64Array;
}

/** `parents[i]`: the nearest v before i that supports it, -1 for none. */
export function createInverseFactors(parents: ArrayLike<number>): InverseFactors {
  const n = parents.length;
  const chainStarts = new Int32Array(n + 1);
  const chainEnds = new Int32Array(n).fill(n);
  for (let i = 0; i < n; i++) {
    const above = parents[i] < 0 ? 0 : chainStarts[parents[i] + 1] - chainStarts[parents[i]];
    chainStarts[i + 1] = chainStarts[i] + above + 1;
  }
  const chains = new Int32Array(chainStarts[n]);
  for (let i = 0; i < n; i++) {
    let at = chainStarts[i + 1];
    for (let k = i; k >= 0; k = parents[k]) chains[--at] = k;
  }
  for (let i = n - 1; i >= 0; i--) {
    let end = i + 1;
    while (end < n && parents[end] >= i) end = chainEnds[end];
    chainEnds[i] = end;
  }
  const runStarts = new Int32Array(n + 1);
  const runs: number[] = [];
  for (let i = 0; i < n; i++) {
    const first = runs.length;
    for (let at = chainStarts[i]; at < chainStarts[i + 1]; at++) {
      const k = chains[at];
      const end = k === i ? chainEnds[i] : k + 1;
      if (runs.length > first && runs[runs.length - 1] === k) runs[runs.length - 1] = end;
      else runs.push(k, end);
    }
    runStarts[i + 1] = runs.length;
  }
  const blocks = Math.ceil(n / 4);
  const sharedCounts = new Uint16Array(n * blocks);
  const shared = new Uint16Array(n);
  for (let i = 0; i < n; i++) {
    const start = chainStarts[i];
    const length = chainStarts[i + 1] - start;
    shared.fill(0);
    // Branches that leave between two of the chain, before and behind the next one; then what i supports, and the chain.
    for (let k = start; k + 1 < start + length; k++) {
      const [here, next] = [chains[k], chains[k + 1]];
      if (next > here + 1) shared.fill(k + 1 - start, here + 1, next);
      if (chainEnds[next] < chainEnds[here]) shared.fill(k + 1 - start, chainEnds[next], chainEnds[here]);
    }
    shared.fill(length, i, chainEnds[i]);
    for (let k = start; k < start + length; k++) shared[chains[k]] = length;
    for (let c = 0; c < n; c++) {
      const at = i * blocks + (c >> 2);
      if (shared[c] > sharedCounts[at]) sharedCounts[at] = shared[c];
    }
  }
  return {
    chainStarts,
    chains,
    chainEnds,
    runStarts,
    runs: Int32Array.from(runs),
    sharedCounts,
    inverseFactors: new Float64Array(chains.length),
    pivotInverses: new Float64Array(n),
  };
}
