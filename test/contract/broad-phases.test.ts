/**
 * What every broad phase promises, checked against a brute force written here from the definition alone:
 * exactly the pairs whose boxes overlap or touch, each once, a < b, whatever was added, moved or removed before.
 */
import { describe, test } from 'vitest';
import { createAutoBroadPhase } from '../../src/broadphase/auto.js';
import type { BroadPhase, NearPairQuery } from '../../src/broadphase/broad-phase.js';
import { BruteForce, createBruteForce } from '../../src/broadphase/brute-force.js';
import { createDynamicTree } from '../../src/broadphase/dynamic-tree.js';
import { createHashGrid } from '../../src/broadphase/hash-grid.js';
import { createStaticTree } from '../../src/broadphase/static-tree.js';
import { createSweepAndPrune } from '../../src/broadphase/sweep-and-prune.js';
import { createRandom, type Random } from '../../src/math/random.js';
import { expect } from '../support/quick-expect.js';

type Box = number[];

const resizable: [string, () => BroadPhase & NearPairQuery & { validate?(): void }][] = [
  ['brute force', createBruteForce],
  ['dynamic tree', () => createDynamicTree()],
  ['dynamic tree, fat boxes', () => createDynamicTree({ fatMargin: 0.05 })],
  ['dynamic tree, kept pairs', () => createDynamicTree({ persistentPairs: true })],
  [
    'dynamic tree, fat boxes, pairs kept for a margin',
    () => createDynamicTree({ fatMargin: 0.05, persistentPairs: true, pairMargin: 0.2 }),
  ],
  ['auto', () => createAutoBroadPhase()],
  ['sweep and prune, 1 axis', () => createSweepAndPrune()],
  ['sweep and prune, 3 axes', () => createSweepAndPrune({ axes: 3 })],
  ['sweep and prune, 3 axes, pairs kept for a margin', () => createSweepAndPrune({ axes: 3, pairMargin: 0.2 })],
  ['hash grid, AUTO_INITIAL', () => createHashGrid()],
  ['hash grid, AUTO_ADAPTIVE, 2-D', () => createHashGrid({ cellSizeMode: 'AUTO_ADAPTIVE', dimensions: 2 })],
  ['hash grid, CONSTANT', () => createHashGrid({ cellSizeMode: 'CONSTANT', cellSize: 1, multiCellThreshold: 4 })],
  [
    'hash grid, narrow cells, no kept pairs',
    () => createHashGrid({ cellSizeMode: 'CONSTANT', cellSize: 0.03, multiCellThreshold: 0.4, persistentPairs: false }),
  ],
];

type Kind = 'even' | 'mixed' | 'integer' | 'points' | 'same' | 'line' | 'open';
const kinds: Kind[] = ['even', 'mixed', 'integer', 'points', 'same', 'line', 'open'];

/** Boxes of one kind; `integer` makes touching faces frequent, `open` mixes in half-spaces and huge boxes. */
function randomBox(random: Random, kind: Kind): Box {
  const centre = [0, 1, 2].map(() => random.uniform(-5, 5));
  let half = [0, 1, 2].map(() => random.uniform(0, 0.5));
  if (kind === 'mixed') half = half.map((h) => h * 10 ** random.uniform(-12, 1.2));
  if (kind === 'points') half = [0, 0, 0];
  if (kind === 'same') return [-1, -1, -1, 1, 1, 1];
  if (kind === 'line') centre[1] = centre[2] = 0;
  let box = [...centre.map((c, k) => c - half[k]), ...centre.map((c, k) => c + half[k])];
  if (kind === 'integer') {
    const lower = [0, 1, 2].map(() => random.integer(8) - 4);
    box = [...lower, ...lower.map((value) => value + random.integer(3))];
  }
  if (kind === 'open' && random.next() < 0.15) {
    for (let k = 0; k < 3; k++) {
      if (random.next() < 0.7) box[k] = random.next() < 0.5 ? -Infinity : -1e250;
      if (random.next() < 0.7) box[3 + k] = random.next() < 0.5 ? Infinity : 1e99;
    }
  }
  return box;
}

