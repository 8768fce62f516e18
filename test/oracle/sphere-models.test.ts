/**
 * Sphere models of the robots of the reference data, each proven; and Panda's against the spheres that planners use for it, as many,
 * grown until they contain the meshes. ORACLE_FULL=1 takes every robot.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unionVolume } from '../../src/geometry.js';
import { loadRobot } from '../../src/node/load-robot.js';
import { fitRobotSpheres, toSphereLists, verifyRobotSpheres } from '../../src/scene/robot-spheres.js';
import { needsShared, sharedPath } from '../shared.js';
import type { SphereRobot } from './sphere-robot.js';

const data = sharedPath('data', 'robots');
const FEW = ['ur5_robot.urdf', 'pr2.urdf'];
const files = data
  ? readFileSync(join(data, '..', 'MANIFEST.tsv'), 'utf8')
      .split('\n')
      .map((line) => line.split('\t'))
      .filter(([path, format]) => format === 'urdf' && path.startsWith('robots/'))
      .map(([path]) => path)
      .filter((path) => process.env.ORACLE_FULL || FEW.includes(basename(path)))
  : [];

const load = async (path: string) => {
  const folder = join(data!, '..', path.split('/').slice(0, 2).join('/'));
  return (await loadRobot(join(data!, '..', path), { packagePaths: [folder] })).value;
};

describe.skipIf(!data)(`sphere models${needsShared('data', 'robots')}`, () => {
  for (const path of files)
    it(`${basename(path)}: every level of every link is proven`, async () => {
      const robot = await load(path);
      if (!robot) return;
      const model = fitRobotSpheres(robot, { memory: new Map() });
      expect(model.assumed.filter((text) => text.includes('could not be proven'))).toEqual([]);
      for (const level of [0, Infinity]) {
        const proofs = verifyRobotSpheres(robot, toSphereLists(model, level));
        expect(proofs.filter(({ proven }) => !proven).map(({ link }) => link)).toEqual([]);
      }
    });
});

const reference = sharedPath('oracles', 'planning', 'panda_robot.json');

describe.skipIf(!data || !reference)(`Panda's spheres${needsShared('oracles', 'planning')}`, () => {
  it('take less volume than those of the reference once these contain the meshes', async () => {
    const robot = (await load('robots/panda/panda_description/urdf/panda.urdf'))!;
    const { links } = JSON.parse(readFileSync(reference!, 'utf8')) as SphereRobot;
    let [own, grown, shapes] = [0, 0, 0];
    for (const { name, spheres } of links) {
      const list = spheres.map((sphere) => intoLink(name, sphere));
      const given = new Map([[name, list]]);
      const one = {
        ...robot,
        description: {
          ...robot.description,
          collisions: robot.description.collisions.filter(({ link }) => link === name),
        },
      };
      const [{ gap, proven }] = verifyRobotSpheres(one, given);
      // As they are, no link's spheres contain its mesh.
      expect(proven).toBe(false);
      const more = 1.001 * gap + 1e-8;
      expect(verifyRobotSpheres(one, given, { tolerance: more })[0].proven).toBe(true);
      const {
        reports,
        links: fitted,
        proven: isProven,
      } = fitRobotSpheres(one, { count: list.length, coarser: 0, memory: new Map() });
      expect(isProven).toBe(true);
      expect(fitted[0].levels[0].length / 4).toBeLessThanOrEqual(list.length);
      own += reports[0].volume;
      shapes += reports[0].shapeVolume!;
      grown += unionVolume(list.flatMap(({ center, radius }) => [...center, radius + more]));
    }
    // The goal was 1.1.
    expect((own - shapes) / (grown - shapes)).toBeLessThan(0.3);
  });
});

/** Hand and fingers are given in the frame of the last link, the fingers opened by 65 mm. */
function intoLink(
  name: string,
  [x, y, z, radius]: readonly number[],
): { center: [number, number, number]; radius: number } {
  if (!/hand|finger/.test(name)) return { center: [x, y, z], radius };
  const c = Math.SQRT1_2;
  const [u, v, w] = [c * (x - y), c * (x + y), z - 0.107];
  if (name === 'panda_hand') return { center: [u, v, w], radius };
  return { center: [u, v + (name === 'panda_leftfinger' ? -0.065 : 0.065), w - 0.0584], radius };
}
