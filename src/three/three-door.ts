/**
 * Checks that the calls of this folder share. Objects of three.js are told by the flags that it gives them, not by their
 * class: several copies of it may be loaded, and each has classes of its own.
 */
import type { BufferGeometry, Material, Matrix4, Object3D, Quaternion, Vector3 } from 'three';
import {
  type Fields,
  isArrayOf,
  requireNotNegative,
  requireNumbers,
  requirePositiveNumber,
  throwMisuse,
  wholeFrom,
} from '../math/arguments.js';

interface Kinds {
  readonly isBufferGeometry: BufferGeometry;
  readonly isMaterial: Material;
  readonly isMatrix4: Matrix4;
  readonly isObject3D: Object3D;
  readonly isQuaternion: Quaternion;
  readonly isVector3: Vector3;
}

/** Cheap. */
export function requireKind<K extends keyof Kinds>(
  call: string,
  what: string,
  value: unknown,
  flag: K,
): asserts value is Kinds[K] {
  const flags = value as Partial<Record<K, unknown>> | null | undefined;
  if (typeof value === 'object' && flags?.[flag] === true) return;
  const kind = flag.slice(2);
  throwMisuse(call, what, value, `${/^[AEIOU]/.test(kind) ? 'an' : 'a'} ${kind} of three.js`);
}

/** Twelve numbers from `at` on. Cheap. */
export function requireTransformAt(call: string, X: ArrayLike<number>, at: number): void {
  if (!isArrayOf(X)) throwMisuse(call, 'X', X, '12 numbers');
  if (!Number.isInteger(at) || at < 0) throwMisuse(call, 'at', at, 'a whole number, 0 or more');
  if (at + 12 > X.length) throwMisuse(call, 'X', X, `12 numbers from at = ${at} on`);
  let sum = 0;
  for (let i = at; i < at + 12; i++) sum += typeof X[i] === 'number' ? X[i] : Number.NaN;
  if (!Number.isFinite(sum)) requireNumbers(call, 'X', Array.from(X).slice(at, at + 12), 12);
}

export const MESH_OPTIONS: Fields = { creaseAngle: requireNotNegative };

export const SHAPE_OPTIONS: Fields = { segments: wholeFrom(1), planeSize: requirePositiveNumber, ...MESH_OPTIONS };
