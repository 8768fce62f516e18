export type { BroadPhase, FixedBroadPhase, PairVisitor, ProxyVisitor } from './broadphase/broad-phase.js';
export type { DynamicTreeOptions } from './broadphase/dynamic-tree.js';
export { createDynamicTree } from './broadphase/dynamic-tree.js';
export { createStaticTree } from './broadphase/static-tree.js';
export type { CastRayOptions, RayHit, RaySides } from './bvh/cast-ray.js';
export { castRayMesh, createRayHit } from './bvh/cast-ray.js';
export type { CastRaysOptions, RayHits } from './bvh/cast-rays.js';
export { castRays, createRayHits } from './bvh/cast-rays.js';
export type { ClosestPoint, ClosestPointOptions } from './bvh/closest-point.js';
export { closestPointMesh, createClosestPoint } from './bvh/closest-point.js';
export type { CollideMeshOptions, MeshCollision } from './bvh/collide-mesh.js';
export { collideMeshMesh, createMeshCollision } from './bvh/collide-mesh.js';
export type { DistanceMeshOptions, MeshDistance, ToleranceMeshOptions, TrianglePair } from './bvh/distance-mesh.js';
export { createMeshDistance, distanceMeshMesh, toleranceMeshMesh } from './bvh/distance-mesh.js';
export type { BuildOptions, NodeKind } from './bvh/mesh-bvh.js';
export { buildMeshBvh, MeshBvh } from './bvh/mesh-bvh.js';
export { refitMeshBvh } from './bvh/refit-bvh.js';
export { loadBvh, serializeBvh } from './bvh/serialize-bvh.js';
export { validateBvh } from './bvh/validate-bvh.js';
export { walkTriangles } from './bvh/walk-triangles.js';
export type { DecomposeOptions, Decomposition } from './geometry/convex-decomposition.js';
export { decomposeMesh } from './geometry/convex-decomposition.js';
export { meshHeightField } from './geometry/height-field.js';
export type { ConvexHull } from './geometry/hull.js';
export { buildConvexHull } from './geometry/hull.js';
export type { MassProperties } from './geometry/mass-properties.js';
export { computeMassProperties } from './geometry/mass-properties.js';
export type { MeshReport } from './geometry/mesh-report.js';
export { isWatertight, reportMesh } from './geometry/mesh-report.js';
export { voxelizePoints } from './geometry/octree.js';
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
  ShapeType,
  Sphere,
  Triple,
} from './geometry/shapes.js';
export type { SurfaceClaim } from './geometry/surface-claim.js';
export type { TriangleMesh } from './geometry/triangle-mesh.js';
export type { IkRequest, IkResult, IkSolverOptions, IkStatus } from './ik/solve-ik.js';
export { createIkSolver, IkSolver } from './ik/solve-ik.js';
export type { Issue, Parsed } from './io/issue.js';
export { formatIssue, toAssumptions } from './io/issue.js';
export { parseMesh } from './io/mesh/mesh.js';
export type { MeshFormat } from './io/mesh/mesh-content.js';
export { requireValue } from './io/require-value.js';
export { parseSrdf } from './io/robot/srdf.js';
export type { CountedGeometry, UrdfOptions } from './io/robot/urdf.js';
export { parseUrdf } from './io/robot/urdf.js';
export { expandXacro } from './io/robot/xacro.js';
export { parseSceneFile } from './io/scene-file.js';
export { useKernel } from './kernel/kernel.js';
export { computeCenterOfMass, computeCenterOfMassJacobian } from './kinematics/center-of-mass.js';
export {
  computeFramePlacement,
  forwardKinematics,
  updateFramePlacements,
  updateKinematics,
  updateMovedFramePlacements,
} from './kinematics/forward-kinematics.js';
export type { JacobianReference } from './kinematics/frame-jacobian.js';
export { computeFrameJacobian } from './kinematics/frame-jacobian.js';
export { computeFrameJacobianRate } from './kinematics/frame-jacobian-rate.js';
export {
  computeFrameAcceleration,
  computeFrameClassicalAcceleration,
  computeFrameVelocity,
} from './kinematics/frame-motion.js';
export { computeMotion, computeVelocities } from './kinematics/motion.js';
export type { MotionData } from './kinematics/motion-data.js';
export { createMotionData } from './kinematics/motion-data.js';
export { MisuseError } from './math/misuse.js';
export type { Random } from './math/random.js';
export { createRandom } from './math/random.js';
export type { Pose, Transform } from './math/transform.js';
export {
  createTransform,
  invertTransform,
  multiplyTransform,
  poseToTransform,
  relativeTransform,
  setIdentityTransform,
  transformPoint,
  transformToPose,
} from './math/transform.js';
export type { NumericArray, Vec3 } from './math/vec3.js';
export { createVec3 } from './math/vec3.js';
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
export type { LimitReport, LimitViolation } from './model/limit-tolerance.js';
export { clampToLimits, describeLimitViolations, LIMIT_TOLERANCE } from './model/limit-tolerance.js';
export type { Data, Frame, FrameKind, Model } from './model/model.js';
export { createData, findFrame, findJoint, findLink, setBasePlacement } from './model/model.js';
export type { CastMotion, CastOptions, CastResult } from './narrowphase/cast.js';
export { castPair, createCastResult } from './narrowphase/cast.js';
export { collide } from './narrowphase/collide.js';
export type { ColliderOptions, MeshHull } from './narrowphase/collider.js';
export { Collider, createCollider } from './narrowphase/collider.js';
export { computeContacts, createContacts } from './narrowphase/contacts.js';
export { distance } from './narrowphase/distance.js';
export { createPairCache, PairCache } from './narrowphase/pair-cache.js';
export type { Contact, DistanceResult, PairOptions, QueryStats, QueryStatus } from './narrowphase/query.js';
export { createDistanceResult, createQueryStats } from './narrowphase/query.js';
export { isWithin } from './narrowphase/tolerance.js';
export type { ConfigurationSpaceOptions } from './planning/configuration-space.js';
export { createConfigurationSpace } from './planning/configuration-space.js';
export { createSampledMotion, isMotionValid } from './planning/motion.js';
export { densifyPath, pathLength } from './planning/path.js';
export type { RealVectorSpaceOptions } from './planning/real-vector-space.js';
export { createRealVectorSpace } from './planning/real-vector-space.js';
export type { DynamicDomain, PlanProgress, PlanSearch, RrtConnectRequest } from './planning/rrt-connect.js';
export { createRrtConnect, planRrtConnect } from './planning/rrt-connect.js';
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
export type {
  AllowedCollisions,
  AllowedCollisionsOptions,
  AllowedPair,
  AllowedReason,
} from './scene/allowed-collisions.js';
export { adjacentPairs, createAllowedCollisions, semanticPairs } from './scene/allowed-collisions.js';
export type { AttachOptions } from './scene/attach.js';
export { attachObject, detachObject } from './scene/attach.js';
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
export type { SceneMotionChecker, SceneMotionCheckerOptions } from './scene/motion/motion-checker.js';
export { createSceneMotionChecker } from './scene/motion/motion-checker.js';
export type { SceneChecker, SceneCheckerOptions } from './scene/motion/validity.js';
export { createSceneChecker } from './scene/motion/validity.js';
export { isAllowedPair, pairMargin } from './scene/queries/candidates.js';
export type {
  CheckOptions,
  NearestOptions,
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
export type { ContactChange, Monitor, MonitorCounts, MonitorOptions, MonitorPair } from './scene/queries/monitor.js';
export { createMonitor } from './scene/queries/monitor.js';
export type { SampleAllowedOptions, SampledAllowed, SampledPair } from './scene/queries/sample-allowed.js';
export { sampleAllowedPairs } from './scene/queries/sample-allowed.js';
export type { SelfCheck, SelfCheckMethod } from './scene/queries/self-contacts.js';
export { describeSelfCheck } from './scene/queries/self-contacts.js';
export type { CloudContent, FileShape, ShapeResolver } from './scene/resolve-shape.js';
export { createShapeResolver, listFileShapes } from './scene/resolve-shape.js';
export type { RobotOptions } from './scene/robot.js';
export { addRobot, placeRobot, removeRobot, robotFramePlacement, setConfiguration } from './scene/robot.js';
export type { ObjectOptions, SceneOptions } from './scene/scene.js';
export {
  addObject,
  createScene,
  disposeScene,
  moveObject,
  removeObject,
  setPairMargin,
  setSceneMargin,
} from './scene/scene.js';
export type { SizeSuspicion } from './scene/size-check.js';
export { findSizeSuspicions } from './scene/size-check.js';
export type { SceneSnapshot } from './scene/transfer/snapshot.js';
export { objectPlacement, restoreScene, saveScene } from './scene/transfer/snapshot.js';
export type { Attachment, RobotLink, Scene, SceneBody, SceneObject, SceneRobot } from './scene/types.js';
export { updateScene } from './scene/update.js';
export type { PreparedMesh } from './scene/world.js';
export type {
  DisabledPairDescription,
  EndEffectorDescription,
  GroupDescription,
  GroupStateDescription,
  SemanticDescription,
  VirtualJointDescription,
} from './semantics/description.js';
export type { GroupCoordinates } from './semantics/group-coordinates.js';
export { findGroupCoordinates, listGroupJoints } from './semantics/group-coordinates.js';
