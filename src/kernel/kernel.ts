/**
 * The WebAssembly kernels and their memory.
 *
 * `getKernel` compiles on first use, synchronously: the module is small and inlined, so there is nothing to await and
 * nothing to fetch. Where an engine forbids compiling (edge runtimes) or limits it (old Chromium on the main thread),
 * `useKernel` takes a module compiled beforehand from the package's `kernel.wasm`.
 *
 * Memory grows only in `allocate`, never in a query. Growing detaches typed arrays; the views are therefore read through
 * the kernel's getters, which renew them when their length reads 0.
 */
import { MisuseError } from '../math/misuse.js';
import { type Allocator, createAllocator } from './allocator.js';
import { decodeBase64 } from './decode-base64.js';
import { moduleText } from './generated/kernel-module.js';
import { HEAP_BASE } from './layout.js';

const PAGE_BYTES = 65536;
/** Addresses are unsigned 32 bit. */
const MAX_PAGES = 65536;
const INITIAL_PAGES = 1024;

/** Writes the hull faces of the triangles order[first .. first + count) to `faces` (addresses); returns their number. */
export type HullWriter = (
  kernel: Kernel,
  corners: number,
  order: number,
  first: number,
  count: number,
  faces: number,
) => number;

export interface KernelFunctions {
  /** Builds, see assembly/mesh/build.ts. Addresses are those of a work area of `buildWorkBytes` and of the tree's block. */
  buildWorkBytes(triangles: number, fitter: number, split: number): number;
  planTree(work: number, triangles: number, kind: number, fitter: number, split: number): number;
  plannedLevels(): number;
  writeTree(block: number): void;
  refitTree(work: number, triangles: number, fitter: number, block: number, kind: number, boxes: number): void;
  fitTriangles(work: number, triangles: number, fitter: number): void;
  workNodes(): number;
  workOrder(): number;
  splitTriangles(work: number, triangles: number, kind: number, fitter: number, split: number): number;
  /** Pairs of triangles within `tolerance`, at most `limit` and at most what the pair buffer holds. */
  collide(treeA: number, treeB: number, tolerance: number, limit: number): number;
  resumeCollide(limit: number): number;
  /** Limits are squares. 0: nothing below `limit2`; 1: found; 2: the hinted pair is the closest. */
  distance(treeA: number, treeB: number, limit2: number, enough2: number, useHint: number): number;
  /** A mesh against the convex core of the area of convex queries, see assembly/mesh/shape.ts. 1: a triangle was found. */
  measureShape(tree: number, bound: number, enough: number, x: number, y: number, z: number, hint: number): number;
  /** Numbers of triangles near that core in the pair buffer. */
  listTriangles(tree: number, bound: number, limit: number): number;
  resumeList(limit: number): number;
  /** Batches, see assembly/mesh/batches.ts. */
  collidePoses(treeA: number, treeB: number, count: number): void;
  distancePoses(treeA: number, treeB: number, count: number, enough2: number): void;
  /** For tests. */
  rootSweptDistance(treeA: number, treeB: number): number;
  /** Links of a chain that may touch, see assembly/chain/chain.ts: 1 with the pair in the result area, 0 when there is none. */
  searchChain(block: number, changed: number, margin: number): number;
  resumeChain(): number;
  /** Updates and undoes, see assembly/chain/chain-update.ts. */
  keepJoint(block: number, log: number, logBytes: number, joint: number, place: number): void;
  updateChain(block: number, log: number, logBytes: number, count: number): void;
  revertChain(block: number, log: number, logBytes: number): void;
  /** The volume of a node from those of its children, fitted by `chainFitter` where that is not done in the kernel. */
  fitChain(block: number, level: number, index: number): void;
  /** Energies by partial sums, see assembly/energy/energy.ts: 1 when the pool is too small. */
  updateEnergy(block: number, leaves: number, joints: number): number;
  undoEnergy(block: number, leaves: number): void;
  /** Energies by a grid, see assembly/energy/energy-grid.ts. */
  addToGrid(block: number, first: number, last: number): void;
  sortGrid(block: number): void;
  askGrid(block: number, first: number, last: number, isInside: number): void;
  /** Casts the rays in the input area; `mode` is a sum of RAY_... constants. The number of hits when it holds RAY_ALL. */
  castRays(tree: number, count: number, mode: number): number;
  /** More hits of the ray of the last `castRays` with RAY_ALL. */
  resumeRays(): number;
  /** Closest points of the mesh to the points in the input area. */
  closestPoints(tree: number, count: number): void;
  /** Convex pairs, see assembly/convex/convex.ts; codes in narrowphase/convex-kernel.ts. */
  convexGjk(bound: number, warmCount: number): number;
  convexAnswer(code: number, signed: number): number;
  convexMeasure(bound: number, mode: number): number;
  convexCommon(touching: number): number;
  /** Casts of convex pairs, see assembly/convex/cast-convex.ts: times, above 1 for never; where the motions are written. */
  castConvex(from: number, tolerance: number, fastest: number, maxRounds: number): number;
  castPlane(from: number, tolerance: number, fastest: number): number;
  castBlock(which: number): number;
  /** End of the memory that the compiler placed, for tests. */
  staticEnd(): number;
}

