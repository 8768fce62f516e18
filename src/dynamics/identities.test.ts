/**
 * What the algorithms owe each other, on seeded random trees of 2 to 60 joints of every type: 100 of them, 1,000 with
 * ORACLE_FULL. With CLEARANCE_REPORT set the worst errors are printed.
 */
import { describe, it } from 'vitest';
import { expect } from '../../test/support/quick-expect.js';
import { createRandom } from '../math/random.js';
import { crossMotion } from '../math/spatial.js';
import { integrateConfiguration } from '../model/configuration.js';
import type { Model } from '../model/model.js';
import {
  createRandomState,
  createRandomTree,
  multiply,
  relativeError,
  type TreeOptions,
} from '../model/random-tree.test-support.js';
import { aba } from './aba.js';
import { computeCoriolis } from './coriolis.js';
import { crba } from './crba.js';
import { createDynamicsData, type DynamicsData } from './dynamics-data.js';
import { computeKineticEnergy } from './energy.js';
import { computeGravity } from './gravity.js';
import { computeInverseInertia } from './inverse-inertia.js';
import { computeNonlinearEffects, rnea } from './rnea.js';

const FULL = Boolean(process.env.ORACLE_FULL);
const COUNT = FULL ? 1000 : 100;

/** The assertion, and its line in the report. */
function expectBelow(what: string, worst: number, bound: number): void {
  if (process.env.CLEARANCE_REPORT) console.log(`${what}: ${worst.toExponential(1)} (bound ${bound})`);
  expect(worst, what).toBeLessThan(bound);
}

/** Sizes 2 to 60, most of them small. */
function forTrees(count: number, options: Partial<TreeOptions>, check: (model: Model, seed: number) => void): void {
  for (let seed = 1; seed <= count; seed++) {
    const size = 2 + Math.floor(59 * createRandom(seed + 1_000_000).next() ** 3);
    check(createRandomTree(seed, { joints: size, ...options }), seed);
  }
}

function armatures(model: Model): Float64Array {
  return Float64Array.from({ length: model.nv }, (_, i) => 0.01 * (i % 3));
}

