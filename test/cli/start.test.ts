/**
 * What a process of the command line loads before it answers: files and bytes, which the first second depends on and the machine's
 * load does not. Counted by the coverage that V8 writes, from the built package.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/command-list.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const built = join(root, 'dist/esm');
const isBuilt = existsSync(join(built, 'cli.js'));
const arm = ['arm.urdf', '--srdf', 'arm.srdf'].map((word) =>
  word.startsWith('-') ? word : join(root, 'examples/arm', word),
);
const importing = (door: string): string[] => [
  '--input-type=module',
  '-e',
  `import ${JSON.stringify(pathToFileURL(join(built, `${door}.js`)).href)};`,
];

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'clearance-start-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function countLoaded(words: readonly string[]): { status: number | null; files: number; bytes: number } {
  const coverage = mkdtempSync(join(folder, 'coverage-'));
  const env = { ...process.env, NODE_V8_COVERAGE: coverage };
  const { status } = spawnSync(process.execPath, words, { env, encoding: 'utf8' });
  const urls = readdirSync(coverage).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(coverage, file), 'utf8')) as { result: { url: string }[] };
    return result.map(({ url }) => url).filter((url) => url.startsWith('file:') && url.endsWith('js'));
  });
  const bytes = urls.reduce((sum, url) => sum + statSync(fileURLToPath(url)).size, 0);
  return { status, files: urls.length, bytes };
}

describe.skipIf(!isBuilt)(`what is loaded${isBuilt ? '' : ' (skipped: not built, run npm run build)'}`, () => {
  // Ceilings somewhat above what was reached: before commands were loaded one by one, the help alone took 210 files and 2 MB.
  it.each([
    { title: 'clearance --version', words: [join(built, 'cli.js'), '--version'], files: 14, kB: 210 },
    { title: 'clearance --help', words: [join(built, 'cli.js'), '--help'], files: 14, kB: 210 },
    { title: 'clearance check, bundled arm', words: [join(built, 'cli.js'), 'check', ...arm], files: 54, kB: 1000 },
    { title: "import 'clearance'", words: importing('index'), files: 20, kB: 580 },
    { title: "import 'clearance/narrowphase'", words: importing('narrowphase'), files: 14, kB: 310 },
    { title: "import 'clearance/math'", words: importing('math'), files: 6, kB: 70 },
  ])('$title: at most $files files, $kB kB', ({ words, files, kB }) => {
    const loaded = countLoaded(words);
    expect(loaded.status).toBe(0);
    expect(loaded.files).toBeGreaterThan(0);
    expect(loaded.files).toBeLessThanOrEqual(files);
    expect(loaded.bytes / 1000).toBeLessThanOrEqual(kB);
  });
});

describe.skipIf(!isBuilt)(`the list of commands${isBuilt ? '' : ' (skipped: not built, run npm run build)'}`, () => {
  const createProgram = async (wanted?: (name: string) => boolean): Promise<Command> =>
    (await import(/* @vite-ignore */ pathToFileURL(join(built, 'cli-program.js')).href)).createProgram(wanted);

  it('says what the commands themselves say', async () => {
    const loaded = await createProgram();
    const plain = await createProgram(() => false);
    expect(plain.helpInformation()).toBe(loaded.helpInformation());
    for (const command of loaded.commands) {
      const line = COMMANDS.find(({ name }) => name === command.name());
      const words = command.registeredArguments.map((argument) => {
        const name = argument.name() + (argument.variadic ? '...' : '');
        return argument.required ? `<${name}>` : `[${name}]`;
      });
      const options = command.options.length > 0 ? ['[options]'] : [];
      expect(line).toEqual({
        name: command.name(),
        words: [...options, ...words].join(' '),
        about: command.description(),
      });
    }
  });

  it('loads the command that is asked for, and no other', async () => {
    const { commands } = await createProgram((name) => name === 'fk');
    expect(commands.filter(({ options }) => options.length > 0).map((command) => command.name())).toEqual(['fk']);
  });
});
