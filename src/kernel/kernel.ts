/**
 * The WebAssembly kernels and their memory.
 *
 * Parts (parts/) are unpacked and compiled on first use, synchronously: they are small and inlined, so there is nothing to await and
 * nothing to fetch. They share one memory, in which each has a place of its own for what it keeps. Where an engine forbids compiling (edge runtimes) or limits it (old Chromium on the main thread),
 * `useKernel` takes a module compiled beforehand from the package's `kernel.wasm`.
 *
 * Memory grows only in `allocate`, never in a query. Growing detaches typed arrays; the views are therefore read through
 * the kernel's getters, which renew them when their length reads 0.
 */
import { MisuseError } from '../math/misuse.js';
import { type Allocator, createAllocator } from './allocator.js';
import type { KernelPart } from './kernel-part.js';
import { HEAP_BASE } from './layout.js';
import { unpackModule } from './packed-module.js';
import type { BoxPairFunctions } from './parts/box-pairs.js';
import type { BoxRayFunctions } from './parts/box-rays.js';
import type { ChainFunctions } from './parts/chain.js';
import type { ContactFunctions } from './parts/contacts.js';
import type { ConvexFunctions } from './parts/convex.js';
import type { DynamicsFunctions } from './parts/dynamics.js';
import type { EnergyFunctions } from './parts/energy.js';
import type { MeshBuildFunctions } from './parts/mesh-build.js';
import type { MeshPairFunctions } from './parts/mesh-pairs.js';
import type { MeshPointFunctions } from './parts/mesh-points.js';
import type { MeshRayFunctions } from './parts/mesh-rays.js';
import type { RobotContactFunctions } from './parts/robot-contacts.js';

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

/** What the module of all parts, the package's `kernel.wasm`, exports. */
export interface KernelFunctions
  extends MeshBuildFunctions,
    MeshPairFunctions,
    MeshRayFunctions,
    MeshPointFunctions,
    ConvexFunctions,
    ChainFunctions,
    EnergyFunctions,
    BoxPairFunctions,
    BoxRayFunctions,
    DynamicsFunctions,
    ContactFunctions,
    RobotContactFunctions {
  /** End of the memory that the compiler placed, for tests. */
  staticEnd(): number;
}

export class Kernel {
  readonly memory: WebAssembly.Memory;
  /** What the kernel calls for fits to a convex hull; set by who builds with it. */
  hullWriter: HullWriter | undefined;
  /** What the kernel calls for volumes of chains that it does not fit itself: level, index. */
  chainFitter: ((level: number, index: number) => void) | undefined;
  /** What the kernel calls for points of cores that a user's function supports: address of the core, address of the point, direction. */
  supportAsker: ((core: number, out: number, x: number, y: number, z: number) => void) | undefined;
  readonly #allocator: Allocator;
  readonly #imports: WebAssembly.Imports;
  /** What the parts in use export, by their places. */
  readonly #parts: unknown[] = [];
  readonly #joined: WebAssembly.Exports | undefined;
  #f64: Float64Array;
  #f32: Float32Array;
  #u32: Uint32Array;

  /** `joined`: parts in one module, all or the first; every other part is compiled when it is first asked for. */
  constructor(joined?: WebAssembly.Module) {
    this.memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: MAX_PAGES });
    const abort = (message: number, file: number, line: number): never => {
      throw new Error(`kernel assertion: ${this.#readText(message)} (${this.#readText(file)}:${line})`);
    };
    const writeHull = (corners: number, order: number, first: number, count: number, faces: number): number =>
      this.hullWriter?.(this, corners >>> 0, order >>> 0, first >>> 0, count >>> 0, faces >>> 0) ?? 0;
    this.#imports = {
      env: {
        memory: this.memory,
        abort,
        writeHull,
        askSupport: (core: number, out: number, x: number, y: number, z: number) =>
          this.supportAsker?.(core >>> 0, out >>> 0, x, y, z),
        fitChainNode: (level: number, index: number) => this.chainFitter?.(level, index),
      },
    };
    if (joined) this.#joined = this.#instantiate(joined);
    this.#f64 = new Float64Array(this.memory.buffer);
    this.#f32 = new Float32Array(this.memory.buffer);
    this.#u32 = new Uint32Array(this.memory.buffer);
    this.#allocator = createAllocator(HEAP_BASE, this.memory.buffer.byteLength);
  }

  /** The functions of a part. */
  part<Functions>(part: KernelPart<Functions>): Functions {
    return (this.#parts[part.place] ?? this.#open(part)) as Functions;
  }

  #open(part: KernelPart<unknown>): unknown {
    const isJoined = this.#joined && part.sample in this.#joined;
    const functions = isJoined ? this.#joined : this.#instantiate(compilePart(part));
    this.#parts[part.place] = functions;
    return functions;
  }

  #instantiate(module: WebAssembly.Module): WebAssembly.Exports {
    return new WebAssembly.Instance(module, this.#imports).exports;
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
  current ??= new Kernel();
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

/** Uses the inlined parts again, in a memory of their own. */
export function useInlinedKernel(): Kernel {
  current = new Kernel();
  return current;
}

const compiled: WebAssembly.Module[] = [];

function compilePart({ place, text }: KernelPart<unknown>): WebAssembly.Module {
  try {
    compiled[place] ??= new WebAssembly.Module(unpackModule(text));
    return compiled[place];
  } catch (cause) {
    throw new MisuseError(
      'getKernel: WebAssembly with SIMD, got a compile error, expected an engine that supports it and allows it here (content security policy: wasm-unsafe-eval); or pass a compiled module to useKernel',
      { cause },
    );
  }
}
