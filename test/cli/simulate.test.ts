import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runInProcess } from './options/run-in-process.js';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'clearance-simulate-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const example = (name: string): string => join(import.meta.dirname, '../../examples/worlds', `${name}.json`);
const lastLine = (out: string) => JSON.parse(out.trim().split('\n').at(-1)!) as Record<string, never>;

it('a run that was stopped goes on from its checkpoint to the same bits', async () => {
  const checkpoint = join(folder, 'push.ckpt');
  const whole = await runInProcess(['simulate', example('push'), '--for', '0.6', '--json']);
  expect(whole.status).toBe(0);
  await runInProcess(['simulate', example('push'), '--for', '0.3', '--checkpoint', checkpoint, '--json']);
  const rest = await runInProcess([
    'simulate',
    example('push'),
    '--for',
    '0.6',
    '--checkpoint',
    checkpoint,
    '--resume',
    '--json',
  ]);
  expect(lastLine(rest.out)).toEqual(lastLine(whole.out));
  expect(rest.out.trim().split('\n').length).toBeLessThan(whole.out.trim().split('\n').length);
});

it('a gripper lifts its part', async () => {
  const { out } = await runInProcess(['simulate', example('lift'), '--for', '2.2', '--every', '1', '--json']);
  const { bodies } = lastLine(out) as unknown as { bodies: { part: { pose: number[] } } };
  expect(bodies.part.pose[2]).toBeGreaterThan(0.25);
});

it('records poses as a table', async () => {
  const file = join(folder, 'stack.csv');
  await runInProcess(['simulate', example('stack'), '--for', '0.2', '--record', file, '--quiet']);
  const rows = readFileSync(file, 'utf8').trim().split('\n');
  expect(rows[0].split(',').slice(0, 4)).toEqual(['t', 'box 0.x', 'box 0.y', 'box 0.z']);
  expect(rows.length).toBe(4);
  expect(rows[3].split(',').length).toBe(71);
  expect(Number(rows[3].split(',')[0])).toBeCloseTo(0.2, 12);
});

it('says what is wrong with a world or a checkpoint', async () => {
  const bad = join(folder, 'bad.json');
  writeFileSync(bad, '{"version":1,"simulation":{"version":1,"bodies":[{"object":"none"}]}}');
  expect((await runInProcess(['simulate', bad])).err).toMatch(/no object "none"/);
  const wrong = join(folder, 'wrong.ckpt');
  writeFileSync(wrong, '{"format":"clearance simulation checkpoint","snapshot":[1,2,3]}');
  const { status, err } = await runInProcess(['simulate', example('stack'), '--checkpoint', wrong, '--resume']);
  expect(status).toBe(2);
  expect(err).toMatch(/of version undefined, expected 2/);
});

it('what hangs on a link weighs there', async () => {
  // The lift's drive gives way by weight / stiffness.
  const world = JSON.parse(readFileSync(example('lift'), 'utf8')) as Record<string, never> & {
    objects: { name: string }[];
    robots: { file: string }[];
    simulation: { bodies: unknown[]; robots: { servos: { joint: string; target: unknown }[] }[] };
  };
  world.robots[0].file = join(import.meta.dirname, '../../examples/worlds/gripper.urdf');
  world.simulation.bodies = [];
  const [servo] = world.simulation.robots[0].servos.filter(({ joint }) => joint === 'lift');
  servo.target = -0.05;
  const heights: number[] = [];
  for (const mass of [undefined, 2]) {
    const file = join(folder, `held-${mass}.json`);
    const link = readFileSync(world.robots[0].file, 'utf8').match(/<child link="([^"]+)"/)![1];
    const attached = [{ object: 'part', link: `gripper/${link}`, pose: [0, 0, -0.3, 0, 0, 0, 1], mass }];
    writeFileSync(file, JSON.stringify({ ...world, attached }));
    const { out, err } = await runInProcess([
      'simulate',
      file,
      '--for',
      '2',
      '--every',
      '1',
      '--json',
      '--allow-outside',
    ]);
    expect(err).toBe('');
    const { robots } = lastLine(out) as unknown as { robots: { gripper: { q: number[] } } };
    heights.push(robots.gripper.q[0]);
  }
  expect(heights[0] - heights[1]).toBeCloseTo((2 * 9.81) / 20000, 7);
});
