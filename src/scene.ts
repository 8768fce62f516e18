export type { AllowPairsOptions } from './scene/allow-pairs.js';
export { allowPairs } from './scene/allow-pairs.js';
export type {
  AllowedCollisions,
  AllowedCollisionsOptions,
  AllowedPair,
  AllowedPairs,
  AllowedReason,
} from './scene/allowed-collisions.js';
export { adjacentPairs, createAllowedCollisions, semanticPairs } from './scene/allowed-collisions.js';
export type { AssumingIssue, SceneAssumptions } from './scene/assumptions.js';
export { formatAssumption, listAssumptions, sceneAssumptions } from './scene/assumptions.js';
export { attachObject, detachObject } from './scene/attach.js';
export type { BodyPart } from './scene/bodies.js';
export type { OverlapDepth } from './scene/body-pairs.js';
export { isAllowedPair, pairMargin } from './scene/candidates.js';
export type { RobotCast, RobotCaster, RobotCastOptions } from './scene/cast-robot.js';
export { castRobot, createRobotCaster } from './scene/cast-robot.js';
export type {
  CertifyCurveOptions,
  ConfigurationCurve,
  CurveCertifier,
  CurvePoint,
  CurveVerdict,
} from './scene/certify-curve.js';
export { certifyCurve, createCurveCertifier } from './scene/certify-curve.js';
export type {
  CheckOptions,
  NearestOptions,
  NearestPair,
  PairsWithinOptions,
  SceneCheck,
  SceneContact,
  ScenePair,
  SceneVerdict,
  TouchingPair,
} from './scene/check.js';
export { checkScene, countCheckedPairs, isSceneFree, nearestPair, pairsWithin, touchingPairs } from './scene/check.js';
export type {
  Assumption,
  AttachedDescription,
  CompoundDescription,
  ConvexFile,
  DisabledPairDescription,
  EndEffectorDescription,
  GeometryDescription,
  GroupDescription,
  GroupStateDescription,
  HeightRows,
  MeshFile,
  ObjectDescription,
  OctreeFile,
  PlacedRobotDescription,
  PointsFile,
  RobotDescription,
  SceneDescription,
  SemanticDescription,
  ShapeDescription,
  VirtualJointDescription,
} from './scene/description.js';
export type { EnclosedBody } from './scene/enclosed.js';
export { findEnclosedBodies, stateAssumptions } from './scene/enclosed.js';
export type { GroupCoordinates } from './scene/group-coordinates.js';
export { findGroupCoordinates, listGroupJoints } from './scene/group-coordinates.js';
export type { ContactChange, Monitor, MonitorCounts, MonitorOptions, MonitorPair } from './scene/monitor.js';
export { createMonitor } from './scene/monitor.js';
export type { MotionBounds } from './scene/motion-bounds.js';
export { findMotionBounds } from './scene/motion-bounds.js';
export type { SceneMotionChecker, SceneMotionCheckerOptions } from './scene/motion-checker.js';
export { createSceneMotionChecker } from './scene/motion-checker.js';
export type { CloudContent, FileShape, ShapeResolver } from './scene/resolve-shape.js';
export { createShapeResolver, listFileShapes } from './scene/resolve-shape.js';
export type { RobotLink, RobotOptions, SceneRobot } from './scene/robot.js';
export { addRobot, placeRobot, removeRobot, robotFramePlacement, setConfiguration } from './scene/robot.js';
export type { CheckedPair, SampleAllowedOptions, SampledAllowed, SampledPair } from './scene/sample-allowed.js';
export { sampleAllowedPairs } from './scene/sample-allowed.js';
export type {
  Attachment,
  AttachOptions,
  BodyOptions,
  ObjectOptions,
  PreparedMesh,
  Scene,
  SceneBody,
  SceneObject,
  SceneOptions,
} from './scene/scene.js';
export {
  addObject,
  bodyName,
  createScene,
  disposeScene,
  moveObject,
  removeObject,
  setPairMargin,
  setSceneMargin,
  updateScene,
} from './scene/scene.js';
export type { SelfCheck, SelfCheckMethod } from './scene/self-contacts.js';
export { describeSelfCheck } from './scene/self-contacts.js';
export type { SizeSuspicion } from './scene/size-check.js';
export { findSizeSuspicions } from './scene/size-check.js';
export type { SceneSnapshot } from './scene/snapshot.js';
export { objectPlacement, restoreScene, saveScene } from './scene/snapshot.js';
export type { SceneChecker, SceneCheckerOptions } from './scene/validity.js';
export { createSceneChecker } from './scene/validity.js';
