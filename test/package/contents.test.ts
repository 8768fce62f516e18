/** What is in the tarball, what is not, and how large it may be. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, inject, it } from 'vitest';

const tarball = inject('tarball');
const installed = join(inject('consumer'), 'node_modules/clearance');
const files = readdirSync(installed, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) =>
    join(entry.parentPath, entry.name)
      .slice(installed.length + 1)
      .split('\\')
      .join('/'),
  )
  .filter((file) => !file.startsWith('node_modules/'));

describe('tarball', () => {
  it.each([
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
    'CITATION.cff',
    'dist/esm/index.js',
    'dist/esm/index.d.ts',
    'dist/cjs/index.js',
    'dist/cjs/index.d.ts',
    'dist/cjs/package.json',
    'dist/esm/cli.js',
    'dist/kernel.wasm',
    'viewer/dist/index.html',
    'examples/arm/arm.urdf',
  ])('holds %s', (file) => {
    expect(files).toContain(file);
  });

  it('holds no tests, no sources of other packages and no build leftovers', () => {
    const wrong = files.filter((file) =>
      /\.test\.|(^|\/)test\/|\.tsbuildinfo$|(^|\/)\.next-|^(bench|scripts|\.ci)\//.test(file),
    );
    expect(wrong).toEqual([]);
  });

  it('names no path of the machine that built it', () => {
    const home = process.cwd();
    const wrong = files
      .filter((file) => /\.(js|ts|map|json|html|css|md|cff|urdf)$/.test(file))
      .filter((file) => readFileSync(join(installed, file), 'utf8').includes(home));
    expect(wrong).toEqual([]);
  });

  it('ships the kernel well under the megabyte that browsers compile synchronously', () => {
    const bytes = statSync(join(installed, 'dist/kernel.wasm')).size;
    expect(bytes).toBeGreaterThan(1000);
    expect(bytes).toBeLessThan(256 * 1024);
  });

  it('stays below 6 MB packed', () => {
    expect(statSync(tarball).size).toBeLessThan(6e6);
  });

  it('stays below 11.2 MB unpacked, without source maps', () => {
    const bytes = files.reduce((sum, file) => sum + statSync(join(installed, file)).size, 0);
    expect(bytes).toBeLessThan(11.2e6);
    expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
  });

  const pages = files.filter((file) => /^(?:README|CONTRIBUTING|docs\/[\w-]+|examples\/README)\.md$/.test(file));
  const toAnchor = (title: string): string =>
    title
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-');

  it.each(pages)('%s links to files that it holds and to headings that they have', (page) => {
    const links = [...readFileSync(join(installed, page), 'utf8').matchAll(/\]\((?!https?:)([^)\s]+)\)/g)];
    const broken = links.filter(([, link]) => {
      const [path, anchor] = link.split('#');
      const file = path === '' ? page : posix.join(posix.dirname(page), path);
      if (!files.includes(file)) return true;
      if (anchor === undefined) return false;
      const titles = [...readFileSync(join(installed, file), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title]) => title);
      return !titles.some((title) => toAnchor(title) === anchor);
    });
    expect(broken.map(([, link]) => link)).toEqual([]);
  });

  it('leads from README to every page of docs', () => {
    const readme = readFileSync(join(installed, 'README.md'), 'utf8');
    expect(pages.filter((page) => page.startsWith('docs/') && !readme.includes(`](${page})`))).toEqual([]);
  });
});
