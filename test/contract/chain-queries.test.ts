/**
 * Queries of a ChainTree beyond its own contacts, against every pair measured by definition: pairs under a cutoff from
 * step to step, another chain, obstacles, moves tried without committing.
 */
import { describe, it } from 'vitest';
import { createBruteForceChain } from '../../src/chain/brute-force-chain.js';
import { createChainObstacles } from '../../src/chain/chain-obstacles.js';
import { createChainPair } from '../../src/chain/chain-pair.js';
import type { ChainState } from '../../src/chain/chain-state.js';
import { createChainTree } from '../../src/chain/chain-tree.js';
import { createHashGridChain } from '../../src/chain/hash-grid-chain.js';
import { LinkPairs } from '../../src/chain/link-pairs.js';
import { createPairTracker } from '../../src/chain/pair-tracker.js';
import type { Shape } from '../../src/geometry/shapes.js';
import { createRandom, type Random } from '../../src/math/random.js';
import { createTransform, multiplyTransform, poseToTransform } from '../../src/math/transform.js';
import { createCollider } from '../../src/narrowphase/collider.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createDistanceResult } from '../../src/narrowphase/query.js';
import { expect } from '../support/quick-expect.js';
import {
  gapBetween,
  listSolids,
  measureAll,
  pairNames,
  placeLinks,
  randomChain,
  randomPose,
  stageChange,
  within,
} from './random-chains.js';

const linkCounts = [1, 2, 3, 7, 19, 33, 70];

/** Returns whether anything changed: a step on fixed joints alone is none, and leaves the one before to be undone. */
function step(random: Random, state: ChainState): boolean {
  const last = state.chain.linkCount - 1;
  if (last === 0) return false;
  const changes = random.next() < 0.7 ? 1 : 1 + random.integer(last);
  for (let i = 0; i < changes; i++) stageChange(random, [state], random.integer(last));
  const isChanged = state.hasStagedChanges;
  state.apply();
  return isChanged;
}

describe('pairs under a cutoff from step to step', () => {
  it.each(linkCounts)('tells what appeared and what vanished since the accepted step, %i links', (linkCount) => {
    for (const spacing of [0.7, 2]) {
      const random = createRandom(Math.round(100 * linkCount + 10 * spacing));
      const tree = createChainTree(randomChain(random, linkCount, spacing, linkCount < 20));
      const cutoff = random.uniform(0, 2);
      const tracker = createPairTracker(tree, cutoff);
      let accepted = within(measureAll(tree), cutoff);
      expect(pairNames(tracker.accepted)).toEqual(accepted);
      for (let i = 0; i < 30; i++) {
        const isChanged = step(random, tree);
        if (random.next() < 0.3) continue;
        const now = within(measureAll(tree), cutoff);
        tracker.compare();
        expect(pairNames(tracker.appeared)).toEqual(now.filter((pair) => !accepted.includes(pair)));
        expect(pairNames(tracker.vanished)).toEqual(accepted.filter((pair) => !now.includes(pair)));
        const choice = random.next();
        if (choice < 0.4) {
          tracker.accept();
          const before = accepted;
          accepted = now;
          // A step taken back takes its acceptance back.
          if (isChanged && random.next() < 0.3 && tree.undo()) accepted = before;
        } else if (isChanged && choice < 0.8) tree.undo();
      }
      tracker.dispose();
    }
  });
});

