/** `clearance trajectory` as a process, on the bundled arm: from a planned path to files that other programs read. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { McapStreamReader } from '@mcap/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cli = join(root, 'dist/esm/cli/main.js');
const arm = join(root, 'examples/arm/arm.urdf');
const isBuilt = existsSync(join(root, 'dist/esm/cli/commands/trajectory.js'));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'clearance-trajectory-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: string[]): { status: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'trajectory', arm, ...args], {
    encoding: 'utf8',
  });
  return { status, out: stdout, err: stderr };
}

const waypoints = [
  [0, 0.4, 0, -1.2, 0, 1, 0, 0.01],
  [0.6, 0.6, 0, -1, 0, 1, 0, 0.01],
  [1.2, 0.4, 0.3, -1.4, 0, 0.8, 0, 0.01],
];

describe.skipIf(!isBuilt)(`trajectory${isBuilt ? '' : ' (skipped: not built, run npm run build)'}`, () => {
  const path = (): string => {
    const file = join(folder, 'path.json');
    writeFileSync(file, JSON.stringify(waypoints));
    return file;
  };

  it('--help', () => {
    const { status, out } = run('--help');
    expect(status).toBe(0);
    expect(out).toContain('Usage: clearance trajectory');
    expect(out).toContain('--json');
  });

  it.each(['csv', 'json'])('times a path, writes %s, and finds its own file valid', (format) => {
    const file = join(folder, `motion.${format}`);
    const timed = run('--path', path(), '--acceleration', '5', '--corners', 'blend', '--out', file, '--json');
    expect(timed.status).toBe(0);
    const result = JSON.parse(timed.out);
    expect(result).toMatchObject({ status: 'solved', valid: true, first: null });
    expect(result.usage.acceleration).toBeGreaterThan(0.999);
    expect(result.usage.acceleration).toBeLessThanOrEqual(1 + 1e-6);
    expect(result.samples).toBe(Math.ceil(result.duration / 0.001 - 1e-6) + 1);
    const again = run('--path', file, '--acceleration', '5', '--json');
    expect(again.status).toBe(0);
    expect(JSON.parse(again.out)).toMatchObject({ status: 'valid', samples: result.samples });
    const sharper = run('--path', file, '--acceleration', '4', '--json');
    expect(sharper.status).toBe(1);
    expect(JSON.parse(sharper.out)).toMatchObject({ status: 'invalid', first: { kind: 'acceleration', time: 0 } });
  });

  it('writes MCAP that a reader reads: every sample as a joint state', async () => {
    const file = join(folder, 'motion.mcap');
    const timed = run(
      '--path',
      path(),
      '--acceleration',
      '{"joint_1":2,"joint_2":5,"joint_3":5,"joint_4":5,"joint_5":5,"joint_6":5,"joint_7":5,"finger_left_slide":1}',
      '--dt',
      '0.01',
      '--out',
      file,
      '--json',
    );
    expect(timed.err).toBe('');
    const { samples, duration } = JSON.parse(timed.out);
    const reader = new McapStreamReader();
    reader.append(readFileSync(file));
    const topics = new Map<number, string>();
    const schemas: string[] = [];
    const times: bigint[] = [];
    for (let record = reader.nextRecord(); record; record = reader.nextRecord()) {
      if (record.type === 'Schema') schemas.push(record.name);
      if (record.type === 'Channel') topics.set(record.id, record.topic);
      if (record.type === 'Message' && topics.get(record.channelId) === '/joint_states') times.push(record.logTime);
    }
    expect(reader.done()).toBe(true);
    expect([...new Set(schemas)].sort()).toEqual(['sensor_msgs/msg/JointState', 'trajectory_msgs/msg/JointTrajectory']);
    expect(times).toHaveLength(samples);
    expect(times[0]).toBe(0n);
    expect(Number(times[samples - 1]) / 1e9).toBeCloseTo(duration, 8);
  });

  it('stops at waypoints with limited jerk, and draws it', () => {
    const plot = join(folder, 'motion.svg');
    const timed = run(
      '--path',
      path(),
      '--method',
      'stops',
      '--acceleration',
      '5',
      '--jerk',
      '50',
      '--plot',
      plot,
      '--json',
    );
    expect(timed.status).toBe(0);
    expect(JSON.parse(timed.out)).toMatchObject({ status: 'solved', valid: true });
    const svg = readFileSync(plot, 'utf8');
    expect(svg.match(/<polyline/g)).toHaveLength(24);
    expect(svg).toContain('acceleration');
    expect(svg).not.toContain('NaN');
  });

  it('takes torques, and says when they cannot hold the arm', () => {
    expect(
      JSON.parse(run('--path', path(), '--acceleration', '5', '--torque', 'model', '--json').out).usage.torque,
    ).toBeGreaterThan(0);
    const weak = run('--path', path(), '--acceleration', '5', '--torque', '0.5', '--json');
    expect(weak.status).toBe(1);
    expect(JSON.parse(weak.out)).toMatchObject({
      status: 'infeasible',
      reason: expect.stringMatching(/torque of .* at rest/),
    });
  });

  it.each([
    [['--acceleration', '5,5'], /expected a number above 0, 8 of them/],
    [['--acceleration', '{"joint_9":1}'], /"joint_9" is no independent joint/],
    [['--acceleration', '0'], /--acceleration "0": expected a number above 0/],
    [[], /--acceleration or --torque: expected one/],
    [['--method', 'stops', '--torque', '9'], /--acceleration: expected one/],
    [['--acceleration', '5', '--velocity', '{'], /--velocity {: not JSON/],
    [['--acceleration', '{"joint_1":1e400}'], /--acceleration: "joint_1": got Infinity, expected a finite number/],
    [
      ['--acceleration', '5', '--method', 'stops', '--corners', 'blend'],
      /--corners: means nothing with --method stops/,
    ],
    [['--acceleration', '5', '--deviation', '0.1'], /--deviation: means nothing without --corners/],
    [['--acceleration', '5', '--gravity', '0,0,0'], /--gravity: means nothing without --torque/],
    [['--acceleration', '5', '--out', 'motion.txt'], /expected a .csv, .json or .mcap/],
    [['--acceleration', '5', '--plot', 'motion.png'], /expected a .svg/],
    [['--acceleration', '5', '--problem', '3'], /holds 1 paths/],
    [['--acceleration', '5', '--dt', '0'], /--dt/],
  ])('%j exits with 2 and says why', (args, message) => {
    const { status, err } = run('--path', path(), ...args);
    expect(status).toBe(2);
    expect(err).toMatch(message);
    expect(err).not.toMatch(/\n\s+at /);
  });

  it('refuses files that are no path of this robot', () => {
    const file = join(folder, 'other.csv');
    writeFileSync(file, 'elbow,wrist\n0,1\n');
    expect(run('--path', file, '--acceleration', '5').err).toMatch(/"elbow" is no joint of the robot/);
    writeFileSync(file, 'time,joint_1\n0,1\n');
    expect(run('--path', file, '--acceleration', '5').err).toMatch(/lacks the columns joint_2/);
    expect(run('--path', join(folder, 'none.csv'), '--acceleration', '5').err).toMatch(/no such file: .*none.csv/);
    expect(run('--path', folder, '--acceleration', '5').err).toMatch(/a folder, expected a file/);
    writeFileSync(file, 'joint_1,joint_1\n0,1\n');
    expect(run('--path', file, '--acceleration', '5').err).toMatch(/other.csv.*column "joint_1" stands there twice/);
    writeFileSync(file, 'joint_1\n0\n1e300\n');
    expect(run('--path', file, '--acceleration', '5')).toMatchObject({ status: 2, out: '' });
  });
});
