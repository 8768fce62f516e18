/** Types of meshes.mjs for the tests that use its meshes. */
interface SurfaceMesh {
  readonly vertices: Float64Array;
  readonly triangles: Uint32Array;
}
interface RandomSource {
  next(): number;
  normal(): number;
}

export function createKnot(columns: number, rows: number, tube?: number): SurfaceMesh;
export function createBumpySphere(columns: number, rows: number, height?: number): SurfaceMesh;
export function createDrilledPlate(sizes: {
  readonly columns: number;
  readonly rows: number;
  readonly segments: number;
  readonly ribs: number;
  readonly ribSegments: number;
  readonly thickness?: number;
}): SurfaceMesh;
export function createShells(
  random: RandomSource,
  sizes: { readonly shells: number; readonly segments: number },
): SurfaceMesh;
