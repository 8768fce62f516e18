import { describe, expect, it } from 'vitest';
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
});
