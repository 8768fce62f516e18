/**
 * What every representation of a moving chain promises: the same contacts as all pairs measured anew after any number of
 * steps, changes at one or many joints, undo, a start in contact, any number of links; poses as the joints say.
 */
import { describe, expect, it } from 'vitest';
import { createBruteForceChain } from '../../src/chain/brute-force-chain.js';
import {
  type Chain,
  type ChainDescription,
  type ChainJoint,
  type ChainLink,
  createChain as createPlainChain,
} from '../../src/chain/chain.js';
import type { ChainState } from '../../src/chain/chain-state.js';
import { ChainTree, createChainTree } from '../../src/chain/chain-tree.js';
import { createDynamicTreeChain } from '../../src/chain/dynamic-tree-chain.js';
import { createHashGridChain } from '../../src/chain/hash-grid-chain.js';
import { LinkPairs } from '../../src/chain/link-pairs.js';
import { createObbTreeChain, createPieceObbTreeChain } from '../../src/chain/obb-tree-chain.js';
import { closestSegmentSegment } from '../../src/geometry/closest-points.js';
import { createRandom, type Random } from '../../src/math/random.js';
import { createTransform, type Pose, poseToTransform, type Transform } from '../../src/math/transform.js';
import { createCollider } from '../../src/narrowphase/collider.js';
import { distance } from '../../src/narrowphase/distance.js';
import { createDistanceResult } from '../../src/narrowphase/query.js';

const representations: [string, (chain: Chain) => ChainState][] = [
  ['tree of boxes', (chain) => createChainTree(chain)],
  ['tree of boxes fitted two levels down', (chain) => createChainTree(chain, { fitDepth: 2 })],
  ['tree of boxes fitted three levels down', (chain) => createChainTree(chain, { fitDepth: 3 })],
  ['tree of balls', (chain) => createChainTree(chain, { volume: 'ball' })],
  ['hash grid', createHashGridChain],
  ['one tree of oriented boxes', createObbTreeChain],
  ['a tree of oriented boxes per piece', createPieceObbTreeChain],
  ['dynamic tree', createDynamicTreeChain],
  ['brute force', createBruteForceChain],
];

/** What each chain was made from, for the reference. */
const descriptions = new WeakMap<Chain, ChainDescription>();

function createChain(description: ChainDescription): Chain {
  const chain = createPlainChain(description);
  descriptions.set(chain, description);
  return chain;
}

const linkCounts = [1, 2, 3, 5, 8, 13, 33, 64, 100, 257, 600];

function randomRotation(random: Random): [number, number, number, number] {
  return [random.normal(), random.normal(), random.normal(), random.normal()];
}

function randomPose(random: Random, reach: number): Pose {
  const at = () => random.uniform(-reach, reach);
  return [at(), at(), at(), ...randomRotation(random)];
}

function randomShape(random: Random, mixed: boolean): ChainLink['shape'] {
  const radius = random.uniform(0.1, 0.5);
  const kind = random.integer(mixed ? 6 : 2);
  if (kind === 0) return { type: 'sphere', radius };
  if (kind === 1) return { type: 'capsule', radius, length: random.uniform(0, 1.5) };
  if (kind === 2) return { type: 'box', size: [2 * radius, radius, random.uniform(0.1, 1)] };
  if (kind === 3) return { type: 'cylinder', radius, length: random.uniform(0.1, 1) };
  const count = 1 + random.integer(6);
  return {
    type: 'balls',
    centers: Float64Array.from({ length: 3 * count }, () => random.uniform(-0.6, 0.6)),
    radii: Float64Array.from({ length: count }, () => random.uniform(0, 0.3)),
  };
}

/** `spacing` 0.7 starts in contact almost surely, 4 mostly free. */
function randomChain(random: Random, linkCount: number, spacing: number, mixed = false): Chain {
  const links = Array.from({ length: linkCount }, (): ChainLink => {
    const pose = random.next() < 0.5 ? randomPose(random, 0.3) : undefined;
    return { shape: randomShape(random, mixed), pose };
  });
  const joints = Array.from({ length: linkCount - 1 }, (): ChainJoint => {
    const types = ['revolute', 'revolute', 'prismatic', 'spherical', 'fixed'] as const;
    const bend = randomRotation(random).map((q, i) => (i === 3 ? 3 : 0.5 * q));
    return {
      type: types[random.integer(types.length)],
      origin: [spacing, 0, 0, bend[0], bend[1], bend[2], bend[3]],
      axis: [random.normal(), random.normal(), random.normal()],
    };
  });
  return createChain({ links, joints, exclusion: 1 + random.integer(3) });
}