function overlaps(a: Box, b: Box, margin = 0): boolean {
  for (let k = 0; k < 3; k++) if (!(a[k] <= b[k + 3] + margin && b[k] <= a[k + 3] + margin)) return false;
  return true;
}

function gap(a: Box, b: Box): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) sum += Math.max(0, a[k] - b[k + 3], b[k] - a[k + 3]) ** 2;
  return Math.sqrt(sum);
}

function expectedPairs(boxes: Map<number, Box>, margin = 0): string[] {
  const ids = [...boxes.keys()].sort((a, b) => a - b);
  const pairs: string[] = [];
  for (const a of ids)
    for (const b of ids) if (a < b && overlaps(boxes.get(a)!, boxes.get(b)!, margin)) pairs.push(`${a},${b}`);
  return pairs.sort();
}

function foundPairs(phase: Pick<BroadPhase, 'pairs'>, margin?: number): string[] {
  const pairs: string[] = [];
  phase.pairs((a, b) => {
    pairs.push(`${a},${b}`);
  }, margin);
  return pairs.sort();
}

function foundOfMoved(phase: Pick<BroadPhase, 'pairsOfMoved'>, margin?: number): string[] {
  const pairs: string[] = [];
  phase.pairsOfMoved((a, b) => {
    pairs.push(`${a},${b}`);
  }, margin);
  return pairs.sort();
}

const involves = (pair: string, ids: Set<number>): boolean => pair.split(',').some((id) => ids.has(Number(id)));

function gapToPoint(box: Box, point: number[]): number {
  return gap(box, [...point, ...point]);
}

function found(query: (visit: (id: number) => void) => void): number[] {
  const ids: number[] = [];
  query((id) => void ids.push(id));
  return ids.sort((a, b) => a - b);
}

/** Ray against box from the definition: some t in [0, maxT] lies in all three slabs. */
function rayMeets(box: Box, origin: number[], direction: number[], maxT: number): boolean {
  let near = 0;
  let far = maxT;
  for (let k = 0; k < 3; k++) {
    if (direction[k] === 0) {
      if (origin[k] < box[k] || origin[k] > box[k + 3]) return false;
    } else {
      const t = [(box[k] - origin[k]) / direction[k], (box[k + 3] - origin[k]) / direction[k]].sort((a, b) => a - b);
      near = Math.max(near, t[0]);
      far = Math.min(far, t[1]);
    }
  }
  return near <= far;
}

