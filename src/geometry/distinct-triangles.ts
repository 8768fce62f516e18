/**
 * Triangles that lie in the same place as an earlier one, in whatever order of corners: meshes drawn from both sides have each twice.
 *
 * Method: open addressing hash table over the sorted corners. Cost: linear. Checked by mesh-report.test.ts and distinct-triangles.test.ts.
 */
import type { TriangleMesh } from './triangle-mesh.js';
import { mapEqualVertices } from './triangle-mesh-weld.js';

/** 1 for a triangle whose three positions an earlier one has. `corners`: numbers of positions. Triangles with a corner twice count as none. */
export function markDuplicates(corners: Uint32Array): Uint8Array {
  const triangleCount = corners.length / 3;
  let capacity = 16;
  while (capacity < triangleCount * 2) capacity *= 2;
  const mask = capacity - 1;
  /** Triangle + 1, 0 when free. */
  const table = new Uint32Array(capacity);
  const sorted = new Uint32Array(corners.length);
  const marks = new Uint8Array(triangleCount);
  for (let t = 0; t < triangleCount; t++) {
    const at = 3 * t;
    if (hasRepeatedCorner(corners, at)) continue;
    const a = corners[at];
    const b = corners[at + 1];
    const c = corners[at + 2];
    const low = Math.min(a, b, c);
    const high = Math.max(a, b, c);
    sorted[at] = low;
    sorted[at + 1] = a + b + c - low - high;
    sorted[at + 2] = high;
    let slot = hashPair(hashPair(low, sorted[at + 1]), high) & mask;
    for (;;) {
      if (table[slot] === 0) {
        table[slot] = t + 1;
        break;
      }
      const other = 3 * (table[slot] - 1);
      if (sorted[other] === low && sorted[other + 1] === sorted[at + 1] && sorted[other + 2] === high) {
        marks[t] = 1;
        break;
      }
      slot = (slot + 1) & mask;
    }
  }
  return marks;
}

export interface DistinctTriangles {
  /** The same vertices; each triangle once. The mesh itself where none is there twice. */
  readonly mesh: TriangleMesh;
  /** For each triangle its number in the mesh that was given. */
  readonly numbers: Uint32Array;
}

/** The mesh with each triangle once: the same surface, of the first of equal ones. */
export function keepDistinctTriangles(mesh: TriangleMesh): DistinctTriangles {
  const { triangles } = mesh;
  const { positionOf } = mapEqualVertices(mesh.vertices);
  const marks = markDuplicates(triangles.map((vertex) => positionOf[vertex]));
  const numbers = Uint32Array.from(marks.keys()).filter((t) => marks[t] === 0);
  if (numbers.length === marks.length) return { mesh, numbers };
  const kept = new Uint32Array(3 * numbers.length);
  numbers.forEach((t, i) => {
    kept.set(triangles.subarray(3 * t, 3 * t + 3), 3 * i);
  });
  return { mesh: { ...mesh, triangles: kept }, numbers };
}

export function hasRepeatedCorner(corners: Uint32Array, at: number): boolean {
  const a = corners[at];
  const b = corners[at + 1];
  const c = corners[at + 2];
  return a === b || b === c || a === c;
}

export function hashPair(a: number, b: number): number {
  let hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  return (hash ^ (hash >>> 13)) >>> 0;
}
