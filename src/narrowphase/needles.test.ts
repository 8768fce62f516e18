/**
 * Verdicts on needles and plates, up to 1e8 times as long as thick: an overlap by a common inner point is never free, whichever
 * operand comes first and however the query starts, and what a limit leaves of a distance is a lower bound.
 */
import { describe, it } from 'vitest';
import { expect } from '../../test/support/quick-expect.js';
import type { Shape } from '../geometry/shapes.js';
import { supportShape } from '../geometry/support-shape.js';
import { createRandom, type Random } from '../math/random.js';
import { poseToTransform, type Transform } from '../math/transform.js';
import { collide } from './collide.js';
import { createCollider } from './collider.js';
import { distance } from './distance.js';
import { createPairCache } from './pair-cache.js';
import { createDistanceResult } from './query.js';
import { isWithin } from './tolerance.js';

const KINDS = ['cylinder', 'cone', 'capsule', 'box', 'ellipsoid', 'convex', 'sphere'] as const;
type Kind = (typeof KINDS)[number];

/** A needle, or in three of ten cases a plate. */
function sampleThin(random: Random, kind: Kind, long: number, aspect: number): Shape {
  const big = long * random.uniform(0.2, 1);
  const small = (big / aspect) * random.uniform(1, 10);
  const isFlat = random.uniform(0, 1) < 0.3;
  const middle = isFlat ? big * random.uniform(0.1, 1) : small * random.uniform(1, 3);
  switch (kind) {
    case 'cylinder':
    case 'cone':
      return { type: kind, radius: isFlat ? big : small, length: isFlat ? small : big };
    case 'capsule':
      return { type: kind, radius: small, length: big };
    case 'box':
      return { type: kind, size: [big, middle, small] };
    case 'ellipsoid':
      return { type: kind, semiAxes: [big, middle, small] };
    case 'sphere':
      return { type: kind, radius: isFlat ? big : small };
    case 'convex': {
      const sizes = [big, isFlat ? big : small, small];
      const count = 3 * (4 + random.integer(20));
      return {
        type: kind,
        points: Float64Array.from({ length: count }, (_, i) => sizes[i % 3] * random.uniform(-1, 1)),
      };
    }
  }
}

/** A point inside: `depth` of the way from the surface, or nearer the middle. */
function sampleInside(random: Random, shape: Shape, part: number): number[] {
  const t = random.uniform(0, 2 * Math.PI);
  const r = part * Math.sqrt(random.uniform(0, 1));
  const [x, y, z] = [r * Math.cos(t), r * Math.sin(t), part * random.uniform(-1, 1)];
  switch (shape.type) {
    case 'cylinder':
    case 'capsule':
      return [shape.radius * x, shape.radius * y, 0.5 * shape.length * z];
    case 'cone':
      return [0.5 * (1 - z) * shape.radius * x, 0.5 * (1 - z) * shape.radius * y, 0.5 * shape.length * z];
    case 'box':
      return shape.size.map((side) => 0.5 * side * part * random.uniform(-1, 1));
    case 'ellipsoid':
      return [x, y, z * Math.sqrt(Math.max(0, 1 - r * r))].map((u, k) => 0.999 * u * shape.semiAxes[k]);
    case 'sphere':
      return [0.5 * x, 0.5 * y, 0.5 * z].map((u) => u * shape.radius);
    case 'convex': {
      const weights = Array.from({ length: shape.points.length / 3 }, () => random.uniform(0, 1) ** 4);
      const sum = weights.reduce((a, b) => a + b);
      return [0, 1, 2].map((k) => weights.reduce((p, w, i) => p + (w / sum) * shape.points[3 * i + k], 0));
    }
    default:
      throw new Error(`no inner points of ${shape.type}`);
  }
}

function samplePose(random: Random): Transform {
  const q = [random.normal(), random.normal(), random.normal(), random.normal()];
  return poseToTransform(new Float64Array(12), [0, 0, 0, ...q]);
}

/** Moves X_WB so that p of A is `gap` short of q of B along u. */
function join(
  X_WA: Transform,
  p: ArrayLike<number>,
  X_WB: Transform,
  q: ArrayLike<number>,
  u = [0, 0, 0],
  gap = 0,
): void {
  for (let k = 0; k < 3; k++) {
    X_WB[9 + k] = X_WA[9 + k] + gap * u[k];
    for (let m = 0; m < 3; m++) X_WB[9 + k] += X_WA[3 * k + m] * p[m] - X_WB[3 * k + m] * q[m];
  }
}

/** All verdicts of the pair, both ways and by warm starts. */
function askAll(A: Shape, X_WA: Transform, B: Shape, X_WB: Transform): boolean[] {
  const [a, b] = [createCollider(A), createCollider(B)];
  const cache = createPairCache();
  const result = createDistanceResult();
  const verdicts = [
    collide(a, X_WA, b, X_WB),
    collide(b, X_WB, a, X_WA),
    isWithin(a, X_WA, b, X_WB, 0),
    isWithin(b, X_WB, a, X_WA, 0),
    collide(a, X_WA, b, X_WB, { cache }),
    collide(a, X_WA, b, X_WB, { cache }),
    distance(result, a, X_WA, b, X_WB).collides,
    distance(result, b, X_WB, a, X_WA).collides,
    distance(result, a, X_WA, b, X_WB, { cache }).collides,
  ];
  a.dispose();
  b.dispose();
  return verdicts;
}

