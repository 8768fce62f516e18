/**
 * What every representation of a moving chain promises: the same contacts as all pairs measured anew after any number of
 * steps, changes at one or many joints, undo, a start in contact, any number of links; poses as the joints say.
 */
import { describe, it } from 'vitest';
import { createBruteForceChain } from '../../src/chain/brute-force-chain.js';
import type { Chain, ChainLink } from '../../src/chain/chain.js';
import type { ChainState } from '../../src/chain/chain-state.js';
import { ChainTree, type ChainTreeOptions, createChainTree } from '../../src/chain/chain-tree.js';
import { createDynamicTreeChain } from '../../src/chain/dynamic-tree-chain.js';
import { createHashGridChain } from '../../src/chain/hash-grid-chain.js';
import { LinkPairs } from '../../src/chain/link-pairs.js';
import { createObbTreeChain, createPieceObbTreeChain } from '../../src/chain/obb-tree-chain.js';
import { createRandom } from '../../src/math/random.js';
import { createTransform, type Pose, type Transform } from '../../src/math/transform.js';
import { expect } from '../support/quick-expect.js';
import { createChain, measureAll, multiply, pairNames, randomChain, stageChange, within } from './random-chains.js';

const representations: [string, (chain: Chain) => ChainState][] = [
  ['tree of boxes', (chain) => createChainTree(chain)],
  ['tree of boxes fitted two levels down', (chain) => createChainTree(chain, { fitDepth: 2 })],
  ['tree of boxes fitted three levels down', (chain) => createChainTree(chain, { fitDepth: 3 })],
  ['tree of tight boxes', (chain) => createChainTree(chain, { tight: true })],
  ['tree of balls', (chain) => createChainTree(chain, { volume: 'ball' })],
  ['tree of rectangles swept by spheres', (chain) => createChainTree(chain, { volume: 'rss' })],
  ['hash grid', createHashGridChain],
  ['one tree of oriented boxes', createObbTreeChain],
  ['a tree of oriented boxes per piece', createPieceObbTreeChain],
  ['dynamic tree', createDynamicTreeChain],
  ['brute force', createBruteForceChain],
];

const linkCounts = [1, 2, 3, 5, 8, 13, 33, 64, 100, 257, 600];

function snapshot(state: ChainState): Float64Array[] {
  if (state instanceof ChainTree) {
    return [state.data.shortcuts.slice(), state.data.frames.slice(), state.data.boxes.slice()];
  }
  return [state.writeLinkPoses(new Float64Array(12 * state.chain.linkCount))];
}

