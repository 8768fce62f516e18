/**
 * A robot compiled for pairs of configurations: every call answers two, one in each lane of 128-bit registers.
 *
 * Arrays of `PairData` are those of `CompiledData` with two numbers per entry: entry i of configuration `lane` (0 or 1) is at
 * 2 i + lane. `readLane` copies one configuration's numbers out. Lane for lane the results have the bits of `CompiledModel`.
 * Fails: as `CompiledModel`. Cost: about half the time per configuration, see docs/compile.md.
 * Tested by compiled-pair.test.ts.
 */

import type { ForwardDynamicsStatus } from '../dynamics/aba.js';
import { computeAbaDerivatives } from '../dynamics/aba-derivatives.js';
import { createDynamicsData, type DynamicsData } from '../dynamics/dynamics-data.js';
import { checkExternalForces } from '../dynamics/rnea.js';
import { computeRneaDerivatives } from '../dynamics/rnea-derivatives.js';
import { requireFloats, requireOneOf } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { type Model, setBasePlacement } from '../model/model.js';
import { compileModelBytes, type ModuleHeader } from './compile-bytes.js';
import { type CompiledAlgorithm, type CompileOptions, dynamicsOf } from './compile-options.js';
import { type CellLayout, type CellRange, layOutCells } from './layout.js';
import { instantiate, loadModule, type ModuleExports } from './load-module.js';

/** The numbers of the first and the second configuration. */
export type Pair = readonly [ArrayLike<number>, ArrayLike<number>];

export interface PairData {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly a: Float64Array;
  /** Result of `rnea`; argument of `aba`. */
  readonly tau: Float64Array;
  /** X_WJ, 12 entries per joint; the first twelve entries are X_WB, read by modules compiled `movable`. */
  readonly jointPlacements: Float64Array;
  /** Result of `jointJacobians`: 6 x nv entries, row-major. */
  readonly jacobians: Float64Array;
  /** Result of `crba`: nv x nv entries, row-major. */
  readonly M: Float64Array;
  /** Result of `aba`. */
  readonly ddq: Float64Array;
  readonly externalForces: Float64Array;
  /** World axes, read by modules compiled `movable`. */
  readonly gravity: Float64Array;
  /** Results of `rneaDerivatives` and `abaDerivatives`, nv x nv entries, row-major; empty where those are not compiled. */
  readonly dtauDq: Float64Array;
  readonly dtauDv: Float64Array;
  readonly ddqDq: Float64Array;
  readonly ddqDv: Float64Array;
  readonly inverseM: Float64Array;
  /** Of the last `aba` or `abaDerivatives`: 0 where it was regular, 1 where it was singular. */
  readonly status: Float64Array;
  /** @internal */
  readonly program: ModuleExports;
  /** @internal */
  readonly owner: CompiledPair;
}

export function compileModelPair(model: Model, options: CompileOptions = {}): CompiledPair {
  return loadCompiledPair(compileModelBytes(model, options, 2), model);
}

/** From the bytes of `compileModelBytes(model, options, 2)` or a module made of them; see `loadCompiledModel`. */
export function loadCompiledPair(source: BufferSource | WebAssembly.Module, model: Model): CompiledPair {
  const { module, header } = loadModule(source, model, 2);
  return new CompiledPair(model, module, header);
}

/** Numbers of one configuration: out[i] = pairs[2 i + lane]. */
export function readLane(out: Float64Array, pairs: Float64Array, lane: 0 | 1): Float64Array {
  requireFloats('readLane', 'out', out);
  requireFloats('readLane', 'pairs', pairs);
  requireOneOf('readLane', 'lane', lane, [0, 1]);
  if (pairs.length !== 2 * out.length) {
    throw new MisuseError(`readLane: pairs, got ${pairs.length} numbers, expected ${2 * out.length}`);
  }
  for (let i = 0; i < out.length; i++) out[i] = pairs[2 * i + lane];
  return out;
}

