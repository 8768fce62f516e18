/** Triangle meshes as plain data. Indices refer to `vertices`; winding is outward when the mesh is closed. */
export interface TriangleMesh {
  /** 3 numbers per vertex, x y z. */
  readonly vertices: Float64Array;
  /** 3 vertex indices per triangle. */
  readonly triangles: Uint32Array;
  /** Where it came from, for messages. */
  readonly name?: string;
}
