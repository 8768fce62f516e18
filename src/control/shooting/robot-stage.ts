/**
 * Stages of a robot: x = (q, v), forward dynamics with or without contacts, one step of an integrator, a sum of costs.
 *
 * Method: a = acceleration under tau = B u (and contacts), v' = v + a dt, q' = q (+) v' dt (semi-implicit Euler, the velocity
 * after the step moves the configuration), cost = dt l(x, u). Derivatives: of accelerations by aba-derivatives.ts or
 * constrained-derivatives.ts, of q' by the Jacobians of q (+) v by q and by v on the group of each joint
 *   dq' = Jq dq + Jv d(v' dt).
 * An impulse stage takes no time: q' = q, v' = the velocity after the impulse that its constraints give; cost = l(x).
 * Source: Mastalli, Budhiraja, Merkt, Saurel, Hammoud, Naveau, Carpentier, Righetti, Vijayakumar, Mansard 2020, "Crocoddyl: an
 * efficient and versatile framework for multi-contact optimal control", doi:10.1109/ICRA40945.2020.9196673 (the transcription).
 * Shapes: as stage.ts, ndx = 2 nv. Cost: derivatives of dynamics and nv^3. Allocates when created.
 * A singular mass matrix gives an infinite cost, which solvers refuse.
 * Tested by stages.test.ts (differences) and test/contract/talos-arm-runs.test.ts (published costs).
 */

import { aba } from '../../dynamics/aba.js';
import { computeAbaDerivatives } from '../../dynamics/aba-derivatives.js';
import { computeConstrainedDynamics, computeConstraintImpulse } from '../../dynamics/constrained-dynamics.js';
import { type Constraints, createConstraints, type RigidConstraint } from '../../dynamics/constraints.js';
import { createDynamicsData, type DynamicsData, type DynamicsOptions } from '../../dynamics/dynamics-data.js';
import { updateKinematics } from '../../kinematics/forward-kinematics.js';
import { computeVelocities } from '../../kinematics/motion.js';
import {
  type Fields,
  requireBounds,
  requireFields,
  requireFinite,
  requireList,
  requireNumbers,
  requirePositiveNumber,
  unchecked,
} from '../../math/arguments.js';
import { MisuseError } from '../../math/misuse.js';
import { integrateConfiguration } from '../../model/configuration.js';
import { computeIntegrateJacobian } from '../../model/configuration-jacobians.js';
import { type Model, requireModel } from '../../model/model.js';
import {
  computeConstrainedDerivatives,
  computeImpulseDerivatives,
  createConstrainedDerivatives,
} from '../derivatives/constrained-derivatives.js';
import { type CostTerm, createCostSum } from './cost-sum.js';
import type { Needs, RobotContext, StageContext } from './residual.js';
import type { Stage, StageDerivatives, TerminalStage } from './stage.js';
import { createRobotSpace, type StateSpace } from './state-space.js';

export interface RobotStageRequest {
  readonly model: Model;
  /** Seconds. */
  readonly dt: number;
  readonly costs: readonly CostTerm[];
  /** B, nv x nu, row-major: tau = B u. Default the identity. */
  readonly actuation?: ArrayLike<number>;
  /** Contacts and loops that hold during the step. */
  readonly contacts?: readonly RigidConstraint[];
  /** Rates of `createConstraints`, for contacts. */
  readonly stabilisation?: { readonly stiffness?: number; readonly damping?: number };
  /** Gravity, armature, damping, friction. */
  readonly dynamics?: DynamicsOptions;
  /** nu numbers each; infinite where there is no limit. */
  readonly controlLower?: ArrayLike<number>;
  readonly controlUpper?: ArrayLike<number>;
}

const STAGE: Fields = {
  model: unchecked,
  dt: requirePositiveNumber,
  costs: requireList,
  actuation: requireNumbers,
  contacts: requireList,
  stabilisation: unchecked,
  dynamics: unchecked,
  controlLower: requireBounds,
  controlUpper: requireBounds,
};

/** What stages of one robot share. */
interface RobotParts {
  readonly space: StateSpace;
  readonly data: DynamicsData;
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly context: StageContext & { readonly robot: RobotContext };
  readonly load: (x: Float64Array, u: Float64Array | null) => void;
  readonly prepare: (cost: { readonly needs: Needs }) => void;
  readonly contextAt: (x: Float64Array, u: Float64Array | null, needs: Needs) => StageContext;
}

