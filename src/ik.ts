export type { IkGoal } from './ik/improve.js';
export type { IkAllRequest, IkAllResult } from './ik/solve-all.js';
export { solveAllIk } from './ik/solve-all.js';
export type { IkBatchRequest, IkBatchResult } from './ik/solve-batch.js';
export { solveIkBatch } from './ik/solve-batch.js';
export type { IkRequest, IkResult, IkSolver, IkSolverOptions, IkStatus } from './ik/solve-ik.js';
export { createIkSolver } from './ik/solve-ik.js';
export type { IkPathRequest, IkPathResult } from './ik/solve-path.js';
export { solveIkPath } from './ik/solve-path.js';
export type {
  AxisTask,
  CenterOfMassTask,
  IkTask,
  LookAtTask,
  OrientationTask,
  PoseTask,
  PositionTask,
  PostureTask,
  RelativePoseTask,
} from './ik/tasks/task.js';
export type { Tracker, TrackerOptions, TrackerStatus } from './ik/track.js';
export { createTracker } from './ik/track.js';
