export {
  computeFramePlacement,
  forwardKinematics,
  updateFramePlacements,
  updateKinematics,
  updateMovedFramePlacements,
} from './kinematics/forward-kinematics.js';
export type { JacobianReference } from './kinematics/frame-jacobian.js';
export { computeFrameJacobian } from './kinematics/frame-jacobian.js';
