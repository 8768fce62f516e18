import { describe, expect, test } from 'vitest';
import { createRandom } from '../math/random.js';
import type { BoxTree } from './box-tree.js';
import { createStaticTree } from './static-tree.js';

function depthOf(tree: BoxTree): number {
  let deepest = 0;
  const open: [number, number][] = [[tree.root, 0]];
  while (open.length > 0) {
    const [node, depth] = open.pop()!;
    deepest = Math.max(deepest, depth);
    if (!tree.isLeaf(node)) open.push([tree.child[2 * node], depth + 1], [tree.child[2 * node + 1], depth + 1]);
  }
  return deepest;
}

/** Leaves below a node, from left to right. */
function leavesBelow(tree: BoxTree, node: number): number[] {
  if (tree.isLeaf(node)) return [~tree.child[2 * node]];
  return [...leavesBelow(tree, tree.child[2 * node]), ...leavesBelow(tree, tree.child[2 * node + 1])];
}

const pairsOf = (tree: { pairs(visit: (a: number, b: number) => void): void }): string[] => {
  const pairs: string[] = [];
  tree.pairs((a, b) => {
    pairs.push(`${a},${b}`);
  });
  return pairs;
};

describe('static tree', () => {
  test('is balanced whatever the input: depth = ceil(log2 n)', () => {
    const random = createRandom(1);
    for (const n of [1, 2, 3, 5, 8, 100, 1000]) {
      const spread = new Float64Array(6 * n).map(() => random.next());
      for (let i = 0; i < n; i++) for (let k = 0; k < 3; k++) spread[6 * i + 3 + k] = spread[6 * i + k] + 0.01;
      const same = new Float64Array(6 * n);
      const line = new Float64Array(6 * n).map((_, i) => (i % 6 === 0 || i % 6 === 3 ? Math.floor(i / 6) : 0));
      for (const boxes of [spread, same, line]) {
        const tree = createStaticTree(boxes);
        tree.validate();
        expect(depthOf(tree.tree)).toBe(Math.ceil(Math.log2(n)));
      }
    }
  });

  test('refit keeps the topology and the order of pairs', () => {
    const random = createRandom(2);
    const n = 60;
    const boxes = Float64Array.from({ length: 6 * n }, (_, i) => Math.floor(i / 6) + (i % 6 < 3 ? 0 : 1));
    const tree = createStaticTree(boxes);
    const child = tree.tree.child.slice();
    for (let step = 0; step < 20; step++) {
      for (let id = 0; id < n; id += 3) {
        const lower = [0, 1, 2].map(() => random.uniform(-5, 5));
        tree.update(id, [...lower, ...lower.map((value) => value + 1)]);
      }
      tree.validate();
    }
    expect(tree.tree.child).toEqual(child);
    for (let id = 0; id < n; id++) tree.update(id, boxes.subarray(6 * id, 6 * id + 6));
    expect(pairsOf(tree)).toEqual(pairsOf(createStaticTree(boxes)));
  });

  test('cost grows as objects mix, and comes back with them', () => {
    const n = 64;
    const row = Float64Array.from(
      { length: 6 * n },
      (_, i) => (i % 6 === 0 || i % 6 === 3 ? Math.floor(i / 6) : 0) + (i % 6 < 3 ? 0 : 0.9),
    );
    const tree = createStaticTree(row);
    const good = tree.cost;
    for (let id = 0; id < n; id++) {
      const other = (id * 37) % n;
      tree.update(id, row.subarray(6 * other, 6 * other + 6));
    }
    expect(tree.cost).toBeGreaterThan(2 * good);
    for (let id = 0; id < n; id++) tree.update(id, row.subarray(6 * id, 6 * id + 6));
    expect(tree.cost).toBe(good);
  });

  test('refits touch only what moved', () => {
    const n = 1024;
    const boxes = Float64Array.from({ length: 6 * n }, (_, i) => Math.floor(i / 6) + (i % 6 < 3 ? 0 : 0.5));
    const tree = createStaticTree(boxes);
    tree.update(17, boxes.subarray(6 * 17, 6 * 17 + 6));
    expect(tree.tree.dirty.reduce((sum, mark) => sum + mark, 0)).toBe(0);
    tree.update(17, [17, 17, 17, 18, 18, 18]);
    expect(tree.tree.dirty.reduce((sum, mark) => sum + mark, 0)).toBe(10);
    tree.validate();
  });
});

describe('the four-link robot of the source', () => {
  // Centres 0.0, 0.5, 1.2, 1.8 along x; neighbours overlap at their joints, the two halves do not.
  const base = [-0.3, -0.1, -0.1, 0.3, 0.1, 0.1];
  const shoulder = [0.25, -0.1, -0.1, 0.75, 0.1, 0.1];
  const elbow = [0.85, -0.1, -0.1, 1.55, 0.1, 0.1];
  const wrist = [1.5, -0.1, -0.1, 2.1, 0.1, 0.1];
  const create = () => createStaticTree([...base, ...shoulder, ...elbow, ...wrist]);

  test('median split gives {base, shoulder} and {elbow, wrist}', () => {
    const { tree } = create();
    const [left, right] = [tree.child[2 * tree.root], tree.child[2 * tree.root + 1]];
    expect(leavesBelow(tree, left)).toEqual([0, 1]);
    expect(leavesBelow(tree, right)).toEqual([2, 3]);
    expect(Array.from(tree.boxes.subarray(6 * tree.root, 6 * tree.root + 6))).toEqual([
      -0.3, -0.1, -0.1, 2.1, 0.1, 0.1,
    ]);
  });

  test('neighbours are reported once each; one test prunes all four cross pairs', () => {
    const robot = create();
    expect(pairsOf(robot)).toEqual(['0,1', '2,3']);
    // (left, right), (base, shoulder), (elbow, wrist).
    expect(robot.boxTests).toBe(3);
  });

  test('a joint turns: the wrist comes back to the base and the pair across subtrees is found', () => {
    const robot = create();
    robot.update(2, [0.2, 0.2, -0.1, 0.9, 0.9, 0.1]);
    robot.update(3, [-0.2, 0.05, -0.1, 0.4, 0.5, 0.1]);
    expect(pairsOf(robot).sort()).toEqual(['0,1', '0,3', '1,3', '2,3']);
    robot.validate();
  });

  test('a margin inflates the boxes before pruning: near pairs are not lost', () => {
    const robot = create();
    const near: string[] = [];
    robot.pairs((a, b) => {
      near.push(`${a},${b}`);
    }, 0.11);
    expect(near.sort()).toEqual(['0,1', '1,2', '2,3']);
  });
});
