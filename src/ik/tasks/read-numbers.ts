import { describeCount } from '../../math/arguments.js';
import { describeValue } from '../../math/known-keys.js';
import { MisuseError } from '../../math/misuse.js';
import { requireRotation } from '../../math/require-transform.js';
import type { Model } from '../../model/model.js';

/** What the digits of a file explain. */
export const ROTATION = 1e-3;

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
  requireRotation(what, out, ROTATION);
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
