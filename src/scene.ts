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
export { assumeOf, formatAssumption, listAssumptions, sceneAssumptions } from './scene/assumptions.js';
export type { AttachOptions } from './scene/attach.js';
export { attachObject, detachObject } from './scene/attach.js';
export type { BodyPart } from './scene/bodies.js';
export { bodyName } from './scene/body-names.js';
export type {
  Assumption,
  AttachedDescription,
  CompoundDescription,
  ConvexFile,
  GeometryDescription,
  HeightRows,
  MeshFile,
  ObjectDescription,
  OctreeFile,
  PlacedRobotDescription,
  PointsFile,
  RobotDescription,
  SceneDescription,
  ShapeDescription,
} from './scene/description.js';
export type { RobotCast, RobotCaster, RobotCastOptions } from './scene/motion/cast-robot.js';
export { castRobot, createRobotCaster } from './scene/motion/cast-robot.js';
export type {
  CertifyCurveOptions,
  ConfigurationCurve,
  CurveCertifier,
  CurvePoint,
  CurveProof,
  CurveVerdict,
} from './scene/motion/certify-curve.js';
export { certifyCurve, createCurveCertifier } from './scene/motion/certify-curve.js';
export type { CertifyPathOptions, PathCertificate, PathVerdict } from './scene/motion/certify-path.js';
export { certifyPath } from './scene/motion/certify-path.js';
export type { MotionBounds } from './scene/motion/motion-bounds.js';
export { findMotionBounds } from './scene/motion/motion-bounds.js';
export type { SceneMotionChecker, SceneMotionCheckerOptions } from './scene/motion/motion-checker.js';
export { createSceneMotionChecker } from './scene/motion/motion-checker.js';
export type { SceneChecker, SceneCheckerOptions } from './scene/motion/validity.js';
export { createSceneChecker } from './scene/motion/validity.js';
export type { PathProof } from './scene/motion/verify-path.js';
export { verifyPathCertificate } from './scene/motion/verify-path.js';
export type { OverlapDepth } from './scene/queries/body-pairs.js';
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
} from './scene/queries/check.js';
export {
  checkScene,
  countCheckedPairs,
  isSceneFree,
  nearestPair,
  pairsWithin,
  touchingPairs,
} from './scene/queries/check.js';
export type { EnclosedBody } from './scene/queries/enclosed.js';
export { findEnclosedBodies, stateAssumptions } from './scene/queries/enclosed.js';
export type { ContactChange, Monitor, MonitorCounts, MonitorOptions, MonitorPair } from './scene/queries/monitor.js';
export { createMonitor } from './scene/queries/monitor.js';
export { isAllowedPair, pairMargin } from './scene/queries/pair-rules.js';
export type {
  SceneRay,
  SceneRayAnswer,
  SceneRayBatch,
  SceneRayHit,
  SceneRayList,
  SceneRayOptions,
  SceneRaysOptions,
} from './scene/queries/ray.js';
export {
  castSceneRay,
  castSceneRays,
  createSceneRayBatch,
  isSceneRayBlocked,
  listSceneRayHits,
} from './scene/queries/ray.js';
export type {
  BodiesFound,
  BoxRegion,
  NearestBody,
  NearestBodyOptions,
  PointQueryOptions,
  RegionOptions,
  SphereRegion,
} from './scene/queries/region.js';
export { findBodiesAt, findBodiesInBox, findBodiesInSphere, nearestBody } from './scene/queries/region.js';
export type { CheckedPair, SampleAllowedOptions, SampledAllowed, SampledPair } from './scene/queries/sample-allowed.js';
export { sampleAllowedPairs } from './scene/queries/sample-allowed.js';
export type { SelfCheck, SelfCheckMethod } from './scene/queries/self-check.js';
export { describeSelfCheck } from './scene/queries/self-check.js';
export type { CloudContent, FileShape, ShapeResolver } from './scene/resolve-shape.js';
export { createShapeResolver, listFileShapes } from './scene/resolve-shape.js';
export type { RobotOptions } from './scene/robot.js';
export { addRobot, placeRobot, removeRobot, robotFramePlacement, setConfiguration } from './scene/robot.js';
export type {
  FittedSphereModel,
  LinkSphereProof,
  LinkSphereReport,
  SphereLists,
  SphereRobotOptions,
} from './scene/robot-spheres.js';
export { fitRobotSpheres, toSphereLists, verifyRobotSpheres } from './scene/robot-spheres.js';
export type { ObjectOptions, SceneOptions } from './scene/scene.js';
export {
  addObject,
  createContext,
  createScene,
  disposeScene,
  moveObject,
  objectIn,
  removeObject,
  robotIn,
  setPairMargin,
  setSceneMargin,
} from './scene/scene.js';
export type { ShapeFootprintOptions } from './scene/shape-footprint.js';
export { projectRobot, projectShape } from './scene/shape-footprint.js';
export type { SizeSuspicion } from './scene/size-check.js';
export { findSizeSuspicions } from './scene/size-check.js';
export type { ProveNeverOptions, ProvenPair } from './scene/spheres/prove-never.js';
export { proveNeverPairs } from './scene/spheres/prove-never.js';
export type { SphereTier } from './scene/spheres/scene-spheres.js';
export type { SceneSphereChecks, SphereChecker, SphereCheckerOptions } from './scene/spheres/sphere-checker.js';
export { createSphereChecker } from './scene/spheres/sphere-checker.js';
export type { SampledChecks } from './scene/spheres/sphere-samples.js';
export type { ContextState, HeldObject, ObjectPlace, RobotPlace } from './scene/transfer/context-state.js';
export { restoreContext, saveContext } from './scene/transfer/context-state.js';
export type { SceneSnapshot } from './scene/transfer/snapshot.js';
export { objectPlacement, restoreScene, saveScene } from './scene/transfer/snapshot.js';
export type { Attachment, RobotLink, Scene, SceneBody, SceneObject, SceneRobot } from './scene/types.js';
export { updateScene } from './scene/update.js';
export type { PreparedMesh } from './scene/world.js';
export type {
  DrivenRobotDescription,
  FreeBodyDescription,
  JoinDescription,
  MaterialDescription,
  PairDescription,
  RelaxedDescription,
  ServoDescription,
  SimulationDescription,
  StepDescription,
  WorldDescription,
} from './scene/world-description.js';
