/**
 * A robot compiled to WebAssembly: forward kinematics, Jacobians, RNEA, CRBA and ABA with the interface of the generic
 * functions, writing the same arrays.
 *
 * `createData` makes a `DynamicsData` whose arguments and results are views of one module instance's memory, so nothing is
 * copied and the generic functions of kinematics and dynamics take the same data. The memory never grows: views stay valid.
 *
 *   method               writes                                                  equals
 *   forwardKinematics    data.kinematics.jointPlacements, moved, lastConfiguration   forwardKinematics(model, data.kinematics, q)
 *   jointJacobians       data.jacobians                                          computeJointJacobians
 *   rnea                 data.tau                                                rnea
 *   crba                 data.M                                                  crba
 *   aba                  data.ddq                                                aba
 *   rneaDerivatives      data.dtauDq, dtauDv, tau                                computeRneaDerivatives
 *   abaDerivatives       data.ddqDq, ddqDv, inverseM, dtauDq, dtauDv, ddq        computeAbaDerivatives
 *
 * The last two are compiled on request (`algorithms`). Of robots with mimic joints they are the generic functions.
 * Arrays not named (velocities, forces of bodies...) are not written. Frames: see the generic functions.
 * Accuracy: equal to the generic functions to rounding; tested to 1e-12 of the largest entry. The same bits on every engine:
 * the code has only IEEE 754 basic operations, sines and cosines included.
 * Fails: a q, v, a or tau of the wrong length or with a number that is not finite throws a RangeError, as does data of another
 * compiled model. ABA's status is 'singular' where a joint has no inertia: as in the generic function the accelerations
 * are then no solution.
 * Tested by compile-model.test.ts and test/oracle/compile.test.ts.
 */

import { type ForwardDynamicsStatus, aba as genericAba } from '../dynamics/aba.js';
import { computeAbaDerivatives } from '../dynamics/aba-derivatives.js';
import { createDynamicsData, type DynamicsData } from '../dynamics/dynamics-data.js';
import { checkExternalForces } from '../dynamics/rnea.js';
import { computeRneaDerivatives } from '../dynamics/rnea-derivatives.js';
import { loadNumbers } from '../kinematics/motion-data.js';
import { MisuseError } from '../math/misuse.js';
import type { Model } from '../model/model.js';
import { compileModelBytes, type ModuleHeader } from './compile-bytes.js';
import type { CompiledAlgorithm, CompileOptions } from './compile-options.js';
import { dynamicsOf } from './compile-options.js';
import { type CellLayout, type CellRange, layOutCells } from './layout.js';
import { instantiate, loadModule, type ModuleExports } from './load-module.js';

export interface CompiledData extends DynamicsData {
  /** Result of `jointJacobians`: 6 x nv, row-major, world axes at the world's origin. */
  readonly jacobians: Float64Array;
  /** External forces of the last call that took them, 6 per joint. */
  readonly externalForces: Float64Array;
  /** @internal */
  readonly status: Float64Array;
  /** @internal */
  readonly program: ModuleExports;
  /** @internal */
  readonly owner: CompiledModel;
}

/** Compiles a robot. The bytes can be kept: see `compileModelBytes` and `loadCompiledModel`. */
export function compileModel(model: Model, options: CompileOptions = {}): CompiledModel {
  return loadCompiledModel(compileModelBytes(model, options), model);
}

/**
 * A compiled robot from bytes of `compileModelBytes`, or from a module compiled of them asynchronously, where an engine limits
 * synchronous compilation. Throws a RangeError when they belong to another model or another version of the format.
 */
export function loadCompiledModel(source: BufferSource | WebAssembly.Module, model: Model): CompiledModel {
  const { module, header } = loadModule(source, model, 1);
  return new CompiledModel(model, module, header);
}

/** Views of the derivatives' matrices, where they are compiled. */
function viewDerivatives(layout: CellLayout, view: (range: CellRange) => Float64Array) {
  const { derivatives: cells } = layout;
  if (cells === null) return {};
  const byTorque = { dtauDq: view(cells.dtauDq), dtauDv: view(cells.dtauDv) };
  if (cells.ddqDq.count === 0) return byTorque;
  return { ...byTorque, ddqDq: view(cells.ddqDq), ddqDv: view(cells.ddqDv), inverseM: view(cells.inverseM) };
}

export class CompiledModel {
  readonly #layout: CellLayout;
  readonly #base: Float64Array;
  #generic: DynamicsData | null = null;

  /** @internal */
  constructor(
    readonly model: Model,
    readonly module: WebAssembly.Module,
    readonly header: ModuleHeader,
  ) {
    this.#layout = layOutCells(model, header.algorithms);
    this.#base = model.basePlacement;
  }

  createData(): CompiledData {
    const { model, header } = this;
    const data = createDynamicsData(model, dynamicsOf(header));
    const program = instantiate(this.module);
    const layout = this.#layout;
    const view = ({ start, count }: CellRange) => new Float64Array(program.memory.buffer, 8 * start, count);
    const jointPlacements = view(layout.placements);
    jointPlacements.set(data.kinematics.jointPlacements);
    const gravity = view(layout.gravity);
    gravity.set(data.gravity);
    return {
      ...data,
      kinematics: { ...data.kinematics, jointPlacements },
      gravity,
      q: view(layout.q),
      v: view(layout.v),
      a: view(layout.a),
      tau: view(layout.tau),
      M: view(layout.M),
      ddq: view(layout.ddq),
      jacobians: view(layout.jacobians),
      externalForces: view(layout.forces),
      status: view(layout.status),
      ...viewDerivatives(layout, view),
      program,
      owner: this,
    };
  }

