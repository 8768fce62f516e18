/** `decompose`, `--depth`, shapes of scene files, and options that are refused where they mean nothing, by the built command line. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandLineOutcome, callCommandLine } from '../support/command-line.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cli = join(root, 'dist/esm/cli.js');
const example = (path: string): string => join(root, 'examples', path);
const arm = [example('arm/arm.urdf'), '--srdf', example('arm/arm.srdf')];
const shelf = ['--scene', example('scenes/table-shelf.json')];
const shaft = example('assembly/meshes/shaft.stl');

let folder = '';
beforeAll(() => {
  if (!existsSync(cli)) throw new Error('the command line is not built: run `npm run build`');
  folder = mkdtempSync(join(tmpdir(), 'clearance-cli-'));
  write('poses.jsonl', '{}\n');
  write('motions.jsonl', '{"b1":[0,0,1,0,0,0,1]}\n');
  write('states.jsonl', '{"q":"home"}\n');
  write('open.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
  write(
    'scan.ply',
    'ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0.5\n',
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const path = (name: string): string => join(folder, name);
function write(name: string, content: string | object): string {
  writeFileSync(path(name), typeof content === 'string' ? content : JSON.stringify(content));
  return path(name);
}

function run(...args: readonly string[]): CommandLineOutcome {
  return callCommandLine(args, { cwd: folder });
}

describe('decompose', () => {
  it('writes convex parts and a compound that scenes take', () => {
    const { status, out, err } = run('decompose', shaft, '--out', 'parts', '--json');
    expect([status, err]).toEqual([0, '']);
    const { parts, concavity, files, status: end } = JSON.parse(out);
    expect(end).toBe('ok');
    expect(files).toHaveLength(parts + 1);
    expect(readdirSync(path('parts'))).toHaveLength(parts + 1);
    expect(concavity).toBeLessThan(0.0011);
    const info = JSON.parse(run('info', path('parts/shaft-001.stl'), '--json').out);
    expect(info).toMatchObject({ kind: 'mesh', watertight: true });
    const shape = JSON.parse(readFileSync(path('parts/compound.json'), 'utf8'));
    const objects = [
      { name: 'parts', shape },
      { name: 'probe', shape: { type: 'sphere', radius: 0.001 }, pose: [0, 0, 1, 0, 0, 0, 1] },
    ];
    const near = JSON.parse(
      run('check', write('compound.scene.json', { version: 1, objects }), '--margin', '2', '--json').out,
    );
    const whole = [{ name: 'parts', shape: { type: 'mesh', file: shaft } }, objects[1]];
    const scene = write('mesh.scene.json', { version: 1, objects: whole });
    const reference = JSON.parse(run('check', scene, '--margin', '2', '--allow-outside', '--json').out);
    expect(Math.abs(near.pairs[0].distance - reference.pairs[0].distance)).toBeLessThanOrEqual(concavity);
  });

  it('says when the parts run out, and writes what there is', () => {
    const housing = example('assembly/meshes/housing.stl');
    const { status, out } = run('decompose', housing, '--max-parts', '2', '--json');
    expect(status).toBe(3);
    expect(JSON.parse(out)).toMatchObject({ status: 'part-limit', files: [] });
  });

  it.each([
    [['open.obj'], /open\.obj: the mesh is open, expected it watertight/],
    [[shaft, '--surface'], /--surface: a decomposition is of the inside/],
    [[shaft, '--concavity', '0'], /--concavity/],
    [[shaft, '--out', 'open.obj'], /--out open\.obj: a file, expected a folder/],
    [[shaft, '--out', 'none/parts'], /there is no folder none/],
  ])('refuses %j', (args, message) => {
    const { status, out, err } = run('decompose', ...args);
    expect(err).toMatch(message);
    expect([status, out]).toEqual([2, '']);
  });
});

describe('shapes of scene files', () => {
  const shapes = {
    points: { type: 'points', file: 'scan.ply', radius: 0.1 },
    octree: { type: 'octree', file: 'scan.ply', resolution: 0.2 },
    heightfield: {
      type: 'heightfield',
      heights: [
        [0.5, 0.5],
        [0.5, 0.5],
      ],
      spacing: [1, 1],
    },
    compound: { type: 'compound', children: [{ shape: { type: 'points', file: 'scan.ply', radius: 0.1 } }] },
  };
  const gaps = { points: 0.3, octree: 0.3, heightfield: 0.4, compound: 0.3 };

  it.each(Object.entries(shapes))('%s in check, info and pair', (name, shape) => {
    const probe = { name: 'probe', shape: { type: 'sphere', radius: 0.1 }, pose: [0, 0, 1, 0, 0, 0, 1] };
    const scene = write(`${name}.json`, { version: 1, objects: [{ name: 'thing', shape }, probe] });
    const { pairs } = JSON.parse(run('check', scene, '--margin', '1', '--json').out);
    expect(pairs[0].distance).toBeCloseTo(gaps[name as keyof typeof gaps], 9);
    expect(JSON.parse(run('info', scene, '--json').out).shapes).toMatchObject({ [name]: 1 });
    const lines = write('pairs.jsonl', { A: shape, B: 'sphere:0.1', b: probe.pose });
    const answer = JSON.parse(run('pair', '--pairs', lines, '--query', 'distance', '--json').out);
    expect(answer.distance).toBeCloseTo(gaps[name as keyof typeof gaps], 9);
  });

  it.each([
    ['more triangles than it announces', 'more.tris', '1\n0 0 0\n1 0 0\n0 1 0\n5 5 5\n6 5 5\n5 6 5\n'],
    ['more faces than it announces', 'more.off', 'OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 1 2\n'],
    ['no triangles', 'none.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\n'],
  ])('of a file with %s are no ground for an answer', (_, name, content) => {
    write(name, content);
    for (const args of [
      ['pair', name, 'sphere:1'],
      ['cast', 'sphere:1', name, '--motions', 'motions.jsonl'],
    ]) {
      const { status, out, err } = run(...args);
      expect([status, out]).toEqual([2, '']);
      expect(err).toContain('not all of it was read');
    }
  });

  it('tell file, element and remedy when they are wrong', () => {
    const scene = write('wrong.json', {
      version: 1,
      objects: [{ name: 'map', shape: { type: 'octree', file: 'scan.ply' } }],
    });
    const { status, err } = run('check', scene);
    expect(err).toMatch(/wrong\.json:1: error: cells and points need .* write "resolution".*object "map"/);
    expect(status).toBe(2);
  });
});

describe('--depth', () => {
  const middle = (() => {
    const { start, goal } = JSON.parse(readFileSync(example('scenes/problems.jsonl'), 'utf8').split('\n')[0]);
    return start.map((value: number, i: number) => 0.5 * (value + goal[i])).join(',');
  })();
  const check = (depth: string) =>
    JSON.parse(run('check', ...arm, ...shelf, '--q', middle, '--all', '--json', '--depth', depth).out).contacts;

  it('changes depths, not what touches', () => {
    const [none, hull, exact] = ['none', 'hull', 'exact'].map(check);
    const names = (list: { a: string; b: string }[]) => list.map(({ a, b }) => [a, b]);
    expect(names(none)).toEqual(names(exact));
    expect(names(hull)).toEqual(names(exact));
    expect(none[0]).toMatchObject({ depth: null, point: null, normal: null });
    hull.forEach(({ depth }: { depth: number }, i: number) => {
      expect(depth).toBeGreaterThanOrEqual(exact[i].depth - 1e-9);
    });
  });
});

describe('options that mean nothing are refused by name', () => {
  it.each([
    [['cast', ...arm, '--motions', 'motions.jsonl', '--from', 'home'], /^--from: means nothing with --motions/],
    [['cast', ...arm, '--pairs', 'motions.jsonl', '--to', 'home'], /^--pairs: is for shapes/],
    [['cast', 'sphere:1', 'sphere:1', '--motions', 'motions.jsonl', '--to', 'home'], /^--to: is for robots/],
    [['cast', 'sphere:1', 'sphere:1', '--motions', 'motions.jsonl', '--margin', '1'], /^--margin: is for robots/],
    [['check', example('assembly/bearing.json'), '--path'], /^--path: means nothing for a scene without states/],
    [['check', example('assembly/bearing.json'), '--workers', '2'], /^--workers: means nothing for a scene/],
    [['check', example('assembly/bearing.json'), '--q', '0'], /^--q: means nothing for a scene/],
    [['check', example('assembly/bearing.json'), '--depth', 'none'], /^--depth none: .* expected hull or exact/],
    [['check', ...arm, '--workers', '2'], /^--workers: is for many states, expected --states/],
    [['distance', example('assembly/bearing.json'), '--limits'], /^--limits: means nothing for a scene/],
    [['distance', ...arm, '--q', 'home', '--within', '1'], /^--within: is for a scene \(\.json\)/],
    [
      ['check', ...arm, '--states', 'states.jsonl', '--path', '--workers', '2'],
      /^--workers: means nothing with --path/,
    ],
    [['pair', 'sphere:1', 'sphere:1', '--tolerance', '1'], /^--tolerance: is for --query tolerance/],
    [['pair', 'sphere:1', 'sphere:1', '--max-contacts', '1'], /^--max-contacts: is for --query contacts/],
    [['pair', '--pairs', 'poses.jsonl', '--poses', 'poses.jsonl'], /^--poses: means nothing with --pairs/],
  ])('%j', (args, message) => {
    const { status, out, err } = run(...args);
    expect(err).toMatch(message);
    expect([status, out]).toEqual([2, '']);
  });

  it('--altloc of a letter that no atom has', () => {
    const atom = (name: string, alternate: string, serial: number, x: number): string =>
      `ATOM  ${String(serial).padStart(5)}  ${name.padEnd(3)}${alternate}GLY A   1    ${x.toFixed(3).padStart(8)}   0.000   0.000  0.50  0.00           ${name[0]}  `;
    write('two.pdb', `${atom('N', ' ', 1, 0)}\n${atom('CA', 'A', 2, 1.4)}\n${atom('CA', 'B', 3, 1.5)}\nEND\n`);
    const { status, err } = run('chain', 'clashes', 'two.pdb', '--altloc', 'ZZ');
    expect(err).toContain('--altloc ZZ: no atom of two.pdb has it, expected highest, A, B');
    expect(status).toBe(2);
    expect(run('chain', 'clashes', 'two.pdb', '--altloc', 'B').status).toBe(0);
  });
});
