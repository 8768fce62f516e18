import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { buildBoxHierarchy, LEAF_ITEMS } from './box-hierarchy.js';

describe('buildBoxHierarchy', () => {
  it('holds every item once, inside every box above it, at every size', () => {
    for (const count of [0, 1, 4, 5, 33, 1000]) {
      const random = createRandom(count);
      const boxes = Array.from({ length: count }, (_, i) => {
        // Clusters, and many equal boxes: the splits must still get somewhere.
        const p = [0, 1, 2].map(() => (i % 3 === 0 ? 7 : random.uniform(-1, 1) ** 9));
        return [...p, ...p.map((x) => x + (i % 5) * 0.01)];
      });
      const h = buildBoxHierarchy(count, (out, i) => out.set(boxes[i]));
      expect(Array.from(h.order).sort((a, b) => a - b)).toEqual(boxes.map((_, i) => i));
      const seen: number[] = [];
      const visit = (node: number, above: number[], level: number): void => {
        expect(level).toBeLessThanOrEqual(h.depth);
        const own = Array.from(h.boxes.subarray(6 * node, 6 * node + 6));
        const chain = [...above, node];
        if (h.items[node] === 0) {
          visit(node + 1, chain, level + 1);
          visit(h.right[node], chain, level + 1);
          return;
        }
        expect(h.items[node]).toBeLessThanOrEqual(LEAF_ITEMS);
        expect(own.every(Number.isFinite)).toBe(true);
        for (let i = ~h.right[node]; i < ~h.right[node] + h.items[node]; i++) {
          seen.push(h.order[i]);
          for (const box of chain)
            for (let k = 0; k < 3; k++) {
              expect(h.boxes[6 * box + k]).toBeLessThanOrEqual(boxes[h.order[i]][k]);
              expect(h.boxes[6 * box + k + 3]).toBeGreaterThanOrEqual(boxes[h.order[i]][k + 3]);
            }
        }
      };
      if (count > 0) visit(0, [], 1);
      expect(seen.length).toBe(count);
    }
  });
});
