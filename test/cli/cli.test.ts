/** The built command line, in part as a process, on the bundled examples: outputs, exit statuses, bad input, the viewer's server. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandLineOutcome, callCommandLine } from '../support/command-line.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cli = join(root, 'dist/esm/cli.js');
const example = (path: string): string => join(root, 'examples', path);
const arm = [example('arm/arm.urdf'), '--srdf', example('arm/arm.srdf')];
/** On a busy machine a search takes long. */
const patient = ['--timeout', '600'];
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

/** Standard input and the rest of a process as they are. */
function runProcess(args: readonly string[], input = ''): CommandLineOutcome {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8', input });
  return { status, out: stdout, err: stderr };
}

const lines = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe('demo', () => {
  it('reports every step as a line of JSON', () => {
    const { status, out } = runProcess(['demo', '--once', '--json']);
    expect(status).toBe(0);
    const steps = lines(out);
    expect(steps[0]).toMatchObject({ robot: 'arm7', nq: 8 });
    const states = steps.filter((step) => 'state' in step);
    expect(states.find((step) => step.state === 'home')).toMatchObject({ free: true, contacts: [] });
    expect(states.find((step) => step.state === 'half way')).toMatchObject({ free: false, nearest: null });
    expect(steps.filter((step) => 'plan' in step).map((step) => step.status)).toEqual(['solved', 'solved']);
  });
});

describe('help and misuse', () => {
  it.each(['info', 'pair', 'fk', 'dynamics', 'ik', 'check', 'distance', 'acm', 'plan', 'view', 'bench', 'demo'])(
    '%s --help',
    (command) => {
      const { status, out } = run([command, '--help']);
      expect(status).toBe(0);
      expect(out).toContain(`Usage: clearance ${command}`);
      expect(out).toContain('--json');
    },
  );

  it.each([
    [['nonsense'], /unknown command/],
    [['info', 'no-such-file.urdf'], /no such file/],
    [['info', 'file.xyz'], /no such file: file\.xyz/],
    [['pair', 'box:1,1', 'sphere:1'], /box:x,y,z/],
    [['pair', 'box:1,1,1'], /two shapes/],
    [['pair', 'box:1,1,1', 'sphere:1', '--query', 'touch'], /--query "touch"/],
    [['check', ...arm, '--q', 'nowhere'], /state "nowhere"/],
    [['check', ...arm, '--states', 'no-such-file.jsonl'], /no such file/],
    [['plan', ...arm], /--goal/],
    [['fk', arm[0], '--frames', 'elbow9'], /elbow9/],
    [['dynamics', arm[0], '--compute', 'rnea,speed'], /--compute "speed"/],
    [['dynamics', arm[0], '--compute', 'jacobian:elbow9:world'], /elbow9/],
  ])('%j exits with 2 and says why', (args, message) => {
    const { status, out, err } = run(args);
    expect(status).toBe(2);
    expect(err + out).toMatch(message);
    expect(err).not.toMatch(/\n\s+at /);
  });
});

describe('info', () => {
  it('describes the arm', () => {
    const { status, out } = run(['info', ...arm, '--json']);
    expect(status).toBe(0);
    const info = JSON.parse(out);
    expect(info).toMatchObject({ kind: 'robot', name: 'arm7', nq: 8, nv: 8, movable: 9, mimicTags: 1 });
    expect(info.joints).toHaveLength(9);
    expect(info.joints.at(-1)).toMatchObject({ nq: 0, mimic: { multiplier: expect.any(Number) } });
    expect(info.groups).toContain('arm');
  });

  it('describes meshes and scenes', () => {
    expect(JSON.parse(run(['info', example('arm/meshes/base.stl'), '--json']).out)).toMatchObject({
      kind: 'mesh',
      watertight: true,
    });
    expect(JSON.parse(run(['info', example('scenes/table-shelf.json'), '--json']).out)).toMatchObject({
      kind: 'scene',
    });
  });
});

