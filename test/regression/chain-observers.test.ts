/** What watches a chain, made between an application and its undoing or used after its tree was disposed of; points as links. */
import { describe, expect, it } from 'vitest';
import { createBruteForceChain } from '../../src/chain/brute-force-chain.js';
import { createChain } from '../../src/chain/chain.js';
import { createChainObstacles } from '../../src/chain/chain-obstacles.js';
import { createChainPair } from '../../src/chain/chain-pair.js';
import { createChainTree } from '../../src/chain/chain-tree.js';
import { LinkPairs } from '../../src/chain/link-pairs.js';
import { createPairTracker, type PairTracker } from '../../src/chain/pair-tracker.js';
import { chainRepresentations } from '../../src/chain/representations.js';
import { createRandom } from '../../src/math/random.js';
import { createTransform, poseToTransform } from '../../src/math/transform.js';
import { createCollider } from '../../src/narrowphase/collider.js';
import { measureAll, pairNames, randomChain, stageChange, within } from '../contract/random-chains.js';

describe('a pair tracker made between an application and its undoing', () => {
  it('tells the pairs of the state that came back', () => {
    const random = createRandom(5);
    const tree = createChainTree(randomChain(random, 30, 0.7, false));
    for (let i = 0; i < 3; i++) stageChange(random, [tree], random.integer(29));
    tree.apply();
    const tracker = createPairTracker(tree, 1);
    const accepted = within(measureAll(tree), 1);
    expect(accepted.length).toBeGreaterThan(3);
    expect(pairNames(tracker.accepted)).toEqual(accepted);
    tree.undo();
    const now = within(measureAll(tree), 1);
    tracker.compare();
    expect(pairNames(tracker.appeared)).toEqual(now.filter((pair) => !accepted.includes(pair)));
    expect(pairNames(tracker.vanished)).toEqual(accepted.filter((pair) => !now.includes(pair)));
    tracker.accept();
    expect(pairNames(tracker.accepted)).toEqual(now);
    tree.dispose();
  });

  it.each([11, 12, 13, 14])('several, in any order of calls, against every pair (seed %i)', (seed) => {
    const random = createRandom(seed);
    const tree = createChainTree(randomChain(random, 24, 0.8, true));
    const cutoff = 1;
    /** Pairs accepted at present and before the last application, as far as the tracker saw it. */
    const watched: { tracker: PairTracker; accepted: string[]; before: string[] | null }[] = [];
    const log: string[] = [];
    for (let step = 0; step < 80; step++) {
      const choice = random.next();
      if (choice < 0.35) {
        for (let k = 0; k <= random.integer(3); k++) stageChange(random, [tree], random.integer(23));
        // Fixed joints take nothing: the application before stays the one to undo.
        if (!tree.hasStagedChanges) continue;
        tree.apply();
        for (const one of watched) one.before = one.accepted;
        log.push('apply');
      } else if (choice < 0.6) {
        if (tree.undo()) for (const one of watched) if (one.before) one.accepted = one.before;
        for (const one of watched) one.before = null;
        log.push('undo');
      } else if (choice < 0.75 && watched.length < 4) {
        watched.push({
          tracker: createPairTracker(tree, cutoff),
          accepted: within(measureAll(tree), cutoff),
          before: null,
        });
        log.push('create');
      } else if (watched.length > 0) {
        const one = watched[random.integer(watched.length)];
        const now = within(measureAll(tree), cutoff);
        one.tracker.compare();
        const title = log.join(', ');
        expect(pairNames(one.tracker.appeared), title).toEqual(now.filter((pair) => !one.accepted.includes(pair)));
        expect(pairNames(one.tracker.vanished), title).toEqual(one.accepted.filter((pair) => !now.includes(pair)));
        if (choice > 0.9) {
          one.tracker.accept();
          one.accepted = now;
          log.push(`accept ${watched.indexOf(one)}`);
        }
      }
    }
    tree.dispose();
  });
});

