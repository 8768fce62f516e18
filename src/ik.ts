export type { IkGoal } from './ik/improve.js';
export type { IkRequest, IkResult, IkSolverOptions, IkStatus } from './ik/solve-ik.js';
export { createIkSolver, IkSolver } from './ik/solve-ik.js';
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
