/**
 * Moving boxes against brute force, pair by pair, and against exact pair counts: 1,000 and 10,000 boxes, all or 1 % moving per step. No two boxes of the data ever
 * touch exactly, so the counts leave no room for interpretation.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createAutoBroadPhase } from '../../src/broadphase/auto.js';
import type { BroadPhase, FixedBroadPhase, PairVisitor } from '../../src/broadphase/broad-phase.js';
import { createDynamicTree } from '../../src/broadphase/dynamic-tree.js';
import { createHashGrid } from '../../src/broadphase/hash-grid.js';
import { createStaticTree } from '../../src/broadphase/static-tree.js';
import { createSweepAndPrune } from '../../src/broadphase/sweep-and-prune.js';
import { needsShared, sharedPath } from '../shared.js';

const folder = sharedPath('oracles', 'proximity');

interface MovingBoxes {
  readonly count: number;
  readonly centres: Float64Array;
  readonly halves: Float64Array;
  readonly steps: { readonly ids: Uint32Array; readonly centres: Float64Array }[];
}

function readMovingBoxes(file: string): MovingBoxes {
  const bytes = readFileSync(file);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  expect(bytes.toString('latin1', 0, 4)).toBe('BPH1');
  const count = view.getUint32(4, true);
  const stepCount = view.getUint32(8, true);
  let at = 20;
  const floats = (n: number): Float64Array =>
    Float64Array.from({ length: n }, () => {
      at += 4;
      return view.getFloat32(at - 4, true);
    });
  const centres = floats(3 * count);
  const halves = floats(3 * count);
  const steps: MovingBoxes['steps'] = [];
  for (let s = 0; s < stepCount; s++) {
    const moved = view.getUint32(at, true);
    at += 4;
    const ids = Uint32Array.from({ length: moved }, () => {
      at += 4;
      return view.getUint32(at - 4, true);
    });
    steps.push({ ids, centres: floats(3 * moved) });
  }
  expect(at).toBe(bytes.byteLength);
  return { count, centres, halves, steps };
}

function writeBox(out: Float64Array, centres: Float64Array, i: number, halves: Float64Array, id: number): Float64Array {
  for (let k = 0; k < 3; k++) {
    out[k] = centres[3 * i + k] - halves[3 * id + k];
    out[3 + k] = centres[3 * i + k] + halves[3 * id + k];
  }
  return out;
}

const resizable: [string, () => BroadPhase & { validate(): void }][] = [
  ['auto', createAutoBroadPhase],
  ['dynamic tree', createDynamicTree],
  ['dynamic tree, kept pairs', () => createDynamicTree({ persistentPairs: true })],
  ['dynamic tree, fat boxes', () => createDynamicTree({ fatMargin: 0.05 })],
  ['dynamic tree, fat boxes, kept pairs', () => createDynamicTree({ fatMargin: 0.05, persistentPairs: true })],
  ['hash grid, AUTO_INITIAL', () => createHashGrid()],
  ['hash grid, CONSTANT, 2-D', () => createHashGrid({ cellSizeMode: 'CONSTANT', cellSize: 1, dimensions: 2 })],
  ['hash grid, AUTO_ADAPTIVE, one level up', () => createHashGrid({ cellSizeMode: 'AUTO_ADAPTIVE', scaleFactor: 0.5 })],
  ['sweep and prune, 1 axis', () => createSweepAndPrune()],
  ['sweep and prune, 3 axes', () => createSweepAndPrune({ axes: 3 })],
];

type Movable = FixedBroadPhase & { validate(): void };

const makers: [string, (boxes: Float64Array) => Movable][] = [
  ...resizable.map(([name, create]): [string, (boxes: Float64Array) => Movable] => [
    name,
    (boxes) => {
      const phase = create();
      for (let o = 0; o < boxes.length; o += 6) phase.add(boxes.subarray(o, o + 6));
      return phase;
    },
  ]),
  ['static tree', (boxes) => createStaticTree(boxes)],
  ['static tree, kept pairs', (boxes) => createStaticTree(boxes, { persistentPairs: true })],
];

/** Order-free hash and count of a set of pairs. */
function digest(query: (visit: PairVisitor) => void): string {
  let count = 0;
  let hash = 0;
  query((a, b) => {
    count++;
    let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
    hash = (hash + (h ^ (h >>> 13))) | 0;
  });
  return `${count} pairs, ${hash}`;
}

/** Every pair of boxes tested, by the definition alone. */
function testAllPairs(boxes: Float64Array, visit: PairVisitor): void {
  for (let a = 0; a < boxes.length; a += 6) {
    const [x0, y0, z0, x1, y1, z1] = boxes.subarray(a, a + 6);
    for (let b = a + 6; b < boxes.length; b += 6) {
      if (x0 > boxes[b + 3] || boxes[b] > x1 || y0 > boxes[b + 4] || boxes[b + 1] > y1) continue;
      if (z0 <= boxes[b + 5] && boxes[b + 2] <= z1) visit(a / 6, b / 6);
    }
  }
}

describe.skipIf(!folder)(`moving boxes${needsShared('oracles', 'proximity')}`, () => {
  const counts = folder
    ? (JSON.parse(readFileSync(`${folder}/bp_pair_counts_bruteforce.json`, 'utf8')) as Record<
        string,
        (number | null)[]
      >)
    : {};

  test.each(['1000_all', '1000_1pct', '10000_all', '10000_1pct'])(
    '%s: every broad phase has the pairs of brute force after every step',
    (name) => {
      const data = readMovingBoxes(`${folder}/bp_${name}.bin`);
      const boxes = new Float64Array(6 * data.count);
      for (let i = 0; i < data.count; i++) writeBox(boxes.subarray(6 * i, 6 * i + 6), data.centres, i, data.halves, i);
      const phases = makers.map(([title, make]) => ({ title, phase: make(boxes) }));
      const found: number[] = [];
      const check = (): void => {
        const expected = digest((visit) => testAllPairs(boxes, visit));
        found.push(Number.parseInt(expected, 10));
        expect(phases.map(({ title, phase }) => `${title}: ${digest((visit) => phase.pairs(visit))}`)).toEqual(
          phases.map(({ title }) => `${title}: ${expected}`),
        );
      };
      check();
      for (const { ids, centres } of data.steps) {
        const moved = new Float64Array(6 * ids.length);
        for (let i = 0; i < ids.length; i++) {
          writeBox(moved.subarray(6 * i, 6 * i + 6), centres, i, data.halves, ids[i]);
          boxes.set(moved.subarray(6 * i, 6 * i + 6), 6 * ids[i]);
        }
        for (const { phase } of phases) phase.updateMany(ids, moved);
        check();
      }
      for (const { phase } of phases) phase.validate();
      // The larger sets list the counts at the start, after the first and after the last step.
      const listed = counts[name];
      const expected = listed.length === found.length ? found : [found[0], found[1], found[found.length - 1]];
      expect(expected).toEqual(listed);
    },
  );
});
