/**
 * Points against a triangle mesh: how far from its surface, and whether inside, by a hierarchy of boxes in plain memory.
 * For preparing shapes; queries use the mesh BVH of the kernel.
 *
 * Method: nearest box first; inside by the signed crossings of a ray along +x, where a triangle is crossed when the ray's
 * foot lies in its projection, decided edge by edge in a fixed order of the ends so that neighbours agree.
 * Source: Ericson 2005, "Real-time collision detection", section 5.1.5; Haines 1994, "Point in polygon strategies", Graphics
 * Gems IV. Frames: the mesh's. Cost: one to three microseconds a point. Checked by convex-decomposition.test.ts.
 */
import { type BoxHierarchy, buildBoxHierarchy } from './box-hierarchy.js';
import { closestPointTriangle } from './closest-points.js';
import type { TriangleMesh } from './triangle-mesh.js';

export class MeshProbe {
  private readonly hierarchy: BoxHierarchy;
  private readonly stack = new Int32Array(512);
  private readonly gaps = new Float64Array(512);
  private readonly corners = new Float64Array(9);
  private readonly point = new Float64Array(3);
  private readonly closest = new Float64Array(3);
  /** The triangle that the last distance below its limit was to; -1 when none was. */
  nearest = -1;

  constructor(private readonly mesh: TriangleMesh) {
    const { corners } = this;
    this.hierarchy = buildBoxHierarchy(mesh.triangles.length / 3, (out, t) => {
      this.load(t);
      for (let k = 0; k < 3; k++) {
        out[k] = Math.min(corners[k], corners[3 + k], corners[6 + k]);
        out[k + 3] = Math.max(corners[k], corners[3 + k], corners[6 + k]);
      }
    });
  }

  private load(t: number): void {
    const { vertices, triangles } = this.mesh;
    for (let c = 0; c < 3; c++) {
      const v = 3 * triangles[3 * t + c];
      for (let k = 0; k < 3; k++) this.corners[3 * c + k] = vertices[v + k];
    }
  }

