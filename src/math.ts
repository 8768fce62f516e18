export type { PoseComponents, QuaternionComponents, VectorComponents } from './math/components.js';
export { toPose, toQuat } from './math/components.js';
export { factorizeCholesky, solveCholesky } from './math/dense/cholesky.js';
export { eigenSymmetric, eigenSymmetric3 } from './math/dense/eigen.js';
export type { Qr } from './math/dense/qr.js';
export { createQr, factorizeQr, multiplyQ, solveQr } from './math/dense/qr.js';
export type { Svd } from './math/dense/svd.js';
export { computeSvd, createSvd, solveSvd } from './math/dense/svd.js';
export type { EulerSequence } from './math/euler.js';
export { eulerToMat3, mat3ToEuler } from './math/euler.js';
export type { SpatialInertia } from './math/inertia.js';
export {
  addPointInertiaAt,
  expandSymmetric,
  multiplySpatialInertia,
  rotateInertia,
  transformSpatialInertia,
  writeSpatialInertia,
} from './math/inertia.js';
export type { Mat3 } from './math/mat3.js';
export {
  copyMat3,
  createMat3,
  determinantMat3,
  multiplyMat3,
  multiplyMat3Vec3,
  multiplyTransposedMat3Vec3,
  setIdentityMat3,
  transposeMat3,
} from './math/mat3.js';
export { MisuseError } from './math/misuse.js';
export type {
  Hierarchy,
  HierarchyBounds,
  HierarchyLevel,
  HierarchyOptions,
  HierarchyStatus,
} from './math/qp/solve-hierarchy.js';
export { createHierarchy, solveHierarchy } from './math/qp/solve-hierarchy.js';
export type { Qp, QpOptions, QpProblem, QpStatus } from './math/qp/solve-qp.js';
export { createQp, solveQp } from './math/qp/solve-qp.js';
export type { Quat } from './math/quat.js';
export {
  axisAngleToQuat,
  conjugateQuat,
  createQuat,
  mat3ToQuat,
  multiplyQuat,
  normalizeQuat,
  quatToAxisAngle,
  quatToMat3,
  setQuat,
  slerpQuat,
} from './math/quat.js';
export type { Random, SeededRandom } from './math/random.js';
export { createRandom } from './math/random.js';
export { atan2, cos, exp, hypot, log, sin, sinCos } from './math/scalar.js';
export {
  expSe3,
  expSe3Parts,
  leftJacobianInverseSe3,
  leftJacobianSe3,
  logSe3,
  logSe3Parts,
  rightJacobianInverseSe3,
  rightJacobianSe3,
} from './math/se3.js';
export {
  expQuat,
  expSo3,
  leftJacobianInverseSo3,
  leftJacobianSo3,
  logQuat,
  logSo3,
  rightJacobianInverseSo3,
  rightJacobianSo3,
} from './math/so3.js';
export type { Force, Motion } from './math/spatial.js';
export {
  crossForce,
  crossMotion,
  dotMotionForce,
  inverseTransformForce,
  inverseTransformMotion,
  transformForce,
  transformMotion,
  writeAdjoint,
  writeDualAdjoint,
} from './math/spatial.js';
export type { Pose, Transform } from './math/transform.js';
export {
  copyTransform,
  createTransform,
  inverseTransformPoint,
  invertTransform,
  multiplyTransform,
  originToTransform,
  poseToTransform,
  relativeTransform,
  setIdentityTransform,
  TRANSFORM_STRIDE,
  transformPoint,
  transformToPose,
} from './math/transform.js';
export type { MutableNumericArray, NumericArray, Vec3 } from './math/vec3.js';
export {
  addScaledVec3,
  addVec3,
  copyVec3,
  createVec3,
  crossVec3,
  distanceVec3,
  dotVec3,
  lerpVec3,
  negateVec3,
  normalizeVec3,
  normVec3,
  scaleVec3,
  setVec3,
  squaredNormVec3,
  subtractVec3,
} from './math/vec3.js';
