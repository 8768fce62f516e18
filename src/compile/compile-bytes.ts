/**
 * From a Model to the bytes of a WebAssembly module: traces each algorithm, plans and emits it, and assembles the module.
 *
 * The bytes depend on nothing but the model's numbers and the options, so they can be cached and compared. A custom section
 * `clearance.robot` holds a JSON header: format, the options, and a fingerprint of the model.
 * Cost: some milliseconds for a robot of ten joints, see docs/compile.md. Nothing is evaluated: no eval, no Function.
 * Tested by compile-model.test.ts.
 */
import { type Fields, requireCount, requireFields, requireOneOf, wholeFrom } from '../math/arguments.js';
import type { Model } from '../model/model.js';
import {
  type CompiledAlgorithm,
  type CompileOptions,
  type ResolvedOptions,
  resolveOptions,
} from './compile-options.js';
import { readDerivativeConstants, traceDerivatives } from './derivative-steps.js';
import { ConstantTable, type EmitOptions, emitLoop, emitProgram } from './emit-program.js';
import { emitTrigonometry } from './emit-trigonometry.js';
import { ExpressionGraph } from './expression-graph.js';
import { fingerprintModel } from './fingerprint.js';
import { InstructionWriter, type Lanes } from './instruction-writer.js';
import { type CellLayout, type DerivativeCells, layOutCells } from './layout.js';
import { type Plan, planProgram } from './plan-program.js';
import type { Step, TracedProgram } from './program.js';
import { traceAba } from './trace-aba.js';
import { outputInertia, traceCrba } from './trace-crba.js';
import { traceForwardKinematics, traceJointJacobians } from './trace-kinematics.js';
import { Mechanism } from './trace-mechanism.js';
import { outputTorques, traceRnea } from './trace-rnea.js';
import { assembleModule, type FunctionBody, IMPORT_COUNT } from './wasm-module.js';

const SHAPE: Fields = { segmentSize: wholeFrom(1), functionSize: wholeFrom(1) };

export const HEADER_SECTION = 'clearance.robot';
export const FORMAT = 1;

export interface ModuleHeader extends ResolvedOptions {
  readonly format: number;
  readonly fingerprint: string;
  /** Floating-point operations of each algorithm, sines and cosines not counted. */
  readonly operations: Readonly<Partial<Record<CompiledAlgorithm, number>>>;
}

/** Operations per segment and function; measured, see docs/compile.md. */
export interface CodeShape {
  readonly segmentSize: number;
  readonly functionSize: number;
}

const DEFAULT_SHAPE: CodeShape = { segmentSize: 150, functionSize: 1000 };

/** Bytes of the module for one configuration at a time (`lanes` 1) or for pairs (2). */
export function compileModelBytes(
  model: Model,
  options: CompileOptions = {},
  lanes: Lanes = 1,
  shape: CodeShape = DEFAULT_SHAPE,
): Uint8Array<ArrayBuffer> {
  requireOneOf('compileModelBytes', 'lanes', lanes, [1, 2]);
  requireFields('compileModelBytes', 'shape', shape, SHAPE);
  requireCount('compileModelBytes', 'shape.segmentSize', shape.segmentSize, 1);
  requireCount('compileModelBytes', 'shape.functionSize', shape.functionSize, 1);
  const resolved = resolveOptions(model, lanes, options);
  const layout = layOutCells(model, resolved.algorithms);
  const angles: Step[] = [{ kind: 'program', program: traceAngles(model, layout, resolved) }];
  const algorithms = resolved.algorithms.map((name) => trace(name, model, layout, resolved));
  const plans = new Map<TracedProgram, Plan>();
  for (const step of [angles, ...algorithms].flat()) {
    if (step.kind === 'program') plans.set(step.program, planProgram(step.program, shape));
    else if (step.kind === 'loop') plans.set(step.program, planProgram(step.program, WHOLE));
  }
  const table = algorithms.flat().flatMap((step) => (step.kind === 'calls' ? (step.table ?? []) : []));
  const tableCells = Math.ceil(table.length / (2 * lanes));
  const scratchStart = layout.end + tableCells + (tableCells % 2);
  const slots = Math.max(...Array.from(plans.values(), (plan) => plan.slotCount));
  const constants = new ConstantTable(scratchStart + slots + (slots % 2));

  // Pieces first, then one exported function per algorithm that calls its pieces.
  const functions: FunctionBody[] = [emitTrigonometry(layout, lanes, constants)];
  const emit = (steps: readonly Step[]) => emitSteps(steps, plans, functions, { lanes, scratchStart, constants });
  const prepare = [...emit(angles), ...(layout.angles.count > 0 ? [[IMPORT_COUNT]] : [])];
  const pieces = algorithms.map(emit);
  const exports: [string, number][] = [];
  const operations: Partial<Record<CompiledAlgorithm, number>> = {};
  resolved.algorithms.forEach((name, i) => {
    exports.push([name, functions.length]);
    functions.push(emitCalls([...prepare, ...pieces[i]], lanes));
    operations[name] = algorithms[i].reduce((sum, step) => sum + countOperations(step, plans), 0);
  });
  const header: ModuleHeader = { ...resolved, format: FORMAT, fingerprint: fingerprintModel(model), operations };
  const data = [{ address: 8 * lanes * constants.start, bytes: writeNumbers(constants.values, lanes) }];
  if (table.length > 0) data.unshift({ address: 8 * lanes * layout.end, bytes: writeIntegers(table) });
  if (layout.derivatives) data.unshift(...writeDerivativeConstants(model, layout, resolved));
  return assembleModule({
    functions,
    exports,
    memoryBytes: 8 * lanes * (constants.start + constants.values.length),
    data,
    custom: { name: HEADER_SECTION, bytes: new TextEncoder().encode(JSON.stringify(header)) },
  });
}

