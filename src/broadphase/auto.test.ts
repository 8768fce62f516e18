import { expect, test } from 'vitest';
import { createRandom } from '../math/random.js';
import { createAutoBroadPhase } from './auto.js';

const random = createRandom(3);
const place = (size = 1): number[] => {
  const corner = [0, 1, 2].map(() => random.uniform(0, 30));
  return [...corner, ...corner.map((value) => value + size)];
};
const count = (phase: { pairs(visit: () => void): void }): number => {
  let pairs = 0;
  phase.pairs(() => {
    pairs++;
  });
  return pairs;
};

test('few boxes: brute force; many at rest: tree; many jumping: grid; and back, with reasons and ids kept', () => {
  const phase = createAutoBroadPhase();
  const boxes: number[][] = [];
  const add = (n: number): void => {
    for (let i = 0; i < n; i++) {
      boxes.push(place());
      expect(phase.add(boxes[boxes.length - 1])).toBe(boxes.length - 1);
    }
  };
  add(10);
  count(phase);
  expect(phase.choice).toMatchObject({ method: 'brute force', reason: expect.stringContaining('10 boxes') });
  add(190);
  const atRest = count(phase);
  expect(phase.choice).toMatchObject({ method: 'dynamic tree', reason: expect.stringContaining('kept pairs') });
  expect(count(phase)).toBe(atRest);
  for (let step = 0; step < 4; step++) {
    for (let id = 0; id < 200; id++) phase.update(id, place());
    count(phase);
  }
  expect(phase.choice).toMatchObject({ method: 'hash grid', reason: expect.stringContaining('jump') });
  phase.updateMany(
    boxes.map((_, id) => id),
    boxes.flat(),
  );
  expect(count(phase)).toBe(atRest);
  // Nothing changes, so neither does the method, nor the order of the pairs.
  for (let step = 0; step < 6; step++) count(phase);
  expect(phase.choice.method).toBe('hash grid');
  for (let step = 0; step < 6; step++) {
    phase.update(
      0,
      boxes[0].map((value) => value + 0.01 * (5 - step)),
    );
    count(phase);
  }
  expect(phase.choice.method).toBe('dynamic tree');
  expect(count(phase)).toBe(atRest);
  for (let id = 5; id < 200; id++) phase.remove(id);
  count(phase);
  expect(phase.choice.method).toBe('brute force');
});

test('jumping boxes of very different sizes stay in the tree', () => {
  const phase = createAutoBroadPhase();
  const size = (id: number): number => (id % 20 === 0 ? 25 : 1);
  for (let id = 0; id < 200; id++) phase.add(place(size(id)));
  for (let step = 0; step < 4; step++) {
    for (let id = 0; id < 200; id++) phase.update(id, place(size(id)));
    count(phase);
  }
  expect(phase.choice).toMatchObject({ method: 'dynamic tree', reason: expect.stringContaining('median size') });
});

test('what moved before a change of method is reported after it', () => {
  const phase = createAutoBroadPhase();
  for (let x = 0; x < 100; x++) phase.add([x, 0, 0, x + 1, 1, 1]);
  let pairs = 0;
  phase.pairsOfMoved(() => {
    pairs++;
  });
  expect(phase.choice.method).toBe('dynamic tree');
  expect(pairs).toBe(99);
});

test('the option is checked', () => {
  expect(() => createAutoBroadPhase({ pairMargin: Number.NaN })).toThrow(/options\.pairMargin, got NaN/);
});