type DerivativeName = 'dtauDq' | 'dtauDv' | 'ddqDq' | 'ddqDv' | 'inverseM';
const DERIVATIVES: readonly DerivativeName[] = ['dtauDq', 'dtauDv', 'ddqDq', 'ddqDv', 'inverseM'];

function writeLane(pairs: Float64Array, values: Float64Array, lane: 0 | 1): void {
  for (let i = 0; i < values.length && 2 * i < pairs.length; i++) pairs[2 * i + lane] = values[i];
}

export class CompiledPair {
  readonly #layout: CellLayout;
  readonly #base = new Float64Array(12);
  #generic: DynamicsData | null = null;

  /** @internal */
  constructor(
    readonly model: Model,
    readonly module: WebAssembly.Module,
    readonly header: ModuleHeader,
  ) {
    this.#layout = layOutCells(model, header.algorithms);
  }

  createData(): PairData {
    const program = instantiate(this.module);
    const layout = this.#layout;
    const view = ({ start, count }: CellRange) => new Float64Array(program.memory.buffer, 16 * start, 2 * count);
    const none = { start: 0, count: 0 };
    const matrix = (name: DerivativeName) => view(layout.derivatives?.[name] ?? none);
    const data: PairData = {
      q: view(layout.q),
      v: view(layout.v),
      a: view(layout.a),
      tau: view(layout.tau),
      jointPlacements: view(layout.placements),
      jacobians: view(layout.jacobians),
      M: view(layout.M),
      ddq: view(layout.ddq),
      externalForces: view(layout.forces),
      gravity: view(layout.gravity),
      dtauDq: matrix('dtauDq'),
      dtauDv: matrix('dtauDv'),
      ddqDq: matrix('ddqDq'),
      ddqDv: matrix('ddqDv'),
      inverseM: matrix('inverseM'),
      status: view(layout.status),
      program,
      owner: this,
    };
    const { basePlacement } = this.model;
    loadPair(data.jointPlacements.subarray(0, 24), [basePlacement, basePlacement], 'createData: base');
    loadPair(data.gravity, [this.header.gravity, this.header.gravity], 'createData: gravity');
    return data;
  }

  forwardKinematics(data: PairData, q: Pair): Float64Array {
    const run = this.#start(data, 'forwardKinematics');
    loadPair(data.q, q, 'forwardKinematics: q');
    run();
    return data.jointPlacements;
  }

  jointJacobians(data: PairData, q: Pair): Float64Array {
    const run = this.#start(data, 'jointJacobians');
    loadPair(data.q, q, 'jointJacobians: q');
    run();
    return data.jacobians;
  }

  rnea(data: PairData, q: Pair, v: Pair, a: Pair, externalForces: Pair | null = null): Float64Array {
    const run = this.#start(data, 'rnea');
    loadPair(data.q, q, 'rnea: q');
    loadPair(data.v, v, 'rnea: v');
    loadPair(data.a, a, 'rnea: a');
    this.#loadForces(data, externalForces);
    run();
    return data.tau;
  }

  crba(data: PairData, q: Pair): Float64Array {
    const run = this.#start(data, 'crba');
    loadPair(data.q, q, 'crba: q');
    run();
    return data.M;
  }

  /** 'singular' when one of the two is; `data.status` says which, and its accelerations are no solution. */
  aba(data: PairData, q: Pair, v: Pair, tau: Pair, externalForces: Pair | null = null): ForwardDynamicsStatus {
    const run = this.#start(data, 'aba');
    loadPair(data.q, q, 'aba: q');
    loadPair(data.v, v, 'aba: v');
    loadPair(data.tau, tau, 'aba: tau');
    this.#loadForces(data, externalForces);
    run();
    return data.status[0] === 0 && data.status[1] === 0 ? 'ok' : 'singular';
  }

