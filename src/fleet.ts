export type { ContactPhase } from './fleet/contact-events.js';
export type { ArmDescription, ArmShape, FleetArm } from './fleet/fleet-arm.js';
export { createFleetArm } from './fleet/fleet-arm.js';
export type { FleetBody, FleetMode, FleetProfile } from './fleet/fleet-body.js';
export type { FleetMetrics, FleetRun, FleetSetup } from './fleet/fleet-run.js';
export { createFleetRun, createFleetSetup } from './fleet/fleet-run.js';
export type { ContactListener, FleetDriver, FleetMonitor, FleetWorld } from './fleet/fleet-world.js';
export { createFleetWorld } from './fleet/fleet-world.js';
export type { FloorMetrics, FloorRun } from './fleet/floor-run.js';
export { createFloorRun } from './fleet/floor-run.js';
export type { ArmSolver, FloorParts, FloorSetup } from './fleet/floor-setup.js';
export { createFloorSetup } from './fleet/floor-setup.js';
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
export type { ActionEvent, BaseKind, FleetRobot, PoseSolver, RobotAction } from './fleet/robot-actions.js';
export type { RobotFleet } from './fleet/robot-fleet.js';
export { createRobotFleet } from './fleet/robot-fleet.js';
export type { RunOptions, RunReport } from './fleet/run-world.js';
export { runFleetInTime } from './fleet/run-world.js';
export { spawnGrid, spawnRandom } from './fleet/spawn.js';
export type { ProgressWatch, Stall } from './fleet/stall-report.js';
export { createProgressWatch, explainWaits } from './fleet/stall-report.js';
export type { PathConflict } from './fleet/verify-paths.js';
export { verifyPaths } from './fleet/verify-paths.js';
export type { FleetCellMode, FleetWorldOptions } from './fleet/world-options.js';
export type { WorldProof } from './fleet/world-proof.js';
export { createWorldProof } from './fleet/world-proof.js';
export type { FleetCell, FleetDescription, FleetRobotPlace, FleetSection } from './scene/fleet-description.js';
export type {
  FloorAction,
  FloorArm,
  FloorDescription,
  FloorPlaces,
  FloorRobot,
  FloorRobotGroup,
  FloorRobotKind,
  FloorSection,
  FloorShape,
} from './scene/floor-description.js';
