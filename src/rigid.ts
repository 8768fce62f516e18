export { BodyPair } from './rigid/body-pair.js';
export { createMotionProof, MotionCertifier } from './rigid/certify-motion.js';
export { joinMeshes, placeMesh } from './rigid/meshes.js';
export { createRigidSearch } from './rigid/rigid-search.js';
export { planSequence } from './rigid/sequence.js';
export { sweepRigidPath } from './rigid/swept-volume.js';
export { takeOut } from './rigid/take-out.js';
export { verifyRigidPoses } from './rigid/verify-path.js';
