/**
 * Merges vertices of equal position (bit for bit, 0 and -0 the same), or within a tolerance: the neighbours in a soup find
 * each other.
 *
 * Method: open addressing hash table over the coordinates' bits, vertices in order of first appearance, so the result
 * depends on nothing but the mesh. Cost: linear; 4 to 8 bytes of table per vertex. Checked by mesh-report.test.ts.
 */

import { requireFinite } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { requireMesh } from './require-mesh.js';
import type { TriangleMesh } from './triangle-mesh.js';

export interface VertexMap {
  /** For each vertex the number of its position. */
  readonly positionOf: Uint32Array;
  /** For each position the first vertex that has it. */
  readonly firstVertex: Uint32Array;
}

/** Numbers the distinct positions of the vertices. */
export function mapEqualVertices(vertices: Float64Array): VertexMap {
  const count = vertices.length / 3;
  const positionOf = new Uint32Array(count);
  const first = new Uint32Array(count);
  let capacity = 16;
  while (capacity < count * 2) capacity *= 2;
  const mask = capacity - 1;
  /** Position + 1, 0 when free. */
  const table = new Uint32Array(capacity);
  const number = new Float64Array(3);
  const words = new Uint32Array(number.buffer);
  let positions = 0;
  for (let i = 0; i < count; i++) {
    // + 0 turns -0 into 0
    const x = vertices[3 * i] + 0;
    const y = vertices[3 * i + 1] + 0;
    const z = vertices[3 * i + 2] + 0;
    number[0] = x;
    number[1] = y;
    number[2] = z;
    let hash = 0;
    for (let k = 0; k < 6; k++) {
      hash = Math.imul(hash ^ words[k], 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    hash = Math.imul(hash, 0x85ebca6b);
    let slot = (hash ^ (hash >>> 13)) & mask;
    for (;;) {
      const entry = table[slot];
      if (entry === 0) {
        table[slot] = positions + 1;
        first[positions] = i;
        positionOf[i] = positions++;
        break;
      }
      const other = 3 * first[entry - 1];
      if (vertices[other] === x && vertices[other + 1] === y && vertices[other + 2] === z) {
        positionOf[i] = entry - 1;
        break;
      }
      slot = (slot + 1) & mask;
    }
  }
  return { positionOf, firstVertex: first.slice(0, positions) };
}

/**
 * Numbers the vertices after merging those within `tolerance` of an earlier one, which stands for them: no vertex moves
 * farther than that, and which one stays depends on their order alone.
 *
 * Method: representatives in a hash grid of cells twice the tolerance wide, so that a ball about a point meets at most eight
 * cells, and each cell holds few of them, since they are more than the tolerance apart. Cost: linear.
 */
function mapNearVertices(vertices: Float64Array, tolerance: number): VertexMap {
  const count = vertices.length / 3;
  const positionOf = new Uint32Array(count);
  const first = new Uint32Array(count);
  let capacity = 16;
  while (capacity < count * 2) capacity *= 2;
  const mask = capacity - 1;
  /** First representative of each bucket and the next one of each, + 1; 0 where there is none. */
  const buckets = new Uint32Array(capacity);
  const next = new Uint32Array(count);
  const width = 2 * tolerance;
  let positions = 0;
  for (let i = 0; i < count; i++) {
    const x = vertices[3 * i];
    const y = vertices[3 * i + 1];
    const z = vertices[3 * i + 2];
    let found = count;
    for (let corner = 0; corner < 8; corner++) {
      const cellX = Math.floor((x + (corner & 1 ? tolerance : -tolerance)) / width);
      const cellY = Math.floor((y + (corner & 2 ? tolerance : -tolerance)) / width);
      const cellZ = Math.floor((z + (corner & 4 ? tolerance : -tolerance)) / width);
      for (let entry = buckets[hashCell(cellX, cellY, cellZ) & mask]; entry !== 0; entry = next[entry - 1]) {
        const other = 3 * first[entry - 1];
        const dx = vertices[other] - x;
        const dy = vertices[other + 1] - y;
        const dz = vertices[other + 2] - z;
        if (entry - 1 < found && dx * dx + dy * dy + dz * dz <= tolerance * tolerance) found = entry - 1;
      }
    }
    if (found === count) {
      found = positions++;
      first[found] = i;
      const slot = hashCell(Math.floor(x / width), Math.floor(y / width), Math.floor(z / width)) & mask;
      next[found] = buckets[slot];
      buckets[slot] = found + 1;
    }
    positionOf[i] = found;
  }
  return { positionOf, firstVertex: first.slice(0, positions) };
}

const cell = new Float64Array(3);
const cellWords = new Uint32Array(cell.buffer);

function hashCell(x: number, y: number, z: number): number {
  // + 0 turns -0 into 0
  cell[0] = x + 0;
  cell[1] = y + 0;
  cell[2] = z + 0;
  let hash = 0;
  for (let k = 0; k < 6; k++) {
    hash = Math.imul(hash ^ cellWords[k], 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash, 0x85ebca6b);
  return hash ^ (hash >>> 13);
}

/**
 * The mesh with one vertex per position, in order of first appearance; the triangles keep their order and number. With a
 * tolerance (in the mesh's unit) vertices within it of an earlier one take that one's place.
 */
export function weldVertices(mesh: TriangleMesh, tolerance = 0): TriangleMesh {
  requireMesh('weldVertices', 'mesh', mesh);
  requireFinite('weldVertices', 'tolerance', tolerance);
  if (!(tolerance >= 0 && tolerance < Number.POSITIVE_INFINITY))
    throw new MisuseError(`weldVertices: tolerance, got ${tolerance}, expected a finite number from 0 on`);
  const { positionOf, firstVertex } =
    tolerance > 0 ? mapNearVertices(mesh.vertices, tolerance) : mapEqualVertices(mesh.vertices);
  const vertices = new Float64Array(3 * firstVertex.length);
  for (let i = 0; i < firstVertex.length; i++) {
    const from = 3 * firstVertex[i];
    vertices[3 * i] = mesh.vertices[from];
    vertices[3 * i + 1] = mesh.vertices[from + 1];
    vertices[3 * i + 2] = mesh.vertices[from + 2];
  }
  const triangles = new Uint32Array(mesh.triangles.length);
  for (let i = 0; i < triangles.length; i++) triangles[i] = positionOf[mesh.triangles[i]];
  return { ...mesh, vertices, triangles };
}
