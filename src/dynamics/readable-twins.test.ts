/**
 * RNEA and ABA as the books have them, with 6-D vectors and matrices: what `computeBodyForces` (rnea.ts) and `eliminateColumn`
 * (aba.ts) do number by number, for speed. Read these first; they are compared on random trees of every joint type.
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", tables 5.1 and 7.1, doi:10.1007/978-1-4899-7560-7.
 */
import { describe, it } from 'vitest';
import { expect } from '../../test/support/quick-expect.js';
import { multiplySpatialInertia, writeSpatialInertia } from '../math/inertia.js';
import { createRandom } from '../math/random.js';
import { crossForce, crossMotion, dotMotionForce, inverseTransformMotion, transformForce } from '../math/spatial.js';
import type { Model } from '../model/model.js';
import { createRandomState, createRandomTree, relativeError } from '../model/random-tree.test-support.js';
import { aba } from './aba.js';
import { createDynamicsData, type DynamicsData } from './dynamics-data.js';
import { rnea } from './rnea.js';

type Vector = Float64Array<ArrayBuffer>;
const zero = (): Vector => new Float64Array(6);
const plus = (...terms: Vector[]): Vector => zero().map((_, i) => terms.reduce((sum, term) => sum + term[i], 0));
const times = (x: Vector, factor: number): Vector => x.map((value) => factor * value);
const GRAVITY = [1, -2, -9];

/** What both need of joint j: its pose on its parent, its columns, its body's inertia, all in the joint's frame. */
function describeJoint(model: Model, data: DynamicsData, j: number) {
  const { relativePlacements, columnStarts, columnSubspaces, columnVelocities } = data;
  const pose = relativePlacements.subarray(12 * j, 12 * j + 12);
  const columns: { readonly S: Vector; readonly index: number }[] = [];
  for (let c = columnStarts[j]; c < columnStarts[j + 1]; c++)
    columns.push({ S: Float64Array.from(columnSubspaces.subarray(6 * c, 6 * c + 6)), index: columnVelocities[c] });
  const inertia = writeSpatialInertia(
    new Float64Array(10),
    model.masses[j],
    model.centersOfMass.subarray(3 * j, 3 * j + 3),
    model.inertias.subarray(9 * j, 9 * j + 9),
  );
  return {
    columns,
    fromParent: (motion: Vector) => inverseTransformMotion(zero(), pose, motion),
    toParent: (force: Vector) => transformForce(zero(), pose, force),
    /** S x */
    combine: (x: ArrayLike<number>) => plus(zero(), ...columns.map(({ S, index }) => times(S, x[index]))),
    inertia: (motion: Vector) => multiplySpatialInertia(zero(), inertia, motion),
  };
}

/** Gravity as an upward acceleration of the base, in its frame. */
const liftBase = (model: Model): Vector =>
  inverseTransformMotion(zero(), model.basePlacement, [...GRAVITY.map((g) => -g), 0, 0, 0]);

/** Torques for accelerations: outward the motion of every body, inward the forces. Table 5.1. */
function invertDynamics(model: Model, data: DynamicsData, rates: Float64Array, gains: Float64Array): Float64Array {
  const joints = Array.from({ length: model.jointCount }, (_, j) => describeJoint(model, data, j));
  const V = [zero()];
  const A = [liftBase(model)];
  const F = [zero()];
  for (let j = 1; j < model.jointCount; j++) {
    const { fromParent, combine, inertia } = joints[j];
    const own = combine(rates);
    V[j] = plus(fromParent(V[model.parents[j]]), own);
    A[j] = plus(fromParent(A[model.parents[j]]), combine(gains), crossMotion(zero(), V[j], own));
    F[j] = plus(inertia(A[j]), crossForce(zero(), V[j], inertia(V[j])));
  }
  const torques = new Float64Array(model.nv);
  for (let j = model.jointCount - 1; j > 0; j--) {
    for (const { S, index } of joints[j].columns)
      torques[index] += dotMotionForce(S, F[j]) + data.armature[index] * gains[index];
    F[model.parents[j]] = plus(F[model.parents[j]], joints[j].toParent(F[j]));
  }
  return torques;
}

