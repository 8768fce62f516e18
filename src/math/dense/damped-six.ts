/**
 * A damped least-squares step for six rows, x = A^T (A A^T + mu I)^-1 e, whatever the number of columns: the inner system of
 * inverse kinematics of one pose, written out because it is solved at every iteration.
 *
 * Method: A A^T over the listed columns, then L D L^T, all in local variables.
 * Source: Golub, Van Loan 2013, "Matrix computations", section 4.1.2, doi:10.56021/9781421407944.
 * Shapes: column k of A is the six numbers from 6 k of `columns`; the first `count` of `indices` take part, and only their
 * entries of `out` are written. Cost: 27 products per column and some 100; nothing is allocated.
 * Fails: a pivot at or below 6 x 2^-52 x the largest diagonal entry, or 1e-10 x that with fewer than six columns (where the
 * damping alone makes the system definite), returns false and leaves `out` alone.
 * Tested by dense.test.ts (against `factorizeCholesky`).
 */
export function solveDampedSix(
  out: Float64Array,
  columns: Float64Array,
  list: { readonly indices: Int32Array; readonly count: number },
  mu: number,
  e: Float64Array,
): boolean {
  const { indices, count } = list;
  let g00 = mu;
  let g10 = 0;
  let g11 = mu;
  let g20 = 0;
  let g21 = 0;
  let g22 = mu;
  let g30 = 0;
  let g31 = 0;
  let g32 = 0;
  let g33 = mu;
  let g40 = 0;
  let g41 = 0;
  let g42 = 0;
  let g43 = 0;
  let g44 = mu;
  let g50 = 0;
  let g51 = 0;
  let g52 = 0;
  let g53 = 0;
  let g54 = 0;
  let g55 = mu;
  for (let m = 0; m < count; m++) {
    const at = 6 * indices[m];
    const a0 = columns[at];
    const a1 = columns[at + 1];
    const a2 = columns[at + 2];
    const a3 = columns[at + 3];
    const a4 = columns[at + 4];
    const a5 = columns[at + 5];
    g00 += a0 * a0;
    g10 += a1 * a0;
    g11 += a1 * a1;
    g20 += a2 * a0;
    g21 += a2 * a1;
    g22 += a2 * a2;
    g30 += a3 * a0;
    g31 += a3 * a1;
    g32 += a3 * a2;
    g33 += a3 * a3;
    g40 += a4 * a0;
    g41 += a4 * a1;
    g42 += a4 * a2;
    g43 += a4 * a3;
    g44 += a4 * a4;
    g50 += a5 * a0;
    g51 += a5 * a1;
    g52 += a5 * a2;
    g53 += a5 * a3;
    g54 += a5 * a4;
    g55 += a5 * a5;
  }
  const smallest = (count < 6 ? 1e-10 : 6 * Number.EPSILON) * Math.max(g00, g11, g22, g33, g44, g55);
  if (!(g00 > smallest)) return false;
  // Column by column: l(i) = g(i, j)/d(j), then g(i, k) -= l(i) g(k, j).
  const i0 = 1 / g00;
  const l10 = g10 * i0;
  const l20 = g20 * i0;
  const l30 = g30 * i0;
  const l40 = g40 * i0;
  const l50 = g50 * i0;
  g11 -= l10 * g10;
  g21 -= l20 * g10;
  g31 -= l30 * g10;
  g41 -= l40 * g10;
  g51 -= l50 * g10;
  g22 -= l20 * g20;
  g32 -= l30 * g20;
  g42 -= l40 * g20;
  g52 -= l50 * g20;
  g33 -= l30 * g30;
  g43 -= l40 * g30;
  g53 -= l50 * g30;
  g44 -= l40 * g40;
  g54 -= l50 * g40;
  g55 -= l50 * g50;
  if (!(g11 > smallest)) return false;
  const i1 = 1 / g11;
  const l21 = g21 * i1;
  const l31 = g31 * i1;
  const l41 = g41 * i1;
  const l51 = g51 * i1;
  g22 -= l21 * g21;
  g32 -= l31 * g21;
  g42 -= l41 * g21;
  g52 -= l51 * g21;
  g33 -= l31 * g31;
  g43 -= l41 * g31;
  g53 -= l51 * g31;
  g44 -= l41 * g41;
  g54 -= l51 * g41;
  g55 -= l51 * g51;
  if (!(g22 > smallest)) return false;
  const i2 = 1 / g22;
  const l32 = g32 * i2;
  const l42 = g42 * i2;
  const l52 = g52 * i2;
  g33 -= l32 * g32;
  g43 -= l42 * g32;
  g53 -= l52 * g32;
  g44 -= l42 * g42;
  g54 -= l52 * g42;
  g55 -= l52 * g52;
  if (!(g33 > smallest)) return false;
  const i3 = 1 / g33;
  const l43 = g43 * i3;
  const l53 = g53 * i3;
  g44 -= l43 * g43;
  g54 -= l53 * g43;
  g55 -= l53 * g53;
  if (!(g44 > smallest)) return false;
  const i4 = 1 / g44;
  const l54 = g54 * i4;
  g55 -= l54 * g54;
  if (!(g55 > smallest)) return false;
  const y0 = e[0];
  const y1 = e[1] - l10 * y0;
  const y2 = e[2] - l20 * y0 - l21 * y1;
  const y3 = e[3] - l30 * y0 - l31 * y1 - l32 * y2;
  const y4 = e[4] - l40 * y0 - l41 * y1 - l42 * y2 - l43 * y3;
  const y5 = e[5] - l50 * y0 - l51 * y1 - l52 * y2 - l53 * y3 - l54 * y4;
  const x5 = y5 / g55;
  const x4 = y4 * i4 - l54 * x5;
  const x3 = y3 * i3 - l43 * x4 - l53 * x5;
  const x2 = y2 * i2 - l32 * x3 - l42 * x4 - l52 * x5;
  const x1 = y1 * i1 - l21 * x2 - l31 * x3 - l41 * x4 - l51 * x5;
  const x0 = y0 * i0 - l10 * x1 - l20 * x2 - l30 * x3 - l40 * x4 - l50 * x5;
  for (let m = 0; m < count; m++) {
    const k = indices[m];
    const at = 6 * k;
    out[k] =
      columns[at] * x0 +
      columns[at + 1] * x1 +
      columns[at + 2] * x2 +
      columns[at + 3] * x3 +
      columns[at + 4] * x4 +
      columns[at + 5] * x5;
  }
  return true;
}