describe.each(representations)('%s', (_, create) => {
  it.each(linkCounts)('finds what all pairs measured anew give, %i links', (linkCount) => {
    // Mixed links are dear to measure anew.
    for (const [spacing, mixed] of [
      [0.7],
      [2],
      [4],
      ...(linkCount <= 33
        ? [
            [0.7, 1],
            [4, 1],
          ]
        : []),
    ]) {
      const random = createRandom(1000 * linkCount + 10 * spacing);
      const chain = randomChain(random, linkCount, spacing, mixed === 1);
      const state = create(chain);
      const out = new LinkPairs();
      const steps = linkCount > 200 ? (process.env.ORACLE_FULL ? 6 : 4) : 25;
      for (let step = 0; step < steps && linkCount > 1; step++) {
        const changes = random.next() < 0.6 ? 1 : 1 + random.integer(linkCount);
        for (let i = 0; i < changes; i++) stageChange(random, [state], random.integer(linkCount - 1));
        state.apply();
        // Sometimes several changes pass before anyone asks, and sometimes the last one is taken back first.
        if (random.next() < 0.2) continue;
        if (random.next() < 0.2) state.undo();
        const gaps = measureAll(state);
        const expected = within(gaps, chain.tolerance);
        const asksFirst = random.next() < 0.5;
        if (asksFirst) {
          expect(state.hasContact(), `${spacing} step ${step}`).toBe(expected.length > 0);
          if (expected.length) expect(expected).toContain(`${state.contactA},${state.contactB}`);
          else expect([state.contactA, state.contactB]).toEqual([-1, -1]);
        }
        if (!asksFirst || random.next() < 0.3) {
          expect(state.collectContacts(out), `${spacing} step ${step}`).toBe(expected.length);
          expect(pairNames(out)).toEqual(expected);
        }
        if (state instanceof ChainTree) state.validate();
        if (random.next() < 0.3) state.undo();
      }
      expect(state.collectContacts(out)).toBe(within(measureAll(state), chain.tolerance).length);
    }
  });

  it('takes back the last change bit by bit, with what was known', () => {
    for (const linkCount of [2, 7, 40, 129]) {
      const random = createRandom(linkCount);
      const state = create(randomChain(random, linkCount, 1.2));
      const [before, after] = [new LinkPairs(), new LinkPairs()];
      for (let step = 0; step < 30; step++) {
        state.collectContacts(before);
        const kept = snapshot(state);
        const changes = 1 + random.integer(step % 2 ? 3 : linkCount);
        for (let i = 0; i < changes; i++) stageChange(random, [state], random.integer(linkCount - 1));
        const isStaged = state.hasStagedChanges;
        state.apply();
        if (random.next() < 0.5) state.hasContact();
        if (random.next() < 0.5) state.collectContacts(after);
        if (!isStaged) continue;
        expect(state.undo()).toBe(true);
        expect(snapshot(state)).toEqual(kept);
        const tests = state.stats.pairTests + state.stats.volumeTests;
        state.collectContacts(after);
        expect(after.toArray()).toEqual(before.toArray());
        expect(state.stats.pairTests + state.stats.volumeTests).toBe(tests);
        expect(state.undo()).toBe(false);
      }
    }
  });

  it('gives the pose of any link in any other', () => {
    for (const linkCount of [1, 2, 6, 31, 100]) {
      const random = createRandom(linkCount);
      const state = create(randomChain(random, linkCount, 2));
      for (let i = 0; i + 1 < linkCount; i++) stageChange(random, [state], i);
      state.apply();
      const poses = state.writeLinkPoses(new Float64Array(12 * linkCount));
      const poseOf = (i: number) => poses.subarray(12 * i, 12 * i + 12);
      const X: Transform = createTransform();
      for (let trial = 0; trial < 200; trial++) {
        const [i, j] = [random.integer(linkCount), random.integer(linkCount)];
        const product = multiply(poseOf(i), state.relativePose(X, i, j));
        for (let k = 0; k < 12; k++) expect(product[k]).toBeCloseTo(poseOf(j)[k], 10);
      }
    }
  });

  it('keeps every rotation orthonormal over 20,000 small turns', () => {
    const random = createRandom(5);
    const state = create(randomChain(random, 9, 4));
    const joint = [...state.chain.jointKinds].indexOf(0);
    const X = createTransform();
    for (let step = 0; step < 20_000; step++) {
      state.stageTurn(joint, random.uniform(-0.3, 0.3));
      state.apply();
    }
    state.jointTransform(X, joint);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const dot = X[i] * X[j] + X[i + 3] * X[j + 3] + X[i + 6] * X[j + 6];
        expect(Math.abs(dot - (i === j ? 1 : 0))).toBeLessThan(1e-14);
      }
    }
    if (state instanceof ChainTree) state.validate();
  });

  it('refuses what is no change of this chain', () => {
    const origin: Pose = [1, 0, 0, 0, 0, 0, 1];
    const state = create(
      createChain({
        links: Array.from({ length: 3 }, (): ChainLink => ({ shape: { type: 'sphere', radius: 0.1 } })),
        joints: [
          { type: 'revolute', origin },
          { type: 'spherical', origin },
        ],
      }),
    );
    expect(() => state.stageValue(2, 0)).toThrow('stageValue: joint, got 2, expected an integer from 0 to 1');
    expect(() => state.stageValue(0, Number.NaN)).toThrow('stageValue: value, got NaN');
    expect(() => state.stageValue(1, 0)).toThrow('expected revolute or prismatic');
    expect(() => state.stageRotation(0, [0, 0, 0, 1])).toThrow('expected a spherical joint');
    expect(() => state.stageRotation(1, [0, 0, 0, 0])).toThrow('got length 0');
    expect(() => state.stageTransform(0, new Float64Array(12))).toThrow('expected a rotation');
    expect(() => state.relativePose(createTransform(), 0, 3)).toThrow('expected an integer from 0 to 2');
    expect(state.undo()).toBe(false);
  });
});

