/**
 * Every query of every representation against all pairs measured anew, over long random runs: chains of 2 to 2,000 links of
 * mixed shapes and joints, with branches and fixed stretches, free and in contact from the start; one joint at a time, many
 * together, branches, moves tried first, steps taken back, steps nobody asked about.
 *
 * 180 steps, 10^5 with ORACLE_FULL: 20 slices of 5,000, a part of which `-t "slice 1[0-9]"` picks. CLEARANCE_REPORT prints
 * how often each query was asked.
 */
import { describe, it } from 'vitest';
import { disposeChain } from '../../src/chain/chain.js';
import { createChainObstacles } from '../../src/chain/chain-obstacles.js';
import { createChainPair } from '../../src/chain/chain-pair.js';
import type { ChainState } from '../../src/chain/chain-state.js';
import { ChainTree, createChainTree } from '../../src/chain/chain-tree.js';
import { LinkPairs } from '../../src/chain/link-pairs.js';
import { createPairTracker } from '../../src/chain/pair-tracker.js';
import { chainRepresentations } from '../../src/chain/representations.js';
import type { Shape } from '../../src/geometry/shapes.js';
import { createRandom, type Random } from '../../src/math/random.js';
import { createTransform, poseToTransform } from '../../src/math/transform.js';
import { createCollider } from '../../src/narrowphase/collider.js';
import { expect } from '../support/quick-expect.js';
import { AllPairs, pairKeys } from './all-pairs.js';
import {
  type BranchedChain,
  randomBranchedChain,
  randomChain,
  randomPose,
  stageBranch,
  stageChange,
  wedge,
} from './random-chains.js';

const isFull = Boolean(process.env.ORACLE_FULL);
const slices = Array.from({ length: isFull ? 20 : 3 }, (_, i) => i);
const stepsPerSlice = isFull ? 5_000 : 60;
/** A look at long chains is enough where time counts. */
const longestOf = (slice: number) => (isFull || slice === 0 ? 2000 : 150);

const counts = {
  steps: 0,
  inContact: 0,
  starts: 0,
  startsInContact: 0,
  undone: 0,
  moves: 0,
  contacts: 0,
  cutoffPairs: 0,
  changes: 0,
  nearest: 0,
  obstacles: 0,
  otherChain: 0,
};

/** From 2 to `longest` links, short ones more often: all pairs of long ones are dear to measure. */
const pickLinkCount = (random: Random, longest: number) => Math.round(2 * (longest / 2) ** (random.next() ** 2));

/** Beyond, brute force would take most of the time, and it is what everything is compared with anyway. */
const LONGEST_FOR_BRUTE_FORCE = 300;

/** How deep shapes cross is the narrow phase's business, tested there: here it counts that they do. */
function expectDistance(got: number, expected: number, what: string): void {
  if (expected > 0) expect(Math.abs(got - expected), `${what}: ${got} for ${expected}`).toBeLessThan(1e-8);
  else expect(got, what).toBeLessThanOrEqual(0);
}

function unitVector(random: Random): [number, number, number] {
  const angle = random.uniform(-Math.PI, Math.PI);
  const z = random.uniform(-1, 1);
  const r = Math.sqrt(1 - z * z);
  return [r * Math.cos(angle), r * Math.sin(angle), z];
}

const randomObstacle = (random: Random, linkCount: number) => {
  const shapes: readonly Shape[] = [
    { type: 'sphere', radius: random.uniform(0.2, 2) },
    { type: 'box', size: [random.uniform(0.1, 3), 0.5, 1] },
    { type: 'capsule', radius: 0.3, length: random.uniform(0, 5) },
    wedge(random.uniform(1, 4), 2) as Shape,
    { type: 'halfspace', normal: unitVector(random), offset: -(linkCount ** 0.7) },
    { type: 'compound', children: [{ shape: { type: 'sphere', radius: 1 } }, { shape: wedge(2, 2) as Shape, pose: randomPose(random, 3) }] }, // biome-ignore format: one row
  ];
  return { collider: createCollider(shapes[random.integer(shapes.length)]), pose: createTransform() };
};

