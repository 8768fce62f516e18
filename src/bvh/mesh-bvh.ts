/**
 * Triangle mesh with its bounding volume tree, ready for queries.
 *
 * The tree is one block in the kernel's memory, which the garbage collector does not see: `dispose()` gives it back.
 * Forgotten trees are released when their handle is collected, but do not rely on when.
 */

import {
  type Fields,
  oneOf,
  requireFields,
  requireFlag,
  requireObject,
  requireOptions,
  unchecked,
} from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import '../math/disposable.js';
import { LONGEST } from '../geometry/shape-range.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { getKernel, type Kernel } from '../kernel/kernel.js';
import { TREE_BLOCK_BYTES, TREE_BOUNDS, TREE_DEPTH, TREE_NODE_COUNT, TREE_NODE_KIND } from '../kernel/layout.js';
import { MisuseError } from '../math/misuse.js';
import { buildTree, type SplitRule, type TreeRule } from './build-tree.js';
import { chooseNodeKind } from './choose-node.js';
import { type Fitter, fitterCode } from './fitters.js';

export type NodeKind = 'obb' | 'aabb' | 'rss' | 'obb-rss';

/** In the order of their codes. */
const NODE_KINDS: readonly NodeKind[] = ['obb', 'aabb', 'rss', 'obb-rss'];

export interface BuildOptions {
  /**
   * Oriented boxes suit most shapes, axis-aligned ones rectangular shapes, and take less memory; `auto` (default) looks at
   * the mesh. `rss` bounds by rectangles swept by spheres, `obb-rss` collides with boxes and measures distances with those.
   * For a mesh that mostly answers rays take `aabb` with the split `binned`: four fifths of the default's time per ray.
   */
  readonly node?: NodeKind | 'auto';
  /**
   * Source of the axes and of the split position; default RAPID2_FIT, which on the reference meshes took the least time per
   * query.
   */
  readonly fitter?: Fitter;
  /** RAPID2_FIT on the convex hull of each set of triangles; slow to build. Default false. */
  readonly hull?: boolean;
  /**
   * How the plane is chosen, see assembly/mesh/split.ts; default `binned-longest`, which on meshes of mixed face sizes needs
   * less than half of the node tests that `longest` does. `binned` and `area` take longer to build.
   */
  readonly split?: SplitRule;
}

/** Of vertices, points and rays: the range of all shapes. The squares that f32 nodes compute overflow from 1e19 on. */
export const MAX_COORDINATE = LONGEST;

const forgotten = new FinalizationRegistry<{ kernel: Kernel; address: number }>(({ kernel, address }) => {
  kernel.release(address);
});

export class MeshBvh {
  readonly triangleCount: number;
  /** AABB of the triangles in the mesh frame; min = +Infinity, max = -Infinity when there are none. */
  readonly bounds: Float64Array;
  readonly kernel: Kernel;
  /** How often the tree was refitted: what is kept of it elsewhere is old when this has changed. */
  revision = 0;
  #mesh: TriangleMesh;
  #address: number;

  /** For builders within this folder: takes over a block that already lies in the kernel. */
  constructor(mesh: TriangleMesh, kernel: Kernel, address: number) {
    this.#mesh = mesh;
    this.kernel = kernel;
    this.#address = address;
    this.triangleCount = mesh.triangles.length / 3;
    this.bounds = new Float64Array(6);
    this.readBounds();
    forgotten.register(this, { kernel, address }, this);
  }

  get mesh(): TriangleMesh {
    return this.#mesh;
  }

