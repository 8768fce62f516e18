export type { IkGoal } from './ik/improve.js';
export type { IkAllRequest, IkAllResult } from './ik/solve-all.js';
export { solveAllIk } from './ik/solve-all.js';
export type { IkBatchRequest, IkBatchResult } from './ik/solve-batch.js';
export { solveIkBatch } from './ik/solve-batch.js';
export type { IkRequest, IkResult, IkSolverOptions, IkStatus } from './ik/solve-ik.js';
export { createIkSolver, IkSolver } from './ik/solve-ik.js';
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
export type { TrackerOptions, TrackerStatus } from './ik/track.js';
export { createTracker, Tracker } from './ik/track.js';
