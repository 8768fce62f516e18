/** Faults in queries of shapes that hold shapes. */
import { describe, expect, it } from 'vitest';
import type { Shape } from '../../src/geometry/shapes.js';
import { poseToTransform, type Transform } from '../../src/math/transform.js';
import { castPair, createCastResult } from '../../src/narrowphase/cast.js';
import { collide } from '../../src/narrowphase/collide.js';
import { createCollider } from '../../src/narrowphase/collider.js';
import { computeContacts, createContacts } from '../../src/narrowphase/contacts.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createDistanceResult } from '../../src/narrowphase/query.js';
import { createBoxMesh } from '../sample-shapes.js';

function at(x: number, y: number, z: number): Transform {
  return poseToTransform(new Float64Array(12), [x, y, z, 0, 0, 0, 1]);
}

const ground: Shape = {
  type: 'heightfield',
  rows: 3,
  columns: 3,
  heights: new Float64Array(9),
  spacing: [1, 1],
  floor: -1,
};

describe('containers in containers', () => {
  it('points in a compound meet the ground as the points alone do', () => {
    const points: Shape = {
      type: 'points',
      radius: 0.1,
      points: Float64Array.of(0, 0, 0, 0.5, 0, 0, -0.5, 0, 0, 0, 0.5, 0, 0, -0.5, 0),
    };
    const b = createCollider(ground);
    const W = at(0, 0, 0);
    for (const shape of [points, { type: 'compound', children: [{ shape: points }] } as Shape]) {
      const a = createCollider(shape);
      const X = at(-1.26, -0.77, 0.05);
      expect(collide(a, X, b, W)).toBe(true);
      const r = distance(createDistanceResult(), a, X, b, W);
      expect(r.collides).toBe(true);
      expect(r.distance).toBeCloseTo(-0.05, 9);
      expect(computeContacts(createContacts(4), a, X, b, W)).toBeGreaterThan(0);
      const motion = { a0: at(-1.26, -0.77, 1), a1: X, b0: W, b1: W };
      const hit = castPair(createCastResult(), a, b, motion);
      expect(hit.hit).toBe(true);
      expect(hit.time).toBeCloseTo(0.9 / 0.95, 5);
    }
  });

  it('a ball in an open height field of a compound: the common point lies in both', () => {
    const { floor: _, ...open } = ground as Shape & { type: 'heightfield' };
    const a = createCollider({ type: 'compound', children: [{ shape: open as Shape }] });
    const b = createCollider({ type: 'sphere', radius: 0.5 });
    const r = distance(createDistanceResult(), a, at(0, 0, 0), b, at(0.2, 0.1, 0.3));
    expect(r.distance).toBe(0);
    expect(Math.abs(r.pointA[2])).toBeLessThan(1e-12);
    expect(Math.hypot(r.pointA[0] - 0.2, r.pointA[1] - 0.1, r.pointA[2] - 0.3)).toBeLessThan(0.5 + 1e-9);
    expect([...r.pointB]).toEqual([...r.pointA]);
  });

  it('a surface mesh wholly inside a solid one: the common point lies on it', () => {
    const a = createCollider({ type: 'mesh', mesh: createBoxMesh([2, 2, 2]) });
    const b = createCollider({ type: 'mesh', mesh: createBoxMesh([0.2, 0.2, 0.2]), mode: 'surface' });
    for (const [p, X, q, Y] of [
      [a, at(0, 0, 0), b, at(0.3, 0, 0)],
      [b, at(0.3, 0, 0), a, at(0, 0, 0)],
    ] as const) {
      const r = distance(createDistanceResult(), p, X, q, Y);
      expect(r.distance).toBe(0);
      expect(r.collides).toBe(true);
      expect(r.pointA[0]).toBeCloseTo(0.4, 12);
    }
  });
});
