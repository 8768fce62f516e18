/**
 * docs/cli.md against the tree of commands: a section for each command, with every option of it and no other, in tables of its
 * own or in those of the groups that its line "Options:" links to; options and commands that prose mentions exist.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../package/run.js';
import { listCommands } from './options/run-in-process.js';

const page = readFileSync(join(projectRoot, 'docs/cli.md'), 'utf8');
const commands = await listCommands();
/** Those of every command; the page's first section tells them. */
const common = new Set(['--json', '--quiet']);
const optionsOf = (name: string): string[] =>
  (commands.get(name)?.options ?? [])
    .filter(({ hidden }) => !hidden)
    .map(({ long }) => String(long))
    .filter((option) => !common.has(option));

/** Sections by title, whatever their level. */
function readSections(text: string): Map<string, string> {
  const sections = new Map<string, string>();
  const headings = [...text.matchAll(/^#{2,3} (.+)$/gm)];
  for (const [k, heading] of headings.entries())
    sections.set(heading[1], text.slice(heading.index + heading[0].length, headings[k + 1]?.index));
  return sections;
}

const sections = readSections(page);
const findOptions = (text: string): string[] =>
  [...text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([option]) => option);
/** First cells of the rows of tables. */
const listTabled = (text: string): string[] =>
  [...text.matchAll(/^\|((?:\\\||[^|\n])+)\|/gm)].flatMap(([, cell]) => findOptions(cell));
const toAnchor = (title: string): string => title.toLowerCase().replaceAll(' ', '-');

function listDocumented(name: string): string[] {
  const text = sections.get(name) ?? '';
  const groups = [...sections.keys()].filter(
    (title) => / options$/.test(title) && text.includes(`](#${toAnchor(title)})`),
  );
  return [...listTabled(text), ...groups.flatMap((title) => listTabled(sections.get(title)!))];
}

describe.each([...commands.keys()])('%s', (name) => {
  it('has a section with its usage and an example', () => {
    expect([...sections.keys()]).toContain(name);
    expect(sections.get(name)).toContain(`\n\`\`\`\nclearance ${name}`);
    expect(sections.get(name)).toMatch(new RegExp(`\`\`\`sh[^\n]*\n(?:clearance .*\n)*clearance ${name}\\b`));
  });

  it('has every option of its help in its section, and no other', () => {
    expect([...new Set(listDocumented(name))].sort()).toEqual(optionsOf(name).sort());
  });
});

it('names no option that no command has', () => {
  const known = new Set([...commands.keys()].flatMap(optionsOf));
  expect(
    findOptions(page).filter((option) => !known.has(option) && !common.has(option) && option !== '--help'),
  ).toEqual([]);
});

it('links to sections that exist', () => {
  const anchors = new Set([...sections.keys()].map(toAnchor));
  const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
  expect(links.filter((anchor) => !anchors.has(anchor))).toEqual([]);
});
