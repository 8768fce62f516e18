export type { CodeShape, ModuleHeader } from './compile/compile-bytes.js';
export { compileModelBytes } from './compile/compile-bytes.js';
export type { CompiledAlgorithm, CompileOptions, ResolvedOptions } from './compile/compile-options.js';
export type { CompiledData, CompiledModel } from './compile/compiled-model.js';
export { compileModel, loadCompiledModel } from './compile/compiled-model.js';
export type { CompiledPair, Pair, PairData } from './compile/compiled-pair.js';
export { compileModelPair, loadCompiledPair, readLane } from './compile/compiled-pair.js';
export type { Lanes } from './compile/instruction-writer.js';
export type { CompiledSphereChecks } from './compile/sphere-checks/compile-sphere-checks.js';
export { compileSphereChecks } from './compile/sphere-checks/compile-sphere-checks.js';
export type { SphereObstacle } from './compile/sphere-checks/environment.js';
export type { SphereContact } from './compile/sphere-checks/find-contact.js';
export type { ImpossibleRequest } from './compile/sphere-checks/impossible-pairs.js';
export { proveImpossiblePairs } from './compile/sphere-checks/impossible-pairs.js';
export type { ImpossiblePairs, LinkPairProof } from './compile/sphere-checks/impossible-proof.js';
export type { SphereCheckOptions } from './compile/sphere-checks/options.js';
export type {
  CertifyMotionOptions,
  MotionCertificate,
  SphereCheckExports,
  SphereChecks,
} from './compile/sphere-checks/sphere-checks.js';
export type { CarriedSpheres } from './compile/sphere-checks/sphere-robot.js';
export { createSphereChecks } from './compile/sphere-checks/tabulated-sphere-checks.js';
export type { ImpossibleVerdict } from './compile/sphere-checks/verify-impossible.js';
export { verifyImpossiblePairs } from './compile/sphere-checks/verify-impossible.js';
export type { MotionClaim, MotionVerdict } from './compile/sphere-checks/verify-motion.js';
export { verifyMotion } from './compile/sphere-checks/verify-motion.js';
