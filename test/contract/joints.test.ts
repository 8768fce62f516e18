/**
 * What every joint type promises (see src/model/joints/joint-kind.ts), over all types, axes and seeded configurations.
 * Coordinates are embedded in a longer array whose other entries must stay untouched.
 */
import { describe, it } from 'vitest';
import { compileModel } from '../../src/compile/compiled-model.js';
import { createIkSolver } from '../../src/ik/solve-ik.js';
import { computeFramePlacement, updateKinematics } from '../../src/kinematics/forward-kinematics.js';
import { createRandom } from '../../src/math/random.js';
import {
  expSe3,
  leftJacobianInverseSe3,
  logSe3,
  rightJacobianInverseSe3,
  rightJacobianSe3,
} from '../../src/math/se3.js';
import { writeAdjoint } from '../../src/math/spatial.js';
import { createTransform, invertTransform, multiplyTransform, relativeTransform } from '../../src/math/transform.js';
import { buildModel } from '../../src/model/build-model.js';
import { randomConfiguration } from '../../src/model/configuration.js';
import type { JointType } from '../../src/model/description.js';
import { createComposite } from '../../src/model/joints/composite.js';
import { continuousCosSin } from '../../src/model/joints/continuous-cos-sin.js';
import { floating } from '../../src/model/joints/floating.js';
import { JOINT_KINDS, selectJointKind } from '../../src/model/joints/index.js';
import type { JointKind } from '../../src/model/joints/joint-kind.js';
import { planar } from '../../src/model/joints/planar.js';
import { prismatic } from '../../src/model/joints/prismatic.js';
import { revolute } from '../../src/model/joints/revolute.js';
import { spherical } from '../../src/model/joints/spherical.js';
import { createData, findFrame } from '../../src/model/model.js';
import { createConfigurationSpace } from '../../src/planning/configuration-space.js';
import { createSplinePath } from '../../src/trajectory/spline-path.js';
import { createTrajectoryPoint } from '../../src/trajectory/trajectory.js';
import { joint, placement, robot } from '../models.js';
import { expect } from '../support/quick-expect.js';

const AXES: [string, number[]][] = [
  ['x', [1, 0, 0]],
  ['-z', [0, 0, -1]],
  ['oblique', [2 / 7, -3 / 7, 6 / 7]],
];
const [X, Y, Z, OBLIQUE] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [2 / 7, -3 / 7, 6 / 7],
].map((v) => Float64Array.from(v));
const part = (kind: JointKind, axis: Float64Array, where = createTransform()) => ({ kind, axis, placement: where });
const COMPOSITES: [string, JointKind][] = [
  ['x then y', createComposite([part(revolute, X), part(revolute, Y)])],
  ['oblique then z', createComposite([part(revolute, OBLIQUE), part(revolute, Z)])],
  ['turns about z, y, x', createComposite([part(revolute, Z), part(revolute, Y), part(revolute, X)])],
  ['shifts along x, y, z', createComposite([part(prismatic, X), part(prismatic, Y), part(prismatic, Z)])],
  ['turn, shift, ball', createComposite([part(revolute, OBLIQUE), part(prismatic, Y), part(spherical, Z)])],
  ['shift, turn, plane', createComposite([part(prismatic, X), part(revolute, OBLIQUE), part(planar, OBLIQUE)])],
  ['shift, cylinder', createComposite([part(prismatic, OBLIQUE), part(continuousCosSin, OBLIQUE)])],
  ['turn, free', createComposite([part(revolute, Y), part(floating, Z)])],
];
/** Kinds whose subspace is constant in the moving frame: integrate is then an exponential. */
const SIMPLE = JOINT_KINDS.flatMap((kind) => AXES.map(([axis, vector]) => [kind.name, axis, kind, vector] as const));
const CASES = [...SIMPLE, ...COMPOSITES.map(([title, kind]) => [kind.name, title, kind, [0, 0, 1]] as const)];
/** Where the joint's coordinates start in q and v. */
const IQ = 2;
const IV = 1;
const SENTINEL = 0.123456789;

function createQ(kind: JointKind): Float64Array {
  return new Float64Array(IQ + kind.nq + 2).fill(SENTINEL);
}

function createV(kind: JointKind): Float64Array {
  return new Float64Array(IV + kind.nv + 2).fill(SENTINEL);
}

function bounds(kind: JointKind, value: number): Float64Array {
  return new Float64Array(IQ + kind.nq + 2).fill(value);
}

