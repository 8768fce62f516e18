/**
 * Files of every format cut at every line and at a thousand bytes, with lines swapped and removed, bytes flipped and zeroed
 * and numbers replaced: refused, or told by an issue that answers carry on, or read as what the whole file is; else the
 * format cannot reveal it, and docs/formats.md says so. Structures: corrupted-structures.test.ts.
 */
import { readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import type { Issue } from '../../src/io/issue.js';
import { corrupt } from '../support/corruptions.js';
import { expect } from '../support/quick-expect.js';
import { type Census, FORMATS, type Loss } from './corrupted-files.js';

/** CORRUPTED_SEED=n looks at other places. */
const SEED = Number(process.env.CORRUPTED_SEED ?? 1);
const page = readFileSync(new URL('../../docs/formats.md', import.meta.url), 'utf8').replace(/\s+/g, ' ');

const reaches = ({ severity, assumes }: Issue): boolean => severity === 'error' || assumes !== undefined;

function lossOf(found: Census, whole: Census): Loss | null {
  const isFewer = Object.entries(whole.counts).some(([kind, count]) => !(found.counts[kind] >= count));
  return isFewer ? 'fewer' : found.content === whole.content ? null : 'other';
}

describe.each(FORMATS)('$name', ({ bytes: given, isText, read, hidden }) => {
  it(`is refused, told, whole or hidden by what the format is (seed ${SEED})`, async () => {
    const bytes = typeof given === 'function' ? await given() : given;
    const whole = await read(bytes);
    expect(whole.issues).toEqual([]);
    const failures: string[] = [];
    let count = 0;
    for (const corruption of corrupt(bytes, { isText, seed: SEED })) {
      count++;
      const { value, issues } = await read(corruption.bytes);
      if (issues.some(reaches)) continue;
      const loss = value ? lossOf(value, whole.value!) : 'fewer';
      if (loss === null) continue;
      if (value && hidden.some(({ hides }) => hides(corruption, loss))) continue;
      failures.push(`${corruption.kind}, ${corruption.title}: ${loss}, and not a word`);
    }
    expect(failures).toEqual([]);
    expect(count).toBeGreaterThan(200);
  });

  it('has a page that says what it cannot reveal', () => {
    for (const { words } of hidden) expect(page).toContain(words);
  });
});
