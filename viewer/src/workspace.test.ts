import { readFileSync } from 'node:fs';
import { createFileSet } from 'clearance/web';
import { describe, expect, it } from 'vitest';
import { loadGivenFiles } from './load/given-files.js';
import { listContacts } from './queries.js';
import { createWorkspace } from './workspace.js';

const arm = new URL('../../examples/arm/', import.meta.url);
const meshes = ['base', 'drum', 'finger', 'flange', 'fork', 'sleeve', 'upright', 'wrist'];
const names = ['arm.urdf', 'arm.srdf', 'cell.json', ...meshes.map((name) => `meshes/${name}.stl`)];

interface Cell {
  objects: { name: string; shape: unknown; pose?: number[] }[];
  attached: unknown[];
  allowed?: { pair: [string, string] }[];
}

/** Contacts and issues of the bundled cell, changed. */
async function checkCell(change: (cell: Cell) => void = () => {}): Promise<{ contacts: string[]; issues: string[] }> {
  const given = names.map((name): [string, Blob] => [name, new Blob([readFileSync(new URL(name, arm))])]);
  const cell = JSON.parse(readFileSync(new URL('cell.json', arm), 'utf8')) as Cell;
  change(cell);
  given[2] = ['cell.json', new Blob([JSON.stringify(cell)])];
  const content = await loadGivenFiles(await createFileSet(given));
  const workspace = createWorkspace(content);
  const contacts = listContacts(workspace.scene, workspace.objectPairs).map(({ a, b }) => `${a} ${b}`);
  return { contacts, issues: workspace.issues.map(({ code }) => code) };
}

describe('a scene file in the page', () => {
  it('holds one robot, and its part where the file says, as on the command line: free', async () => {
    expect(await checkCell()).toEqual({ contacts: [], issues: [] });
  });

  it('hangs a part without a pose where it stands in the world', async () => {
    const { contacts } = await checkCell((cell) => {
      cell.attached = [{ object: 'part', link: 'tool' }];
    });
    expect(contacts).toEqual(['base_link part']);
  });

  it('heeds its pairs that may touch, and says which it does not know', async () => {
    const wall = (cell: Cell): void => {
      cell.objects.push({ name: 'wall', shape: { type: 'box', size: [0.1, 0.1, 0.1] }, pose: [0, 0, 0.1, 0, 0, 0, 1] });
    };
    const { contacts } = await checkCell(wall);
    expect(contacts).toContain('base_link wall');
    const allowed = contacts.map((pair) => ({ pair: pair.split(' ') as [string, string] }));
    const allow = (pairs: Cell['allowed']) => (cell: Cell) => {
      wall(cell);
      cell.allowed = pairs;
    };
    expect(await checkCell(allow(allowed))).toEqual({ contacts: [], issues: [] });
    const unknown = await checkCell(allow([{ pair: ['nobody', 'wall'] }]));
    expect(unknown).toEqual({ contacts, issues: ['bad-pair'] });
  });
});