const noLower = (kind: JointKind): Float64Array => bounds(kind, Number.NEGATIVE_INFINITY);
const noUpper = (kind: JointKind): Float64Array => bounds(kind, Number.POSITIVE_INFINITY);

function draw(kind: JointKind, random: ReturnType<typeof createRandom>): Float64Array {
  const q = createQ(kind);
  kind.setRandom(q, noLower(kind), noUpper(kind), random, IQ);
  return q;
}

function place(kind: JointKind, axis: readonly number[], q: Float64Array): Float64Array {
  const out = new Float64Array(12);
  kind.place(out, 0, Float64Array.from(axis), 0, q, IQ);
  return out;
}

function worst(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let error = 0;
  for (let i = 0; i < b.length; i++) error = Math.max(error, Math.abs(a[i] - b[i]));
  return error;
}

function expectUntouched(array: Float64Array, from: number, count: number): void {
  array.forEach((value, i) => {
    if (i < from || i >= from + count) expect(value).toBe(SENTINEL);
  });
}

function subspace(kind: JointKind, axis: readonly number[], q: Float64Array): Float64Array {
  const S = new Float64Array(6 * kind.nv);
  kind.writeSubspace(S, 0, Float64Array.from(axis), 0, q, IQ);
  return S;
}

/** S v */
function twistOf(S: Float64Array, v: Float64Array): Float64Array {
  const twist = new Float64Array(6);
  for (let c = 0; c < S.length / 6; c++) for (let i = 0; i < 6; i++) twist[i] += S[6 * c + i] * v[IV + c];
  return twist;
}

/** Central differences of f along each tangent direction; f gives tangents in its result's frame. */
function differentiate(n: number, f: (step: Float64Array) => ArrayLike<number>, h = 1e-5): Float64Array {
  const out = new Float64Array(n * n);
  for (let c = 0; c < n; c++) {
    const step = new Float64Array(IV + n);
    step[IV + c] = h;
    const ahead = Array.from(f(step));
    step[IV + c] = -h;
    const behind = f(step);
    for (let r = 0; r < n; r++) out[r * n + c] = (ahead[IV + r] - behind[IV + r]) / (2 * h);
  }
  return out;
}

const integrate = (kind: JointKind, q: Float64Array, v: Float64Array): Float64Array => {
  const out = createQ(kind);
  kind.integrate(out, q, v, IQ, IV);
  return out;
};
const difference = (kind: JointKind, a: Float64Array, b: Float64Array): Float64Array => {
  const out = createV(kind);
  kind.difference(out, a, b, IQ, IV);
  return out;
};

/** A block in a larger matrix, whose other entries must stay. */
function readBlock(n: number, write: (out: Float64Array, at: number, stride: number) => void): Float64Array {
  const stride = n + 3;
  const big = new Float64Array((n + 2) * stride).fill(SENTINEL);
  write(big, stride + 2, stride);
  const block = new Float64Array(n * n);
  big.forEach((value, i) => {
    const [r, c] = [Math.floor(i / stride) - 1, (i % stride) - 2];
    if (r >= 0 && r < n && c >= 0 && c < n) block[r * n + c] = value;
    else expect(value).toBe(SENTINEL);
  });
  return block;
}

