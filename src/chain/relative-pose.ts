/** X_BC = X_AB^-1 X_AC on flat arrays (R row-major, then p, 12 numbers each); `out` may be `b` in place. */
export function writeRelativePose(
  out: Float64Array,
  outAt: number,
  a: Float64Array,
  aAt: number,
  b: Float64Array,
  bAt: number,
): void {
  const x = b[bAt + 9] - a[aAt + 9];
  const y = b[bAt + 10] - a[aAt + 10];
  const z = b[bAt + 11] - a[aAt + 11];
  const a0 = a[aAt];
  const a1 = a[aAt + 1];
  const a2 = a[aAt + 2];
  const a3 = a[aAt + 3];
  const a4 = a[aAt + 4];
  const a5 = a[aAt + 5];
  const a6 = a[aAt + 6];
  const a7 = a[aAt + 7];
  const a8 = a[aAt + 8];
  for (let c = 0; c < 3; c++) {
    const b0 = b[bAt + c];
    const b1 = b[bAt + c + 3];
    const b2 = b[bAt + c + 6];
    out[outAt + c] = a0 * b0 + a3 * b1 + a6 * b2;
    out[outAt + c + 3] = a1 * b0 + a4 * b1 + a7 * b2;
    out[outAt + c + 6] = a2 * b0 + a5 * b1 + a8 * b2;
  }
  out[outAt + 9] = a0 * x + a3 * y + a6 * z;
  out[outAt + 10] = a1 * x + a4 * y + a7 * z;
  out[outAt + 11] = a2 * x + a5 * y + a8 * z;
}
