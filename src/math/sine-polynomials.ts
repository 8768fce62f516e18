/**
 * Sine and cosine of a reduced argument r + low, |r| <= pi/4, as polynomials by pairs (Estrin), so that the processor can
 * overlap them. Interpolated at Chebyshev nodes, coefficients computed with 60 digits; see scalar.ts for method and source.
 * Plain arithmetic only: the kernel compiles this file too, and gives the same bits.
 * Tested by scalar.test.ts.
 */
export function sineOfReduced(r: number, low: number): number {
  const z = r * r;
  const y = z * z;
  const p =
    -0.16666666666666666 +
    z * 0.008333333333333331 +
    y *
      (-0.00019841269841265063 +
        z * 2.7557319219337312e-6 +
        y * (-2.5052106231802837e-8 + z * 1.6058531516797758e-10 - y * 7.586691094197958e-13));
  return r + (r * z * p + low * (1 - 0.5 * z));
}

export function cosineOfReduced(r: number, low: number): number {
  const z = r * r;
  const y = z * z;
  const g =
    0.041666666666666664 -
    z * 0.0013888888888887398 +
    y * (2.480158729876456e-5 - z * 2.7557317271145144e-7 + y * (2.087614614655861e-9 - z * 1.1382623647474604e-11));
  const h = 0.5 * z;
  const c = 1 - h;
  return c + (1 - c - h + (y * g - r * low));
}