describe.each(CASES)('%s joint, axis %s', (_name, _axis, kind, axis) => {
  it('neutral is the identity placement', () => {
    const q = createQ(kind);
    kind.setNeutral(q, IQ);
    expect(worst(place(kind, axis, q), [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0])).toBe(0);
    expectUntouched(q, IQ, kind.nq);
  });

  it('places are rigid, also for coordinates that are not normalised', () => {
    const random = createRandom(1);
    for (let n = 0; n < 50; n++) {
      const q = draw(kind, random);
      const X = place(kind, axis, q);
      const identity = relativeTransform(new Float64Array(12), X, X);
      expect(worst(identity, [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0])).toBeLessThan(1e-15 * 4);
      const end = IQ + kind.nq;
      for (let i = end - kind.unitCoordinates; i < end; i++) q[i] *= 1.7;
      expect(worst(place(kind, axis, q), X)).toBeLessThan(2e-15);
      kind.normalize(q, q, IQ);
      expect(worst(place(kind, axis, q), X)).toBeLessThan(2e-15);
      expectUntouched(q, IQ, kind.nq);
    }
  });

  it('integrate undoes difference, and difference undoes integrate', () => {
    const random = createRandom(2);
    for (let n = 0; n < 100; n++) {
      const a = draw(kind, random);
      const b = draw(kind, random);
      const v = createV(kind);
      const q = createQ(kind);
      kind.difference(v, a, b, IQ, IV);
      kind.integrate(q, a, v, IQ, IV);
      expect(worst(place(kind, axis, q), place(kind, axis, b))).toBeLessThan(1e-14);
      expectUntouched(v, IV, kind.nv);
      expectUntouched(q, IQ, kind.nq);
      // Below half a turn the logarithm is unique.
      for (let i = 0; i < kind.nv; i++) v[IV + i] = random.uniform(-1.5, 1.5);
      kind.integrate(q, a, v, IQ, IV);
      const back = createV(kind);
      kind.difference(back, a, q, IQ, IV);
      expect(worst(back, v)).toBeLessThan(2e-14);
    }
  });

  it('the motion subspace is the velocity of the moving frame, and its rate the change of the subspace', () => {
    const random = createRandom(12);
    const h = 1e-5;
    for (let n = 0; n < 20; n++) {
      const q = draw(kind, random);
      const v = createV(kind);
      for (let k = 0; k < kind.nv; k++) v[IV + k] = random.uniform(-1, 1);
      const ahead = integrate(
        kind,
        q,
        v.map((x) => h * x),
      );
      const behind = integrate(
        kind,
        q,
        v.map((x) => -h * x),
      );
      const moved = relativeTransform(createTransform(), place(kind, axis, behind), place(kind, axis, ahead));
      const twist = logSe3(new Float64Array(6), moved).map((x) => x / (2 * h));
      expect(worst(twist, twistOf(subspace(kind, axis, q), v))).toBeLessThan(1e-9);
      const rate = new Float64Array(6 * kind.nv);
      kind.writeSubspaceRate(rate, 0, q, v, IQ, IV);
      const end = subspace(kind, axis, ahead);
      const expected = subspace(kind, axis, behind).map((x, i) => (end[i] - x) / (2 * h));
      expect(worst(rate, expected)).toBeLessThan(1e-9);
    }
  });

  it('Jacobians of integrate and difference are difference quotients, and inverse to each other', () => {
    const random = createRandom(13);
    const n = kind.nv;
    // Ordinary, next to nothing, and close to half a turn.
    for (const reach of [1.2, 1e-3, 1e-9, 1.7]) {
      for (let m = 0; m < 10; m++) {
        const a = draw(kind, random);
        const v = createV(kind);
        for (let k = 0; k < n; k++) v[IV + k] = random.uniform(-reach, reach);
        const b = integrate(kind, a, v);
        const moved = (step: Float64Array, q: Float64Array) => integrate(kind, q, step);
        const byQ = readBlock(n, (out, at, stride) => kind.writeIntegrateJacobian(out, at, stride, v, IV, 'q'));
        const byV = readBlock(n, (out, at, stride) => kind.writeIntegrateJacobian(out, at, stride, v, IV, 'v'));
        const qSteps = differentiate(n, (step) => difference(kind, b, integrate(kind, moved(step, a), v)));
        const vSteps = differentiate(n, (step) =>
          difference(
            kind,
            b,
            integrate(
              kind,
              a,
              v.map((x, i) => x + (step[i] ?? 0)),
            ),
          ),
        );
        expect(worst(byQ, qSteps)).toBeLessThan(1e-8);
        expect(worst(byV, vSteps)).toBeLessThan(1e-8);
        const d = difference(kind, a, b);
        const byA = readBlock(n, (out, at, stride) => kind.writeDifferenceJacobian(out, at, stride, d, IV, 'a'));
        const byB = readBlock(n, (out, at, stride) => kind.writeDifferenceJacobian(out, at, stride, d, IV, 'b'));
        const bSteps = differentiate(n, (step) => difference(kind, a, moved(step, b)).map((x, i) => x - d[i]));
        const aSteps = differentiate(n, (step) => difference(kind, moved(step, a), b).map((x, i) => x - d[i]));
        expect(worst(byA, aSteps)).toBeLessThan(1e-7);
        expect(worst(byB, bSteps)).toBeLessThan(1e-7);
        // v = difference(a, integrate(a, v)): the chain rule by v and by a.
        for (let r = 0; r < n; r++) {
          for (let c = 0; c < n; c++) {
            let one = 0;
            let zero = byA[r * n + c];
            for (let k = 0; k < n; k++) {
              one += byB[r * n + k] * byV[k * n + c];
              zero += byB[r * n + k] * byQ[k * n + c];
            }
            expect(Math.abs(one - (r === c ? 1 : 0))).toBeLessThan(1e-12);
            expect(Math.abs(zero)).toBeLessThan(1e-12);
          }
        }
      }
    }
  });

  it('a small turn or shift of 1e-9 survives integrate and difference', () => {
    const q = createQ(kind);
    kind.setNeutral(q, IQ);
    const v = createV(kind);
    for (let k = 0; k < kind.nv; k++) v[IV + k] = 1e-9 * (k + 1);
    const moved = createQ(kind);
    kind.integrate(moved, q, v, IQ, IV);
    const back = createV(kind);
    kind.difference(back, q, moved, IQ, IV);
    for (let k = 0; k < kind.nv; k++) expect(Math.abs(back[IV + k] - v[IV + k])).toBeLessThan(1e-23);
  });

  it('interpolate starts at a, ends at b and runs at constant speed', () => {
    const random = createRandom(4);
    for (let n = 0; n < 50; n++) {
      const a = draw(kind, random);
      const b = draw(kind, random);
      const q = createQ(kind);
      kind.interpolate(q, a, b, 0, IQ);
      expect(worst(place(kind, axis, q), place(kind, axis, a))).toBeLessThan(1e-15 * 4);
      kind.interpolate(q, a, b, 1, IQ);
      expect(worst(place(kind, axis, q), place(kind, axis, b))).toBeLessThan(1e-14);
      const t = random.next();
      kind.interpolate(q, a, b, t, IQ);
      const whole = Math.sqrt(kind.squaredDistance(a, b, IQ));
      expect(Math.sqrt(kind.squaredDistance(a, q, IQ))).toBeCloseTo(t * whole, 12);
      expectUntouched(q, IQ, kind.nq);
    }
  });

  it('squaredDistance is symmetric, zero only at the same placement, and the norm of difference', () => {
    const random = createRandom(5);
    for (let n = 0; n < 50; n++) {
      const a = draw(kind, random);
      const b = draw(kind, random);
      const forward = kind.squaredDistance(a, b, IQ);
      expect(kind.squaredDistance(b, a, IQ)).toBeCloseTo(forward, 12);
      expect(kind.squaredDistance(a, a, IQ)).toBeLessThan(1e-30);
      expect(forward).toBeGreaterThan(0);
      const v = createV(kind);
      kind.difference(v, a, b, IQ, IV);
      let sum = 0;
      for (let k = 0; k < kind.nv; k++) sum += v[IV + k] * v[IV + k];
      expect(forward).toBeCloseTo(sum, 12);
    }
  });

  it('random stays within the bounds, is finite without them, and repeats with its seed', () => {
    const lower = bounds(kind, -0.25);
    const upper = bounds(kind, 0.5);
    const random = createRandom(7);
    for (let n = 0; n < 200; n++) {
      const q = createQ(kind);
      kind.setRandom(q, lower, upper, random, IQ);
      for (let i = IQ; i < IQ + kind.nq - kind.unitCoordinates; i++) expect(q[i] >= -0.25 && q[i] <= 0.5).toBe(true);
      for (const [from, to] of [
        [noLower(kind), noUpper(kind)],
        [lower, noUpper(kind)],
        [noLower(kind), upper],
      ]) {
        kind.setRandom(q, from, to, random, IQ);
        for (let i = IQ; i < IQ + kind.nq; i++) expect(Number.isFinite(q[i])).toBe(true);
        for (let i = IQ; i < IQ + kind.nq - kind.unitCoordinates; i++)
          expect(q[i] >= from[i] && q[i] <= to[i]).toBe(true);
      }
      expectUntouched(q, IQ, kind.nq);
    }
    expect(draw(kind, createRandom(8))).toEqual(draw(kind, createRandom(8)));
    expect(draw(kind, createRandom(8))).not.toEqual(draw(kind, createRandom(9)));
  });

  it('clamp leaves what is within the bounds and ends within them', () => {
    const random = createRandom(10);
    const lower = bounds(kind, -0.25);
    const upper = bounds(kind, 0.5);
    for (let n = 0; n < 50; n++) {
      const q = draw(kind, random);
      const clamped = createQ(kind);
      kind.clamp(clamped, q, noLower(kind), noUpper(kind), IQ);
      expect(worst(place(kind, axis, clamped), place(kind, axis, q))).toBeLessThan(2e-15);
      kind.clamp(clamped, q, lower, upper, IQ);
      for (let i = IQ; i < IQ + kind.nq - kind.unitCoordinates; i++) {
        expect(clamped[i]).toBe(Math.min(Math.max(q[i], -0.25), 0.5));
      }
      expectUntouched(clamped, IQ, kind.nq);
    }
  });

  it('every operation may write over its input', () => {
    const random = createRandom(11);
    const a = draw(kind, random);
    const b = draw(kind, random);
    const v = createV(kind);
    for (let k = 0; k < kind.nv; k++) v[IV + k] = random.uniform(-1, 1);
    const run = (operation: (out: Float64Array, q: Float64Array) => void, input: Float64Array): void => {
      const separate = createQ(kind);
      operation(separate, Float64Array.from(input));
      const inPlace = Float64Array.from(input);
      operation(inPlace, inPlace);
      expect(inPlace).toEqual(separate);
    };
    run((out, q) => kind.integrate(out, q, v, IQ, IV), a);
    run((out, q) => kind.interpolate(out, q, b, 0.4, IQ), a);
    run((out, q) => kind.interpolate(out, a, q, 0.4, IQ), b);
    run((out, q) => kind.clamp(out, q, bounds(kind, -0.1), bounds(kind, 0.1), IQ), a);
    run((out, q) => kind.normalize(out, q, IQ), a);
  });
});

