/**
 * Spheres that contain a body's parts, by the boxes of their own frames: for what no fitted spheres are given.
 *
 * Method: a sphere is itself; the box of another part is cut into cells, four along its longest side unless said otherwise, and each cell stands in the
 * ball through its corners. Frames: the body's. Fails: null for a part without bounds. Tested by sphere-checker.test.ts.
 */
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import type { Body, PartShape } from '../bodies.js';

const MOST_CELLS = 4;
/** Covers the rounding of corners and radii. */
const OUTWARD = 1 + 1e-9;

export interface CoverOptions {
  /** Cells along the longest side. Default 4. */
  readonly cells?: number;
  /** Of meshes the cells that hold a part of a triangle's box, without those inside. Default false. */
  readonly surface?: boolean;
}

/** x, y, z, radius per sphere; empty for a body without parts. */
export function coverBody({ parts }: Pick<Body, 'parts'>, options: CoverOptions = {}): Float64Array | null {
  const { cells = MOST_CELLS, surface = false } = options;
  const spheres: number[] = [];
  for (const part of parts) {
    const { extents, placement: X } = part;
    const [center, half, sphereRadius] = [extents.subarray(0, 3), extents.subarray(3, 6), extents[6]];
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
    const counts = Array.from(half, (h) => (longest === 0 ? 1 : Math.max(1, Math.ceil((cells * h) / longest))));
    const cell = Array.from(half, (h, i) => h / counts[i]);
    const radius = Math.sqrt(cell[0] ** 2 + cell[1] ** 2 + cell[2] ** 2);
    const used = surface && part.shape.type === 'mesh' ? markCells(part.shape.mesh, part, counts) : null;
    for (let x = 0; x < counts[0]; x++)
      for (let y = 0; y < counts[1]; y++)
        for (let z = 0; z < counts[2]; z++)
          if (used === null || used[(x * counts[1] + y) * counts[2] + z] === 1)
            put(
              [x, y, z].map((k, i) => center[i] - half[i] + (2 * k + 1) * cell[i]),
              radius,
            );
  }
  return Float64Array.from(spheres);
}

/** 1 for cells that the box of a triangle meets, grown by a billionth so that rounding loses none. */
function markCells(
  { vertices, triangles }: TriangleMesh,
  { extents }: Pick<PartShape, 'extents'>,
  counts: readonly number[],
): Uint8Array {
  const [center, half] = [extents.subarray(0, 3), extents.subarray(3, 6)];
  const used = new Uint8Array(counts[0] * counts[1] * counts[2]);
  const first = [0, 0, 0];
  const last = [0, 0, 0];
  for (let t = 0; t < triangles.length; t += 3) {
    for (let i = 0; i < 3; i++) {
      const [a, b, c] = [0, 1, 2].map((k) => vertices[3 * triangles[t + k] + i]);
      const toCell = (x: number): number =>
        half[i] === 0 ? 0 : ((x - center[i] + half[i]) / (2 * half[i])) * counts[i];
      const clamp = (k: number): number => Math.min(Math.max(Math.floor(k), 0), counts[i] - 1);
      first[i] = clamp(toCell(Math.min(a, b, c)) - 1e-9);
      last[i] = clamp(toCell(Math.max(a, b, c)) + 1e-9);
    }
    for (let x = first[0]; x <= last[0]; x++)
      for (let y = first[1]; y <= last[1]; y++)
        for (let z = first[2]; z <= last[2]; z++) used[(x * counts[1] + y) * counts[2] + z] = 1;
  }
  return used;
}
