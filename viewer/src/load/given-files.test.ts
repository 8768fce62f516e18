import type { Issue } from 'clearance/io';
import { createFileSet } from 'clearance/web';
import { describe, expect, it } from 'vitest';
import { loadGivenFiles, readPath } from './given-files.js';

const read = (value: unknown): [ReturnType<typeof readPath>, Issue[]] => {
  const issues: Issue[] = [];
  return [readPath(typeof value === 'string' ? value : JSON.stringify(value), 'path.json', issues), issues];
};

describe('readPath', () => {
  it('takes what the command line writes, and bare lists', () => {
    const path = [
      [0, 1],
      [1, 2],
    ];
    expect(read({ status: 'solved', path })).toEqual([{ joints: null, path }, []]);
    expect(read(path)).toEqual([{ joints: null, path }, []]);
    expect(read({ joints: ['a', 'b'], path })).toEqual([{ joints: ['a', 'b'], path }, []]);
    expect(read('a,b\n0,1\n1,2\n')).toEqual([{ joints: ['a', 'b'], path }, []]);
    expect(read('time,a,b,v:a,v:b\n0,0,1,0,0\n2,1,2,0,0\n')).toEqual([{ joints: ['a', 'b'], path, times: [0, 2] }, []]);
    expect(read([{ path }, { path }])[1]).toMatchObject([{ code: 'several-paths' }]);
  });

  it.each([
    ['an empty path', { path: [] }],
    ['rows of different lengths', [[0], [1, 2]]],
    ['text among the numbers', [[0, 'a']]],
    ['a scene', { version: 1, objects: [] }],
    ['nothing', null],
    ['no JSON', '{"path": [[0'],
    ['empty rows', [[], []]],
  ])('refuses %s, with words', (_, value) => {
    const [path, issues] = read(value);
    expect(path).toBeNull();
    expect(issues).toMatchObject([{ severity: 'error', file: 'path.json' }]);
  });
});

describe('a folder with a robot and a scene that places it', () => {
  const robot = (name: string): string =>
    `<robot name="${name}"><link name="base"><collision><geometry><sphere radius="0.1"/></geometry></collision></link></robot>`;
  const scene = (file: string): string => JSON.stringify({ version: 1, objects: [], robots: [{ name: 'left', file }] });
  const load = async (files: Readonly<Record<string, string>>): Promise<string[]> => {
    const given = Object.entries(files).map(([name, text]): [string, Blob] => [name, new Blob([text])]);
    const { robots } = await loadGivenFiles(await createFileSet(given));
    return robots.map(({ name, description }) => name ?? description.name);
  };

  it('holds the robot once', async () => {
    expect(await load({ 'cell/arm.urdf': robot('arm'), 'cell/cell.json': scene('arm.urdf') })).toEqual(['left']);
    expect(await load({ 'cell/a b/arm.urdf': robot('arm'), 'cell/cell.json': scene('./a b/arm.urdf') })).toEqual([
      'left',
    ]);
  });

  it('holds another robot beside it', async () => {
    const files = {
      'cell/arm.urdf': robot('arm'),
      'cell/own/own.urdf': robot('own'),
      'cell/cell.json': scene('own/own.urdf'),
    };
    expect(await load(files)).toEqual(['arm', 'left']);
  });
});