  /** Address of the tree in the kernel's memory; throws once disposed. */
  get address(): number {
    if (this.#address < 0) throw new MisuseError('MeshBvh: tree, got one that was disposed, expected a live one');
    return this.#address;
  }

  get isDisposed(): boolean {
    return this.#address < 0;
  }

  get node(): NodeKind {
    return NODE_KINDS[this.readHeader(TREE_NODE_KIND)];
  }

  get nodeCount(): number {
    return this.readHeader(TREE_NODE_COUNT);
  }

  /** Levels of nodes. */
  get depth(): number {
    return this.readHeader(TREE_DEPTH);
  }

  get byteLength(): number {
    return this.readHeader(TREE_BLOCK_BYTES);
  }

  /** Gives the kernel memory back. Throws when called twice. */
  dispose(): void {
    const address = this.address;
    forgotten.unregister(this);
    this.#address = -1;
    this.kernel.release(address);
  }

  [Symbol.dispose](): void {
    if (!this.isDisposed) this.dispose();
  }

  /** Header field as u32. */
  readHeader(offset: number): number {
    return this.kernel.u32[(this.address + offset) >>> 2];
  }

  /** For refit: the vertices moved, the triangles are the same. */
  replaceMesh(mesh: TriangleMesh): void {
    this.#mesh = mesh;
    this.revision++;
    this.readBounds();
  }

  private readBounds(): void {
    const at = (this.address + TREE_BOUNDS) / 8;
    this.bounds.set(this.kernel.f64.subarray(at, at + 6));
  }
}

/**
 * Builds the tree of a mesh. The arrays are referenced, not copied: do not change them except through `refitMeshBvh`.
 * Zero-area and duplicate triangles are kept under their own index. A mesh without triangles is legal: it never collides.
 * Cost: O(n log n), about a microsecond per triangle. Throws on indices out of range and on vertices that are not finite.
 */
export function buildMeshBvh(mesh: TriangleMesh, options: BuildOptions = {}): MeshBvh {
  requireObject('buildMeshBvh', 'mesh', mesh, 'an object with vertices and triangles');
  requireOptions('buildMeshBvh', options, OPTIONS);
  checkMesh('buildMeshBvh', mesh.vertices, mesh.triangles);
  const kernel = getKernel();
  return new MeshBvh(mesh, kernel, buildTree(kernel, mesh.vertices, mesh.triangles, readOptions(mesh, options)));
}

function readOptions(mesh: TriangleMesh, options: BuildOptions): TreeRule {
  const { node = 'auto', hull = false } = options;
  checkChoice('node', node, NODES);
  const kind = NODE_KINDS.indexOf(node === 'auto' ? chooseNodeKind(mesh) : node);
  const { fitter = 'RAPID2_FIT', split = 'binned-longest' } = options;
  checkChoice('fitter', fitter, FITTERS);
  checkChoice('split', split, SPLITS);
  if (hull && fitter !== 'RAPID2_FIT') {
    throw new MisuseError(`buildMeshBvh: hull, got true with ${fitter}, expected it with 'RAPID2_FIT' only`);
  }
  return { kind, fitter: fitterCode(fitter, hull), split };
}

const OPTIONS: Fields = { node: unchecked, fitter: unchecked, hull: requireFlag, split: unchecked };
const NODES: readonly (NodeKind | 'auto')[] = ['auto', ...NODE_KINDS];
const FITTERS: readonly Fitter[] = ['PQP_FIT', 'RAPID2_FIT', 'INERTIA_FIT'];
const SPLITS: readonly SplitRule[] = ['longest', 'area', 'binned', 'binned-longest'];

/** @internal For calls that hand options on. */
export function requireBuildOptions(call: string, what: string, options: unknown): void {
  requireFields(call, what, options, {
    ...{ node: oneOf(...NODES), fitter: oneOf(...FITTERS) },
    ...{ hull: requireFlag, split: oneOf(...SPLITS) },
  });
}

function checkChoice(what: string, got: unknown, choices: readonly string[]): void {
  if (choices.includes(got as string)) return;
  const listed = choices.map((choice) => `'${choice}'`).join(', ');
  throw new MisuseError(`buildMeshBvh: ${what}, got ${describeValue(got)}, expected one of ${listed}`);
}

/** Copies a tree block into the current kernel, so many words a step. */
export function* placeTree(mesh: TriangleMesh, block: Uint32Array, wordsAtOnce: number): Generator<void, MeshBvh> {
  const kernel = getKernel();
  const address = kernel.allocate(block.byteLength);
  let isPlaced = false;
  try {
    for (let i = 0; i < block.length; i += wordsAtOnce) {
      kernel.u32.set(block.subarray(i, i + wordsAtOnce), address / 4 + i);
      yield;
    }
    isPlaced = true;
  } finally {
    if (!isPlaced) kernel.release(address);
  }
  return new MeshBvh(mesh, kernel, address);
}

/** Throws unless the arrays describe a mesh with finite coordinates. */
export function checkMesh(caller: string, vertices: Float64Array, triangles: Uint32Array): void {
  if (!(vertices instanceof Float64Array) || vertices.length % 3 !== 0) {
    throw new MisuseError(
      `${caller}: vertices, got ${describeValue(vertices)}, expected a Float64Array with 3 numbers per vertex`,
    );
  }
  if (!(triangles instanceof Uint32Array) || triangles.length % 3 !== 0) {
    throw new MisuseError(
      `${caller}: triangles, got ${describeValue(triangles)}, expected a Uint32Array with 3 indices per triangle`,
    );
  }
  checkIndices(caller, vertices.length / 3, triangles, 0, triangles.length);
  checkCoordinates(caller, vertices, 0, vertices.length);
}

/** Of a part: triangles[from .. to). */
export function checkIndices(
  caller: string,
  vertexCount: number,
  triangles: Uint32Array,
  from: number,
  to: number,
): void {
  for (let i = from; i < to; i++) {
    if (triangles[i] >= vertexCount) {
      throw new MisuseError(
        `${caller}: triangle ${Math.floor(i / 3)}, got vertex index ${triangles[i]}, expected less than ${vertexCount}`,
      );
    }
  }
}

/** Of a part: vertices[from .. to). */
export function checkCoordinates(caller: string, vertices: Float64Array, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    if (!(Math.abs(vertices[i]) <= MAX_COORDINATE)) {
      throw new MisuseError(
        `${caller}: vertices, vertex ${Math.floor(i / 3)}, got coordinate ${vertices[i]}, expected a number within +-${MAX_COORDINATE}`,
      );
    }
  }
}
