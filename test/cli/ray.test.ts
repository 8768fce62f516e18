/** The command `ray` by the built command line: robots at joint states, scenes, lines that are no rays. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callCommandLine } from '../support/command-line.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const example = (path: string): string => join(root, 'examples', path);
const table = example('scenes/table-shelf.json');
const arm = [example('arm/arm.urdf'), '--srdf', example('arm/arm.srdf'), '--scene', table];
const home = '0,0,0,0,0,0,0,0.01';

const RAYS = [
  { origin: [0.5, 0, 3], direction: [0, 0, -2] },
  { origin: [0.5, 0, 3], direction: [0, 0, -2], max: 0.1 },
  { origin: [3, 0.02, 0.05], direction: [-1, 0, 0] },
  { origin: [0, 0, 5], direction: [0, 0, -1] },
  { origin: [-3, 0.02, 0.05], direction: [1, 0, 0] },
];

let folder = '';
let rays = '';
beforeAll(() => {
  if (!existsSync(join(root, 'dist/esm/cli.js'))) throw new Error('the command line is not built: run `npm run build`');
  folder = mkdtempSync(join(tmpdir(), 'clearance-cli-'));
  rays = join(folder, 'rays.jsonl');
  writeFileSync(rays, RAYS.map((ray) => JSON.stringify(ray)).join('\n'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// biome-ignore lint/suspicious/noExplicitAny: answers are what the test is about
const lines = (text: string): any[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe('ray', () => {
  it('says what is hit first, over a robot and a scene', () => {
    const { status, out } = callCommandLine(['ray', ...arm, '--q', home, '--rays', rays, '--json'], {});
    expect(status).toBe(0);
    const answers = lines(out);
    expect(answers.slice(0, 3)).toEqual([
      { i: 0, hit: true, t: 1.4, point: [0.5, 0, expect.closeTo(0.2, 12)], normal: [0, 0, 1], body: 'table' },
      { i: 1, hit: false, t: null, point: null, normal: null, body: null },
      { i: 2, hit: true, t: 1.98, point: [1.02, 0.02, 0.05], normal: [1, 0, 0], body: 'table' },
    ]);
    // Straight down onto the arm, and from the side onto its base, which is a mesh.
    expect(answers[3].body).not.toBe('table');
    expect(answers[3].point).toEqual([0, 0, expect.closeTo(5 - answers[3].t, 12)]);
    expect(answers[4]).toMatchObject({ body: 'base_link', triangle: expect.any(Number) });
    expect(answers[4].normal[0]).toBeLessThan(0);
  });

  it('lists every crossing in order, in every state', () => {
    const states = join(folder, 'states.jsonl');
    const bent = [0, 1, 0, -1, 0, 0.5, 0, 0.01];
    writeFileSync(states, [home.split(',').map(Number), bent].map((q) => JSON.stringify({ q })).join('\n'));
    const { status, out } = callCommandLine(['ray', ...arm, '--states', states, '--rays', rays, '--all', '--json'], {});
    expect(status).toBe(0);
    const answers = lines(out);
    expect(answers.map(({ state, i }) => [state, i])).toEqual([0, 1].flatMap((s) => RAYS.map((_, i) => [s, i])));
    for (const { hit, hits } of answers) {
      expect(hit).toBe(hits.length > 0);
      const times = hits.map(({ t }: { t: number }) => t);
      expect(times).toEqual([...times].sort((a, b) => a - b));
    }
    const crossings = (state: number): unknown => answers.find((one) => one.state === state && one.i === 3).hits;
    expect(crossings(0)).not.toEqual(crossings(1));
  });

  it('takes a scene file and standard input, answers in words, and goes on after a line that is no ray', () => {
    const input = [JSON.stringify(RAYS[0]), '{"origin":[0,0,3],"direction":[0,0,0]}', JSON.stringify(RAYS[1])].join(
      '\n',
    );
    const { status, out } = callCommandLine(['ray', table, '--rays', '-'], { input });
    expect(status).toBe(2);
    expect(out).toContain('0: table at t 1.4, point 500.000 mm, 0.000 mm, 200.000 mm');
    expect(out).toContain('1: invalid: "direction": expected one that is not zero (line 2)');
    expect(out).toContain('2: nothing');
    expect(out).toContain('3 rays: 1 hit; 1 invalid');
  });

  it('refuses what means nothing here', () => {
    const refused = (args: readonly string[]): string => {
      const { status, err } = callCommandLine(args, {});
      expect(status).toBe(2);
      return err;
    };
    expect(refused(['ray', table])).toMatch(/--rays: expected a file of rays/);
    expect(refused(['ray', table, '--rays', rays, '--q', home])).toMatch(/means nothing for a scene without states/);
    expect(refused(['ray', ...arm, '--states', '-', '--rays', '-'])).toMatch(/expected standard input for one of them/);
  });
});
