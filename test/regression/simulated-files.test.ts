/** Use rows T13, T30 and T76 where a world is simulated: inertias no body has, bodies without mass, checkpoints that were edited. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runInProcess } from '../cli/options/run-in-process.js';
import { makeFolder } from '../support/temporary-folder.js';

const robot = (inertial: string): string => `<robot name="r"><link name="base"/><link name="arm">${inertial}</link>
  <joint name="j" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
  <limit lower="-2" upper="2" effort="9" velocity="1"/></joint></robot>`;
const world = (mass: number): string =>
  JSON.stringify({
    version: 1,
    objects: [
      { name: 'ground', shape: { type: 'halfspace', normal: [0, 0, 1], offset: 0 } },
      { name: 'box', shape: { type: 'box', size: [0.1, 0.1, 0.1] }, pose: [0, 0, 0.3, 0, 0, 0, 1] },
    ],
    robots: [{ name: 'r', file: 'r.urdf' }],
    simulation: { version: 1, bodies: [{ object: 'box', mass }], robots: [{ robot: 'r' }] },
  });
const IMPOSSIBLE =
  '<inertial><mass value="1"/><inertia ixx="0.01" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>';
const SOUND = IMPOSSIBLE.replace('0.01"', '0.001"');

it.each([
  ['an inertia that no body has', IMPOSSIBLE, /guessed: robot "r", link "arm": .*triangle inequality/],
  ['a body without mass', '', /guessed: robot "r", joint "j": no mass on its body/],
])('%s is told on the way and with the state', async (_what, inertial, told) => {
  const folder = makeFolder({ 'r.urdf': robot(inertial), 'w.json': world(1) });
  const { status, out, err } = await runInProcess(['simulate', join(folder, 'w.json'), '--for', '0.01', '--json']);
  expect(status).toBe(0);
  expect(err).toMatch(told);
  const { complete, assumed } = JSON.parse(out.trim().split('\n').at(-1)!) as Record<string, unknown>;
  expect(complete).toBe(true);
  expect(assumed).toMatchObject([expect.stringMatching(told)]);
});

it('a checkpoint that was edited, of an edited world or of another step is refused', async () => {
  const folder = makeFolder({ 'r.urdf': robot(SOUND), 'w.json': world(1) });
  mkdirSync(join(folder, 'other'));
  writeFileSync(join(folder, 'other/r.urdf'), robot(SOUND));
  writeFileSync(join(folder, 'other/w.json'), world(2));
  const file = join(folder, 'w.ckpt');
  const go = (name: string, ...more: string[]) =>
    runInProcess(['simulate', join(folder, name), '--for', '0.2', '--checkpoint', file, '--json', ...more]);
  const first = await go('w.json');
  expect(first.err).toBe('');
  expect((await go('w.json', '--resume')).status).toBe(0);
  expect((await go('other/w.json', '--resume')).err).toMatch(/of another world, or with another --step/);
  expect((await go('w.json', '--resume', '--step', '0.0005')).err).toMatch(/of another world, or with another --step/);
  const text = readFileSync(file, 'utf8');
  const digits = [...text.matchAll(/\d(?=\d*[,\]])/g)].map(({ index }) => index);
  for (const k of [0.1, 0.3, 0.5, 0.7, 0.9]) {
    const at = digits[Math.floor(k * digits.length)];
    writeFileSync(file, `${text.slice(0, at)}${(Number(text[at]) + 1) % 10}${text.slice(at + 1)}`);
    const { status, err } = await go('w.json', '--resume');
    expect(err).toMatch(/changed since it was written|of version/);
    expect(status).toBe(2);
  }
});

it('writes the world for MuJoCo', async () => {
  const folder = makeFolder({ 'r.urdf': robot(SOUND), 'w.json': world(1) });
  const file = join(folder, 'w.xml');
  const { status } = await runInProcess(['simulate', join(folder, 'w.json'), '--for', '0.01', '--mjcf', file]);
  expect(status).toBe(0);
  expect(readFileSync(file, 'utf8')).toMatch(/<mujoco[\s\S]*<body name="box"[\s\S]*<key name="now"/);
});