/** A loop's body is one segment: it has no scratch cells of its own for every round. */
const WHOLE: CodeShape = { segmentSize: Number.MAX_SAFE_INTEGER, functionSize: Number.MAX_SAFE_INTEGER };

/** Adds what the steps need to the module's functions; the calls to make: index, then arguments. */
function emitSteps(
  steps: readonly Step[],
  plans: ReadonlyMap<TracedProgram, Plan>,
  functions: FunctionBody[],
  options: EmitOptions,
): (readonly number[])[] {
  const add = (body: FunctionBody): number => IMPORT_COUNT + functions.push(body) - 1;
  return steps.flatMap((step): (readonly number[])[] => {
    if (step.kind === 'calls') {
      const indices = step.functions.map(add);
      return step.calls.map(([index, ...rest]) => [indices[index], ...rest]);
    }
    const plan = plans.get(step.program) as Plan;
    if (step.kind === 'loop') return step.count > 0 ? [[add(emitLoop(step.program, plan, options, step.count))]] : [];
    return emitProgram(step.program, plan, options).map((body) => [add(body)]);
  });
}

function countOperations(step: Step, plans: ReadonlyMap<TracedProgram, Plan>): number {
  if (step.kind === 'calls') return step.operations;
  const { operationCount } = plans.get(step.program) as Plan;
  return step.kind === 'loop' ? operationCount * step.count : operationCount;
}

/** What the loops over bodies and columns read of the model. */
function writeDerivativeConstants(model: Model, layout: CellLayout, options: ResolvedOptions) {
  const { bodyConstants, columnMasses } = layout.derivatives as DerivativeCells;
  const mechanism = new Mechanism(new ExpressionGraph(), model, layout, options);
  const { bodies, columns } = readDerivativeConstants(mechanism, layout.derivatives as DerivativeCells);
  return [
    { address: 8 * options.lanes * bodyConstants.start, bytes: writeNumbers(bodies, options.lanes) },
    { address: 8 * options.lanes * columnMasses.start, bytes: writeNumbers(columns, options.lanes) },
  ];
}

function traceAngles(model: Model, layout: CellLayout, options: ResolvedOptions): TracedProgram {
  const graph = new ExpressionGraph();
  const outputs = new Mechanism(graph, model, layout, options).traceAngles();
  return { name: 'angles', graph, outputs: outputs.map(([cell, value]) => ({ cell, value })) };
}

function trace(name: CompiledAlgorithm, model: Model, layout: CellLayout, options: ResolvedOptions): Step[] {
  if (name === 'rneaDerivatives' || name === 'abaDerivatives') return traceDerivatives(name, model, layout, options);
  const graph = new ExpressionGraph();
  const mechanism = new Mechanism(graph, model, layout, options);
  const { armature } = options;
  const traces = {
    forwardKinematics: () => traceForwardKinematics(mechanism),
    jointJacobians: () => traceJointJacobians(mechanism),
    rnea: () => outputTorques(mechanism, traceRnea(mechanism, { ...options, accelerates: true })),
    crba: () => outputInertia(mechanism, traceCrba(mechanism, armature)),
    aba: () => traceAba(mechanism, options),
  };
  return [{ kind: 'program', program: { name, graph, outputs: traces[name]() } }];
}

function emitCalls(calls: readonly (readonly number[])[], lanes: Lanes): FunctionBody {
  const out = new InstructionWriter(lanes);
  for (const [index, ...integers] of calls) {
    for (const integer of integers) out.integer(integer);
    out.call(index);
  }
  return { locals: [], code: out.toBytes() };
}

function writeNumbers(values: readonly number[], lanes: Lanes): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(8 * lanes * values.length));
  values.forEach((value, i) => {
    for (let lane = 0; lane < lanes; lane++) bytes.setFloat64(8 * (lanes * i + lane), value, true);
  });
  return new Uint8Array(bytes.buffer);
}

function writeIntegers(values: readonly number[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(4 * values.length));
  values.forEach((value, i) => {
    bytes.setInt32(4 * i, value, true);
  });
  return new Uint8Array(bytes.buffer);
}
