import { createFileSet } from 'clearance/web';
import { describe, expect, it } from 'vitest';
import { loadGivenFiles } from '../load/given-files.js';
import { createWorkspace, disposeWorkspace } from '../workspace.js';
import { findHiding } from './hiding.js';

const ball = '<collision><geometry><sphere radius="0.1"/></geometry></collision>';
const joint = (name: string, parent: string, child: string): string =>
  `<joint name="${name}" type="revolute"><parent link="${parent}"/><child link="${child}"/><origin xyz="0 0 0.5"/><axis xyz="0 1 0"/>
  <limit lower="-2" upper="2" velocity="1" effort="1"/></joint>`;
const urdf = `<robot name="arm"><link name="base">${ball}</link><link name="upper">${ball}</link><link name="lower">${ball}</link>
  ${joint('shoulder', 'base', 'upper')}${joint('elbow', 'upper', 'lower')}</robot>`;

const wall = (name: string, x: number, height = 4): object => ({
  ...{ name, shape: { type: 'box', size: [0.1, 2, height] }, pose: [x, 0, 0, 0, 0, 0, 1] },
});
const cell = {
  version: 1,
  objects: [wall('near', 3), wall('nearer', 4), wall('behind', -2), wall('low', 2, 0.2), wall('held', 1)],
  robots: [{ name: 'arm', file: 'arm.urdf' }],
  attached: [{ object: 'held', link: 'lower', touchLinks: [] }],
};

describe('findHiding', () => {
  it('names what stands before the robot, each of several, and nothing behind it or in its hand', async () => {
    const given = Object.entries({ 'arm.urdf': urdf, 'cell.json': JSON.stringify(cell) });
    const files = await createFileSet(given.map(([name, text]): [string, Blob] => [name, new Blob([text])]));
    const workspace = createWorkspace(await loadGivenFiles(files));
    const { scene } = workspace;
    expect(findHiding(scene, [6, 0, 0.4], ['held']).sort()).toEqual(['near', 'nearer']);
    expect(findHiding(scene, [6, 0, 0.4], ['held', 'nearer'])).toEqual(['near']);
    // What hides one link of three is no hindrance; nor is the part in its hand.
    expect(findHiding(scene, [2.6, 0, 0.4], [])).toEqual([]);
    expect(findHiding(scene, [0.3, 5, 0.4], ['held'])).toEqual([]);
    disposeWorkspace(workspace);
  });
});
