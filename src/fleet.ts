export type { FleetMetrics, FleetRun, FleetSetup } from './fleet/fleet-run.js';
export { createFleetRun, createFleetSetup } from './fleet/fleet-run.js';
export type {
  ContactListener,
  ContactPhase,
  FleetBody,
  FleetDriver,
  FleetMode,
  FleetProfile,
  FleetWorld,
} from './fleet/fleet-world.js';
export { createFleetWorld } from './fleet/fleet-world.js';
export type { FleetShape } from './fleet/footprint.js';
export type { GridMap } from './fleet/grid-map.js';
export type { DeliveryTask, LifelongFleet, LifelongOptions } from './fleet/lifelong.js';
export { createLifelongFleet } from './fleet/lifelong.js';
export type { MotionProof, MotionVerdict } from './fleet/motion-proof.js';
export { createMotionProof } from './fleet/motion-proof.js';
export type { PathGraph } from './fleet/path-graph.js';
export { createGridGraph, createRoadmapGraph } from './fleet/path-graph.js';
export type { PathCosts, PathProblem, RobotPath } from './fleet/path-problem.js';
export { measurePaths } from './fleet/path-problem.js';
export type { DriveLimits, PlanExecution, Wait } from './fleet/plan-execution.js';
export { createPlanExecution } from './fleet/plan-execution.js';
export type { PathOptions, PathPlan, PathStatus } from './fleet/plan-paths.js';
export { planPaths } from './fleet/plan-paths.js';
export { createRandomProblem } from './fleet/random-problem.js';
export type { ActionEvent, BaseKind, FleetRobot, RobotAction, RobotFleet } from './fleet/robot-fleet.js';
export { createRobotFleet } from './fleet/robot-fleet.js';
export type { RunOptions, RunReport } from './fleet/run-world.js';
export { runFleetInTime } from './fleet/run-world.js';
export { spawnGrid, spawnRandom } from './fleet/spawn.js';
export type { ProgressWatch, Stall } from './fleet/stall-report.js';
export { createProgressWatch, explainWaits } from './fleet/stall-report.js';
export type { PathConflict } from './fleet/verify-paths.js';
export { verifyPaths } from './fleet/verify-paths.js';
export type { FleetCellMode, FleetWorldOptions } from './fleet/world-options.js';
export type { FleetCell, FleetDescription, FleetRobotPlace, FleetSection } from './scene/fleet-description.js';
