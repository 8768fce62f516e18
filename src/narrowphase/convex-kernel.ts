/**
 * The kernel's side of convex pairs: hands two cores and their pose over, and reads what comes back.
 *
 * A hull with a map lies in a block of the kernel's memory, placed there when its collider is made; other cores are
 * written into the shared area with each query, so that cores whose corners change need no care. The block is given back by
 * `releaseHull`, or when the core is collected.
 * Frames: core A's. Cost: 20 numbers in, 10 out, about 40 ns. Checked by gjk.test.ts and test/contract/shape-pairs.test.ts.
 */

import {
  askSupport,
  CORE_BOX,
  CORE_POINTS,
  CORE_SUPPORT,
  type HullBlock,
  type SupportCore,
} from '../geometry/support.js';
import { getKernel, type Kernel } from '../kernel/kernel.js';
import {
  CONVEX_CORE_A,
  CONVEX_CORE_B,
  CONVEX_COUNTS,
  CONVEX_LOWER_BOUND,
  CONVEX_MAX_POINTS,
  CONVEX_POINTS_A,
  CONVEX_POINTS_B,
  CONVEX_POSE,
  CONVEX_RESULT,
  CONVEX_SIMPLEX_A,
  CONVEX_SIMPLEX_B,
  CONVEX_SIMPLEX_W,
  CONVEX_V,
} from '../kernel/layout.js';
import { type ConvexFunctions, convexCores } from '../kernel/parts/convex.js';
import { MisuseError } from '../math/misuse.js';
import type { Transform } from '../math/transform.js';

/** Codes of `convexGjk`. */
export const GJK_SEPARATED = 0;
export const GJK_OVERLAP = 1;
export const GJK_BEYOND = 2;
export const GJK_LIMIT = 3;
/** Codes of `convexAnswer` and `convexMeasure`; 0: exact. */
export const CONVEX_BEYOND = 1;
export const CONVEX_COLLIDES = 2;
export const CONVEX_LIMIT = 3;

/** Where things lie in `shared.f64`. */
export const POSE = CONVEX_POSE / 8;
export const V = CONVEX_V / 8;
export const SIMPLEX_W = CONVEX_SIMPLEX_W / 8;
export const SIMPLEX_A = CONVEX_SIMPLEX_A / 8;
export const SIMPLEX_B = CONVEX_SIMPLEX_B / 8;
export const LOWER_BOUND = CONVEX_LOWER_BOUND / 8;
export const RESULT = CONVEX_RESULT / 8;

class SharedKernel {
  kernel!: Kernel;
  functions!: ConvexFunctions;
  f64: Float64Array = new Float64Array(0);
  u32: Uint32Array = new Uint32Array(0);
}
/** The kernel in use, its functions and its memory as of the last `openPair`. */
export const shared = new SharedKernel();
/** Rounds of kernels used before the present one. */
let earlierRounds = 0;

const forgotten = new FinalizationRegistry<HullBlock<Kernel>>(({ kernel, address }) => kernel.release(address));

/** GJK and EPA rounds since the module was loaded; queries report differences. */
export function countRounds(): number {
  return earlierRounds + (shared.kernel ? shared.kernel.u32[CONVEX_COUNTS / 4 + 1] : 0);
}

/** The cores of the pair under way whose points a user's function tells. */
let askedA: SupportCore | null = null;
let askedB: SupportCore | null = null;

/** Answers the kernel. The function may have grown the kernel's memory. */
function answerSupport(core: number, out: number, x: number, y: number, z: number): void {
  const point = askSupport((core === CONVEX_CORE_A ? askedA : askedB)!, x, y, z);
  const { f64 } = shared.kernel;
  for (let k = 0; k < 3; k++) f64[out / 8 + k] = point[k];
}

function openKernel(): void {
  const kernel = getKernel();
  if (kernel !== shared.kernel) {
    earlierRounds = countRounds();
    shared.kernel = kernel;
    shared.functions = kernel.part(convexCores);
    kernel.supportAsker = answerSupport;
    earlierRounds -= kernel.u32[CONVEX_COUNTS / 4 + 1];
  }
  shared.f64 = kernel.f64;
  shared.u32 = kernel.u32;
}

/** Puts a hull with a map into the kernel's memory, unless it is there. Other cores have nothing to put. */
export function placeHull(core: SupportCore): void {
  const { map, points } = core;
  if (map === null) return;
  const kernel = getKernel();
  if (core.block?.kernel === kernel) return;
  releaseHull(core);
  const { start, vertices, cells } = map;
  const address = kernel.allocate(8 * points.length + 4 * (1 + start.length + vertices.length));
  const mapAddress = address + 8 * points.length;
  kernel.f64.set(points, address / 8);
  const { u32 } = kernel;
  const at = mapAddress / 4;
  u32[at] = cells;
  const first = 4 * (1 + start.length);
  for (let i = 0; i < start.length; i++) u32[at + 1 + i] = first + 4 * start[i];
  for (let i = 0; i < vertices.length; i++) u32[at + 1 + start.length + i] = 8 * vertices[i];
  const block: HullBlock<Kernel> = { kernel, address, map: mapAddress };
  core.block = block;
  forgotten.register(core, block, core);
}

