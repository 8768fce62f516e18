/**
 * The factorised mass matrix of a robot that is stepped, and the columns of its Jacobian: in the kernel's memory, where
 * assembly/contacts/robot-factors.ts factorises to the bits of factorize-inertia.ts, or in arrays of JavaScript, in the first steps and where
 * WebAssembly is refused.
 *
 * Shapes: as in factorize-inertia.ts. Memory: n^2 numbers, and as many again at most for what supports each velocity.
 * Layout: STEPPED_* of kernel/contact-layout.ts. Tested by robot-kernel.test.ts.
 */
import { factorizeInertia, solveInertia } from '../dynamics/factorize-inertia.js';
import * as L from '../kernel/contact-layout.js';
import { getKernel, type Kernel } from '../kernel/kernel.js';
import { type RobotContactFunctions, robotContacts } from '../kernel/parts/robot-contacts.js';

/** Steps of a robot that JavaScript does: compiling the kernel's part takes as long as some hundred of them. */
const FEW_STEPS = 100;

interface Arrays {
  factors: Float64Array;
  /** And, in the kernel, their inverses, the diagonal of M, the right side. */
  roots: Float64Array;
  columns: Float64Array;
}

/** Views of the kernel's memory, made anew where that has grown. */
interface Held extends Arrays {
  readonly kernel: Kernel;
  readonly functions: RobotContactFunctions;
  readonly address: number;
  readonly columnNumbers: number;
}

const forgotten = new FinalizationRegistry<Held>(({ kernel, address }) => kernel.release(address));
let mode: 'late' | 'never' | 'always' = 'late';

/** When robots go to the kernel; for tests. */
export function useKernelForRobots(when: typeof mode): void {
  mode = when;
}

function isKernelForRobots(steps: number): boolean {
  return mode === 'always' || (mode === 'late' && steps > FEW_STEPS);
}

export class RobotFactors {
  private held: Held | null = null;
  private isRefused = false;
  private steps = 0;
  private readonly plain: Arrays;
  private readonly inertia: Float64Array;

  constructor(
    private readonly n: number,
    columnCount: number,
    readonly parents: Int32Array,
  ) {
    this.plain = {
      factors: new Float64Array(n * n),
      roots: new Float64Array(4 * n),
      columns: new Float64Array(6 * columnCount),
    };
    this.inertia = new Float64Array(n * n);
  }

  /** D on the diagonal, L below it. */
  get factors(): Float64Array {
    return this.held === null ? this.plain.factors : readViews(this.held).factors;
  }

  /** Of D. */
  get roots(): Float64Array {
    return this.held === null ? this.plain.roots : readViews(this.held).roots;
  }

  /** Six numbers each. */
  get columns(): Float64Array {
    return this.held === null ? this.plain.columns : readViews(this.held).columns;
  }

  /** The robot's block in a kernel; 0 where it has none there. */
  addressIn(kernel: Kernel): number {
    return this.held?.kernel === kernel ? this.held.address : 0;
  }

  /** Where the kernel takes over, between steps. */
  start(): void {
    const { n, parents, plain } = this;
    if (this.isRefused || n === 0 || !isKernelForRobots(this.steps++)) return;
    if (this.held !== null && this.held.kernel === getKernel()) return;
    try {
      const held = createHeld(n, plain.columns.length, parents);
      this.held = held;
      forgotten.register(this, held);
    } catch {
      this.isRefused = true;
      this.held = null;
    }
  }

  /** Factorises M + diag(extra) and overwrites b with the solution; false, with b as it was, where that is singular. */
  factorize(M: Float64Array, extra: Float64Array, b: Float64Array): boolean {
    const { n, held, parents } = this;
    if (held !== null) {
      const { factors, roots } = readViews(held);
      factors.set(M);
      for (let k = 0; k < n; k++) {
        factors[k * n + k] += extra[k];
        roots[3 * n + k] = b[k];
      }
      if (held.functions.factorizeRobot(held.address) === 0) return false;
      for (let k = 0; k < n; k++) b[k] = roots[3 * n + k];
      return true;
    }
    const { inertia } = this;
    const { factors, roots } = this.plain;
    inertia.set(M);
    for (let k = 0; k < n; k++) inertia[k * n + k] += extra[k];
    if (!factorizeInertia(factors, inertia, n, parents)) return false;
    solveInertia(b, 1, factors, n, parents);
    for (let k = 0; k < n; k++) roots[k] = Math.sqrt(factors[k * n + k]);
    return true;
  }
}

function createHeld(n: number, columnNumbers: number, parents: Int32Array): Held {
  const kernel = getKernel();
  const functions = kernel.part(robotContacts);
  let bytes = L.STEPPED_HEADER_BYTES;
  const reserve = (length: number): number => {
    const at = bytes;
    bytes += Math.ceil(length / 16) * 16;
    return at;
  };
  const supports = reserve(16 * n);
  const runs = reserve(4 * n * (n + 1));
  const factors = reserve(8 * n * n);
  const columns = reserve(8 * columnNumbers);
  const roots = reserve(4 * 8 * n);
  const address = kernel.allocate(bytes);
  const { u32 } = kernel;
  u32.fill(0, address / 4, (address + bytes) / 4);
  for (const [field, at] of [
    [L.STEPPED_SUPPORTS, supports],
    [L.STEPPED_FACTORS, factors],
    [L.STEPPED_COLUMNS, columns],
    [L.STEPPED_ROOTS, roots],
  ])
    u32[(address + field) / 4] = address + at;
  u32[(address + L.STEPPED_BYTES) / 4] = bytes;
  u32[(address + L.STEPPED_N) / 4] = n;
  writeSupports(u32, address + supports, address + runs, parents, n);
  return { kernel, functions, address, columnNumbers, ...createViews(kernel, address, columnNumbers) };
}

/** Per velocity its supports with itself (address of the first run, end), and alone; 16 bytes at `table`, runs at `at`. */
export function writeSupports(u32: Uint32Array, table: number, at: number, parents: Int32Array, n: number): void {
  let runs = at / 4;
  for (let k = 0; k < n; k++) {
    const t = table / 4 + 4 * k;
    const parent = parents[k];
    const above = table / 4 + 4 * parent;
    u32[t] = 4 * runs;
    if (parent >= 0)
      for (let run = u32[above] / 4; run < u32[above + 1] / 4; run += 2) {
        u32[runs++] = u32[run];
        u32[runs++] = u32[run + 1];
      }
    if (parent >= 0 && parent === k - 1) u32[runs - 1]++;
    else {
      u32[runs++] = k;
      u32[runs++] = 1;
    }
    u32[t + 1] = 4 * runs;
    u32[t + 2] = parent >= 0 ? u32[above] : 0;
    u32[t + 3] = parent >= 0 ? u32[above + 1] : 0;
  }
}

function readViews(held: Held): Arrays {
  if (held.factors.length === 0) Object.assign(held, createViews(held.kernel, held.address, held.columnNumbers));
  return held;
}

function createViews({ memory: { buffer }, u32 }: Kernel, address: number, columnNumbers: number): Arrays {
  const at = (field: number): number => u32[(address + field) / 4];
  const n = at(L.STEPPED_N);
  return {
    factors: new Float64Array(buffer, at(L.STEPPED_FACTORS), n * n),
    roots: new Float64Array(buffer, at(L.STEPPED_ROOTS), 4 * n),
    columns: new Float64Array(buffer, at(L.STEPPED_COLUMNS), columnNumbers),
  };
}
