/** Meshes of the reference data, read without the library's own reader. */
import { readFileSync } from 'node:fs';
import type { TriangleMesh } from '../../src/geometry/triangle-mesh.js';

/** Binary PLY of doubles and triangles, as the reference meshes are written. */
export function readReferenceMesh(path: string): TriangleMesh {
  const bytes = readFileSync(path);
  const start = bytes.indexOf('end_header\n') + 'end_header\n'.length;
  const header = bytes.subarray(0, start).toString();
  const vertexCount = Number(/element vertex (\d+)/.exec(header)?.[1]);
  const faceCount = Number(/element face (\d+)/.exec(header)?.[1]);
  const vertices = Float64Array.from({ length: 3 * vertexCount }, (_, i) => bytes.readDoubleLE(start + 8 * i));
  const faces = start + 24 * vertexCount;
  const triangles = Uint32Array.from({ length: 3 * faceCount }, (_, i) =>
    bytes.readUInt32LE(faces + 13 * Math.floor(i / 3) + 1 + 4 * (i % 3)),
  );
  return { vertices, triangles };
}
