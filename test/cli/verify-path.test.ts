/** `verify-path` and `plan --certificate` by the built command line: paths that are free, that collide, that nobody certified. */
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
  ...['--scene', example('scenes/table-shelf.json')],
];

let folder = '';
const path = (name: string): string => join(folder, name);
beforeAll(() => {
  if (!existsSync(join(root, 'dist/esm/cli.js'))) throw new Error('the command line is not built: run `npm run build`');
  folder = mkdtempSync(join(tmpdir(), 'clearance-cli-'));
  const ends = ['--start', 'home', '--goal', 'ready', '--out', path('path.json'), '--certificate', path('proof.json')];
  const { status } = callCommandLine(['plan', ...arm, ...ends], {});
  expect(status).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function verify(...more: string[]) {
  const { status, out, err } = callCommandLine(['verify-path', ...arm, ...more, '--json'], {});
  const lines = out.split('\n').filter((line) => line !== '');
  return { status, answers: lines.map((line) => JSON.parse(line) as Record<string, unknown>), err };
}

describe('verify-path', () => {
  it('proves what plan returned, by a search and by its certificate', () => {
    const found = verify('--path', path('path.json'));
    expect(found.status).toBe(0);
    expect(found.answers).toMatchObject([{ i: 0, status: 'free', segment: null, t: null, a: null, b: null }]);
    expect(found.answers[0].clearance).toBeGreaterThan(0);
    const proven = verify('--path', path('path.json'), '--certificate', path('proof.json'));
    expect(proven.status).toBe(0);
    expect(proven.answers).toMatchObject([{ i: 0, status: 'free', reason: '' }]);
  });

  it('says where a path collides, each path of a file by itself, a path of one waypoint too', () => {
    const { path: free, joints } = JSON.parse(readFileSync(path('path.json'), 'utf8'));
    const low = free[0].map((x: number, k: number) => (k === 1 ? 2 : x));
    writeFileSync(
      path('several.json'),
      JSON.stringify([
        { joints, path: [free[0], low] },
        { joints, path: free },
        { joints, path: [free[0]] },
      ]),
    );
    const { status, answers } = verify('--path', path('several.json'));
    expect(status).toBe(1);
    expect(answers.map((answer) => answer.status)).toEqual(['collides', 'free', 'free']);
    expect(answers[0]).toMatchObject({ segment: 0, clearance: 0, a: expect.any(String), b: expect.any(String) });
    expect(answers[0].t).toBeGreaterThan(0);
  });

  it('refuses a certificate of another path, and one that is none', () => {
    const certificate = JSON.parse(readFileSync(path('proof.json'), 'utf8'));
    certificate.segments[0].from[0] += 1e-6;
    writeFileSync(path('other.json'), JSON.stringify(certificate));
    const { status, answers } = verify('--path', path('path.json'), '--certificate', path('other.json'));
    expect(status).toBe(3);
    expect(answers).toMatchObject([{ status: 'undecided', segment: 0 }]);
    writeFileSync(path('none.json'), '{"version":3}');
    const none = verify('--path', path('path.json'), '--certificate', path('none.json'));
    expect(none.status).toBe(2);
    expect(none.err).toMatch(/none\.json: .*no certificate of a path/);
  });

  it('sends trajectories to the command that knows how they go between samples', () => {
    const out = path('motion.csv');
    const timed = ['--path', path('path.json'), '--acceleration', '3', '--out', out];
    expect(callCommandLine(['trajectory', arm[0], ...timed], {}).status).toBe(0);
    const { status, answers } = verify('--path', out);
    expect(status).toBe(2);
    expect(answers[0].error).toMatch(/got a trajectory/);
  });
});
