/**
 * Every robot of the reference data among shapes of every kind: verdicts of the sphere checker are those of the scene, what compiled
 * spheres call free is free, and the generic kernel decides the same states by spheres as the compiled module. Some states each by default; `ORACLE_FULL=1` a million over all.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildModel } from '../../src/model/build-model.js';
import { loadRobot } from '../../src/node/load-robot.js';
import { needsShared, sharedPath } from '../shared.js';
import { compareTiers } from '../support/compare-tiers.js';

/** Robots whose fits take longest: in full runs only. */
const SLOW = /pr2\.urdf|T12_flipped/;

const manifest = sharedPath('data', 'MANIFEST.tsv');
const files = manifest
  ? readFileSync(manifest, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t'))
      .filter(
        ([path, format]) => format === 'urdf' && path.startsWith('robots/') && !/joint_parsing|gonzo|kermit/.test(path),
      )
      .map(([path]) => path)
      .filter((path) => process.env.ORACLE_FULL || !SLOW.test(path))
  : [];
const states = process.env.ORACLE_FULL ? Math.ceil(1e6 / Math.max(files.length, 1)) : 60;
/** New obstacles after so many states. */
const PER_SCENE = process.env.ORACLE_FULL ? 500 : 15;
const total = { states: 0, free: 0, bySpheres: 0 };

describe.skipIf(!manifest)(`sphere checker${needsShared('data', 'MANIFEST.tsv')}`, () => {
  afterAll(() => {
    // Half of what is free must be seen by spheres, or the comparison says little.
    expect(total.free).toBeGreaterThan(0.05 * total.states);
    expect(total.bySpheres).toBeGreaterThan(0.2 * total.free);
  });

  for (const path of files) {
    it(`${basename(path)}: verdicts of the scene`, async () => {
      const file = join(sharedPath('data') as string, path);
      const { value } = await loadRobot(file, {
        packagePaths: [join(sharedPath('data') as string, ...path.split('/').slice(0, 2))],
      });
      if (!value) return;
      // One in three on a base that moves freely.
      const { model } = buildModel(value.description.model, { base: path.length % 3 === 0 ? 'floating' : 'fixed' });
      const seed = basename(path).length;
      const { wrong, different, ...counts } = compareTiers(value, model, { states, perScene: PER_SCENE, seed });
      total.states += counts.states;
      total.free += counts.free;
      total.bySpheres += counts.bySpheres;
      expect(wrong).toEqual([]);
      expect(different).toEqual([]);
    });
  }
});
