import { createFileSet } from 'clearance/web';
import { describe, expect, it } from 'vitest';
import { loadGivenFiles } from './load/given-files.js';
import { listContacts } from './queries.js';
import { createWorkspace } from './workspace.js';

/** A base at the origin, and a hand that reaches a metre to the front. */
const urdf = `<robot name="arm">
  <link name="base"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <link name="hand"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
  <joint name="slide" type="prismatic"><parent link="base"/><child link="hand"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="2" velocity="1" effort="1"/></joint></robot>`;

const part = { name: 'part', shape: { type: 'box', size: [0.1, 0.1, 0.1] } };
const cell = {
  version: 1,
  objects: [part],
  robots: [{ name: 'arm', file: 'arm.urdf', q: { slide: 1 } }],
  attached: [{ object: 'part', link: 'hand', pose: [0.05, 0, 0, 0, 0, 0, 1], touchLinks: [] as string[] }],
};

async function check(scene: object): Promise<{ contacts: string[]; issues: string[] }> {
  const given = Object.entries({ 'arm.urdf': urdf, 'cell.json': JSON.stringify(scene) });
  const files = await createFileSet(given.map(([name, text]): [string, Blob] => [name, new Blob([text])]));
  const workspace = createWorkspace(await loadGivenFiles(files));
  const contacts = listContacts(workspace.scene, workspace.objectPairs).map(({ a, b }) => `${a} ${b}`);
  return { contacts, issues: workspace.issues.map(({ code }) => code) };
}

describe('a scene file in the page', () => {
  it('holds one robot, and its part where the file says in the link', async () => {
    expect(await check(cell)).toEqual({ contacts: [], issues: [] });
    const wall = { name: 'wall', shape: part.shape, pose: [1.15, 0, 0, 0, 0, 0, 1] };
    expect(await check({ ...cell, objects: [part, wall] })).toEqual({ contacts: ['part wall'], issues: [] });
  });

  it('hangs a part without a pose where it stands in the world', async () => {
    const attached = [{ object: 'part', link: 'hand', touchLinks: [] }];
    expect((await check({ ...cell, attached })).contacts).toEqual(['base part']);
  });

  it('heeds its pairs that may touch, and says which it does not know', async () => {
    const objects = [part, { name: 'floor', shape: { type: 'box', size: [9, 9, 0.1] }, pose: [0, 0, 0, 0, 0, 0, 1] }];
    const { contacts } = await check({ ...cell, objects });
    expect(contacts).toEqual(['base floor', 'hand floor', 'part floor']);
    const allowed = contacts.map((pair) => ({ pair: pair.split(' ') }));
    expect(await check({ ...cell, objects, allowed })).toEqual({ contacts: [], issues: [] });
    const unknown = [...allowed, { pair: ['nobody', 'floor'] }];
    expect(await check({ ...cell, objects, allowed: unknown })).toEqual({ contacts, issues: ['bad-pair'] });
  });
});
