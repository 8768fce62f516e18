export type { ConfigurationSpaceOptions } from './planning/configuration-space.js';
export { createConfigurationSpace } from './planning/configuration-space.js';
export { createSampledMotion, isMotionValid } from './planning/motion.js';
export { densifyPath, pathLength } from './planning/path.js';
export type { RealVectorSpace, RealVectorSpaceOptions } from './planning/real-vector-space.js';
export { createRealVectorSpace } from './planning/real-vector-space.js';
export type { RrtConnectRequest } from './planning/planners/rrt-connect.js';
export type { DynamicDomain } from './planning/planners/trees.js';
export type { PlanProgress, PlanSearch } from './planning/search.js';
export { createRrtConnect, planRrtConnect } from './planning/rrt-connect.js';
export type { ShortcutRequest, ShortcutResult } from './planning/shortcut.js';
export { shortcutPath } from './planning/shortcut.js';
export type {
  Assuming,
  MotionValidator,
  PlanResult,
  PlanStatus,
  KernelChecks,
  StateCoordinates,
  StateSpace,
  StopOptions,
  ValidityChecker,
} from './planning/types.js';