describe.each([
  ['every joint type', {}, COUNT],
  ['with mimic joints', { mimic: true }, COUNT / 5],
] as const)('random trees, %s', (title, options, count) => {
  it('columns of CRBA are differences of RNEA, and M is symmetric', { timeout: 600_000 }, () => {
    let worst = 0;
    let asymmetric = 0;
    forTrees(count, options, (model, seed) => {
      const data = createDynamicsData(model, { armature: armatures(model) });
      const { q, v } = createRandomState(model, createRandom(seed));
      const bias = Float64Array.from(computeNonlinearEffects(model, data, q, v));
      const M = Float64Array.from(crba(model, data, q));
      const n = model.nv;
      const unit = new Float64Array(n);
      for (let c = 0; c < n; c++) {
        unit.fill(0);
        unit[c] = 1;
        const tau = rnea(model, data, q, v, unit);
        const scale = bias.reduce((most, x) => Math.max(most, Math.abs(x)), 1);
        for (let r = 0; r < n; r++) {
          worst = Math.max(worst, Math.abs(tau[r] - bias[r] - M[r * n + c]) / scale);
          if (M[r * n + c] !== M[c * n + r]) asymmetric++;
        }
      }
    });
    expectBelow(`${title}: CRBA column - RNEA difference`, worst, 1e-12);
    expect(asymmetric).toBe(0);
  });

  it('ABA inverts RNEA, under external forces too', { timeout: 600_000 }, () => {
    let worst = 0;
    forTrees(count, options, (model, seed) => {
      const data = createDynamicsData(model, { armature: armatures(model), gravity: [1, -2, -9] });
      const random = createRandom(seed);
      const { q, v, a } = createRandomState(model, random);
      const forces = Float64Array.from({ length: 6 * model.jointCount }, () => random.uniform(-5, 5));
      const tau = Float64Array.from(rnea(model, data, q, v, a, forces));
      expect(aba(model, data, q, v, tau, forces)).toBe('ok');
      worst = Math.max(worst, relativeError(rnea(model, data, q, v, data.ddq, forces), tau));
    });
    expectBelow(`${title}: RNEA(ABA(tau)) - tau`, worst, 1e-11);
  });

  it('C v + g are the nonlinear effects, and kinetic energy is v M v / 2', { timeout: 600_000 }, () => {
    let worst = 0;
    forTrees(count, options, (model, seed) => {
      const data = createDynamicsData(model, { armature: armatures(model) });
      const { q, v } = createRandomState(model, createRandom(seed));
      const bias = Float64Array.from(computeNonlinearEffects(model, data, q, v));
      const gravity = Float64Array.from(computeGravity(model, data, q));
      const sum = multiply(computeCoriolis(model, data, q, v), v).map((x, i) => x + gravity[i]);
      worst = Math.max(worst, relativeError(sum, bias));
      const momentum = multiply(crba(model, data, q), v);
      const energy = 0.5 * momentum.reduce((total, p, i) => total + p * v[i], 0);
      worst = Math.max(worst, relativeError([computeKineticEnergy(model, data, q, v)], [energy]));
    });
    expectBelow(`${title}: C v + g - nle, energy - v M v / 2`, worst, 1e-12);
  });

  it('M M^-1 is the identity', { timeout: 600_000 }, () => {
    let worst = 0;
    forTrees(count, options, (model, seed) => {
      const data = createDynamicsData(model, { armature: armatures(model) });
      const { q } = createRandomState(model, createRandom(seed));
      expect(computeInverseInertia(model, data, q)).toBe('ok');
      for (let c = 0; c < model.nv; c++) {
        const column = Float64Array.from({ length: model.nv }, (_, r) => data.inverseM[r * model.nv + c]);
        const unit = new Float64Array(model.nv);
        unit[c] = 1;
        worst = Math.max(worst, relativeError(multiply(data.M, column), unit));
      }
    });
    expectBelow(`${title}: M M^-1 - 1`, worst, 1e-10);
  });

  it('dM/dt - 2C is skew-symmetric: C + C^T is the difference quotient of M', { timeout: 600_000 }, () => {
    let worst = 0;
    forTrees(count, options, (model, seed) => {
      const data = createDynamicsData(model);
      const { q, v } = createRandomState(model, createRandom(seed));
      const C = Float64Array.from(computeCoriolis(model, data, q, v));
      const rate = differentiate(model, q, v, (p) => Float64Array.from(crba(model, data, p)));
      const n = model.nv;
      const sum = C.map((x, i) => x + C[(i % n) * n + Math.floor(i / n)]);
      worst = Math.max(worst, relativeError(sum, rate));
    });
    expectBelow(`${title}: C + C^T - dM/dt (difference quotient)`, worst, 1e-8);
  });
});

/** Central difference along v. */
function differentiate(
  model: Model,
  q: Float64Array,
  v: Float64Array,
  f: (q: Float64Array) => Float64Array,
): Float64Array {
  const h = 1e-5;
  const ends = [h, -h].map((step) => {
    const p = integrateConfiguration(
      new Float64Array(model.nq),
      model,
      q,
      v.map((x) => step * x),
    );
    return f(p);
  });
  return ends[0].map((x, i) => (x - ends[1][i]) / (2 * h));
}

describe('Coriolis matrix', () => {
  it('is the one of the Christoffel symbols for joints of one coordinate', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const model = createRandomTree(seed, { joints: 5, types: ['revolute', 'prismatic', 'helical'], base: 'fixed' });
      const data = createDynamicsData(model);
      const { q, v } = createRandomState(model, createRandom(seed));
      const n = model.nv;
      const slopes = Array.from({ length: n }, (_, k) => {
        const unit = new Float64Array(n);
        unit[k] = 1;
        return differentiate(model, q, unit, (p) => Float64Array.from(crba(model, data, p)));
      });
      const expected = new Float64Array(n * n);
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) {
          for (let k = 0; k < n; k++) {
            const christoffel = slopes[k][i * n + j] + slopes[j][i * n + k] - slopes[i][j * n + k];
            expected[i * n + j] += 0.5 * christoffel * v[k];
          }
        }
      }
      expect(relativeError(computeCoriolis(model, data, q, v), expected)).toBeLessThan(1e-8);
    }
  });
});

