/**
 * What a triangle mesh is like: closed or open, how it is oriented, its flaws, its volume and area.
 *
 * Method: vertices of equal position count as one, so a soup is judged by its shape and not by its layout. Triangles
 * with a repeated corner have no part in edges. Every undirected edge keeps how often it is used and in which
 * direction. The mesh is closed (`watertight`) when every edge is used an even number of times, and consistently
 * oriented when every edge is used as often in one direction as in the other; together the mesh bounds a volume, with
 * a winding number that is defined everywhere off the surface. Volume by the divergence theorem, as a sum of signed
 * tetrahedra about the centre of the bounds (C. Zhang, T. Chen, Efficient feature extraction for 2D/3D objects in mesh
 * representation, 2001, doi:10.1109/ICIP.2001.958278). It is negative when the mesh is inside out.
 *
 * Units: those of the mesh. Cost: linear, about 60 bytes of scratch per triangle. Checked by mesh-report.test.ts.
 */

import { MisuseError } from '../math/misuse.js';
import { hashPair, hasRepeatedCorner, markDuplicates } from './distinct-triangles.js';
import { requireIndexedMesh } from './require-mesh.js';
import { LONGEST } from './shape-range.js';
import type { TriangleMesh } from './triangle-mesh.js';
import { mapEqualVertices } from './triangle-mesh-weld.js';
import { findRoot } from './union-find.js';

export interface MeshReport {
  readonly triangles: number;
  /** Vertices as stored. */
  readonly vertices: number;
  /** Different positions among the vertices that triangles use. */
  readonly distinctVertices: number;
  /** Closed: there is at least one triangle, and every edge is used an even number of times. */
  readonly watertight: boolean;
  /** Every edge with neighbours is used equally often in both directions. */
  readonly consistentlyOriented: boolean;
  /** Triangles without area: a repeated corner, or corners exactly on a line in double arithmetic. */
  readonly degenerate: number;
  /** Triangles with the same three corners as an earlier one, in whatever order; those with a repeated corner aside. */
  readonly duplicate: number;
  /** Edges used once. */
  readonly boundaryEdges: number;
  /** Edges used more than twice. */
  readonly nonManifoldEdges: number;
  /** Sets of triangles that hang together by edges. */
  readonly components: number;
  /** Enclosed volume, negative when inside out; null when the mesh is open or not consistently oriented. */
  readonly volume: number | null;
  readonly area: number;
  /** Of the triangles: minX, minY, minZ, maxX, maxY, maxZ; null without triangles. */
  readonly bounds: readonly [number, number, number, number, number, number] | null;
}

/** Throws on coordinates that are not within +-1e15: areas and volumes would overflow. */
export function reportMesh(mesh: TriangleMesh): MeshReport {
  requireIndexedMesh('reportMesh', 'mesh', mesh);
  const { positionOf } = mapEqualVertices(mesh.vertices);
  const count = mesh.triangles.length / 3;
  const corners = new Uint32Array(mesh.triangles.length);
  for (let i = 0; i < corners.length; i++) corners[i] = positionOf[mesh.triangles[i]];
  const edges = countEdges(corners);
  const bounds = boundTriangles(mesh);
  if (bounds?.some((x) => !(Math.abs(x) <= LONGEST)))
    throw new MisuseError(`reportMesh: mesh, got bounds ${bounds.join(' ')}, expected coordinates within +-${LONGEST}`);
  const size = measure(mesh, bounds);
  const watertight = count > 0 && edges.used > 0 && edges.odd === 0;
  const consistentlyOriented = edges.unbalanced === 0;
  return {
    triangles: count,
    vertices: mesh.vertices.length / 3,
    distinctVertices: countDistinct(corners),
    watertight,
    consistentlyOriented,
    degenerate: size.degenerate,
    duplicate: markDuplicates(corners).reduce((count, isDuplicate) => count + isDuplicate, 0),
    boundaryEdges: edges.boundary,
    nonManifoldEdges: edges.nonManifold,
    components: edges.components,
    volume: watertight && consistentlyOriented ? size.volume : null,
    area: size.area,
    bounds,
  };
}

/** Whether the mesh is closed: every edge is used an even number of times, vertices of equal position taken as one. */
export function isWatertight(mesh: TriangleMesh): boolean {
  requireIndexedMesh('isWatertight', 'mesh', mesh);
  const { positionOf } = mapEqualVertices(mesh.vertices);
  const corners = new Uint32Array(mesh.triangles.length);
  for (let i = 0; i < corners.length; i++) corners[i] = positionOf[mesh.triangles[i]];
  const edges = countEdges(corners);
  return edges.used > 0 && edges.odd === 0;
}

interface EdgeCounts {
  /** Different edges. */
  used: number;
  /** Edges used an odd number of times. */
  odd: number;
  boundary: number;
  nonManifold: number;
  /** Edges with neighbours whose uses do not cancel. */
  unbalanced: number;
  components: number;
}

