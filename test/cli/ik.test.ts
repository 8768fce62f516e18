/** What `clearance ik` refuses, by the built command line on the bundled arm: options that mean nothing where they stand, and bad input. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandLineOutcome, callCommandLine } from '../support/command-line.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const arm = [join(root, 'examples/arm/arm.urdf'), '--frame', 'tool'];
const isBuilt = existsSync(join(root, 'dist/esm/cli.js'));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'clearance-ik-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(args: readonly string[], input = ''): CommandLineOutcome {
  return callCommandLine(['ik', ...arm, ...args], { input });
}

describe.skipIf(!isBuilt)(`ik${isBuilt ? '' : ' (skipped: not built, run npm run build)'}`, () => {
  it.each([
    [['--targets', '-', '--all', '--goal', 'limits'], /--goal: means nothing with --all/],
    [['--targets', '-', '--all', '--restarts', '3'], /--restarts: means nothing with --all/],
    [['--targets', '-', '--starts', '3'], /--starts: means nothing without --all or --path/],
    [['--path', 'poses.json', '--all'], /--all: means nothing with --path/],
    [['--targets', '-', '--position', '--task', 'pose'], /--task: --position is --task position/],
    [['--targets', '-', '--axis', '1,0,0'], /--axis: means nothing without --task axis or look-at/],
  ])('%j exits with 2 and says why', (args, message) => {
    const { status, err } = run(args, '{"target":[0.4,0,0.4,0,0,0,1]}');
    expect(status).toBe(2);
    expect(err).toMatch(message);
  });

  it.each([
    ['{"target":["0.4","0","0.4"]}', /target: expected three finite numbers/],
    ['{"target":[0.4,0,0.4],"tasks":[]}', /"target" and "tasks": expected one of them/],
    ['{"tasks":[{"kind":"position","frame":"tool","target":["1","2","3"]}]}', /three finite numbers/],
    ['{"tasks":[{"kind":"position","frame":"tool","target":[1,2,3],"weight":"2"}]}', /weight, expected a number/],
  ])('the line %s is invalid', (line, message) => {
    const { status, out } = run(['--targets', '-', '--task', 'position', '--json'], line);
    expect(status).toBe(2);
    expect(JSON.parse(out)).toMatchObject({ status: 'invalid', error: expect.stringMatching(message) });
  });

  it.each([
    ['null', /poses.json: expected an array of poses/],
    ['[]', /poses.json: expected an array of poses/],
    ['[null]', /poses.json: pose 0: expected/],
    ['[{}]', /poses.json: pose 0: expected/],
    ['[[0,0,1e400,0,0,0,1]]', /poses.json: 0": expected/],
  ])('the path %s is refused with its name', (content, message) => {
    const file = join(folder, 'poses.json');
    writeFileSync(file, content);
    const { status, err } = run(['--path', file]);
    expect(status).toBe(2);
    expect(err).toMatch(message);
  });
});
