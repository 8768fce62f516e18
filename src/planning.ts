export type { BridgeSamplerOptions } from './planning/bridge-sampler.js';
export { createBridgeSampler } from './planning/bridge-sampler.js';
export type { CompiledCheckerOptions } from './planning/compiled-checker.js';
export { createCompiledChecker } from './planning/compiled-checker.js';
export type { ConfigurationSpaceOptions } from './planning/configuration-space.js';
export { createConfigurationSpace } from './planning/configuration-space.js';
export type { ConstrainedSpace, ConstrainedSpaceOptions } from './planning/constraints/constrained-space.js';
export { createConstrainedSpace } from './planning/constraints/constrained-space.js';
export type { Constraint } from './planning/constraints/constraint.js';
export { createNumericConstraint, joinConstraints } from './planning/constraints/constraint.js';
export type {
  AxisConstraint,
  FrameConstraint,
  LineConstraint,
  LookConstraint,
  OrientationConstraint,
  PlaneConstraint,
  PointConstraint,
  PoseConstraint,
} from './planning/constraints/frame-constraint.js';
export type { RobotConstraintOptions } from './planning/constraints/robot-constraint.js';
export { createRobotConstraint } from './planning/constraints/robot-constraint.js';
export type { CoordinationProblem, Schedule } from './planning/coordination/coordination-problem.js';
export type { Coordination, CoordinationOptions } from './planning/coordination/schedule-paths.js';
export { schedulePaths } from './planning/coordination/schedule-paths.js';
export type { GoalRegion } from './planning/goal-region.js';
export { areMotionsValid, createSampledMotion, isMotionValid } from './planning/motion.js';
export type { ClearanceObjectiveOptions, Objective, PointPathOptions } from './planning/objective.js';
export {
  createClearanceObjective,
  createLengthObjective,
  createPointPathObjective,
  createWeightedLengthObjective,
  pathCost,
} from './planning/objective.js';
export { densifyPath, pathLength } from './planning/path.js';
export type { PathPlan, PlanPathRequest, PlanRequest } from './planning/plan-path.js';
export { createPlanSearch, planPath } from './planning/plan-path.js';
export type { Planner } from './planning/planner.js';
export type { AnytimeSettings, Improvement } from './planning/planners/anytime-rrt-connect.js';
export type { FcitStarSettings } from './planning/planners/fcit-star.js';
export type { InformedPrmSettings } from './planning/planners/informed-prm.js';
export type { MovingValidator, PrmSettings } from './planning/planners/prm.js';
export type { RrtSettings } from './planning/planners/rrt.js';
export type { RrtConnectRequest } from './planning/planners/rrt-connect.js';
export type { RrtStarSettings } from './planning/planners/rrt-star.js';
export type { DynamicDomain } from './planning/planners/trees.js';
export type { PlanningProblem } from './planning/problem.js';
export { createProductSpace, type ProductSpace } from './planning/product-space.js';
export type { RealVectorSpace, RealVectorSpaceOptions } from './planning/real-vector-space.js';
export { createRealVectorSpace } from './planning/real-vector-space.js';
export { listPlanners, registerPlanner } from './planning/registry.js';
export type { AskEdge, AskMotions, EdgeQuestions, Roadmap, RoadmapData, RoadmapWay } from './planning/roadmap.js';
export { createRoadmap, loadRoadmap } from './planning/roadmap.js';
export { createRrtConnect, planRrtConnect } from './planning/rrt-connect.js';
export type { InformedSampler, Sampler } from './planning/sampler.js';
export { createGoalBiasedSampler, createInformedSampler, createUniformSampler } from './planning/sampler.js';
export type { PlanProgress, PlanSearch, Search } from './planning/search.js';
export type { ShortcutRequest, ShortcutResult } from './planning/shortcut.js';
export { shortcutPath } from './planning/shortcut.js';
export type { SimplifyRequest, SimplifyResult } from './planning/simplify.js';
export { simplifyPath } from './planning/simplify.js';
export type { StateGraph } from './planning/state-graph.js';
export { createStateGraph } from './planning/state-graph.js';
export type { StopWatch } from './planning/stopping.js';
export type {
  Assuming,
  KernelChecks,
  MotionValidator,
  PlanResult,
  PlanStatus,
  StateCoordinates,
  StateSpace,
  StopOptions,
  ValidityChecker,
} from './planning/types.js';
export type { ValidState, ValidStateOptions } from './planning/valid-state.js';
export { findValidState } from './planning/valid-state.js';
