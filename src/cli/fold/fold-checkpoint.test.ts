import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRandom } from '../../math/random.js';
import { type FoldCheckpoint, formatCheckpoint, readCheckpoint } from './fold-checkpoint.js';

const checkpoint: FoldCheckpoint = {
  format: 'clearance-fold',
  version: 3,
  settings: {
    input: { sequence: 'GAVL' },
    model: 1,
    altloc: 'highest',
    chains: null,
    sideChains: 'chi',
    omega: false,
    disulfides: 'keep',
    seed: 3,
    temperature: 300,
    anneal: null,
    annealSteps: 1000,
    moves: null,
    energy: 'charmm19',
    cutoff: 9,
    dielectric: 4,
    hardCore: 1.2,
    replicas: 1,
    highest: 600,
    exchangeEvery: 100,
  },
  outputs: { steps: 1000, every: 100, trajectories: [], table: null, deviationOf: 'name CA' },
  state: { step: 100, torsions: [0.1, -1.2345678901234567, 3], random: [1, 2, 3, 4], counts: [10, 5, 0, 1] },
  frames: 1,
  tally: { proposed: 10, accepted: 5 },
  files: [],
  curve: { stride: 1, seen: 1, points: [[100, -3.25]] },
};

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'clearance-checkpoint-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(content: string | Uint8Array): FoldCheckpoint {
  const path = join(folder, 'c.json');
  writeFileSync(path, content);
  return readCheckpoint(path);
}

it('comes back as it was written', () => {
  expect(read(formatCheckpoint(checkpoint))).toEqual(checkpoint);
});

it('is refused whatever bit of it flips, and wherever it is cut (seed 5)', () => {
  const random = createRandom(5);
  const bytes = new TextEncoder().encode(formatCheckpoint(checkpoint).trimEnd());
  for (let n = 0; n < 250; n++) {
    const at = random.integer(bytes.length);
    const bit = random.integer(8);
    const changed = bytes.slice();
    changed[at] ^= 1 << bit;
    expect(() => read(changed), `seed 5, bit ${bit} of byte ${at}`).toThrow(/^--resume .*c\.json: /);
    expect(() => read(bytes.slice(0, at)), `cut at ${at}`).toThrow(/no JSON, or cut off/);
  }
});

it.each([
  ['a torsion', (text: string) => text.replace('-1.2345678901234567', '-1.2245678901234567')],
  ['the seed', (text: string) => text.replace('"seed":3', '"seed":4')],
  ['the temperature', (text: string) => text.replace('"temperature":300', '"temperature":301')],
  ['blanks', (text: string) => JSON.stringify(JSON.parse(text), null, 2)],
])('is refused when %s was edited', (_, edit) => {
  const text = formatCheckpoint(checkpoint);
  expect(edit(text)).not.toBe(text);
  expect(() => read(edit(text))).toThrow(/changed since it was written/);
});
