import { describe, expect, it } from 'vitest';
import { inertial, joint, placement, robot } from '../../test/models.js';
import { computeFramePlacement, forwardKinematics } from '../kinematics/forward-kinematics.js';
import { createRandom } from '../math/random.js';
import { buildModel } from '../model/build-model.js';
import { createNeutralConfiguration, integrateConfiguration } from '../model/configuration.js';
import { findFrame, type Model } from '../model/model.js';
import { createRandomState, createRandomTree, multiply, relativeError } from '../model/random-tree.test-support.js';
import { aba } from './aba.js';
import { computeConstrainedDynamics, computeConstraintImpulse } from './constrained-dynamics.js';
import { type Constraints, createConstraints, type RigidConstraint, updateConstraintJacobian } from './constraints.js';
import { crba } from './crba.js';
import { createDynamicsData } from './dynamics-data.js';
import { computeKineticEnergy, computePotentialEnergy } from './energy.js';
import { rnea } from './rnea.js';

/** Solves A x = b by elimination with full row pivoting. */
function solveDense(A: Float64Array, b: Float64Array): Float64Array {
  const n = b.length;
  const a = Float64Array.from(A);
  const x = Float64Array.from(b);
  for (let k = 0; k < n; k++) {
    let p = k;
    for (let r = k + 1; r < n; r++) if (Math.abs(a[r * n + k]) > Math.abs(a[p * n + k])) p = r;
    for (let c = 0; c < n; c++) [a[k * n + c], a[p * n + c]] = [a[p * n + c], a[k * n + c]];
    [x[k], x[p]] = [x[p], x[k]];
    for (let r = k + 1; r < n; r++) {
      const factor = a[r * n + k] / a[k * n + k];
      for (let c = k; c < n; c++) a[r * n + c] -= factor * a[k * n + c];
      x[r] -= factor * x[k];
    }
  }
  for (let k = n - 1; k >= 0; k--) {
    for (let c = k + 1; c < n; c++) x[k] -= a[k * n + c] * x[c];
    x[k] /= a[k * n + k];
  }
  return x;
}

/** [[M, J^T], [J, 0]] (a, -f) = (tau - bias, -gamma) */
function solveTogether(
  M: Float64Array,
  constraints: Constraints,
  free: Float64Array,
  offset: ArrayLike<number>,
): { a: Float64Array; f: Float64Array } {
  const nv = free.length;
  const n = nv + constraints.size;
  const A = new Float64Array(n * n);
  const b = new Float64Array(n);
  for (let r = 0; r < nv; r++) {
    for (let c = 0; c < nv; c++) A[r * n + c] = M[r * nv + c];
    b[r] = free[r];
  }
  for (let r = 0; r < constraints.size; r++) {
    for (let k = 0; k < nv; k++) {
      A[(nv + r) * n + k] = constraints.J[r * nv + k];
      A[k * n + nv + r] = constraints.J[r * nv + k];
    }
    b[nv + r] = -offset[r];
  }
  const x = solveDense(A, b);
  return { a: x.slice(0, nv), f: x.slice(nv).map((value) => -value) };
}

const pointAt = (frame: number, other?: number): RigidConstraint => ({ kind: 'point', frame, other });

/** Whether the rows of J are well independent: no row loses nearly all of its length to the ones before. */
function areIndependent(model: Model, list: readonly RigidConstraint[]): boolean {
  const constraints = createConstraints(model, list);
  const { q } = createRandomState(model, createRandom(77));
  updateConstraintJacobian(model, createDynamicsData(model), constraints, q);
  const rows = Array.from({ length: constraints.size }, (_, r) =>
    constraints.J.slice(r * model.nv, (r + 1) * model.nv),
  );
  const dot = (x: Float64Array, y: Float64Array) => x.reduce((sum, value, i) => sum + value * y[i], 0);
  return rows.every((row, r) => {
    const length = Math.sqrt(dot(row, row));
    for (const other of rows.slice(0, r)) {
      const share = dot(row, other);
      for (let i = 0; i < row.length; i++) row[i] -= share * other[i];
    }
    const left = Math.sqrt(dot(row, row));
    for (let i = 0; i < row.length; i++) row[i] /= left;
    return left > 0.01 * length;
  });
}

