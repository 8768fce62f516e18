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