function createParts(model: Model, nu: number, dynamics: DynamicsOptions): RobotParts {
  const { nq, nv } = model;
  const data = createDynamicsData(model, dynamics);
  const q = new Float64Array(nq);
  const v = new Float64Array(nv);
  const space = createRobotSpace(model);
  const x = new Float64Array(nq + nv);
  const u = new Float64Array(nu);
  const context = { space, nu, x, u, robot: { model, data, q, v } };
  const load: RobotParts['load'] = (state, control) => {
    for (let i = 0; i < nq; i++) q[i] = state[i];
    for (let i = 0; i < nv; i++) v[i] = state[nq + i];
    x.set(state);
    if (control !== null) for (let i = 0; i < nu; i++) u[i] = control[i];
  };
  const prepare: RobotParts['prepare'] = ({ needs }) => {
    if (needs === 'state') return;
    updateKinematics(model, data.kinematics, q);
    if (needs === 'velocities') computeVelocities(model, data, q, v);
  };
  return {
    space,
    data,
    q,
    v,
    context,
    load,
    prepare,
    contextAt: (state, control, needs) => {
      load(state, control);
      prepare({ needs });
      return context;
    },
  };
}

function areFinite(values: Float64Array): boolean {
  let zero = 0;
  for (let i = 0; i < values.length; i++) zero += values[i] * 0;
  return zero === 0;
}

/** A stage of forward dynamics. Robots of one model share nothing between stages: use one stage many times. */
export function createRobotStage(request: RobotStageRequest): Stage {
  const call = 'createRobotStage';
  requireFields(call, 'request', request, STAGE);
  const { model, dt, actuation, contacts = [], stabilisation = {}, dynamics = {} } = request;
  requireModel(call, model);
  requirePositiveNumber(call, 'request.dt', dt);
  const { nq, nv } = model;
  if (actuation !== undefined && (actuation.length % nv !== 0 || actuation.length === 0))
    throw new MisuseError(`${call}: request.actuation, got ${actuation.length} numbers, expected ${nv} rows`);
  const nu = actuation === undefined ? nv : actuation.length / nv;
  const B = actuation === undefined ? null : Float64Array.from(actuation);
  const parts = makeNamed(call, () => createParts(model, nu, dynamics));
  const { space, data, q, v, context } = parts;
  const cost = createCostSum(request.costs, 2 * nv, nu, call);
  const constraints: Constraints | null =
    contacts.length > 0 ? makeNamed(call, () => createConstraints(model, contacts, stabilisation)) : null;
  const derivatives = constraints === null ? null : createConstrainedDerivatives(model, data, constraints);
  const tau = new Float64Array(nv);
  const shift = new Float64Array(nv);
  const moved = new Float64Array(nq);
  const Jq = new Float64Array(nv * nv);
  const Jv = new Float64Array(nv * nv);
  const plain = isPlain(model);
  const applyControl = (u: Float64Array) => {
    if (B === null) for (let i = 0; i < nv; i++) tau[i] = u[i];
    else {
      for (let i = 0; i < nv; i++) {
        let sum = 0;
        for (let k = 0; k < nu; k++) sum += B[i * nu + k] * u[k];
        tau[i] = sum;
      }
    }
  };
  const limits = readLimits(call, request, nu);
  return {
    space,
    nu,
    ...limits,
    contextAt: parts.contextAt,
    evaluate: (next, x, u) => {
      if (!areFinite(x) || !areFinite(u)) return Infinity;
      parts.load(x, u);
      applyControl(u);
      const status =
        constraints === null
          ? aba(model, data, q, v, tau)
          : computeConstrainedDynamics(model, data, constraints, { q, v, tau });
      if (status === 'singular') return Infinity;
      const { ddq } = data;
      for (let i = 0; i < nv; i++) {
        const speed = v[i] + dt * ddq[i];
        next[nq + i] = speed;
        shift[i] = dt * speed;
      }
      parts.prepare(cost);
      const value = dt * cost.evaluate(context);
      if (!areFinite(shift)) return Infinity;
      integrateConfiguration(moved, model, q, shift);
      for (let i = 0; i < nq; i++) next[i] = moved[i];
      return value;
    },
    differentiate: (out, x, u) => {
      parts.load(x, u);
      applyControl(u);
      let [aq, av, au] = [data.ddqDq, data.ddqDv, data.inverseM];
      if (constraints === null || derivatives === null) computeAbaDerivatives(model, data, q, v, tau);
      else {
        computeConstrainedDerivatives(derivatives, model, data, constraints, { q, v, tau });
        [aq, av, au] = [derivatives.dq, derivatives.dv, derivatives.dtau];
      }
      for (let i = 0; i < nv; i++) shift[i] = dt * (v[i] + dt * data.ddq[i]);
      writeStep(out, { aq, av, au, B }, nv, nu, dt);
      if (!plain) {
        computeIntegrateJacobian(Jq, model, shift, 'q');
        computeIntegrateJacobian(Jv, model, shift, 'v');
        turnStep(out, Jq, Jv, nv, nu);
      }
      const { lx, lu, lxx, lxu, luu } = out;
      for (const array of [lx, lu, lxx, lxu, luu]) array.fill(0);
      parts.prepare(cost);
      cost.addDerivatives(out, context, dt);
    },
  };
}