/** A tree on a floating base with a held leaf, and as many more contacts and a loop as its joints leave room for. */
function createFeet(seed: number): { model: Model; list: RigidConstraint[] } {
  const model = createRandomTree(seed, { joints: 14, base: 'floating' });
  const all = Array.from({ length: model.jointCount }, (_, j) => j);
  const leaves = all.filter((j) => j > 2 && model.subtreeEnds[j] === j + 1).map((j) => model.frameJoints.indexOf(j));
  const list: RigidConstraint[] = [{ kind: 'frame', frame: leaves[0] }];
  const trunk = model.frameJoints.indexOf(1);
  for (const more of leaves.slice(1).flatMap((frame) => [pointAt(frame), pointAt(frame, trunk)])) {
    if (list.length < 3 && areIndependent(model, [...list, more])) list.push(more);
  }
  return { model, list };
}

describe('constrained forward dynamics', () => {
  it.each(Array.from({ length: 20 }, (_, i) => i + 1))(
    'solves the equations of motion and of the constraints (tree %i)',
    (seed) => {
      const { model, list } = createFeet(seed);
      const data = createDynamicsData(model);
      const constraints = createConstraints(model, list);
      const { q, v, a: tau } = createRandomState(model, createRandom(seed));
      const random = createRandom(seed + 100);
      const externalForces = Float64Array.from({ length: 6 * model.jointCount }, () => random.uniform(-2, 2));
      expect(computeConstrainedDynamics(model, data, constraints, { q, v, tau }, { externalForces })).toBe('ok');
      const ddq = Float64Array.from(data.ddq);
      const fresh = createDynamicsData(model);
      const bias = rnea(model, fresh, q, v, new Float64Array(model.nv), externalForces);
      const free = tau.map((t, i) => t - bias[i]);
      const expected = solveTogether(crba(model, fresh, q), constraints, free, constraints.gamma);
      expect(relativeError(ddq, expected.a)).toBeLessThan(1e-8);
      expect(relativeError(constraints.forces, expected.f)).toBeLessThan(1e-8);
      // The constraint forces as external ones of inverse dynamics give back the torques.
      const rest = rnea(model, fresh, q, v, ddq, externalForces);
      const held = multiply(transpose(constraints.J, constraints.size, model.nv), constraints.forces);
      expect(
        relativeError(
          rest.map((t, i) => t - held[i]),
          tau,
        ),
      ).toBeLessThan(1e-8);
    },
  );

  it('is tried with several constraints at once, loops among them', () => {
    const lists = Array.from({ length: 20 }, (_, i) => createFeet(i + 1).list);
    expect(lists.filter((list) => list.length > 1).length).toBeGreaterThan(10);
    expect(lists.filter((list) => list.some(({ other }) => other !== undefined)).length).toBeGreaterThan(5);
  });

  it('without constraints is free forward dynamics', () => {
    const model = createRandomTree(3, { joints: 6 });
    const data = createDynamicsData(model);
    const state = createRandomState(model, createRandom(3));
    expect(computeConstrainedDynamics(model, data, createConstraints(model, []), { ...state, tau: state.a })).toBe(
      'ok',
    );
    const constrained = Float64Array.from(data.ddq);
    aba(model, data, state.q, state.v, state.a);
    expect(relativeError(constrained, data.ddq)).toBeLessThan(1e-9);
  });

  it('gives the weight to a contact that carries it', () => {
    const { model } = buildModel(
      robot(
        [joint('x', 'fixed', 'l0', 'l1', {})],
        [{ name: 'l0', inertial: inertial(3, [1, 2, 3], [0, 0, 0], [0, 0, 0]) }, { name: 'l1' }],
      ),
      { base: 'floating' },
    );
    const data = createDynamicsData(model);
    const constraints = createConstraints(model, [{ kind: 'frame', frame: findFrame(model, 'l1') }]);
    const q = createNeutralConfiguration(model);
    const state = { q, v: new Float64Array(6), tau: new Float64Array(6) };
    expect(computeConstrainedDynamics(model, data, constraints, state)).toBe('ok');
    [0, 0, 3 * 9.81, 0, 0, 0].forEach((force, i) => {
      expect(constraints.forces[i]).toBeCloseTo(force, 9);
    });
    for (const a of data.ddq) expect(a).toBeCloseTo(0, 9);
  });

  it('copes with redundant constraints: the same contact twice', () => {
    const { model, list } = createFeet(5);
    const data = createDynamicsData(model);
    const { q, v, a: tau } = createRandomState(model, createRandom(5));
    const once = createConstraints(model, [list[0]]);
    computeConstrainedDynamics(model, data, once, { q, v, tau });
    const expected = Float64Array.from(data.ddq);
    const twice = createConstraints(model, [list[0], list[0]]);
    expect(computeConstrainedDynamics(model, data, twice, { q, v, tau })).toBe('ok');
    expect(relativeError(data.ddq, expected)).toBeLessThan(1e-8);
    for (let i = 0; i < 6; i++) expect(twice.forces[i] + twice.forces[6 + i]).toBeCloseTo(once.forces[i], 6);
  });

  it('proximal: the larger, the more iterations to the same answer; 0 solves independent rows only', () => {
    const { model, list } = createFeet(5);
    const data = createDynamicsData(model);
    const state = (({ q, v, a: tau }) => ({ q, v, tau }))(createRandomState(model, createRandom(5)));
    const countIterations = (constraints: Constraints, proximal?: number): number => {
      for (let iterations = 0; iterations < 200; iterations++) {
        const options = { iterations, ...(proximal !== undefined && { proximal }) };
        if (computeConstrainedDynamics(model, data, constraints, state, options) === 'ok') return iterations;
      }
      return Infinity;
    };
    const once = createConstraints(model, [list[0]]);
    const counts = [0, 1e-8, 1e-4, 1e-2].map((proximal) => countIterations(once, proximal));
    const answers = [0, 1e-8, 1e-2].map((proximal) => {
      expect(computeConstrainedDynamics(model, data, once, state, { proximal, iterations: 2000 })).toBe('ok');
      return Float64Array.from(data.ddq);
    });
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(counts[3]).toBeGreaterThan(2 * counts[1]);
    expect(countIterations(once)).toBe(counts[1]);
    for (const answer of answers) expect(relativeError(answer, answers[0])).toBeLessThan(1e-10);
    const twice = createConstraints(model, [list[0], list[0]]);
    expect([0, 1e-8, 1e-4].map((proximal) => countIterations(twice, proximal) < 20)).toEqual([false, true, true]);
  });

  it('says when constraints cannot hold: a turning arm held at its end', () => {
    const { model } = buildModel(
      robot(
        [
          joint('j', 'revolute', 'l0', 'l1', { axis: [0, 0, 1] }),
          joint('f', 'fixed', 'l1', 'tip', { origin: placement([1, 0, 0], [0, 0, 0]) }),
        ],
        [{ name: 'l0' }, { name: 'l1', inertial: inertial(1, [1, 1, 1], [0.5, 0, 0], [0, 0, 0]) }, { name: 'tip' }],
      ),
    );
    const data = createDynamicsData(model);
    const constraints = createConstraints(model, [pointAt(findFrame(model, 'tip'))]);
    expect(computeConstrainedDynamics(model, data, constraints, { q: [0], v: [2], tau: [5] })).toBe('iteration limit');
    // What can be held is held.
    expect(data.ddq[0]).toBeCloseTo(0, 6);
    expect(computeConstrainedDynamics(model, data, constraints, { q: [0], v: [0], tau: [5] })).toBe('ok');
    expect(constraints.forces[1]).toBeCloseTo(-5, 6);
  });

  it('keeps a four-bar closed and its energy constant: Runge-Kutta, 2 s in steps of 1 ms', () => {
    const rod = (name: string) => ({ name, inertial: inertial(1, [0.001, 0.09, 0.09], [0.5, 0, 0], [0, 0, 0]) });
    const at = (x: number) => ({
      axis: [0, 1, 0] as [number, number, number],
      origin: placement([x, 0, 0], [0, 0, 0]),
    });
    const { model } = buildModel(
      robot(
        [
          joint('a', 'revolute', 'ground', 'crank', at(0)),
          joint('b', 'revolute', 'crank', 'coupler', at(1)),
          joint('c', 'revolute', 'coupler', 'rocker', at(1)),
          joint('end', 'fixed', 'rocker', 'tip', at(1)),
          joint('post', 'fixed', 'ground', 'pin', { origin: placement([1, 0, 0], [0, 0, 0]) }),
        ],
        [{ name: 'ground' }, rod('crank'), rod('coupler'), rod('rocker'), { name: 'tip' }, { name: 'pin' }],
      ),
    );
    const tip = findFrame(model, 'tip');
    const pin = findFrame(model, 'pin');
    const data = createDynamicsData(model);
    const constraints = createConstraints(model, [pointAt(tip, pin)], { stiffness: 400, damping: 40 });
    // A rhombus of side 1: crank up, coupler along, rocker down.
    let q: Float64Array = Float64Array.of(-1.2, 1.2, Math.PI - 1.2);
    let v: Float64Array = new Float64Array(3);
    const gap = () => {
      forwardKinematics(model, data.kinematics, q);
      const [A, B] = [tip, pin].map((f) => computeFramePlacement(new Float64Array(12), model, data.kinematics, f));
      return Math.hypot(A[9] - B[9], A[10] - B[10], A[11] - B[11]);
    };
    const energy = () => computeKineticEnergy(model, data, q, v) + computePotentialEnergy(model, data, q);
    expect(gap()).toBeLessThan(1e-12);
    const before = energy();
    const rate = (qs: Float64Array, vs: Float64Array): Float64Array => {
      expect(computeConstrainedDynamics(model, data, constraints, { q: qs, v: vs, tau: [0, 0, 0] })).toBe('ok');
      return Float64Array.from(data.ddq);
    };
    const h = 1e-3;
    let fastest = 0;
    for (let step = 0; step < 2000; step++) {
      const ahead = (dv: Float64Array, t: number) =>
        integrateConfiguration(
          new Float64Array(3),
          model,
          q,
          dv.map((x) => t * x),
        );
      const k1 = rate(q, v);
      const v2 = v.map((x, i) => x + 0.5 * h * k1[i]);
      const k2 = rate(ahead(v, 0.5 * h), v2);
      const v3 = v.map((x, i) => x + 0.5 * h * k2[i]);
      const k3 = rate(ahead(v2, 0.5 * h), v3);
      const v4 = v.map((x, i) => x + h * k3[i]);
      const k4 = rate(ahead(v3, h), v4);
      const mean = v.map((x, i) => (x + 2 * v2[i] + 2 * v3[i] + v4[i]) / 6);
      q = ahead(mean, h);
      v = v.map((x, i) => x + (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
      fastest = Math.max(fastest, Math.abs(v[0]));
    }
    expect(fastest).toBeGreaterThan(1);
    expect(gap()).toBeLessThan(1e-8);
    expect(Math.abs(energy() - before) / Math.abs(before)).toBeLessThan(1e-6);
  });
});

describe('impulses of constraints', () => {
  it.each([1, 2, 3, 4, 5, 6])(
    'stop what they hold, and with restitution turn it round at the same energy (tree %i)',
    (seed) => {
      const { model, list } = createFeet(seed);
      const data = createDynamicsData(model);
      const constraints = createConstraints(model, list);
      const { q, v } = createRandomState(model, createRandom(seed));
      const before = computeKineticEnergy(model, data, q, v);
      updateConstraintJacobian(model, data, constraints, q);
      const speeds = multiply(constraints.J, v);
      expect(computeConstraintImpulse(model, data, constraints, q, v)).toBe('ok');
      const stopped = Float64Array.from(constraints.velocity);
      expect(relativeError(multiply(constraints.J, stopped), new Float64Array(constraints.size))).toBeLessThan(1e-10);
      expect(computeKineticEnergy(model, data, q, stopped)).toBeLessThan(before);
      // M (v+ - v) = J^T L
      const change = stopped.map((x, i) => x - v[i]);
      const momentum = multiply(crba(model, data, q), change);
      const impulse = multiply(transpose(constraints.J, constraints.size, model.nv), constraints.forces);
      expect(relativeError(momentum, impulse)).toBeLessThan(1e-9);
      expect(computeConstraintImpulse(model, data, constraints, q, v, { restitution: 1 })).toBe('ok');
      const bounced = constraints.velocity;
      expect(
        relativeError(
          multiply(constraints.J, bounced),
          speeds.map((x) => -x),
        ),
      ).toBeLessThan(1e-9);
      expect(computeKineticEnergy(model, data, q, bounced) / before).toBeCloseTo(1, 9);
    },
  );

  it('name misuse', () => {
    const model = createRandomTree(1, { joints: 3 });
    const data = createDynamicsData(model);
    expect(() => createConstraints(model, [pointAt(99)])).toThrow(/frame, got 99/);
    expect(() => createConstraints(model, [{ kind: 'line' as 'point', frame: 0 }])).toThrow(/kind, got "line"/);
    expect(() => createConstraints(model, [], { stiffness: -1 })).toThrow(/stiffness and damping/);
    const { q, v } = createRandomState(model, createRandom(1));
    const none = createConstraints(model, []);
    expect(() => computeConstraintImpulse(model, data, none, q, v, { restitution: 2 })).toThrow(/restitution, got 2/);
    expect(() => computeConstrainedDynamics(model, data, none, { q, v, tau: [Number.NaN] })).toThrow(/tau, got/);
  });
});

/** rows x columns to columns x rows. */
function transpose(A: Float64Array, rows: number, columns: number): Float64Array {
  return Float64Array.from({ length: rows * columns }, (_, i) => A[(i % rows) * columns + Math.floor(i / rows)]);
}
