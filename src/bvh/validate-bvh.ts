/**
 * Checks a tree against its mesh: every triangle is in exactly one leaf, and inside the box of that leaf and of every
 * ancestor as stored in f32; triangles are the mesh's own, bit for bit.
 * Cost: O(n log n). Run by the tests after every build, refit and load; useful on any file that was loaded.
 */

import {
  BOX_CENTRE,
  BOX_HALF,
  BOX_ROTATION,
  KIND_AABB,
  KIND_RSS,
  SPHERE_CENTRE,
  SPHERE_HALF,
  TREE_IDS_OFFSET,
  TREE_NODE_KIND,
  TREE_ORIGIN,
  TREE_RADIUS,
  TREE_TRIANGLES_OFFSET,
} from '../kernel/layout.js';
import { requireNumber } from '../math/arguments.js';
import { hypot } from '../math/scalar.js';
import { firstCorner } from './build-tree.js';
import { requireBvh } from './bvh-door.js';
import type { MeshBvh } from './mesh-bvh.js';
import { listBoxes } from './tree-walk.js';

/** What is wrong with the tree, at most `limit` sentences; empty when it is sound. */
export function validateBvh(bvh: MeshBvh, limit = 10): string[] {
  requireBvh('validateBvh', 'bvh', bvh);
  requireNumber('validateBvh', 'limit', limit);
  const faults: string[] = [];
  const report = (text: string): boolean => faults.push(text) >= limit;
  const start = bvh.address;
  const bytes = bvh.byteLength;
  const u32 = bvh.kernel.u32.subarray(start / 4, (start + bytes) / 4);
  const f32 = bvh.kernel.f32.subarray(start / 4, (start + bytes) / 4);
  const f64 = bvh.kernel.f64.subarray(start / 8, (start + bytes) / 8);
  const count = bvh.triangleCount;
  const ids = u32[TREE_IDS_OFFSET / 4] / 4;
  const corners = u32[TREE_TRIANGLES_OFFSET / 4] / 8;
  const { vertices, triangles } = bvh.mesh;

  const seen = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const id = u32[ids + i];
    if (id >= count || seen[id] === 1) {
      if (report(`position ${i} names triangle ${id}, which is ${id >= count ? 'out of range' : 'named twice'}`))
        return faults;
      continue;
    }
    seen[id] = 1;
    const first = firstCorner(vertices, triangles, id);
    for (let k = 0; k < 9; k++) {
      const expected = vertices[triangles[3 * id + ((first + Math.floor(k / 3)) % 3)] * 3 + (k % 3)];
      if (f64[corners + 9 * i + k] !== expected) {
        if (report(`triangle ${id} has coordinate ${f64[corners + 9 * i + k]} instead of ${expected}`)) return faults;
      }
    }
  }

  const boxes = listBoxes(u32);
  const covered = new Uint8Array(count);
  const kind = u32[TREE_NODE_KIND / 4];
  const isLeafBox = new Uint8Array(boxes.length).fill(1);
  for (let i = 1; i < boxes.length; i++) isLeafBox[boxes.parent[i]] = 0;
  const origin = f64.subarray(TREE_ORIGIN / 8, TREE_ORIGIN / 8 + 3);
  const radius = f64[TREE_RADIUS / 8];
  for (let i = 0; i < boxes.length; i++) {
    const end = boxes.first[i] + boxes.count[i];
    for (let t = boxes.first[i]; t < end; t++) {
      if (isLeafBox[i] === 1) {
        if (t >= count || covered[t] === 1) {
          if (report(`position ${t} lies in ${t >= count ? 'no triangle' : 'two leaves'}`)) return faults;
        } else covered[t] = 1;
      }
      let excess = excessOver(f32, f64, boxes.box[i], kind, corners + 9 * t, origin);
      if (kind >= KIND_RSS) excess = Math.max(excess, excessOverSwept(f32, f64, boxes.box[i], corners + 9 * t, origin));
      if (!(excess <= 1e-14 * radius)) {
        if (report(`triangle ${u32[ids + t]} leaves box ${boxes.box[i]} at level ${boxes.level[i]} by ${excess}`))
          return faults;
      }
    }
  }
  for (let t = 0; t < count; t++) {
    if (covered[t] === 0 && report(`triangle ${u32[ids + t]} is in no leaf`)) return faults;
  }
  return faults;
}

/** How far the farthest corner is outside the stored box; negative inside. */
function excessOver(
  f32: Float32Array,
  f64: Float64Array,
  box: number,
  kind: number,
  corner: number,
  origin: Float64Array,
): number {
  let worst = -Infinity;
  for (let c = 0; c < 9; c += 3) {
    for (let axis = 0; axis < 3; axis++) {
      let along = 0;
      for (let k = 0; k < 3; k++) {
        const x = f64[corner + c + k] - origin[k] - f32[box + BOX_CENTRE / 4 + 4 * k];
        along += x * (kind === KIND_AABB ? (k === axis ? 1 : 0) : f32[box + BOX_ROTATION / 4 + 12 * k + 4 * axis]);
      }
      worst = Math.max(worst, Math.abs(along) - f32[box + BOX_HALF / 4 + 4 * axis]);
    }
  }
  return worst;
}

/** The same for the rectangle swept by a sphere. */
function excessOverSwept(
  f32: Float32Array,
  f64: Float64Array,
  box: number,
  corner: number,
  origin: Float64Array,
): number {
  let worst = -Infinity;
  const centre = box + SPHERE_CENTRE / 4;
  const half = box + SPHERE_HALF / 4;
  const axes = box + BOX_ROTATION / 4;
  for (let c = 0; c < 9; c += 3) {
    const rest = [0, 1, 2].map((k) => f64[corner + c + k] - origin[k] - f32[centre + 4 * k]);
    for (let axis = 0; axis < 2; axis++) {
      const axisOf = [0, 1, 2].map((k) => f32[axes + 12 * k + 4 * axis]);
      const along = rest[0] * axisOf[0] + rest[1] * axisOf[1] + rest[2] * axisOf[2];
      const inside = Math.min(Math.max(along, -f32[half + 4 * axis]), f32[half + 4 * axis]);
      for (let k = 0; k < 3; k++) rest[k] -= inside * axisOf[k];
    }
    worst = Math.max(worst, hypot(rest[0], rest[1], rest[2]) - f32[half + 8]);
  }
  return worst;
}