  private squaredGap(node: number): number {
    const { boxes } = this.hierarchy;
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const gap = Math.max(boxes[6 * node + k] - this.point[k], this.point[k] - boxes[6 * node + 3 + k], 0);
      sum += gap * gap;
    }
    return sum;
  }

  /** Distance from the surface, exact below `limit`; at or above it any number not below the limit. */
  distance(x: number, y: number, z: number, limit = Infinity): number {
    const { right, items, order, nodeCount } = this.hierarchy;
    if (nodeCount === 0) return Infinity;
    const { point, stack, gaps, closest, corners } = this;
    point[0] = x;
    point[1] = y;
    point[2] = z;
    let best = limit * limit;
    this.nearest = -1;
    stack[0] = 0;
    gaps[0] = this.squaredGap(0);
    let top = 1;
    while (top > 0) {
      top--;
      if (gaps[top] >= best) continue;
      const node = stack[top];
      if (items[node] > 0) {
        const first = ~right[node];
        for (let i = first; i < first + items[node]; i++) {
          this.load(order[i]);
          const squared = closestPointTriangle(closest, 0, point, 0, corners);
          if (squared >= best) continue;
          best = squared;
          this.nearest = order[i];
        }
        continue;
      }
      const left = this.squaredGap(node + 1);
      const other = this.squaredGap(right[node]);
      const nearFirst = left < other;
      stack[top] = nearFirst ? right[node] : node + 1;
      gaps[top++] = nearFirst ? other : left;
      stack[top] = nearFirst ? node + 1 : right[node];
      gaps[top++] = nearFirst ? left : other;
    }
    return Math.sqrt(best);
  }

  /** Distance from one triangle. */
  distanceTo(t: number, x: number, y: number, z: number): number {
    this.point[0] = x;
    this.point[1] = y;
    this.point[2] = z;
    this.load(t);
    return Math.sqrt(closestPointTriangle(this.closest, 0, this.point, 0, this.corners));
  }

  /** Crossings of the line along x through (y, z): where, and +1 or -1, two numbers each, unsorted. */
  listCrossings(y: number, z: number): number[] {
    const { right, items, order, nodeCount, boxes } = this.hierarchy;
    const { stack, corners: v } = this;
    const out: number[] = [];
    if (nodeCount === 0) return out;
    stack[0] = 0;
    let top = 1;
    while (top > 0) {
      const node = stack[--top];
      const at = 6 * node;
      if (y < boxes[at + 1] || y > boxes[at + 4] || z < boxes[at + 2] || z > boxes[at + 5]) continue;
      if (items[node] === 0) {
        stack[top++] = node + 1;
        stack[top++] = right[node];
        continue;
      }
      const first = ~right[node];
      for (let i = first; i < first + items[node]; i++) {
        this.load(order[i]);
        const turn = this.crossing(-Infinity, y, z);
        if (turn === 0) continue;
        const nx = (v[4] - v[1]) * (v[8] - v[2]) - (v[5] - v[2]) * (v[7] - v[1]);
        const ny = (v[5] - v[2]) * (v[6] - v[0]) - (v[3] - v[0]) * (v[8] - v[2]);
        const nz = (v[3] - v[0]) * (v[7] - v[1]) - (v[4] - v[1]) * (v[6] - v[0]);
        if (nx !== 0) out.push(v[0] - (ny * (y - v[1]) + nz * (z - v[2])) / nx, turn);
      }
    }
    return out;
  }

  /** Whether a point that is not on the surface lies inside a closed mesh. */
  isInside(x: number, y: number, z: number): boolean {
    const { right, items, order, nodeCount, boxes } = this.hierarchy;
    if (nodeCount === 0) return false;
    const { stack } = this;
    let winding = 0;
    stack[0] = 0;
    let top = 1;
    while (top > 0) {
      const node = stack[--top];
      const at = 6 * node;
      if (x > boxes[at + 3] || y < boxes[at + 1] || y > boxes[at + 4] || z < boxes[at + 2] || z > boxes[at + 5])
        continue;
      if (items[node] > 0) {
        const first = ~right[node];
        for (let i = first; i < first + items[node]; i++) {
          this.load(order[i]);
          winding += this.crossing(x, y, z);
        }
        continue;
      }
      stack[top++] = node + 1;
      stack[top++] = right[node];
    }
    return winding !== 0;
  }

  /** Crossing of the loaded triangle with the ray from (x, y, z) along +x: +1, -1 or 0. */
  private crossing(x: number, y: number, z: number): number {
    const v = this.corners;
    const turn = crossEdge(v, 0, 3, y, z) + crossEdge(v, 3, 6, y, z) + crossEdge(v, 6, 0, y, z);
    if (turn === 0) return 0;
    const uy = v[4] - v[1];
    const uz = v[5] - v[2];
    const wy = v[7] - v[1];
    const wz = v[8] - v[2];
    const ux = v[3] - v[0];
    const wx = v[6] - v[0];
    const nx = uy * wz - uz * wy;
    const side = nx * (x - v[0]) + (uz * wx - ux * wz) * (y - v[1]) + (ux * wy - uy * wx) * (z - v[2]);
    return (nx > 0 ? side < 0 : side > 0) ? turn : 0;
  }
}

/** Signed crossing of the half-line { y' > y, z' = z } with the projected edge i -> j: +1 upward, -1 downward. */
function crossEdge(v: Float64Array, i: number, j: number, y: number, z: number): number {
  const upward = v[j + 2] > z;
  if (v[i + 2] > z === upward) return 0;
  // Always from the lower end, so both triangles of the edge compute the same number.
  const low = upward ? i : j;
  const high = upward ? j : i;
  const s = (z - v[low + 2]) / (v[high + 2] - v[low + 2]);
  if (!(v[low + 1] + s * (v[high + 1] - v[low + 1]) > y)) return 0;
  return upward ? 1 : -1;
}
