import { describe, expect, it } from 'vitest';
import { createBoxMesh, imitate, samplePose, sampleShape } from '../../test/sample-shapes.js';
import type { Shape, ShapeType, SupportShape } from '../geometry/shapes.js';
import { validateShape } from '../geometry/validate-shape.js';
import { MisuseError } from '../math/misuse.js';
import { createRandom } from '../math/random.js';
import { createTransform } from '../math/transform.js';
import { castPair, createCastResult } from './cast.js';
import { castRayShape, createShapeRayHit } from './cast-ray-shape.js';
import { collide } from './collide.js';
import { createCollider } from './collider.js';
import { distance } from './distance.js';
import { createDistanceResult } from './query.js';

const POSES = process.env.ORACLE_FULL ? 60 : 8;
const originals = ['sphere', 'box', 'capsule', 'cylinder', 'cone', 'ellipsoid', 'convex', 'rounded-box'] as const;
const others: readonly ShapeType[] = [...originals, 'rounded-cylinder', 'halfspace', 'mesh', 'octree', 'compound'];
const ball = (radius = 1): SupportShape => ({
  type: 'support',
  support: (out, direction) => {
    for (let k = 0; k < 3; k++) out[k] = radius * direction[k];
  },
});

describe('a user-defined convex shape', () => {
  it.each(originals)('that imitates a %s answers as that does', (kind) => {
    const random = createRandom(1 + originals.indexOf(kind));
    for (const other of others)
      for (let pose = 0; pose < POSES; pose++) {
        const at = `${kind}-${other} pose ${pose}`;
        const shape = sampleShape(random, kind);
        using own = createCollider(shape);
        using twin = createCollider(imitate(shape));
        using b = createCollider(sampleShape(random, other));
        const [X, Y] = [samplePose(random, 0.8), samplePose(random, 0.8)];
        const wanted = distance(createDistanceResult(), own, X, b, Y);
        const got = distance(createDistanceResult(), twin, X, b, Y);
        expect(got.collides, at).toBe(wanted.collides);
        expect(collide(twin, X, b, Y), at).toBe(wanted.collides);
        if (wanted.status !== 'ok' || got.status !== 'ok') continue;
        // Between curved shapes the last digits of the built-in one come from formulas.
        expect(Math.abs(got.distance - wanted.distance), at).toBeLessThan(1e-9);
        if (wanted.distance > 0)
          for (let k = 0; k < 3; k++) expect(Math.abs(got.normal[k] - wanted.normal[k]), at).toBeLessThan(1e-5);
      }
  });

  it('need not hold the origin of its frame', () => {
    const away: SupportShape = {
      type: 'support',
      support: (out, direction) => {
        for (let k = 0; k < 3; k++) out[k] = 0.2 * direction[k] + (k === 0 ? 5 : 0);
      },
    };
    const own = createCollider(away);
    expect([...own.localBounds].map((x) => Math.round(1e9 * x) / 1e9)).toEqual([4.8, -0.2, -0.2, 5.2, 0.2, 0.2]);
    const at = (x: number) => Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, x, 0, 0);
    const solid = createCollider({ type: 'mesh', mesh: createBoxMesh([1, 1, 1]) });
    const around = createCollider({ type: 'compound', children: [{ shape: solid.shape }] });
    for (const other of [solid, around]) {
      expect(collide(own, at(0), other, at(5))).toBe(true);
      expect(collide(own, at(0), other, at(0))).toBe(false);
      expect(distance(createDistanceResult(), own, at(0), other, at(5), { depth: false }).collides).toBe(true);
    }
    const hit = castRayShape(createShapeRayHit(), own, at(-5), [-3, 0, 0], [1, 0, 0]);
    expect(hit.t).toBeCloseTo(2.8, 12);
    expect(hit.normal[0]).toBeCloseTo(-1, 12);
  });

  it('is cast', () => {
    const at = (x: number) => Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, x, 0, 0);
    const motion = { a0: at(0), a1: at(3), b0: at(4), b1: at(4) };
    const hit = castPair(createCastResult(), createCollider(ball()), createCollider(ball(0.5)), motion);
    expect(hit.hit).toBe(true);
    expect(hit.time).toBeCloseTo(2.5 / 3, 6);
  });

  it.each<[string, object, RegExp]>([
    ['no function', { type: 'support' }, /support, got undefined, expected a function/],
    ['a function that writes nothing', { ...ball(), support: () => {} }, /out\[0\], got NaN/],
    ['points without end', { ...ball(), support: (out: Float64Array) => out.fill(1 / 0) }, /out\[0\], got Infinity/],
    [
      'the nearest point instead of the farthest',
      { ...ball(), support: (out: Float64Array, d: Float64Array) => out.set(d.map((x) => -x)) },
      /expected a point as far as/,
    ],
    [
      'another point each time',
      {
        ...ball(),
        support: (out: Float64Array, d: Float64Array) => out.set(d.map((x) => x * (1 + 1e-9 * counter++))),
      },
      /expected (the same point each time|a point as far as)/,
    ],
    ['a radius below 0', { ...ball(), radius: -1 }, /support radius, got -1/],
    ['masses of no volume', { ...ball(), massProperties: {} }, /massProperties.volume/],
  ])('refuses %s', (_, shape, words) => {
    expect(() => validateShape(shape as Shape)).toThrow(words);
    expect(() => createCollider(shape as Shape)).toThrow(MisuseError);
  });

  it('refuses queries from within, passes on what its function throws, and answers after that', () => {
    const X = createTransform();
    const Y = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 3, 0, 0);
    const box = createCollider({ type: 'box', size: [1, 1, 1] });
    let fault: 'none' | 'throws' | 'asks' | 'leaves' = 'none';
    const shape: SupportShape = {
      type: 'support',
      support: (out, direction) => {
        if (fault === 'throws') throw new RangeError('of my own');
        if (fault === 'asks') collide(box, X, box, X);
        for (let k = 0; k < 3; k++) out[k] = fault === 'leaves' ? Number.NaN : direction[k];
      },
    };
    const own = createCollider(shape);
    const ask = (): number => distance(createDistanceResult(), own, X, box, Y).distance;
    expect(ask()).toBeCloseTo(1.5, 12);
    fault = 'throws';
    expect(ask).toThrow(/of my own/);
    fault = 'asks';
    expect(ask).toThrow(/within a support function/);
    fault = 'leaves';
    expect(ask).toThrow(/support: out\[0\], got NaN along/);
    fault = 'none';
    expect(ask()).toBeCloseTo(1.5, 12);
    expect(collide(own, X, box, X)).toBe(true);
  });
});

let counter = 0;
