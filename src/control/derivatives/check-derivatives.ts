/**
 * Compares derivatives that a program states with differences of the function itself.
 *
 * Method: central differences of the output over a step h along each direction of the input, at h and h / 2, extrapolated
 * (Richardson): the error is of order h^4 beside rounding of order 1e-16 / h. A column is off by
 *   |stated - measured| / (1 + |measured|), the worst entry of it.
 * Source: Richardson 1911, doi:10.1098/rsta.1911.0009.
 * Shapes: the stated Jacobian is outputs x directions, row-major. Cost: four evaluations a direction. Allocates.
 * Ends: 'ok' when the worst entry is off by `tolerance` at most; 'wrong' otherwise; 'not finite' where the function has no value.
 * Tested by check-derivatives.test.ts.
 */

import {
  type Fields,
  requireFields,
  requireFunction,
  requireNumbers,
  requirePositiveNumber,
  throwMisuse,
} from '../../math/arguments.js';
import { MisuseError } from '../../math/misuse.js';

export interface DerivativeRequest {
  /** Writes the output at an input. */
  readonly evaluate: (out: Float64Array, x: Float64Array) => void;
  /** The stated Jacobian at `x`, outputs x directions, row-major. */
  readonly jacobian: Float64Array;
  readonly x: Float64Array;
  /** How many numbers the output has. */
  readonly outputs: number;
  /** Space of the inputs; left out: plain numbers. */
  readonly inputSpace?: DifferenceSpace;
  /** Space of the outputs; left out: plain numbers. */
  readonly outputSpace?: DifferenceSpace;
  /** Default 1e-3 times the size of the input, at least 1e-3. */
  readonly step?: number;
  /** Default 1e-6. */
  readonly tolerance?: number;
}

/** What a check needs to know of a space whose steps are not plain differences. */
export interface DifferenceSpace {
  readonly nx: number;
  readonly ndx: number;
  readonly integrate: (out: Float64Array, x: Float64Array, dx: Float64Array) => Float64Array;
  readonly difference: (out: Float64Array, a: Float64Array, b: Float64Array) => Float64Array;
}

/** A space that can be stepped in: what createVectorSpace or createRobotSpace returned, or one like it. */
export function requireSpace(call: string, what: string, space: unknown): void {
  const { nx, ndx, integrate, difference } = (space ?? {}) as Partial<DifferenceSpace>;
  if (
    !(
      Number.isInteger(nx) &&
      Number.isInteger(ndx) &&
      typeof integrate === 'function' &&
      typeof difference === 'function'
    )
  )
    throwMisuse(call, what, space, 'a space with nx, ndx, integrate and difference');
}

export interface DerivativeReport {
  readonly status: 'ok' | 'wrong' | 'not finite';
  /** The worst entry: how much it is off, where it is, what was stated and measured. */
  readonly error: number;
  readonly row: number;
  readonly column: number;
  readonly stated: number;
  readonly measured: number;
  /** outputs x directions. */
  readonly jacobian: Float64Array;
}

const FIELDS: Fields = {
  evaluate: requireFunction,
  jacobian: requireNumbers,
  x: requireNumbers,
  outputs: requirePositiveNumber,
  inputSpace: requireSpace,
  outputSpace: requireSpace,
  step: requirePositiveNumber,
  tolerance: requirePositiveNumber,
};

export function checkDerivatives(request: DerivativeRequest): DerivativeReport {
  const call = 'checkDerivatives';
  requireFields(call, 'request', request, FIELDS);
  const { evaluate, jacobian, x, outputs, inputSpace, outputSpace, tolerance = 1e-6 } = request;
  requireFunction(call, 'request.evaluate', evaluate);
  requireNumbers(call, 'request.x', x, inputSpace?.nx);
  const directions = inputSpace?.ndx ?? x.length;
  const rows = outputSpace?.ndx ?? outputs;
  if (jacobian?.length !== rows * directions)
    throw new MisuseError(
      `${call}: request.jacobian, got ${jacobian?.length} numbers, expected ${rows} x ${directions}`,
    );
  let size = 1;
  for (let i = 0; i < x.length; i++) size = Math.max(size, Math.abs(x[i]));
  const step = request.step ?? 1e-3 * size;
  const values = Array.from({ length: 2 }, () => new Float64Array(outputs));
  const moved = new Float64Array(x.length);
  const move = new Float64Array(directions);
  const slope = (column: number, h: number): Float64Array => {
    [-h, h].forEach((along, side) => {
      move.fill(0);
      move[column] = along;
      if (inputSpace === undefined) for (let i = 0; i < moved.length; i++) moved[i] = x[i] + move[i];
      else inputSpace.integrate(moved, x, move);
      evaluate(values[side], moved);
    });
    const out = new Float64Array(rows);
    if (outputSpace === undefined) for (let i = 0; i < rows; i++) out[i] = values[1][i] - values[0][i];
    else outputSpace.difference(out, values[0], values[1]);
    return out.map((difference) => difference / (2 * h));
  };
  const measured = new Float64Array(rows * directions);
  let worst = { error: 0, row: 0, column: 0 };
  let finite = true;
  for (let column = 0; column < directions; column++) {
    const coarse = slope(column, step);
    const fine = slope(column, 0.5 * step);
    for (let row = 0; row < rows; row++) {
      const value = (4 * fine[row] - coarse[row]) / 3;
      const at = row * directions + column;
      measured[at] = value;
      const error = Math.abs(jacobian[at] - value) / (1 + Math.abs(value));
      if (!Number.isFinite(error)) finite = false;
      else if (error > worst.error) worst = { error, row, column };
    }
  }
  const at = worst.row * directions + worst.column;
  return {
    status: !finite ? 'not finite' : worst.error <= tolerance ? 'ok' : 'wrong',
    ...worst,
    stated: jacobian[at],
    measured: measured[at],
    jacobian: measured,
  };
}
