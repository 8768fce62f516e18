import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { BoxTree } from './box-tree.js';
import { buildTree } from './build.js';
import { buildTreeByArea } from './kernel-tree.js';
import { splitByArea } from './split-area.js';

type Place = (i: number) => readonly number[];

const random = createRandom(17);
const spread: Place = () => [random.uniform(-9, 9), random.uniform(0, 50), random.uniform(0, 2)];

/** Both trees over every proxy but each third, of boxes around these places. */
function buildBoth(count: number, place: Place, half: () => number, fatMargin: number) {
  const boxes = new Float64Array(6 * count);
  const ids: number[] = [];
  for (let i = 0; i < count; i++) {
    const centre = place(i);
    for (let k = 0; k < 3; k++) {
      const h = half();
      boxes[6 * i + k] = centre[k] - h;
      boxes[6 * i + 3 + k] = centre[k] + h;
    }
    if (i % 3 !== 0) ids.push(i);
  }
  return [buildTree, buildTreeByArea].map((build) => {
    const tree = new BoxTree();
    const leafOf = new Int32Array(count).fill(-1);
    // Twice: a tree forgets what it was before.
    for (let n = 0; n < 2; n++) build(tree, Int32Array.from(ids), boxes, fatMargin, leafOf, splitByArea);
    const used = tree.nodeCount;
    return {
      root: tree.root,
      used,
      isOrdered: tree.isOrdered,
      child: tree.child.slice(0, 2 * used).filter((_, i, all) => i % 2 === 0 || all[i - 1] >= 0),
      parent: tree.parent.slice(0, used),
      boxes: tree.boxes.slice(0, 6 * used),
      cost: tree.cost.slice(0, used),
      leafOf,
    };
  });
}

describe('trees of the kernel', () => {
  it.each<[string, number, Place, () => number, number]>([
    ['spread', 3000, spread, () => random.uniform(0, 1), 0],
    ['spread, of a fat tree', 2000, spread, () => random.uniform(0, 1), 0.3],
    ['in a few places', 1500, (i) => [i % 4, 0, -0], () => 0.5, 0],
    ['all in one place', 900, () => [1, 2, 3], () => random.uniform(0, 1), 0],
    ['ever closer together, deeper than area splits go', 900, (i) => [2 ** (-i / 2), 0, 0], () => 0, 0],
    ['huge and tiny', 1200, (i) => [i, 1e90 * i, 1e-300 * i], () => (random.next() < 0.1 ? 1e95 : 1e-9), 0],
    ['points on a line', 1000, (i) => [0, i * i, 0], () => 0, 0],
  ])('are those of JavaScript, to the bit: %s', (_, count, place, half, fatMargin) => {
    const [expected, got] = buildBoth(count, place, half, fatMargin);
    expect(got).toEqual(expected);
  });
});
