/**
 * The planners' kernel built with bounds and alignment assertions: the answers of the loops in TypeScript over searches that grow, prune,
 * simplify and give their memory back, and no access outside a tree, a leaf, a path or a block.
 */
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/math/random.js';
import { useCheckedPlanner } from '../../src/planning/kernel/checked-engine.js';
import { hostEngine } from '../../src/planning/kernel/engine.js';
import { SearchBlock } from '../../src/planning/kernel/search-block.js';
import { createRealVectorSpace } from '../../src/planning/real-vector-space.js';
import { planRrtConnect } from '../../src/planning/rrt-connect.js';
import { simplifyPath } from '../../src/planning/simplify.js';
import type { StateSpace, ValidityChecker } from '../../src/planning/types.js';

useCheckedPlanner();

const box = (d: number, wraps: boolean): StateSpace =>
  createRealVectorSpace({
    ...{ lower: Array(d).fill(0), upper: Array(d).fill(10) },
    wrap: Array.from({ length: d }, (_, k) => wraps && k % 2 === 0),
  });

function blobs(space: StateSpace, seed: number, count: number, radius: number): ValidityChecker {
  const random = createRandom(seed);
  const centres = Array.from({ length: count }, () => space.sample(new Float64Array(space.dimension), random));
  return { isValid: (q) => centres.every((c) => space.distance(q, c) > radius) };
}

function drawValid(space: StateSpace, checker: ValidityChecker, seed: number): Float64Array {
  const random = createRandom(seed);
  for (;;) {
    const q = space.sample(new Float64Array(space.dimension), random);
    if (checker.isValid(q)) return q;
  }
}

describe.each([1, 2, 3, 6, 7, 9].flatMap((d) => [[d, false] as const, [d, true] as const]))(
  '%i numbers, wrapping: %s',
  (d, wraps) => {
    const space = box(d, wraps);
    test('searches and simplified paths are those of the loops in TypeScript', () => {
      for (const [i, settings] of [
        {},
        { sampler: 'halton' },
        { dynamicDomain: { radius: 2, minRadius: 0.2, alpha: 0.05 } },
      ].entries()) {
        const checker = blobs(space, 20 + i, 3 * d + 4, 0.9 * Math.sqrt(d));
        const request = {
          ...{ space, checker, start: drawValid(space, checker, 3 + i), goals: [drawValid(space, checker, 60 + i)] },
          ...{ seed: i + 1, range: 0.7, resolution: 0.15, maxIterations: 1200, allowPartial: true, ...settings },
        } as const;
        const found = planRrtConnect(request as Parameters<typeof planRrtConnect>[0]);
        expect(found).toEqual(planRrtConnect({ ...request, engine: 'script' } as Parameters<typeof planRrtConnect>[0]));
        if (found.path.length < 2) continue;
        const path = { space, checker, path: found.path, resolution: 0.15 };
        expect(simplifyPath(path)).toEqual(simplifyPath({ ...path, engine: 'script' }));
      }
    });
  },
);

test('what is out of bounds stops it', () => {
  const space = box(3, false);
  const motion = { grow: { isMotionValid: () => true }, last: null, isOver: () => false };
  const block = new SearchBlock(3, { coordinates: space.coordinates!, sampler: 'random', seed: 1, motion });
  const { functions } = hostEngine();
  block.use(() => {
    functions.startTrees();
    expect(() => functions.stateOf(0, 0)).toThrow(WebAssembly.RuntimeError);
    expect(() => functions.parent(1, -1)).toThrow(WebAssembly.RuntimeError);
    expect(() => functions.openSearch(block.address + 8)).toThrow(WebAssembly.RuntimeError);
  });
  block.dispose();
});
