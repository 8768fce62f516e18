/** Checks of rigid transforms at the doors. */
import { listValues } from './known-keys.js';
import { MisuseError } from './misuse.js';

/** How far R R^T may be from the identity: single precision passes, scales and mirrors do not. */
export const RIGID_TOLERANCE = 1e-5;

/** Largest entry of R R^T - I, or what the determinant is off 1, of the nine numbers of a rotation. NaN where one is. */
export function rotationError(X: ArrayLike<number>): number {
  const determinant =
    X[0] * (X[4] * X[8] - X[5] * X[7]) - X[1] * (X[3] * X[8] - X[5] * X[6]) + X[2] * (X[3] * X[7] - X[4] * X[6]);
  let error = Math.abs(determinant - 1);
  for (let i = 0; i < 9; i += 3)
    for (let j = i; j < 9; j += 3) {
      const product = X[i] * X[j] + X[i + 1] * X[j + 1] + X[i + 2] * X[j + 2];
      error = Math.max(error, Math.abs(product - (i === j ? 1 : 0)));
    }
  return error;
}

/** Throws where the first nine numbers are no rotation; `what` begins the message: `call: argument`. */
export function requireRotation(what: string, X: ArrayLike<number>): void {
  if (!(rotationError(X) <= RIGID_TOLERANCE))
    throw new MisuseError(
      `${what}, got the rotation [${listValues(Array.from(X).slice(0, 9))}], expected a rotation matrix`,
    );
}