describe('needles and plates', () => {
  it('a cone 4.3e-5 x 8,644 inside a cylinder 9e-5 x 9,584 at two attitudes that were free', () => {
    const A: Shape = { type: 'cone', radius: 4.3e-5, length: 8644 };
    const B: Shape = { type: 'cylinder', radius: 9e-5, length: 9584 };
    for (const [X_WA, X_WB] of [
      [
        [
          ...[-0.34645255860400326, 0.9365854212771096, 0.05271027687195945, 0.8507518336442288, 0.33738138158946795],
          ...[-0.4029827799146812, -0.3952112627288375, -0.09477105047408074, -0.9136884073929783, 0.09798303892122417],
          ...[0.5531756099848177, 0.24618580522727163],
        ],
        [
          ...[-0.3464822124177765, 0.9365854212771096, 0.052514999088467094, 0.8509788297850734, 0.33738138158946795],
          ...[-0.4025032106883232, -0.3946962220945491, -0.09477105047408074, -0.9139110133138398, 34.43677029067885],
          ...[-263.9356503070839, -601.9666299526544],
        ],
      ],
      [
        [
          ...[0.7756578546026011, 0.612053791870666, 0.15409428428734662, 0.5686566992533163, -0.571777742751469],
          ...[-0.5913541842993578, -0.27383288879828444, 0.5463152649805557, -0.7915523863027716, -14.905391600661005],
          ...[-1513.8782549861362, -635.6567955641472],
        ],
        [
          ...[0.7756028299110393, 0.612053791870666, 0.15437100145664198, 0.5688676370830046, -0.571777742751469],
          ...[-0.5911512702968964, -0.27355047379521397, 0.5463152649805557, -0.7916500297073447, -92.34754671949064],
          ...[-1220.889165942808, -242.2512690177407],
        ],
      ],
    ])
      expect(askAll(A, Float64Array.from(X_WA), B, Float64Array.from(X_WB))).not.toContain(false);
  });

  it('a cone 4.3e-5 x 8,644 and a cylinder 9e-5 x 9,584 around a common inner point, nearly parallel ones too (seed 1)', () => {
    const random = createRandom(1);
    const A: Shape = { type: 'cone', radius: 4.3e-5, length: 8644 };
    const B: Shape = { type: 'cylinder', radius: 9e-5, length: 9584 };
    for (let i = 0; i < 3000; i++) {
      const [X_WA, X_WB] = [samplePose(random), samplePose(random)];
      if (i % 3 === 0) {
        // B's frame is A's, turned a little about y.
        const tilt = 10 ** random.uniform(-9, -3);
        const c = 1 / Math.sqrt(1 + tilt * tilt);
        X_WB.set(X_WA);
        for (let k = 0; k < 9; k += 3) {
          X_WB[k] = c * (X_WA[k] - tilt * X_WA[k + 2]);
          X_WB[k + 2] = c * (X_WA[k + 2] + tilt * X_WA[k]);
        }
      }
      join(X_WA, sampleInside(random, A, 0.9), X_WB, sampleInside(random, B, 0.9));
      expect(askAll(A, X_WA, B, X_WB), `seed 1 case ${i}`).not.toContain(false);
    }
  });

  it.each([1e3, 1e6, 1e7, 1e8])(
    'aspect %f: common inner points, deep and just below the surface (seed 2)',
    (aspect) => {
      const random = createRandom(2);
      for (let i = 0; i < 4000; i++) {
        const A = sampleThin(random, KINDS[random.integer(6)], 1e4, aspect);
        const B = sampleThin(random, KINDS[random.integer(7)], 1e4, aspect);
        const [X_WA, X_WB] = [samplePose(random), samplePose(random)];
        const part = i % 2 ? 0.5 : 0.999;
        join(X_WA, sampleInside(random, A, part), X_WB, sampleInside(random, B, part));
        expect(askAll(A, X_WA, B, X_WB), `seed 2 case ${i} ${A.type}-${B.type}`).not.toContain(false);
      }
    },
  );

  it.each([1e3, 1e6, 1e8])('aspect %f: gaps they were given, or a lower bound and a limit (seed 3)', (aspect) => {
    const random = createRandom(3);
    const result = createDistanceResult();
    for (let i = 0; i < 3000; i++) {
      const A = sampleThin(random, KINDS[random.integer(6)], 1, aspect);
      const B = sampleThin(random, KINDS[random.integer(7)], 1, aspect);
      const [X_WA, X_WB] = [samplePose(random), samplePose(random)];
      const u = [random.normal(), random.normal(), random.normal()];
      const norm = Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
      for (let k = 0; k < 3; k++) u[k] /= norm;
      const gap = 10 ** random.uniform(-8, 0) * (i % 2 ? 1 : 10 / aspect);
      const along = (X: Transform, sign: number): number[] =>
        [0, 1, 2].map((k) => sign * (X[k] * u[0] + X[3 + k] * u[1] + X[6 + k] * u[2]));
      join(X_WA, supportShape([0, 0, 0], A, along(X_WA, 1)), X_WB, supportShape([0, 0, 0], B, along(X_WB, -1)), u, gap);
      const [a, b] = [createCollider(A), createCollider(B)];
      const at = `seed 3 case ${i} ${A.type}-${B.type}: ${gap}`;
      for (const r of [distance(result, a, X_WA, b, X_WB), distance(result, b, X_WB, a, X_WA)]) {
        if (r.status === 'ok') expect(Math.abs(r.distance - gap), at).toBeLessThan(1e-10);
        else expect(r.distance, at).toBeLessThanOrEqual(gap + 1e-13);
        expect(r.collides, at).toBe(collide(a, X_WA, b, X_WB));
      }
      expect(isWithin(a, X_WA, b, X_WB, gap * (1 + 1e-6) + 1e-11), at).toBe(true);
      expect(isWithin(b, X_WB, a, X_WA, gap * (1 + 1e-6) + 1e-11), at).toBe(true);
      if (gap > 1e-8) expect(collide(a, X_WA, b, X_WB), at).toBe(false);
      a.dispose();
      b.dispose();
    }
  });
});
