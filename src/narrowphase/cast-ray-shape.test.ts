import { describe, expect, it } from 'vitest';
import { createSphereMesh } from '../../test/support/brute-force-meshes.js';
import { along, createRayCase, judgeFirstHit, type Point, rayKinds } from '../../test/support/ray-cases.js';
import { createRandom } from '../math/random.js';
import { createTransform } from '../math/transform.js';
import { castRayShape, collectShapeRayHits, createShapeRayHit, type ShapeRayHit } from './cast-ray-shape.js';
import { createCollider } from './collider.js';

const isFull = Boolean(process.env.ORACLE_FULL);
/** Per kind; all kinds together a million in the full run. */
const SHAPES = isFull ? 1540 : 25;
const RAYS = 50;
const IDENTITY = createTransform();

describe('castRayShape', () => {
  it.each(rayKinds)(
    'meets the surface of a %s first where a rule of inside and outside says',
    (kind) => {
      const random = createRandom(1 + rayKinds.indexOf(kind));
      const hit = createShapeRayHit();
      const list: ShapeRayHit[] = [];
      const wrong: string[] = [];
      let hits = 0;
      for (let s = 0; s < SHAPES; s++) {
        const size = 10 ** random.uniform(-3, 3);
        const made = createRayCase(random, kind, size);
        using collider = createCollider(made.shape);
        const bounds = collider.localBounds.map((x) => Math.max(-made.radius, Math.min(made.radius, x)));
        /** In the bounds, or in as many times of them. */
        const pick = (times: number): Point =>
          [0, 1, 2].map((k) => {
            const middle = 0.5 * (bounds[k] + bounds[k + 3]);
            return middle + times * random.uniform(bounds[k] - middle, bounds[k + 3] - middle);
          }) as Point;
        for (let r = 0; r < RAYS; r++) {
          const o = pick(r % 10 === 0 ? 1e4 : r % 3 === 0 ? 0.8 : 3);
          const target = pick(0.9);
          let d = target.map((x, k) => x - o[k]) as Point;
          // Along the axes, and in the planes of two of them.
          if (r % 7 === 1) d = d.map((x, k) => (k === r % 3 ? x : 0)) as Point;
          if (r % 7 === 2) d = d.map((x, k) => (k === r % 3 ? 0 : x)) as Point;
          const scale = 10 ** random.uniform(-2, 2);
          d = d.map((x) => x * scale) as Point;
          castRayShape(hit, collider, IDENTITY, o, d);
          if (hit.t < Infinity) hits++;
          const at = (what: string): string => `${what}: ${JSON.stringify(made.shape).slice(0, 200)} o ${o} d ${d}`;
          const problem = judgeFirstHit(made, o, d, hit.t, 40, random);
          if (problem) wrong.push(at(problem));
          // Outward: a step along the normal is outside, whatever the side it was met from.
          if (hit.t < Infinity) {
            const tolerance = 1e-9 * (made.radius + Math.hypot(...o));
            const out = along([...hit.point] as Point, [...hit.normal] as Point, 1e-6 * made.radius);
            if (!['points', 'octree', 'heightfield', 'compound'].includes(kind) && made.rule(out) < -tolerance)
              wrong.push(at(`normal ${hit.normal}`));
            if (Math.abs(Math.hypot(...hit.normal) - 1) > 1e-12) wrong.push(at(`length of normal ${hit.normal}`));
          }
          collectShapeRayHits(list, collider, IDENTITY, o, d);
          if ((list[0]?.t ?? Infinity) !== hit.t) wrong.push(at(`first of all ${list[0]?.t}, first ${hit.t}`));
          // Sides alternate: between two crossings the middle is on another side than around.
          const start = made.rule(o);
          for (let i = 0; i + 1 < list.length; i++) {
            const middle = made.rule(along(o, d, 0.5 * (list[i].t + list[i + 1].t)));
            const tolerance = 1e-10 * (made.radius + Math.hypot(...o));
            if (
              Math.abs(middle) > tolerance &&
              Math.abs(start) > tolerance &&
              middle < 0 !== (start < 0 ? i % 2 === 1 : i % 2 === 0)
            )
              wrong.push(at(`side between ${i} and ${i + 1} of ${list.map(({ t }) => t)}`));
          }
        }
      }
      expect(wrong.slice(0, 3)).toEqual([]);
      expect(wrong.length).toBe(0);
      expect(hits).toBeGreaterThan(0.3 * SHAPES * RAYS);
    },
    3_600_000,
  );

  it('faces the origin with what has no inside, and slips through no edge of it', () => {
    const random = createRandom(99);
    const hit = createShapeRayHit();
    const sheet = { type: 'heightfield', rows: 4, columns: 4, heights: new Float64Array(16), spacing: [1, 1] } as const;
    const flat = { type: 'convex', points: Float64Array.of(-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0) } as const;
    const line = { type: 'convex', points: Float64Array.of(-1, 0, 0, 1, 0, 0) } as const;
    for (const shape of [sheet, flat]) {
      using collider = createCollider(shape);
      for (let i = 0; i < 500; i++) {
        // On a grid of edges, corners and diagonals.
        const target = [(random.integer(9) - 4) / 4, (random.integer(9) - 4) / 4, 0];
        for (const side of [1, -1]) {
          const o = i % 2 === 0 ? [target[0], target[1], side] : [random.uniform(-3, 3), random.uniform(-3, 3), side];
          castRayShape(
            hit,
            collider,
            IDENTITY,
            o,
            target.map((x, k) => x - o[k]),
          );
          expect(hit.t).toBeCloseTo(1, 12);
          expect([...hit.normal]).toEqual([0, 0, side]);
          expect(
            collectShapeRayHits(
              [],
              collider,
              IDENTITY,
              o,
              target.map((x, k) => x - o[k]),
            ).length,
          ).toBe(1);
        }
      }
    }
    using thin = createCollider(line);
    expect(castRayShape(hit, thin, IDENTITY, [0, 0, 1], [0, 0, -1]).t).toBe(Infinity);
  });

  it('has outward normals on a solid mesh wound either way, and faces the origin on a surface', () => {
    const hit = createShapeRayHit();
    const sphere = createSphereMesh(12);
    const turned = { vertices: sphere.vertices, triangles: sphere.triangles.slice().reverse() };
    for (const mesh of [sphere, turned]) {
      using solid = createCollider({ type: 'mesh', mesh });
      using surface = createCollider({ type: 'mesh', mesh, mode: 'surface' });
      const out = castRayShape(hit, solid, IDENTITY, [0.01, 0.02, 0.03], [1, 0.1, 0.2]).normal[0];
      expect(out).toBeGreaterThan(0.5);
      expect(castRayShape(hit, solid, IDENTITY, [-5, 0.02, 0.03], [1, 0, 0]).normal[0]).toBeLessThan(-0.5);
      expect(castRayShape(hit, surface, IDENTITY, [0.01, 0.02, 0.03], [1, 0.1, 0.2]).normal[0]).toBeLessThan(-0.5);
    }
  });

  it('joins the parts of a solid height field and an octree: no faces within', () => {
    const heights = Float64Array.from({ length: 25 }, (_, i) => 0.1 * (i % 3));
    using field = createCollider({ type: 'heightfield', rows: 5, columns: 5, heights, spacing: [1, 1], floor: -1 });
    const cells = Int32Array.from({ length: 4 * 64 }, (_, i) =>
      i % 4 === 3 ? 1 : [i >> 2, i >> 4, i >> 6][i % 4] & 3,
    );
    using cube = createCollider({ type: 'octree', resolution: 0.3, cells });
    const random = createRandom(5);
    for (let i = 0; i < 2000; i++) {
      const direction = [1, random.integer(3) - 1, random.integer(3) - 1].map(
        (x) => x * (i % 2 === 0 ? 1 : random.next()),
      );
      // Along planes and edges between the parts as well.
      const grid = [0.3 * (1 + random.integer(3)), 0.3 * (1 + random.integer(3)), 0.3 * (1 + random.integer(3))];
      if (direction[0] > 1e-3) expect(collectShapeRayHits([], cube, IDENTITY, grid, direction).length).toBe(1);
      const o = [random.integer(3) - 1, random.integer(3) - 1, -0.5];
      if (direction[0] > 1e-3)
        expect(collectShapeRayHits([], field, IDENTITY, o, [direction[0], direction[1], 0]).length).toBe(1);
    }
    const hit = createShapeRayHit();
    for (let x = -2; x <= 2; x++)
      for (let y = -2; y <= 2; y++) {
        castRayShape(hit, field, IDENTITY, [x, y, 3], [0, 0, -1]);
        expect(hit.t).toBeCloseTo(3 - heights[5 * (y + 2) + x + 2], 12);
      }
  });

  it('is at t = 0 from an origin on the surface, and knows nothing beyond its limit', () => {
    const hit = createShapeRayHit();
    using box = createCollider({ type: 'box', size: [2, 2, 2] });
    using plane = createCollider({ type: 'halfspace', normal: [0, 0, 1], offset: 0 });
    for (const direction of [
      [1, 0, 0],
      [-1, 0, 0],
      [0.3, 1, 0.2],
    ])
      expect(castRayShape(hit, box, IDENTITY, [1, 0, 0], direction).t).toBe(0);
    expect(castRayShape(hit, box, IDENTITY, [-3, 0, 0], [1, 0, 0], 2).t).toBe(2);
    expect(castRayShape(hit, box, IDENTITY, [-3, 0, 0], [1, 0, 0], 1.999).t).toBe(Infinity);
    expect(castRayShape(hit, plane, IDENTITY, [0, 0, -1], [1, 0, 0]).t).toBe(Infinity);
    expect(castRayShape(hit, plane, IDENTITY, [0, 0, -1], [0, 0, 2]).t).toBe(0.5);
    expect(castRayShape(hit, plane, IDENTITY, [0, 0, -1], [0, 0, -1]).t).toBe(Infinity);
    expect(castRayShape(hit, box, IDENTITY, [0, 0, 0], [1e-300, 0, 0]).t).toBeCloseTo(1e300, -290);
  });
});