function countEdges(corners: Uint32Array): EdgeCounts {
  const triangleCount = corners.length / 3;
  let capacity = 16;
  while (capacity < corners.length * 2) capacity *= 2;
  const mask = capacity - 1;
  /** Edge + 1, 0 when free. */
  const table = new Uint32Array(capacity);
  const low = new Uint32Array(corners.length);
  const high = new Uint32Array(corners.length);
  const uses = new Uint32Array(corners.length);
  const balance = new Int32Array(corners.length);
  const owner = new Uint32Array(corners.length);
  const parent = new Uint32Array(triangleCount);
  for (let t = 0; t < triangleCount; t++) parent[t] = t;
  let edges = 0;
  let components = 0;
  for (let t = 0; t < triangleCount; t++) {
    components++;
    if (hasRepeatedCorner(corners, 3 * t)) {
      components--;
      continue;
    }
    for (let k = 0; k < 3; k++) {
      const from = corners[3 * t + k];
      const to = corners[3 * t + (k === 2 ? 0 : k + 1)];
      const a = Math.min(from, to);
      const b = Math.max(from, to);
      let slot = hashPair(a, b) & mask;
      while (table[slot] !== 0 && (low[table[slot] - 1] !== a || high[table[slot] - 1] !== b)) slot = (slot + 1) & mask;
      if (table[slot] === 0) {
        low[edges] = a;
        high[edges] = b;
        owner[edges] = t;
        table[slot] = ++edges;
      }
      const edge = table[slot] - 1;
      uses[edge]++;
      balance[edge] += from < to ? 1 : -1;
      const rootA = findRoot(parent, owner[edge]);
      const rootB = findRoot(parent, t);
      if (rootA !== rootB) {
        // the smaller number becomes the root: the result does not depend on the order of unions
        parent[Math.max(rootA, rootB)] = Math.min(rootA, rootB);
        components--;
      }
    }
  }
  const counts: EdgeCounts = { used: edges, odd: 0, boundary: 0, nonManifold: 0, unbalanced: 0, components };
  for (let edge = 0; edge < edges; edge++) {
    if (uses[edge] % 2 === 1) counts.odd++;
    if (uses[edge] === 1) counts.boundary++;
    else if (Math.abs(balance[edge]) > uses[edge] % 2) counts.unbalanced++;
    if (uses[edge] > 2) counts.nonManifold++;
  }
  return counts;
}

function countDistinct(corners: Uint32Array): number {
  let largest = 0;
  for (let i = 0; i < corners.length; i++) if (corners[i] > largest) largest = corners[i];
  const seen = new Uint8Array(largest + 1);
  let count = 0;
  for (let i = 0; i < corners.length; i++) {
    if (seen[corners[i]] === 0) {
      seen[corners[i]] = 1;
      count++;
    }
  }
  return count;
}

function boundTriangles(mesh: TriangleMesh): [number, number, number, number, number, number] | null {
  const { vertices, triangles } = mesh;
  if (triangles.length === 0) return null;
  const bounds: [number, number, number, number, number, number] = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  for (let i = 0; i < triangles.length; i++) {
    for (let k = 0, at = 3 * triangles[i]; k < 3; k++, at++) {
      // + 0 turns -0 into 0
      const value = vertices[at] + 0;
      if (value < bounds[k]) bounds[k] = value;
      if (value > bounds[k + 3]) bounds[k + 3] = value;
    }
  }
  return bounds;
}

/** Sums over the triangles, about the centre of the bounds so that a mesh far from the origin loses no digits. */
function measure(
  mesh: TriangleMesh,
  bounds: readonly number[] | null,
): { area: number; volume: number; degenerate: number } {
  const { vertices, triangles } = mesh;
  const [x0, y0, z0] = bounds ? [0, 1, 2].map((k) => bounds[k] / 2 + bounds[k + 3] / 2) : [0, 0, 0];
  let area = 0;
  let volume = 0;
  let degenerate = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const ax = vertices[a] - x0;
    const ay = vertices[a + 1] - y0;
    const az = vertices[a + 2] - z0;
    const ux = vertices[b] - vertices[a];
    const uy = vertices[b + 1] - vertices[a + 1];
    const uz = vertices[b + 2] - vertices[a + 2];
    const vx = vertices[c] - vertices[a];
    const vy = vertices[c + 1] - vertices[a + 1];
    const vz = vertices[c + 2] - vertices[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    if (nx === 0 && ny === 0 && nz === 0) degenerate++;
    area += Math.sqrt(nx * nx + ny * ny + nz * nz);
    // a . (b x c) = a . (u x v) for triangle a, a + u, a + v
    volume += ax * nx + ay * ny + az * nz;
  }
  return { area: area / 2, volume: volume / 6, degenerate };
}
