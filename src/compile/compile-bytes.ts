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
import { ConstantTable, emitProgram } from './emit-program.js';
import { emitTrigonometry } from './emit-trigonometry.js';
import { ExpressionGraph } from './expression-graph.js';
import { fingerprintModel } from './fingerprint.js';
import { InstructionWriter, type Lanes } from './instruction-writer.js';
import { type CellLayout, layOutCells } from './layout.js';
import { planProgram } from './plan-program.js';
import type { Output, TracedProgram } from './program.js';
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
  const layout = layOutCells(model);
  const programs = [
    traceAngles(model, layout, resolved),
    ...resolved.algorithms.map((name) => trace(name, model, layout, resolved)),
  ];
  const plans = programs.map((program) => planProgram(program, shape));
  const scratchStart = layout.end;
  const slots = Math.max(...plans.map((plan) => plan.slotCount));
  const constants = new ConstantTable(scratchStart + slots + (slots % 2));
  const emitted = programs.map((program, i) => emitProgram(program, plans[i], { lanes, scratchStart, constants }));

  // Pieces first, then one exported function per program that calls its pieces.
  const functions: FunctionBody[] = [emitTrigonometry(layout, lanes, constants)];
  const pieces = emitted.map((bodies) => bodies.map((body) => IMPORT_COUNT + functions.push(body) - 1));
  const exports: [string, number][] = [];
  const prepare = [...pieces[0], ...(layout.angles.count > 0 ? [IMPORT_COUNT] : [])];
  for (let i = 1; i < programs.length; i++) {
    exports.push([programs[i].name, functions.length]);
    functions.push(emitCalls([...prepare, ...pieces[i]], lanes));
  }
  const operations: Partial<Record<CompiledAlgorithm, number>> = {};
  resolved.algorithms.forEach((name, i) => {
    operations[name] = plans[i + 1].operationCount;
  });
  const header: ModuleHeader = { ...resolved, format: FORMAT, fingerprint: fingerprintModel(model), operations };
  return assembleModule({
    functions,
    exports,
    memoryBytes: 8 * lanes * (constants.start + constants.values.length),
    data: { address: 8 * lanes * constants.start, bytes: writeConstants(constants, lanes) },
    custom: { name: HEADER_SECTION, bytes: new TextEncoder().encode(JSON.stringify(header)) },
  });
}

function traceAngles(model: Model, layout: CellLayout, options: ResolvedOptions): TracedProgram {
  const graph = new ExpressionGraph();
  const outputs = new Mechanism(graph, model, layout, options).traceAngles();
  return { name: 'angles', graph, outputs: outputs.map(([cell, value]) => ({ cell, value })) };
}

function trace(name: CompiledAlgorithm, model: Model, layout: CellLayout, options: ResolvedOptions): TracedProgram {
  const graph = new ExpressionGraph();
  const mechanism = new Mechanism(graph, model, layout, options);
  const { armature } = options;
  const traces: Record<CompiledAlgorithm, () => Output[]> = {
    forwardKinematics: () => traceForwardKinematics(mechanism),
    jointJacobians: () => traceJointJacobians(mechanism),
    rnea: () => outputTorques(mechanism, traceRnea(mechanism, { ...options, accelerates: true })),
    crba: () => outputInertia(mechanism, traceCrba(mechanism, armature)),
    aba: () => traceAba(mechanism, options),
  };
  return { name, graph, outputs: traces[name]() };
}

function emitCalls(indices: readonly number[], lanes: Lanes): FunctionBody {
  const out = new InstructionWriter(lanes);
  for (const index of indices) out.call(index);
  return { locals: [], code: out.toBytes() };
}

function writeConstants(constants: ConstantTable, lanes: Lanes): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(8 * lanes * constants.values.length));
  constants.values.forEach((value, i) => {
    for (let lane = 0; lane < lanes; lane++) bytes.setFloat64(8 * (lanes * i + lane), value, true);
  });
  return new Uint8Array(bytes.buffer);
}