function checkQueries(
  phase: Omit<BroadPhase, 'add' | 'remove'> & NearPairQuery,
  boxes: Map<number, Box>,
  random: Random,
) {
  const all = [...boxes.keys()].sort((a, b) => a - b);
  for (let i = 0; i < 5; i++) {
    const region = randomBox(random, i === 0 ? 'mixed' : 'even');
    expect(found((visit) => phase.queryBox(region, visit))).toEqual(
      all.filter((id) => overlaps(boxes.get(id)!, region)),
    );
    const point = i === 0 ? [1, 1, 1] : [0, 1, 2].map(() => random.uniform(-5, 5));
    const asBox = [...point, ...point];
    expect(found((visit) => phase.queryPoint(point, visit))).toEqual(
      all.filter((id) => overlaps(boxes.get(id)!, asBox)),
    );
    const direction = [0, 1, 2].map(() => random.uniform(-1, 1));
    if (i === 1) direction[0] = 0;
    if (i === 2) direction[1] = direction[2] = 0;
    const maxT = i === 3 ? Infinity : random.uniform(0, 10);
    expect(found((visit) => phase.castRay(point, direction, maxT, visit))).toEqual(
      all.filter((id) => rayMeets(boxes.get(id)!, point, direction, maxT)),
    );
  }
  const radius = random.uniform(0, 1);
  const centre = [0, 1, 2].map(() => random.uniform(-6, 6));
  const withGaps = (limit: number): string[] => {
    const calls: string[] = [];
    phase.queryNearest(centre, limit, (id, distance) => {
      calls.push(`${id} ${distance}`);
    });
    return calls.sort();
  };
  for (const limit of [radius, Infinity])
    expect(withGaps(limit)).toEqual(
      all
        .map((id) => `${id} ${gapToPoint(boxes.get(id)!, centre)}`)
        .filter((call) => Number(call.split(' ')[1]) <= limit)
        .sort(),
    );
  let closest = Infinity;
  phase.queryNearest(centre, Infinity, (_id, distance) => {
    closest = Math.min(closest, distance);
    return closest;
  });
  expect(closest).toBe(Math.min(...all.map((id) => gapToPoint(boxes.get(id)!, centre))));
  const half = [0, 1, 2].map(() => random.uniform(0, 3));
  const region = [...centre.map((c, k) => c - half[k]), ...centre.map((c, k) => c + half[k])];
  const around: string[] = [];
  phase.nearBox(region, radius, (id, distance) => {
    around.push(`${id} ${distance}`);
  });
  expect(around.sort()).toEqual(
    all
      .map((id) => `${id} ${gap(boxes.get(id)!, region)}`)
      .filter((call) => Number(call.split(' ')[1]) <= radius)
      .sort(),
  );
  const near: string[] = [];
  phase.nearPairs(radius, (a, b, distance) => {
    near.push(`${a},${b} ${distance}`);
  });
  const expected: string[] = [];
  let nearest = Infinity;
  for (const a of all)
    for (const b of all) {
      if (a >= b) continue;
      const distance = gap(boxes.get(a)!, boxes.get(b)!);
      nearest = Math.min(nearest, distance);
      if (distance <= radius) expected.push(`${a},${b} ${distance}`);
    }
  expect(near.sort()).toEqual(expected.sort());
  let best = Infinity;
  phase.nearPairs(Infinity, (_a, _b, distance) => {
    best = Math.min(best, distance);
    return best;
  });
  expect(best).toBe(nearest);
}

/** Count and order-free hash of a set of pairs. */
class PairDigest {
  count = 0;
  hash = 0;
  add(a: number, b: number): void {
    this.count++;
    let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
    this.hash = (this.hash + (h ^ (h >>> 13))) | 0;
  }
}

/** Of the large set, which is the same for every broad phase: after each of its steps. */
const expectedDigests: PairDigest[] = [];

/** All pairs by sorting along x, straight from the definition of overlap. */
function sweepDigest(boxes: Float64Array): PairDigest {
  const n = boxes.length / 6;
  const lower = Float64Array.from({ length: n }, (_, i) => boxes[6 * i]);
  const order = Int32Array.from({ length: n }, (_, i) => i).sort((a, b) => lower[a] - lower[b]);
  const digest = new PairDigest();
  for (let i = 0; i < n; i++) {
    const a = 6 * order[i];
    for (let j = i + 1; j < n && lower[order[j]] <= boxes[a + 3]; j++) {
      const b = 6 * order[j];
      if (boxes[a + 1] > boxes[b + 4] || boxes[b + 1] > boxes[a + 4]) continue;
      if (boxes[a + 2] > boxes[b + 5] || boxes[b + 2] > boxes[a + 5]) continue;
      digest.add(Math.min(order[i], order[j]), Math.max(order[i], order[j]));
    }
  }
  return digest;
}

