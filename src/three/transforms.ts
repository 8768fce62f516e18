/**
 * Rigid transforms to and from three.js. X_AB here is row-major rotation then origin; a Matrix4 is column-major 4x4.
 * `out` comes first, as everywhere.
 */

import type { Matrix4, Object3D, Quaternion, Vector3 } from 'three';
import { requireLength } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import type { Pose, Transform } from '../math/transform.js';
import { requireKind, requireTransformAt } from './three-door.js';

/** Reads twelve numbers starting at `at`, so it also serves flat arrays of transforms. */
export function toMatrix4(out: Matrix4, X: ArrayLike<number>, at = 0): Matrix4 {
  requireKind('toMatrix4', 'out', out, 'isMatrix4');
  requireTransformAt('toMatrix4', X, at);
  return writeMatrix4(out, X, at);
}

function writeMatrix4(out: Matrix4, X: ArrayLike<number>, at: number): Matrix4 {
  return out.set(
    X[at],
    X[at + 1],
    X[at + 2],
    X[at + 9],
    X[at + 3],
    X[at + 4],
    X[at + 5],
    X[at + 10],
    X[at + 6],
    X[at + 7],
    X[at + 8],
    X[at + 11],
    0,
    0,
    0,
    1,
  );
}

/** How far a matrix may be from a rotation before `fromMatrix4` refuses it. */
const ROTATION_TOLERANCE = 1e-6;

/** Throws when the matrix scales, shears, mirrors or projects: bake that into the geometry instead. */
export function fromMatrix4(out: Transform, matrix: Matrix4): Transform {
  requireLength('fromMatrix4', 'out', out, 12);
  requireKind('fromMatrix4', 'matrix', matrix, 'isMatrix4');
  const m = matrix.elements;
  let error = Math.abs(m[3]) + Math.abs(m[7]) + Math.abs(m[11]) + Math.abs(m[15] - 1);
  for (let i = 0; i < 3; i++) {
    for (let j = i; j < 3; j++) {
      const dot = m[4 * i] * m[4 * j] + m[4 * i + 1] * m[4 * j + 1] + m[4 * i + 2] * m[4 * j + 2];
      error = Math.max(error, Math.abs(dot - (i === j ? 1 : 0)));
    }
  }
  if (!(error <= ROTATION_TOLERANCE) || matrix.determinant() < 0)
    throw new MisuseError(
      `fromMatrix4: matrix, got one off a rotation by ${error}, expected rotation and translation only`,
    );
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) out[3 * row + column] = m[4 * column + row];
    out[9 + row] = m[12 + row];
  }
  return out;
}

/** Sets an object's position and quaternion, so it can still be animated with three's own tools. */
export function placeObject(object: Object3D, X: ArrayLike<number>, at = 0): void {
  requireKind('placeObject', 'object', object, 'isObject3D');
  requireTransformAt('placeObject', X, at);
  writeMatrix4(object.matrix, X, at);
  object.matrix.decompose(object.position, object.quaternion, object.scale);
  object.matrixWorldNeedsUpdate = true;
}

export function toPose(position: Vector3, quaternion: Quaternion): Pose {
  requireKind('toPose', 'position', position, 'isVector3');
  requireKind('toPose', 'quaternion', quaternion, 'isQuaternion');
  return [position.x, position.y, position.z, quaternion.x, quaternion.y, quaternion.z, quaternion.w];
}
