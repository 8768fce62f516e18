import { describe, expect, it } from 'vitest';
import { BruteForce, makeArm, randomState, scatter } from '../../../test/support/sphere-arms.js';
import { PARTS, SOLIDS } from '../../../test/support/sphere-obstacles.js';
import type { Shape } from '../../geometry/shapes.js';
import { createRandom } from '../../math/random.js';
import { compileSphereChecks } from './compile-sphere-checks.js';

/** Gaps that rounding can hide: of a record with a frame of its own, of a size about a metre. */
const HIDDEN = 4e-5;
/** Of a boundary cell of the solids below: its diagonal. */
const CELL = 0.04;

const seedOf = (name: string): number => [...name].reduce((sum, c) => sum + c.charCodeAt(0), 0);

function compare(name: string, shape: Shape, hidden: number, states = 30) {
  const random = createRandom(seedOf(name));
  const counts = { free: 0, touching: 0, missed: 0 };
  for (let scene = 0; scene < 4; scene++) {
    const arm = makeArm(random, 5);
    const { model, spheres } = arm;
    const alone = { ...arm, pairs: [] };
    const checks = compileSphereChecks(model, spheres, { pairs: [] });
    const brute = new BruteForce(alone);
    const obstacles = Array.from({ length: 3 + 3 * scene }, () => scatter(random, [shape], 0.7));
    checks.setEnvironment(obstacles);
    for (let n = 0; n < states; n++) {
      const q = randomState(model, random);
      const gap = brute.gap(q, obstacles);
      const isFree = checks.isFree(q);
      // A proof: never free where something touches.
      if (isFree && gap <= 0) expect({ scene, n, gap, isFree }).toBe('apart');
      if (!isFree && gap > hidden) expect({ scene, n, gap, isFree }).toBe('free');
      if (!isFree && gap > 0) counts.missed++;
      counts[gap > 0 ? 'free' : 'touching']++;
    }
  }
  expect(counts.free).toBeGreaterThan(2);
  expect(counts.touching).toBeGreaterThan(2);
  return counts;
}

describe('obstacles of many parts', () => {
  for (const [name, shape] of Object.entries(PARTS))
    it(`${name}: the verdict of brute force`, () => {
      compare(name, shape, HIDDEN);
    });

  for (const [name, shape] of Object.entries(SOLIDS))
    it(`${name}: never free where it touches; else free, but near the boundary`, () => {
      const { free, missed } = compare(name, shape, CELL, 10);
      expect(missed).toBeLessThan(1 + 0.1 * free);
    });
});
