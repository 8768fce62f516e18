/**
 * Fits the boxes of a tree anew after the vertices moved; the tree's shape stays.
 *
 * Every box is fitted to the triangles below it by the fitter of the build, with fresh axes, so the boxes are as tight as after a build; only the
 * grouping ages. Rebuild when work counts have grown much. The kernel lends it a
 * work area.
 * Cost: about half of a build. Test: mesh-bvh.test.ts.
 */

import {
  SPLIT_LONGEST,
  TREE_FITTER,
  TREE_IDS_OFFSET,
  TREE_NODE_KIND,
  TREE_TRIANGLES_OFFSET,
} from '../kernel/layout.js';
import { meshBuild } from '../kernel/parts/mesh-build.js';
import { requireFloats } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import {
  boundTriangles,
  gatherCorners,
  measureRadius,
  middleOf,
  withWorkArea,
  writeFrame,
  writeTriangles,
} from './build-tree.js';
import { requireBvh } from './bvh-door.js';
import { writeHull } from './fitters.js';
import { checkMesh, type MeshBvh } from './mesh-bvh.js';
import { listBoxes } from './tree-walk.js';

/** `vertices` may be the mesh's own array, changed in place, or another of the same length. */
export function refitMeshBvh(bvh: MeshBvh, vertices: Float64Array): void {
  requireBvh('refitMeshBvh', 'bvh', bvh);
  requireFloats('refitMeshBvh', 'vertices', vertices);
  const { triangles, name } = bvh.mesh;
  if (vertices.length !== bvh.mesh.vertices.length) {
    throw new MisuseError(
      `refitMeshBvh: vertices, got ${vertices.length} numbers, expected ${bvh.mesh.vertices.length} as in the mesh`,
    );
  }
  checkMesh('refitMeshBvh', vertices, triangles);
  if (bvh.triangleCount > 0) refitBlock(bvh, vertices, triangles);
  bvh.replaceMesh({ vertices, triangles, name });
}

function refitBlock(bvh: MeshBvh, vertices: Float64Array, triangles: Uint32Array): void {
  const { kernel, address: block, triangleCount: count } = bvh;
  const fitter = bvh.readHeader(TREE_FITTER);
  const boxes = listBoxes(kernel.u32.subarray(block / 4, (block + bvh.byteLength) / 4));
  const workBytes = kernel.part(meshBuild).buildWorkBytes(count, fitter, SPLIT_LONGEST) >>> 0;
  kernel.hullWriter = writeHull;
  withWorkArea(kernel, workBytes + 12 * boxes.length, (work) => {
    const bounds = boundTriangles(vertices, triangles);
    const origin = middleOf(bounds);
    const corners = kernel.f64.subarray(work / 8, work / 8 + 9 * count);
    gatherCorners(corners, vertices, triangles, origin);
    const radius = measureRadius(corners);
    const { u32, f64 } = kernel;
    for (let i = 0, at = (work + workBytes) / 4; i < boxes.length; i++, at += 3) {
      u32[at] = block + 4 * boxes.box[i];
      u32[at + 1] = boxes.first[i];
      u32[at + 2] = boxes.count[i];
    }
    kernel.part(meshBuild).refitTree(work, count, fitter, block, bvh.readHeader(TREE_NODE_KIND), boxes.length);
    const ids = (block + bvh.readHeader(TREE_IDS_OFFSET)) / 4;
    const to = (block + bvh.readHeader(TREE_TRIANGLES_OFFSET)) / 8;
    writeTriangles(f64, to, vertices, triangles, u32.subarray(ids, ids + count));
    writeFrame(kernel, block, origin, bounds, radius);
  });
}
