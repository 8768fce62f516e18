/**
 * The derivatives of RNEA as the paper has them, with 6-D vectors and 6 x 6 matrices in world axes: what derivative-terms.ts and
 * rnea-derivatives.ts do number by number, for speed. Read these first; they are compared on random trees of every joint type.
 * Source: Singh, Russell, Wensing 2022, "Efficient analytical derivatives of rigid-body dynamics using spatial vector algebra",
 * doi:10.1109/LRA.2022.3141194.
 */
import { describe, it } from 'vitest';
import { inertial, joint, placement, robot } from '../../test/models.js';
import { expect } from '../../test/support/quick-expect.js';
import { forwardKinematics } from '../kinematics/forward-kinematics.js';
import { multiplySpatialInertia } from '../math/inertia.js';
import { createRandom } from '../math/random.js';
import {
  crossForce,
  crossMotion,
  dotMotionForce,
  inverseTransformMotion,
  transformForce,
  transformMotion,
} from '../math/spatial.js';
import { buildModel } from '../model/build-model.js';
import type { Model } from '../model/model.js';
import { createRandomState, createRandomTree, multiply, relativeError } from '../model/random-tree.test-support.js';
import { computeAbaDerivatives } from './aba-derivatives.js';
import { crba } from './crba.js';
import { createDynamicsData, type DynamicsData } from './dynamics-data.js';
import { computeRneaDerivatives } from './rnea-derivatives.js';

type Vector = Float64Array<ArrayBuffer>;
const zero = (): Vector => new Float64Array(6);
const plus = (...terms: Vector[]): Vector => zero().map((_, i) => terms.reduce((sum, term) => sum + term[i], 0));
const times = (x: Vector, factor: number): Vector => x.map((value) => factor * value);
const cross = (a: Vector, b: Vector): Vector => crossMotion(zero(), a, b);
const crossStar = (a: Vector, f: Vector): Vector => crossForce(zero(), a, f);
const unit = (i: number): Vector => zero().fill(1, i, i + 1);
const GRAVITY = [1, -2, -9];

/** A map of motions to forces, by its columns. */
type Matrix = Vector[];
const toMatrix = (map: (motion: Vector) => Vector): Matrix => Array.from({ length: 6 }, (_, i) => map(unit(i)));
const apply = (A: Matrix, x: Vector): Vector => plus(...A.map((column, i) => times(column, x[i])));
const transpose = (A: Matrix): Matrix => A.map((_, r) => Float64Array.from(A, (column) => column[r]));
const add = (A: Matrix, B: Matrix): Matrix => A.map((column, i) => plus(column, B[i]));

interface Column {
  readonly joint: number;
  readonly index: number;
  readonly S: Vector;
  readonly P: Vector;
  readonly R: Vector;
  readonly Q: Vector;
}

/** d tau / d q and d tau / d v, row-major. */
function differentiate(model: Model, data: DynamicsData, v: Float64Array, a: Float64Array) {
  const { jointCount, parents, nv } = model;
  const { columnStarts, columnSubspaces, columnVelocities, bodyInertias } = data;
  const V = [zero()];
  const A = [Float64Array.of(...GRAVITY.map((g) => -g), 0, 0, 0)];
  const I: Matrix[] = [];
  const B: Matrix[] = [];
  const f: Vector[] = [];
  const columns: Column[] = [];
  for (let j = 1; j < jointCount; j++) {
    const X = data.kinematics.jointPlacements.subarray(12 * j, 12 * j + 12);
    const p = parents[j];
    const own = Array.from({ length: columnStarts[j + 1] - columnStarts[j] }, (_, i) => columnStarts[j] + i);
    const toWorld = (c: number) => transformMotion(zero(), X, columnSubspaces.subarray(6 * c, 6 * c + 6));
    const rate = plus(zero(), ...own.map((c) => times(toWorld(c), v[columnVelocities[c]])));
    const gain = plus(zero(), ...own.map((c) => times(toWorld(c), a[columnVelocities[c]])));
    V[j] = plus(V[p], rate);
    A[j] = plus(A[p], gain, cross(V[j], rate));
    const inertia = bodyInertias.subarray(10 * j, 10 * j + 10);
    I[j] = toMatrix((m) =>
      transformForce(zero(), X, multiplySpatialInertia(zero(), inertia, inverseTransformMotion(zero(), X, m))),
    );
    const momentum = apply(I[j], V[j]);
    B[j] = toMatrix((m) =>
      times(plus(crossStar(V[j], apply(I[j], m)), times(apply(I[j], cross(V[j], m)), -1), crossStar(m, momentum)), 0.5),
    );
    f[j] = plus(apply(I[j], A[j]), crossStar(V[j], momentum));
    for (const c of own) {
      const S = toWorld(c);
      const P = cross(V[p], S);
      columns.push({
        joint: j,
        index: columnVelocities[c],
        S,
        P,
        R: plus(cross(A[p], S), cross(V[p], P)),
        Q: plus(P, cross(V[j], S)),
      });
    }
  }
  for (let j = jointCount - 1; j > 0; j--) {
    if (parents[j] === 0) continue;
    I[parents[j]] = add(I[parents[j]], I[j]);
    B[parents[j]] = add(B[parents[j]], B[j]);
    f[parents[j]] = plus(f[parents[j]], f[j]);
  }
  const byPlace = new Float64Array(nv * nv);
  const byRate = new Float64Array(nv * nv);
  const supports = (upper: number, lower: number): boolean => {
    while (lower > upper) lower = parents[lower];
    return lower === upper;
  };
  for (const c of columns) {
    const j = c.joint;
    const carried = plus(times(apply(B[j], c.P), 2), apply(I[j], c.R));
    const moved = plus(times(apply(B[j], c.S), 2), apply(I[j], c.Q));
    const transposed = times(apply(transpose(B[j]), c.S), 2);
    const inertial = apply(I[j], c.S);
    for (const d of columns) {
      if (!supports(d.joint, j)) continue;
      const force = d.joint === j ? carried : plus(carried, crossStar(c.S, f[j]));
      byPlace[d.index * nv + c.index] += dotMotionForce(d.S, force);
      byRate[d.index * nv + c.index] += dotMotionForce(d.S, moved);
      if (d.joint === j) continue;
      byPlace[c.index * nv + d.index] += dotMotionForce(d.P, transposed) + dotMotionForce(d.R, inertial);
      byRate[c.index * nv + d.index] += dotMotionForce(d.S, transposed) + dotMotionForce(d.Q, inertial);
    }
  }
  return { byPlace, byRate };
}

