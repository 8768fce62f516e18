/** Corners of triangle strips and fans. */

/**
 * Calls `emit` for each triangle of a strip; every other one is turned, so that all keep the side of the first.
 * An index of -1 starts a new strip. Triangles with a repeated index, which strips use to turn or to jump, are left out.
 */
export function forEachStripTriangle(
  indices: ArrayLike<number>,
  emit: (a: number, b: number, c: number) => void,
): void {
  let position = 0;
  let before = 0;
  let last = 0;
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i];
    if (index === -1) {
      position = 0;
      continue;
    }
    if (position >= 2 && before !== last && last !== index && before !== index) {
      if (position % 2 === 0) emit(before, last, index);
      else emit(last, before, index);
    }
    before = last;
    last = index;
    position++;
  }
}

/** Calls `emit` for each triangle of a fan about its first corner, those with a repeated index left out. */
export function forEachFanTriangle(indices: ArrayLike<number>, emit: (a: number, b: number, c: number) => void): void {
  const apex = indices[0];
  for (let i = 2; i < indices.length; i++) {
    const a = indices[i - 1];
    const b = indices[i];
    if (apex !== a && a !== b && b !== apex) emit(apex, a, b);
  }
}