  rneaDerivatives(data: PairData, q: Pair, v: Pair, a: Pair, externalForces: Pair | null = null): void {
    const run = this.#start(data, 'rneaDerivatives');
    loadPair(data.q, q, 'rneaDerivatives: q');
    loadPair(data.v, v, 'rneaDerivatives: v');
    loadPair(data.a, a, 'rneaDerivatives: a');
    this.#loadForces(data, externalForces);
    if (!this.#hasMimic) {
      run();
      return;
    }
    for (const lane of [0, 1] as const) {
      const generic = this.#prepareGeneric(data, lane);
      computeRneaDerivatives(this.model, generic, q[lane], v[lane], a[lane], externalForces?.[lane] ?? null);
      for (const name of ['dtauDq', 'dtauDv', 'tau'] as const) writeLane(data[name], generic[name], lane);
    }
  }

  /** 'singular' when one of the two is; `data.status` says which, and its matrices are of no use. */
  abaDerivatives(
    data: PairData,
    q: Pair,
    v: Pair,
    tau: Pair,
    externalForces: Pair | null = null,
  ): ForwardDynamicsStatus {
    const run = this.#start(data, 'abaDerivatives');
    loadPair(data.q, q, 'abaDerivatives: q');
    loadPair(data.v, v, 'abaDerivatives: v');
    loadPair(data.tau, tau, 'abaDerivatives: tau');
    this.#loadForces(data, externalForces);
    if (!this.#hasMimic) run();
    for (const lane of this.#hasMimic ? ([0, 1] as const) : []) {
      const generic = this.#prepareGeneric(data, lane);
      const forces = externalForces?.[lane] ?? null;
      const status = computeAbaDerivatives(this.model, generic, q[lane], v[lane], tau[lane], forces);
      data.status[lane] = status === 'ok' ? 0 : 1;
      for (const name of ['ddq', ...DERIVATIVES] as const) writeLane(data[name], generic[name], lane);
    }
    return data.status[0] === 0 && data.status[1] === 0 ? 'ok' : 'singular';
  }

  /** Columns of joints that mimic add up, which only the generic functions do. */
  get #hasMimic(): boolean {
    return this.model.mimicDrivers.some((driver) => driver > 0);
  }

  /** Data for the generic functions with the base and the gravity of one lane. */
  #prepareGeneric(data: PairData, lane: 0 | 1): DynamicsData {
    this.#generic ??= createDynamicsData(this.model, dynamicsOf(this.header));
    readLane(this.#base, data.jointPlacements.subarray(0, 24), lane);
    setBasePlacement(this.#generic.kinematics, this.#base);
    readLane(this.#generic.gravity, data.gravity, lane);
    return this.#generic;
  }

  #start(data: PairData, algorithm: CompiledAlgorithm): () => void {
    if (data.owner !== this) {
      throw new MisuseError(`${algorithm}: data of robot "${this.model.name}", got data of another compiled model`);
    }
    const run = data.program[algorithm];
    if (run === undefined) {
      throw new MisuseError(
        `${algorithm}: robot "${this.model.name}", got a module compiled for ${this.header.algorithms.join(', ')}`,
      );
    }
    return run;
  }

  #loadForces(data: PairData, externalForces: Pair | null): void {
    if (!this.header.externalForces) {
      if (externalForces === null) return;
      throw new MisuseError(
        `externalForces: robot "${this.model.name}", got forces, expected the option externalForces when compiling`,
      );
    }
    if (externalForces === null) {
      data.externalForces.fill(0);
      return;
    }
    for (const forces of externalForces) checkExternalForces(this.model, forces);
    loadPair(data.externalForces, externalForces, 'externalForces');
  }
}

/** Both arguments side by side; a wrong length or a number that is not finite throws. */
function loadPair(target: Float64Array, [first, second]: Pair, what: string): void {
  const n = target.length / 2;
  if (first.length !== n || second.length !== n) {
    throw new MisuseError(`${what}, got ${first.length} and ${second.length} numbers, expected ${n} each`);
  }
  let zero = 0;
  for (let i = 0; i < n; i++) {
    const x = first[i];
    const y = second[i];
    target[2 * i] = x;
    target[2 * i + 1] = y;
    zero += x * 0 + y * 0;
  }
  if (zero !== 0) {
    throw new MisuseError(`${what}, got [${Array.from(first)}] and [${Array.from(second)}], expected finite numbers`);
  }
}
