import { describe, expect, it } from 'vitest';
import { samplePose, sampleShape } from '../../test/sample-shapes.js';
import { createRandom } from '../math/random.js';
import { collide } from './collide.js';
import { type Collider, createCollider } from './collider.js';
import { distance } from './distance.js';
import { collidePairs, distancePairs } from './pair-batch.js';
import { createDistanceResult } from './query.js';

const COUNT = 40;

/** Every number by its bits. */
const bitsOf = (numbers: Float64Array): string[] => Array.from(new BigUint64Array(numbers.slice().buffer), String);

describe('batches of pairs', () => {
  it.each([
    ['sphere', 'capsule'],
    ['capsule', 'capsule'],
    ['box', 'box'],
    ['cylinder', 'box'],
    ['cone', 'cylinder'],
    ['convex', 'convex'],
    ['ellipsoid', 'mesh'],
    ['halfspace', 'compound'],
  ] as const)('%s against %s: the bits of single calls, own colliders or one for all', (kindA, kindB) => {
    const random = createRandom(17);
    const listA: Collider[] = [];
    const listB: Collider[] = [];
    const posesA = new Float64Array(12 * COUNT);
    const posesB = new Float64Array(12 * COUNT);
    for (let i = 0; i < COUNT; i++) {
      listA.push(createCollider(sampleShape(random, kindA)));
      listB.push(createCollider(sampleShape(random, kindB)));
      posesA.set(samplePose(random, 0.8), 12 * i);
      posesB.set(samplePose(random, 1.2), 12 * i);
    }
    for (const [a, b, X, Y] of [
      [listA, listB, posesA, posesB],
      [listA[0], listB[0], posesA.slice(0, 12), posesB],
      [listA[1], listB, posesA, posesB.slice(12, 24)],
    ] as const) {
      const single = { d: new Float64Array(COUNT), p: new Float64Array(6 * COUNT), n: new Float64Array(3 * COUNT) };
      const touching = new Uint8Array(COUNT);
      const exact = new Uint8Array(COUNT);
      const verdicts = new Uint8Array(COUNT);
      for (let i = 0; i < COUNT; i++) {
        const first = Array.isArray(a) ? a[i] : (a as Collider);
        const second = Array.isArray(b) ? b[i] : (b as Collider);
        const X_WA = X.length === 12 ? X : X.slice(12 * i, 12 * i + 12);
        const X_WB = Y.length === 12 ? Y : Y.slice(12 * i, 12 * i + 12);
        const r = distance(createDistanceResult(), first, X_WA, second, X_WB);
        single.d[i] = r.distance;
        single.p.set([...r.pointA, ...r.pointB], 6 * i);
        single.n.set(r.normal, 3 * i);
        touching[i] = r.collides ? 1 : 0;
        exact[i] = r.status === 'ok' ? 1 : 0;
        verdicts[i] = collide(first, X_WA, second, X_WB) ? 1 : 0;
      }
      const out = new Float64Array(COUNT);
      const outPoints = new Float64Array(6 * COUNT);
      const outNormals = new Float64Array(3 * COUNT);
      const outCollides = new Uint8Array(COUNT);
      const outExact = new Uint8Array(COUNT);
      expect(distancePairs(out, a, X, b, Y, { outPoints, outNormals, outCollides, outExact })).toBe(out);
      expect(bitsOf(out)).toEqual(bitsOf(single.d));
      expect(outCollides).toEqual(touching);
      expect(outExact).toEqual(exact);
      // Overlaps without a depth have no normal, and leave the last one's.
      for (let i = 0; i < COUNT; i++) {
        if (exact[i] === 0) continue;
        expect(bitsOf(outPoints.slice(6 * i, 6 * i + 6))).toEqual(bitsOf(single.p.slice(6 * i, 6 * i + 6)));
        expect(bitsOf(outNormals.slice(3 * i, 3 * i + 3))).toEqual(bitsOf(single.n.slice(3 * i, 3 * i + 3)));
      }
      const outVerdicts = new Uint8Array(COUNT);
      expect(collidePairs(outVerdicts, a, X, b, Y)).toBe(verdicts.reduce((sum, x) => sum + x, 0));
      expect(outVerdicts).toEqual(verdicts);
    }
    for (const collider of [...listA, ...listB]) collider.dispose();
  });

  it('refuses what does not fit', () => {
    const ball = createCollider({ type: 'sphere', radius: 1 });
    const X = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);
    expect(() => distancePairs(new Float64Array(2), [ball], X, ball, X)).toThrow(/distancePairs: a, got/);
    expect(() => distancePairs(new Float64Array(2), ball, new Float64Array(36), ball, X)).toThrow(/X_WA, got/);
    expect(() =>
      collidePairs(
        new Uint8Array(1),
        ball,
        X.map(() => Number.NaN),
        ball,
        X,
      ),
    ).toThrow(/collidePairs: pose/);
    expect(() => distancePairs(new Float64Array(1), ball, X, ball, X, { outPoints: new Float64Array(3) })).toThrow(
      /outPoints, got/,
    );
  });
});
