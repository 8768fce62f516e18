/** The commands `monitor`, `cast` for robots, `check --path`, `check --workers`, `plan --edges`, by the built command line. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandLineOutcome, callCommandLine } from '../support/command-line.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cli = join(root, 'dist/esm/cli.js');
const example = (path: string): string => join(root, 'examples', path);
const arm = [example('arm/arm.urdf'), '--srdf', example('arm/arm.srdf')];
const scene = ['--scene', example('scenes/table-shelf.json')];

let folder = '';
beforeAll(() => {
  if (!existsSync(cli)) throw new Error('the command line is not built: run `npm run build`');
  folder = mkdtempSync(join(tmpdir(), 'clearance-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(args: readonly string[], input = ''): CommandLineOutcome {
  return callCommandLine(args, { input });
}

// biome-ignore lint/suspicious/noExplicitAny: answers are what the test is about
const lines = (text: string): any[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const swing = (k: number): number[] => [0, 0.02 * k, 0, -0.05 * k, 0, 0.04 * k, 0, 0.01];

describe('monitor', () => {
  const monitor = ['monitor', ...arm, ...scene, '--distance', '0.1', '--json'];

  it('answers line by line, with speeds, times and events', () => {
    const input = Array.from({ length: 26 }, (_, k) => JSON.stringify({ q: swing(k), t: 0.1 * k })).join('\n');
    const { status, out } = run([...monitor.slice(0, 4), '-', ...monitor.slice(4)], input);
    expect(status).toBe(0);
    const answers = lines(out);
    expect(answers.map(({ i }) => i)).toEqual(answers.map((_, k) => k));
    const events = answers.flatMap(({ events: list }) => list.map(({ contact }: { contact: string }) => contact));
    expect(events).toContain('began');
    expect(events).toContain('persisted');
    for (const { pairs } of answers) {
      for (const { distance, closingSpeed, timeToContact } of pairs) {
        expect(distance).toBeLessThanOrEqual(0.1);
        if (distance <= 0) expect(timeToContact).toBe(0);
        else if (closingSpeed > 0) expect(timeToContact).toBeCloseTo(distance / closingSpeed, 9);
        else expect(timeToContact).toBeNull();
      }
    }
  });

  it('answers bad lines with their number, changes nothing for them, and goes on', () => {
    const input = [
      '{"q":"ready","t":1}',
      'nonsense',
      '',
      '{"q":"ready","t":0.5}',
      '{"q":[1,2],"t":3}',
      '{"q":"ready","t":2,"objects":{"no such":[0,0,0,0,0,0,1]}}',
      '{"q":"ready","t":4,"objects":{"table":[0,0,9,0,0,0,1]}}',
      '{"joint_1":0.3}',
    ].join('\n');
    const { status, out } = run(monitor, input);
    expect(status).toBe(2);
    const answers = lines(out);
    expect(answers.map(({ status: word, line }) => word && line)).toEqual([
      undefined,
      2,
      4,
      5,
      6,
      undefined,
      undefined,
    ]);
    expect(answers[2].error).toMatch(/got 0.5, expected more than 1/);
    expect(answers[5].t).toBe(4);
    expect(answers[6].t).toBeCloseTo(4.001, 12);
  });
});

describe('motions of a robot', () => {
  it('cast gives the first contact in joint space', () => {
    const { status, out } = run(['cast', ...arm, ...scene, '--from', 'home', '--to', swing(25).join(','), '--json']);
    expect(status).toBe(0);
    const [answer] = lines(out);
    expect(answer).toMatchObject({ i: 0, status: 'ok', hit: true });
    expect(answer.time).toBeGreaterThan(0.1);
    expect(Math.abs(answer.distance)).toBeLessThan(1e-6);
    const motions = '{"from":"home","to":"home"}\n{"to":"nowhere"}\n{"from":"home"}\n';
    const batch = run(['cast', ...arm, ...scene, '--motions', '-', '--json'], motions);
    expect(batch.status).toBe(2);
    expect(lines(batch.out).map((line) => line.hit ?? line.status)).toEqual([false, 'invalid', 'invalid']);
    expect(run(['cast', ...arm]).err).toMatch(/expected --to q/);
  });

  it('check --path sees what lies between two free states', () => {
    const [a, b] = [swing(0), [3, ...swing(0).slice(1)]];
    const blocked = [0.9, 1.2, 0, -0.6, 0, 0.8, 0, 0.01];
    const other = [-0.9, ...blocked.slice(1)];
    const states = [a, b, blocked, other].map((q) => JSON.stringify({ q })).join('\n');
    const single = lines(run(['check', ...arm, ...scene, '--states', '-', '--json'], states).out);
    const { status, out } = run(['check', ...arm, ...scene, '--states', '-', '--path', '--json'], states);
    const answers = lines(out);
    expect(answers).toHaveLength(4);
    expect(answers[0]).toMatchObject({ free: single[0].free, time: null });
    const hit = answers.find(({ time }) => time !== null && time > 0 && time < 1);
    expect(hit).toMatchObject({ free: false });
    expect(hit.contacts).toHaveLength(1);
    expect(status).toBe(1);
  });

  it('check --workers answers as one thread does', () => {
    const states = join(folder, 'states.jsonl');
    const text = Array.from({ length: 450 }, (_, k) => (k === 301 ? 'bad' : JSON.stringify({ q: swing(k % 26) })));
    writeFileSync(states, text.join('\n'));
    const args = ['check', ...arm, ...scene, '--states', states, '--json'];
    const serial = run(args);
    const parallel = run([...args, '--workers', '2']);
    expect(parallel.status).toBe(serial.status);
    expect(parallel.out).toBe(serial.out);
  });

  it('plan --edges continuous gives a path that check --path calls free', () => {
    const problems = ['--problems', example('scenes/problems.jsonl'), '--edges', 'continuous', '--simplify', '--json'];
    const { status, out } = run(['plan', ...arm, ...problems, '--timeout', '600']);
    expect(status).toBe(0);
    const [{ path }] = lines(out);
    const states = path.map((q: number[]) => JSON.stringify({ q })).join('\n');
    const checked = run(['check', ...arm, ...scene, '--states', '-', '--path', '--json'], states);
    expect(lines(checked.out).every(({ free }) => free)).toBe(true);
    expect(checked.status).toBe(0);
  });
});

describe('plan --problems with scenes of their own', () => {
  it('keeps nothing of an earlier scene: robots, allowed pairs and what it assumes', () => {
    const ball = { name: 'ball', shape: { type: 'sphere', radius: 0.4 }, pose: [0, 0, 0.6, 0, 0, 0, 1] };
    const links = [...readFileSync(arm[0], 'utf8').matchAll(/<link name="([^"]+)"/g)].map(([, name]) => name);
    const lenient = {
      version: 1,
      objects: [ball],
      robots: [{ name: 'other', file: 'other.urdf', pose: [3, 0, 0, 0, 0, 0, 1] }],
      allowed: links.map((name) => ({ pair: [name, 'ball'] })),
    };
    writeFileSync(join(folder, 'other.urdf'), '<robot name="other"><link name="base"/></robot>');
    writeFileSync(join(folder, 'lenient.json'), JSON.stringify(lenient));
    writeFileSync(join(folder, 'strict.json'), JSON.stringify({ version: 1, objects: [ball] }));
    const [start, goal] = [new Array<number>(8).fill(0), [0.1, 0, 0, 0, 0, 0, 0, 0]];
    const problems = join(folder, 'problems.jsonl');
    const ask = (...scenes: string[]): { status: string; assumed?: string[] }[] => {
      writeFileSync(problems, scenes.map((name) => JSON.stringify({ start, goal, scene: name })).join('\n'));
      const { out } = run(['plan', ...arm, '--problems', problems, '--allow-missing', '--timeout', '600', '--json']);
      return lines(out);
    };
    const answers = ask('lenient.json', 'strict.json', 'lenient.json');
    expect(answers.map(({ status }) => status)).toEqual(['solved', 'invalid-start', 'solved']);
    expect(answers.map(({ assumed = [] }) => assumed.some((text) => text.includes('"other"')))).toEqual([
      true,
      false,
      true,
    ]);
  });
});

describe('messages', () => {
  it.each([
    [['check', example('arm/arm.urdf'), '--srdf', example('arm/arm.urdf')], /is this the URDF/],
    [['check', 'part.stl'], /a mesh, expected a robot/],
    [['check', ...arm, '--q', '1,2'], /got 2 numbers/],
  ])('%j goes to standard error', (args, message) => {
    const { status, out, err } = run(args);
    expect(status).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(message);
  });

  it('what is wrong with a file of two robots is told once, and a robot without its mesh is no basis for a verdict', () => {
    const link = '<link name="a"><collision><geometry><mesh filename="gone.stl"/></geometry></collision></link>';
    writeFileSync(join(folder, 'r.urdf'), `<robot name="r">${link}</robot>`);
    const robot = (name: string, x: number) => ({ name, file: 'r.urdf', pose: [x, 0, 0, 0, 0, 0, 1] });
    const cell = { version: 1, objects: [], robots: [robot('left', 0), robot('right', 1)] };
    writeFileSync(join(folder, 'cell.json'), JSON.stringify(cell));
    const { status, err } = run(['check', join(folder, 'cell.json'), '--allow-missing']);
    expect(status).toBe(0);
    expect(err.match(/gone\.stl/g)).toHaveLength(1);
    const strict = run(['check', join(folder, 'cell.json')]);
    expect(strict.status).toBe(2);
    expect(strict.err).toMatch(/1 mesh could not be loaded \(links a\)/);
  });

  it('an empty batch is told', () => {
    const { status, out, err } = run(['check', ...arm, '--states', '-']);
    expect({ status, out }).toEqual({ status: 0, out: '' });
    expect(err).toMatch(/no lines/);
  });
});
