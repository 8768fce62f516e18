/**
 * What every joint type promises (see src/model/joints/joint-kind.ts), over all types, axes and seeded configurations.
 * Coordinates are embedded in a longer array whose other entries must stay untouched.
 */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/math/random.js';
import { expSe3, logSe3 } from '../../src/math/se3.js';
import { multiplyTransform, relativeTransform } from '../../src/math/transform.js';
import { JOINT_KINDS } from '../../src/model/joints/index.js';
import type { JointKind } from '../../src/model/joints/joint-kind.js';

const AXES: [string, number[]][] = [
  ['x', [1, 0, 0]],
  ['-z', [0, 0, -1]],
  ['oblique', [2 / 7, -3 / 7, 6 / 7]],
];
const CASES = JOINT_KINDS.flatMap((kind) => AXES.map(([axis, vector]) => [kind.name, axis, kind, vector] as const));
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

  it('integrate is the motion of the moving frame: X exp(S v)', () => {
    const random = createRandom(3);
    const S = new Float64Array(6 * kind.nv);
    kind.writeSubspace(S, 0, Float64Array.from(axis), 0);
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

  it('difference agrees with the logarithm of the relative placement', () => {
    const random = createRandom(6);
    const S = new Float64Array(6 * kind.nv);
    kind.writeSubspace(S, 0, Float64Array.from(axis), 0);
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