  forwardKinematics(data: CompiledData, q: ArrayLike<number>): void {
    const run = this.#start(data, 'forwardKinematics');
    loadNumbers(data.q, q, 'forwardKinematics: q');
    run();
    const { lastConfiguration, moved } = data.kinematics;
    for (let i = 0; i < lastConfiguration.length; i++) lastConfiguration[i] = q[i];
    moved.fill(1);
  }

  jointJacobians(data: CompiledData, q: ArrayLike<number>): Float64Array {
    const run = this.#start(data, 'jointJacobians');
    loadNumbers(data.q, q, 'jointJacobians: q');
    run();
    return data.jacobians;
  }

  rnea(
    data: CompiledData,
    q: ArrayLike<number>,
    v: ArrayLike<number>,
    a: ArrayLike<number>,
    externalForces: ArrayLike<number> | null = null,
  ): Float64Array {
    const run = this.#start(data, 'rnea');
    loadNumbers(data.q, q, 'rnea: q');
    loadNumbers(data.v, v, 'rnea: v');
    loadNumbers(data.a, a, 'rnea: a');
    this.#loadForces(data, externalForces);
    run();
    return data.tau;
  }

  crba(data: CompiledData, q: ArrayLike<number>): Float64Array {
    const run = this.#start(data, 'crba');
    loadNumbers(data.q, q, 'crba: q');
    run();
    return data.M;
  }

  aba(
    data: CompiledData,
    q: ArrayLike<number>,
    v: ArrayLike<number>,
    tau: ArrayLike<number>,
    externalForces: ArrayLike<number> | null = null,
  ): ForwardDynamicsStatus {
    const run = this.#start(data, 'aba');
    loadNumbers(data.q, q, 'aba: q');
    loadNumbers(data.v, v, 'aba: v');
    loadNumbers(data.tau, tau, 'aba: tau');
    this.#loadForces(data, externalForces);
    run();
    if (data.status[0] === 0 && !(data.hasLightBodies && this.#isSingular(q, v, tau))) return 'ok';
    if (data.status[0] === 0) data.ddq.fill(0);
    if (data.hasMimic) data.ddq.fill(0);
    return 'singular';
  }

  /** External forces stay fixed in their joints' frames. */
  rneaDerivatives(
    data: CompiledData,
    q: ArrayLike<number>,
    v: ArrayLike<number>,
    a: ArrayLike<number>,
    externalForces: ArrayLike<number> | null = null,
  ): void {
    const run = this.#start(data, 'rneaDerivatives');
    loadNumbers(data.q, q, 'rneaDerivatives: q');
    loadNumbers(data.v, v, 'rneaDerivatives: v');
    loadNumbers(data.a, a, 'rneaDerivatives: a');
    this.#loadForces(data, externalForces);
    if (data.hasMimic) computeRneaDerivatives(this.model, data, q, v, a, externalForces);
    else run();
  }

  /** 'singular' as `aba`; the matrices are then zero. */
  abaDerivatives(
    data: CompiledData,
    q: ArrayLike<number>,
    v: ArrayLike<number>,
    tau: ArrayLike<number>,
    externalForces: ArrayLike<number> | null = null,
  ): ForwardDynamicsStatus {
    const run = this.#start(data, 'abaDerivatives');
    loadNumbers(data.q, q, 'abaDerivatives: q');
    loadNumbers(data.v, v, 'abaDerivatives: v');
    loadNumbers(data.tau, tau, 'abaDerivatives: tau');
    this.#loadForces(data, externalForces);
    if (data.hasMimic) return computeAbaDerivatives(this.model, data, q, v, tau, externalForces);
    run();
    if (data.status[0] === 0 && !(data.hasLightBodies && this.#isSingular(q, v, tau))) return 'ok';
    if (data.status[0] === 0) data.ddq.fill(0);
    for (const matrix of [data.ddqDq, data.ddqDv, data.inverseM]) matrix.fill(0);
    return 'singular';
  }

  /** The compiled recursion knows no rests of rounding: where bodies have no mass, the generic one decides. */
  #isSingular(q: ArrayLike<number>, v: ArrayLike<number>, tau: ArrayLike<number>): boolean {
    this.#generic ??= createDynamicsData(this.model, dynamicsOf(this.header));
    return genericAba(this.model, this.#generic, q, v, tau) !== 'ok';
  }

  /** The module's function for this data, once the data is known to fit what was compiled. */
  #start(data: CompiledData, algorithm: CompiledAlgorithm): () => void {
    if (data.owner !== this) {
      throw new MisuseError(`${algorithm}: data of robot "${this.model.name}", got data of another compiled model`);
    }
    // NaN marks data without results, or with a base that was moved since.
    const last = data.kinematics.lastConfiguration;
    if (last.length > 0 && Number.isNaN(last[0]) && !this.header.movable) this.#checkBase(data, algorithm);
    const run = data.program[algorithm];
    if (run === undefined) {
      throw new MisuseError(
        `${algorithm}: robot "${this.model.name}", got a module compiled for ${this.header.algorithms.join(', ')}`,
      );
    }
    return run;
  }

  #checkBase(data: CompiledData, algorithm: CompiledAlgorithm): void {
    const placement = data.kinematics.jointPlacements;
    for (let i = 0; i < 12; i++) {
      if (placement[i] === this.#base[i]) continue;
      throw new MisuseError(
        `${algorithm}: base of robot "${this.model.name}", got a placement other than the model's, expected the option movable when compiling`,
      );
    }
  }

  #loadForces(data: CompiledData, externalForces: ArrayLike<number> | null): void {
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
    checkExternalForces(this.model, externalForces);
    data.externalForces.set(externalForces);
  }
}
