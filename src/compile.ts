export type { CodeShape, ModuleHeader } from './compile/compile-bytes.js';
export { compileModelBytes } from './compile/compile-bytes.js';
export type { CompiledAlgorithm, CompileOptions, ResolvedOptions } from './compile/compile-options.js';
export type { CompiledData, CompiledModel } from './compile/compiled-model.js';
export { compileModel, loadCompiledModel } from './compile/compiled-model.js';
export type { CompiledPair, Pair, PairData } from './compile/compiled-pair.js';
export { compileModelPair, loadCompiledPair, readLane } from './compile/compiled-pair.js';
export type { Lanes } from './compile/instruction-writer.js';
