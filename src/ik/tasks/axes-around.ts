/** Writes u, w, a as three rows: a right-handed set of unit vectors around the unit vector a, coordinate axes kept as they are. */
import { hypot } from '../../math/scalar.js';

export function writeAxesAround(out: Float64Array, a: ArrayLike<number>): Float64Array {
  // Across the coordinate axis that is farthest from a.
  let least = 0;
  for (let i = 1; i < 3; i++) if (Math.abs(a[i]) < Math.abs(a[least])) least = i;
  for (let i = 0; i < 3; i++) out[i] = (i === least ? 1 : 0) - a[least] * a[i];
  const length = hypot(out[0], out[1], out[2]);
  for (let i = 0; i < 3; i++) out[i] /= length;
  for (let i = 0; i < 3; i++) {
    out[3 + i] = a[(i + 1) % 3] * out[(i + 2) % 3] - a[(i + 2) % 3] * out[(i + 1) % 3];
    out[6 + i] = a[i];
  }
  return out;
}
