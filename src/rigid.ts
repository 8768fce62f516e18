export type { BodyPair, RigidCounts } from './rigid/body-pair.js';
export type { NarrowPlace, RigidCertificate, RigidPathProof } from './rigid/certify-path.js';
export { placeMesh } from './rigid/meshes.js';
export type { PlanRigidOptions, ScrewMotionProof } from './rigid/plan-rigid.js';
export { certifyRigidPath, certifyScrewMotion, planRigid, verifyRigidPath } from './rigid/plan-rigid.js';
export { projectRigidProblem, toRigidPath } from './rigid/plane-problem.js';
export type { RigidPose } from './rigid/pose.js';
export { interpolatePose } from './rigid/pose.js';
export type { RigidGroup, RigidProblem } from './rigid/problem.js';
export type { RigidSpace } from './rigid/rigid-planner.js';
export { createRigidSpace, registerRigidPlanner } from './rigid/rigid-planner.js';
export type {
  RigidEdge,
  RigidPlan,
  RigidProgress,
  RigidSearch,
  RigidSearchOptions,
  RigidStatus,
} from './rigid/rigid-search.js';
export { createRigidSearch } from './rigid/rigid-search.js';
export type { ScrewAxis } from './rigid/screw.js';
export { findScrewAxis, interpolateScrew } from './rigid/screw.js';
export type { AssemblyPart, AssemblySequence, SequenceOptions, SequenceStep } from './rigid/sequence.js';
export { planSequence } from './rigid/sequence.js';
export type { PoseFault } from './rigid/start-poses.js';
export type { SweptVolume, SweptVolumeOptions } from './rigid/swept-volume.js';
export { sweepRigidPath } from './rigid/swept-volume.js';
export type { TakeOutRequest, TakeOutSearch } from './rigid/take-out.js';
export { createTakeOutSearch, takeOut } from './rigid/take-out.js';
export type { CertificateVerdict } from './rigid/verify-path.js';