describe('two chains', () => {
  it.each(linkCounts)('touch, and come as close, as every pair of links says, %i links', (linkCount) => {
    for (const volume of ['box', 'ball', 'rss'] as const) {
      const random = createRandom(3 * linkCount);
      const mixed = linkCount < 20;
      const a = createChainTree(randomChain(random, linkCount, 1.5, mixed), { volume });
      const b = createChainTree(randomChain(random, 1 + random.integer(2 * linkCount), 1.5, mixed), { volume });
      const pair = createChainPair(a, b);
      const out = new LinkPairs();
      const X = createTransform();
      for (let i = 0; i < 12; i++) {
        step(random, a);
        step(random, b);
        poseToTransform(X, randomPose(random, 2 * linkCount ** 0.7));
        const placedA = placeLinks(a);
        const placedB = placeLinks(b).map((link) => {
          const X_W = multiplyTransform(createTransform(), X, link.X_W);
          const segments = link.segments?.map(({ ends, radius }) => {
            const moved = [0, 3].flatMap((at) =>
              [0, 1, 2].map(
                (r) => X[9 + r] + X[3 * r] * ends[at] + X[3 * r + 1] * ends[at + 1] + X[3 * r + 2] * ends[at + 2],
              ),
            );
            return { ends: Float64Array.from(moved), radius };
          });
          return { ...link, X_W, segments: segments ?? null };
        });
        let nearest = Infinity;
        const gaps = placedA.map((one) =>
          placedB.map((other) => {
            const gap = gapWith(one, other);
            nearest = Math.min(nearest, gap);
            return gap;
          }),
        );
        const tolerance = Math.max(a.chain.tolerance, b.chain.tolerance);
        const cutoff = random.uniform(0, 2);
        const expected = gaps.flatMap((row, i) => row.flatMap((gap, j) => (gap <= cutoff ? [`${i},${j}`] : [])));
        expect(pair.collectPairs(out, X, cutoff)).toBe(expected.length);
        expect(pairNames(out)).toEqual(expected);
        expect(pair.hasContact(X)).toBe(nearest <= tolerance);
        if (nearest <= tolerance) expect(gaps[pair.linkA][pair.linkB]).toBeLessThanOrEqual(tolerance);
        if (nearest > 0) {
          expect(pair.distance(X)).toBeCloseTo(nearest, 9);
          expect(gaps[pair.linkA][pair.linkB]).toBeCloseTo(nearest, 9);
          expect(pair.distance(X, nearest / 2)).toBe(nearest / 2);
          expect(pair.linkA).toBe(-1);
        } else expect(pair.distance(X)).toBeLessThanOrEqual(0);
      }
    }
  });
});

/** Links of two chains: one may have segments only where the other needs colliders. */
function gapWith(one: ReturnType<typeof placeLinks>[number], other: ReturnType<typeof placeLinks>[number]): number {
  const needs = !(one.segments && other.segments);
  if (!needs) return gapBetween(one, other);
  return gapBetween(withSolids(one), withSolids(other));
}

function withSolids(link: ReturnType<typeof placeLinks>[number]): ReturnType<typeof placeLinks>[number] {
  if (link.solids || link.shape.type === 'balls') {
    if (link.solids) return link;
    const { radii } = link.shape as { radii: Float64Array };
    return { ...link, solids: Array.from(radii, (radius) => createCollider({ type: 'sphere', radius })) };
  }
  return { ...link, solids: [createCollider(link.shape as Shape)] };
}

