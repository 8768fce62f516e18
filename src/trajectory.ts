export type { BlendedPathOptions } from './trajectory/blended-path.js';
export { createBlendedPath } from './trajectory/blended-path.js';
export { joinTrajectories } from './trajectory/joined-trajectory.js';
export type { CurvePiece, CurveTerm, JointCurve } from './trajectory/joint-curve.js';
export type { BSplineOptions, CubicTrajectoryOptions, QuinticTrajectoryOptions } from './trajectory/joint-splines.js';
export { createBSplineTrajectory, createCubicTrajectory, createQuinticTrajectory } from './trajectory/joint-splines.js';
export type { LimitOptions, LimitValues, MotionLimits } from './trajectory/limits.js';
export { createLimits } from './trajectory/limits.js';
export { isMotionCurve, type MotionCurve } from './trajectory/motion-curve.js';
export type { MotionProfile, ProfileEnds, ProfileLimits } from './trajectory/motion-profile.js';
export { findDuration, planProfile, planTimedProfile } from './trajectory/motion-profile.js';
export type {
  CheckedTrajectory,
  CheckTrajectoryOptions,
  MotionCheck,
  PathInScene,
  PathInSceneOptions,
} from './trajectory/path-in-scene.js';
export { checkTrajectory, createPathInScene } from './trajectory/path-in-scene.js';
export type { PathLimit, PathPlace, PathRows } from './trajectory/path-limit.js';
export type { PointToPointOptions, PointToPointResult, PointToPointTrajectory } from './trajectory/point-to-point.js';
export { planPointToPoint } from './trajectory/point-to-point.js';
export type { PoseMotion } from './trajectory/pose-motion.js';
export { createPoseMotion } from './trajectory/pose-motion.js';
export type { RetimedTrajectory, TimeLaw } from './trajectory/retimed-trajectory.js';
export type { SampledTrajectory } from './trajectory/sampled-trajectory.js';
export { createSampledTrajectory } from './trajectory/sampled-trajectory.js';
export type { SplinePathOptions } from './trajectory/spline-path.js';
export { createSplinePath } from './trajectory/spline-path.js';
export type { TimeOptimalOptions, TimeOptimalResult } from './trajectory/time-optimal.js';
export { parameterizeTimeOptimal } from './trajectory/time-optimal.js';
export type { Trajectory, TrajectoryPoint, TrajectorySamples } from './trajectory/trajectory.js';
export { createTrajectoryPoint, sampleTimes, sampleTrajectory } from './trajectory/trajectory.js';
export type { TrajectoryTable } from './trajectory/trajectory-table.js';
export { toTrajectoryTable } from './trajectory/trajectory-table.js';
export type { TrajectoryReport, ValidateOptions, Violation, ViolationKind } from './trajectory/validate-trajectory.js';
export { validateTrajectory } from './trajectory/validate-trajectory.js';
