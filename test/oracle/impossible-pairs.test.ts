/**
 * Pairs of spheres that are proven never to touch, against random configurations: none of them is seen touching, and of those that are never
 * seen most are proven. The reference robots by default; with ORACLE_FULL=1 also fitted spheres of larger ones, and a million samples.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proveImpossiblePairs } from '../../src/compile/sphere-checks/impossible-pairs.js';
import { canVary } from '../../src/compile/sphere-checks/sphere-robot.js';
import { verifyImpossiblePairs } from '../../src/compile/sphere-checks/verify-impossible.js';
import { clampConfiguration, createNeutralConfiguration } from '../../src/model/configuration.js';
import { needsShared, sharedPath } from '../shared.js';
import { type FittedRobot, loadFittedRobot } from '../support/fitted-robot.js';
import { toReferenceSpheres } from '../support/reference-spheres.js';
import { seeTouchingPairs } from '../support/seen-pairs.js';
import type { SphereRobot } from './sphere-robot.js';

const isFull = process.env.ORACLE_FULL !== undefined;
const samples = isFull ? 1_000_000 : 4_000;
const planning = sharedPath('oracles', 'planning');
const data = sharedPath('data');

const LARGE = {
  fetch: 'robots/fetch/resources/fetch/fetch.urdf',
  pr2: 'robots/pr2/robots/pr2_description/urdf/pr2.urdf',
  talos: 'robots/talos/robots/talos_data/robots/talos_reduced.urdf',
} as const;

/** Counts of pairs of spheres. */
function countImpossible({ model, spheres, pairs }: FittedRobot, samples: number) {
  const indices = Array.from({ length: model.nq }, (_, i) => i).filter((i) => canVary(model, i));
  const neutral = createNeutralConfiguration(model);
  const rest = clampConfiguration(new Float64Array(model.nq), model, neutral);
  const before = process.cpuUsage();
  const proof = proveImpossiblePairs(model, spheres, { pairs, indices, rest, boxes: 4000, samples: 500 });
  const { user, system } = process.cpuUsage(before);
  const { isProven } = verifyImpossiblePairs(model, spheres, proof);
  const { seen } = seeTouchingPairs(model, spheres, pairs, samples);
  const counts = { all: 0, proven: 0, unseen: 0, wrong: 0, linkPairs: pairs.length, linksProven: 0 };
  const levels = new Map(spheres.links.map(({ link, levels }) => [link, levels[levels.length - 1].length / 4]));
  const byPair = new Map(proof.pairs.map((each) => [`${each.a} ${each.b}`, each]));
  pairs.forEach(([a, b], p) => {
    const { never } = byPair.get(`${a} ${b}`) ?? { never: [] };
    const width = levels.get(b) ?? 0;
    counts.all += seen[p].length;
    counts.proven += never.length / 2;
    counts.unseen += seen[p].filter((x) => x === 0).length;
    if (never.length / 2 === seen[p].length) counts.linksProven++;
    for (let i = 0; i < never.length; i += 2) if (seen[p][never[i] * width + never[i + 1]] === 1) counts.wrong++;
  });
  return { ...counts, isProven, seconds: (user + system) / 1e6 };
}

describe.each(['panda', 'ur5'])(`pairs of %s that never touch${needsShared('oracles', 'planning')}`, (name) => {
  it.runIf(planning)('are proven, and none is seen touching', () => {
    const robot = JSON.parse(readFileSync(join(planning as string, `${name}_robot.json`), 'utf8')) as SphereRobot;
    const { wrong, isProven, unseen, proven } = countImpossible(toReferenceSpheres(robot), samples);
    expect({ wrong, isProven }).toEqual({ wrong: 0, isProven: true });
    // What so few samples never see may touch.
    expect(proven).toBeGreaterThanOrEqual((isFull ? 0.8 : 0.6) * unseen);
  });
});

describe.skipIf(!data || !isFull)(`pairs of large robots that never touch${needsShared('data')}`, () => {
  it.each(Object.entries(LARGE))('%s: none of the proven is seen touching', async (_name, path) => {
    const { wrong, isProven, proven } = countImpossible(await loadFittedRobot(join(data as string, path)), samples);
    expect({ wrong, isProven }).toEqual({ wrong: 0, isProven: true });
    expect(proven).toBeGreaterThan(0);
  });
});
