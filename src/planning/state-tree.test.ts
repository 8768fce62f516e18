import { describe, expect, test } from 'vitest';
import { createRandom } from '../math/random.js';
import { createRealVectorSpace } from './real-vector-space.js';
import { StateTree } from './state-tree.js';

const spaces = {
  euclidean: createRealVectorSpace({ lower: [-1, -1, -1], upper: [1, 1, 1], weights: [1, 2, 0.5] }),
  wrapping: createRealVectorSpace({ lower: [-1, -1, -1], upper: [1, 1, 1], wrap: [true, false, true] }),
};

describe.each(Object.entries(spaces))('state tree, %s space', (_name, space) => {
  test('nearest agrees with brute force while the tree grows and loses branches (seed 7)', () => {
    const random = createRandom(7);
    const tree = new StateTree(space);
    const states: Float64Array[] = [];
    const parents: number[] = [];
    const removed = new Set<number>();
    const q = new Float64Array(3);
    for (let i = 0; i < 1200; i++) {
      const parent = i === 0 ? -1 : random.integer(i);
      const state = space.sample(new Float64Array(3), random);
      expect(tree.add(state, parent)).toBe(i);
      states.push(state);
      parents.push(parent);
      if (removed.has(parent)) {
        tree.remove(i);
        removed.add(i);
      }
      if (i % 100 === 99) {
        const cut = 1 + random.integer(i);
        tree.remove(cut);
        for (let k = cut; k <= i; k++) if (k === cut || removed.has(parents[k])) removed.add(k);
      }
      if (i % 7 !== 0) continue;
      space.sample(q, random);
      let best = Infinity;
      states.forEach((s, k) => {
        if (!removed.has(k)) best = Math.min(best, space.distance(s, q));
      });
      const found = tree.nearest(q);
      expect(removed.has(found)).toBe(false);
      expect(tree.nearestDistance).toBeCloseTo(best, 13);
      expect(space.distance(states[found], q)).toBeCloseTo(best, 13);
    }
    expect(removed.size).toBeGreaterThan(10);
    expect(removed.size).toBeLessThan(1200);
  });

  test('path to a node runs from its root', () => {
    const tree = new StateTree(space);
    const states = [0, 0.1, 0.2, 0.3].map((x) => Float64Array.of(x, 0, 0));
    tree.add(states[0], -1);
    tree.add(states[1], 0);
    tree.add(states[2], 0);
    tree.add(states[3], 1);
    expect(tree.pathTo(3)).toEqual([states[0], states[1], states[3]]);
    expect(tree.pathTo(0)).toEqual([states[0]]);
  });

  test('an empty tree has no nearest node', () => {
    expect(new StateTree(space).nearest(new Float64Array(3))).toBe(-1);
  });
});
