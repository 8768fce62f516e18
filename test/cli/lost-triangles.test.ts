/**
 * Mesh files that are not read whole: every command that judges meshes refuses what was left out, and says in its answers what was
 * guessed, so that no "free" rests on it unsaid.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInProcess } from './options/run-in-process.js';

let folder = '';
const write = (name: string, content: unknown): void => {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
};

const pose = [0, 0, 0, 0, 0, 0, 1];
const at = (position: readonly number[]) => ({ position, quaternion_xyzw: [0, 0, 0, 1] });
/** Free-form surfaces of OBJ files are left out; faces of two corners of OFF files are guessed to mean nothing. */
const LEFT_OUT = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nsurf 0 1 0 1 1 2 3\n';
const GUESSED = 'OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n2 0 1\n';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'clearance-lost-'));
  write('part.obj', 'v 5 5 5\nv 6 5 5\nv 5 6 5\nf 1 2 3\n');
  write('dropped.obj', LEFT_OUT);
  write('guessed.off', GUESSED);
  for (const [name, mesh] of [
    ['dropped', 'dropped.obj'],
    ['guessed', 'guessed.off'],
  ]) {
    const ball = { name: 'ball', shape: { type: 'sphere', radius: 0.1 }, pose: [0, 0, 2, 0, 0, 0, 1] };
    const objects = [{ name: 'wall', shape: { type: 'mesh', file: mesh } }, ball];
    write(`${name}-scene.json`, { version: 1, objects });
    write(`${name}-world.json`, {
      version: 1,
      objects,
      simulation: { version: 1, bodies: [{ object: 'ball', mass: 1 }] },
    });
    write(`${name}-rigid.json`, {
      ...{ group: 'SE3', robot: { mesh: 'part.obj' }, environment: { mesh } },
      ...{ start: at([0, 0, 0]), goal: at([1, 0, 0]), bounds: { min: [-9, -9, -9], max: [9, 9, 9] } },
    });
    write(`${name}-assembly.json`, {
      parts: [
        { name: 'a', file: mesh },
        { name: 'b', file: 'part.obj' },
      ],
    });
  }
  write('poses.jsonl', JSON.stringify({ a: pose, b: pose }));
  write('motions.jsonl', JSON.stringify({ a0: pose, a1: pose, b0: pose, b1: pose }));
  write('rays.jsonl', JSON.stringify({ origin: [0.2, 0.2, 1], direction: [0, 0, -1] }));
  write('rigid-path.json', [pose, [1, 0, 0, 0, 0, 0, 1]]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Words of a command that judges the mesh; `@` stands for the folder, `~` for what became of its mesh. */
const commands: readonly string[][] = [
  ['pair', '@MESH', '@part.obj', '--poses', '@poses.jsonl'],
  ['cast', '@MESH', '@part.obj', '--motions', '@motions.jsonl'],
  ['check', '@~-scene.json'],
  ['ray', '@~-scene.json', '--rays', '@rays.jsonl'],
  ['disassemble', '--part', '@part.obj', '--obstacles', '@MESH'],
  ['plan-rigid', '@~-rigid.json'],
  ['plan-rigid', '@~-rigid.json', '--verify', '@rigid-path.json'],
  ['sequence', '@~-assembly.json'],
  ['simulate', '@~-world.json', '--for', '0.002'],
];

const words = (command: readonly string[], name: string, mesh: string): string[] =>
  command.map((word) => word.replace('MESH', mesh).replace('~', name).replace('@', `${folder}/`));

describe.each(commands.map((command) => [command.join(' '), command] as const))('%s', (_title, command) => {
  it('refuses a mesh of which something was left out', async () => {
    const { status, out } = await runInProcess([...words(command, 'dropped', 'dropped.obj'), '--json']);
    expect(status).toBe(2);
    expect(out).not.toMatch(/"status":"(?:solved|free)"|"certified":true/);
  });

  it('says in its answer what was guessed', async () => {
    const { status, out } = await runInProcess([...words(command, 'guessed', 'guessed.off'), '--json']);
    expect(status).toBe(0);
    const answer = JSON.parse(out.trim().split('\n').at(-1)!) as { complete: boolean; assumed: string[] };
    expect(answer.complete).toBe(true);
    expect(answer.assumed).toEqual([expect.stringMatching(/^guessed: .*a face of 2 vertices was left out$/)]);
  });
});