it('a disposed tree answers nothing, nor does what watches it', () => {
  const random = createRandom(6);
  const tree = createChainTree(randomChain(random, 12, 1, false));
  const other = createChainTree(randomChain(random, 12, 1, false));
  const tracker = createPairTracker(tree, 1);
  const collider = createCollider({ type: 'sphere', radius: 1 });
  const obstacles = createChainObstacles(tree, [
    { collider, pose: poseToTransform(createTransform(), [0, 0, 0, 0, 0, 0, 1]) },
  ]);
  const pair = createChainPair(tree, other);
  const X = poseToTransform(createTransform(), [1, 0, 0, 0, 0, 0, 1]);
  const out = new LinkPairs();
  tree.hasContact();
  tree.dispose();
  const uses: Record<string, () => unknown> = {
    hasContact: () => tree.hasContact(),
    collectContacts: () => tree.collectContacts(out),
    collectPairs: () => tree.collectPairs(out, 1),
    nearestDistance: () => tree.nearestDistance(),
    relativePose: () => tree.relativePose(createTransform(), 2, 2),
    writeLinkPoses: () => tree.writeLinkPoses(new Float64Array(144)),
    apply: () => tree.apply(),
    undo: () => tree.undo(),
    compare: () => tracker.compare(),
    accept: () => tracker.accept(),
    createPairTracker: () => createPairTracker(tree, 1),
    obstacles: () => obstacles.hasContact(),
    distance: () => obstacles.distance(),
    pair: () => pair.hasContact(X),
    validate: () => tree.validate(),
  };
  for (const [name, use] of Object.entries(uses))
    expect(use, name).toThrow(/ChainTree: tree, got one that was disposed/);
  const live = createPairTracker(other, 1);
  live.dispose();
  expect(() => live.compare()).toThrow(/PairTracker: tracker, got one that was disposed/);
  other.dispose();
});

describe('links that are points and bare segments', () => {
  const chain = createChain({
    links: [
      { shape: { type: 'sphere', radius: 0 } },
      { shape: { type: 'box', size: [1, 1, 1] } },
      { shape: { type: 'capsule', radius: 0, length: 2 } },
      { shape: { type: 'capsule', radius: 0, length: 0 } },
      { shape: { type: 'balls', centers: Float64Array.of(0, 0, 0, 1, 0, 0), radii: Float64Array.of(0, 0.5) } },
      { shape: { type: 'sphere', radius: 0 } },
    ],
    joints: Array.from({ length: 5 }, () => ({
      type: 'revolute' as const,
      origin: [0.8, 0, 0, 0, 0, 0, 1] as const,
      axis: [0, 0, 1] as const,
    })),
  });

  it.each(Object.entries(chainRepresentations))('are held by %s', (_, create) => {
    const state = create(chain);
    const reference = createBruteForceChain(chain);
    let touching = 0;
    for (const angle of [0, 1, 2, 2.5]) {
      const [got, want] = [state, reference].map((each) => {
        for (let joint = 0; joint < 5; joint++) each.stageValue(joint, angle);
        each.apply();
        const out = new LinkPairs();
        each.collectContacts(out);
        return pairNames(out);
      });
      expect(got).toEqual(want);
      touching += want.length;
    }
    expect(touching).toBeGreaterThan(0);
    state.dispose();
  });

  it('meet obstacles and other chains', () => {
    const tree = createChainTree(chain);
    const box = createCollider({ type: 'box', size: [1, 1, 1] });
    const place = (x: number) => poseToTransform(createTransform(), [x, 0, 0, 0, 0, 0, 1]);
    const obstacles = createChainObstacles(tree, [{ collider: box, pose: place(-0.5) }]);
    expect(obstacles.hasContact()).toBe(true);
    expect(createChainObstacles(tree, [{ collider: box, pose: place(-1) }]).distance()).toBeCloseTo(0.5, 12);
    expect(createChainPair(tree, createChainTree(chain)).hasContact(place(0))).toBe(true);
  });
});

it('an oblique axis turns by the same bits everywhere: the length of an axis is a plain square root', () => {
  const tree = createChainTree(
    createChain({
      links: [{ shape: { type: 'sphere', radius: 1 } }, { shape: { type: 'sphere', radius: 1 } }],
      joints: [{ type: 'revolute', origin: [4, 0, 0, 0, 0, 0, 1], axis: [1, 0.3, 0.2] }],
    }),
  );
  const length = Math.sqrt(1 + 0.3 * 0.3 + 0.2 * 0.2);
  expect(Array.from(tree.chain.axes)).toEqual([1 / length, 0.3 / length, 0.2 / length]);
  tree.dispose();
});
