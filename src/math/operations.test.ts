/** Every operation on plain arrays: the same result into a separate output, over its first and over its second input. */
import { describe, expect, it } from 'vitest';
import {
  expandSymmetric,
  multiplySpatialInertia,
  rotateInertia,
  transformSpatialInertia,
  writeSpatialInertia,
} from './inertia.js';
import * as mat3 from './mat3.js';
import * as quat from './quat.js';
import { createRandom } from './random.js';
import { expSo3, logQuat } from './so3.js';
import * as spatial from './spatial.js';
import * as transform from './transform.js';
import * as vec3 from './vec3.js';

type Operation = (out: Float64Array, a: Float64Array, b: Float64Array) => unknown;
type Kind = 'vector' | 'matrix' | 'quaternion' | 'transform' | 'six' | 'inertia';

const SIZES: Record<Kind, number> = { vector: 3, matrix: 9, quaternion: 4, transform: 12, six: 6, inertia: 10 };

/** Name, operation, kinds of output, a and b (b left out for unary ones). */
const OPERATIONS: [string, Operation, Kind, Kind, Kind?][] = [
  ['copyVec3', vec3.copyVec3, 'vector', 'vector'],
  ['addVec3', vec3.addVec3, 'vector', 'vector', 'vector'],
  ['subtractVec3', vec3.subtractVec3, 'vector', 'vector', 'vector'],
  ['scaleVec3', (out, a) => vec3.scaleVec3(out, a, 1.7), 'vector', 'vector'],
  ['addScaledVec3', (out, a, b) => vec3.addScaledVec3(out, a, b, 0.3), 'vector', 'vector', 'vector'],
  ['negateVec3', vec3.negateVec3, 'vector', 'vector'],
  ['crossVec3', vec3.crossVec3, 'vector', 'vector', 'vector'],
  ['normalizeVec3', vec3.normalizeVec3, 'vector', 'vector'],
  ['lerpVec3', (out, a, b) => vec3.lerpVec3(out, a, b, 0.3), 'vector', 'vector', 'vector'],
  ['copyMat3', mat3.copyMat3, 'matrix', 'matrix'],
  ['transposeMat3', mat3.transposeMat3, 'matrix', 'matrix'],
  ['multiplyMat3', mat3.multiplyMat3, 'matrix', 'matrix', 'matrix'],
  ['multiplyMat3Vec3', mat3.multiplyMat3Vec3, 'vector', 'matrix', 'vector'],
  ['multiplyTransposedMat3Vec3', mat3.multiplyTransposedMat3Vec3, 'vector', 'matrix', 'vector'],
  ['multiplyQuat', quat.multiplyQuat, 'quaternion', 'quaternion', 'quaternion'],
  ['conjugateQuat', quat.conjugateQuat, 'quaternion', 'quaternion'],
  ['normalizeQuat', quat.normalizeQuat, 'quaternion', 'quaternion'],
  ['slerpQuat', (out, a, b) => quat.slerpQuat(out, a, b, 0.3), 'quaternion', 'quaternion', 'quaternion'],
  ['copyTransform', transform.copyTransform, 'transform', 'transform'],
  ['multiplyTransform', transform.multiplyTransform, 'transform', 'transform', 'transform'],
  ['invertTransform', transform.invertTransform, 'transform', 'transform'],
  ['relativeTransform', transform.relativeTransform, 'transform', 'transform', 'transform'],
  ['transformPoint', transform.transformPoint, 'vector', 'transform', 'vector'],
  ['inverseTransformPoint', transform.inverseTransformPoint, 'vector', 'transform', 'vector'],
  ['transformMotion', spatial.transformMotion, 'six', 'transform', 'six'],
  ['inverseTransformMotion', spatial.inverseTransformMotion, 'six', 'transform', 'six'],
  ['transformForce', spatial.transformForce, 'six', 'transform', 'six'],
  ['inverseTransformForce', spatial.inverseTransformForce, 'six', 'transform', 'six'],
  ['crossMotion', spatial.crossMotion, 'six', 'six', 'six'],
  ['crossForce', spatial.crossForce, 'six', 'six', 'six'],
  ['rotateInertia', rotateInertia, 'matrix', 'matrix', 'matrix'],
  ['transformSpatialInertia', transformSpatialInertia, 'inertia', 'transform', 'inertia'],
  ['multiplySpatialInertia', multiplySpatialInertia, 'six', 'inertia', 'six'],
];

const random = createRandom(77);

function draw(kind: Kind): Float64Array {
  const numbers = Float64Array.from({ length: SIZES[kind] }, () => random.normal());
  if (kind === 'quaternion') return quat.normalizeQuat(numbers, numbers);
  if (kind === 'transform') expSo3(numbers, numbers.slice(0, 3));
  if (kind === 'inertia') numbers[0] = 1 + random.next();
  return numbers;
}

