/**
 * Axes along which a symmetric 3x3 matrix is nearly diagonal, as the columns of a rotation: what a box wants.
 *
 * Method: cyclic Jacobi rotations written out, at most three sweeps. A box needs orthonormal axes, not exact eigenvectors,
 * so the sweeps end once the off-diagonal entries are below 1e-3 of the trace; the axes are products of plane rotations
 * and orthonormal to rounding whenever that is. `math/dense/eigen.ts` gives exact ones at five times the cost.
 * Source: Golub, Van Loan 2013, "Matrix computations", section 8.5, doi:10.56021/9781421407944.
 * Cost: some 120 flops per sweep, one or two sweeps as a rule. Checked through the boxes' validation in chain.test.ts.
 */
const MOST_SWEEPS = 3;
const OFF_DIAGONAL = 1e-3;

/** `axes`: 9 numbers row-major. `moment` xx, yx, yy, zx, zy, zz as in a lower triangle: entries 0, 3, 4, 6, 7, 8. */
export function writePrincipalAxes(axes: Float64Array, moment: Float64Array): void {
  let xx = moment[0];
  let yx = moment[3];
  let yy = moment[4];
  let zx = moment[6];
  let zy = moment[7];
  let zz = moment[8];
  axes[0] = 1;
  axes[1] = 0;
  axes[2] = 0;
  axes[3] = 0;
  axes[4] = 1;
  axes[5] = 0;
  axes[6] = 0;
  axes[7] = 0;
  axes[8] = 1;
  const enough = OFF_DIAGONAL * (xx + yy + zz);
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    if (Math.abs(yx) + Math.abs(zx) + Math.abs(zy) <= enough) return;
    if (yx !== 0) {
      const t = tangent(xx, yy, yx);
      const c = 1 / Math.sqrt(1 + t * t);
      const s = c * t;
      xx -= t * yx;
      yy += t * yx;
      yx = 0;
      const x = zx;
      zx = c * x - s * zy;
      zy = s * x + c * zy;
      turnColumns(axes, 0, 1, c, s);
    }
    if (zx !== 0) {
      const t = tangent(xx, zz, zx);
      const c = 1 / Math.sqrt(1 + t * t);
      const s = c * t;
      xx -= t * zx;
      zz += t * zx;
      zx = 0;
      const x = yx;
      yx = c * x - s * zy;
      zy = s * x + c * zy;
      turnColumns(axes, 0, 2, c, s);
    }
    if (zy !== 0) {
      const t = tangent(yy, zz, zy);
      const c = 1 / Math.sqrt(1 + t * t);
      const s = c * t;
      yy -= t * zy;
      zz += t * zy;
      zy = 0;
      const x = yx;
      yx = c * x - s * zx;
      zx = s * x + c * zx;
      turnColumns(axes, 1, 2, c, s);
    }
  }
}

/** Tangent of the smaller angle that makes entry `off` between diagonals p and q vanish. */
function tangent(p: number, q: number, off: number): number {
  const zeta = (q - p) / (2 * off);
  return (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
}

function turnColumns(axes: Float64Array, p: number, q: number, c: number, s: number): void {
  for (let r = 0; r < 9; r += 3) {
    const x = axes[r + p];
    const y = axes[r + q];
    axes[r + p] = c * x - s * y;
    axes[r + q] = s * x + c * y;
  }
}