export class Kernel {
  readonly functions: KernelFunctions;
  readonly memory: WebAssembly.Memory;
  /** What the kernel calls for fits to a convex hull; set by who builds with it. */
  hullWriter: HullWriter | undefined;
  /** What the kernel calls for volumes of chains that it does not fit itself: level, index. */
  chainFitter: ((level: number, index: number) => void) | undefined;
  /** What the kernel calls for points of cores that a user's function supports: address of the core, address of the point, direction. */
  supportAsker: ((core: number, out: number, x: number, y: number, z: number) => void) | undefined;
  readonly #allocator: Allocator;
  #f64: Float64Array;
  #f32: Float32Array;
  #u32: Uint32Array;

  constructor(module: WebAssembly.Module) {
    this.memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: MAX_PAGES });
    const abort = (message: number, file: number, line: number): never => {
      throw new Error(`kernel assertion: ${this.#readText(message)} (${this.#readText(file)}:${line})`);
    };
    const writeHull = (corners: number, order: number, first: number, count: number, faces: number): number =>
      this.hullWriter?.(this, corners >>> 0, order >>> 0, first >>> 0, count >>> 0, faces >>> 0) ?? 0;
    const instance = new WebAssembly.Instance(module, {
      env: {
        memory: this.memory,
        abort,
        writeHull,
        askSupport: (core: number, out: number, x: number, y: number, z: number) =>
          this.supportAsker?.(core >>> 0, out >>> 0, x, y, z),
        fitChainNode: (level: number, index: number) => this.chainFitter?.(level, index),
      },
    });
    this.functions = instance.exports as unknown as KernelFunctions;
    this.#f64 = new Float64Array(this.memory.buffer);
    this.#f32 = new Float32Array(this.memory.buffer);
    this.#u32 = new Uint32Array(this.memory.buffer);
    this.#allocator = createAllocator(HEAP_BASE, this.memory.buffer.byteLength);
  }

  get f64(): Float64Array {
    if (this.#f64.length === 0) this.#f64 = new Float64Array(this.memory.buffer);
    return this.#f64;
  }

  get f32(): Float32Array {
    if (this.#f32.length === 0) this.#f32 = new Float32Array(this.memory.buffer);
    return this.#f32;
  }

  get u32(): Uint32Array {
    if (this.#u32.length === 0) this.#u32 = new Uint32Array(this.memory.buffer);
    return this.#u32;
  }

  /** Bytes held by live blocks. */
  get usedBytes(): number {
    return this.#allocator.usedBytes;
  }

  /** Number of live blocks. */
  get blockCount(): number {
    return this.#allocator.blockCount;
  }

  /** Address of a block of at least `bytes`, aligned to 64; grows the memory when needed. */
  allocate(bytes: number): number {
    const address = this.#allocator.allocate(bytes);
    if (address >= 0) return address;
    const oldPages = this.memory.buffer.byteLength / PAGE_BYTES;
    const needed = Math.ceil(this.#allocator.missingBytes(bytes) / PAGE_BYTES);
    // Growing copies in some engines: a quarter more than asked keeps the number of growths logarithmic.
    const wished = Math.min(Math.max(needed, Math.ceil(oldPages / 4)), MAX_PAGES - oldPages);
    if (oldPages + needed > MAX_PAGES || !(this.#tryGrow(wished) || this.#tryGrow(needed))) {
      throw new MisuseError(
        `allocate: kernel memory, got a request for ${bytes} bytes with ${this.usedBytes} in use, expected at most ${MAX_PAGES * PAGE_BYTES} in all`,
      );
    }
    this.#allocator.extend(this.memory.buffer.byteLength);
    return this.#allocator.allocate(bytes);
  }

  /** Gives a block back; throws when it is not live. */
  release(address: number): void {
    this.#allocator.release(address);
  }

  #tryGrow(pages: number): boolean {
    try {
      this.memory.grow(pages);
      return true;
    } catch {
      return false;
    }
  }

  /** Text constant of the compiler: UTF-16, its length in bytes in front. */
  #readText(address: number): string {
    const bytes = new DataView(this.memory.buffer);
    const length = bytes.getUint32(address - 4, true);
    let text = '';
    for (let i = 0; i < length; i += 2) text += String.fromCharCode(bytes.getUint16(address + i, true));
    return text;
  }
}

let current: Kernel | undefined;

/** The kernel that new trees are built in. */
export function getKernel(): Kernel {
  if (!current) current = new Kernel(compileInlined());
  return current;
}

/**
 * Uses a module compiled by the caller from the package's `kernel.wasm`. Call it before the first mesh is built: trees
 * built earlier stay in the kernel they were built in and cannot be queried together with later ones.
 */
export function useKernel(module: WebAssembly.Module): Kernel {
  if (!(module instanceof WebAssembly.Module)) {
    throw new MisuseError(
      `useKernel: module, got ${Object.prototype.toString.call(module)}, expected a WebAssembly.Module`,
    );
  }
  current = new Kernel(module);
  return current;
}

function compileInlined(): WebAssembly.Module {
  try {
    return new WebAssembly.Module(decodeBase64(moduleText));
  } catch (cause) {
    throw new MisuseError(
      'getKernel: WebAssembly with SIMD, got a compile error, expected an engine that supports it and allows it here (content security policy: wasm-unsafe-eval); or pass a compiled module to useKernel',
      { cause },
    );
  }
}
