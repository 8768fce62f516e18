import { describe, expect, test } from 'vitest';
import { createRandom, type Random } from '../math/random.js';
import { NearestForest } from './nearest-forest.js';

const draws: [string, (random: Random) => number][] = [
  ['even', (random) => random.next()],
  ['clustered', (random) => random.integer(3) + 1e-6 * random.normal()],
  ['a coarse grid, with many equal points', (random) => random.integer(4)],
  ['all equal', () => 0.5],
  ['far from the origin', (random) => 1e8 + random.next()],
];

describe.each([1, 2, 7])('dimension %i', (dimension) => {
  test.each(draws)('%s: the same point as a scan, ties and removals included', (_name, draw) => {
    const random = createRandom(dimension);
    const size = 2500;
    const points = Float64Array.from({ length: size * dimension }, () => draw(random));
    const removed = new Uint8Array(size);
    const forest = new NearestForest(dimension);
    const query = new Float64Array(dimension);
    const wrong: string[] = [];
    for (let n = 0; n <= size; n += 100) {
      forest.absorb(points, n);
      expect(forest.count).toBe(n - (n % 256));
      for (let i = 0; i < 20; i++) {
        for (let k = 0; k < dimension; k++) query[k] = draw(random);
        let best = Infinity;
        let bestPoint = -1;
        for (let p = 0; p < forest.count; p++) {
          if (removed[p] === 1) continue;
          let sum = 0;
          for (let k = 0; k < dimension; k++) sum += (points[p * dimension + k] - query[k]) ** 2;
          if (sum < best) {
            best = sum;
            bestPoint = p;
          }
        }
        forest.search(query, removed);
        if (forest.bestPoint !== bestPoint || forest.best !== best)
          wrong.push(`${n}: ${forest.bestPoint} at ${forest.best}, expected ${bestPoint} at ${best}`);
      }
      for (let i = 0; i < 30 && n > 0; i++) {
        const p = random.integer(n);
        removed[p] = 1;
        points[p * dimension] = Infinity;
      }
    }
    expect(wrong).toEqual([]);
  });
});

test('all removed: nothing is found', () => {
  const forest = new NearestForest(1);
  const points = new Float64Array(256);
  forest.absorb(points, 256);
  forest.search(Float64Array.of(0), new Uint8Array(256).fill(1));
  expect(forest.bestPoint).toBe(-1);
  expect(forest.best).toBe(Infinity);
});
