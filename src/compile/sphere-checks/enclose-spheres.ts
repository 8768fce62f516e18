/**
 * A small ball around spheres.
 *
 * Method: from the middle of the box around them, steps of shrinking length toward the sphere that sticks out farthest; the best
 * centre seen is kept and the radius is what that centre needs, so the result holds whatever the steps did.
 * Source: Badoiu, Clarkson 2003, "Smaller core-sets for balls", section 3. Cost: 100 passes over the spheres.
 * Tested by compile-sphere-checks.test.ts.
 */
const STEPS = 100;
/** Covers the rounding of the radius. */
const OUTWARD = 1 + 1e-12;

/** x, y, z, radius of `spheres`, four numbers each, at least one. */
export function encloseSpheres(spheres: Float64Array): Float64Array {
  const center = new Float64Array(3);
  for (let i = 0; i < 3; i++) {
    let lower = Infinity;
    let upper = -Infinity;
    for (let k = 0; k < spheres.length; k += 4) {
      lower = Math.min(lower, spheres[k + i] - spheres[k + 3]);
      upper = Math.max(upper, spheres[k + i] + spheres[k + 3]);
    }
    center[i] = 0.5 * (lower + upper);
  }
  const best = Float64Array.of(center[0], center[1], center[2], Infinity);
  for (let step = 1; step <= STEPS; step++) {
    let farthest = 0;
    let radius = -1;
    for (let k = 0; k < spheres.length; k += 4) {
      const needed = distanceTo(spheres, k, center) + spheres[k + 3];
      if (needed > radius) {
        radius = needed;
        farthest = k;
      }
    }
    if (radius < best[3]) best.set([center[0], center[1], center[2], radius]);
    for (let i = 0; i < 3; i++) center[i] += (spheres[farthest + i] - center[i]) / (step + 1);
  }
  best[3] *= OUTWARD;
  return best;
}

function distanceTo(spheres: Float64Array, k: number, p: ArrayLike<number>): number {
  const x = spheres[k] - p[0];
  const y = spheres[k + 1] - p[1];
  const z = spheres[k + 2] - p[2];
  return Math.sqrt(x * x + y * y + z * z);
}
