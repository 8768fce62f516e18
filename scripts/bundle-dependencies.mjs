/**
 * Two of our readers' libraries travel inside the package, as one file each: as they are published, bundlers for pages
 * stumble over them (one looks for `node:fs` in code that pages never reach, the other is CommonJS only).
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
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
  return `/*!\n${name} ${version}, ${license}\n\n${text.join('').trim()}\n*/`;
}

/** Writes the bundles below `folder` as ES modules ('es') or CommonJS ('cjs'). */
export async function bundleDependencies(folder, format) {
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
    const { output } = await build.generate({ format, exports: 'named', codeSplitting: false, comments: false });
    await build.close();
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${readLicence(name)}\n${output[0].code}`);
  }
}

/** Points the imports of a file of the package at the bundles. `file`: its path below the folder of the bundles. */
export function useBundledDependencies(code, file) {
  let text = code;
  for (const { name, file: bundle } of bundled) {
    const path = relative(dirname(file), bundle).split('\\').join('/');
    const specifier = path.startsWith('.') ? path : `./${path}`;
    text = text.replaceAll(`'${name}'`, `'${specifier}'`).replaceAll(`"${name}"`, `"${specifier}"`);
  }
  return text;
}
