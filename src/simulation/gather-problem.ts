/**
 * The blocks of an island as a problem of their own (contact-problem.ts): G = J M^-1 J^T + R, b = J v + b.
 *
 * Cost: for every pair of blocks that share a mover, up to 9 products of as many numbers as it has velocities.
 * Tested by physics.test.ts.
 */
import { CONTACT, type ConstraintSet, SIDE } from './constraint-set.js';
import type { ContactProblem } from './contact-problem.js';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export interface GatheredProblem extends Writable<ContactProblem> {
  f: Float64Array;
}

export function createGatheredProblem(): GatheredProblem {
  const none = new Float64Array(0);
  return {
    G: none,
    b: none,
    f: none,
    n: 0,
    rows: new Int32Array(0),
    kinds: new Uint8Array(0),
    blockCount: 0,
    frictions: none,
    lower: none,
    upper: none,
    law: 'coulomb',
    pyramidal: false,
  };
}

function reserve(problem: GatheredProblem, n: number, blocks: number): void {
  if (problem.b.length < n) {
    const size = Math.max(n, 2 * problem.b.length, 48);
    problem.G = new Float64Array(size * size);
    problem.b = new Float64Array(size);
    problem.f = new Float64Array(size);
    problem.lower = new Float64Array(size);
    problem.upper = new Float64Array(size);
  }
  if (problem.rows.length < blocks) {
    const size = Math.max(blocks, 2 * problem.rows.length, 16);
    problem.rows = new Int32Array(size);
    problem.kinds = new Uint8Array(size);
    problem.frictions = new Float64Array(size);
  }
}

/** Fills `problem` from blocks[from .. end - 1] at the velocities V, which hold no impulse of theirs. */
export function gatherProblem(
  problem: GatheredProblem,
  set: ConstraintSet,
  V: Float64Array,
  blocks: Int32Array,
  from: number,
  end: number,
): void {
  let n = 0;
  for (let i = from; i < end; i++) n += set.kinds[blocks[i]] === CONTACT ? 3 : 1;
  reserve(problem, n, end - from);
  problem.n = n;
  problem.blockCount = end - from;
  const { G, b, f, rows, kinds, frictions, lower, upper } = problem;
  G.fill(0, 0, n * n);
  let row = 0;
  for (let i = from; i < end; i++) {
    const block = blocks[i];
    const count = set.kinds[block] === CONTACT ? 3 : 1;
    rows[i - from] = row;
    kinds[i - from] = set.kinds[block];
    frictions[i - from] = set.frictions[block];
    for (let r = 0; r < count; r++) {
      const own = set.rows[block] + r;
      b[row + r] = set.measureRow(block, r, V) + set.biases[own];
      f[row + r] = set.impulses[own];
      lower[row + r] = set.lower[own];
      upper[row + r] = set.upper[own];
    }
    row += count;
  }
  for (let i = 0; i < end - from; i++)
    for (let k = 0; k <= i; k++) addProducts(problem, set, i, k, blocks[from + i], blocks[from + k]);
  row = 0;
  for (let i = from; i < end; i++) {
    const count = set.kinds[blocks[i]] === CONTACT ? 3 : 1;
    for (let r = 0; r < count; r++, row++) G[row * n + row] += set.softness[set.rows[blocks[i]] + r];
  }
}

/** Where the velocities of two sides are the same: places in the first one's rows, in the second one's. */
let shared = new Int32Array(128);

function findShared({ sides, lists }: ConstraintSet, s: number, t: number): number {
  const p = sides[s + 2];
  const q = sides[t + 2];
  if (shared.length < 2 * p) shared = new Int32Array(4 * p);
  let count = 0;
  if (sides[s + 4] < 0) {
    for (let k = 0; k < p; k++) {
      shared[count++] = k;
      shared[count++] = k;
    }
    return p;
  }
  const a = sides[s + 4];
  const b = sides[t + 4];
  for (let i = 0, k = 0; i < p && k < q; ) {
    const difference = lists[a + i] - lists[b + k];
    if (difference === 0) {
      shared[count++] = i++;
      shared[count++] = k++;
    } else if (difference < 0) i++;
    else k++;
  }
  return count >> 1;
}

function addProducts(
  { G, n, rows, kinds }: GatheredProblem,
  set: ConstraintSet,
  i: number,
  k: number,
  p: number,
  q: number,
): void {
  const { sides, J, Y } = set;
  const height = kinds[i] === 1 ? 3 : 1;
  const width = kinds[k] === 1 ? 3 : 1;
  for (let s = 2 * SIDE * p; s < 2 * SIDE * (p + 1); s += SIDE) {
    const count = sides[s + 2];
    if (count === 0) continue;
    for (let t = 2 * SIDE * q; t < 2 * SIDE * (q + 1); t += SIDE) {
      if (sides[t + 2] === 0 || sides[t + 3] !== sides[s + 3]) continue;
      const both = 2 * findShared(set, s, t);
      for (let r = 0; r < height; r++)
        for (let c = 0; c < width; c++) {
          const a = sides[s] + r * count;
          const o = sides[t] + c * sides[t + 2];
          let sum = 0;
          for (let v = 0; v < both; v += 2) sum += J[a + shared[v]] * Y[o + shared[v + 1]];
          const x = rows[i] + r;
          const y = rows[k] + c;
          G[x * n + y] += sum;
          if (i !== k) G[y * n + x] += sum;
        }
    }
  }
}

/** Hands the problem's impulses back to the blocks. */
export function returnImpulses(
  { f, rows, kinds }: GatheredProblem,
  set: ConstraintSet,
  blocks: Int32Array,
  from: number,
  end: number,
): void {
  for (let i = from; i < end; i++) {
    const count = kinds[i - from] === 1 ? 3 : 1;
    for (let r = 0; r < count; r++) set.impulses[set.rows[blocks[i]] + r] = f[rows[i - from] + r];
  }
}
