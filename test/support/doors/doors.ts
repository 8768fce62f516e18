/**
 * One valid call of every public function, by door. A function that several doors export stands under the one whose folder
 * holds it. What is not in the table is listed here with its reason.
 */
import { bodyDoors } from './body-arguments.js';
import type { Door } from './door.js';
import { fileDoors } from './file-arguments.js';
import { fleetDoors } from './fleet-arguments.js';
import { motionDoor } from './motion-arguments.js';
import { pathControl } from './path-arguments.js';
import { planeDoors } from './plane-arguments.js';
import { rigidDoors } from './rigid-arguments.js';
import { sceneDoors } from './scene-arguments.js';
import { shootingDoor } from './shooting-arguments.js';
import { simulationDoors } from './simulation-arguments.js';

export const doors: Readonly<Record<string, Door>> = {
  ...bodyDoors,
  ...sceneDoors,
  ...fileDoors,
  ...planeDoors,
  ...fleetDoors,
  ...simulationDoors,
  ...rigidDoors,
  control: { ...shootingDoor, ...pathControl, ...motionDoor },
};

/** What takes no arguments that could be made here. */
export const madeInside: readonly string[] = [
  // Of the events of a page.
  'collectDropped',
  // Take what `Error` takes.
  'MisuseError',
  'ParallelError',
];

/**
 * Kernels: arithmetic on numbers and arrays that the library's inner loops call too. They allocate nothing and check
 * nothing; what they are given must be right (docs/architecture.md, "Errors").
 */
export const uncheckedKernels: Readonly<Record<string, readonly string[]>> = {
  math: [
    'factorizeCholesky solveCholesky eigenSymmetric eigenSymmetric3',
    'eulerToMat3 mat3ToEuler',
    'addPointInertiaAt expandSymmetric multiplySpatialInertia rotateInertia transformSpatialInertia writeSpatialInertia',
    'copyMat3 createMat3 determinantMat3 multiplyMat3 multiplyMat3Vec3 multiplyTransposedMat3Vec3 setIdentityMat3 transposeMat3',
    'axisAngleToQuat conjugateQuat createQuat mat3ToQuat multiplyQuat normalizeQuat quatToAxisAngle quatToMat3 setQuat slerpQuat',
    'atan2 cos exp hypot log sin sinCos',
    'expSe3 expSe3Parts leftJacobianInverseSe3 leftJacobianSe3 logSe3 logSe3Parts rightJacobianInverseSe3 rightJacobianSe3',
    'expQuat expSo3 leftJacobianInverseSo3 leftJacobianSo3 logQuat logSo3 rightJacobianInverseSo3 rightJacobianSo3',
    'crossForce crossMotion dotMotionForce inverseTransformForce inverseTransformMotion transformForce transformMotion',
    'writeAdjoint writeDualAdjoint',
    'copyTransform createTransform inverseTransformPoint invertTransform multiplyTransform originToTransform poseToTransform',
    'relativeTransform setIdentityTransform transformPoint transformToPose',
    'addScaledVec3 addVec3 copyVec3 createVec3 crossVec3 distanceVec3 dotVec3 lerpVec3 negateVec3 normalizeVec3 normVec3',
    'scaleVec3 setVec3 squaredNormVec3 subtractVec3',
  ].flatMap((line) => line.split(' ')),
  geometry:
    'closestPointSegment closestPointTriangle closestSegmentSegment closestSegmentTriangle measurePointToCore'.split(
      ' ',
    ),
  dynamics: ['factorizeInertia', 'solveInertia'],
  plane: ['boundPolynomial', 'judgeImplicitBox'],
  rigid: ['findScrewAxis', 'interpolatePose', 'interpolateScrew'],
};
