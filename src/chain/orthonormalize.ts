/**
 * Brings an almost orthonormal rotation back: one Newton step of the polar decomposition, R <- R (3 I - R^T R) / 2.
 *
 * The deviation e = |R^T R - I| becomes 3/4 e^2 + O(e^3), so a product of two rotations kept at 1e-15 comes back at
 * rounding level, and a million steps in a row stay there.
 * Source: Bjorck, Bowie 1971, "An iterative algorithm for computing the best estimate of an orthogonal matrix",
 * doi:10.1137/0708036. Cost: 45 flops. Checked by chain.test.ts (drift over many steps).
 */
export function orthonormalizeAt(X: Float64Array, at: number): void {
  const r0 = X[at];
  const r1 = X[at + 1];
  const r2 = X[at + 2];
  const r3 = X[at + 3];
  const r4 = X[at + 4];
  const r5 = X[at + 5];
  const r6 = X[at + 6];
  const r7 = X[at + 7];
  const r8 = X[at + 8];
  const d0 = 1.5 - 0.5 * (r0 * r0 + r3 * r3 + r6 * r6);
  const d1 = 1.5 - 0.5 * (r1 * r1 + r4 * r4 + r7 * r7);
  const d2 = 1.5 - 0.5 * (r2 * r2 + r5 * r5 + r8 * r8);
  const e01 = -0.5 * (r0 * r1 + r3 * r4 + r6 * r7);
  const e02 = -0.5 * (r0 * r2 + r3 * r5 + r6 * r8);
  const e12 = -0.5 * (r1 * r2 + r4 * r5 + r7 * r8);
  X[at] = r0 * d0 + r1 * e01 + r2 * e02;
  X[at + 1] = r0 * e01 + r1 * d1 + r2 * e12;
  X[at + 2] = r0 * e02 + r1 * e12 + r2 * d2;
  X[at + 3] = r3 * d0 + r4 * e01 + r5 * e02;
  X[at + 4] = r3 * e01 + r4 * d1 + r5 * e12;
  X[at + 5] = r3 * e02 + r4 * e12 + r5 * d2;
  X[at + 6] = r6 * d0 + r7 * e01 + r8 * e02;
  X[at + 7] = r6 * e01 + r7 * d1 + r8 * e12;
  X[at + 8] = r6 * e02 + r7 * e12 + r8 * d2;
}