/** Stages the same random change in every state; the seed decides, not the representation. */
function stageChange(random: Random, states: readonly ChainState[], joint: number): void {
  const { jointKinds } = states[0].chain;
  const kind = jointKinds[joint];
  if (kind === 3) return;
  const value = random.uniform(-3, 3);
  const rotation = randomRotation(random);
  const isRelative = random.next() < 0.3;
  for (const state of states) {
    if (kind === 2) state.stageRotation(joint, rotation);
    else if (kind === 1) state.stageValue(joint, 0.2 * value);
    else if (isRelative) state.stageTurn(joint, 0.3 * value);
    else state.stageValue(joint, value);
  }
}

/** A link's content in the world as segments with radii; null for shapes that have other parts. */
function listSegments(
  shape: ChainLink['shape'],
  X: readonly number[],
): { ends: Float64Array; radius: number }[] | null {
  const at = (x: number, y: number, z: number) =>
    [0, 1, 2].map((k) => X[9 + k] + X[3 * k] * x + X[3 * k + 1] * y + X[3 * k + 2] * z);
  if (shape.type === 'sphere') return [{ ends: Float64Array.of(...at(0, 0, 0), ...at(0, 0, 0)), radius: shape.radius }];
  if (shape.type === 'capsule') {
    const half = shape.length / 2;
    return [{ ends: Float64Array.of(...at(0, 0, -half), ...at(0, 0, half)), radius: shape.radius }];
  }
  if (shape.type !== 'balls') return null;
  return Array.from(shape.radii, (radius, i) => {
    const center = at(shape.centers[3 * i], shape.centers[3 * i + 1], shape.centers[3 * i + 2]);
    return { ends: Float64Array.of(...center, ...center), radius };
  });
}

/**
 * Gaps of all pairs beyond the exclusion range at [a * n + b], Infinity elsewhere, from the definition: joints multiplied
 * out, every part of one link measured against every part of the other.
 */
function measureAll(state: ChainState): Float64Array {
  const { chain } = state;
  const { links } = descriptions.get(chain)!;
  const n = links.length;
  const X = createTransform();
  let pose = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];
  const placed = links.map(({ shape, pose: own }, i) => {
    if (i > 0) pose = multiply(pose, state.jointTransform(X, i - 1));
    const X_W = own ? multiply(pose, poseToTransform(createTransform(), own)) : pose;
    return { X_W, segments: listSegments(shape, X_W), shape };
  });
  const colliders = placed.map(({ shape, segments }) => {
    if (shape.type === 'balls') return null;
    return segments && !placed.some((other) => other.segments === null) ? null : createCollider(shape);
  });
  const closest = new Float64Array(6);
  const result = createDistanceResult();
  const apart = (a: number, b: number): number => {
    const [first, second] = [placed[a], placed[b]];
    if (first.segments && second.segments) {
      let least = Infinity;
      for (const one of first.segments) {
        for (const other of second.segments) {
          const between = Math.sqrt(closestSegmentSegment(closest, one.ends, 0, other.ends, 0));
          least = Math.min(least, between - one.radius - other.radius);
        }
      }
      return least;
    }
    const balls = [first, second].find(({ shape }) => shape.type === 'balls');
    if (!balls) {
      const poses = [first, second].map(({ X_W }) => Float64Array.from(X_W));
      return distance(result, colliders[a]!, poses[0], colliders[b]!, poses[1]).distance;
    }
    const other = balls === first ? b : a;
    return Math.min(
      ...balls.segments!.map(({ ends, radius }) => {
        const center = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, ends[0], ends[1], ends[2]);
        const ball = createCollider({ type: 'sphere', radius });
        return distance(result, ball, center, colliders[other]!, Float64Array.from(placed[other].X_W)).distance;
      }),
    );
  };
  const gaps = new Float64Array(n * n).fill(Infinity);
  for (let a = 0; a < n; a++) for (let b = a + chain.exclusion + 1; b < n; b++) gaps[a * n + b] = apart(a, b);
  return gaps;
}

function multiply(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  const out: number[] = [];
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) out.push(a[3 * r] * b[c] + a[3 * r + 1] * b[3 + c] + a[3 * r + 2] * b[6 + c]);
  }
  for (let r = 0; r < 3; r++) {
    out.push(a[3 * r] * b[9] + a[3 * r + 1] * b[10] + a[3 * r + 2] * b[11] + a[9 + r]);
  }
  return out;
}

function within(gaps: Float64Array, most: number): string[] {
  const n = Math.sqrt(gaps.length);
  const pairs: string[] = [];
  gaps.forEach((gap, i) => {
    if (gap <= most) pairs.push(`${Math.floor(i / n)},${i % n}`);
  });
  return pairs;
}
const pairNames = (pairs: LinkPairs) => pairs.toArray().map(([a, b]) => `${a},${b}`);

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
      const steps = linkCount > 200 ? 6 : 25;
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
      ...(linkCount <= 33
        ? [
            ['box', 'mixed'],
            ['ball', 'mixed'],
          ]
        : []),
    ]) {
      const random = createRandom(linkCount);
      const chain = randomChain(random, linkCount, 2, mixed === 'mixed');
      const tree = createChainTree(chain, { volume: volume as 'box' | 'ball' });
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
});
