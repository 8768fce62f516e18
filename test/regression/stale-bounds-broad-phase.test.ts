/** Faults seen elsewhere: broad phases that work on old boxes, lose moved ones, or reorder what did not move. */
import { describe, expect, test } from 'vitest';
import { createBruteForce } from '../../src/broadphase/brute-force.js';
import { createDynamicTree } from '../../src/broadphase/dynamic-tree.js';

const implementations = [
  ['dynamic tree', () => createDynamicTree()],
  ['dynamic tree, fat boxes', () => createDynamicTree({ fatMargin: 0.1 })],
  ['brute force', createBruteForce],
] as const;

const cubeAt = (x: number, y = 0, z = 0): number[] => [x - 0.5, y - 0.5, z - 0.5, x + 0.5, y + 0.5, z + 0.5];

describe.each(implementations)('stale bounds, %s', (_name, create) => {
  test('U059: a moved cube is found at once, without any further call', () => {
    const phase = create();
    phase.add(cubeAt(0));
    const moving = phase.add(cubeAt(5));
    const count = (): number => {
      let pairs = 0;
      phase.pairs(() => {
        pairs++;
      });
      return pairs;
    };
    expect(count()).toBe(0);
    phase.update(moving, cubeAt(0.5));
    expect(count()).toBe(1);
    phase.update(moving, cubeAt(5));
    expect(count()).toBe(0);
  });

  test('U061: a ray meets a body where it was teleported to, and not where it was', () => {
    const phase = create();
    for (let i = 0; i < 40; i++) phase.add(cubeAt(3 * i + 100));
    const body = phase.add(cubeAt(-50));
    const hits = (x: number): number[] => {
      const ids: number[] = [];
      phase.castRay([x, 0, 10], [0, 0, -1], 20, (id) => {
        ids.push(id);
      });
      return ids;
    };
    expect(hits(-50)).toEqual([body]);
    phase.update(body, cubeAt(0));
    expect(hits(0)).toEqual([body]);
    expect(hits(-50)).toEqual([]);
    // The face that is met: a ray ending just above z = 0.5 misses.
    const below = (maxT: number): number => {
      let met = 0;
      phase.castRay([0, 0, 10], [0, 0, -1], maxT, () => {
        met++;
      });
      return met;
    };
    expect(below(9.5)).toBe(1);
    expect(below(9.5 - 1e-12)).toBe(0);
  });

  test('U063: updates without movement keep the pairs and their order, a hundred times', () => {
    const phase = create();
    const boxes = Array.from({ length: 10 }, (_, i) => cubeAt(0.3 * i, 0.2 * (i % 3), 0.1 * (i % 4)));
    const ids = boxes.map((box) => phase.add(box));
    const order = (): string[] => {
      const pairs: string[] = [];
      phase.pairs((a, b) => {
        pairs.push(`${a},${b}`);
      });
      return pairs;
    };
    const first = order();
    expect(first.length).toBeGreaterThan(10);
    for (let i = 0; i < 100; i++) {
      ids.forEach((id, k) => {
        phase.update(id, boxes[k]);
      });
      expect(order()).toEqual(first);
    }
  });
});
