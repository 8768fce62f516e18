export type { BuildModelOptions, BuiltModel } from './model/build-model.js';
export { buildModel } from './model/build-model.js';
export {
  clampConfiguration,
  createNeutralConfiguration,
  differenceConfiguration,
  distanceConfiguration,
  integrateConfiguration,
  interpolateConfiguration,
  isWithinLimits,
  neutralConfiguration,
  normalizeConfiguration,
  randomConfiguration,
} from './model/configuration.js';
export { computeDifferenceJacobian, computeIntegrateJacobian } from './model/configuration-jacobians.js';
export type {
  InertialDescription,
  JointDescription,
  JointLimits,
  JointMimic,
  JointPartDescription,
  JointType,
  LinkDescription,
  ModelDescription,
} from './model/description.js';
export type { ModelIssue } from './model/issue.js';
export type { JointKind, JointKindName } from './model/joints/joint-kind.js';
export { createWholeJoint } from './model/lay-out-parts.js';
export type { LimitReport, LimitViolation } from './model/limit-tolerance.js';
export { clampToLimits, describeLimitViolations, LIMIT_TOLERANCE } from './model/limit-tolerance.js';
export type { Data, Frame, FrameKind, Model } from './model/model.js';
export { createData, findFrame, findJoint, findLink, setBasePlacement } from './model/model.js';
export type { NamedConfiguration, NamedValue } from './model/named-configuration.js';
export {
  configurationFromNamed,
  configurationToNamed,
  describeProblem,
  mimicValue,
} from './model/named-configuration.js';
