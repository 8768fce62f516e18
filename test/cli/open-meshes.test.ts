/** Commands over an open mesh and what is inside it, and over meshes of which something was guessed: the answers say so. */
import { describe, expect, it } from 'vitest';
import { callCommandLine } from '../support/command-line.js';
import { makeFolder } from '../support/temporary-folder.js';

/** A box of 2 m without its side at x = 1. */
const box = [
  ...['v -1 -1 -1', 'v 1 -1 -1', 'v 1 1 -1', 'v -1 1 -1', 'v -1 -1 1', 'v 1 -1 1', 'v 1 1 1', 'v -1 1 1'],
  ...['f 4 3 2 1', 'f 5 6 7 8', 'f 1 2 6 5', 'f 3 4 8 7', 'f 4 1 5 8', ''],
].join('\n');
const pose = (x: number): string => JSON.stringify([x, 0, 0, 0, 0, 0, 1]);
const folder = makeFolder({
  'open.obj': box,
  'guessed.obj': box.slice(0, -1),
  'slide.urdf': `<robot name="slide"><link name="base"/><link name="tip"><collision><geometry><sphere radius="0.01"/></geometry></collision></link>
    <joint name="x" type="prismatic"><parent link="base"/><child link="tip"/><axis xyz="1 0 0"/><limit lower="-4" upper="4" effort="1" velocity="1"/></joint></robot>`,
  'cell.json': JSON.stringify({ version: 1, objects: [{ name: 'box', shape: { type: 'mesh', file: 'open.obj' } }] }),
  'assembly.json': JSON.stringify({
    version: 1,
    objects: [
      { name: 'box', shape: { type: 'mesh', file: 'open.obj' } },
      { name: 'ball', shape: { type: 'sphere', radius: 0.01 } },
    ],
  }),
  'poses.jsonl': `{"b":${pose(0)}}\n{"b":${pose(3)}}\n`,
  'motions.jsonl': `{"b0":${pose(3)},"b1":${pose(0)}}\n{"b0":${pose(3)},"b1":${pose(4)}}\n`,
  'states.jsonl': '{"q":[0]}\n{"q":[3]}\n',
  'targets.jsonl': `{"target":${pose(0)}}\n{"target":${pose(3)}}\n`,
  'path.json': '[[3],[0]]',
});

interface Line {
  readonly complete?: boolean;
  readonly assumed?: readonly string[];
}

function ask(...args: readonly string[]): { readonly lines: readonly Line[]; readonly err: string } {
  const { out, err } = callCommandLine([...args, '--json'], { cwd: folder });
  const lines = out.split('\n').filter((line) => line !== '');
  return { lines: lines.map((line) => JSON.parse(line) as Line), err };
}

const inside = expect.stringContaining('4 edges without a neighbour) and counts as a surface');
const says = { complete: true, assumed: [inside] };
const cell = ['slide.urdf', '--scene', 'cell.json'];

describe('a body inside an open mesh', () => {
  // First an answer that rests on it, then one that does not.
  const commands: readonly (readonly string[])[] = [
    ['check', ...cell, '--states', 'states.jsonl'],
    ['check', ...cell, '--states', 'states.jsonl', '--all'],
    ['check', ...cell, '--states', 'states.jsonl', '--workers', '2'],
    ['distance', ...cell, '--states', 'states.jsonl'],
    ['monitor', 'slide.urdf', 'states.jsonl', '--scene', 'cell.json', '--distance', '9'],
    ['pair', 'open.obj', 'sphere:0.01', '--poses', 'poses.jsonl'],
    ['cast', 'open.obj', 'sphere:0.01', '--motions', 'motions.jsonl'],
    ['ik', ...cell, '--avoid-collision', '--frame', 'tip', '--position', '--targets', 'targets.jsonl'],
  ];
  it.each(commands.map((args) => [args.join(' '), args] as const))('%s', (_name, args) => {
    const { lines, err } = ask(...args);
    expect(lines[0], err).toMatchObject(says);
    expect(lines[1]).not.toHaveProperty('assumed');
    // Once, however many answers rest on it.
    expect(err.match(/counts as a surface/g)).toHaveLength(1);
  });

  const motions: readonly (readonly string[])[] = [
    ['check', ...cell, '--states', 'states.jsonl', '--path'],
    ['cast', ...cell, '--from', '[3]', '--to', '[0]'],
    ['plan', ...cell, '--start', '[3]', '--goal', '[0]'],
    ['plan', ...cell, '--start', '[0]', '--goal', '[3]', '--simplify', '--timed', '--acceleration', '1'],
    ['trajectory', ...cell, '--path', 'path.json', '--acceleration', '1'],
    ['check', 'assembly.json'],
  ];
  it.each(motions.map((args) => [args.join(' '), args] as const))('%s', (_name, args) => {
    const { lines, err } = ask(...args);
    expect(lines[lines.length - 1], err).toMatchObject(says);
  });

  it.each([
    [['check', ...cell, '--states', 'states.jsonl'], { free: false }],
    [['pair', 'open.obj', 'sphere:0.01', '--query', 'collide'], { collides: true }],
    [['check', 'assembly.json'], { pairs: [{ a: 'box', b: 'ball' }] }],
  ])('its hole filled: a contact, and the cap in the answer: %s', (args, contact) => {
    const { lines } = ask(...args, '--fill-holes', '2');
    const filled = expect.stringMatching(/^altered: .*1 hole\(s\) of the mesh filled, the widest 2 m/);
    expect(lines[0].assumed).toEqual([filled]);
    expect(lines[0]).toMatchObject(contact);
    const narrow = ask(...args, '--fill-holes', '1.9');
    expect(narrow.lines[0].assumed).toEqual([inside]);
    expect(narrow.err).toContain('1 hole(s) of the mesh are wider than 1.9 m, the narrowest 2 m: the mesh stays open');
  });

  it('a stated surface is what was asked for', () => {
    for (const args of [
      ['check', ...cell, '--states', 'states.jsonl'],
      ['pair', 'open.obj', 'sphere:0.01'],
    ]) {
      const { lines, err } = ask(...args, '--surface');
      expect([lines[0].assumed, err]).toEqual([undefined, '']);
    }
  });
});

describe('a mesh of which something was guessed', () => {
  const guessed = expect.stringMatching(/^guessed: .*the last line has no end/);
  it.each([
    [['pair', 'guessed.obj', 'sphere:0.01', '--surface']],
    [['pair', 'sphere:0.01', 'convex:guessed.obj']],
    [['cast', 'sphere:0.01', 'guessed.obj', '--surface', '--motions', 'motions.jsonl']],
  ])('%s', (args) => {
    expect(ask(...args).lines[0]).toMatchObject({ complete: true, assumed: [guessed] });
  });
});
