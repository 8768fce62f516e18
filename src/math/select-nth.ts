/**
 * Partial sorting: puts the n-th smallest in its place.
 *
 * Source: Hoare 1961, "Algorithm 65: find", doi:10.1145/366622.366647, with the median of three as pivot.
 * Cost: linear on average; equal keys do no harm. Deterministic. Keys must not be NaN.
 * Tested by select-nth.test.ts.
 */

/** Permutes order[left..right] so that position n holds what sorting by key[order[i]] would put there, smaller keys before it. */
export function selectNth(order: Int32Array, key: Float64Array, left: number, right: number, n: number): void {
  while (left < right) {
    const a = key[order[left]];
    const b = key[order[(left + right) >> 1]];
    const c = key[order[right]];
    const pivot = Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
    let i = left;
    let j = right;
    while (i <= j) {
      while (key[order[i]] < pivot) i++;
      while (key[order[j]] > pivot) j--;
      if (i <= j) {
        const swap = order[i];
        order[i++] = order[j];
        order[j--] = swap;
      }
    }
    if (n <= j) right = j;
    else if (n >= i) left = i;
    else return;
  }
}
