import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { createFreeCells } from './free-space.js';
import { planInPlane } from './plan.js';
import type { PlanePoint } from './polygon.js';
import { randomScene } from './random-scenes.test-support.js';

describe('cells of the free space', () => {
  it('hold the places that are free, in components that plans agree with', () => {
    const random = createRandom(3);
    for (let seed = 1; seed <= 16; seed++) {
      const touching = seed % 2 === 0 ? 'free' : 'blocked';
      const { body, obstacles, bounds } = randomScene(seed, {
        cells: 8,
        obstacles: 5,
        unit: 1,
        touching,
        body: 'triangle',
      });
      const free = createFreeCells({ body, obstacles, bounds, touching });
      expect(free.touching).toBe(touching);
      const places = Array.from({ length: 8 }, (): PlanePoint => [random.uniform(0, 8), random.uniform(0, 8)]);
      const cells = places.map((place) => free.locate(place));
      for (const [i, start] of places.entries())
        for (const [j, goal] of places.entries()) {
          if (j <= i) continue;
          const { status } = planInPlane({ body, obstacles, bounds, start, goal, touching }, { method: 'trapezoids' });
          const title = `seed ${seed}, ${i} to ${j}`;
          expect(status === 'invalid-start', title).toBe(cells[i] === -1);
          if (cells[i] < 0 || cells[j] < 0) continue;
          expect(status, title).toBe(
            free.cells[cells[i]].component === free.cells[cells[j]].component ? 'solved' : 'impossible',
          );
        }
      for (const [t, { neighbours }] of free.cells.entries())
        for (const n of neighbours) expect(free.cells[n].neighbours, `seed ${seed}`).toContain(t);
    }
  });

  it('tell borders of cells from forbidden places', () => {
    const box = {
      polygon: {
        outer: [
          [2, 2],
          [4, 2],
          [4, 4],
          [2, 4],
        ] as [number, number][],
      },
    };
    const scene = { body: { disc: 0 }, obstacles: [box], bounds: [0, 0, 6, 6] } as const;
    const blocked = createFreeCells(scene);
    const free = createFreeCells({ ...scene, touching: 'free' });
    expect([blocked.cells.length, blocked.componentCount]).toEqual([4, 1]);
    expect([blocked.locate([2, 3]), free.locate([2, 3])]).toEqual([-1, -2]);
    expect([blocked.locate([2, 1]), blocked.locate([3, 3]), blocked.locate([7, 1]), blocked.locate([0, 3])]).toEqual([
      -2, -1, -1, -2,
    ]);
    expect(blocked.locate([3, 1.999999])).toBeGreaterThanOrEqual(0);
  });
});
