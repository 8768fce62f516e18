/** Verdicts on boxes of poses against dense evaluation: a pose that contradicts one is a fault. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../math/random.js';
import { cos, sin } from '../../math/scalar.js';
import { findConvexHull } from '../convex-hull.js';
import type { ConvexPart } from '../convex-parts.js';
import { createExactPoint, orientPoints } from '../exact-point.js';
import type { PlanePoint } from '../polygon.js';
import { judgeBoxPair, toSidedPart } from './box-verdict.js';
import { judgePose } from './judge-pose.js';

const random = createRandom(77);
const boxes = process.env.ORACLE_FULL ? 100_000 : 2000;

function randomPart(size: number): ConvexPart {
  for (;;) {
    const hull = findConvexHull(
      Array.from({ length: 6 }, (): PlanePoint => [size * (2 * random.next() - 1), size * (2 * random.next() - 1)]),
    );
    if (hull.length >= 3) return hull;
  }
}

/** Whether the line along a side lies between two polygons, by exact turns of their corners as doubles. */
function areApart(a: ConvexPart, b: ConvexPart): boolean {
  return [
    [a, b],
    [b, a],
  ].some(([p, q]) =>
    p.some((u, i) => {
      const v = p[(i + 1) % p.length];
      return q.every((w) => orientPoints(createExactPoint(...u), createExactPoint(...v), createExactPoint(...w)) <= 0);
    }),
  );
}

describe('boxes of poses', () => {
  it('are judged as every pose of them', () => {
    const counts = [0, 0, 0];
    for (let k = 0; k < boxes; k++) {
      const obstacle = randomPart(1);
      const body = randomPart(0.2 + random.next());
      const size = 0.3 * random.next();
      const x0 = 3 * random.next() - 1.5;
      const y0 = 3 * random.next() - 1.5;
      const from = 6 * random.next();
      const box = { x0, y0, x1: x0 + size, y1: y0 + size * random.next(), from, to: from + 0.7 * random.next() };
      const verdict = judgeBoxPair(toSidedPart(obstacle), toSidedPart(body), box);
      counts[verdict + 1]++;
      if (verdict === 0) continue;
      for (let s = 0; s < 30; s++) {
        const pick = (a: number, b: number) => [a, b, a + (b - a) * random.next()][Math.floor(3 * random.next())];
        const pose = [pick(box.x0, box.x1), pick(box.y0, box.y1), pick(box.from, box.to)] as const;
        const placed = body.map(
          ([px, py]): PlanePoint => [
            pose[0] + cos(pose[2]) * px - sin(pose[2]) * py,
            pose[1] + sin(pose[2]) * px + cos(pose[2]) * py,
          ],
        );
        if (areApart(obstacle, placed) !== verdict < 0) throw new Error(`box ${k}, pose ${pose.join(' ')}: ${verdict}`);
        const judged = judgePose([body], [{ obstacle: 0, outer: obstacle, inner: obstacle }], pose);
        if (judged === (verdict < 0 ? 'overlaps' : 'apart')) throw new Error(`box ${k}: ${judged} at a pose`);
      }
    }
    for (const count of counts) expect(count).toBeGreaterThan(boxes / 50);
  });

  it('are decided once they are small', () => {
    const obstacle = toSidedPart([
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ]);
    const body = toSidedPart([
      [-0.5, -0.1],
      [0.5, -0.1],
      [0.5, 0.1],
      [-0.5, 0.1],
    ]);
    const at = (x: number, theta: number, size: number) =>
      judgeBoxPair(obstacle, body, { x0: x, x1: x + size, y0: 0.5, y1: 0.5 + size, from: theta, to: theta + size });
    expect(at(1.49, 0, 1e-3)).toBe(1);
    expect(at(1.51, 0, 1e-3)).toBe(-1);
    expect(at(1.49, 0, 0.1)).toBe(0);
    expect(at(1.09, Math.PI / 2, 1e-4)).toBe(1);
    expect(at(1.11, Math.PI / 2, 1e-4)).toBe(-1);
  });
});
