/**
 * Residuals of states and controls of any problem: `state` x (-) reference, `control` u - reference, and functions of both.
 * Tested by residuals.test.ts (derivatives against differences).
 */

import {
  type Fields,
  requireCount,
  requireFields,
  requireFunction,
  requireNumbers,
  requireText,
} from '../../math/arguments.js';
import { requireSpace } from '../derivatives/check-derivatives.js';
import type { Residual } from './residual.js';
import type { StateSpace } from './state-space.js';

/** x (-) reference; the reference may be moved between solutions by writing to what was given, a Float64Array. */
export function createStateResidual(space: StateSpace, reference: ArrayLike<number> = space.neutral): Residual {
  requireSpace('createStateResidual', 'space', space);
  requireNumbers('createStateResidual', 'reference', reference, space.nx);
  const target = reference instanceof Float64Array ? reference : Float64Array.from(reference);
  return {
    name: 'state',
    size: space.ndx,
    needs: 'state',
    ofState: true,
    ofControl: false,
    evaluate: (r, { x }) => {
      space.difference(r, target, x);
    },
    differentiate: (rx, _, { x }) => {
      space.differenceJacobian(rx, target, x);
    },
  };
}

/** u - reference, `nu` numbers. */
export function createControlResidual(nu: number, reference: ArrayLike<number> = new Float64Array(nu)): Residual {
  requireCount('createControlResidual', 'nu', nu, 1);
  requireNumbers('createControlResidual', 'reference', reference, nu);
  const target = reference instanceof Float64Array ? reference : Float64Array.from(reference);
  return {
    name: 'control',
    size: nu,
    needs: 'state',
    ofState: false,
    ofControl: true,
    evaluate: (r, { u }) => {
      for (let i = 0; i < nu; i++) r[i] = u[i] - target[i];
    },
    differentiate: (_, ru) => {
      for (let i = 0; i < nu; i++) ru[i * nu + i] = 1;
    },
  };
}

export interface FunctionResidual {
  readonly name: string;
  readonly size: number;
  readonly evaluate: (r: Float64Array, x: Float64Array, u: Float64Array) => void;
  /** rx size x ndx, ru size x nu, zero when called. Left out: central differences, to some 1e-9. */
  readonly differentiate?: (rx: Float64Array, ru: Float64Array, x: Float64Array, u: Float64Array) => void;
}

const FIELDS: Fields = {
  name: requireText,
  size: (call, what, value) => requireCount(call, what, value, 1),
  evaluate: requireFunction,
  differentiate: requireFunction,
};

/** A residual of one's own. */
export function createFunctionResidual(request: FunctionResidual): Residual {
  requireFields('createFunctionResidual', 'request', request, FIELDS);
  requireCount('createFunctionResidual', 'request.size', request.size, 1);
  requireFunction('createFunctionResidual', 'request.evaluate', request.evaluate);
  const { name, size, evaluate, differentiate } = request;
  const plus = new Float64Array(size);
  const minus = new Float64Array(size);
  return {
    name,
    size,
    needs: 'state',
    ofState: true,
    ofControl: true,
    evaluate: (r, { x, u }) => {
      evaluate(r, x, u);
    },
    differentiate: (rx, ru, { x, u, space, nu }) => {
      if (differentiate !== undefined) {
        differentiate(rx, ru, x, u);
        return;
      }
      const { ndx, nx } = space;
      const moved = new Float64Array(nx);
      const step = new Float64Array(ndx);
      for (let c = 0; c < ndx; c++) {
        step[c] = STEP;
        evaluate(plus, space.integrate(moved, x, step), u);
        step[c] = -STEP;
        evaluate(minus, space.integrate(moved, x, step), u);
        step[c] = 0;
        for (let i = 0; i < size; i++) rx[i * ndx + c] = (plus[i] - minus[i]) / (2 * STEP);
      }
      const pushed = u.slice();
      for (let c = 0; c < nu; c++) {
        pushed[c] = u[c] + STEP;
        evaluate(plus, x, pushed);
        pushed[c] = u[c] - STEP;
        evaluate(minus, x, pushed);
        pushed[c] = u[c];
        for (let i = 0; i < size; i++) ru[i * nu + c] = (plus[i] - minus[i]) / (2 * STEP);
      }
    },
  };
}

/** A power of two near the cube root of the rounding unit. */
const STEP = 2 ** -17;
