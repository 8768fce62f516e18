import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkScene, nearestPair } from '../scene/queries/check.js';
import { createShapeResolver } from '../scene/resolve-shape.js';
import { addObject, createScene, disposeScene } from '../scene/scene.js';
import type { Scene } from '../scene/types.js';
import { loadScene } from './load-scene.js';

let folder = '';
const pcd = (points: string[]): string =>
  `VERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH ${points.length}\nHEIGHT 1\nPOINTS ${points.length}\nDATA ascii\n${points.join('\n')}\n`;
/** Octant 7 of the root, then octant 0 down to the cell at the origin. */
const octomap = (): Uint8Array => {
  const inner = [...Array(15).keys()].flatMap((level) => (level === 0 ? [0, 192] : [3, 0]));
  const header = '# Octomap OcTree binary file\nid OcTree\nsize 17\nres 0.1\ndata\n';
  return Uint8Array.from([...new TextEncoder().encode(header), ...inner, 2, 0]);
};
const tetrahedron = 'solid t\n'.concat(
  ...[
    ['0 0 0', '0 1 0', '1 0 0'],
    ['0 0 0', '1 0 0', '0 0 1'],
    ['1 0 0', '0 1 0', '0 0 1'],
    ['0 0 0', '0 0 1', '0 1 0'],
  ].map(
    (corners) => `facet normal 0 0 0\nouter loop\n${corners.map((c) => `vertex ${c}\n`).join('')}endloop\nendfacet\n`,
  ),
  'endsolid t\n',
);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'clearance-scene-'));
  mkdirSync(join(folder, 'files'));
  writeFileSync(join(folder, 'files/room.bt'), octomap());
  writeFileSync(join(folder, 'files/scan.pcd'), pcd(['0.02 0.02 0.02', '1.02 0.02 0.02']));
  writeFileSync(join(folder, 'files/part.stl'), tetrahedron);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function load(objects: readonly object[]): ReturnType<typeof loadScene> {
  const file = join(folder, 'scene.json');
  writeFileSync(file, JSON.stringify({ version: 1, objects }));
  return loadScene(file);
}

async function build(objects: readonly object[]): Promise<Scene> {
  const { value, issues } = await load(objects);
  expect(issues).toEqual([]);
  const scene = createScene();
  const resolver = createShapeResolver(value!.meshes, undefined, value!.clouds);
  for (const { name, shape, pose } of value!.description.objects)
    addObject(scene, { name, shape: resolver.resolve(shape)!, pose });
  return scene;
}

describe('scene files with octrees, clouds, height fields and compounds', () => {
  const probe = (x: number, y: number, z: number) => ({
    name: 'probe',
    shape: { type: 'sphere', radius: 0.1 },
    pose: [x, y, z, 0, 0, 0, 1],
  });

  it.each([
    ['a map', { type: 'octree', file: 'files/room.bt' }, probe(0.05, 0.05, 1), 0.8],
    ['cells of points', { type: 'octree', file: 'files/scan.pcd', resolution: 0.1 }, probe(1.05, 0.05, 1), 0.8],
    ['written cells', { type: 'octree', cells: [[0, 0, 0, 2]], resolution: 0.1 }, probe(0.05, 0.05, 1), 0.7],
    ['balls of a file', { type: 'points', file: 'files/scan.pcd', radius: 0.05 }, probe(1.02, 0.02, 1.02), 0.85],
    ['written points', { type: 'points', points: [[0, 0, 0.5]], radius: 0.1 }, probe(0, 0, 1), 0.3],
    [
      'a height field',
      {
        type: 'heightfield',
        heights: [
          [0.2, 0.2],
          [0.2, 0.2],
        ],
        spacing: [1, 1],
        floor: 0,
      },
      probe(0, 0, 1),
      0.7,
    ],
    [
      'a compound of a file and a box',
      {
        type: 'compound',
        children: [
          { shape: { type: 'mesh', file: 'files/part.stl' }, pose: [5, 0, 0, 0, 0, 0, 1] },
          { shape: { type: 'octree', file: 'files/room.bt' }, pose: [0, 0, -0.1, 0, 0, 0, 1] },
        ],
      },
      probe(0.05, 0.05, 1),
      0.9,
    ],
  ])('%s', async (_title, shape, other, gap) => {
    const scene = await build([{ name: 'thing', shape }, other]);
    // PCD holds 32-bit numbers.
    expect(nearestPair(scene)!.distance).toBeCloseTo(gap, 7);
    expect(checkScene(scene).free).toBe(true);
    disposeScene(scene);
  });

  it('reads a file once, and tells of a missing one with the object', async () => {
    const { value, issues } = await load([
      { name: 'a', shape: { type: 'points', file: 'files/scan.pcd', radius: 0.1 } },
      { name: 'b', shape: { type: 'octree', file: 'files/scan.pcd', resolution: 0.1 } },
      {
        name: 'c',
        shape: { type: 'compound', children: [{ shape: { type: 'points', file: 'files/none.ply', radius: 1 } }] },
      },
    ]);
    expect(value!.clouds.size).toBe(1);
    expect([...value!.files.keys()]).toEqual(['files/scan.pcd']);
    expect(issues).toMatchObject([
      { severity: 'error', element: 'object "c"', message: expect.stringContaining('none.ply') },
    ]);
  });

  it('may not leave its folder for a cloud either', async () => {
    writeFileSync(join(folder, '..', 'clearance-outside.pcd'), pcd(['0 0 0']));
    const { issues } = await load([
      { name: 'a', shape: { type: 'points', file: '../clearance-outside.pcd', radius: 1 } },
    ]);
    rmSync(join(folder, '..', 'clearance-outside.pcd'));
    expect(issues).toMatchObject([{ severity: 'error', code: 'path-outside' }]);
  });
});
