/**
 * Adds a spatial inertia seen from another frame: out_A += the inertia I_B for X_AB, ten numbers as in math/inertia.ts,
 * on flat arrays; the ranges may not overlap.
 *
 * Method: parallel axes without the centre of mass, which a massless body lacks: with g = R (m c) and k = g + m p,
 * I' = R I R^T - hat(p) hat(g) - hat(k) hat(p).
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", section 2.13, doi:10.1007/978-1-4899-7560-7.
 * Tested by crba.test.ts (against math/inertia.ts).
 */
export function addTransformedInertia(
  out: Float64Array,
  o: number,
  X: Float64Array,
  x: number,
  I: Float64Array,
  i: number,
): void {
  const r0 = X[x];
  const r1 = X[x + 1];
  const r2 = X[x + 2];
  const r3 = X[x + 3];
  const r4 = X[x + 4];
  const r5 = X[x + 5];
  const r6 = X[x + 6];
  const r7 = X[x + 7];
  const r8 = X[x + 8];
  const px = X[x + 9];
  const py = X[x + 10];
  const pz = X[x + 11];
  const m = I[i];
  const hx = I[i + 1];
  const hy = I[i + 2];
  const hz = I[i + 3];
  const xx = I[i + 4];
  const xy = I[i + 5];
  const xz = I[i + 6];
  const yy = I[i + 7];
  const yz = I[i + 8];
  const zz = I[i + 9];
  const gx = r0 * hx + r1 * hy + r2 * hz;
  const gy = r3 * hx + r4 * hy + r5 * hz;
  const gz = r6 * hx + r7 * hy + r8 * hz;
  const kx = gx + m * px;
  const ky = gy + m * py;
  const kz = gz + m * pz;
  // T = R I, then T R^T.
  const t0 = r0 * xx + r1 * xy + r2 * xz;
  const t1 = r0 * xy + r1 * yy + r2 * yz;
  const t2 = r0 * xz + r1 * yz + r2 * zz;
  const t3 = r3 * xx + r4 * xy + r5 * xz;
  const t4 = r3 * xy + r4 * yy + r5 * yz;
  const t5 = r3 * xz + r4 * yz + r5 * zz;
  const t6 = r6 * xx + r7 * xy + r8 * xz;
  const t7 = r6 * xy + r7 * yy + r8 * yz;
  const t8 = r6 * xz + r7 * yz + r8 * zz;
  out[o] += m;
  out[o + 1] += kx;
  out[o + 2] += ky;
  out[o + 3] += kz;
  out[o + 4] += t0 * r0 + t1 * r1 + t2 * r2 + py * gy + pz * gz + ky * py + kz * pz;
  out[o + 5] += t0 * r3 + t1 * r4 + t2 * r5 - py * gx - px * ky;
  out[o + 6] += t0 * r6 + t1 * r7 + t2 * r8 - pz * gx - px * kz;
  out[o + 7] += t3 * r3 + t4 * r4 + t5 * r5 + px * gx + pz * gz + kx * px + kz * pz;
  out[o + 8] += t3 * r6 + t4 * r7 + t5 * r8 - pz * gy - py * kz;
  out[o + 9] += t6 * r6 + t7 * r7 + t8 * r8 + px * gx + py * gy + kx * px + ky * py;
}
