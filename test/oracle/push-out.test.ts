/**
 * Push-out of solid meshes on real parts: links of the Panda and of the UR5 pushed into each other, and set b's two closed
 * surfaces of 20,000 triangles. Each push-out must separate when applied, not before, and be at most 1.1 times the best of
 * 500 sampled directions.
 * More poses, and every pair of links: `ORACLE_FULL=1 npx vitest run --project oracle test/oracle/push-out.test.ts`.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TriangleMesh } from '../../src/geometry/triangle-mesh.js';
import { parseStl } from '../../src/io/mesh/stl.js';
import { type Collider, createCollider } from '../../src/narrowphase/collider.js';
import { needsShared, sharedPath } from '../shared.js';
import { compareToSampled } from '../support/sampled-push-out.js';
import { readReferenceMesh } from './reference-mesh.js';

const full = process.env.ORACLE_FULL === '1';
const LIMIT = 1.1;
const robots = [
  {
    name: 'panda',
    folder: ['data', 'robots', 'panda', 'panda_description', 'meshes', 'collision'],
    links: ['link0', 'link1', 'link2', 'link3', 'link4', 'link5', 'link6', 'link7', 'hand', 'finger'],
  },
  {
    name: 'ur5',
    folder: ['data', 'robots', 'ur5_ur10', 'robots', 'ur_description', 'meshes', 'ur5', 'collision'],
    links: ['base', 'shoulder', 'upperarm', 'forearm', 'wrist1', 'wrist2', 'wrist3'],
  },
];

function report(text: string): void {
  if (process.env.CLEARANCE_REPORT) process.stdout.write(`${text}\n`);
}

function createSolid(mesh: TriangleMesh): Collider {
  const collider = createCollider({ type: 'mesh', mesh });
  expect(collider.isSolid).toBe(true);
  return collider;
}

for (const { name, folder, links } of robots)
  describe.skipIf(!sharedPath(...folder))(`push-out of links of the ${name}${needsShared(...folder)}`, () => {
    const pairs = links
      .flatMap((a, i) => links.slice(i).map((b) => [a, b] as const))
      .filter(([a, b], i) => full || (a !== b && i % 5 === 1));
    it.each(pairs)(`%s and %s: at most ${LIMIT} times the best of 500 directions`, (nameA, nameB) => {
      const read = (link: string): Collider => {
        const { value } = parseStl(readFileSync(sharedPath(...folder, `${link}.stl`) as string));
        return createSolid((value as { mesh: TriangleMesh }).mesh);
      };
      using a = read(nameA);
      using b = read(nameB);
      const reach = 0.4 * Math.min(a.boundingRadius, b.boundingRadius);
      const worst = compareToSampled(a, b, { seed: 71, overlaps: full ? 20 : 3, reach });
      report(`${name} ${nameA}-${nameB}: ${worst.toFixed(4)} of the best sampled`);
      expect(worst).toBeLessThan(LIMIT);
    });
  });

const proximity = ['oracles', 'proximity'];
describe.skipIf(!sharedPath(...proximity))(`push-out of set b${needsShared(...proximity)}`, () => {
  it(`knot and bumpy: at most ${LIMIT} times the best of 500 directions`, () => {
    using a = createSolid(readReferenceMesh(sharedPath(...proximity, 'b_knot.ply') as string));
    using b = createSolid(readReferenceMesh(sharedPath(...proximity, 'b_bumpy.ply') as string));
    const worst = compareToSampled(a, b, { seed: 72, overlaps: full ? 20 : 2, reach: 0.6 * a.boundingRadius });
    report(`knot-bumpy: ${worst.toFixed(4)} of the best sampled`);
    expect(worst).toBeLessThan(LIMIT);
  });
});
