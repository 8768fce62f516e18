/**
 * Spheres that contain a body's parts, by the boxes of their own frames: for what no fitted spheres are given.
 *
 * Method: a sphere is itself; the box of another part is cut into cells, at most four along its longest side, and each cell stands in the
 * ball through its corners. Frames: the body's. Fails: null for a part without bounds. Tested by sphere-checker.test.ts.
 */
import type { Body } from '../bodies.js';

const MOST_CELLS = 4;
/** Covers the rounding of corners and radii. */
const OUTWARD = 1 + 1e-9;

/** x, y, z, radius per sphere; empty for a body without parts. */
export function coverBody({ parts }: Pick<Body, 'parts'>): Float64Array | null {
  const spheres: number[] = [];
  for (const { center, half, placement: X, sphereRadius } of parts) {
    if (!half.every(Number.isFinite)) return null;
    const put = (c: readonly number[], radius: number): void => {
      for (let r = 0; r < 3; r++) spheres.push(X[3 * r] * c[0] + X[3 * r + 1] * c[1] + X[3 * r + 2] * c[2] + X[9 + r]);
      spheres.push(radius * OUTWARD);
    };
    if (sphereRadius >= 0) {
      put([center[0], center[1], center[2]], sphereRadius);
      continue;
    }
    const longest = Math.max(half[0], half[1], half[2]);
    const counts = Array.from(half, (h) => (longest === 0 ? 1 : Math.max(1, Math.ceil((MOST_CELLS * h) / longest))));
    const cell = Array.from(half, (h, i) => h / counts[i]);
    const radius = Math.sqrt(cell[0] ** 2 + cell[1] ** 2 + cell[2] ** 2);
    for (let x = 0; x < counts[0]; x++)
      for (let y = 0; y < counts[1]; y++)
        for (let z = 0; z < counts[2]; z++)
          put(
            [x, y, z].map((k, i) => center[i] - half[i] + (2 * k + 1) * cell[i]),
            radius,
          );
  }
  return Float64Array.from(spheres);
}