describe('pair', () => {
  it('answers every query with work counts', () => {
    const poses = `${JSON.stringify({ b: [2, 0, 0, 0, 0, 0, 1] })}\n${JSON.stringify({ b: [0.9, 0, 0, 0, 0, 0, 1] })}\n`;
    const { status, out } = run(
      [
        'pair',
        'box:1,1,1',
        'sphere:0.5',
        '--poses',
        '-',
        '--query',
        'collide,distance,tolerance,contacts',
        '--tolerance',
        '0.5',
        '--stats',
        '--json',
      ],
      poses,
    );
    expect(status).toBe(0);
    const [apart, touching] = lines(out);
    expect(apart).toMatchObject({
      i: 0,
      status: 'ok',
      collides: false,
      distance: 1,
      normal: [1, 0, 0],
      within: false,
      contacts: [],
    });
    expect(touching.distance).toBeCloseTo(-0.1, 12);
    expect(touching).toMatchObject({ i: 1, collides: true, within: true });
    expect((touching.contacts as { depth: number }[])[0].depth).toBeCloseTo(0.1, 12);
    expect(touching.stats).toMatchObject({ nodeTests: expect.any(Number) });
  });

  it('goes on after bad lines and exits with 2', () => {
    const input = ['not json', '{"b":[0,0]}', '{"b":[3,0,0,0,0,0,1]}', '{"b":[null,0,0,0,0,0,1]}'].join('\n');
    const { status, out } = runProcess(['pair', 'sphere:1', 'sphere:1', '--poses', '-', '--json'], input);
    expect(status).toBe(2);
    expect(lines(out).map(({ i, status: s }) => [i, s])).toEqual([
      [0, 'invalid'],
      [1, 'invalid'],
      [2, 'ok'],
      [3, 'invalid'],
    ]);
  });

  it('takes shapes from the lines', () => {
    const pair = { A: { type: 'capsule', radius: 0.1, length: 1 }, B: 'sphere:0.2', b: [1, 0, 0, 0, 0, 0, 1] };
    const [answer] = lines(run(['pair', '--pairs', '-', '--json'], JSON.stringify(pair)).out);
    expect(answer.distance).toBeCloseTo(0.7, 12);
  });

  it('reads meshes, scaled', () => {
    const args = ['pair', example('arm/meshes/base.stl'), 'halfspace:0,0,1,-10', '--scale', '2', '--json'];
    expect(lines(run(args).out)[0]).toMatchObject({ collides: false, status: 'ok' });
  });
});

describe('dynamics', () => {
  it('torques, accelerations, inertia and energy agree with each other', () => {
    const q = [0.3, 0.6, -0.2, -1.2, 0.4, 0.9, 0, 0.01];
    const v = [0.5, -0.4, 0.3, 0.2, -0.6, 0.1, 0.7, 0.05];
    const a = [1, -1, 0.5, 0.25, 2, -2, 1, 0.1];
    const compute = ['--compute', 'rnea,crba,energy,gravity,coriolis,centroidal,jacobian:hand:world', '--json'];
    const first = run(['dynamics', arm[0], '--states', '-', ...compute], JSON.stringify({ q, v, a }));
    expect(first.status).toBe(0);
    const [state] = lines(first.out) as { rnea: number[]; crba: number[][]; energy: { kinetic: number } }[];
    const momentum = state.crba.map((row) => row.reduce((sum, m, i) => sum + m * v[i], 0));
    expect(state.energy.kinetic).toBeCloseTo(0.5 * momentum.reduce((sum, p, i) => sum + p * v[i], 0), 12);
    expect((state as Record<string, unknown>)['jacobian:hand:world']).toHaveLength(6);
    const input = JSON.stringify({ q, v, tau: state.rnea });
    const [forward] = lines(run(['dynamics', arm[0], '--states', '-', '--compute', 'aba', '--json'], input).out);
    (forward.aba as number[]).forEach((x, i) => {
      expect(x).toBeCloseTo(a[i], 9);
    });
  });

  it('a force on a link, and bad lines', () => {
    const input = [
      { q: {}, fext: { hand: [0, 0, 10, 0, 0, 0] } },
      { q: {}, fext: { nowhere: [0, 0, 0, 0, 0, 0] } },
      { q: {}, v: [1] },
    ];
    const args = ['dynamics', arm[0], '--gravity', '0,0,0', '--states', '-', '--compute', 'rnea,jacobian:hand:local'];
    const { status, out } = run([...args, '--json'], input.map((line) => JSON.stringify(line)).join('\n'));
    expect(status).toBe(2);
    const [good, badLink, badVector] = lines(out);
    const J = good['jacobian:hand:local'] as number[][];
    (good.rnea as number[]).forEach((tau, i) => {
      expect(tau).toBeCloseTo(-10 * J[2][i], 12);
    });
    expect(badLink.error).toContain('nowhere');
    expect(badVector.error).toContain('v: expected 8 numbers');
  });
});

