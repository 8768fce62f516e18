/**
 * Moving boxes against exact pair counts: 1,000 and 10,000 boxes, all or 1 % moving per step. No two boxes of the data ever
 * touch exactly, so the counts leave no room for interpretation.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { PairVisitor } from '../../src/broadphase/broad-phase.js';
import { createDynamicTree } from '../../src/broadphase/dynamic-tree.js';
import { createStaticTree } from '../../src/broadphase/static-tree.js';
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

interface Movable {
  pairs(visit: PairVisitor): void;
  update(id: number, box: Float64Array): void;
  validate(): void;
}

const makers: [string, (data: MovingBoxes) => Movable][] = [
  [
    'dynamic tree',
    ({ count, centres, halves }) => {
      const tree = createDynamicTree();
      const box = new Float64Array(6);
      for (let i = 0; i < count; i++) tree.add(writeBox(box, centres, i, halves, i));
      return tree;
    },
  ],
  [
    'dynamic tree, fat boxes',
    ({ count, centres, halves }) => {
      const tree = createDynamicTree({ fatMargin: 0.05 });
      const box = new Float64Array(6);
      for (let i = 0; i < count; i++) tree.add(writeBox(box, centres, i, halves, i));
      return tree;
    },
  ],
  [
    'static tree',
    ({ count, centres, halves }) => {
      const boxes = new Float64Array(6 * count);
      for (let i = 0; i < count; i++) writeBox(boxes.subarray(6 * i, 6 * i + 6), centres, i, halves, i);
      return createStaticTree(boxes);
    },
  ],
];

describe.skipIf(!folder)(`moving boxes${needsShared('oracles', 'proximity')}`, () => {
  const counts = folder
    ? (JSON.parse(readFileSync(`${folder}/bp_pair_counts_bruteforce.json`, 'utf8')) as Record<
        string,
        (number | null)[]
      >)
    : {};

  describe.each(['1000_all', '1000_1pct', '10000_all', '10000_1pct'])('%s', (name) => {
    test.each(makers)('%s: exact counts at the start and after every step that has one', (_title, make) => {
      const data = readMovingBoxes(`${folder}/bp_${name}.bin`);
      const phase = make(data);
      const found: number[] = [];
      const box = new Float64Array(6);
      const count = (): void => {
        let pairs = 0;
        phase.pairs(() => {
          pairs++;
        });
        found.push(pairs);
      };
      count();
      for (const { ids, centres } of data.steps) {
        for (let i = 0; i < ids.length; i++) phase.update(ids[i], writeBox(box, centres, i, data.halves, ids[i]));
        count();
      }
      phase.validate();
      // The larger sets list the counts at the start, after the first and after the last step.
      const listed = counts[name];
      const expected = listed.length === found.length ? found : [found[0], found[1], found[found.length - 1]];
      expect(expected).toEqual(listed);
    });
  });
});
