import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { createDynamicTree } from './dynamic-tree.js';
import { KernelPairs } from './kernel-pairs.js';
import { Traversal, visitSelfPairs } from './traverse.js';

/** Boxes of about one unit in a cube of this side; `line`: along an axis, added in order. */
function createTree(count: number, side: number, options: { fatMargin?: number } = {}) {
  const random = createRandom(count);
  const tree = createDynamicTree(options);
  for (let i = 0; i < count; i++) {
    const center = [0, 1, 2].map(() => random.uniform(0, side));
    const half = [0, 1, 2].map(() => random.uniform(0.25, 0.75));
    tree.add([...center.map((x, k) => x - half[k]), ...center.map((x, k) => x + half[k])]);
  }
  for (let i = 0; i < count; i += 3) tree.remove(i);
  tree.pairs(() => false);
  return tree;
}

describe('pairs of the kernel', () => {
  it.each([
    [400, 6, 0, 0],
    [3000, 15, 0, 0.05],
    [3000, 15, 0.1, 0],
    [450, 1, 0, 0],
  ])(
    '%d boxes in %d: order and number of tests are those of the walk in JavaScript',
    (count, side, fatMargin, margin) => {
      const { tree, exact } = createTree(count, side, { fatMargin });
      const boxes = fatMargin > 0 ? exact : null;
      const [known, own] = [new Traversal(), new Traversal()];
      const [expected, got]: number[][] = [[], []];
      visitSelfPairs(tree, boxes, margin, known, (a, b) => void expected.push(a, b));
      const pairs = new KernelPairs();
      for (let round = 0; round < 2; round++) {
        got.length = 0;
        own.boxTests = 0;
        expect(pairs.visit(tree, exact, fatMargin > 0, margin, own, (a, b) => void got.push(a, b))).toBe(true);
        expect(got).toEqual(expected);
        expect(own.boxTests).toBe(known.boxTests);
      }
      // More than a bufferful, from within a visit, and ended by the visitor.
      expect(expected.length).toBeGreaterThan(400);
      got.length = 0;
      const inner: number[] = [];
      const ended = pairs.visit(tree, exact, fatMargin > 0, margin, own, (a, b) => {
        got.push(a, b);
        if (got.length === 20) pairs.visit(tree, exact, fatMargin > 0, margin, own, (p, q) => void inner.push(p, q));
        return got.length < 200;
      });
      expect(ended).toBe(false);
      expect(got).toEqual(expected.slice(0, 200));
      expect(inner).toEqual(expected);
    },
  );

  it('steps in which few boxes move, come or go, far or by other margins: as the walk in JavaScript (seed 6)', () => {
    const random = createRandom(6);
    const dynamic = createTree(1500, 12);
    const pairs = new KernelPairs();
    const own = new Traversal();
    for (let step = 0; step < 150; step++) {
      const { exact } = dynamic;
      const isFar = step % 50 === 49;
      for (let k = random.integer(step % 10 === 9 ? 600 : 12); k > 0; k--) {
        const id = random.integer(1500);
        if (id % 3 === 0) continue;
        const box = exact.slice(6 * id, 6 * id + 6);
        const shift = [0, 1, 2].map(() => (isFar ? 20 : 0.3) * random.normal());
        dynamic.update(
          id,
          box.map((x, i) => x + shift[i % 3]),
        );
      }
      if (step % 20 === 7) dynamic.add([1, 1, 1, 3, 3, 3]);
      const margin = step % 30 < 25 ? 0 : 0.1;
      const [expected, got]: number[][] = [[], []];
      dynamic.pairs((a, b) => void got.push(a, b), margin);
      visitSelfPairs(dynamic.tree, null, margin, new Traversal(), (a, b) => void expected.push(a, b));
      const ordered = expected.flatMap((x, i) =>
        i % 2 ? [] : x < expected[i + 1] ? [x, expected[i + 1]] : [expected[i + 1], x],
      );
      expect(got, `seed 6 step ${step}`).toEqual(ordered);
      // Another copy of the same tree.
      if (step % 10 !== 4) continue;
      got.length = 0;
      expect(pairs.visit(dynamic.tree, exact, false, margin, own, (a, b) => void got.push(a, b))).toBe(true);
      expect(got, `seed 6 step ${step}, another copy`).toEqual(expected);
    }
  });

  it.each([
    ['far apart', 1e9, 1],
    ['that touch', 1, 1],
    ['at the end of the range', 1, 1e90],
  ])('boxes %s: what single precision cannot tell is told', (_, spread, size) => {
    const tree = createDynamicTree();
    // Rows of boxes that share a face with the next, or miss it by the last bit.
    const below = 1 - 2 ** -53;
    for (let row = 0; row < 40; row++)
      for (let i = 0; i < 40; i++) {
        const x = size * (spread * row + i);
        const end = size * (spread * row + (i + 1) * (i % 3 === 0 ? below : 1));
        tree.add([x, 0, 0, end, size, size]);
      }
    const [expected, got]: number[][] = [[], []];
    const margin = 0;
    tree.pairs((a, b) => void got.push(a, b));
    visitSelfPairs(
      tree.tree,
      null,
      margin,
      new Traversal(),
      (a, b) => void expected.push(...(a < b ? [a, b] : [b, a])),
    );
    expect(got).toEqual(expected);
    expect(got.length).toBeGreaterThan(1000);
  });

  it('goes on in JavaScript when the stack is full', () => {
    // A chain: each inner node has a leaf and the rest, in a box that holds all; leaves touch the next.
    const count = 4200;
    const { tree } = createTree(3, 1);
    tree.reset(2 * count);
    const nodes = Array.from({ length: 2 * count - 1 }, () => tree.allocateNode());
    for (let i = 0; i < count; i++) {
      const [node, leaf] = [nodes[2 * i], nodes[2 * i + 1]];
      tree.boxes.set(i === count - 1 ? [i, 0, 0, i + 1, 1, 1] : [0, 0, 0, count, 1, 1], 6 * node);
      if (i === count - 1) tree.child.set([~i, 0], 2 * node);
      else {
        tree.child.set([leaf, nodes[2 * i + 2]], 2 * node);
        tree.child.set([~i, 0], 2 * leaf);
        tree.boxes.set([i, 0, 0, i + 1, 1, 1], 6 * leaf);
      }
    }
    tree.root = nodes[0];
    const leaves = new Float64Array(6 * count);
    for (let i = 0; i < count; i++) leaves.set([i, 0, 0, i + 1, 1, 1], 6 * i);
    const [known, own] = [new Traversal(), new Traversal()];
    let [expected, got] = [0, 0];
    const mix = (hash: number, a: number, b: number): number => (Math.imul(hash, 31) + 7 * a + b) | 0;
    visitSelfPairs(tree, null, 0, known, (a, b) => {
      expected = mix(expected, a, b);
    });
    new KernelPairs().visit(tree, leaves, false, 0, own, (a, b) => {
      got = mix(got, a, b);
    });
    expect(expected).not.toBe(0);
    expect(got).toBe(expected);
    expect(own.boxTests).toBe(known.boxTests);
  });
});