describe('check, distance, fk', () => {
  it('gives verdicts, names and exit statuses', () => {
    expect(run(['check', ...arm, ...scene, '--q', 'ready', '--json'])).toMatchObject({
      status: 0,
      out: '{"i":0,"free":true,"contacts":[]}\n',
    });
    const folded = run(['check', ...arm, '--q', '0,0,0,0,0,0,0,0', '--scene', blockedScene(), '--all', '--json']);
    expect(folded.status).toBe(1);
    const contacts = lines(folded.out)[0].contacts as { a: string; b: string; depth: number }[];
    expect(contacts.some(({ b }) => b === 'block')).toBe(true);
    for (const { depth } of contacts) expect(depth).toBeGreaterThanOrEqual(0);
  });

  it('takes a ChainTree for a snake, unasked, and says so', () => {
    const links = 60;
    const text = Array.from({ length: links }, (_, i) => {
      const link = `<link name="l${i}"><collision><geometry><sphere radius="0.03"/></geometry></collision></link>`;
      const ends = `<parent link="l${i - 1}"/><child link="l${i}"/><origin xyz="0.08 0 0"/><axis xyz="0 0 1"/>`;
      return i === 0 ? link : `${link}<joint name="j${i}" type="continuous">${ends}</joint>`;
    });
    const file = join(folder, 'snake.urdf');
    writeFileSync(file, `<robot name="snake">${text.join('')}</robot>`);
    const check = (angle: number) =>
      run([
        'check',
        file,
        '--q',
        Array(links - 1)
          .fill(angle)
          .join(','),
        '--json',
      ]);
    const straight = check(0);
    expect(straight.status).toBe(0);
    expect(lines(straight.out)[0]).toEqual({ i: 0, free: true, contacts: [], method: 'chain tree' });
    // A ring of sixty links: the last one comes to lie on the first.
    const ring = check((2 * Math.PI) / (links - 1));
    expect(ring.status).toBe(1);
    expect(lines(ring.out)[0]).toMatchObject({ contacts: [{ a: 'l0', b: 'l59' }], method: 'chain tree' });
  });

  it('reads states by name, array and object; rejects unknown joints and NaN line by line', () => {
    const states = ['{"q":"ready"}', '{"q":{"elbow9":1}}', '{"q":[0,0,0]}', '{}', '{"q":{}}'].join('\n');
    const { status, out } = run(['check', ...arm, '--states', '-', '--json'], states);
    expect(status).toBe(2);
    expect(lines(out).map((line) => line.status ?? 'valid')).toEqual([
      'valid',
      'invalid',
      'invalid',
      'invalid',
      'valid',
    ]);
  });

  it('finds the nearest pair, with witness points that far apart', () => {
    const [pair] = lines(run(['distance', ...arm, ...scene, '--q', 'ready', '--json']).out) as {
      distance: number;
      pointA: number[];
      pointB: number[];
    }[];
    expect(pair.distance).toBeGreaterThan(0);
    expect(Math.hypot(...pair.pointA.map((x, i) => x - pair.pointB[i]))).toBeCloseTo(pair.distance, 12);
  });

  it('refuses a verdict without a collision mesh, unless asked to go on', () => {
    const file = join(folder, 'missing.urdf');
    const link =
      '<link name="l"><collision><geometry><mesh filename="package://nowhere/l.stl"/></geometry></collision></link>';
    writeFileSync(file, `<robot name="r">${link}</robot>`);
    const refused = run(['check', file]);
    expect(refused.status).toBe(2);
    expect(refused.err).toMatch(/package "nowhere"[\s\S]*links l[\s\S]*--allow-missing/);
    const info = run(['info', file, '--json']);
    expect(info.status).toBe(0);
    expect(JSON.parse(info.out).issues[0]).toMatchObject({ severity: 'error', file, line: 1, element: 'link "l"' });
    const anyway = run(['check', file, '--allow-missing', '--json']);
    expect(anyway.status).toBe(0);
    expect(lines(anyway.out)[0]).toMatchObject({ free: true, complete: false });
    expect(String(lines(anyway.out)[0].assumed)).toMatch(/dropped: link "l": .*package "nowhere" is not found/);
  });

  it('reports an assembly: the clash and the clearances', () => {
    const { status, out } = run(['check', example('assembly/bearing.json'), '--margin', '0.002', '--json']);
    expect(status).toBe(1);
    const { pairs } = JSON.parse(out) as { pairs: { distance: number }[] };
    expect(pairs.length).toBeGreaterThan(1);
    expect(pairs[0].distance).toBeLessThan(0);
  });

  it('measures an assembly: the nearest pair, all pairs within a distance, whatever the margins of its objects', () => {
    const [x, margins] = [
      [0, 0.35, 0.9],
      [0, -0.4, 0.3],
    ];
    const objects = x.map((at, i) => ({
      name: `ball${i}`,
      shape: { type: 'sphere', radius: 0.1 },
      pose: [at, 0, 0, 0, 0, 0, 1],
      margin: margins[i],
    }));
    const file = join(folder, 'balls.json');
    writeFileSync(file, JSON.stringify({ version: 1, objects }));
    const nearest = run(['distance', file, '--json']);
    expect([nearest.status, nearest.err]).toEqual([0, '']);
    expect(JSON.parse(nearest.out)).toMatchObject({ a: 'ball0', b: 'ball1', pointA: [0.1, 0, 0], normal: [1, 0, 0] });
    const named = (within: string): string[] => {
      const { pairs } = JSON.parse(run(['distance', file, '--within', within, '--json']).out) as {
        pairs: { a: string; b: string; distance: number }[];
      };
      return pairs.map(({ a, b, distance }) => `${a} ${b} ${distance.toFixed(6)}`);
    };
    expect(named('0.1')).toEqual([]);
    expect(named('0.2')).toEqual(['ball0 ball1 0.150000']);
    expect(named('0.5')).toEqual(['ball0 ball1 0.150000', 'ball1 ball2 0.350000']);
    expect(named('0.8').at(-1)).toBe('ball0 ball2 0.700000');
    expect(run(['distance', file, '--within', '0.2']).out).toBe(
      '3 objects, 1 pair within 200.000 mm\n150.000 mm between ball0 and ball1\n',
    );
  });

  it('computes frames, with a movable base first in q', () => {
    const [fixed] = lines(run(['fk', ...arm, '--q', 'ready', '--json']).out) as { frames: Record<string, number[]> }[];
    const q = { root_joint: [1, 2, 3, 0, 0, 0, 1] };
    const [floating] = lines(
      run(
        ['fk', arm[0], '--base', 'floating', '--states', '-', '--frames', Object.keys(fixed.frames)[0], '--json'],
        JSON.stringify({ q }),
      ).out,
    ) as {
      frames: Record<string, number[]>;
    }[];
    expect(Object.values(floating.frames)[0].slice(0, 3)).toEqual([1, 2, 3]);
  });
});

