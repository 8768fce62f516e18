/** The programs of examples/ run as a reader would run them, and the README's code is cut from one of them. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const isBuilt = existsSync(join(root, 'dist/esm/index.js'));

/** What each program must print; a program without an entry fails below. */
const expectedOutput: Readonly<Record<string, RegExp>> = {
  'check-robot.mjs':
    /a: 'base_link',\n {2}b: 'table',\n {2}distance: 0\.00(?:5|49999)\d*,[\s\S]*\}\n(?:link_\d is 0\.\d+ m into table\n)+$/,
};
/** Programs that write the generated geometry; make-meshes.test.ts holds them to it. */
const generators = /^make-/;

const programs = readdirSync(join(root, 'examples')).filter((file) => file.endsWith('.mjs') && !generators.test(file));

describe.skipIf(!isBuilt)(`examples${isBuilt ? '' : ' (skipped: nothing built, run npm run build)'}`, () => {
  it.each(programs)('%s prints what it promises', (program) => {
    const result = spawnSync(process.execPath, [join('examples', program)], { cwd: root, encoding: 'utf8' });
    expect(result.stderr).toBe('');
    expect(result.status).toBe(0);
    expect(result.stdout).toMatch(expectedOutput[program]);
  });

  it.each(programs)('%s stays below 80 lines', (program) => {
    expect(readFileSync(join(root, 'examples', program), 'utf8').split('\n').length).toBeLessThan(80);
  });
});

describe('README', () => {
  it('cuts its code from the examples that run here', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const blocks = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map((match) => match[1].trim());
    const sources = programs.map((program) => readFileSync(join(root, 'examples', program), 'utf8'));
    expect(blocks.length).toBeGreaterThan(0);
    const invented = blocks.filter((block) => !sources.some((source) => source.includes(block)));
    expect(invented).toEqual([]);
  });
});
