/**
 * A ball inside a cube that lacks two triangles: no command that compares them may say only "free", "solved" or a distance. The
 * closed cube is the reference, in which every one of them is in contact.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callCommandLine } from '../support/command-line.js';

const cli = fileURLToPath(new URL('../../dist/esm/cli.js', import.meta.url));
const isBuilt = existsSync(cli);

const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [k & 1, (k >> 1) & 1, (k >> 2) & 1].map((bit) => 0.4 * bit - 0.2));
const FACES = [
  '0 2 1',
  '1 2 3',
  '4 5 6',
  '5 7 6',
  '0 1 4',
  '1 5 4',
  '2 6 3',
  '3 6 7',
  '0 4 2',
  '2 4 6',
  '1 3 5',
  '3 7 5',
];
const writeObj = (faces: readonly string[]): string =>
  [
    ...CORNERS.map((corner) => `v ${corner.join(' ')}`),
    ...faces.map(
      (face) =>
        `f ${face
          .split(' ')
          .map((i) => Number(i) + 1)
          .join(' ')}`,
    ),
  ].join('\n');
const URDF = `<robot name="probe"><link name="base"/>
  <link name="ball"><collision><geometry><sphere radius="0.05"/></geometry></collision></link>
  <joint name="x" type="prismatic"><parent link="base"/><child link="ball"/><axis xyz="1 0 0"/>
  <limit lower="-2" upper="2" velocity="1" effort="1"/></joint></robot>`;

const scene = (mesh: string): string =>
  JSON.stringify({ version: 1, objects: [{ name: 'cup', shape: { type: 'mesh', file: mesh } }] });

const COMMANDS = [
  'check probe.urdf --q 0.05',
  'check probe.urdf --states states.jsonl',
  'check probe.urdf --states states.jsonl --path',
  'check probe.urdf --states states.jsonl --workers 2',
  'distance probe.urdf --q 0.05',
  'cast probe.urdf --from 0 --to 0.05',
  'monitor probe.urdf states.jsonl --distance 1',
  'plan probe.urdf --start 0 --goal 0.05',
  'ik probe.urdf --avoid-collision --frame ball --task position --targets targets.jsonl',
  'ik probe.urdf --avoid-collision --frame ball --task position --targets targets.jsonl --all',
  'ik probe.urdf --avoid-collision --frame ball --task position --path targets.json',
  'trajectory probe.urdf --path path.csv --acceleration 1',
];

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'clearance-open-'));
  const files = {
    'probe.urdf': URDF,
    'open.obj': `${writeObj(FACES.slice(2))}\n`,
    'closed.obj': `${writeObj(FACES)}\n`,
    'open.json': scene('open.obj'),
    'closed.json': scene('closed.obj'),
    'states.jsonl': '{"q":[0]}\n{"q":[0.05]}\n',
    'targets.jsonl': '{"target":[0.05,0,0]}\n',
    'targets.json': '[[0,0,0,0,0,0,1],[0.05,0,0,0,0,0,1]]',
    'path.csv': 'x\n0\n0.05\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(command: string): { lines: Record<string, unknown>[]; text: string } {
  const { out, err } = callCommandLine([...command.split(' '), '--json'], { cwd: folder });
  return {
    lines: out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
    text: err,
  };
}

const isContact = ({ free, status, hit, distance, solutions, pairs }: Record<string, unknown>): boolean =>
  free === false ||
  hit === true ||
  (typeof distance === 'number' && distance <= 0) ||
  (Array.isArray(solutions) && solutions.length === 0) ||
  (Array.isArray(pairs) && (pairs[0] as { distance: number }).distance <= 0) ||
  /^(?:invalid-start|blocked|limit)$/.test(String(status));

describe.skipIf(!isBuilt)(`a ball inside an open mesh${isBuilt ? '' : ' (skipped: nothing built)'}`, () => {
  it.each(COMMANDS)('%s', (command) => {
    const closed = run(`${command} --scene closed.json`);
    expect(closed.lines.map(isContact), JSON.stringify(closed)).toEqual(closed.lines.map(() => true));
    const { lines, text } = run(`${command} --scene open.json`);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines)
      expect(line.assumed, JSON.stringify(line)).toEqual([expect.stringMatching(/^guessed: "cup": its mesh is open/)]);
    // Once, however many answers there are.
    expect(text.match(/its mesh is open/g)).toHaveLength(1);
  });

  it.each(['open.obj sphere:0.05', 'sphere:0.05 open.obj'])('pair %s', (pair) => {
    expect(run(`pair ${pair.replace('open', 'closed')}`).lines[0]).toMatchObject({ collides: true });
    const [answer] = run(`pair ${pair}`).lines;
    expect(answer).toMatchObject({ collides: false, complete: true });
    expect(answer.assumed).toEqual([expect.stringContaining('its mesh is open')]);
    expect(run(`pair ${pair} --surface`).lines[0]).not.toHaveProperty('assumed');
  });
});