describe('acm and plan', () => {
  it('acm is repeatable and writes an SRDF that keeps groups and states', () => {
    const file = join(folder, 'sampled.srdf');
    const args = ['acm', ...arm, '--samples', '200', '--seed', '7', '--json'];
    const first = run([...args, '--out', file]);
    expect(first.status).toBe(0);
    expect(run(args).out).toBe(first.out);
    const srdf = readFileSync(file, 'utf8');
    expect(srdf).toContain('disable_collisions');
    expect(srdf).toContain('group_state');
    expect(run(['check', arm[0], '--srdf', file, '--q', 'ready']).status).toBe(0);
  });

  it('plans the bundled problems: exact ends, valid states, the same path for the same seed', () => {
    const csv = join(folder, 'path.csv');
    const args = [
      'plan',
      ...arm,
      '--problems',
      example('scenes/problems.jsonl'),
      '--seed',
      '3',
      '--simplify',
      ...patient,
      '--json',
    ];
    const first = runProcess([...args, '--out', csv]);
    expect(first.status).toBe(0);
    const problems = lines(readFileSync(example('scenes/problems.jsonl'), 'utf8')) as {
      start: number[];
      goal: number[];
    }[];
    const answers = lines(first.out) as { status: string; path: number[][]; length: number; checks: number }[];
    answers.forEach(({ status, path, checks }, k) => {
      expect(status).toBe('solved');
      expect(path[0]).toEqual(problems[k].start);
      expect(path.at(-1)).toEqual(problems[k].goal);
      expect(path.length).toBeGreaterThan(2);
      expect(checks).toBeGreaterThan(0);
    });
    const again = lines(run(args).out) as { path: number[][] }[];
    expect(again.map(({ path }) => path)).toEqual(answers.map(({ path }) => path));
    expect(readFileSync(csv, 'utf8').split('\n')[0]).toMatch(/^problem,waypoint,/);
    const states = answers.flatMap(({ path }) => path.map((q) => JSON.stringify({ q }))).join('\n');
    expect(run(['check', ...arm, ...scene, '--states', '-', '--json'], states).status).toBe(0);
  });

  it('ik: several tasks, every solution, a path without jumps', () => {
    const [{ frames }] = lines(run(['fk', ...arm, '--q', 'ready', '--json']).out) as {
      frames: Record<string, number[]>;
    }[];
    const pose = frames.tool;
    const tasks = [
      { kind: 'position', frame: 'tool', target: pose.slice(0, 3) },
      { kind: 'axis', frame: 'tool', axis: [0, 0, 1], target: [0, 0, -1], weight: 2 },
    ];
    const both = run(['ik', ...arm, '--targets', '-', '--json'], JSON.stringify({ tasks }));
    expect(both.status).toBe(0);
    expect(lines(both.out)[0]).toMatchObject({ status: 'solved' });
    const wrong = run(
      ['ik', ...arm, '--targets', '-', '--json'],
      '{"tasks":[{"kind":"dance","frame":"tool","target":[0,0,1]}]}',
    );
    expect(wrong.status).toBe(2);
    expect(lines(wrong.out)[0].error).toMatch(/kind "dance", expected one of pose/);

    const gaze = ['ik', ...arm, '--frame', 'tool', '--task', 'look-at', '--targets', '-', '--json'];
    expect(lines(run(gaze, '{"target":[0.8,0.2,0]}').out)[0]).toMatchObject({ status: 'solved', positionError: 0 });

    const target = JSON.stringify({ target: pose });
    const all = run(
      ['ik', ...arm, '--frame', 'tool', '--targets', '-', '--all', '--starts', '40', '--avoid-collision', '--json'],
      target,
    );
    expect(all.status).toBe(0);
    const [{ solutions }] = lines(all.out) as { solutions: number[][] }[];
    expect(solutions.length).toBeGreaterThan(2);
    const states = solutions.map((q) => JSON.stringify({ q })).join('\n');
    expect(run(['check', ...arm, '--states', '-', '--json'], states).status).toBe(0);

    const file = join(folder, 'poses.json');
    const poses = Array.from({ length: 10 }, (_, k) => [pose[0], pose[1] + 0.01 * k, ...pose.slice(2)]);
    writeFileSync(file, JSON.stringify(poses));
    const path = run(['ik', ...arm, '--frame', 'tool', '--path', file, '--goal', 'limits', '--json']);
    expect(path.status).toBe(0);
    expect(lines(path.out)[0]).toMatchObject({ status: 'solved', reached: 10 });
    expect(lines(path.out)[0].largestChange).toBeLessThan(0.2);
    const neither = run(['ik', ...arm, '--frame', 'tool']);
    expect(neither.status).toBe(2);
    expect(neither.err).toContain('either --targets or --path');
  });

  it('reaches poses with ik, and plans to one', () => {
    const [{ frames }] = lines(run(['fk', ...arm, '--q', 'ready', '--json']).out) as {
      frames: Record<string, number[]>;
    }[];
    const pose = frames.hand;
    const targets = `${JSON.stringify({ target: pose })}\n${JSON.stringify({ target: [9, 0, 0, 0, 0, 0, 1] })}\n`;
    const solved = run(['ik', ...arm, '--frame', 'hand', '--targets', '-', '--avoid', '--json'], targets);
    expect(solved.status).toBe(1);
    const [near, far] = lines(solved.out);
    expect(near).toMatchObject({ status: 'solved' });
    expect(near.positionError).toBeLessThanOrEqual(1e-6);
    expect(far).toMatchObject({ status: 'unreachable' });
    const planned = run([
      'plan',
      ...arm,
      ...scene,
      '--group',
      'arm',
      '--start',
      'home',
      '--goal-pose',
      `hand=${pose.join(',')}`,
      ...patient,
      '--json',
    ]);
    expect(planned.status).toBe(0);
    const { path } = lines(planned.out)[0] as { path: number[][] };
    const [end] = lines(
      run(['fk', ...arm, '--states', '-', '--frames', 'hand', '--json'], JSON.stringify({ q: path.at(-1) })).out,
    ) as { frames: { hand: number[] } }[];
    for (let i = 0; i < 3; i++) expect(end.frames.hand[i]).toBeCloseTo(pose[i], 5);
  });

  it('names the touching bodies of a bad goal', () => {
    const { status, out } = run([
      'plan',
      ...arm,
      '--scene',
      blockedScene(),
      '--start',
      'ready',
      '--goal',
      '0,0,0,0,0,0,0,0',
      '--json',
    ]);
    expect(status).toBe(1);
    expect(lines(out)[0]).toMatchObject({ status: 'invalid-goal', path: [] });
    expect(lines(out)[0].reason).toMatch(/block/);
  });
});

