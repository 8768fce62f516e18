/**
 * Where the states of a problem live: numbers, and how they differ. A step dx from x is x (+) dx, right-plus; derivatives are
 * along such steps. Every function writes `out` first and returns it; `out` may be an input.
 */

import { requireCount } from '../../math/arguments.js';
import {
  createNeutralConfiguration,
  differenceConfiguration,
  integrateConfiguration,
} from '../../model/configuration.js';
import { computeDifferenceJacobian } from '../../model/configuration-jacobians.js';
import { type Model, requireModel } from '../../model/model.js';

export interface StateSpace {
  /** Numbers of a state, and of a step. */
  readonly nx: number;
  readonly ndx: number;
  readonly neutral: Float64Array;
  /** out = x (+) dx. */
  readonly integrate: (out: Float64Array, x: Float64Array, dx: Float64Array) => Float64Array;
  /** out = b (-) a, the step from a to b. */
  readonly difference: (out: Float64Array, a: Float64Array, b: Float64Array) => Float64Array;
  /** ndx x ndx: by how much b (-) a changes with b. */
  readonly differenceJacobian: (out: Float64Array, a: Float64Array, b: Float64Array) => Float64Array;
}

/** Plain vectors of n numbers. */
export function createVectorSpace(n: number): StateSpace {
  requireCount('createVectorSpace', 'n', n, 1);
  return {
    nx: n,
    ndx: n,
    neutral: new Float64Array(n),
    integrate: (out, x, dx) => {
      for (let i = 0; i < n; i++) out[i] = x[i] + dx[i];
      return out;
    },
    difference: (out, a, b) => {
      for (let i = 0; i < n; i++) out[i] = b[i] - a[i];
      return out;
    },
    differenceJacobian: (out) => {
      out.fill(0);
      for (let i = 0; i < n; i++) out[i * n + i] = 1;
      return out;
    },
  };
}

/** Configurations and velocities of a robot, x = (q, v); steps are (dq in the tangent, dv). */
export function createRobotSpace(model: Model): StateSpace {
  requireModel('createRobotSpace', model);
  const { nq, nv } = model;
  const neutral = new Float64Array(nq + nv);
  neutral.set(createNeutralConfiguration(model));
  const a = new Float64Array(nq);
  const b = new Float64Array(nq);
  const tangent = new Float64Array(nv);
  const block = new Float64Array(nv * nv);
  return {
    nx: nq + nv,
    ndx: 2 * nv,
    neutral,
    integrate: (out, x, dx) => {
      for (let i = 0; i < nq; i++) a[i] = x[i];
      for (let i = 0; i < nv; i++) tangent[i] = dx[i];
      for (let i = 0; i < nv; i++) out[nq + i] = x[nq + i] + dx[nv + i];
      integrateConfiguration(a, model, a, tangent);
      for (let i = 0; i < nq; i++) out[i] = a[i];
      return out;
    },
    difference: (out, from, to) => {
      for (let i = 0; i < nq; i++) a[i] = from[i];
      for (let i = 0; i < nq; i++) b[i] = to[i];
      differenceConfiguration(tangent, model, a, b);
      for (let i = 0; i < nv; i++) out[nv + i] = to[nq + i] - from[nq + i];
      for (let i = 0; i < nv; i++) out[i] = tangent[i];
      return out;
    },
    differenceJacobian: (out, from, to) => {
      for (let i = 0; i < nq; i++) a[i] = from[i];
      for (let i = 0; i < nq; i++) b[i] = to[i];
      computeDifferenceJacobian(block, model, a, b, 'b');
      out.fill(0);
      for (let i = 0; i < nv; i++) {
        for (let j = 0; j < nv; j++) out[i * 2 * nv + j] = block[i * nv + j];
        out[(nv + i) * 2 * nv + nv + i] = 1;
      }
      return out;
    },
  };
}