/** Whether every joint is one plain number. */
function isPlain(model: Model): boolean {
  for (let j = 1; j < model.jointCount; j++) if (model.nqs[j] > 1 || model.nqs[j] !== model.nvs[j]) return false;
  return true;
}

/** fx and fu of v' = v + a dt, q' = q + v' dt, for joints that are plain numbers; elsewhere the first rows are d(v' dt). */
function writeStep(
  { fx, fu }: StageDerivatives,
  parts: {
    readonly aq: Float64Array;
    readonly av: Float64Array;
    readonly au: Float64Array;
    readonly B: Float64Array | null;
  },
  nv: number,
  nu: number,
  dt: number,
): void {
  const { aq, av, au, B } = parts;
  const n = 2 * nv;
  for (let i = 0; i < nv; i++) {
    for (let k = 0; k < nv; k++) {
      const same = i === k ? 1 : 0;
      const byQ = dt * aq[i * nv + k];
      const byV = same + dt * av[i * nv + k];
      fx[(nv + i) * n + k] = byQ;
      fx[(nv + i) * n + nv + k] = byV;
      fx[i * n + k] = same + dt * byQ;
      fx[i * n + nv + k] = dt * byV;
    }
    for (let k = 0; k < nu; k++) {
      let sum = 0;
      if (B === null) sum = au[i * nv + k];
      else for (let l = 0; l < nv; l++) sum += au[i * nv + l] * B[l * nu + k];
      fu[(nv + i) * nu + k] = dt * sum;
      fu[i * nu + k] = dt * dt * sum;
    }
  }
}

/** Puts the Jacobians of q (+) v before the first rows. */
function turnStep({ fx, fu }: StageDerivatives, Jq: Float64Array, Jv: Float64Array, nv: number, nu: number): void {
  const n = 2 * nv;
  const column = new Float64Array(nv);
  for (let c = 0; c < n; c++) {
    for (let i = 0; i < nv; i++) column[i] = fx[i * n + c] - (c === i ? 1 : 0);
    for (let i = 0; i < nv; i++) {
      let sum = c < nv ? Jq[i * nv + c] : 0;
      for (let k = 0; k < nv; k++) sum += Jv[i * nv + k] * column[k];
      fx[i * n + c] = sum;
    }
  }
  for (let c = 0; c < nu; c++) {
    for (let i = 0; i < nv; i++) column[i] = fu[i * nu + c];
    for (let i = 0; i < nv; i++) {
      let sum = 0;
      for (let k = 0; k < nv; k++) sum += Jv[i * nv + k] * column[k];
      fu[i * nu + c] = sum;
    }
  }
}

/** Limits of a request that may have them. */
export function readLimits(
  call: string,
  request: { readonly controlLower?: ArrayLike<number>; readonly controlUpper?: ArrayLike<number> },
  nu: number,
): { controlLower?: Float64Array; controlUpper?: Float64Array } {
  const { controlLower, controlUpper } = request;
  if (controlLower === undefined && controlUpper === undefined) return {};
  if (controlLower !== undefined) requireBounds(call, 'request.controlLower', controlLower, nu);
  if (controlUpper !== undefined) requireBounds(call, 'request.controlUpper', controlUpper, nu);
  const low = controlLower === undefined ? new Float64Array(nu).fill(-Infinity) : Float64Array.from(controlLower);
  const high = controlUpper === undefined ? new Float64Array(nu).fill(Infinity) : Float64Array.from(controlUpper);
  for (let i = 0; i < nu; i++)
    if (!(low[i] <= high[i]))
      throw new MisuseError(
        `${call}: request.controlLower[${i}], got ${low[i]} above ${high[i]}, expected at most that`,
      );
  return { controlLower: low, controlUpper: high };
}

