/**
 * Bounds of a curve piece's velocity and bend over a stretch of it.
 *
 * Method: in joints whose velocities commute each coordinate is one polynomial, q_k(w) = q0_k + sum f_i(w) W_i[k], and a
 * polynomial on an interval lies in the hull of its Bernstein coefficients there. In the others (tangent-groups.ts), with
 * E_i = exp(f_i W_i), the shift of E_i is at most |f_i| |linear part of W_i| (it averages turned copies of it), hence
 *   linear  <- linear + angular |f_i| |W_i linear| + |f_i'| |W_i linear|,   angular <- angular + |f_i'| |W_i angular|.
 * Source: Farouki 2012, "The Bernstein polynomial basis: a centennial retrospective", section 4 (hull on subintervals),
 * doi:10.1016/j.cagd.2012.03.001; the recursion is that of tangent-groups.ts with norms.
 * Cost: terms x nv. Allocates nothing. Tested by motion-curve.test.ts.
 */

/** Degrees up to which polynomials occur: quintic. */
const MOST_COEFFICIENTS = 8;
/** A bound of the rounding of a bound, relative to the numbers it is made of. */
const ROUNDING = 1e-13;

const shifted = new Float64Array(MOST_COEFFICIENTS);
const derived = new Float64Array(MOST_COEFFICIENTS);

/** A number that |p| does not exceed on [from, to], a part of [0, 1]; p by ascending powers, `count` coefficients. */
function boundPolynomial(p: ArrayLike<number>, count: number, from: number, to: number): number {
  const c = shifted;
  let size = 0;
  for (let k = 0; k < count; k++) {
    c[k] = p[k];
    size += Math.abs(p[k]);
  }
  // p(from + u), then u = (to - from) x.
  for (let i = 0; i < count - 1; i++) for (let k = count - 2; k >= i; k--) c[k] += from * c[k + 1];
  let scale = 1;
  for (let k = 0; k < count; k++) {
    c[k] *= scale;
    scale *= to - from;
  }
  let most = 0;
  for (let i = 0; i < count; i++) {
    // sum over k <= i of C(i, k)/C(n, k) c_k
    let sum = 0;
    let ratio = 1;
    for (let k = 0; k <= i; k++) {
      sum += ratio * c[k];
      ratio *= (i - k) / (count - 1 - k);
    }
    most = Math.max(most, Math.abs(sum));
  }
  return most + ROUNDING * size;
}

/** Coefficients of the derivative into scratch, which is returned; one fewer than `count`, at least one. */
function derivePolynomial(p: ArrayLike<number>, count: number): Float64Array {
  derived[0] = 0;
  for (let k = 1; k < count; k++) derived[k - 1] = k * p[k];
  return derived;
}

export interface BoundedTerm {
  readonly increment: Float64Array;
  readonly polynomial: ArrayLike<number>;
}

const combined = new Float64Array(MOST_COEFFICIENTS);

/** Sum of what `combine` added up, in magnitude. */
let magnitude = 0;

/** Coefficients of coordinate k as one polynomial of w, into scratch; returns how many. */
function combine(terms: readonly BoundedTerm[], k: number): number {
  let count = 1;
  magnitude = 0;
  combined.fill(0);
  for (let i = 0; i < terms.length; i++) {
    const { increment, polynomial } = terms[i];
    for (let n = 0; n < polynomial.length; n++) {
      combined[n] += polynomial[n] * increment[k];
      magnitude += Math.abs(polynomial[n] * increment[k]);
    }
    count = Math.max(count, polynomial.length);
  }
  return count;
}

/** Bound of |dq_k/dw| on [from, to]. */
export function boundFlatSpeed(terms: readonly BoundedTerm[], k: number, from: number, to: number): number {
  const count = combine(terms, k);
  return boundPolynomial(derivePolynomial(combined, count), Math.max(count - 1, 1), from, to) + ROUNDING * magnitude;
}

/** Bound of |d2q_k/dw2| on [from, to]. */
export function boundFlatBend(terms: readonly BoundedTerm[], k: number, from: number, to: number): number {
  const count = combine(terms, k);
  if (count < 3) return 0;
  combined.set(derivePolynomial(combined, count));
  return boundPolynomial(derivePolynomial(combined, count - 1), count - 2, from, to) + ROUNDING * magnitude;
}

/** Bounds of the linear and of the angular speed per unit of w, of a joint with velocities iv .. iv + nv - 1. */
export function boundCurvedSpeed(
  out: { linear: number; angular: number },
  terms: readonly BoundedTerm[],
  turns: Uint8Array,
  entries: { readonly iv: number; readonly nv: number },
  from: number,
  to: number,
): void {
  const { iv, nv } = entries;
  out.linear = 0;
  out.angular = 0;
  for (let i = 0; i < terms.length; i++) {
    const { increment, polynomial } = terms[i];
    let shift = 0;
    let turn = 0;
    for (let k = iv; k < iv + nv; k++) {
      if (turns[k] === 1) turn += increment[k] * increment[k];
      else shift += increment[k] * increment[k];
    }
    shift = Math.sqrt(shift);
    turn = Math.sqrt(turn);
    const count = polynomial.length;
    const f = boundPolynomial(polynomial, count, from, to);
    const rate = boundPolynomial(derivePolynomial(polynomial, count), Math.max(count - 1, 1), from, to);
    out.linear += out.angular * f * shift + rate * shift;
    out.angular += rate * turn;
  }
  out.linear *= 1 + ROUNDING;
  out.angular *= 1 + ROUNDING;
}