describe('obstacles', () => {
  const mesh: Shape = {
    type: 'mesh',
    mesh: {
      vertices: Float64Array.of(-3, -3, 0, 3, -3, 0, 0, 3, 0.5, 0, 0, 4),
      triangles: Uint32Array.of(0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2),
    },
  };
  const shapes: Shape[] = [
    { type: 'sphere', radius: 0.7 },
    { type: 'box', size: [3, 0.5, 1] },
    { type: 'cylinder', radius: 0.4, length: 6 },
    mesh,
    { type: 'mesh', mesh: mesh.type === 'mesh' ? mesh.mesh : null!, mode: 'surface' },
    { type: 'halfspace', normal: [0, 0, 1], offset: -6 },
    {
      type: 'compound',
      children: [{ shape: { type: 'sphere', radius: 1 } }, { shape: mesh, pose: [5, 0, 0, 0, 0, 0, 1] }],
    },
  ];

  it.each(linkCounts)('touch, and come as close, as every link says, %i links', (linkCount) => {
    for (const volume of ['box', 'ball', 'rss'] as const) {
      const random = createRandom(5 * linkCount);
      const tree = createChainTree(randomChain(random, linkCount, 1.5, linkCount < 20), { volume });
      const obstacles = shapes.map((shape) => ({ collider: createCollider(shape), pose: createTransform() }));
      const query = createChainObstacles(tree, obstacles);
      const out = new LinkPairs();
      const result = createDistanceResult();
      for (let i = 0; i < 8; i++) {
        step(random, tree);
        for (const { pose, collider } of obstacles) {
          const reach = collider.shape.type === 'halfspace' ? 0 : 2 * linkCount ** 0.7 + 2;
          poseToTransform(pose, randomPose(random, reach));
        }
        const gaps = placeLinks(tree).map((link) =>
          obstacles.map(({ collider, pose }) =>
            Math.min(
              ...listSolids(withSolids(link)).map(([own, X]) => distance(result, own, X, collider, pose).distance),
            ),
          ),
        );
        const nearest = Math.min(...gaps.flat());
        const cutoff = random.uniform(0, 2);
        const expected = gaps.flatMap((row, i) => row.flatMap((gap, j) => (gap <= cutoff ? [`${i},${j}`] : [])));
        query.collectPairs(out, cutoff);
        expect(pairNames(out)).toEqual(expected);
        expect(query.hasContact()).toBe(nearest <= tree.chain.tolerance);
        if (nearest <= tree.chain.tolerance) {
          expect(gaps[query.link][query.obstacle]).toBeLessThanOrEqual(tree.chain.tolerance);
        }
        if (nearest > 0) {
          expect(query.distance()).toBeCloseTo(nearest, 8);
          expect(gaps[query.link][query.obstacle]).toBeCloseTo(nearest, 8);
          expect(query.distance(nearest / 2)).toBe(nearest / 2);
        } else expect(query.distance()).toBeLessThanOrEqual(0);
      }
    }
  });
});

describe('moves tried without committing', () => {
  it('have the verdicts they would have, and leave the chain as it was', () => {
    for (const create of [createChainTree, createHashGridChain, createBruteForceChain]) {
      const random = createRandom(9);
      const chain = randomChain(random, 60, 2.5);
      const state = create(chain);
      const turning = Array.from(chain.jointKinds.keys()).filter((joint) => chain.jointKinds[joint] < 2);
      step(random, state);
      const counts = Array.from({ length: 40 }, () => random.integer(4));
      const starts = Int32Array.from([
        0,
        ...counts.map((_, i) => counts.slice(0, i + 1).reduce((sum, n) => sum + n, 0)),
      ]);
      const joints = Int32Array.from({ length: starts[40] }, () => turning[random.integer(turning.length)]);
      const angles = Float64Array.from(joints, () => random.uniform(-1, 1));
      const before = state.writeLinkPoses(new Float64Array(720));
      const verdicts = new Uint8Array(40);
      const free = state.evaluateMoves(verdicts, starts, joints, angles);
      expect(state.writeLinkPoses(new Float64Array(720))).toEqual(before);
      expect(free).toBe(verdicts.filter((verdict) => verdict === 0).length);
      const out = new LinkPairs();
      counts.forEach((_, i) => {
        for (let k = starts[i]; k < starts[i + 1]; k++) state.stageTurn(joints[k], angles[k]);
        const isChanged = state.hasStagedChanges;
        state.apply();
        const contacts = within(measureAll(state), chain.tolerance).length;
        expect(state.collectContacts(out)).toBe(contacts);
        expect(verdicts[i]).toBe(contacts > 0 ? 1 : 0);
        if (isChanged) state.undo();
      });
      expect(() => state.evaluateMoves(new Uint8Array(1), starts, joints, angles)).toThrow('evaluateMoves: arrays');
    }
  });
});
