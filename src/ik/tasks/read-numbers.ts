import { describeCount } from '../../math/arguments.js';
import { describeValue } from '../../math/known-keys.js';
import { MisuseError } from '../../math/misuse.js';
import { requireRotation } from '../../math/require-transform.js';
import type { Model } from '../../model/model.js';

/** Copies numbers of a request; a wrong length or a number that is not finite is misuse and throws. */
export function readNumbers(out: Float64Array, source: ArrayLike<number>, count: number, what: string): Float64Array {
  if (typeof source !== 'object' || source?.length !== count)
    throw new MisuseError(`${what}, got ${describeCount(source)}, expected ${count}`);
  for (let i = 0; i < count; i++) {
    const x = source[i];
    if (typeof x !== 'number' || !(x - x === 0))
      throw new MisuseError(`${what}[${i}], got ${describeValue(x)}, expected a finite number`);
    out[i] = x;
  }
  return out;
}

/** The same for a pose, whose rotation must be one. */
export function readTransform(out: Float64Array, source: ArrayLike<number>, what: string): Float64Array {
  readNumbers(out, source, 12, what);
  requireRotation(what, out);
  return out;
}

/** Length of the rows that count: those whose weight is not 0. */
export function measureRows(
  error: Float64Array,
  at: number,
  weights: ArrayLike<number> | undefined,
  from: number,
  to: number,
): number {
  let sum = 0;
  for (let r = from; r < to; r++) {
    if (weights && weights[r] === 0) continue;
    sum += error[at + r] * error[at + r];
  }
  return Math.sqrt(sum);
}

export function requireFrame(model: Model, frame: number, what: string): void {
  if (!(Number.isInteger(frame) && frame >= 0 && frame < model.frameCount)) {
    throw new MisuseError(`${what}, got ${describeValue(frame)}, expected 0 to ${model.frameCount - 1}`);
  }
}

/** Largest deviation of R R^T from the identity that a file's digits explain. */
const ROTATION = 1e-3;

/** Throws on the first nine numbers of a transform that are no rotation. */
export function requireRotation(what: string, R: ArrayLike<number>): void {
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c <= r; c++) {
      const dot = R[3 * r] * R[3 * c] + R[3 * r + 1] * R[3 * c + 1] + R[3 * r + 2] * R[3 * c + 2];
      if (!(Math.abs(dot - (r === c ? 1 : 0)) <= ROTATION)) throw notARotation(what, R);
    }
  }
  const det =
    R[0] * (R[4] * R[8] - R[5] * R[7]) - R[1] * (R[3] * R[8] - R[5] * R[6]) + R[2] * (R[3] * R[7] - R[4] * R[6]);
  if (!(det > 0)) throw notARotation(what, R);
}

const notARotation = (what: string, R: ArrayLike<number>): MisuseError =>
  new MisuseError(
    `${what}, got the rotation rows [${Array.from(R).slice(0, 9).join(', ')}], expected a rotation matrix`,
  );
