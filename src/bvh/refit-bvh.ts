/**
 * Fits the boxes of a tree anew after the vertices moved; the tree's shape stays.
 *
 * Every box is fitted to the triangles below it by the fitter of the build, with fresh axes, so the boxes are as tight as after a build; only the
 * grouping ages. Rebuild when work counts have grown much. Allocates no kernel memory.
 * Cost: about half of a build. Test: mesh-bvh.test.ts.
 */
import {
  TREE_BOUNDS,
  TREE_FITTER,
  TREE_IDS_OFFSET,
  TREE_NODE_KIND,
  TREE_ORIGIN,
  TREE_RADIUS,
  TREE_TRIANGLES_OFFSET,
} from '../kernel/layout.js';
import { boundTriangles, gatherCorners, measureRadius, writeTriangles } from './build-tree.js';
import { createFittedBox, createTriangleSet, fitBox } from './fit-box.js';
import { checkMesh, type MeshBvh } from './mesh-bvh.js';
import { writeBox } from './tree-nodes.js';
import { listBoxes } from './tree-walk.js';

/** `vertices` may be the mesh's own array, changed in place, or another of the same length. */
export function refitMeshBvh(bvh: MeshBvh, vertices: Float64Array): void {
  const { triangles, name } = bvh.mesh;
  if (vertices.length !== bvh.mesh.vertices.length) {
    throw new RangeError(
      `refitMeshBvh: vertices, got ${vertices.length} numbers, expected ${bvh.mesh.vertices.length} as in the mesh`,
    );
  }
  checkMesh('refitMeshBvh', vertices, triangles);
  const start = bvh.address;
  const bytes = bvh.byteLength;
  const u32 = bvh.kernel.u32.subarray(start / 4, (start + bytes) / 4);
  const f32 = bvh.kernel.f32.subarray(start / 4, (start + bytes) / 4);
  const f64 = bvh.kernel.f64.subarray(start / 8, (start + bytes) / 8);
  const count = bvh.triangleCount;
  if (count > 0) {
    const kind = u32[TREE_NODE_KIND / 4];
    const rule = { kind, fitter: u32[TREE_FITTER / 4] };
    const bounds = boundTriangles(vertices, triangles);
    const origin = Float64Array.of(
      (bounds[0] + bounds[3]) / 2,
      (bounds[1] + bounds[4]) / 2,
      (bounds[2] + bounds[5]) / 2,
    );
    const corners = gatherCorners(vertices, triangles, origin);
    const idsAt = u32[TREE_IDS_OFFSET / 4] / 4;
    const order = u32.subarray(idsAt, idsAt + count);
    const boxes = listBoxes(u32);
    const box = createFittedBox();
    const set = createTriangleSet(corners, order, kind, false);
    for (let i = 0; i < boxes.length; i++) {
      writeBox(f32, boxes.box[i], kind, fitBox(box, rule, set, boxes.first[i], boxes.count[i]));
    }
    writeTriangles(f64, u32[TREE_TRIANGLES_OFFSET / 4] / 8, vertices, triangles, order);
    f64.set(origin, TREE_ORIGIN / 8);
    f64.set(bounds, TREE_BOUNDS / 8);
    f64[TREE_RADIUS / 8] = measureRadius(corners);
  }
  bvh.replaceMesh({ vertices, triangles, name });
}
