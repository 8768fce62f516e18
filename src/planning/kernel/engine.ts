/**
 * The planner's module (assembly/planning/), linked with what checks motions.
 *
 * One instance per memory: a robot's compiled checks (`KernelChecks`) give theirs, and the loop calls them without JavaScript
 * between; for all other checkers there is one instance with a memory of its own, whose motions are asked of functions.
 * Addresses of searches stay; views are renewed when the memory has grown.
 */
import { moduleText } from '../../kernel/generated/planner-module.js';
import { unpackModule } from '../../kernel/packed-module.js';
import { MisuseError } from '../../math/misuse.js';
import type { KernelChecks } from '../types.js';

export interface PlannerFunctions {
  initialize(base: number): void;
  createSearch(dimension: number): number;
  openSearch(search: number): void;
  releaseSearch(): void;
  startTrees(): void;
  releaseTrees(): void;
  /** Trees: 0 the start's, 1 the goals'. `parent` -1 makes a root. */
  addState(tree: number, state: number, parent: number): number;
  nearestTo(tree: number, state: number): number;
  remove(tree: number, node: number): void;
  stateOf(tree: number, node: number): number;
  parent(tree: number, node: number): number;
  draw(out: number): void;
  /** Address of room for GIVEN_STATES states. */
  openDraws(): number;
  tryStraight(): number;
  grow(iterations: number): number;
  openPath(states: number): number;
  forgetFailures(): void;
  simplifyRound(leastChange: number, step: number, proves: number): number;
  measurePath(): number;
  tidyPath(): number;
  findBlocked(step: number, coarse: number, proves: number): number;
}

/** Decides about the motion between the states at two addresses; `step` is what the search was given for it. */
export type AskMotion = (a: number, b: number, step: number) => boolean;

let compiled: WebAssembly.Module | undefined;

function compile(): WebAssembly.Module {
  if (compiled) return compiled;
  try {
    compiled = new WebAssembly.Module(unpackModule(moduleText));
  } catch (cause) {
    throw new MisuseError(
      'planPath: WebAssembly with SIMD, got a compile error, expected an engine that supports it and allows it here (content security policy: wasm-unsafe-eval); or engine: "script"',
      { cause },
    );
  }
  return compiled;
}

export class PlannerEngine {
  readonly functions: PlannerFunctions;
  /** The search that the module has open. */
  open = 0;
  /** Who is asked about motions, where no module is. */
  asker: AskMotion | null = null;
  #f64: Float64Array;
  #i32: Int32Array;

  constructor(
    readonly memory: WebAssembly.Memory,
    base: number,
    checks?: KernelChecks,
  ) {
    const ask = (a: number, b: number, step: number): number => (this.asker?.(a >>> 0, b >>> 0, step) ? 1 : 0);
    const abort = (): never => {
      throw new Error('planner kernel: out of memory');
    };
    const motion = checks?.motion ?? ask;
    const certify = checks?.certify ?? ((): number => 0);
    const instance = new WebAssembly.Instance(compile(), { env: { memory, abort }, checks: { motion, certify } });
    this.functions = instance.exports as unknown as PlannerFunctions;
    this.#f64 = new Float64Array(memory.buffer);
    this.#i32 = new Int32Array(memory.buffer);
    this.functions.initialize(base);
  }

  get f64(): Float64Array {
    if (this.#f64.length === 0) this.#f64 = new Float64Array(this.memory.buffer);
    return this.#f64;
  }

  get i32(): Int32Array {
    if (this.#i32.length === 0) this.#i32 = new Int32Array(this.memory.buffer);
    return this.#i32;
  }
}

/** The first addresses stay unused, so that a null pointer is none of ours. */
const OWN_BASE = 1024;
const MAX_PAGES = 65536;
let own: PlannerEngine | undefined;
let linked = new WeakMap<WebAssembly.Memory, PlannerEngine>();

/** Takes this module from now on; searches that are open keep theirs. */
export function usePlannerModule(module: WebAssembly.Module): void {
  compiled = module;
  own = undefined;
  linked = new WeakMap();
}

/** The engine whose motions are asked of functions. */
export function hostEngine(): PlannerEngine {
  own ??= new PlannerEngine(new WebAssembly.Memory({ initial: 2, maximum: MAX_PAGES }), OWN_BASE);
  return own;
}

/** The engine in the memory of these checks. */
export function engineOf(checks: KernelChecks): PlannerEngine {
  const { memory, heapBase } = checks;
  let engine = linked.get(memory);
  if (!engine) {
    engine = new PlannerEngine(memory, heapBase, checks);
    linked.set(memory, engine);
  }
  return engine;
}