/** Gives the hull's block back; the next query would place it again. */
export function releaseHull(core: SupportCore): void {
  if (!core.block) return;
  forgotten.unregister(core);
  (core.block as HullBlock<Kernel>).kernel.release(core.block.address);
  core.block = null;
}

function writeCore(core: SupportCore, at: number, scratch: number): void {
  const { f64, u32 } = shared;
  const { kind, points } = core;
  const i = at / 4;
  u32[i] = kind;
  if (kind !== CORE_POINTS) {
    const k = at / 8 + 2;
    f64[k] = core.x;
    f64[k + 1] = core.y;
    f64[k + 2] = core.z;
    f64[k + 3] = core.radius;
    return;
  }
  f64[at / 8 + 5] = core.radius;
  const { block } = core;
  if (block !== null) {
    u32[i + 2] = block.address;
    u32[i + 3] = block.map;
    return;
  }
  if (points.length > 3 * CONVEX_MAX_POINTS)
    throw new MisuseError(
      `writeCore: points, got ${points.length / 3} without a map, expected at most ${CONVEX_MAX_POINTS}`,
    );
  u32[i + 1] = points.length / 3;
  u32[i + 2] = scratch;
  u32[i + 3] = 0;
  for (let k = 0; k < points.length; k++) f64[scratch / 8 + k] = points[k];
}

/** Before a pair is handed over: hulls in place, the kernel's memory at hand, and whom it asks. */
function prepare(a: SupportCore, b: SupportCore): void {
  const kernel = getKernel();
  if (a.map !== null && a.block?.kernel !== kernel) placeHull(a);
  if (b.map !== null && b.block?.kernel !== kernel) placeHull(b);
  if (kernel !== shared.kernel || shared.f64.length === 0) openKernel();
  if (a.kind === CORE_SUPPORT) askedA = a;
  if (b.kind === CORE_SUPPORT) askedB = b;
}

/** Hands the cores of a pair over; pose and first direction are still to be written at `POSE` and `V`. */
export function openCores(a: SupportCore, b: SupportCore): void {
  prepare(a, b);
  writeCore(a, CONVEX_CORE_A, CONVEX_POINTS_A);
  writeCore(b, CONVEX_CORE_B, CONVEX_POINTS_B);
}

/** The same for cores without points, by their kinds and sizes (x, y, z, radius), which lie closer together than the cores do. */
export function openSizes(kindA: number, sizesA: Float64Array, kindB: number, sizesB: Float64Array): void {
  if (getKernel() !== shared.kernel || shared.f64.length === 0) openKernel();
  const { f64, u32 } = shared;
  u32[CONVEX_CORE_A / 4] = kindA;
  u32[CONVEX_CORE_B / 4] = kindB;
  const i = CONVEX_CORE_A / 8 + 2;
  const j = CONVEX_CORE_B / 8 + 2;
  f64[i] = sizesA[0];
  f64[i + 1] = sizesA[1];
  f64[i + 2] = sizesA[2];
  f64[i + 3] = sizesA[3];
  f64[j] = sizesB[0];
  f64[j + 1] = sizesB[1];
  f64[j + 2] = sizesB[2];
  f64[j + 3] = sizesB[3];
}

/** The same with the pose. */
export function openPair(a: SupportCore, b: SupportCore, X_AB: Transform): void {
  openCores(a, b);
  const { f64 } = shared;
  for (let k = 0; k < 12; k++) f64[POSE + k] = X_AB[k];
}

/** Hands one core over as A, and the pose of a mesh in its frame, for the search of assembly/mesh/shape.ts. */
export function openShape(core: SupportCore, X_AB: Transform): void {
  const kernel = getKernel();
  if (core.map !== null && core.block?.kernel !== kernel) placeHull(core);
  if (kernel !== shared.kernel || shared.f64.length === 0) openKernel();
  const { f64 } = shared;
  for (let k = 0; k < 12; k++) f64[POSE + k] = X_AB[k];
  writeCore(core, CONVEX_CORE_A, CONVEX_POINTS_A);
}

/** The same with a box of half sizes x, y, z. */
export function openBox(x: number, y: number, z: number, X_AB: Transform): void {
  if (getKernel() !== shared.kernel || shared.f64.length === 0) openKernel();
  const { f64 } = shared;
  for (let k = 0; k < 12; k++) f64[POSE + k] = X_AB[k];
  shared.u32[CONVEX_CORE_A / 4] = CORE_BOX;
  const at = CONVEX_CORE_A / 8 + 2;
  f64[at] = x;
  f64[at + 1] = y;
  f64[at + 2] = z;
  f64[at + 3] = 0;
}

/** Vertices of the simplex that the last call left. */
export function readCount(): number {
  return shared.u32[CONVEX_COUNTS / 4];
}
