/**
 * How tight a tree is: sizes of its boxes as stored, which is what the build options are compared by.
 * Cost: linear in the boxes. Test: report-bvh.test.ts.
 */

import { BOX_HALF, SPHERE_HALF } from '../kernel/layout.js';
import { requireBvh } from './bvh-door.js';
import type { MeshBvh, NodeKind } from './mesh-bvh.js';
import { listBoxes } from './tree-walk.js';

export interface BvhReport {
  readonly node: NodeKind;
  readonly triangles: number;
  /** Boxes of all levels, the root's and the leaves' included. */
  readonly boxes: number;
  readonly leaves: number;
  /** Levels of four-wide nodes. */
  readonly depth: number;
  /** Sum over all boxes, in squared units of the mesh. */
  readonly surfaceArea: number;
  /** Sum over all boxes, in cubed units of the mesh. */
  readonly volume: number;
  readonly byteLength: number;
  readonly bytesPerTriangle: number;
  /** Of the rectangles swept by spheres; 0 for trees without. For `rss` trees the two sums above are these. */
  readonly sweptSurfaceArea: number;
  readonly sweptVolume: number;
}

export function reportBvh(bvh: MeshBvh): BvhReport {
  requireBvh('reportBvh', 'bvh', bvh);
  const start = bvh.address / 4;
  const end = start + bvh.byteLength / 4;
  const { f32 } = bvh.kernel;
  const { box, parent, length } = listBoxes(bvh.kernel.u32.subarray(start, end));
  let surfaceArea = 0;
  let volume = 0;
  let sweptSurfaceArea = 0;
  let sweptVolume = 0;
  const isSwept = bvh.node === 'rss' || bvh.node === 'obb-rss';
  const isLeaf = new Uint8Array(length).fill(1);
  for (let i = 0; i < length; i++) {
    // The root is its own parent, and a leaf only when it is alone.
    if (i > 0) isLeaf[parent[i]] = 0;
    const at = start + box[i] + BOX_HALF / 4;
    const x = 2 * f32[at];
    const y = 2 * f32[at + 4];
    const z = 2 * f32[at + 8];
    surfaceArea += 2 * (x * y + y * z + z * x);
    volume += x * y * z;
    if (isSwept) {
      const swept = start + box[i] + SPHERE_HALF / 4;
      const [a, b, r] = [2 * f32[swept], 2 * f32[swept + 4], f32[swept + 8]];
      sweptSurfaceArea += 2 * a * b + 2 * Math.PI * r * (a + b) + 4 * Math.PI * r * r;
      sweptVolume += 2 * r * a * b + Math.PI * r * r * (a + b) + (4 / 3) * Math.PI * r * r * r;
    }
  }
  return {
    node: bvh.node,
    triangles: bvh.triangleCount,
    boxes: length,
    leaves: isLeaf.reduce((sum, leaf) => sum + leaf, 0),
    depth: bvh.depth,
    surfaceArea: bvh.node === 'rss' ? sweptSurfaceArea : surfaceArea,
    volume: bvh.node === 'rss' ? sweptVolume : volume,
    byteLength: bvh.byteLength,
    bytesPerTriangle: bvh.triangleCount > 0 ? bvh.byteLength / bvh.triangleCount : 0,
    sweptSurfaceArea,
    sweptVolume,
  };
}
