/** Seeded plane problems, most of them degenerate: corners on a coarse grid, so that sides touch, overlap and stand in lines. */
import { createRandom } from '../math/random.js';
import type { PlanePoint, Polygon } from './polygon.js';
import { validatePolygon } from './polygon.js';
import type { PlaneBody, PlaneObstacle, PlaneProblem } from './problem.js';

/**
 * Seeds of a test's scenes: 1 to `usual`, with ORACLE_FULL=1 to `full`; of these PLANE_SLICE=k/n is one part, so that a long run can be cut.
 */
export function seedsOf(usual: number, full: number): number[] {
  const count = process.env.ORACLE_FULL ? full : usual;
  const [part, parts] = (process.env.PLANE_SLICE ?? '0/1').split('/').map(Number);
  return Array.from({ length: count }, (_, i) => i + 1).filter((seed) => seed % parts === part);
}

export interface SceneChoice {
  /** Cells of the grid along each side of the bounds. */
  readonly cells: number;
  readonly obstacles: number;
  /** Size of a cell; no power of two makes corners of sums inexact. */
  readonly unit: number;
  readonly touching: 'free' | 'blocked';
  readonly body: 'point' | 'square' | 'triangle' | 'corner' | 'random';
}

export function randomScene(seed: number, choice: SceneChoice): PlaneProblem {
  const random = createRandom(seed);
  const whole = (n: number) => Math.min(n - 1, Math.floor(random.next() * n));
  const { cells, unit, touching } = choice;
  const at = (x: number, y: number): PlanePoint => [x * unit, y * unit];
  const pick = (): PlanePoint => at(whole(cells + 1), whole(cells + 1));
  const ring = (count: number, make: () => PlanePoint): Polygon => {
    for (;;) {
      const polygon = { outer: Array.from({ length: count }, make) };
      if (validatePolygon(polygon).length === 0) return polygon;
    }
  };
  const obstacle = (): PlaneObstacle => {
    const kind = whole(4);
    if (kind === 0) {
      const [x, y] = [whole(cells), whole(cells)];
      const [w, h] = [1 + whole(3), 1 + whole(3)];
      return { polygon: { outer: [at(x, y), at(x + w, y), at(x + w, y + h), at(x, y + h)] } };
    }
    if (kind === 1) {
      const [x, y] = [whole(cells - 2), whole(cells - 2)];
      return {
        polygon: {
          outer: [at(x, y), at(x + 3, y), at(x + 3, y + 3), at(x, y + 3)],
          holes: [[at(x + 1, y + 1), at(x + 2, y + 1), at(x + 2, y + 2), at(x + 1, y + 2)]],
        },
      };
    }
    return { polygon: ring(kind === 2 ? 3 : 5, pick) };
  };
  const bodies: Record<SceneChoice['body'], () => PlaneBody> = {
    point: () => ({ disc: 0 }),
    square: () => ({ polygon: { outer: [at(0, 0), at(1, 0), at(1, 1), at(0, 1)] } }),
    triangle: () => ({ polygon: { outer: [at(0, 0), at(1, 0), at(0, 1)] } }),
    corner: () => ({ polygon: { outer: [at(0, 0), at(2, 0), at(2, 1), at(1, 1), at(1, 2), at(0, 2)] } }),
    random: () => ({ polygon: ring(4, () => at(whole(3), whole(3))) }),
  };
  return {
    body: bodies[choice.body](),
    obstacles: Array.from({ length: choice.obstacles }, obstacle),
    bounds: [0, 0, cells * unit, cells * unit],
    start: pick(),
    goal: pick(),
    touching,
  };
}
