/** `clearance trajectory` of the built command line, on the bundled arm: from a planned path to files that other programs read. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { McapStreamReader } from '@mcap/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandLineOutcome, callCommandLine } from '../support/command-line.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const arm = join(root, 'examples/arm/arm.urdf');
const isBuilt = existsSync(join(root, 'dist/esm/cli.js'));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'clearance-trajectory-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: string[]): CommandLineOutcome {
  return callCommandLine(['trajectory', arm, ...args]);
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

  describe('in a scene', () => {
    const scene = join(root, 'examples/scenes/table-shelf.json');
    const srdf = join(root, 'examples/arm/arm.srdf');
    const call = (...args: string[]) => callCommandLine([...args, '--srdf', srdf, '--scene', scene]);
    const [problem] = readFileSync(join(root, 'examples/scenes/problems.jsonl'), 'utf8').split('\n');
    const { start, goal } = JSON.parse(problem);
    const ends = [
      '--start',
      JSON.stringify(start),
      '--goal',
      JSON.stringify(goal),
      '--simplify',
      '--json',
      '--timeout',
      '600',
    ];

    it.each(['stop', 'blend', 'smooth', 'spline'])(
      '%s: free at every time, for plan --timed and for the path alone',
      (corners) => {
        const [planned, timed] = [join(folder, 'planned.json'), join(folder, `timed-${corners}.csv`)];
        expect(call('plan', arm, ...ends, '--out', planned).status).toBe(0);
        const rounding = ['--corners', corners, ...(corners === 'blend' ? ['--deviation', '0.5'] : [])];
        const alone = call('trajectory', arm, '--path', planned, '--acceleration', '3', ...rounding, '--json');
        expect(JSON.parse(alone.out), alone.err).toMatchObject({ status: 'solved', checked: 'certified' });
        const direct = call(
          'plan',
          arm,
          ...ends,
          '--timed',
          '--acceleration',
          '3',
          '--dt',
          '0.01',
          ...rounding,
          '--out',
          timed,
        );
        const { motion, certified } = JSON.parse(direct.out);
        expect(certified).toBe(true);
        expect(motion).toMatchObject({ status: 'solved', reason: '', checked: 'certified' });
        expect(motion.duration).toBe(JSON.parse(alone.out).duration);
        const checked = call('check', arm, '--states', timed, '--path', '--json');
        expect(checked.status, checked.out.slice(0, 500)).toBe(0);
        const again = call('trajectory', arm, '--path', timed, '--json');
        expect(JSON.parse(again.out)).toMatchObject({ status: 'valid', checked: 'certified' });
      },
    );

    it('a trajectory through an obstacle is blocked, with its bodies and status 1', () => {
      const file = join(folder, 'through.csv');
      const samples = [start, goal].map((q: number[], i) => [i, ...q].join(','));
      const names = 'time,joint_1,joint_2,joint_3,joint_4,joint_5,joint_6,joint_7,finger_left_slide';
      writeFileSync(file, [names, ...samples].join('\n'));
      const found = call('trajectory', arm, '--path', file, '--velocity', '100', '--json');
      expect(found.status).toBe(1);
      const { status, reason, checked } = JSON.parse(found.out);
      expect([status, checked]).toEqual(['blocked', 'certified']);
      expect(reason).toMatch(/ and .* at .*: touches/);
    });
  });

  it('without a scene it says that nothing was checked, and refuses what only geometry gives a meaning', () => {
    const timed = run('--path', path(), '--acceleration', '5', '--corners', 'blend', '--json');
    expect(JSON.parse(timed.out)).toMatchObject({ checked: 'unchecked' });
    expect(run('--path', path(), '--acceleration', '5').out).toContain('not checked against collisions');
    const idle = ['--geometry', 'spheres', '--acm', 'nope.json', '--surface'];
    const { status, err } = run('--path', path(), '--acceleration', '5', ...idle);
    expect(status).toBe(2);
    expect(err).toMatch(/^--surface: means nothing without --scene or --avoid-collision/);
  });

  it('reads the MCAP that it writes', () => {
    const file = join(folder, 'own.mcap');
    expect(run('--path', path(), '--acceleration', '5', '--dt', '0.01', '--out', file).status).toBe(0);
    const again = run('--path', file, '--acceleration', '5', '--json');
    expect(JSON.parse(again.out), again.err).toMatchObject({ status: 'valid', checked: 'unchecked' });
  });

  it('torque limits of a robot without masses are refused, with its joints and links', () => {
    const light = join(folder, 'light.urdf');
    writeFileSync(light, readFileSync(arm, 'utf8').replaceAll(/<inertial>[\s\S]*?<\/inertial>/g, ''));
    const { status, err } = callCommandLine(['trajectory', light, '--path', path(), '--torque', 'model']);
    expect(status).toBe(2);
    expect(err).toMatch(/--torque: nothing that "joint_1", .* moves has mass: give the links link_1, /);
  });
});
