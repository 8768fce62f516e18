export type {
  Box,
  Capsule,
  Compound,
  CompoundChild,
  Cone,
  Convex,
  Cylinder,
  Ellipsoid,
  HalfSpace,
  HeightField,
  Mesh,
  MeshMode,
  Octree,
  PointCloud,
  Shape,
  Sphere,
  Triple,
} from './geometry/shapes.js';
export type { TriangleMesh } from './geometry/triangle-mesh.js';
export type { IkRequest, IkResult, IkSolver, IkSolverOptions, IkStatus } from './ik/solve-ik.js';
export { createIkSolver } from './ik/solve-ik.js';
export type { IkTask } from './ik/tasks/task.js';
export type { Issue, Parsed } from './io/issue.js';
export { requireValue } from './io/require-value.js';
export { forwardKinematics, updateFramePlacements } from './kinematics/forward-kinematics.js';
export { MisuseError } from './math/misuse.js';
export type { Pose, Transform } from './math/transform.js';
export {
  createTransform,
  invertTransform,
  multiplyTransform,
  poseToTransform,
  transformPoint,
  transformToPose,
} from './math/transform.js';
export type { MutableNumericArray, NumericArray, Vec3 } from './math/vec3.js';
export type { BuildModelOptions, BuiltModel } from './model/build-model.js';
export { buildModel } from './model/build-model.js';
export { createNeutralConfiguration } from './model/configuration.js';
export type { ModelDescription } from './model/description.js';
export type { ModelIssue } from './model/issue.js';
export type { Data, Frame, FrameKind, Model } from './model/model.js';
export { createData, findFrame } from './model/model.js';
export { collide } from './narrowphase/collide.js';
export type { Collider, ColliderOptions } from './narrowphase/collider.js';
export { createCollider } from './narrowphase/collider.js';
export { distance } from './narrowphase/distance.js';
export type { DistanceResult, PairOptions, QueryStatus } from './narrowphase/query.js';
export { createDistanceResult } from './narrowphase/query.js';
export { isWithin } from './narrowphase/tolerance.js';
export type { ConfigurationSpaceOptions } from './planning/configuration-space.js';
export { createConfigurationSpace } from './planning/configuration-space.js';
export type { RrtConnectRequest } from './planning/planners/rrt-connect.js';
export { planRrtConnect } from './planning/rrt-connect.js';
export type { PlanProgress } from './planning/search.js';
export type { ShortcutRequest, ShortcutResult } from './planning/shortcut.js';
export { shortcutPath } from './planning/shortcut.js';
export type {
  MotionValidator,
  PlanResult,
  PlanStatus,
  StateSpace,
  StopOptions,
  ValidityChecker,
} from './planning/types.js';
export type { AttachOptions } from './scene/attach.js';
export { attachObject, detachObject } from './scene/attach.js';
export type { Assumption, RobotDescription } from './scene/description.js';
export type { RobotCast, RobotCastOptions } from './scene/motion/cast-robot.js';
export { castRobot } from './scene/motion/cast-robot.js';
export type { SceneMotionChecker, SceneMotionCheckerOptions } from './scene/motion/motion-checker.js';
export { createSceneMotionChecker } from './scene/motion/motion-checker.js';
export type { SceneChecker, SceneCheckerOptions } from './scene/motion/validity.js';
export { createSceneChecker } from './scene/motion/validity.js';
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
export { checkScene, isSceneFree, nearestPair, pairsWithin } from './scene/queries/check.js';
export type { RobotOptions } from './scene/robot.js';
export { addRobot, placeRobot, removeRobot, setConfiguration } from './scene/robot.js';
export type { ObjectOptions, SceneOptions } from './scene/scene.js';
export {
  addObject,
  createContext,
  createScene,
  disposeScene,
  moveObject,
  removeObject,
  robotIn,
} from './scene/scene.js';
export type { Attachment, RobotLink, Scene, SceneBody, SceneObject, SceneRobot } from './scene/types.js';
export type { SemanticDescription } from './semantics/description.js';