describe('view', () => {
  it('serves the page, the session and its files on loopback, and nothing else', async () => {
    const child = spawn(process.execPath, [cli, 'view', ...arm, ...scene, '--json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const first = await new Promise<string>((resolve) => child.stdout.once('data', (data) => resolve(String(data))));
      const { url } = JSON.parse(first) as { url: string };
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
      const page = await fetch(url);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
      expect(await page.text()).toContain('<html');
      const session = await (await fetch(`${url}api/session.json`)).json();
      const urdf = await (await fetch(url + session.robot.urdf)).text();
      expect(urdf).toContain('<robot');
      for (const mesh of Object.values<string>(session.robot.meshes))
        expect((await fetch(url + mesh)).status).toBe(200);
      for (const path of ['files/9999/x', 'files/0/../../../etc/passwd', '..%2f..%2fpackage.json', 'files/-1/x']) {
        const response = await rawGet(url, `/${path}`);
        expect([403, 404]).toContain(response.status);
      }
      expect((await rawGet(url, '/', { Host: 'evil.example' })).status).toBe(403);
      expect((await fetch(url, { method: 'POST' })).status).toBe(405);
    } finally {
      child.kill('SIGTERM');
    }
    const status = await new Promise((resolve) => child.once('exit', resolve));
    expect(status).toBe(0);
  });
});

/** A block around the upright arm. */
function blockedScene(): string {
  const file = join(folder, 'block.json');
  const block = { name: 'block', shape: { type: 'box', size: [0.3, 0.3, 0.3] }, pose: [0, 0, 1.1, 0, 0, 0, 1] };
  writeFileSync(file, JSON.stringify({ version: 1, objects: [block] }));
  return file;
}

/** A GET whose path and headers are sent as written (fetch would normalise them). */
function rawGet(url: string, path: string, headers: Record<string, string> = {}): Promise<{ status: number }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, headers }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0 });
    })
      .on('error', reject)
      .end();
  });
}