describe.each(SIMPLE)('%s joint, axis %s: one exponential', (_name, _axis, kind, axis) => {
  it('integrate is the motion of the moving frame: X exp(S v)', () => {
    const random = createRandom(3);
    const S = subspace(kind, axis, createQ(kind));
    for (let n = 0; n < 50; n++) {
      const q = draw(kind, random);
      const v = createV(kind);
      const twist = new Float64Array(6);
      for (let k = 0; k < kind.nv; k++) {
        v[IV + k] = random.uniform(-1, 1);
        for (let i = 0; i < 6; i++) twist[i] += S[6 * k + i] * v[IV + k];
      }
      const moved = createQ(kind);
      kind.integrate(moved, q, v, IQ, IV);
      const expected = multiplyTransform(
        new Float64Array(12),
        place(kind, axis, q),
        expSe3(new Float64Array(12), twist),
      );
      expect(worst(place(kind, axis, moved), expected)).toBeLessThan(1e-14);
    }
  });

  it('difference agrees with the logarithm of the relative placement', () => {
    const random = createRandom(6);
    const S = subspace(kind, axis, createQ(kind));
    for (let n = 0; n < 50; n++) {
      const a = draw(kind, random);
      const b = draw(kind, random);
      const v = createV(kind);
      kind.difference(v, a, b, IQ, IV);
      if (['revolute', 'helical'].includes(kind.name) && Math.abs(v[IV]) > Math.PI) continue;
      const relative = relativeTransform(new Float64Array(12), place(kind, axis, a), place(kind, axis, b));
      const twist = logSe3(new Float64Array(6), relative);
      const expected = new Float64Array(6);
      for (let k = 0; k < kind.nv; k++) for (let i = 0; i < 6; i++) expected[i] += S[6 * k + i] * v[IV + k];
      expect(worst(twist, expected)).toBeLessThan(1e-12);
    }
  });

  it('Jacobians are those of SE(3) on the subspace, near 0 and near half a turn', () => {
    const random = createRandom(14);
    const n = kind.nv;
    const S = subspace(kind, axis, createQ(kind));
    // Turns of exactly this angle; shifts alone do not turn.
    for (const angle of [0, 1e-12, 1e-6, 1e-3, 0.7, 3, Math.PI - 1e-3, Math.PI - 1e-9, Math.PI]) {
      const v = createV(kind);
      let turned = 0;
      for (let k = 0; k < n; k++) {
        v[IV + k] = random.uniform(-1, 1);
        if (S.subarray(6 * k + 3, 6 * k + 6).some((x) => x !== 0)) turned = Math.hypot(turned, v[IV + k]);
      }
      if (turned > 0) for (let k = 0; k < n; k++) v[IV + k] *= angle / turned;
      const twist = twistOf(S, v);
      const adjoint = writeAdjoint(
        new Float64Array(36),
        invertTransform(createTransform(), expSe3(createTransform(), twist)),
      );
      const full = {
        q: adjoint,
        v: rightJacobianSe3(new Float64Array(36), twist),
        a: leftJacobianInverseSe3(new Float64Array(36), twist).map((x) => -x),
        b: rightJacobianInverseSe3(new Float64Array(36), twist),
      };
      for (const by of ['q', 'v', 'a', 'b'] as const) {
        const block = readBlock(n, (out, at, stride) => {
          if (by === 'q' || by === 'v') kind.writeIntegrateJacobian(out, at, stride, v, IV, by);
          else kind.writeDifferenceJacobian(out, at, stride, v, IV, by);
        });
        // J_SE3 S = S J
        for (let r = 0; r < 6; r++) {
          for (let c = 0; c < n; c++) {
            let left = 0;
            let right = 0;
            for (let i = 0; i < 6; i++) left += full[by][6 * r + i] * S[6 * c + i];
            for (let k = 0; k < n; k++) right += S[6 * k + r] * block[k * n + c];
            expect(Math.abs(left - right), `by ${by} at ${angle}`).toBeLessThan(1e-13);
          }
        }
      }
    }
  });
});

