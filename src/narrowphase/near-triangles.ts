/**
 * The kernel's searches of one mesh against one convex core: the core handed over, the triangles near it listed.
 *
 * A kernel knows the cores of geometry/support.ts and its own trees; for others there is bvh/walk-triangles.ts.
 * Frames: the shape's, X_AB is the mesh in it. Cost: 50 ns to hand over, 0.1 us for each leaf near the shape.
 * Checked by test/contract/mesh-convex.test.ts and test/contract/part-shapes.test.ts.
 */
import type { MeshBvh } from '../bvh/mesh-bvh.js';
import { walkTriangles } from '../bvh/walk-triangles.js';
import { boundShape } from '../geometry/aabb.js';
import { CORE_POINTS, CORE_SUPPORT, type SupportCore } from '../geometry/support.js';
import { getKernel } from '../kernel/kernel.js';
import { PAIR_BUFFER, RESULT_COUNTS, SHAPE_BOX } from '../kernel/layout.js';
import { invertTransform, type Transform } from '../math/transform.js';
import type { Collider } from './collider.js';
import { openBox, openShape, shared } from './convex-kernel.js';

/** Triangles of the first list and of those that follow. */
const FIRST = 256;
const MOST = 8188;

const X_BA = new Float64Array(12);
const box = new Float64Array(6);
const X_Middle = new Float64Array(12);
const listed: Uint32Array[] = [];
let depth = 0;
const counts = { nodeTests: 0, primitiveTests: 0 };

/** Work since the module was loaded; queries report differences. */
export function shapeCounts(): Readonly<{ nodeTests: number; primitiveTests: number }> {
  return counts;
}

export function isKnownToKernel(core: SupportCore, bvh: MeshBvh): boolean {
  return core.kind !== CORE_SUPPORT && bvh.kernel === getKernel();
}

/** Hands the collider's core over, and of a hull its box. */
export function openCollider(a: Collider, X_AB: Transform): void {
  openShape(a.core, X_AB);
  if (a.core.kind !== CORE_POINTS) return;
  const { f64 } = shared;
  const at = SHAPE_BOX / 8;
  for (let k = 0; k < 3; k++) {
    f64[at + k] = a.center[k];
    f64[at + 3 + k] = a.localBounds[3 + k] - a.center[k];
  }
  f64[at + 6] = a.boundingRadius;
}

/** Adds the work of the last search for the nearest triangle. */
export function countShapeWork(): void {
  counts.nodeTests += shared.u32[RESULT_COUNTS / 4];
  counts.primitiveTests += shared.u32[RESULT_COUNTS / 4 + 1];
}

/** Of a list: the triangles in it are what is looked at. */
function countListWork(found: number): void {
  counts.nodeTests += shared.u32[RESULT_COUNTS / 4];
  counts.primitiveTests += found;
}

/**
 * Calls `visit` for every triangle within `tolerance` of the shape, nearest boxes first; some that are farther may be visited too.
 * A visitor that returns false ends it; it may measure cores, but not search trees.
 */
export function visitNearTriangles(
  shape: Collider,
  mesh: Collider,
  X_AB: Transform,
  tolerance: number,
  visit: (triangle: number) => boolean,
): void {
  const { bvh } = mesh;
  if (!bvh) return;
  if (!isKnownToKernel(shape.core, bvh)) {
    boundShape(box, shape.shape, invertTransform(X_BA, X_AB));
    walkTriangles(bvh, box, tolerance, (triangle) => (visit(triangle) ? tolerance : -1));
    return;
  }
  openCollider(shape, X_AB);
  const { functions } = shared;
  let count = functions.listTriangles(bvh.address, tolerance, FIRST);
  countListWork(count);
  if (depth === listed.length) listed.push(new Uint32Array(MOST + 4));
  const list = listed[depth];
  depth++;
  try {
    while (count > 0) {
      const first = PAIR_BUFFER / 4;
      for (let i = 0; i < count; i++) list[i] = shared.u32[first + i];
      for (let i = 0; i < count; i++) if (!visit(list[i])) return;
      if (count < FIRST) return;
      count = functions.resumeList(MOST);
    }
  } finally {
    depth--;
  }
}

/** Whether a triangle of the mesh may come within `radius` of a box, at `at` of `boxes`, in a frame that the mesh is in at X_BoxMesh. */
export function isTriangleNear(
  bvh: MeshBvh,
  boxes: Float64Array,
  at: number,
  X_BoxMesh: Transform,
  radius: number,
): boolean {
  if (bvh.kernel !== getKernel()) return true;
  for (let k = 0; k < 9; k++) X_Middle[k] = X_BoxMesh[k];
  for (let k = 0; k < 3; k++) X_Middle[9 + k] = X_BoxMesh[9 + k] - 0.5 * (boxes[at + k] + boxes[at + 3 + k]);
  openBox(
    0.5 * (boxes[at + 3] - boxes[at]),
    0.5 * (boxes[at + 4] - boxes[at + 1]),
    0.5 * (boxes[at + 5] - boxes[at + 2]),
    X_Middle,
  );
  const count = shared.functions.listTriangles(bvh.address, radius, 1);
  countListWork(0);
  return count > 0;
}
