export type { ConfigurationSpaceOptions } from './planning/configuration-space.js';
export { createConfigurationSpace } from './planning/configuration-space.js';
export { createSampledMotion, isMotionValid } from './planning/motion.js';
export { densifyPath, pathLength } from './planning/path.js';
export type { RealVectorSpace, RealVectorSpaceOptions } from './planning/real-vector-space.js';
export { createRealVectorSpace } from './planning/real-vector-space.js';
export type { DynamicDomain, PlanProgress, PlanSearch, RrtConnectRequest } from './planning/rrt-connect.js';
export { createRrtConnect, planRrtConnect } from './planning/rrt-connect.js';
export type { ShortcutRequest, ShortcutResult } from './planning/shortcut.js';
export { shortcutPath } from './planning/shortcut.js';
export type {
  Assuming,
  MotionValidator,
  PlanResult,
  PlanStatus,
  StateSpace,
  StopOptions,
  ValidityChecker,
} from './planning/types.js';
