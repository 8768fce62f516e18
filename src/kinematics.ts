export {
  computeFramePlacement,
  forwardKinematics,
  updateFramePlacements,
  updateKinematics,
  updateMovedFramePlacements,
} from './kinematics/forward-kinematics.js';
