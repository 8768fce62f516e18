export { computeCenterOfMass, computeCenterOfMassJacobian } from './kinematics/center-of-mass.js';
export {
  computeFramePlacement,
  forwardKinematics,
  updateFramePlacements,
  updateKinematics,
  updateMovedFramePlacements,
} from './kinematics/forward-kinematics.js';
export type { JacobianReference } from './kinematics/frame-jacobian.js';
export { computeFrameJacobian } from './kinematics/frame-jacobian.js';
export { computeFrameJacobianRate } from './kinematics/frame-jacobian-rate.js';
export {
  computeFrameAcceleration,
  computeFrameClassicalAcceleration,
  computeFrameVelocity,
} from './kinematics/frame-motion.js';
export { computeJointJacobians } from './kinematics/joint-jacobians.js';
export type { Manipulability, ManipulabilityRows } from './kinematics/manipulability.js';
export { computeManipulability, createManipulability } from './kinematics/manipulability.js';
export { computeMotion, computeVelocities } from './kinematics/motion.js';
export type { MotionData } from './kinematics/motion-data.js';
export { createMotionData } from './kinematics/motion-data.js';
