/**
 * What the page shows first, read when the page is built: `virtual:first-content` is the URL of the first example's content as bytes
 * (src/load/packed-content.ts), or null where nothing is built. The page then needs no reader of files for its first view.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createServer, type Plugin } from 'vite';
import { doorAliases } from './doors.js';

const ID = 'virtual:first-content';
const NAME = 'first-content.bin';

const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

export function firstContent(): Plugin {
  let isBuilt = false;
  return {
    name: 'first-content',
    configResolved({ command }) {
      isBuilt = command === 'build';
    },
    resolveId: (id) => (id === ID ? `\0${ID}` : null),
    async load(id) {
      if (id !== `\0${ID}`) return null;
      if (!isBuilt) return 'export default null;';
      const file = this.emitFile({ type: 'asset', name: NAME, source: await readFirst() });
      return `export default import.meta.ROLLUP_FILE_URL_${file};`;
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const file = Object.values(bundle).find((one) => one.type === 'asset' && one.names.includes(NAME));
        if (!file) return [];
        const attrs = { rel: 'preload', href: `./${file.fileName}`, as: 'fetch', crossorigin: true };
        return [{ tag: 'link', attrs, injectTo: 'head-prepend' as const }];
      },
    },
  };
}

/** By the page's own reader. */
async function readFirst(): Promise<Uint8Array> {
  const server = await createServer({
    root: pathOf('.'),
    configFile: false,
    logLevel: 'error',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    resolve: { alias: doorAliases },
  });
  try {
    const reader = (await server.ssrLoadModule('/src/load/read-first.ts')) as typeof import('./src/load/read-first.js');
    return await reader.readFirst(async (url) => {
      const path = decodeURIComponent(new URL(url).pathname);
      return new Response(await readFile(path.startsWith('/@fs/') ? path.slice('/@fs'.length) : pathOf(`.${path}`)));
    });
  } finally {
    await server.close();
  }
}
