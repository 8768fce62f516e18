/** Types as a strict user sees them, and the verdicts of publint and of "are the types wrong". */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { findTool, projectRoot, runNode } from './run.js';

const consumer = inject('consumer');
const tarball = inject('tarball');
const { exports: subpaths } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  exports: Record<string, unknown>;
};
const doors = Object.keys(subpaths).filter((path) => !/\.(json|wasm)$/.test(path));
const compiler = findTool('typescript', 'tsc');

beforeAll(() => {
  // The optional peer, as a user of the three door would have it.
  mkdirSync(join(consumer, 'node_modules/@types'), { recursive: true });
  for (const name of ['three', '@types/three', '@types/node', 'undici-types']) {
    symlinkSync(join(projectRoot, 'node_modules', name), join(consumer, 'node_modules', name));
  }
});

/** The strictest settings a user may have; declaration files of packages are checked, too. */
const strictest = {
  strict: true,
  skipLibCheck: false,
  noImplicitAny: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  target: 'ES2022',
  lib: ['ES2022', 'DOM', 'ESNext.Disposable'],
};

describe('types', () => {
  it.each([
    { title: 'an ES module under nodenext', extension: 'mts', module: 'NodeNext', moduleResolution: 'NodeNext' },
    { title: 'a CommonJS module under nodenext', extension: 'cts', module: 'NodeNext', moduleResolution: 'NodeNext' },
    { title: 'a bundler', extension: 'ts', module: 'ESNext', moduleResolution: 'Bundler' },
  ])('U196: have no error for $title, strict and without skipLibCheck', ({ extension, module, moduleResolution }) => {
    const folder = join(consumer, `types-${extension}`);
    mkdirSync(folder);
    const lines = doors.map((door, i) => `import * as door${i} from 'clearance${door.slice(1)}';\nvoid door${i};`);
    lines.push(
      "import { createCollider, createDistanceResult, distance } from 'clearance/narrowphase';",
      "import { createTransform } from 'clearance/math';",
      "const ball = createCollider({ type: 'sphere', radius: 1 });",
      'const gap: number = distance(createDistanceResult(), ball, createTransform(), ball, createTransform()).distance;',
      'void gap;',
      '// @ts-expect-error a sphere has a radius',
      "createCollider({ type: 'sphere' });",
    );
    writeFileSync(join(folder, `main.${extension}`), lines.join('\n'));
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...strictest, module, moduleResolution }, files: [`main.${extension}`] }),
    );
    expect(runNode([compiler, '-p', folder], consumer)).toBe('');
  });

  it('U194: are right in the eyes of attw', () => {
    const report = runNode(
      [
        findTool('@arethetypeswrong/cli', 'attw'),
        tarball,
        '--profile',
        'node16',
        '--exclude-entrypoints',
        'kernel.wasm',
        '--format',
        'json',
      ],
      projectRoot,
    );
    const { problems } = JSON.parse(report) as { problems?: Record<string, { resolutionKind?: string }[]> };
    // `moduleResolution: node10` knows no subpaths; every other way of resolving must be without a remark.
    const remarks = Object.values(problems ?? {}).flat();
    expect(remarks.filter(({ resolutionKind }) => resolutionKind !== 'node10')).toEqual([]);
  });

  it('U194: leave publint without a remark', async () => {
    const { publint } = await import('publint');
    const { messages } = await publint({ pkgDir: projectRoot, strict: true });
    expect(messages).toEqual([]);
  });
});
