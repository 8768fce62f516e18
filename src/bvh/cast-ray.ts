/**
 * First triangle of a mesh that a ray hits; both sides of a triangle count.
 * Cost: about a microsecond (kernel: assembly/ray.ts). Test: cast-ray.test.ts.
 */
import { INPUT_TRANSFORM, RESULT_NUMBERS, RESULT_TRIANGLES } from '../kernel/layout.js';
import { MAX_COORDINATE, type MeshBvh } from './mesh-bvh.js';

export interface RayHit {
  /** Origin + t direction is the hit; Infinity for a miss. */
  t: number;
  /** Index in the mesh; -1 for a miss. */
  triangle: number;
}

export function createRayHit(): RayHit {
  return { t: Infinity, triangle: -1 };
}

/**
 * Casts origin + t direction, 0 <= t <= maxT, in the mesh frame; the direction need not be a unit vector. Zero-area
 * triangles and triangles that the ray runs within are not hit. Of two hits at the same t either may be reported.
 */
export function castRayMesh(
  bvh: MeshBvh,
  origin: ArrayLike<number>,
  direction: ArrayLike<number>,
  maxT = Infinity,
  out: RayHit = createRayHit(),
): RayHit {
  const kernel = bvh.kernel;
  const f64 = kernel.f64;
  const at = INPUT_TRANSFORM / 8;
  let size = 0;
  let speed = 0;
  for (let i = 0; i < 3; i++) {
    f64[at + i] = origin[i];
    f64[at + 3 + i] = direction[i];
    size += Math.abs(origin[i]);
    speed += Math.abs(direction[i]);
  }
  if (!(size <= MAX_COORDINATE) || !(speed > 0 && speed <= MAX_COORDINATE) || !(maxT >= 0)) {
    throw new RangeError(
      `castRayMesh: ray, got origin ${Array.from(origin).join(' ')}, direction ${Array.from(direction).join(' ')}, maxT ${maxT}, expected finite numbers, a direction that is not zero, maxT >= 0`,
    );
  }
  out.t = Infinity;
  out.triangle = -1;
  if (bvh.triangleCount > 0 && kernel.functions.castRay(bvh.address, maxT) > 0) {
    out.t = kernel.f64[RESULT_NUMBERS / 8];
    out.triangle = kernel.u32[RESULT_TRIANGLES / 4];
  }
  return out;
}
