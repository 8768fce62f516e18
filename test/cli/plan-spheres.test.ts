/** `plan` by the built command line: spheres of its own and of files, planners by name, certified and sampled paths, what the answer says of them. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callCommandLine } from '../support/command-line.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const example = (path: string): string => join(root, 'examples', path);
const arm = [
  ...[example('arm/arm.urdf'), '--srdf', example('arm/arm.srdf')],
  ...['--scene', example('scenes/table-shelf.json'), '--start', 'home', '--goal', 'ready'],
];

let folder = '';
const path = (name: string): string => join(folder, name);
beforeAll(() => {
  if (!existsSync(join(root, 'dist/esm/cli.js'))) throw new Error('the command line is not built: run `npm run build`');
  folder = mkdtempSync(join(tmpdir(), 'clearance-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function plan(...more: string[]) {
  const { status, out, err } = callCommandLine(['plan', ...arm, ...more, '--json'], {});
  return { status, answer: JSON.parse(out.split('\n')[0] || '{}') as Record<string, unknown>, err };
}

describe('plan', () => {
  it('says what the path is worth, who planned it and where the time went', () => {
    const { status, answer } = plan('--simplify');
    expect(status).toBe(0);
    expect(answer).toMatchObject({ status: 'solved', certified: true, planner: 'rrt-connect', cost: answer.length });
    for (const name of ['prepareMs', 'planMs', 'simplifyMs']) expect(answer[name]).toBeGreaterThanOrEqual(0);
  });

  it('refuses fewer spheres than links with geometry', () => {
    const { status, err } = callCommandLine(['spheres', example('arm/arm.urdf'), '--total', '1'], {});
    expect(err).toMatch(/^--total 1: \d+ links have geometry, expected \d+ or more/);
    expect(status).toBe(2);
  });

  it('plans with the spheres of a file, leaves out those that do not contain their link, and says so', () => {
    const fitted = callCommandLine(
      ['spheres', example('arm/arm.urdf'), '--per-link', '2', '--out', path('spheres.json')],
      {},
    );
    expect(fitted.status).toBe(0);
    const whole = plan('--spheres', path('spheres.json'));
    expect(whole.answer).toMatchObject({ status: 'solved', certified: true });
    expect(whole.err).not.toContain('do not contain');
    const spheres = JSON.parse(readFileSync(path('spheres.json'), 'utf8')) as Record<string, number[][]>;
    const [link] = Object.keys(spheres);
    writeFileSync(
      path('small.json'),
      JSON.stringify({ ...spheres, [link]: spheres[link].map(([x, y, z]) => [x, y, z, 0.001]) }),
    );
    const small = plan('--spheres', path('small.json'));
    expect(small.answer).toMatchObject({ status: 'solved', certified: true });
    expect(small.err).toContain(`the spheres of link "${link}" do not contain it`);
    expect(plan('--spheres', path('nowhere.json')).status).toBe(2);
  });

  it('asks spheres to contain the shapes that collide: with --geometry visual the visual ones', () => {
    const box = (size: string): string => `<geometry><box size="${size}"/></geometry>`;
    writeFileSync(
      path('visual.urdf'),
      `<robot name="two"><link name="base"/><link name="slide"><visual>${box('0.5 0.5 0.5')}</visual>
      <collision>${box('0.1 0.1 0.1')}</collision></link><joint name="x" type="prismatic"><parent link="base"/>
      <child link="slide"/><axis xyz="1 0 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint></robot>`,
    );
    writeFileSync(path('inner.json'), JSON.stringify({ slide: [[0, 0, 0, 0.1]] }));
    const object = { name: 'post', shape: { type: 'box', size: [0.2, 0.2, 0.2] }, pose: [0, 0.25, 0, 0, 0, 0, 1] };
    writeFileSync(path('post.json'), JSON.stringify({ version: 1, objects: [object] }));
    const cross = (spheres: string, ...more: string[]) => {
      const given = ['--scene', path('post.json'), '--start', '-1', '--goal', '1', '--spheres', spheres];
      const { out, err } = callCommandLine(['plan', path('visual.urdf'), ...given, ...more, '--json'], {});
      return { answer: JSON.parse(out.split('\n')[0] || '{}') as Record<string, unknown>, err };
    };
    expect(cross(path('inner.json')).answer).toMatchObject({ status: 'solved', certified: true });
    const visual = cross(path('inner.json'), '--geometry', 'visual', '--timeout', '0.5');
    expect(visual.err).toContain('the spheres of link "slide" do not contain it');
    expect(visual.answer.status).not.toBe('solved');
    expect(cross('auto', '--no-cache').answer).toMatchObject({ status: 'solved', certified: true });
    expect(cross('auto', '--no-cache', '--geometry', 'visual', '--timeout', '0.5').answer.status).not.toBe('solved');
  });

  it('returns a sampled path where that is asked for, and does not call it certified', () => {
    const { status, answer } = plan('--edges', 'sampled', '--resolution', '0.05');
    expect(status).toBe(0);
    expect(answer).toMatchObject({ status: 'solved', certified: false });
    expect(plan('--planner', 'unknown').status).toBe(2);
  });
});