describe.each(resizable)('%s', (_name, create) => {
  test.each(kinds)('finds the pairs of %s boxes while they come, move, jump and go (seeds 1 to 3)', (kind) => {
    for (let seed = 1; seed <= 3; seed++) {
      const random = createRandom(seed);
      const phase = create();
      const boxes = new Map<number, Box>();
      const moved = new Set<number>();
      for (let step = 0; step < 30; step++) {
        // Some steps are quiet, so that few things move.
        const calm = step % 3 === 2 ? 0.1 : 1;
        const adds = step % 3 === 2 ? 0 : random.integer(step === 10 ? 60 : 12);
        const later: number[] = [];
        for (let i = 0; i < adds; i++) {
          const box = randomBox(random, kind);
          const id = phase.add(box);
          if (boxes.has(id)) throw new Error(`id ${id} was given twice`);
          boxes.set(id, box);
          moved.add(id);
        }
        for (const id of [...boxes.keys()]) {
          const dice = random.next() / calm;
          let box = boxes.get(id)!;
          if (dice < 0.1) {
            phase.remove(id);
            boxes.delete(id);
            moved.delete(id);
            continue;
          }
          if (dice < 0.2) box = randomBox(random, kind);
          else if (dice < 0.6) {
            const shift = random.uniform(-0.1, 0.1);
            box = box.map((value) => value + shift);
          }
          if (box.some((value, k) => value !== boxes.get(id)![k])) moved.add(id);
          boxes.set(id, box);
          if (dice < 0.4) phase.update(id, box);
          else later.push(id);
        }
        phase.updateMany(
          later,
          later.flatMap((id) => boxes.get(id)!),
        );
        if (step % 4 === 1) {
          const margin = step % 8 === 1 ? 0 : 0.3;
          expect(foundOfMoved(phase, margin)).toEqual(
            expectedPairs(boxes, margin).filter((pair) => involves(pair, moved)),
          );
          moved.clear();
        }
        phase.validate?.();
        expect(phase.size).toBe(boxes.size);
        expect(foundPairs(phase)).toEqual(expectedPairs(boxes));
        const margin = random.uniform(0, 0.5);
        expect(foundPairs(phase, margin)).toEqual(expectedPairs(boxes, margin));
        expect(foundPairs(phase, 0.2)).toEqual(expectedPairs(boxes, 0.2));
        if (step % 7 === 0) expect(foundPairs(phase, -0.1)).toEqual(expectedPairs(boxes, -0.1));
        if (step % 5 === 0) checkQueries(phase, boxes, random);
      }
    }
  });

  test('touching boxes overlap, boxes one ulp apart do not', () => {
    const phase = create();
    phase.add([0, 0, 0, 1, 1, 1]);
    const other = phase.add([1, 1, 1, 2, 2, 2]);
    expect(foundPairs(phase)).toEqual(['0,1']);
    phase.update(other, [1 + Number.EPSILON, 1, 1, 2, 2, 2]);
    expect(foundPairs(phase)).toEqual([]);
    expect(foundPairs(phase, Number.EPSILON)).toEqual(['0,1']);
  });

  test('ids of removed boxes come back, the others keep theirs', () => {
    const phase = create();
    const ids = [0, 1, 2].map((x) => phase.add([x, 0, 0, x + 0.5, 1, 1]));
    phase.remove(ids[1]);
    expect(phase.size).toBe(2);
    expect(found((visit) => phase.queryBox([-9, -9, -9, 9, 9, 9], visit))).toEqual([ids[0], ids[2]]);
    expect(phase.add([0, 0, 0, 1, 1, 1])).toBe(ids[1]);
    expect(foundPairs(phase)).toEqual([`${ids[0]},${ids[1]}`]);
  });

  test('an empty set and a single box have no pairs', () => {
    const phase = create();
    expect(foundPairs(phase)).toEqual([]);
    checkQueries(phase, new Map(), createRandom(1));
    const id = phase.add([0, 0, 0, 1, 1, 1]);
    expect(foundPairs(phase, Infinity)).toEqual([]);
    phase.remove(id);
    expect(phase.size).toBe(0);
    expect(found((visit) => phase.queryPoint([0.5, 0.5, 0.5], visit))).toEqual([]);
  });

  test('a visitor that returns false ends the query', () => {
    const phase = create();
    for (let i = 0; i < 20; i++) phase.add(i % 2 === 0 ? [0, 0, 0, 1, 1, 1] : [-Infinity, 0, 0, 1, 1, 1]);
    const count = (query: (visit: () => boolean) => void): number => {
      let calls = 0;
      query(() => ++calls < 3);
      return calls;
    };
    expect(count((visit) => phase.pairs(visit))).toBe(3);
    expect(count((visit) => phase.queryBox([0, 0, 0, 1, 1, 1], visit))).toBe(3);
    expect(count((visit) => phase.queryPoint([0, 0, 0], visit))).toBe(3);
    expect(count((visit) => phase.castRay([0, 0, 0], [1, 0, 0], 1, visit))).toBe(3);
    let calls = 0;
    phase.nearPairs(1, () => (++calls < 3 ? 1 : -1));
    expect(calls).toBe(3);
  });

  test('a query may run inside a visitor', () => {
    const phase = create();
    for (let i = 0; i < 30; i++) phase.add([i, 0, 0, i + 1, 1, 1]);
    const neighbours: number[] = [];
    phase.pairs((a) => {
      neighbours.push(found((visit) => phase.queryPoint([a + 0.5, 0.5, 0.5], visit)).length);
    });
    expect(neighbours).toEqual(new Array(29).fill(1));
  });

  test('misuse is refused before anything changes', () => {
    const phase = create();
    const id = phase.add([0, 0, 0, 1, 1, 1]);
    const bad: Box[] = [
      [0, 0, 0, -1, 1, 1],
      [Number.NaN, 0, 0, 1, 1, 1],
      [0, 0, 0, 1, 1],
      [Infinity, 0, 0, Infinity, 1, 1],
    ];
    for (const box of bad) {
      expect(() => phase.add(box)).toThrow(/box, got/);
      expect(() => phase.update(id, box)).toThrow(/box, got/);
      expect(() => phase.queryBox(box, () => {})).toThrow(/box, got/);
      if (box.length === 6) expect(() => phase.updateMany([id, id], [3, 3, 3, 4, 4, 4, ...box])).toThrow(/box, got/);
    }
    expect(() => phase.updateMany([id], [0, 0, 0])).toThrow(/boxes, got/);
    expect(() => phase.updateMany([id, 7], [3, 3, 3, 4, 4, 4, 3, 3, 3, 4, 4, 4])).toThrow(/id, got/);
    expect(() => phase.pairsOfMoved(() => {}, Number.NaN)).toThrow(/margin/);
    expect(() => phase.queryNearest([0, 0], 1, () => {})).toThrow(/point/);
    expect(() => phase.queryNearest([0, 0, 0], Number.NaN, () => {})).toThrow();
    expect(() => phase.nearBox([0, 0, 0, 1, 1], 1, () => {})).toThrow(/box, got/);
    expect(() => phase.nearBox([0, 0, 0, 1, 1, 1], Number.NaN, () => {})).toThrow(/margin/);
    expect(phase.size).toBe(1);
    expect(found((visit) => phase.queryBox([0, 0, 0, 1, 1, 1], visit))).toEqual([id]);
    for (const unknown of [1, -1, 0.5, Number.NaN]) {
      expect(() => phase.update(unknown, [0, 0, 0, 1, 1, 1])).toThrow(/id, got/);
      expect(() => phase.remove(unknown)).toThrow(/id, got/);
    }
    phase.remove(id);
    expect(() => phase.remove(id)).toThrow(/id, got/);
    expect(() => phase.pairs(() => {}, Number.NaN)).toThrow(/margin/);
    expect(() => phase.castRay([0, 0, 0], [0, 0, 0], 1, () => {})).toThrow(/direction/);
    expect(() => phase.castRay([0, 0, 0], [1, 0, 0], -1, () => {})).toThrow(/maxT/);
    expect(() => phase.queryPoint([0, Number.NaN, 0], () => {})).toThrow(/point/);
  });

  test('nothing may be added, moved or removed from inside a visitor; a refused call changes nothing', () => {
    const phase = create();
    const id = phase.add([0, 0, 0, 1, 1, 1]);
    phase.add([0, 0, 0, 1, 1, 1]);
    for (const change of [
      () => phase.add([0, 0, 0, 1, 1, 1]),
      () => phase.remove(id),
      () => phase.update(id, [2, 2, 2, 3, 3, 3]),
      () => phase.updateMany([id], [2, 2, 2, 3, 3, 3]),
      () => phase.pairsOfMoved(() => {}),
    ]) {
      expect(() => phase.pairs(() => change() as undefined)).toThrow(/inside a visitor/);
      expect(() => phase.pairs(() => change() as undefined, 0.1)).toThrow(/inside a visitor/);
      expect(() => phase.queryPoint([0, 0, 0], () => change() as undefined)).toThrow(/inside a visitor/);
    }
    expect(foundPairs(phase)).toEqual(['0,1']);
  });

  test('removed in the middle of a step: its pairs go at once, and its id comes back as another box', () => {
    const phase = create();
    const ids = [0, 1, 2, 3].map((x) => phase.add([x, 0, 0, x + 1, 1, 1]));
    expect(foundPairs(phase)).toEqual(['0,1', '1,2', '2,3']);
    phase.update(ids[1], [1, 0, 0, 2.5, 1, 1]);
    phase.update(ids[2], [2.1, 0, 0, 3, 1, 1]);
    phase.remove(ids[1]);
    expect(foundPairs(phase)).toEqual(['2,3']);
    expect(foundOfMoved(phase)).toEqual(['2,3']);
    phase.update(ids[3], [2.5, 0, 0, 4, 1, 1]);
    phase.remove(ids[3]);
    expect(phase.add([-0.5, 0, 0, 0.5, 1, 1])).toBe(ids[3]);
    expect(foundPairs(phase)).toEqual(['0,3']);
    expect(foundOfMoved(phase)).toEqual(['0,3']);
    expect(foundOfMoved(phase)).toEqual([]);
  });

  test('contacts of boxes at rest persist while another one moves', () => {
    const phase = create();
    for (let x = 0; x < 40; x++) phase.add([x, 0, 0, x + 1, 1, 1]);
    const mover = phase.add([100, 0, 0, 101, 1, 1]);
    expect(foundPairs(phase)).toHaveLength(39);
    foundOfMoved(phase);
    for (let x = -3; x < 45; x++) {
      phase.update(mover, [x + 0.25, 0.5, 0.5, x + 0.75, 2, 2]);
      const isOn = x >= 0 && x < 40;
      expect(foundPairs(phase)).toHaveLength(39 + (isOn ? 1 : 0));
      expect(foundOfMoved(phase)).toEqual(isOn ? [`${x},${mover}`] : []);
    }
  });

  test('the same calls give the same pairs in the same order, and asking again changes nothing', () => {
    const run = (): string[] => {
      const random = createRandom(7);
      const phase = create();
      const order: string[] = [];
      for (let step = 0; step < 12; step++) {
        const box = (): Box => randomBox(random, 'even');
        for (let i = 0; i < 9; i++) phase.add(box());
        for (let id = 0; id < phase.size; id++) if (random.next() < (step % 2 ? 0.05 : 0.7)) phase.update(id, box());
        const once: string[] = [];
        phase.pairs((a, b) => void once.push(`${a},${b}`));
        const again: string[] = [];
        phase.pairs((a, b) => void again.push(`${a},${b}`));
        expect(again).toEqual(once);
        order.push(...once);
      }
      return order;
    };
    expect(run()).toEqual(run());
  });

  // 100,000 with ORACLE_FULL.
  const many = process.env.ORACLE_FULL ? 100_000 : 30_000;
  test(`${many} boxes, huge ones and points among them: all pairs, then some moving and jumping`, () => {
    if (create() instanceof BruteForce) return;
    const random = createRandom(11);
    const n = many;
    const boxes = new Float64Array(6 * n);
    const write = (id: number): void => {
      const half = id % (n / 4) === 7 ? 20 : id % 10 === 0 ? 0 : random.uniform(0.1, 0.4);
      for (let k = 0; k < 3; k++) {
        const centre = random.uniform(-60, 60);
        boxes[6 * id + k] = centre - half;
        boxes[6 * id + 3 + k] = centre + half;
      }
    };
    const phase = create();
    for (let id = 0; id < n; id++) {
      write(id);
      if (phase.add(boxes.subarray(6 * id, 6 * id + 6)) !== id) throw new Error(`not the next id: ${id}`);
    }
    for (let step = 0; step < 2; step++) {
      if (step > 0) {
        const ids = Int32Array.from({ length: 1000 }, (_, i) => (97 * i) % n);
        for (const id of ids) write(id);
        const moved = new Float64Array(6000);
        ids.forEach((id, i) => void moved.set(boxes.subarray(6 * id, 6 * id + 6), 6 * i));
        phase.updateMany(ids, moved);
      }
      const digest = new PairDigest();
      phase.pairs((a, b) => digest.add(a, b));
      expectedDigests[step] ??= sweepDigest(boxes);
      expect(digest).toEqual(expectedDigests[step]);
    }
  });

  test('box tests are counted', () => {
    const phase = create();
    for (let i = 0; i < 10; i++) phase.add([i, 0, 0, i + 1.2, 1, 1]);
    foundPairs(phase);
    expect(phase.boxTests).toBeGreaterThan(0);
    // 45 pairs; a grid may test one in each cell that both boxes touch.
    expect(phase.boxTests).toBeLessThanOrEqual(2 * 45);
    phase.resetCounts();
    expect(phase.boxTests).toBe(0);
  });
});

