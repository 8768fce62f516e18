/** Every option of every command has an effect, or is refused by its name: the tree of commands against the table of cases. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CASES, MODES } from './cases.js';
import { CHAIN_BEFORE } from './chain-cases.js';
import { writeFixtures } from './fixtures.js';
import type { OptionCase } from './option-case.js';
import { listCommands, type Outcome, runInProcess } from './run-in-process.js';

const start = process.cwd();
let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'clearance-options-'));
  writeFixtures(folder);
  process.chdir(folder);
  for (const line of CHAIN_BEFORE) await runInProcess(line);
});
afterAll(() => {
  process.chdir(start);
  rmSync(folder, { recursive: true, force: true });
});

const commands = await listCommands();
const optionsOf = (words: string): string[] => (commands.get(words)?.options ?? []).map(({ long }) => String(long));

const answers = new Map<string, Outcome>();
const repeated = new Set<string>();
async function run(args: readonly string[]): Promise<Outcome> {
  const key = args.join('\0');
  let outcome = answers.get(key);
  if (!outcome) {
    outcome = await runInProcess(args);
    answers.set(key, outcome);
  }
  return outcome;
}

async function verify(option: string, given: OptionCase): Promise<void> {
  if ('refused' in given) {
    const { status, err } = await runInProcess(given.refused);
    expect(err).toMatch(given.why);
    expect(status).toBe(2);
  } else if ('writes' in given) {
    expect(given.line).toContain(option);
    const { err } = await runInProcess(given.line);
    expect(existsSync(given.writes), err).toBe(true);
    if (given.other !== undefined)
      expect(readFileSync(given.writes, 'utf8')).not.toBe(readFileSync(given.other, 'utf8'));
  } else if ('same' in given) {
    expect(given.same).toContain(option);
    expect(await run([...given.base, ...given.same])).toEqual(await run(given.base));
  } else {
    expect(given.with).toContain(option);
    expect(given.base).not.toContain(option);
    const [without, added] = [await run(given.base), await run([...given.base, ...given.with])];
    expect(added, `${given.base.join(' ')} ${given.with.join(' ')}`).not.toEqual(without);
    // Nor is what differs from run to run.
    const base = given.base.join('\0');
    if (!repeated.has(base)) expect(await runInProcess(given.base)).toEqual(without);
    repeated.add(base);
    // A fault of the program itself is no effect.
    for (const { err } of [without, added]) expect(err).not.toMatch(/\n\s+at /);
    // One of them answers: two refusals would differ by their words alone.
    expect(
      [without.out, added.out].some((text) => text !== ''),
      `${without.err}\n${added.err}`,
    ).toBe(true);
  }
}

it('every command has a table, and every option of it a row', () => {
  expect(Object.keys(CASES).sort()).toEqual([...commands.keys()].sort());
  for (const words of commands.keys())
    expect([words, Object.keys(CASES[words]).sort()]).toEqual([words, optionsOf(words).sort()]);
});

describe.each(Object.entries(CASES))('%s', (_words, cases) => {
  it.each(Object.entries(cases))('%s', async (option, given) => verify(option, given));
});

describe.each(Object.entries(MODES))('%s', (_name, { command, line, accepts, optional }) => {
  it.each(Object.entries(accepts))('%s has an effect', async (option, given) => verify(option, given));

  const idle = optionsOf(command).filter((option) => !(option in accepts) && !optional.includes(option));
  it.each(idle)('%s is refused by its name', async (option) => {
    const described = commands.get(command)!.options.find(({ long }) => long === option)!;
    const value = described.argChoices?.at(-1) ?? VALUES[option] ?? '1';
    const { status, out, err } = await runInProcess([...line, option, ...(described.required ? [value] : [])]);
    expect(err).toMatch(new RegExp(`^${option}: `));
    expect([status, out]).toEqual([2, '']);
  });
});

/** Values that the options themselves accept. */
const VALUES: Readonly<Record<string, string>> = {
  '--scene': 'scene.json',
  '--package': 'parts=parts',
  '--package-path': '.',
  '--srdf': 'disable.srdf',
  '--states': 'states.jsonl',
  '--xacro-arg': 'a=1',
  '--unit': 'metre',
};
