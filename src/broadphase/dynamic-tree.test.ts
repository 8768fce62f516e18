import { describe, expect, test } from 'vitest';
import { createRandom } from '../math/random.js';
import { createDynamicTree } from './dynamic-tree.js';
import { createStaticTree } from './static-tree.js';

const SIDE = 20;

function randomBoxes(seed: number, n: number): Float64Array {
  const random = createRandom(seed);
  const boxes = new Float64Array(6 * n);
  for (let i = 0; i < n; i++)
    for (let k = 0; k < 3; k++) {
      boxes[6 * i + k] = random.uniform(0, SIDE);
      boxes[6 * i + 3 + k] = boxes[6 * i + k] + random.uniform(0.1, 1);
    }
  return boxes;
}

const box = (boxes: Float64Array, i: number): Float64Array => boxes.subarray(6 * i, 6 * i + 6);

function testsOf(tree: { boxTests: number; resetCounts(): void; pairs(visit: () => void): void }): number {
  tree.pairs(() => {});
  tree.resetCounts();
  tree.pairs(() => {});
  return tree.boxTests;
}

describe('dynamic tree', () => {
  test('one by one or all at once: similar work per query', () => {
    const n = 500;
    const boxes = randomBoxes(1, n);
    const atOnce = createDynamicTree();
    const oneByOne = createDynamicTree();
    for (let i = 0; i < n; i++) {
      atOnce.add(box(boxes, i));
      oneByOne.add(box(boxes, i));
      oneByOne.queryPoint([0, 0, 0], () => {});
    }
    oneByOne.validate();
    expect(testsOf(oneByOne)).toBeLessThan(1.8 * testsOf(atOnce));
  });

  test('leaves that jump anywhere move alone: the others stay where they are in the tree, which stays good', () => {
    const n = 2000;
    const boxes = randomBoxes(9, n);
    const tree = createDynamicTree();
    for (let i = 0; i < n; i++) tree.add(box(boxes, i));
    const { cost } = tree;
    const leaves = tree.leafOf.slice();
    const random = createRandom(10);
    const moved = new Set<number>();
    for (let round = 0; round < 20; round++) {
      const others = randomBoxes(11 + round, n);
      for (let i = 0; i < n / 100; i++) {
        const id = random.integer(n);
        moved.add(id);
        tree.update(id, box(others, id));
      }
      expect(tree.cost).toBeLessThan(1.1 * cost);
      tree.validate();
    }
    for (let id = 0; id < n; id++) if (!moved.has(id)) expect(tree.leafOf[id]).toBe(leaves[id]);
  });

  test('splits by area: less work than splits at the median, even or mixed sizes', () => {
    const n = 1000;
    const even = randomBoxes(6, n);
    const mixed = randomBoxes(7, n);
    const random = createRandom(8);
    for (let i = 0; i < n; i++) {
      const size = 10 ** random.uniform(-2, 0.9);
      for (let k = 0; k < 3; k++) mixed[6 * i + 3 + k] = mixed[6 * i + k] + size * random.uniform(0.2, 1);
    }
    for (const [boxes, share] of [
      [even, 0.6],
      [mixed, 0.8],
    ] as const) {
      const tree = createDynamicTree();
      for (let i = 0; i < n; i++) tree.add(box(boxes, i));
      expect(testsOf(tree)).toBeLessThan(share * testsOf(createStaticTree(boxes)));
    }
  });

  test('exponentially spaced boxes, where area splits off one at a time, keep the depth logarithmic', () => {
    const n = 900;
    const tree = createDynamicTree();
    for (let i = 0; i < n; i++) {
      const x = 2 ** (i / 3 - 150);
      tree.add([x, 0, 0, x, 0, 0]);
    }
    tree.validate();
    let deepest = 0;
    for (let id = 0; id < n; id++) {
      let depth = 0;
      for (let node = tree.leafOf[id]; tree.tree.parent[node] >= 0; node = tree.tree.parent[node]) depth++;
      deepest = Math.max(deepest, depth);
    }
    expect(deepest).toBeLessThanOrEqual(Math.ceil(2 * Math.log2(n) + 8) + Math.ceil(Math.log2(n)));
  });

  test('everything moves somewhere else: the tree mends itself, a static one does not', () => {
    const n = 500;
    const boxes = randomBoxes(2, n);
    const elsewhere = randomBoxes(3, n);
    const dynamic = createDynamicTree();
    for (let i = 0; i < n; i++) dynamic.add(box(boxes, i));
    const fixed = createStaticTree(boxes);
    const before = testsOf(dynamic);
    for (let i = 0; i < n; i++) {
      dynamic.update(i, box(elsewhere, i));
      fixed.update(i, box(elsewhere, i));
    }
    const mended = testsOf(dynamic);
    expect(mended).toBeLessThan(1.3 * before);
    expect(testsOf(fixed)).toBeGreaterThan(5 * mended);
    dynamic.validate();
  });

  test('a few objects travel far, again and again: cost stays near that of a new tree', () => {
    const n = 400;
    const boxes = randomBoxes(4, n);
    const random = createRandom(5);
    const tree = createDynamicTree();
    for (let i = 0; i < n; i++) tree.add(box(boxes, i));
    for (let step = 0; step < 100; step++) {
      for (let k = 0; k < 4; k++) {
        const id = random.integer(n);
        const other = randomBoxes(1000 + 10 * step + k, 1);
        boxes.set(other, 6 * id);
        tree.update(id, other);
      }
      tree.validate();
    }
    const fresh = createDynamicTree();
    for (let i = 0; i < n; i++) fresh.add(box(boxes, i));
    expect(tree.cost).toBeLessThan(1.4 * fresh.cost);
  });

  test('a thousand coinciding boxes added one by one do not make a chain', () => {
    const tree = createDynamicTree();
    for (let i = 0; i < 1000; i++) {
      tree.add([0, 0, 0, 1, 1, 1]);
      tree.queryPoint([2, 2, 2], () => {});
    }
    tree.validate();
    let pairs = 0;
    tree.pairs(() => {
      pairs++;
    });
    expect(pairs).toBe(499_500);
  });

  test('small moves inside fat boxes leave the tree alone and the pairs exact', () => {
    const tree = createDynamicTree({ fatMargin: 0.1 });
    const a = tree.add([0, 0, 0, 1, 1, 1]);
    tree.add([1.05, 0, 0, 2, 1, 1]);
    const pairs = (): number => {
      let count = 0;
      tree.pairs(() => {
        count++;
      });
      return count;
    };
    expect(pairs()).toBe(0);
    const leaves = tree.tree.boxes.slice();
    tree.update(a, [0.04, 0, 0, 1.04, 1, 1]);
    expect(pairs()).toBe(0);
    tree.update(a, [0.05, 0, 0, 1.05, 1, 1]);
    expect(pairs()).toBe(1);
    expect(tree.tree.boxes).toEqual(leaves);
  });

  test('the same calls give the same pairs in the same order', () => {
    const run = (): string[] => {
      const random = createRandom(9);
      const tree = createDynamicTree();
      const order: string[] = [];
      const ids: number[] = [];
      for (let step = 0; step < 40; step++) {
        for (let i = 0; i < 10; i++) ids.push(tree.add(randomBoxes(random.nextUint32(), 1)));
        for (let i = 0; i < 4; i++) tree.remove(ids.splice(random.integer(ids.length), 1)[0]);
        for (const id of ids) if (random.next() < 0.3) tree.update(id, randomBoxes(random.nextUint32(), 1));
        tree.pairs((a, b) => {
          order.push(`${a},${b}`);
        });
      }
      return order;
    };
    expect(run()).toEqual(run());
  });

  test.each([false, true])(
    'moved in one batch or one by one: the same tree, to the bit (leaves inserted before: %s)',
    (isInserted) => {
      const n = 600;
      const boxes = randomBoxes(11, n);
      const [batch, single] = [createDynamicTree(), createDynamicTree()];
      const ids = Int32Array.from({ length: n }, (_, i) => i);
      for (const tree of [batch, single]) {
        for (let i = 0; i < n; i++) tree.add(box(boxes, i));
        tree.pairs(() => {});
        // Nodes that are freed and come back stand before their parents.
        if (isInserted)
          for (let i = 0; i < 40; i++) {
            tree.remove(i);
            tree.pairs(() => false);
            tree.add(box(boxes, i));
          }
        tree.pairs(() => {});
      }
      const random = createRandom(12);
      for (let step = 0; step < 6; step++) {
        for (let i = 0; i < n; i++)
          for (let k = 0; k < 3; k++) {
            const shift = random.uniform(-0.2, 0.2);
            boxes[6 * i + k] += shift;
            boxes[6 * i + 3 + k] += shift;
          }
        batch.updateMany(ids, boxes);
        for (let i = 0; i < n; i++) single.update(i, box(boxes, i));
        // Some go, and some move once more, before anybody asks.
        for (const tree of [batch, single]) {
          tree.update(step, [1, 1, 1, 2, 2, 2]);
          tree.remove(100 + step);
          tree.add([3, 3, 3, 4, 4, 4]);
        }
        const [got, expected]: string[][] = [[], []];
        batch.pairs((a, b) => void got.push(`${a},${b}`));
        single.pairs((a, b) => void expected.push(`${a},${b}`));
        expect(got).toEqual(expected);
        expect(got.length).toBeGreaterThan(8);
        batch.validate();
        expect(batch.cost).toBe(single.cost);
        boxes.set([1, 1, 1, 2, 2, 2], 6 * step);
        boxes.set([3, 3, 3, 4, 4, 4], 6 * (100 + step));
      }
    },
  );

  test('a visitor may not change the tree', () => {
    const tree = createDynamicTree();
    const id = tree.add([0, 0, 0, 1, 1, 1]);
    tree.add([0, 0, 0, 1, 1, 1]);
    for (const change of [
      () => tree.add([0, 0, 0, 1, 1, 1]),
      () => tree.remove(id),
      () => tree.update(id, [2, 2, 2, 3, 3, 3]),
    ])
      expect(() => tree.pairs(change)).toThrow(/inside a visitor/);
    // The refused calls left it usable.
    expect(tree.size).toBe(2);
    tree.remove(id);
    tree.validate();
  });

  test('the option is checked', () => {
    for (const fatMargin of [-1, Number.NaN, Infinity])
      expect(() => createDynamicTree({ fatMargin })).toThrow(/fatMargin/);
  });
});