describe('unforced motion', () => {
  // 20 trees of 2 to 60 joints with ORACLE_FULL, otherwise six of 2 to 5. Rates start within 0.25: with 1, the links of the
  // 51-joint tree turn fast enough for the method's own error to show (2.0e-6; 1.3e-7 at half the step, as its order says).
  it('keeps its energy: fourth-order Runge-Kutta, 10 s in steps of 1 ms', { timeout: 600_000 }, () => {
    let worst = 0;
    for (let seed = 1; seed <= (FULL ? 20 : 6); seed++) {
      const joints = FULL ? 2 + Math.round((58 * (seed - 1)) / 19) : 2 + (seed % 4);
      const model = createRandomTree(seed, { joints });
      const data = createDynamicsData(model, { gravity: [0, 0, 0] });
      const { q, v } = createRandomState(model, createRandom(seed));
      v.forEach((rate, i) => {
        v[i] = rate / 4;
      });
      const start = computeKineticEnergy(model, data, q, v);
      for (let step = 0; step < 10_000; step++) stepRungeKutta(model, data, q, v, 1e-3);
      const drift = Math.abs(computeKineticEnergy(model, data, q, v) - start) / start;
      if (process.env.CLEARANCE_REPORT) {
        console.log(`tree ${seed}, ${joints} joints, nv ${model.nv}: energy drift ${drift.toExponential(1)}`);
      }
      worst = Math.max(worst, drift);
    }
    expectBelow('relative energy drift', worst, 1e-7);
  });
});

/** One step of Munthe-Kaas' method: the stages live in the tangent at q, where rates follow v through `toTangent`. */
function stepRungeKutta(model: Model, data: DynamicsData, q: Float64Array, v: Float64Array, h: number): void {
  const n = model.nv;
  const tau = new Float64Array(n);
  const sumQ = new Float64Array(n);
  const sumV = new Float64Array(n);
  const stageQ = new Float64Array(model.nq);
  const stageV = Float64Array.from(v);
  const rate = new Float64Array(n);
  const acceleration = new Float64Array(n);
  const offset = new Float64Array(n);
  [0, h / 2, h / 2, h].forEach((step, stage) => {
    for (let i = 0; i < n; i++) {
      offset[i] = step * rate[i];
      stageV[i] = v[i] + step * acceleration[i];
    }
    integrateConfiguration(stageQ, model, q, offset);
    aba(model, data, stageQ, stageV, tau);
    acceleration.set(data.ddq);
    toTangent(rate, model, offset, stageV);
    const weight = stage === 0 || stage === 3 ? h / 6 : h / 3;
    for (let i = 0; i < n; i++) {
      sumQ[i] += weight * rate[i];
      sumV[i] += weight * acceleration[i];
    }
  });
  integrateConfiguration(q, model, Float64Array.from(q), sumQ);
  for (let i = 0; i < n; i++) v[i] += sumV[i];
}

/** du/dt of q(t) = q (+) u(t) with velocity v: v + [u, v] / 2 + [u, [u, v]] / 12 + ..., joint by joint. */
function toTangent(out: Float64Array, model: Model, u: Float64Array, v: Float64Array): void {
  const S = model.motionSubspaces;
  out.set(v);
  for (let j = 1; j < model.jointCount; j++) {
    if (model.nvs[j] < 2) continue;
    const from = model.idxV[j];
    const U = new Float64Array(6);
    const V = new Float64Array(6);
    for (let k = from; k < from + model.nvs[j]; k++) {
      for (let i = 0; i < 6; i++) {
        U[i] += S[6 * k + i] * u[k];
        V[i] += S[6 * k + i] * v[k];
      }
    }
    const once = crossMotion(new Float64Array(6), U, V);
    const twice = crossMotion(new Float64Array(6), U, once);
    for (let k = from; k < from + model.nvs[j]; k++) {
      for (let i = 0; i < 6; i++) out[k] += S[6 * k + i] * (once[i] / 2 + twice[i] / 12);
    }
  }
}
