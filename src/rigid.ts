export { BodyPair } from './rigid/body-pair.js';
export { createMotionProof, MotionCertifier } from './rigid/certify-motion.js';
export { createRigidSearch } from './rigid/rigid-search.js';
export { verifyRigidPoses } from './rigid/verify-path.js';