/** One chain, in every representation, and what is asked about it. */
class Scenario {
  private readonly name: string;
  private readonly row: BranchedChain;
  private readonly linkCount: number;
  private readonly states: ChainState[];
  private readonly trees: ChainTree[];
  private readonly all: AllPairs;
  private readonly turning: number[];
  private readonly cutoff: number;
  private readonly trackers;
  private readonly other;
  private readonly otherAll: AllPairs;
  private readonly pairs;
  private readonly obstacles;
  private readonly obstacleQueries;
  private readonly out = new LinkPairs();
  private readonly X = createTransform();
  /** Pairs under the cutoff of the accepted state, and of the one before when it was accepted since the last change. */
  private accepted: number[];
  private before: number[] | null = null;

  constructor(
    private readonly random: Random,
    seed: number,
    longest: number,
  ) {
    const linkCount = pickLinkCount(random, longest);
    const spacings = linkCount > 150 ? [1, 1.5, 2.5, 4] : [0.5, 0.8, 1.2, 2, 4];
    const spacing = spacings[random.integer(spacings.length)];
    this.name = `seed ${seed}, ${linkCount} links ${spacing} apart`;
    this.row = randomBranchedChain(random, linkCount, spacing);
    const { chain } = this.row;
    this.linkCount = linkCount;
    this.states = Object.entries(chainRepresentations)
      .filter(([name]) => name !== 'brute force' || linkCount <= LONGEST_FOR_BRUTE_FORCE)
      .map(([, create]) => create(chain));
    this.trees = this.states.filter((state) => state instanceof ChainTree);
    this.all = new AllPairs(this.states[0]);
    this.turning = [...chain.jointKinds.keys()].filter((joint) => chain.jointKinds[joint] < 2);
    this.cutoff = random.uniform(0, 1.5);
    this.trackers = this.trees.map((tree) => createPairTracker(tree, this.cutoff));
    const others = randomChain(random, 1 + random.integer(40), 1.5, true);
    this.other = createChainTree(others);
    this.otherAll = new AllPairs(this.other);
    this.pairs = this.trees.map((tree) => createChainPair(tree, this.other));
    this.obstacles = [0, 1, 2].map(() => randomObstacle(random, linkCount));
    this.obstacleQueries = this.trees.map((tree) => createChainObstacles(tree, this.obstacles));
    this.all.place(this.states[0]);
    this.accepted = this.all.collect(this.cutoff);
    counts.starts++;
    if (this.all.collect(chain.tolerance).length > 0) counts.startsInContact++;
  }

  /** Steps until `most` states were asked about. */
  run(most: number): void {
    const { random } = this;
    for (let asked = 0; asked < most; ) {
      if (random.next() < 0.4 && this.turning.length > 0) {
        asked += this.tryMoves();
        continue;
      }
      this.change();
      if (random.next() < 0.15) continue;
      if (random.next() < 0.15) this.undo();
      this.ask();
      asked++;
      if (random.next() < 0.4) this.accept();
      if (random.next() < 0.35) this.undo();
    }
  }

  dispose(): void {
    for (const tracker of this.trackers) tracker.dispose();
    for (const state of [...this.states, this.other]) {
      if (state instanceof ChainTree && this.random.next() < 0.1) state.validate();
      state.dispose();
    }
    for (const { collider } of this.obstacles) collider.dispose();
    for (const reference of [this.all, this.otherAll]) reference.dispose();
    disposeChain(this.row.chain);
    disposeChain(this.other.chain);
  }

  private change(): void {
    const { random, states, linkCount, row } = this;
    const kind = random.next();
    if (kind < 0.2 && row.branches.length > 0) {
      stageBranch(random, states, row.branches[random.integer(row.branches.length)]);
    } else {
      const most = linkCount > 200 ? 30 : linkCount;
      const changes = kind < 0.7 ? 1 : 1 + random.integer(random.next() < 0.8 ? 4 : most);
      for (let i = 0; i < changes; i++) stageChange(random, states, random.integer(linkCount - 1));
    }
    this.apply();
  }

  private apply(): void {
    if (this.states[0].hasStagedChanges) this.before = null;
    for (const state of this.states) state.apply();
  }

