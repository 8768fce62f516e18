/**
 * A cost made of terms: sum of weight x activation(residual), with names, and its derivatives by Gauss and Newton's rule
 *   lx += w rx^T a'(r),   lxx += w rx^T a''(r) rx,  and likewise for u,
 * which leaves out the curvature of residuals and keeps Hessians semidefinite.
 * Cost: size ndx^2 per term that depends on the state. Allocates when created. Tested by residuals.test.ts.
 */

import { type Fields, requireFields, requireList, requireNotNegative, requireText } from '../../math/arguments.js';
import { MisuseError } from '../../math/misuse.js';
import { type Activation, quadratic, requireActivation } from './activations.js';
import { type Needs, type Residual, requireResidual, type StageContext } from './residual.js';
import type { StageDerivatives } from './stage.js';

export interface CostTerm {
  readonly residual: Residual;
  readonly weight: number;
  /** Default the residual's name. */
  readonly name?: string;
  /** Default quadratic: half the sum of squares. */
  readonly activation?: Activation;
}

export interface CostSum {
  readonly needs: Needs;
  readonly evaluate: (context: StageContext) => number;
  /** Adds `scale` times the derivatives. */
  readonly addDerivatives: (out: Omit<StageDerivatives, 'fx' | 'fu'>, context: StageContext, scale: number) => void;
  /** Each term's cost by name, for reports. */
  readonly list: (context: StageContext) => readonly { readonly name: string; readonly cost: number }[];
}

const TERM: Fields = {
  residual: requireResidual,
  weight: requireNotNegative,
  name: requireText,
  activation: requireActivation,
};

interface Term {
  readonly name: string;
  readonly weight: number;
  readonly residual: Residual;
  readonly activation: Activation;
  readonly r: Float64Array;
  readonly first: Float64Array;
  readonly second: Float64Array;
  readonly rx: Float64Array;
  readonly ru: Float64Array;
}

const ORDER: readonly Needs[] = ['state', 'placements', 'velocities'];

/** What all of some residuals need. */
export function gatherNeeds(residuals: readonly Residual[]): Needs {
  return ORDER[Math.max(0, ...residuals.map(({ needs }) => ORDER.indexOf(needs)))];
}

export function createCostSum(terms: readonly CostTerm[], ndx: number, nu: number, call = 'createCostSum'): CostSum {
  requireList(call, 'costs', terms, 'a list of costs');
  const list = terms.map((term, i): Term => {
    requireFields(call, `costs[${i}]`, term, TERM);
    requireResidual(call, `costs[${i}].residual`, term.residual);
    requireNotNegative(call, `costs[${i}].weight`, term.weight);
    const { residual, weight, activation = quadratic, name = residual.name } = term;
    const { size } = residual;
    if (activation.size !== 0 && activation.size !== size)
      throw new MisuseError(`${call}: costs[${i}].activation, got one of ${activation.size} entries, expected ${size}`);
    return {
      name,
      weight,
      residual,
      activation,
      r: new Float64Array(size),
      first: new Float64Array(size),
      second: new Float64Array(size),
      rx: new Float64Array(size * ndx),
      ru: new Float64Array(size * nu),
    };
  });
  const cost = ({ residual, activation, weight, r }: Term, context: StageContext): number => {
    if (weight === 0) return 0;
    residual.evaluate(r, context);
    return weight * activation.value(r);
  };
  return {
    needs: gatherNeeds(list.map(({ residual }) => residual)),
    evaluate: (context) => {
      let sum = 0;
      for (const term of list) sum += cost(term, context);
      return sum;
    },
    list: (context) => list.map((term) => ({ name: term.name, cost: cost(term, context) })),
    addDerivatives: (out, context, scale) => {
      for (const { residual, activation, weight, r, first, second, rx, ru } of list) {
        if (weight === 0) continue;
        residual.evaluate(r, context);
        activation.differentiate(first, second, r);
        let active = false;
        for (let i = 0; i < r.length; i++) active ||= first[i] !== 0 || second[i] !== 0;
        if (!active) continue;
        rx.fill(0);
        ru.fill(0);
        residual.differentiate(rx, ru, context);
        addGaussNewton(out, residual, { rx, ru, first, second, scale: scale * weight }, ndx, nu);
      }
    },
  };
}

/** lx += s rx^T first, lxx += s rx^T second rx, ... */
export function addGaussNewton(
  { lx, lu, lxx, lxu, luu }: Omit<StageDerivatives, 'fx' | 'fu'>,
  { size, ofState, ofControl }: Residual,
  parts: {
    readonly rx: Float64Array;
    readonly ru: Float64Array;
    readonly first: Float64Array;
    readonly second: Float64Array;
    readonly scale: number;
  },
  ndx: number,
  nu: number,
): void {
  const { rx, ru, first, second, scale } = parts;
  for (let i = 0; i < size; i++) {
    const slope = scale * first[i];
    const bend = scale * second[i];
    if (slope === 0 && bend === 0) continue;
    const at = i * ndx;
    if (ofState) {
      for (let k = 0; k < ndx; k++) {
        const x = rx[at + k];
        if (x === 0) continue;
        lx[k] += slope * x;
        const y = bend * x;
        for (let l = 0; l < ndx; l++) lxx[k * ndx + l] += y * rx[at + l];
        if (ofControl) for (let l = 0; l < nu; l++) lxu[k * nu + l] += y * ru[i * nu + l];
      }
    }
    if (ofControl) {
      for (let k = 0; k < nu; k++) {
        const x = ru[i * nu + k];
        if (x === 0) continue;
        lu[k] += slope * x;
        for (let l = 0; l < nu; l++) luu[k * nu + l] += bend * x * ru[i * nu + l];
      }
    }
  }
}
