/**
 * Whether what somebody says of a mesh's surface is true, in a fraction of the time that finding it out takes.
 *
 * Method: every position gets a 64-bit hash of its coordinates (0 and -0 the same), every undirected edge one of the hashes
 * of its ends. Combined by exclusive or over all sides of triangles, what an even number of sides share cancels, and zero
 * remains of a closed mesh; summed with the sign of the direction, zero remains where every edge is used as often in
 * one direction as in the other. No table of edges is kept. A false claim passes with the chance that 64 bits agree, 2^-64.
 * After the multiset hashes of D. Clarke, S. Devadas, M. van Dijk, B. Gassend, G. E. Suh, Incremental multiset hash
 * functions and their application to memory integrity checking, 2003, doi:10.1007/978-3-540-40061-5_12.
 *
 * Cost: linear, 8 bytes of scratch per vertex. Checked by surface-claim.test.ts, against `reportMesh`.
 */
import type { MeshReport } from './mesh-report.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** What decides whether the interior of a mesh counts, and how it is found: part of what `reportMesh` returns. */
export type SurfaceClaim = Pick<MeshReport, 'watertight' | 'consistentlyOriented'>;

/** False when the mesh is not as claimed. The orientation is looked at where it matters, in closed meshes. */
export function holdsClaim({ vertices, triangles }: TriangleMesh, claim: SurfaceClaim): boolean {
  const hashes = hashPositions(vertices);
  let hasEdges = false;
  let oddA = 0;
  let oddB = 0;
  let sumA = 0;
  let sumB = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    let from = 2 * triangles[t + 2];
    const first = 2 * triangles[t];
    const second = 2 * triangles[t + 1];
    // A repeated corner: no part in edges.
    if (isSame(hashes, from, first) || isSame(hashes, first, second) || isSame(hashes, second, from)) continue;
    hasEdges = true;
    for (let k = 0; k < 3; k++) {
      const to = k === 0 ? first : k === 1 ? second : 2 * triangles[t + 2];
      const isUp = hashes[from] < hashes[to] || (hashes[from] === hashes[to] && hashes[from + 1] < hashes[to + 1]);
      const low = isUp ? from : to;
      const high = isUp ? to : from;
      const a = mix(Math.imul(hashes[low], 0x9e3779b1) ^ mix(hashes[high] ^ hashes[low + 1]));
      const b = mix(Math.imul(hashes[high + 1], 0x85ebca6b) ^ mix(hashes[low] ^ a) ^ hashes[low + 1]);
      oddA ^= a;
      oddB ^= b;
      sumA = (isUp ? sumA + a : sumA - a) | 0;
      sumB = (isUp ? sumB + b : sumB - b) | 0;
      from = to;
    }
  }
  const watertight = hasEdges && oddA === 0 && oddB === 0;
  if (watertight !== claim.watertight) return false;
  return !watertight || claim.consistentlyOriented === (sumA === 0 && sumB === 0);
}

function isSame(hashes: Uint32Array, a: number, b: number): boolean {
  return hashes[a] === hashes[b] && hashes[a + 1] === hashes[b + 1];
}

/** Two words per vertex. */
function hashPositions(vertices: Float64Array): Uint32Array {
  const hashes = new Uint32Array((2 * vertices.length) / 3);
  const number = new Float64Array(1);
  const words = new Uint32Array(number.buffer);
  for (let at = 0, out = 0; at < vertices.length; at += 3, out += 2) {
    let a = 0x2545f491;
    let b = 0x6c078965;
    for (let k = 0; k < 3; k++) {
      // + 0 turns -0 into 0
      number[0] = vertices[at + k] + 0;
      a = mix(a ^ words[0]);
      b = mix(b + a + words[1]);
      a = mix(a + b);
    }
    hashes[out] = a;
    hashes[out + 1] = b;
  }
  return hashes;
}

/** Finalizer of MurmurHash3: a bijection of 32 bits. */
function mix(x: number): number {
  let h = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
