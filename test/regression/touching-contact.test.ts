/** Faults other engines had at touching contact: the inputs, and what is right. */
import { describe, it } from 'vitest';
import type { Shape } from '../../src/geometry/shapes.js';
import { supportCore } from '../../src/geometry/support.js';
import { createSupportCore } from '../../src/geometry/support-shape.js';
import { createRandom } from '../../src/math/random.js';
import { poseToTransform, type Transform } from '../../src/math/transform.js';
import { collide } from '../../src/narrowphase/collide.js';
import { createCollider } from '../../src/narrowphase/collider.js';
import { computeContacts, createContacts } from '../../src/narrowphase/contacts.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createDistanceResult, createQueryStats } from '../../src/narrowphase/query.js';
import { samplePose } from '../sample-shapes.js';
import { expect } from '../support/quick-expect.js';

function at(x: number, y: number, z: number, q: readonly number[] = [0, 0, 0, 1]): Transform {
  return poseToTransform(new Float64Array(12), [x, y, z, ...q]);
}

function measure(A: Shape, X: Transform, B: Shape, Y: Transform) {
  return distance(createDistanceResult(), createCollider(A), X, createCollider(B), Y);
}

describe('touching contact', () => {
  it('U001: stacked cubes with a shallow overlap', () => {
    const cube: Shape = { type: 'box', size: [2, 2, 2] };
    const r = measure(cube, at(0, 0, 0), cube, at(0, 0, 1.9));
    expect(r.collides).toBe(true);
    expect(r.distance).toBeCloseTo(-0.1, 12);
    expect(Array.from(r.normal)).toEqual([0, 0, 1]);
    expect([...r.pointA, ...r.pointB].every(Number.isFinite)).toBe(true);
  });

  it('U003: unit cubes sharing a face', () => {
    const cube: Shape = { type: 'box', size: [1, 1, 1] };
    const r = measure(cube, at(0.5, 0.5, 0.5), cube, at(1.5, 0.5, 0.5));
    expect(Math.abs(r.distance)).toBeLessThan(1e-9);
    expect(r.collides).toBe(true);
    expect(r.pointA[0]).toBeCloseTo(1, 12);
    expect(r.pointB[0]).toBeCloseTo(1, 12);
    expect(Math.abs(r.normal[0])).toBeCloseTo(1, 12);
  });

  it('U005: axis-aligned boxes, one face pair through the other', () => {
    const r = measure(
      { type: 'box', size: [0.02, 0.33, 0.02] },
      at(0, 0, 0),
      { type: 'box', size: [0.4, 0.2, 0.4] },
      at(0.15, 0.1, 0),
    );
    expect(r.distance).toBeCloseTo(-0.06, 12);
    expect(Math.abs(r.normal[0])).toBeCloseTo(1, 12);
  });

  it('U007: 100000 near-touching cylinder pairs end, and agree with the constructed gap (seed 7)', () => {
    const random = createRandom(7);
    const result = createDistanceResult();
    const a = new Float64Array(3);
    const b = new Float64Array(3);
    const X = at(0, 0, 0);
    let worst = 0;
    let mostRounds = 0;
    for (let i = 0; i < 100_000; i++) {
      const A: Shape = { type: 'cylinder', radius: random.uniform(0.05, 1), length: random.uniform(0.05, 1) };
      const B: Shape = { type: 'cylinder', radius: random.uniform(0.05, 1), length: random.uniform(0.05, 1) };
      const Y = samplePose(random, 0);
      const u = [random.normal(), random.normal(), random.normal()];
      const norm = Math.hypot(...u);
      for (let k = 0; k < 3; k++) u[k] /= norm;
      // B is put where its point farthest against u lies `gap` beyond A's farthest along u: the distance is the gap.
      const gap = random.uniform(-1e-7, 1e-7);
      supportCore(a, createSupportCore(A), u[0], u[1], u[2]);
      const d = [0, 1, 2].map((k) => -(Y[k] * u[0] + Y[3 + k] * u[1] + Y[6 + k] * u[2]));
      supportCore(b, createSupportCore(B), d[0], d[1], d[2]);
      for (let k = 0; k < 3; k++)
        Y[9 + k] = a[k] + gap * u[k] - (Y[3 * k] * b[0] + Y[3 * k + 1] * b[1] + Y[3 * k + 2] * b[2]);
      const stats = createQueryStats();
      distance(result, createCollider(A), X, createCollider(B), Y, { stats });
      mostRounds = Math.max(mostRounds, stats.iterations);
      // A gap below 0 only bounds the distance from below: sharp rims can still pass each other.
      const error = gap >= 0 ? Math.abs(result.distance - gap) : gap - result.distance;
      worst = Math.max(worst, error);
    }
    expect(worst).toBeLessThan(1e-9);
    expect(mostRounds).toBeLessThan(2000);
  });

  it('U009: resting cubes, one yawed by 1 mrad: every contact has its own small depth', () => {
    const cube = createCollider({ type: 'box', size: [0.07, 0.07, 0.07] });
    for (const axis of [0, 1, 2]) {
      const q = [0, 0, 0, Math.cos(0.0005)];
      q[axis] = Math.sin(0.0005);
      const contacts = createContacts(8);
      const count = computeContacts(contacts, cube, at(0, 0, 0), cube, at(0, 0.06995, 0, q));
      expect(count).toBeGreaterThanOrEqual(1);
      expect(count).toBeLessThanOrEqual(8);
      for (const contact of contacts.slice(0, count)) {
        expect(contact.depth).toBeLessThan(1e-4);
        expect(contact.depth).toBeGreaterThan(-1e-6);
        expect(Math.abs(contact.normal[1])).toBeGreaterThan(0.999);
      }
      // Yawed about the contact normal the whole face rests: four corners.
      if (axis === 1) expect(count).toBeGreaterThanOrEqual(4);
    }
  });

  it('U011: needle-like hulls overlapping by 1e-4 are never called separated (seed 11)', () => {
    const random = createRandom(11);
    const points = Float64Array.from({ length: 1500 }, () => 0);
    for (let i = 0; i < 500; i++) {
      const p = [random.normal(), random.normal(), random.normal()];
      const norm = Math.hypot(...p);
      points[3 * i] = p[0] / norm / 1000;
      points[3 * i + 1] = p[1] / norm / 1000;
      points[3 * i + 2] = p[2] / norm;
    }
    const shape: Shape = { type: 'convex', points };
    const core = createSupportCore(shape);
    const needle = createCollider(shape);
    const a = new Float64Array(3);
    const b = new Float64Array(3);
    for (let i = 0; i < 200; i++) {
      const Y = samplePose(random, 0);
      const u = [random.normal(), random.normal(), random.normal()];
      const norm = Math.hypot(...u);
      for (let k = 0; k < 3; k++) u[k] /= norm;
      supportCore(a, core, u[0], u[1], u[2]);
      const d = [0, 1, 2].map((k) => -(Y[k] * u[0] + Y[3 + k] * u[1] + Y[6 + k] * u[2]));
      supportCore(b, core, d[0], d[1], d[2]);
      for (let k = 0; k < 3; k++)
        Y[9 + k] = a[k] - 1e-4 * u[k] - (Y[3 * k] * b[0] + Y[3 * k + 1] * b[1] + Y[3 * k + 2] * b[2]);
      const r = distance(createDistanceResult(), needle, at(0, 0, 0), needle, Y);
      const apart = -r.distance + 1e-9;
      const Z = Y.slice();
      for (let k = 0; k < 3; k++) Z[9 + k] += apart * r.normal[k];
      // Overlap along u does not make the hulls overlap; a "separated" verdict must come with a plane that proves it.
      expect(r.status).toBe('ok');
      expect(collide(needle, at(0, 0, 0), needle, Y)).toBe(r.collides);
      expect(collide(needle, at(0, 0, 0), needle, Z, { tolerance: 0 })).toBe(false);
      expect(r.distance).toBeGreaterThanOrEqual(-1e-4 - 1e-9);
      if (r.distance > 0) {
        const n = Array.from(r.normal);
        supportCore(a, core, n[0], n[1], n[2]);
        const e = [0, 1, 2].map((k) => -(Y[k] * n[0] + Y[3 + k] * n[1] + Y[6 + k] * n[2]));
        supportCore(b, core, e[0], e[1], e[2]);
        let width = 0;
        for (let k = 0; k < 3; k++)
          width += n[k] * (Y[9 + k] + Y[3 * k] * b[0] + Y[3 * k + 1] * b[1] + Y[3 * k + 2] * b[2] - a[k]);
        expect(width).toBeGreaterThan(r.distance - 1e-9);
      }
    }
  });

  it('capsules whose axes touch at an end, or have no length: the normal is across both (seed 81)', () => {
    const random = createRandom(81);
    for (let i = 0; i < 400; i++) {
      const [lengthA, lengthB] = [
        [0, 1],
        [1, 0],
        [0, 0],
        [1, 1],
      ][i % 4];
      const A: Shape = { type: 'capsule', radius: 0.3, length: lengthA };
      const B: Shape = { type: 'capsule', radius: 0.2, length: lengthB };
      const X = samplePose(random, 1);
      const Y = samplePose(random, 0);
      // An end, the middle or a place between on either axis, put on each other, exactly or nearly.
      const [s, t] = [0, 1].map(() => [-0.5, 0, 0.5, random.uniform(-0.5, 0.5)][random.integer(4)]);
      const noise = i % 3 === 0 ? 0 : 10 ** random.uniform(-17, -7);
      for (let k = 0; k < 3; k++)
        Y[9 + k] = X[9 + k] + X[3 * k + 2] * s * lengthA - Y[3 * k + 2] * t * lengthB + noise * random.normal();
      const r = measure(A, X, B, Y);
      const at = `seed 81 case ${i}`;
      expect(r.distance, at).toBeLessThan(-0.4999);
      const [p, q] = [createCollider(A), createCollider(B)];
      const Z = Y.slice();
      for (let k = 0; k < 3; k++) Z[9 + k] += (1e-9 - r.distance) * r.normal[k];
      expect(collide(p, X, q, Z), `${at}: separates`).toBe(false);
      for (let k = 0; k < 3; k++) Z[9 + k] -= 2e-9 * r.normal[k];
      expect(collide(p, X, q, Z), `${at}: not before`).toBe(true);
    }
  });
});