const ROUNDS = process.env.ORACLE_FULL ? 500 : 40;

describe('the derivatives of the paper', () => {
  it('are what computeRneaDerivatives computes', () => {
    let worst = 0;
    for (let seed = 1; seed <= ROUNDS; seed++) {
      const model = createRandomTree(seed, { joints: 1 + (seed % 20), mimic: seed % 3 === 0 });
      const data = createDynamicsData(model, { gravity: GRAVITY });
      const { q, v, a } = createRandomState(model, createRandom(seed));
      computeRneaDerivatives(model, data, q, v, a);
      forwardKinematics(model, data.kinematics, q);
      const { byPlace, byRate } = differentiate(model, data, v, a);
      worst = Math.max(worst, relativeError(data.dtauDq, byPlace), relativeError(data.dtauDv, byRate));
    }
    expect(worst).toBeLessThan(1e-12);
  });

  it('of ABA are those of RNEA through M, and its inverse', () => {
    let worst = 0;
    for (let seed = 1; seed <= ROUNDS; seed++) {
      const model = createRandomTree(seed, { joints: 1 + (seed % 20), mimic: seed % 3 === 0 });
      const armature = Float64Array.from({ length: model.nv }, (_, i) => 0.01 * (i % 3));
      const data = createDynamicsData(model, { gravity: GRAVITY, armature });
      const { q, v, a } = createRandomState(model, createRandom(seed));
      expect(computeAbaDerivatives(model, data, q, v, a)).toBe('ok');
      const M = crba(model, data, q);
      const n = model.nv;
      const column = (A: Float64Array, c: number) => Float64Array.from({ length: n }, (_, r) => A[r * n + c]);
      for (let c = 0; c < n; c++) {
        const scale = Math.max(
          1,
          ...data.ddqDq.map(Math.abs),
          ...data.ddqDv.map(Math.abs),
          ...data.inverseM.map(Math.abs),
        );
        const rest = [
          multiply(M, column(data.ddqDq, c)).map((x, r) => x + data.dtauDq[r * n + c]),
          multiply(M, column(data.ddqDv, c)).map((x, r) => x + data.dtauDv[r * n + c]),
          multiply(M, column(data.inverseM, c)).map((x, r) => x - (r === c ? 1 : 0)),
        ];
        for (const residual of rest) worst = Math.max(worst, ...residual.map((x) => Math.abs(x) / scale));
      }
      expect(relativeError(data.tau, a)).toBeLessThan(1e-9);
    }
    expect(worst).toBeLessThan(1e-11);
  });

  it('of gravity alone are symmetric: second derivatives of the potential energy', () => {
    const { model } = buildModel(
      robot(
        [0, 1, 2, 3, 4].map((i) =>
          joint(`j${i}`, i === 2 ? 'prismatic' : 'revolute', `l${i > 3 ? 1 : i}`, `l${i + 1}`, {
            axis: [i % 2, 1, 0.3 * i],
            origin: placement([0.2, 0.1 * i, 0.3], [i, 0.4, 1]),
          }),
        ),
        [0, 1, 2, 3, 4, 5].map((i) => ({
          name: `l${i}`,
          inertial: inertial(1 + i, [1, 2, 2.5], [0.1 * i, 0.3, -0.2], [i, 1, 2]),
        })),
      ),
    );
    const data = createDynamicsData(model);
    const rest = new Float64Array(model.nv);
    const random = createRandom(3);
    for (let k = 0; k < 20; k++) {
      const { q } = createRandomState(model, random);
      computeRneaDerivatives(model, data, q, rest, rest);
      const n = model.nv;
      const mirrored = data.dtauDq.map((_, i) => data.dtauDq[(i % n) * n + Math.floor(i / n)]);
      expect(relativeError(data.dtauDq, mirrored)).toBeLessThan(1e-13);
      expect(Math.max(...data.dtauDq.map(Math.abs))).toBeGreaterThan(0.1);
    }
  });
});
