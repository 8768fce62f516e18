export type { ConstrainedPlan, ConstrainedRequest } from './tasks/constrained-plan.js';
export { planConstrained } from './tasks/constrained-plan.js';
export type {
  CoordinatedMotion,
  CoordinatedPath,
  CoordinatedPaths,
  CoordinatePathsOptions,
} from './tasks/coordinate-paths.js';
export { coordinatePaths } from './tasks/coordinate-paths.js';
export type { Cell, CellContent, CellOptions, CellRobot, PlaceOptions } from './tasks/create-cell.js';
export { addCellRobot, createCell, placeDescription } from './tasks/create-cell.js';
export type { EndReason, PlanReasons, RemovalReason, SearchReason, StopCount } from './tasks/explain-plan.js';
export {
  type BuildRoadmapOptions,
  buildGroupRoadmap,
  createGroupRoadmap,
  loadGroupRoadmap,
} from './tasks/group-roadmap.js';
export type { GroupGoal, GroupState } from './tasks/group-states.js';
export type { LookGoal } from './tasks/look-at.js';
export type { Grasp, PickAndPlacePlan, PickAndPlaceRequest, PickLeg } from './tasks/pick-and-place.js';
export { pickAndPlace } from './tasks/pick-and-place.js';
export type { PoseGoal } from './tasks/plan-goals.js';
export type { CostStep, GroupPlan, GroupRequest, GroupSearch, OptimiseOptions } from './tasks/plan-group.js';
export { createGroupSearch, planGroup } from './tasks/plan-group.js';
export type { PathObjective } from './tasks/plan-objective.js';
export type { PlanRobotsOptions, RobotGoal, RobotsPlan } from './tasks/plan-robots.js';
export { planRobots } from './tasks/plan-robots.js';
export { createArmSolver } from './tasks/solve-arm.js';
export type { StartRepair } from './tasks/start-repair.js';
export type { TouchingDepth } from './tasks/state-probe.js';
export type { Surroundings, TimedMotion, Timing } from './tasks/time-path.js';
export { timePath } from './tasks/time-path.js';