describe('chain', () => {
  it('builds a peptide, says what it holds and what clashes', () => {
    const helix = join(folder, 'helix.pdb');
    expect(run(['chain', 'build', 'GSAEALKKAG', '--out', helix]).status).toBe(0);
    const info = run(['chain', 'info', helix, '--json']);
    expect(info.status).toBe(0);
    expect(JSON.parse(info.out)).toMatchObject({
      kind: 'structure',
      residues: 10,
      chains: ['A'],
      gaps: [],
      issues: [],
    });
    expect(JSON.parse(run(['info', helix, '--json']).out)).toEqual(JSON.parse(info.out));
    // Missing hydrogens are placed, unless heavy atoms alone are asked for: that is said.
    const whole = JSON.parse(run(['chain', 'clashes', helix, '--json']).out);
    expect(whole).toMatchObject({ comparable: true, remark: null, notes: [] });
    expect(whole.added).toBeGreaterThan(50);
    const free = run(['chain', 'clashes', helix, '--hydrogens', 'as-given', '--json']);
    expect(free.status).toBe(0);
    const remark = 'heavy atoms only, not comparable';
    expect(JSON.parse(free.out)).toMatchObject({ count: 0, added: 0, comparable: false, remark });
    expect(run(['chain', 'clashes', helix, '--hydrogens', 'none']).out).toContain(`(${remark})`);
    const tight = join(folder, 'tight.pdb');
    run(['chain', 'build', 'GSAEALKKAG', '--phi', '-40', '--psi', '-20', '--out', tight]);
    const clashes = run(['chain', 'clashes', tight]);
    // Numbers, no verdict: 1 is for check, plan, ik and trajectory.
    expect(clashes.status).toBe(0);
    expect(clashes.out).toMatch(/A\/\w{3} \d+\/\w+ - A\/.* overlap \d\.\d{3}\n/);
    expect(clashes.out).toMatch(/of them hydrogens placed by geometry: \d+\.\d\d per 1000 atoms\n$/);
    expect(lines(run(['chain', 'pairs', helix, '--cutoff', '4', '--json']).out).length).toBeGreaterThan(10);
  });

  it('refuses what is no structure, with its reason', () => {
    writeFileSync(join(folder, 'empty.pdb'), 'nothing\n');
    const { status, err } = run(['chain', 'info', join(folder, 'empty.pdb')]);
    expect(status).toBe(2);
    expect(err).toContain('no ATOM or HETATM record');
    expect(run(['chain', 'build', 'AXZ', '--out', join(folder, 'x.pdb')]).err).toContain('got "X" at 2');
    const nothing = join(folder, 'nothing.pdb');
    writeFileSync(nothing, 'MODEL        1\nENDMDL\n');
    for (const command of ['clashes', 'pairs', 'bench', 'fold']) {
      const empty = run(['chain', command, nothing]);
      expect([empty.status, empty.out]).toEqual([2, '']);
      expect(empty.err).toContain('nothing.pdb: no atoms in model 1');
    }
    const trace = join(folder, 'trace.pdb');
    const line = (n: number) =>
      `ATOM  ${String(n).padStart(5)}  CA  ALA A${String(n).padStart(4)}    ${[3.8 * n, 0, 0].map((x) => x.toFixed(3).padStart(8)).join('')}`;
    writeFileSync(trace, [1, 2, 3].map(line).join('\n'));
    expect(run(['chain', 'fold', trace]).err).toMatch(/trace\.pdb: .*no torsion that turns/);
    expect(run(['chain', 'clashes', trace, '--chains', 'B']).err).toContain('has no chain "B", expected some of A');
    expect(run(['chain', 'clashes', trace, '--model', '2']).err).toContain('has 1 model');
  });

  it('takes the model, the chain and the alternate location asked for', () => {
    const atom = (serial: number, alternate: string, chain: string, x: number, occupancy: number) =>
      `HETATM${String(serial).padStart(5)}  C1 ${alternate}LIG ${chain}   1    ${[x, 0, 0].map((v) => v.toFixed(3).padStart(8)).join('')}${occupancy.toFixed(2).padStart(6)}  0.00           C`;
    const file = join(folder, 'choices.pdb');
    const model = (n: number, far: number) => [
      `MODEL ${String(n).padStart(8)}`,
      atom(1, 'A', 'A', 0, 0.3),
      atom(2, 'B', 'A', 1, 0.7),
      atom(3, ' ', 'B', far, 1),
      atom(4, ' ', 'C', far + 20, 1),
      'ENDMDL',
    ];
    writeFileSync(file, [...model(1, 3), ...model(2, 3.5)].join('\n'));
    const distances = (...args: string[]) =>
      lines(run(['chain', 'pairs', file, '--json', ...args]).out).map(({ distance }) => distance);
    // The occupancy chooses B, unless told otherwise.
    expect(distances()).toEqual([2]);
    expect(distances('--altloc', 'A')).toEqual([3]);
    expect(distances('--model', '2', '--altloc', 'A')).toEqual([3.5]);
    expect(distances('--chains', 'B,C', '--cutoff', '30')).toEqual([20]);
    expect(distances('--cutoff', '30', '--select', 'chain C and within 25 of chain A')).toEqual([22, 20]);
  });

  it('writes mmCIF by the name, and says what a file holds twice', () => {
    const file = join(folder, 'built.cif');
    expect(run(['chain', 'build', 'GSA', '--out', file]).status).toBe(0);
    expect(JSON.parse(run(['chain', 'info', file, '--json']).out)).toMatchObject({ format: 'cif', residues: 3 });
    const twice = join(folder, 'twice.pdb');
    const line = 'ATOM      1  CA  ALA A   1       0.000   0.000   0.000  1.00  0.00           C\n';
    writeFileSync(twice, line + line);
    const info = run(['chain', 'info', twice]);
    expect([info.status, info.out.includes('1 in the chosen conformation')]).toEqual([0, true]);
    expect(info.err).toContain('1 atom comes twice in the same residue, as A/ALA 1/CA');
  });
});
