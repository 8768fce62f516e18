/**
 * What README and docs print, as a newcomer would use it: the `js` and `ts` blocks of a page are one program, in order
 * (`js alone`: a program of its own; `js fragment`: only of interest where a platform or bundler does its part, looked at by
 * nobody here), type-checked with `strict` and run; the `clearance` lines of `sh` blocks are run and end with the exit status
 * that a comment at their end names, 0 without one.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { callCommandLine } from '../support/command-line.js';
import { findTool, projectRoot, runNode } from './run.js';

const installed = join(inject('consumer'), 'node_modules/clearance');
const folder = join(inject('consumer'), '..', 'reader');
const pages = ['README.md', ...readdirSync(join(projectRoot, 'docs')).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
);

interface Block {
  readonly language: string;
  readonly note: string;
  readonly line: number;
  readonly text: string;
}

function readBlocks(page: string): Block[] {
  const text = readFileSync(join(projectRoot, page), 'utf8');
  return [...text.matchAll(/^```(\w+)[ \t]*([^\n]*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1],
    note: match[2].trim(),
    line: text.slice(0, match.index).split('\n').length,
    text: match[3],
  }));
}

interface Program {
  readonly name: string;
  readonly text: string;
}

function readPrograms(page: string): Program[] {
  const blocks = readBlocks(page).filter(({ language, note }) => /^(?:js|ts)$/.test(language) && note !== 'fragment');
  const alone = blocks.filter(({ note }) => note === 'alone');
  const joined = blocks.filter(({ note }) => note !== 'alone');
  const base = page.replace(/\.md$/, '').replace('/', '-').toLowerCase();
  const programs = alone.map(({ line, text }) => ({ name: `${base}-${line}`, text }));
  if (joined.length > 0) programs.unshift({ name: base, text: joined.map(({ text }) => text).join('\n') });
  return programs;
}

interface Command {
  readonly page: string;
  readonly line: string;
  readonly status: number;
}

/** `clearance view` and `demo` without `--once` serve until they are stopped. */
const serves = /^clearance (?:view|demo|serve)\b(?!.*--once)/;

function readCommands(page: string): Command[] {
  return readBlocks(page)
    .filter(({ language, note }) => language === 'sh' && note !== 'fragment')
    .flatMap(({ text }) => text.replaceAll('\\\n', ' ').split('\n'))
    .map((line) => line.trim())
    .filter((line) => /^clearance /.test(line) && !serves.test(line))
    .map((line) => {
      const [command, comment = ''] = line.split(/\s+#\s*/);
      return { page, line: command, status: Number(/exit status (\d)/.exec(comment)?.[1] ?? 0) };
    });
}

const programs = pages.flatMap(readPrograms);
const commands = pages.flatMap(readCommands);

beforeAll(() => {
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
  for (const entry of readdirSync(join(inject('consumer'), 'node_modules')))
    if (!entry.startsWith('.') && entry !== '@types' && entry !== 'clearance')
      symlinkSync(join(inject('consumer'), 'node_modules', entry), join(folder, 'node_modules', entry));
  // For real, so that it finds its optional peer here.
  cpSync(installed, join(folder, 'node_modules/clearance'), { recursive: true });
  for (const name of ['@types/node', 'undici-types', 'three', '@types/three'])
    if (
      !readdirSync(join(folder, 'node_modules', name.includes('/') ? '@types' : '')).includes(
        name.replace('@types/', ''),
      )
    )
      symlinkSync(join(projectRoot, 'node_modules', name), join(folder, 'node_modules', name));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'reader', private: true, type: 'module' }));
  // As in a clone, and as a newcomer copies them.
  cpSync(join(installed, 'examples'), join(folder, 'examples'), { recursive: true });
  for (const { name, text } of programs) writeFileSync(join(folder, `${name}.ts`), text);
  for (const { name, text } of programs) writeFileSync(join(folder, `${name}.mjs`), text);
});

describe('the code of README and docs', () => {
  it('is there', () => {
    expect(programs.map(({ name }) => name)).toContain('readme');
    expect(commands.length).toBeGreaterThan(5);
  });

  it('has no error in a project with `strict` and the target ES2022', () => {
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'ES2022',
      module: 'NodeNext',
      skipLibCheck: true,
      types: ['node'],
    };
    const files = programs.map(({ name }) => `${name}.ts`);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    expect(runNode([findTool('typescript', 'tsc'), '-p', folder], folder)).toBe('');
  });

  it.each(programs)('runs: $name', ({ name }) => {
    runNode([`${name}.mjs`], folder);
  });

  it.each(commands)('$page: $line', ({ line, status }) => {
    const words = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3]);
    const program = join(installed, 'dist/esm/cli-program.js');
    const ended = callCommandLine(words.slice(1), { cwd: folder, program });
    expect(ended.status, `${ended.out}\n${ended.err}`).toBe(status);
  });
});
