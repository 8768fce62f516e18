/** What every query on two trees does at the door: checks, the transform into the kernel, the default tolerance. */

import type { Kernel } from '../kernel/kernel.js';
import { INPUT_TRANSFORM } from '../kernel/layout.js';
import { requireLength } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { touchingTolerance } from '../math/tolerance.js';
import type { Transform } from '../math/transform.js';
import { requireBvh } from './bvh-door.js';
import { MAX_COORDINATE, type MeshBvh } from './mesh-bvh.js';

/** Sum of the components of what two poses within the range make of each other, along any axes. */
const FARTHEST_OFFSET = 8 * MAX_COORDINATE;

/** Checks the operands and writes X_AB into the kernel. */
export function openPairQuery(caller: string, a: MeshBvh, b: MeshBvh, X_AB: Transform): Kernel {
  requireBvh(caller, 'a', a);
  requireBvh(caller, 'b', b);
  requireLength(caller, 'X_AB', X_AB, 12);
  const kernel = a.kernel;
  if (kernel !== b.kernel) {
    throw new MisuseError(
      `${caller}: trees, got two from different kernels, expected both built after the last useKernel`,
    );
  }
  const f64 = kernel.f64;
  const at = INPUT_TRANSFORM / 8;
  let size = 0;
  for (let i = 0; i < 12; i++) {
    const x = X_AB[i];
    f64[at + i] = x;
    size += Math.abs(x);
  }
  if (!(size <= FARTHEST_OFFSET)) {
    throw new MisuseError(
      `${caller}: X_AB, got ${Array.from(X_AB).join(' ')}, expected 12 finite numbers within +-${FARTHEST_OFFSET}`,
    );
  }
  return kernel;
}

/** Touching tolerance: 1e-10 x (largest extent + largest |coordinate| of the pair, in the frame of A). */
export function defaultTolerance(a: MeshBvh, b: MeshBvh, X_AB: Transform): number {
  const reach = Math.max(Math.abs(X_AB[9]), Math.abs(X_AB[10]), Math.abs(X_AB[11]));
  return touchingTolerance(
    Math.max(largestExtent(a.bounds), largestExtent(b.bounds)),
    Math.max(largestCoordinate(a.bounds), largestCoordinate(b.bounds) + reach),
  );
}

function largestExtent(bounds: Float64Array): number {
  return Math.max(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2], 0);
}

function largestCoordinate(bounds: Float64Array): number {
  if (bounds[0] > bounds[3]) return 0;
  return Math.max(
    Math.abs(bounds[0]),
    Math.abs(bounds[1]),
    Math.abs(bounds[2]),
    Math.abs(bounds[3]),
    Math.abs(bounds[4]),
    Math.abs(bounds[5]),
  );
}
