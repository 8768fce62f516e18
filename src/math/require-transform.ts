/** Checks of rigid transforms at the doors. */
import { listValues } from './known-keys.js';
import { rotationError } from './mat3.js';
import { MisuseError } from './misuse.js';
import type { NumericArray } from './vec3.js';

/** How far R R^T may be from the identity: single precision passes, scales and mirrors do not. */
export const RIGID_TOLERANCE = 1e-5;

/** Throws where the first nine numbers are no rotation; `what` begins the message: `call: argument`. */
export function requireRotation(what: string, X: NumericArray, tolerance = RIGID_TOLERANCE): void {
  if (!(rotationError(X) <= tolerance))
    throw new MisuseError(
      `${what}, got the rotation [${listValues(Array.from(X).slice(0, 9))}], expected a rotation matrix`,
    );
}
