/** A longer copy of an array, the rest filled. */
export function grow<T extends Float64Array | Int32Array | Uint8Array>(old: T, length: number, rest = 0): T {
  const grown = new (old.constructor as new (length: number) => T)(length);
  grown.fill(rest, old.length);
  grown.set(old);
  return grown;
}