/** Every place that treats kinds one by one meets every kind: a new one cannot be forgotten. */
describe('robots of every kind of joint', () => {
  const types: JointType[] = ['revolute', 'continuous', 'prismatic', 'helical', 'planar', 'floating', 'spherical'];

  it('the types cover the kinds', () => {
    const kinds = types.flatMap((type) => [selectJointKind(type, 'angle').name, selectJointKind(type, 'cos-sin').name]);
    expect(new Set(kinds)).toEqual(new Set(JOINT_KINDS.map(({ name }) => name)));
  });

  const cases = types.flatMap((type) =>
    (['angle', 'cos-sin'] as const)
      .filter((as) => as === 'angle' || type === 'continuous')
      .map((as) => [type, as] as const),
  );

  it.each(cases)(
    '%s (%s): reach, inverse kinematics, trajectories, compiled robot, planning space',
    (type, continuous) => {
      const limited = type === 'prismatic' || type === 'helical' || type === 'revolute';
      const { model } = buildModel(
        robot([
          joint('first', type, 'base', 'a', {
            axis: [2 / 7, -3 / 7, 6 / 7],
            pitch: 0.5,
            ...(limited && { limits: { lower: -4, upper: 4 } }),
          }),
          joint('second', 'revolute', 'a', 'b', { origin: placement([0.2, 0.1, 0]), limits: { lower: -3, upper: 3 } }),
          joint('tip', 'fixed', 'b', 'tip', { origin: placement([0.3, 0, 0]) }),
        ]),
        { continuous },
      );
      const random = createRandom(2);
      const tip = findFrame(model, 'tip');
      const data = createData(model);
      const compiled = compileModel(model, { algorithms: ['forwardKinematics'] });
      const compiledData = compiled.createData();
      const q = new Float64Array(model.nq);
      const goals: Float64Array[] = [];
      for (let n = 0; n < 40; n++) {
        randomConfiguration(q, model, random);
        goals.push(q.slice());
        updateKinematics(model, data, q);
        const X_WT = computeFramePlacement(createTransform(), model, data, tip);
        // A target that a configuration meets is never out of reach, and its own configuration needs no step.
        const result = createIkSolver(model, tip).solve({ target: X_WT, start: q });
        expect([result.status, result.iterations], `q ${q}`).toEqual(['solved', 0]);
        compiled.forwardKinematics(compiledData, q);
        const placements = compiledData.kinematics.jointPlacements;
        const at = 12 * (model.jointCount - 1);
        for (let i = 0; i < 12; i++) expect(placements[at + i]).toBeCloseTo(data.jointPlacements[at + i], 11);
      }
      const curve = createSplinePath(model, goals.slice(0, 4));
      const point = curve.evaluate(createTrajectoryPoint(model), 0.4 * curve.duration);
      expect([...point.q, ...point.v, ...point.a].every(Number.isFinite)).toBe(true);
      const space = createConfigurationSpace(model);
      expect(space.satisfiesBounds(space.sample(new Float64Array(space.dimension), random))).toBe(true);
    },
  );

  it('a target farther than limits allow is told at once, for what shifts and turns', () => {
    const { model } = buildModel(
      robot([joint('screw', 'helical', 'base', 'a', { pitch: 0.5, limits: { lower: -1, upper: 2 } })]),
    );
    const solver = createIkSolver(model, findFrame(model, 'a'));
    const target = createTransform();
    target[11] = 1.1;
    expect(solver.solve({ target }).status).toBe('unreachable');
  });
});
