/** Worlds of robots by the command line: killed and gone on with to the same bits, recorded, and what was not proven told. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFleetRecording } from '../../src/io.js';
import { callCommandLine } from '../support/command-line.js';

const cli = fileURLToPath(new URL('../../dist/esm/cli.js', import.meta.url));
const examples = fileURLToPath(new URL('../../examples/fleet', import.meta.url));
const isBuilt = existsSync(cli);
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'clearance-fleet-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]) => {
  const { status, out, err } = callCommandLine(['fleet', ...args, '--json'], { cwd: folder });
  return { status, err, answer: out === '' ? null : JSON.parse(out) };
};

/** Starts a run in a process of its own and ends it with SIGKILL once its checkpoint is another than it was. */
async function kill(checkpoint: string, args: string[]): Promise<ChildProcess> {
  const file = join(folder, checkpoint);
  const read = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const before = read();
  const child = spawn(process.execPath, [cli, 'fleet', ...args], { cwd: folder, stdio: 'ignore' });
  const ended = once(child, 'exit');
  while (child.exitCode === null && read() === before) await setTimeout(2);
  child.kill('SIGKILL');
  await ended;
  return child;
}

describe.skipIf(!isBuilt)(`worlds of robots${isBuilt ? '' : ' (skipped: not built, run npm run build)'}`, () => {
  it.each([
    ['cells with tasks and stops', 'warehouse.json', ['--for', '400']],
    ['a floor with arms and loads', 'mobile-arms.json', ['--for', '150', '--step', '0.01']],
  ])('killed twice, a run on %s ends with the bits of one that was not', async (_, name, options) => {
    const world = join(examples, name);
    const whole = run(world, ...options);
    const kept = [world, ...options, '--checkpoint', `${name}.kept`];
    const first = await kill(`${name}.kept`, kept);
    // It was killed before its end: the signal is what ended it.
    expect(first.signalCode).toBe('SIGKILL');
    await kill(`${name}.kept`, [...kept, '--resume']);
    const rest = run(...kept, '--resume');
    expect(rest.status).toBe(0);
    expect(rest.answer.state).toBe(whole.answer.state);
    expect(rest.answer.seconds).toBe(whole.answer.seconds);
    expect(rest.answer.collisions).toBe(0);
  });

  it('a plan that is gone on with is the one that was saved', () => {
    const world = join(examples, 'crossing.json');
    const part = run(world, '--rounds', '60', '--for', '5', '--checkpoint', 'crossing.kept');
    const rest = run(world, '--rounds', '0', '--checkpoint', 'crossing.kept', '--resume');
    expect(rest.answer.sumOfCosts).toBe(part.answer.sumOfCosts);
    expect(rest.answer.state).toBe(run(world, '--rounds', '60').answer.state);
    const other = run(
      join(examples, 'narrow-aisle.json'),
      '--checkpoint',
      'crossing.kept',
      '--resume',
      '--rounds',
      '0',
    );
    expect(other.status).toBe(2);
    expect(other.err).toMatch(/state of another world/);
  });

  it('a floor is recorded: poses, joints, contacts, events, rows', async () => {
    const { status, answer } = run(
      join(examples, 'mobile-arms.json'),
      ...['--record', 'arms.mcap', '--csv', 'arms.csv', '--rate', '2'],
    );
    expect(status).toBe(0);
    expect(answer).toMatchObject({ status: 'solved', agents: 15, failed: 0, idle: 15, contacts: 0, collisions: 0 });
    const { value, issues } = await readFleetRecording(readFileSync(join(folder, 'arms.mcap')));
    expect(issues).toEqual([]);
    expect(value!.robots).toBe(15);
    const text = readFileSync(join(folder, 'arms.mcap')).toString('latin1');
    for (const topic of ['/poses', '/joints', '/contacts', '/events', '/metrics']) expect(text).toContain(topic);
    const rows = readFileSync(join(folder, 'arms.csv'), 'utf8').trim().split('\n');
    expect(rows[0]).toBe('time,robot,x,y,z,yaw,speed,action,load,joint1,joint2,joint3,joint4');
    expect(rows.length).toBe(1 + 15 * value!.times.length);
    expect(rows.some((row) => /carrier-a,.*,move,crate-1,/.test(row))).toBe(true);
  });

  it('what could not be proven, and what touched, is told', () => {
    const arms = run(join(examples, 'mobile-arms.json'), '--step', '0.1');
    expect(arms.status).toBe(1);
    expect(arms.answer).toMatchObject({ status: 'unproven', contacts: 0 });
    expect(arms.answer.firstCollision.bodies.length).toBe(2);
    const disc = { base: 'omni', shape: { type: 'disc', radius: 0.3 } };
    const robots = [
      { ...disc, name: 'a', pose: [0, 0, 0], actions: [{ type: 'move', to: [4, 0] }] },
      { ...disc, name: 'b', pose: [4, 0, 0], actions: [{ type: 'move', to: [0, 0] }] },
    ];
    writeFileSync(join(folder, 'meet.json'), JSON.stringify({ version: 1, floor: { robots } }));
    const meet = run('meet.json');
    expect(meet.status).toBe(1);
    expect(meet.answer).toMatchObject({ status: 'collides', contacts: 1, firstCollision: { bodies: ['a', 'b'] } });
  });

  it('who is stuck is named, and the run ends', () => {
    const robots = [
      {
        name: 'careful',
        base: 'omni',
        shape: { type: 'disc', radius: 0.3 },
        pose: [0, 0, 0],
        avoids: true,
        actions: [{ type: 'move', to: [5, 0] }],
      },
    ];
    const box = { name: 'box', shape: { type: 'box', size: [1, 1, 1] }, pose: [5, 0, 0.5, 0, 0, 0, 1] };
    writeFileSync(join(folder, 'stuck.json'), JSON.stringify({ version: 1, objects: [box], floor: { robots } }));
    const { status, answer } = run('stuck.json');
    expect(status).toBe(3);
    expect(answer).toMatchObject({ status: 'limit', collisions: 0 });
    expect(answer.stalls).toEqual([{ kind: 'livelock', robots: ['careful'], waiting: [] }]);
  });

  it('files outside the folder need leave, and planning means nothing on a floor', () => {
    const robots = [{ name: 'a', base: 'omni', shape: { type: 'disc', radius: 0.3 }, pose: [0, 0, 0], arm: 'p' }];
    const floor = { arms: { p: { file: join(examples, 'picker.urdf') } }, robots };
    writeFileSync(join(folder, 'outside.json'), JSON.stringify({ version: 1, floor }));
    expect(run('outside.json').err).toMatch(/--allow-outside/);
    expect(run('outside.json', '--allow-outside', '--for', '1').status).toBe(0);
    expect(run('outside.json', '--rounds', '3').err).toMatch(/--rounds: means nothing for a floor/);
  });
});
