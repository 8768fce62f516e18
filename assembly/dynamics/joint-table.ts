// What the recursions of dynamics share: rows of the joints, sines and cosines.
//
// Block: src/dynamics/recursion-block.ts writes it; addresses of its arrays stand in its head (RECURSION_* of layout.ts). Arrays are
// named and laid out as in src/dynamics (f64), joints have rows of RECURSION_TABLE (JOINT_*). Robots without mimic joints alone: column c
// is driven by v[c].
//   COLUMN_TABLE  i32 a column: the axis that it is + or - of in the zero frames, and in its joint's frame, -1 for none
//   LOCALS        X_JM of joints whose kind has no shortcut, RELATIVE and ZERO_PLACEMENTS theirs: written before a call
import { cosineOfReduced, sineOfReduced } from '../../src/math/sine-polynomials';

/** Of the last `sinCos`. */
export let sine: f64 = 0;
export let cosine: f64 = 0;

/** As `sinCos` of src/math/scalar.ts, to the bit; false where that takes its slow path. */
@inline
export function sinCos(x: f64): bool {
  let k: i32 = 0;
  let r = x;
  let low: f64 = 0;
  if (x > 0.7853981633974483 || x < -0.7853981633974483) {
    const y = x * 0.6366197723675814;
    const up = ceil<f64>(y);
    const q = up - 0.5 > y ? up - 1 : up;
    if (!(abs(q) <= 524288)) return false;
    k = <i32>q;
    const t = x - q * 1.5707963267341256;
    const w = q * 6.077100506303966e-11;
    const s = t - w;
    const v = s - t;
    const e = t - (s - v) - (w + v) - q * 2.0222662487959506e-21;
    r = s + e;
    if (r < 1e-14 && r > -1e-14 && abs(r) < abs(q) * 1e-20) return false;
    low = s - r + e;
  }
  const a = sineOfReduced(r, low);
  const b = cosineOfReduced(r, low);
  const isOdd = (k & 1) != 0;
  const s = isOdd ? b : a;
  const c = isOdd ? a : b;
  sine = (k & 2) != 0 ? -s : s;
  cosine = ((k + 1) & 2) != 0 ? -c : c;
  return true;
}
