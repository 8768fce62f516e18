/**
 * Libraries of the readers travel inside the package, with what is used of them alone: loaded file by
 * file they take half of a command's time. Over two of them, as they are published, bundlers for pages stumble (one looks for
 * `node:fs` in code that pages never reach, the other is CommonJS only): these are made into one file each first.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './toolchain.mjs';

/** What is used of each; the rest, and with it everything that needs a host, is left out. */
const bundled = [
  { name: '@gltf-transform/core', file: 'vendor/gltf-transform.js', used: ['BufferUtils', 'Logger', 'WebIO'] },
  {
    name: '@rgrove/parse-xml',
    file: 'vendor/parse-xml.js',
    used: ['XmlElement', 'XmlError', 'XmlText', 'parseXml'],
  },
];

/** Bundled as they are published. */
const plain = ['robust-predicates', 'yaml', 'zod'];

function readLicence(name) {
  const folder = join(root, 'node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const text = ['LICENSE', 'LICENSE.md'].map((file) => {
    try {
      return readFileSync(join(folder, file), 'utf8');
    } catch {
      return '';
    }
  });
  return `${name} ${version}, ${license}\n\n${text.join('').trim()}\n`;
}

/** Notices of everything that is bundled. */
export function licences() {
  return [...bundled.map(({ name }) => name), ...plain].map(readLicence).join(`\n${'-'.repeat(80)}\n\n`);
}

export function isBundled(name) {
  return plain.includes(name.split('/')[0]) || bundledFile(name) !== undefined;
}

/** Files of the output, by what goes into each. */
export function libraryGroups(vendor) {
  return [
    ...bundled.map(({ file }) => ({ name: file, test: (id) => id === join(vendor, file) })),
    ...plain.map((name) => ({ name, test: (id) => id.startsWith(join(root, 'node_modules', name, '/')) })),
  ];
}

/** The bundle of a library, below the folder that was given; undefined where it is not bundled. */
export function bundledFile(name) {
  return bundled.find((library) => library.name === name)?.file;
}

/** Writes the bundles, as ES modules, below `folder`. */
export async function bundleDependencies(folder) {
  for (const { name, file, used } of bundled) {
    const entry = '\0entry';
    const build = await rolldown({
      input: entry,
      cwd: root,
      platform: 'browser',
      treeshake: { moduleSideEffects: false },
      // Some bundlers put a polyfill where a host's global is so much as asked for.
      transform: { define: { Buffer: 'globalThis.Buffer' } },
      plugins: [
        {
          name: 'entry',
          resolveId: (id) => (id === entry ? id : null),
          load: (id) => (id === entry ? `export { ${used.join(', ')} } from '${name}';` : null),
        },
        {
          // Pages never reach what these are for; a use that is left would throw at once.
          name: 'no-host',
          resolveId: (id) => (id.startsWith('node:') ? `\0host` : null),
          load: (id) => (id === '\0host' ? 'export default undefined;' : null),
        },
      ],
    });
    const { output } = await build.generate({ format: 'es', exports: 'named', codeSplitting: false, comments: false });
    await build.close();
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, output[0].code);
  }
}
