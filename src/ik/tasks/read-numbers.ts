import { rotationError } from '../../math/mat3.js';
import { MisuseError } from '../../math/misuse.js';
import type { Model } from '../../model/model.js';

/** Copies numbers of a request; a wrong length or a number that is not finite is misuse and throws. */
export function readNumbers(out: Float64Array, source: ArrayLike<number>, count: number, what: string): Float64Array {
  if (source.length !== count) throw new MisuseError(`${what}, got ${source.length} numbers, expected ${count}`);
  for (let i = 0; i < count; i++) {
    const x = source[i];
    if (!(x - x === 0)) throw new MisuseError(`${what}[${i}], got ${x}, expected a finite number`);
    out[i] = x;
  }
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
    throw new MisuseError(`${what}, got ${frame}, expected 0 to ${model.frameCount - 1}`);
  }
}

/** What the digits of a file explain. */
const ROTATION = 1e-3;

/** Throws on the first nine numbers of a transform that are no rotation. */
export function requireRotation(what: string, R: ArrayLike<number>): void {
  if (!(rotationError(R) <= ROTATION))
    throw new MisuseError(
      `${what}, got the rotation rows [${Array.from(R).slice(0, 9).join(', ')}], expected a rotation matrix`,
    );
}