/** A symmetric map of motions to forces, by its columns. */
type Inertia = Vector[];
const apply = (I: Inertia, motion: Vector): Vector => plus(zero(), ...I.map((column, i) => times(column, motion[i])));
const unit = (i: number): Vector => zero().fill(1, i, i + 1);

/** Accelerations for torques: outward velocities, inward what each subtree shows at its joint, outward accelerations. Table 7.1. */
function solveDynamics(model: Model, data: DynamicsData, rates: Float64Array, torques: Float64Array): Float64Array {
  const { parents, jointCount, nv } = model;
  const joints = Array.from({ length: jointCount }, (_, j) => describeJoint(model, data, j));
  const V = [zero()];
  const bias = [zero()];
  const inertias: Inertia[] = [Array.from({ length: 6 }, zero)];
  const forces = [zero()];
  for (let j = 1; j < jointCount; j++) {
    const { fromParent, combine, inertia } = joints[j];
    const own = combine(rates);
    V[j] = plus(fromParent(V[parents[j]]), own);
    bias[j] = crossMotion(zero(), V[j], own);
    inertias[j] = Array.from({ length: 6 }, (_, i) => inertia(unit(i)));
    forces[j] = crossForce(zero(), V[j], inertia(V[j]));
  }
  const U: Vector[] = [];
  const D = new Float64Array(nv);
  const u = new Float64Array(nv);
  for (let j = jointCount - 1; j > 0; j--) {
    // One column at a time, the last one first: a chain of joints of one column with bodies of no mass between them.
    for (const { S, index } of [...joints[j].columns].reverse()) {
      U[index] = apply(inertias[j], S);
      D[index] = dotMotionForce(S, U[index]) + data.armature[index];
      u[index] = torques[index] - dotMotionForce(S, forces[j]);
      inertias[j] = inertias[j].map((column, i) => plus(column, times(U[index], -U[index][i] / D[index])));
      forces[j] = plus(forces[j], times(U[index], u[index] / D[index]));
    }
    const { fromParent, toParent } = joints[j];
    const p = parents[j];
    forces[p] = plus(forces[p], toParent(plus(forces[j], apply(inertias[j], bias[j]))));
    inertias[p] = inertias[p].map((column, i) => plus(column, toParent(apply(inertias[j], fromParent(unit(i))))));
  }
  const accelerations = new Float64Array(nv);
  const A = [liftBase(model)];
  for (let j = 1; j < jointCount; j++) {
    A[j] = plus(joints[j].fromParent(A[parents[j]]), bias[j]);
    for (const { S, index } of joints[j].columns) {
      accelerations[index] = (u[index] - dotMotionForce(U[index], A[j])) / D[index];
      A[j] = plus(A[j], times(S, accelerations[index]));
    }
  }
  return accelerations;
}

describe('the dynamics of the books', () => {
  it('is what rnea and aba compute', () => {
    let inverse = 0;
    let forward = 0;
    for (let seed = 1; seed <= (process.env.ORACLE_FULL ? 500 : 60); seed++) {
      const model = createRandomTree(seed, { joints: 2 + (seed % 25) });
      const armature = Float64Array.from({ length: model.nv }, (_, i) => 0.01 * (i % 3));
      const data = createDynamicsData(model, { armature, gravity: GRAVITY });
      const { q, v, a } = createRandomState(model, createRandom(seed));
      const torques = Float64Array.from(rnea(model, data, q, v, a));
      inverse = Math.max(inverse, relativeError(invertDynamics(model, data, v, a), torques));
      const solved = solveDynamics(model, data, v, torques);
      expect(aba(model, data, q, v, torques)).toBe('ok');
      forward = Math.max(forward, relativeError(solved, data.ddq));
    }
    expect(inverse).toBeLessThan(1e-12);
    expect(forward).toBeLessThan(1e-9);
  });
});