export interface ImpulseStageRequest {
  readonly model: Model;
  /** What begins to hold. */
  readonly contacts: readonly RigidConstraint[];
  /** 0 (default): contacts stay; 1: they bounce. */
  readonly restitution?: number;
  readonly costs: readonly CostTerm[];
  readonly dynamics?: DynamicsOptions;
}

const IMPULSE: Fields = {
  model: unchecked,
  contacts: requireList,
  restitution: requireFinite,
  costs: requireList,
  dynamics: unchecked,
};

/** A stage without time and controls: velocities jump so that contacts hold. */
export function createImpulseStage(request: ImpulseStageRequest): Stage {
  const call = 'createImpulseStage';
  requireFields(call, 'request', request, IMPULSE);
  const { model, contacts, restitution = 0, dynamics = {} } = request;
  requireModel(call, model);
  requireList(call, 'request.contacts', contacts);
  const { nq, nv } = model;
  const parts = makeNamed(call, () => createParts(model, 0, dynamics));
  const { space, data, q, v, context } = parts;
  const cost = createCostSum(request.costs, 2 * nv, 0, call);
  const constraints = makeNamed(call, () => createConstraints(model, contacts));
  const derivatives = createConstrainedDerivatives(model, data, constraints);
  return {
    space,
    nu: 0,
    contextAt: parts.contextAt,
    evaluate: (next, x, u) => {
      if (!areFinite(x)) return Infinity;
      parts.load(x, u);
      if (computeConstraintImpulse(model, data, constraints, q, v, { restitution }) === 'singular') return Infinity;
      for (let i = 0; i < nq; i++) next[i] = q[i];
      for (let i = 0; i < nv; i++) next[nq + i] = constraints.velocity[i];
      parts.prepare(cost);
      return cost.evaluate(context);
    },
    differentiate: (out, x, u) => {
      parts.load(x, u);
      computeImpulseDerivatives(derivatives, model, data, constraints, { q, v }, { restitution });
      const { fx, lx, lxx } = out;
      const n = 2 * nv;
      for (const array of [fx, lx, lxx]) array.fill(0);
      for (let i = 0; i < nv; i++) {
        fx[i * n + i] = 1;
        for (let k = 0; k < nv; k++) {
          fx[(nv + i) * n + k] = derivatives.dq[i * nv + k];
          fx[(nv + i) * n + nv + k] = derivatives.dv[i * nv + k];
        }
      }
      parts.prepare(cost);
      cost.addDerivatives(out, context, 1);
    },
  };
}

/** Costs of a robot's last state. */
export function createRobotTerminal(model: Model, costs: readonly CostTerm[]): TerminalStage {
  const call = 'createRobotTerminal';
  requireModel(call, model);
  const parts = createParts(model, 0, {});
  const { space, context } = parts;
  const cost = createCostSum(costs, space.ndx, 0, call);
  const none = new Float64Array(0);
  return {
    space,
    contextAt: (x, needs) => parts.contextAt(x, null, needs),
    evaluate: (x) => {
      if (!areFinite(x)) return Infinity;
      parts.load(x, null);
      parts.prepare(cost);
      return cost.evaluate(context);
    },
    differentiate: (lx, lxx, x) => {
      parts.load(x, null);
      parts.prepare(cost);
      lx.fill(0);
      lxx.fill(0);
      cost.addDerivatives({ lx, lxx, lu: none, lxu: none, luu: none }, context, 1);
    },
  };
}

/** What dynamics/ makes of a request; its misuse is told by the request's names. */
function makeNamed<T>(call: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof MisuseError)) throw error;
    throw new MisuseError(
      error.message
        .replace(/^createConstraints: list/, `${call}: request.contacts`)
        .replace(/^createConstraints: options/, `${call}: request.stabilisation`)
        .replace(/^createDynamicsData: options/, `${call}: request.dynamics`),
    );
  }
}
