/** Command lines that once crashed, hung or misled: the exact arguments and input; pipes and the viewer's server as processes. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandLineOutcome, callCommandLine } from '../support/command-line.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cli = join(root, 'dist/esm/cli.js');
const isBuilt = existsSync(cli);

const LINKS = `<link name="a"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<link name="b"><collision><geometry><sphere radius="0.3"/></geometry></collision></link>
<link name="c"><collision><geometry><sphere radius="0.3"/></geometry></collision></link>`;
const ARM = `<robot name="arm">${LINKS}
<joint name="j1" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/>
<limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
<joint name="j2" type="continuous"><parent link="b"/><child link="c"/><origin xyz="0 0 0.8"/><axis xyz="0 1 0"/></joint>
</robot>`;
const STATIC = `<robot name="static">${LINKS.split('\n')[0]}</robot>`;
const SPHERE = { type: 'sphere', radius: 0.1 };

let folder = '';
const path = (name: string): string => join(folder, name);

function run(args: readonly string[], input = ''): CommandLineOutcome {
  return callCommandLine(args, { cwd: folder, input });
}

function expectRefused(args: readonly string[], message: RegExp): void {
  const { status, out, err } = run([...args, '--json']);
  expect(`${out}${err}`).toMatch(message);
  expect(`${out}${err}`).not.toMatch(/\n\s+at /);
  expect(status).toBe(2);
}

describe.skipIf(!isBuilt)(`command line${isBuilt ? '' : ' (skipped: nothing built, run npm run build)'}`, () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'clearance-regression-'));
    mkdirSync(path('folder'));
    writeFileSync(path('arm.urdf'), ARM);
    writeFileSync(path('static.urdf'), STATIC);
    writeFileSync(path('null.json'), 'null');
    writeFileSync(path('negative.json'), '{"a":[[0,0,0,-1]]}');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(['check', 'distance', 'fk', 'acm'])('%s takes a robot without movable joints', (command) => {
    const { status, err } = run([command, 'static.urdf', '--json', ...(command === 'acm' ? ['--samples', '3'] : [])]);
    // Of one part: nothing is compared, and that is said.
    expect(err).toMatch(command === 'check' ? /^warning: nothing is compared: there is one part only[^\n]*\n$/ : /^$/);
    expect(status).toBe(0);
  });

  it('reads a batch that begins with a byte order mark and has CRLF ends', () => {
    const { status, out } = run(
      ['check', 'arm.urdf', '--states', '-', '--json'],
      '\uFEFF{"q":[0,0]}\r\n{"q":[1,1]}\r\n',
    );
    expect(out.trim().split('\n')).toHaveLength(2);
    expect(status).toBe(0);
  });

  it.each([
    [['check', 'arm.urdf', '--states', 'folder'], /folder: a folder/],
    [['check', 'arm.urdf', '--state', '[1,'], /q "\[1,"/],
    [['check', 'arm.urdf', '--q', ',1'], /between the commas/],
    [['check', 'arm.urdf', '--geometry', 'spheres', '--spheres', 'null.json'], /--spheres null\.json: expected/],
    [['check', 'arm.urdf', '--geometry', 'spheres', '--spheres', 'negative.json'], /"a": expected .* r above 0/],
    [['check', 'arm.urdf', '--srdf', 'missing.srdf', '--quiet'], /no such file: missing\.srdf/],
    [['check', 'arm.urdf', '--base', 'floating', '--q', '0,0,0,0,0,0,0,0,0'], /root_joint.*expected length 1/],
    [['check', 'arm.urdf', '--continuous', 'cos-sin', '--q', '0,0,0'], /j2.*expected length 1/],
    [['acm', 'arm.urdf', '--samples', '0'], /--samples "0": expected at least 1/],
    [['acm', 'arm.urdf', '--out', 'folder'], /--out folder: a folder/],
    [['plan', 'arm.urdf', '--goal', '1,0', '--out', 'nowhere/path.json'], /there is no folder nowhere/],
    [['plan', 'arm.urdf', '--goal', '1,0', '--resolution', '1e-12'], /--resolution "1e-12"/],
    [['plan', 'static.urdf', '--goal', '[]'], /no movable joint/],
    [['pair', 'sphere:0', 'sphere:1'], /shape "sphere:0": sphere radius, got 0/],
    [['pair', 'sphere:1', 'sphere:1', '--query', 'contacts', '--max-contacts', '1000000000'], /at most 10000/],
    [['view', 'arm.urdf', '--srdf', 'missing.srdf'], /missing\.srdf: no such file/],
  ])('refuses %j in one line', (args, message) => expectRefused(args, message));

  it('gives the frame of a link that is called __proto__', () => {
    writeFileSync(path('proto.urdf'), '<robot name="r"><link name="__proto__"/></robot>');
    const { status, out } = run(['fk', 'proto.urdf', '--json']);
    expect(out).toContain('"__proto__":[0,0,0,0,0,0,1]');
    expect(status).toBe(0);
  });

  it('answers a goal pose out of reach with a verdict', () => {
    const { status, out } = run(['plan', 'arm.urdf', '--goal-pose', 'c=0,0,50,0,0,0,1', '--json']);
    expect(JSON.parse(out)).toMatchObject({ i: 0, status: 'invalid-goal', path: [] });
    expect(JSON.parse(out).reason).toContain('beyond the arm');
    expect(status).toBe(1);
  });

  it.each([
    ['one robot', [{ name: 'r', file: 'arm.urdf' }], 'c', 'b'],
    [
      'two robots',
      [
        { name: 'r', file: 'arm.urdf' },
        { name: 's', file: 'arm.urdf', pose: [5, 0, 0, 0, 0, 0, 1] },
      ],
      'r/c',
      'r/b',
    ],
  ])('attaches an object in a scene of %s', (_title, robots, link, touch) => {
    const part = { name: 'part', shape: SPHERE, pose: [0, 0, 1.8, 0, 0, 0, 1] };
    const attached = [{ object: 'part', link, touchLinks: [touch] }];
    writeFileSync(path('scene.json'), JSON.stringify({ version: 1, objects: [part], robots, attached }));
    const { status, out, err } = run(['check', 'scene.json', '--json']);
    expect(err).toBe('');
    expect(JSON.parse(out)).toEqual({ pairs: [] });
    expect(status).toBe(0);
  });

  it('ends quietly when its reader has seen enough', () => {
    const states = '{"q":[0,0]}\n'.repeat(20_000);
    writeFileSync(path('states.jsonl'), states);
    const command = `"${process.execPath}" "${cli}" check arm.urdf --states states.jsonl --json | head -n 1`;
    const { stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' });
    expect(JSON.parse(stdout)).toMatchObject({ i: 0, free: true });
    expect(stderr).toBe('');
  });

  it.skipIf(!existsSync(join(root, 'viewer/dist')))('serves on after a request target that is no URL', async () => {
    const server = spawn(process.execPath, [cli, 'view', 'arm.urdf', '--json'], { cwd: folder });
    try {
      const announced = await new Promise<string>((resolve) =>
        server.stdout.once('data', (data: Buffer) => resolve(data.toString())),
      );
      const port = Number(new URL(JSON.parse(announced).url).port);
      const ask = (target: string): Promise<string> =>
        new Promise((resolve, reject) => {
          let answer = '';
          const socket = connect(port, '127.0.0.1', () => {
            socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
          });
          socket
            .on('data', (data) => {
              answer += data.toString();
            })
            .on('end', () => resolve(answer))
            .on('error', reject);
        });
      for (const target of ['//', '///', '/%', 'http://[', '//a:b@c:99999/', '/../..//etc/passwd'])
        expect(await ask(target), target).toMatch(/^HTTP\/1\.1 (200|400|404) /);
      expect(await ask('/api/session.json')).toMatch(/^HTTP\/1\.1 200 /);
    } finally {
      server.kill();
    }
  });
});
