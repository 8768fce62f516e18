/**
 * Whether two bounding volumes are farther apart than a margin, without being wrong when it says so.
 *
 * `margin` >= 0. Records as in tree-layout.ts: half extents at +12, radius of a ball about the centre at +15. A record whose first half
 * extent equals its radius is a ball. X_AB (R[0..8], p[9..11] from index x on) is the pose of volume b in volume a.
 *
 * Method: balls first; a ball against a box by the point's distance to the box; two boxes by the distance of one to the
 * axis-aligned bounds of the other, both ways round, which bounds the true distance from below, and for a margin near zero
 * by the nine axes along cross products of edges.
 * Source: Gottschalk, Lin, Manocha 1996, "OBBTree", section 5, doi:10.1145/237170.237244.
 * Cost: 10 to 200 flops. Checked by chain.test.ts and the shipped validation.
 */
export function isApart(
  boxesA: Float64Array,
  a: number,
  boxesB: Float64Array,
  b: number,
  X: Float64Array,
  x: number,
  margin: number,
): boolean {
  const tx = X[x + 9];
  const ty = X[x + 10];
  const tz = X[x + 11];
  const ra = boxesA[a + 15];
  const rb = boxesB[b + 15];
  const reach = ra + rb + margin;
  if (tx * tx + ty * ty + tz * tz > reach * reach) return true;
  const ax = boxesA[a + 12];
  const ay = boxesA[a + 13];
  const az = boxesA[a + 14];
  const bx = boxesB[b + 12];
  const by = boxesB[b + 13];
  const bz = boxesB[b + 14];
  const isBallA = ax === ra;
  const isBallB = bx === rb;
  if (isBallA && isBallB) return false;
  if (isBallB) {
    const dx = Math.max(0, Math.abs(tx) - ax);
    const dy = Math.max(0, Math.abs(ty) - ay);
    const dz = Math.max(0, Math.abs(tz) - az);
    const r = rb + margin;
    return dx * dx + dy * dy + dz * dz > r * r;
  }
  const r00 = X[x];
  const r01 = X[x + 1];
  const r02 = X[x + 2];
  const r10 = X[x + 3];
  const r11 = X[x + 4];
  const r12 = X[x + 5];
  const r20 = X[x + 6];
  const r21 = X[x + 7];
  const r22 = X[x + 8];
  const sx = r00 * tx + r10 * ty + r20 * tz;
  const sy = r01 * tx + r11 * ty + r21 * tz;
  const sz = r02 * tx + r12 * ty + r22 * tz;
  if (isBallA) {
    const dx = Math.max(0, Math.abs(sx) - bx);
    const dy = Math.max(0, Math.abs(sy) - by);
    const dz = Math.max(0, Math.abs(sz) - bz);
    const r = ra + margin;
    return dx * dx + dy * dy + dz * dz > r * r;
  }
  const q00 = Math.abs(r00);
  const q01 = Math.abs(r01);
  const q02 = Math.abs(r02);
  const q10 = Math.abs(r10);
  const q11 = Math.abs(r11);
  const q12 = Math.abs(r12);
  const q20 = Math.abs(r20);
  const q21 = Math.abs(r21);
  const q22 = Math.abs(r22);
  const square = margin * margin;
  const gax = Math.max(0, Math.abs(tx) - ax - (q00 * bx + q01 * by + q02 * bz));
  const gay = Math.max(0, Math.abs(ty) - ay - (q10 * bx + q11 * by + q12 * bz));
  const gaz = Math.max(0, Math.abs(tz) - az - (q20 * bx + q21 * by + q22 * bz));
  if (gax * gax + gay * gay + gaz * gaz > square) return true;
  const gbx = Math.max(0, Math.abs(sx) - bx - (q00 * ax + q10 * ay + q20 * az));
  const gby = Math.max(0, Math.abs(sy) - by - (q01 * ax + q11 * ay + q21 * az));
  const gbz = Math.max(0, Math.abs(sz) - bz - (q02 * ax + q12 * ay + q22 * az));
  if (gbx * gbx + gby * gby + gbz * gbz > square) return true;
  // The cross product of two unit edges has length <= 1, so a gap above the margin along the unscaled axis is one along
  // the scaled axis as well; near-parallel edges give axes of rounding errors, which the 1e-14 of the sizes covers.
  const slack = margin + 1e-14 * (ra + rb);
  if (Math.abs(tz * r10 - ty * r20) > ay * q20 + az * q10 + by * q02 + bz * q01 + slack) return true;
  if (Math.abs(tz * r11 - ty * r21) > ay * q21 + az * q11 + bx * q02 + bz * q00 + slack) return true;
  if (Math.abs(tz * r12 - ty * r22) > ay * q22 + az * q12 + bx * q01 + by * q00 + slack) return true;
  if (Math.abs(tx * r20 - tz * r00) > ax * q20 + az * q00 + by * q12 + bz * q11 + slack) return true;
  if (Math.abs(tx * r21 - tz * r01) > ax * q21 + az * q01 + bx * q12 + bz * q10 + slack) return true;
  if (Math.abs(tx * r22 - tz * r02) > ax * q22 + az * q02 + bx * q11 + by * q10 + slack) return true;
  if (Math.abs(ty * r00 - tx * r10) > ax * q10 + ay * q00 + by * q22 + bz * q21 + slack) return true;
  if (Math.abs(ty * r01 - tx * r11) > ax * q11 + ay * q01 + bx * q22 + bz * q20 + slack) return true;
  return Math.abs(ty * r02 - tx * r12) > ax * q12 + ay * q02 + bx * q21 + by * q20 + slack;
}
