export type { DerivativeReport, DerivativeRequest, DifferenceSpace } from './control/derivatives/check-derivatives.js';
export { checkDerivatives } from './control/derivatives/check-derivatives.js';
export type { ConstrainedDerivatives } from './control/derivatives/constrained-derivatives.js';
export {
  computeConstrainedDerivatives,
  computeImpulseDerivatives,
  createConstrainedDerivatives,
} from './control/derivatives/constrained-derivatives.js';
export type { FrameDerivatives } from './control/derivatives/frame-motion-derivatives.js';
export type {
  DistanceGradientOptions,
  DistanceGradients,
  PairGradient,
} from './control/distance/distance-gradients.js';
export { createDistanceGradients } from './control/distance/distance-gradients.js';
export { softDistance } from './control/distance/soft-distance.js';
export type { SweptDistanceOptions, SweptDistances, SweptPair } from './control/distance/swept-distance.js';
export { sweptDistances } from './control/distance/swept-distance.js';
export type { FiniteLqr, FiniteLqrRequest } from './control/linear/finite-lqr.js';
export { solveFiniteLqr } from './control/linear/finite-lqr.js';
export type { KalmanFilter, KalmanRequest, SteadyKalman } from './control/linear/kalman.js';
export { createKalmanFilter, predictKalman, solveSteadyKalman, updateKalman } from './control/linear/kalman.js';
export type { LinearQuadraticSolution, LinearStage, TerminalCost } from './control/linear/linear-quadratic.js';
export { solveLinearQuadratic } from './control/linear/linear-quadratic.js';
export type { TimeKind } from './control/linear/riccati-residual.js';
export type { RiccatiRequest, RiccatiSolution, RiccatiStatus } from './control/linear/solve-riccati.js';
export { solveRiccati } from './control/linear/solve-riccati.js';
export type { TrackingController, TrackingRequest } from './control/linear/track-reference.js';
export { trackReference } from './control/linear/track-reference.js';
export type {
  MotionPlace,
  MotionPlan,
  MotionRequest,
  MotionStatus,
  MotionSurroundings,
} from './control/motions/plan-motion.js';
export { planMotion } from './control/motions/plan-motion.js';
export type {
  CircMove,
  JointValues,
  LinMove,
  MotionProgram,
  MoveDescription,
  MoveSettings,
  PointDescription,
  PointParts,
  PtpMove,
  SeamMove,
  SplineMove,
  TargetDescription,
  ToolDescription,
  WaitMove,
} from './control/motions/program.js';
export type { MoveReport, SlowPlace } from './control/motions/report-moves.js';
export type { ProgramContext } from './control/motions/resolve-program.js';
export type {
  PredictiveController,
  PredictiveControllerRequest,
  PredictiveCycle,
  PredictiveReport,
} from './control/mpc/predictive-controller.js';
export { createPredictiveController } from './control/mpc/predictive-controller.js';
export type { DescentLog, DescentResult } from './control/paths/descent.js';
export type { ConfigurationText, OptimisationDescription } from './control/paths/description.js';
export type {
  PathAttempt,
  PathLimitOptions,
  PathMethod,
  PathOptimisation,
  PathOptimisationRequest,
  PathPlace,
} from './control/paths/optimise-path.js';
export { optimisePath } from './control/paths/optimise-path.js';
export type { Activation } from './control/shooting/activations.js';
export {
  createQuadraticBarrier,
  createSmoothAbsolute,
  createWeightedQuadratic,
} from './control/shooting/activations.js';
export type { CostTerm } from './control/shooting/cost-sum.js';
export { drawShootingLog } from './control/shooting/draw-log.js';
export type { FunctionStageRequest } from './control/shooting/function-stage.js';
export { createFunctionStage, createTerminal } from './control/shooting/function-stage.js';
export type { FunctionResidual } from './control/shooting/plain-residuals.js';
export {
  createControlResidual,
  createFunctionResidual,
  createStateResidual,
} from './control/shooting/plain-residuals.js';
export type { Needs, Residual, RobotContext, StageContext } from './control/shooting/residual.js';
export {
  createCenterOfMassResidual,
  createFramePlacementResidual,
  createFrameRotationResidual,
  createFrameTranslationResidual,
  createFrameVelocityResidual,
} from './control/shooting/robot-residuals.js';
export type { ImpulseStageRequest, RobotStageRequest } from './control/shooting/robot-stage.js';
export { createImpulseStage, createRobotStage, createRobotTerminal } from './control/shooting/robot-stage.js';
export type {
  ConstrainedShootingOptions,
  ConstrainedShootingResult,
  ShootingConstraint,
} from './control/shooting/solve-constrained.js';
export { solveConstrainedShooting } from './control/shooting/solve-constrained.js';
export type {
  ShootingIteration,
  ShootingMethod,
  ShootingOptions,
  ShootingResult,
  ShootingSolver,
  ShootingStatus,
} from './control/shooting/solve-shooting.js';
export { createShootingSolver, solveShooting } from './control/shooting/solve-shooting.js';
export type { RobotSphere } from './control/shooting/sphere-clearance.js';
export { createSphereClearanceResidual } from './control/shooting/sphere-clearance.js';
export type { ShootingProblem, Stage, StageDerivatives, TerminalStage } from './control/shooting/stage.js';
export type { StateSpace } from './control/shooting/state-space.js';
export { createRobotSpace, createVectorSpace } from './control/shooting/state-space.js';