  private undo(): void {
    const [first, ...rest] = this.states.map((state) => state.undo());
    for (const done of rest) expect(done, this.name).toBe(first);
    if (!first) return;
    counts.undone++;
    if (this.before) this.accepted = this.before;
    this.before = null;
  }

  /** Moves are tried, and then each is made, asked about and taken back but the last. */
  private tryMoves(): number {
    const { random, states, turning } = this;
    const sizes = Array.from({ length: 1 + random.integer(3) }, () => (random.next() < 0.7 ? 1 : random.integer(4)));
    const starts = Int32Array.of(0, ...sizes.map((_, i) => sizes.slice(0, i + 1).reduce((sum, size) => sum + size, 0)));
    const joints = Int32Array.from({ length: starts[sizes.length] }, () => turning[random.integer(turning.length)]);
    const angles = Float64Array.from(joints, () => random.uniform(-2, 2));
    const verdicts = states.map((state) => {
      const out = new Uint8Array(sizes.length);
      expect(state.evaluateMoves(out, starts, joints, angles)).toBe(out.filter((touches) => touches === 0).length);
      return out;
    });
    sizes.forEach((_, move) => {
      for (const state of states) {
        for (let k = starts[move]; k < starts[move + 1]; k++) state.stageTurn(joints[k], angles[k]);
      }
      const isChanged = states[0].hasStagedChanges;
      this.apply();
      const touches = this.ask() ? 1 : 0;
      for (const out of verdicts) expect(out[move], `${this.name}, move ${move}`).toBe(touches);
      counts.moves++;
      if (isChanged && move < sizes.length - 1) this.undo();
    });
    return sizes.length;
  }

  /** Every query of the present state; whether it is in contact. */
  private ask(): boolean {
    const { all, states, row, random } = this;
    all.place(states[0]);
    const near = all.collect(Math.max(this.cutoff, row.chain.tolerance));
    const contacts = near.filter((key) => this.isTouching(key));
    for (const state of states) this.askContacts(state, contacts);
    this.askPairs(near);
    if (contacts.length === 0 || random.next() < 0.02) this.askNearest(contacts.length > 0 ? 0 : all.findNearest());
    this.askObstacles();
    this.askOtherChain();
    counts.steps++;
    if (contacts.length > 0) counts.inContact++;
    return contacts.length > 0;
  }

  /** In contact the trees look for the deepest pair, which costs a depth for every pair that crosses: asked less often. */
  private askNearest(nearest: number): void {
    const { all, trees, name } = this;
    for (const tree of trees) {
      const distance = tree.nearestDistance();
      if (nearest === Infinity) {
        expect(distance, name).toBe(Infinity);
        continue;
      }
      expectDistance(distance, nearest, `${name}: nearest pair`);
      expectDistance(all.gap(tree.contactA, all, tree.contactB), nearest, `${name}: gap of the nearest pair`);
    }
    counts.nearest++;
  }

  private isTouching(key: number): boolean {
    const { all, linkCount } = this;
    return all.isWithin(Math.floor(key / linkCount), all, key % linkCount, this.row.chain.tolerance);
  }

  private askContacts(state: ChainState, expected: readonly number[]): void {
    const { random, out, name, linkCount } = this;
    if (random.next() < 0.5) {
      expect(state.hasContact(), name).toBe(expected.length > 0);
      const found = state.contactA * linkCount + state.contactB;
      if (expected.length > 0) expect(expected.includes(found), `${name}: ${found}`).toBe(true);
      else expect([state.contactA, state.contactB]).toEqual([-1, -1]);
    } else {
      expect(state.collectContacts(out), name).toBe(expected.length);
      expect(pairKeys(out, linkCount), name).toEqual(expected);
    }
    counts.contacts++;
  }