it.each(OPERATIONS)('%s may write over its inputs', (_name, operation, outKind, aKind, bKind) => {
  for (let n = 0; n < 20; n++) {
    const a = draw(aKind);
    const b = bKind ? draw(bKind) : a;
    const separate = new Float64Array(SIZES[outKind]);
    expect(operation(separate, a, b)).toBe(separate);
    if (outKind === aKind) {
      const inPlace = Float64Array.from(a);
      operation(inPlace, inPlace, bKind ? b : inPlace);
      expect(inPlace).toEqual(separate);
    }
    if (bKind && outKind === bKind) {
      const inPlace = Float64Array.from(b);
      operation(inPlace, a, inPlace);
      expect(inPlace).toEqual(separate);
    }
    if (bKind && aKind === bKind && outKind === aKind) {
      const both = Float64Array.from(a);
      const expected = operation(new Float64Array(SIZES[outKind]), a, Float64Array.from(a));
      operation(both, both, both);
      expect(both).toEqual(expected);
    }
  }
});

function worst(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let error = 0;
  for (let i = 0; i < b.length; i++) error = Math.max(error, Math.abs(a[i] - b[i]));
  return error;
}

describe('rotations and placements', () => {
  it('vectors: products, norms and distances agree; what is made starts as said', () => {
    const random = createRandom(11);
    for (let i = 0; i < 100; i++) {
      const a = vec3.createVec3(random.normal(), random.normal(), random.normal());
      const b = vec3.createVec3(random.normal(), random.normal(), random.normal());
      const cross = vec3.crossVec3(vec3.createVec3(), a, b);
      expect(vec3.dotVec3(a, a)).toBe(vec3.squaredNormVec3(a));
      expect(vec3.normVec3(a) ** 2).toBeCloseTo(vec3.squaredNormVec3(a), 12);
      // Lagrange's identity.
      const squares = vec3.squaredNormVec3(a) * vec3.squaredNormVec3(b);
      expect(vec3.dotVec3(a, b) ** 2 + vec3.squaredNormVec3(cross)).toBeCloseTo(squares, 10);
      expect(vec3.distanceVec3(a, b)).toBe(vec3.normVec3(vec3.subtractVec3(vec3.createVec3(), a, b)));
      const R = mat3.createMat3();
      expect([...mat3.multiplyMat3Vec3(vec3.createVec3(), R, a)]).toEqual([...a]);
      expect(mat3.setIdentityMat3(new Float64Array(9).fill(random.normal()))).toEqual(R);
    }
    expect([...vec3.createVec3()]).toEqual([0, 0, 0]);
    expect([...vec3.createVec3(1, 2, 3)]).toEqual([1, 2, 3]);
  });

  it('quaternion and matrix products agree, and conversion is exact to rounding, half turns included', () => {
    const turns: Float64Array[] = [
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
      [0, 0, 0, 1],
      [Math.SQRT1_2, Math.SQRT1_2, 0, 0],
      [0, 0.6, -0.8, 1e-9],
    ].map((q) => Float64Array.from(q));
    for (let n = 0; n < 100; n++) turns.push(draw('quaternion'));
    for (const q of turns) {
      const p = draw('quaternion');
      const R = quat.quatToMat3(new Float64Array(9), q);
      const back = quat.mat3ToQuat(new Float64Array(4), R);
      expect(back[3]).toBeGreaterThanOrEqual(0);
      const sign = back[0] * q[0] + back[1] * q[1] + back[2] * q[2] + back[3] * q[3] < 0 ? -1 : 1;
      expect(
        worst(
          back,
          q.map((value) => sign * value),
        ),
      ).toBeLessThan(1e-15);
      const product = quat.quatToMat3(new Float64Array(9), quat.multiplyQuat(new Float64Array(4), q, p));
      const expected = mat3.multiplyMat3(new Float64Array(9), R, quat.quatToMat3(new Float64Array(9), p));
      expect(worst(product, expected)).toBeLessThan(1e-15 * 2);
      expect(mat3.determinantMat3(R)).toBeCloseTo(1, 14);
    }
  });

  it('axis and angle: there and back, small and none', () => {
    const axis = new Float64Array(3);
    for (const angle of [1e-12, 0.3, 2, Math.PI]) {
      const q = quat.axisAngleToQuat(new Float64Array(4), [2 / 7, -3 / 7, 6 / 7], angle);
      expect(quat.quatToAxisAngle(axis, q)).toBeCloseTo(angle, 14);
      expect(worst(axis, [2 / 7, -3 / 7, 6 / 7])).toBeLessThan(1e-15);
      expect(
        quat.quatToAxisAngle(
          axis,
          q.map((value) => -value),
        ),
      ).toBeCloseTo(angle, 14);
    }
    expect(quat.quatToAxisAngle(axis, [0, 0, 0, 1])).toBe(0);
    expect([...axis]).toEqual([1, 0, 0]);
  });

  it('slerp: exact ends, constant speed, short way, nearly equal inputs', () => {
    for (let n = 0; n < 50; n++) {
      const a = draw('quaternion');
      const b = draw('quaternion');
      const between = (p: ArrayLike<number>, q: ArrayLike<number>): number => {
        const relative = quat.multiplyQuat([0, 0, 0, 1], quat.conjugateQuat([0, 0, 0, 1], p), q);
        return vec3.normVec3(logQuat(new Float64Array(3), relative));
      };
      expect(worst(quat.slerpQuat(new Float64Array(4), a, b, 0), a)).toBeLessThan(1e-15);
      expect(between(quat.slerpQuat(new Float64Array(4), a, b, 1), b)).toBeLessThan(1e-15 * 4);
      expect(between(a, quat.slerpQuat(new Float64Array(4), a, b, 0.25))).toBeCloseTo(0.25 * between(a, b), 13);
      const near = quat.multiplyQuat(new Float64Array(4), a, [1e-13, 0, 0, 1]);
      expect(worst(quat.slerpQuat(new Float64Array(4), a, near, 0.5), a)).toBeLessThan(2e-13);
    }
    expect([...quat.normalizeQuat(new Float64Array(4), [0, 0, 0, 0])]).toEqual([0, 0, 0, 1]);
    expect(worst(quat.normalizeQuat(new Float64Array(4), [3e200, 0, 4e200, 0]), [0.6, 0, 0.8, 0])).toBeLessThan(1e-15);
  });

  it('inverse, relative placement, points and poses agree', () => {
    for (let n = 0; n < 50; n++) {
      const A = draw('transform');
      const B = draw('transform');
      const p = draw('vector');
      const relative = transform.relativeTransform(new Float64Array(12), A, B);
      const expected = transform.multiplyTransform(
        new Float64Array(12),
        transform.invertTransform(new Float64Array(12), A),
        B,
      );
      expect(worst(relative, expected)).toBeLessThan(2e-15);
      const there = transform.transformPoint(new Float64Array(3), A, p);
      expect(worst(transform.inverseTransformPoint(new Float64Array(3), A, there), p)).toBeLessThan(2e-15);
      const pose = transform.transformToPose(new Float64Array(7), A);
      expect(worst(transform.poseToTransform(new Float64Array(12), pose), A)).toBeLessThan(2e-15);
      const scaled = pose.map((value, i) => (i < 3 ? value : 3 * value));
      expect(worst(transform.poseToTransform(new Float64Array(12), scaled), A)).toBeLessThan(2e-15);
    }
  });
});