describe('chain tree', () => {
  it.each(linkCounts)('finds the pairs under a cutoff and the nearest pair, %i links', (linkCount) => {
    for (const [volume, mixed] of [
      ['box'],
      ['ball'],
      ['rss'],
      ...(linkCount <= 33
        ? [
            ['box', 'mixed'],
            ['ball', 'mixed'],
            ['rss', 'mixed'],
          ]
        : []),
    ]) {
      const random = createRandom(linkCount);
      const chain = randomChain(random, linkCount, 2, mixed === 'mixed');
      const tree = createChainTree(chain, { volume: volume as ChainTreeOptions['volume'] });
      const out = new LinkPairs();
      for (let step = 0; step < 6 && linkCount > 1; step++) {
        stageChange(random, [tree], random.integer(linkCount - 1));
        tree.apply();
        const gaps = measureAll(tree);
        const cutoff = random.uniform(0, 3);
        tree.collectPairs(out, cutoff);
        expect(pairNames(out)).toEqual(within(gaps, cutoff));
        const nearest = gaps.reduce((least, gap) => Math.min(least, gap), Infinity);
        if (nearest === Infinity) {
          expect(tree.nearestDistance()).toBe(Infinity);
          continue;
        }
        expect(tree.nearestDistance()).toBeCloseTo(nearest, 10);
        expect(gaps[tree.contactA * linkCount + tree.contactB]).toBeCloseTo(nearest, 10);
      }
    }
  });

  it('computes nothing twice, however many joints change together', () => {
    const random = createRandom(3);
    const chain = randomChain(random, 601, 4);
    const tree = createChainTree(chain);
    const X = createTransform();
    for (let joint = 0; joint < 600; joint++) tree.stageTransform(joint, tree.jointTransform(X, joint));
    tree.apply();
    const { nodeCount, counts } = tree.data.layout;
    expect(tree.stats.transformUpdates).toBe(nodeCount - counts.length);
    const withTwoChildren = [...counts].slice(0, -1).reduce((sum, count) => sum + Math.ceil(count / 2), 0);
    expect(tree.stats.volumeUpdates).toBeLessThanOrEqual(withTwoChildren);
    tree.stageTurn([...chain.jointKinds].indexOf(0), 0.1);
    const before = tree.stats.transformUpdates + tree.stats.volumeUpdates;
    tree.apply();
    expect(tree.stats.transformUpdates + tree.stats.volumeUpdates - before).toBeLessThanOrEqual(2 * counts.length);
  });

  it('notices a broken box', () => {
    const tree = createChainTree(randomChain(createRandom(1), 20, 2));
    tree.validate();
    tree.data.boxes[16 * 25 + 12] *= 0.5;
    expect(() => tree.validate()).toThrow(/validateChainTree: node \d+ of level \d+/);
  });

  /** A long loose chain of balls, free as a rule. */
  const looseChain = (seed: number) => {
    const random = createRandom(seed);
    return createChain({
      links: Array.from({ length: 700 }, (): ChainLink => ({ shape: { type: 'sphere', radius: 1 } })),
      joints: Array.from({ length: 699 }, () => {
        const [x, y, z] = [random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(2.5, 3)];
        return { type: 'revolute', origin: [x, y, z, 0, 0, 0, 1], axis: [1, random.uniform(-1, 1), 0] };
      }),
    });
  };

  it('tightens boxes where a search comes, not when they change', () => {
    const random = createRandom(7);
    const chain = looseChain(7);
    const [plain, tight] = [createChainTree(chain), createChainTree(chain, { tight: true })];
    const trees = [plain, tight];
    for (const tree of trees) tree.hasContact();
    const tightened = () => tight.stats.volumeUpdates - plain.stats.volumeUpdates;
    const atStart = tightened();
    expect(atStart).toBeGreaterThan(100);
    for (const tree of trees) tree.stats.volumeTests = 0;
    for (let step = 0; step < 300; step++) {
      const before = tightened();
      stageChange(random, trees, random.integer(699));
      for (const tree of trees) tree.apply();
      expect(tightened()).toBe(before);
      expect(tight.hasContact()).toBe(plain.hasContact());
      // What the change left alone is not tightened again: a path to the root at most, and what no search had come to.
      if (step > 100) expect(tightened() - before).toBeLessThan(2 * tight.data.layout.height);
      if (step % 20 === 0) tight.validate();
      if (plain.contactA >= 0) for (const tree of trees) tree.undo();
    }
    expect(tightened()).toBeGreaterThan(atStart);
    expect(tight.stats.volumeTests).toBeLessThan(0.85 * plain.stats.volumeTests);
  });

  it('answers with the same bits whatever was asked of tight boxes before', () => {
    const random = createRandom(11);
    const chain = looseChain(11);
    const [plain, asked, silent] = [{}, { tight: true }, { tight: true }].map((o) => createChainTree(chain, o));
    const trees = [plain, asked, silent];
    const out = trees.map(() => new LinkPairs());
    for (let step = 0; step < 60; step++) {
      stageChange(random, trees, random.integer(699));
      for (const tree of trees) tree.apply();
      // Known contacts are reported first, so the plain tree is asked as well.
      if (random.next() < 0.7) for (const i of [0, 1]) trees[i].collectContacts(out[i]);
      if (random.next() < 0.4) for (const tree of trees) tree.undo();
      if (step % 10 > 0) continue;
      const verdicts = trees.map((tree) => tree.hasContact());
      expect(verdicts).toEqual([verdicts[0], verdicts[0], verdicts[0]]);
      expect([asked.contactA, asked.contactB]).toEqual([plain.contactA, plain.contactB]);
      const distances = trees.map((tree) => tree.nearestDistance());
      expect(distances).toEqual([distances[0], distances[0], distances[0]]);
      trees.forEach((tree, i) => {
        tree.collectPairs(out[i], 2);
        expect(out[i].toArray()).toEqual(out[0].toArray());
        for (const array of ['shortcuts', 'frames', 'boxes'] as const)
          expect(tree.data[array]).toEqual(plain.data[array]);
      });
    }
  });

  it('notices a tight box that is too small, and one whose children lie beyond its ball', () => {
    const tree = createChainTree(looseChain(1), { tight: true });
    tree.hasContact();
    tree.validate();
    const { tights, layout } = tree.data;
    const node = 8 * (layout.starts[3] + 5);
    const [half, radius] = [tights![node + 3], tights![node + 6]];
    tights![node + 3] = 0.9 * half;
    expect(() => tree.validate()).toThrow('beyond the tight box');
    tights![node + 3] = half;
    tights![node + 6] = 0;
    expect(() => tree.validate()).toThrow('beyond the tight ball');
    tights![node + 6] = radius;
    tree.validate();
  });

  it('notices a rectangle that is too small although its box is not', () => {
    // Four balls at the corners of a square, and a ball with the half extents of their box.
    const sides = [
      [1, 0],
      [0, 1],
      [-1, 0],
    ];
    const chain = createChain({
      links: Array.from({ length: 4 }, (): ChainLink => ({ shape: { type: 'sphere', radius: 0.1 } })),
      joints: sides.map(([x, y]) => ({ type: 'fixed', origin: [x, y, 0, 0, 0, 0, 1] })),
    });
    const tree = createChainTree(chain, { volume: 'rss' });
    tree.validate();
    const { boxes, layout } = tree.data;
    const half = 16 * (layout.nodeCount - 1) + 12;
    expect(boxes[half + 2]).toBeLessThan(0.2);
    boxes[half + 2] = boxes[half];
    expect(() => tree.validate()).toThrow('beyond the rectangle swept by a sphere');
  });
});