  private askPairs(now: readonly number[]): void {
    const { accepted, name, linkCount, out } = this;
    const [was, is] = [new Set(accepted), new Set(now)];
    const appeared = now.filter((key) => !was.has(key));
    const vanished = accepted.filter((key) => !is.has(key));
    counts.changes += appeared.length + vanished.length;
    this.trackers.forEach((tracker, i) => {
      tracker.compare();
      expect(pairKeys(tracker.appeared, linkCount), `${name}: appeared`).toEqual(appeared);
      expect(pairKeys(tracker.vanished, linkCount), `${name}: vanished`).toEqual(vanished);
      if (this.random.next() < 0.3) {
        this.trees[i].collectPairs(out, this.cutoff);
        expect(pairKeys(out, linkCount), `${name}: pairs`).toEqual(now);
      }
    });
    counts.cutoffPairs++;
  }

  private accept(): void {
    const now = this.all.collect(this.cutoff);
    for (const tracker of this.trackers) {
      tracker.accept();
      expect(pairKeys(tracker.accepted, this.linkCount), this.name).toEqual(now);
    }
    this.before ??= this.accepted;
    this.accepted = now;
  }

  private askObstacles(): void {
    const { all, random, linkCount, out, name, obstacles } = this;
    const { tolerance } = this.row.chain;
    for (const { pose, collider } of obstacles) {
      poseToTransform(pose, randomPose(random, collider.boundingRadius < Infinity ? 1 : 0));
      const near = all.poseOf(random.integer(linkCount));
      for (let k = 9; k < 12; k++) pose[k] += collider.boundingRadius < Infinity ? near[k] + 3 * random.normal() : 0;
    }
    const expected: number[] = [];
    let nearest = Infinity;
    for (let link = 0; link < linkCount; link++) {
      obstacles.forEach(({ collider, pose }, i) => {
        const gap = all.gapTo(link, collider, pose, Math.max(this.cutoff, nearest));
        nearest = Math.min(nearest, gap);
        if (gap <= this.cutoff) expected.push(link * obstacles.length + i);
      });
    }
    for (const query of this.obstacleQueries) {
      query.collectPairs(out, this.cutoff);
      expect(pairKeys(out, obstacles.length), `${name}: obstacles`).toEqual(expected);
      expect(query.hasContact(), `${name}: obstacles`).toBe(nearest <= tolerance);
      if (nearest > 0 || random.next() < 0.02) expectDistance(query.distance(), nearest, `${name}: obstacles`);
      if (nearest > 0) expect(query.distance(nearest / 2)).toBe(nearest / 2);
    }
    counts.obstacles++;
  }

  private askOtherChain(): void {
    const { all, other, otherAll, random, out, name, X } = this;
    stageSome(random, other);
    other.apply();
    poseToTransform(X, randomPose(random, 5));
    const near = all.poseOf(random.integer(this.linkCount));
    for (let k = 9; k < 12; k++) X[k] += near[k];
    otherAll.place(other, X);
    const expected = all.collectBetween(otherAll, this.cutoff);
    const nearest = all.findNearestBetween(otherAll);
    const tolerance = Math.max(this.row.chain.tolerance, other.chain.tolerance);
    for (const pair of this.pairs) {
      pair.collectPairs(out, X, this.cutoff);
      expect(pairKeys(out, otherAll.linkCount), `${name}: other chain`).toEqual(expected);
      expect(pair.hasContact(X), `${name}: other chain`).toBe(nearest <= tolerance);
      if (nearest > 0 || random.next() < 0.02) expectDistance(pair.distance(X), nearest, `${name}: other chain`);
    }
    counts.otherChain++;
  }
}

function stageSome(random: Random, state: ChainState): void {
  const last = state.chain.linkCount - 1;
  if (last > 0) stageChange(random, [state], random.integer(last));
}

describe('queries of a chain over random steps', () => {
  it.each(slices)(
    `equal all pairs measured anew, slice %i of ${stepsPerSlice} steps`,
    (slice) => {
      const most = counts.steps + stepsPerSlice;
      for (let seed = 1_000_000 * (slice + 1); counts.steps < most; seed++) {
        const scenario = new Scenario(createRandom(seed), seed, longestOf(slice));
        scenario.run(Math.min(isFull ? 200 : 20, most - counts.steps));
        scenario.dispose();
      }
      if (process.env.CLEARANCE_REPORT) console.log(`slice ${slice}`, JSON.stringify(counts));
    },
    // Only against a run that hangs.
    isFull ? 3_600_000 : 600_000,
  );
});