describe('static tree', () => {
  test.each(kinds)('finds the pairs of %s boxes while they move and jump (seeds 1 to 3)', (kind) => {
    for (let seed = 1; seed <= 3; seed++) {
      const random = createRandom(seed);
      for (const n of [0, 1, 2, 3, 7, 64, 101]) {
        const boxes = new Map<number, Box>();
        for (let id = 0; id < n; id++) boxes.set(id, randomBox(random, kind));
        const tree = createStaticTree([...boxes.values()].flat());
        for (let step = 0; step < 6; step++) {
          tree.validate();
          expect(tree.size).toBe(n);
          expect(foundPairs(tree)).toEqual(expectedPairs(boxes));
          expect(foundPairs(tree, 0.3)).toEqual(expectedPairs(boxes, 0.3));
          checkQueries(tree, boxes, random);
          for (const id of boxes.keys()) {
            if (random.next() < 0.5) continue;
            const box = randomBox(random, kind);
            boxes.set(id, box);
            tree.update(id, box);
          }
        }
      }
    }
  });

  test('refuses a list that is not made of boxes', () => {
    expect(() => createStaticTree([0, 0, 0, 1, 1])).toThrow(/multiple of 6/);
    expect(() => createStaticTree([0, 0, 0, 1, -1, 1])).toThrow(/box, got/);
  });
});

describe('pairs between two trees', () => {
  test.each(kinds)('%s boxes: the same as testing every pair (seeds 1 to 6)', (kind) => {
    for (let seed = 1; seed <= 6; seed++) {
      const random = createRandom(seed);
      const first = Array.from({ length: random.integer(60) }, () => randomBox(random, kind));
      const second = Array.from({ length: random.integer(60) }, () => randomBox(random, 'open'));
      const treeA = createStaticTree(first.flat());
      const treeB = createDynamicTree({ fatMargin: seed % 2 === 0 ? 0.1 : 0 });
      for (const box of second) treeB.add(box);
      for (const margin of [0, 0.25]) {
        const expected: string[] = [];
        first.forEach((a, i) => {
          second.forEach((b, j) => {
            if (overlaps(a, b, margin)) expected.push(`${i},${j}`);
          });
        });
        const pairs: string[] = [];
        treeA.pairsBetween(
          treeB,
          (a, b) => {
            pairs.push(`${a},${b}`);
          },
          margin,
        );
        expect(pairs.sort()).toEqual(expected.sort());
      }
    }
  });
});