describe('spatial vectors and inertia', () => {
  it('power does not depend on the frame', () => {
    for (let n = 0; n < 50; n++) {
      const X = draw('transform');
      const [m, f] = [draw('six'), draw('six')];
      const power = spatial.dotMotionForce(m, f);
      const moved = spatial.dotMotionForce(
        spatial.transformMotion(new Float64Array(6), X, m),
        spatial.transformForce(new Float64Array(6), X, f),
      );
      expect(moved).toBeCloseTo(power, 12);
      const back = spatial.inverseTransformForce(
        new Float64Array(6),
        X,
        spatial.transformForce(new Float64Array(6), X, f),
      );
      expect(worst(back, f)).toBeLessThan(1e-14);
    }
  });

  it('momentum moves with its frame as a force', () => {
    for (let n = 0; n < 50; n++) {
      const X = draw('transform');
      const V = draw('six');
      const packed = [2, 0.1, -0.2, 3, 0.3, 4];
      const I = writeSpatialInertia(
        new Float64Array(10),
        1.5,
        draw('vector'),
        expandSymmetric(new Float64Array(9), packed),
      );
      const momentum = multiplySpatialInertia(new Float64Array(6), I, V);
      const there = multiplySpatialInertia(
        new Float64Array(6),
        transformSpatialInertia(new Float64Array(10), X, I),
        spatial.transformMotion(new Float64Array(6), X, V),
      );
      expect(worst(there, spatial.transformForce(new Float64Array(6), X, momentum))).toBeLessThan(1e-12);
      expect(spatial.dotMotionForce(V, momentum)).toBeGreaterThan(0);
    }
    const massless = transformSpatialInertia(new Float64Array(10), draw('transform'), [0, 0, 0, 0, 1, 0, 0, 2, 0, 3]);
    expect(massless[4] + massless[7] + massless[9]).toBeCloseTo(6, 14);
  });
});
