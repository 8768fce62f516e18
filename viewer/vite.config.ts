import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { doorAliases } from './doors.js';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** The first view's program is asked for by a small one that comes first: named in the page, both are fetched at once. */
const preloadApp: Plugin = {
  name: 'preload-app',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {}, filename }) {
      if (!filename.endsWith('index.html')) return [];
      const found = new Set<string>();
      const add = (name: string): void => {
        const chunk = bundle[name];
        if (chunk?.type !== 'chunk' || found.has(name)) return;
        found.add(name);
        for (const other of chunk.imports) add(other);
      };
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk' && chunk.facadeModuleId?.endsWith('/viewer/src/app.ts')) add(chunk.fileName);
      const isNamed = (name: string): boolean => html.includes(`/${name}"`);
      return [...found].filter((name) => !isNamed(name)).map((name) => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', crossorigin: true, href: `./${name}` },
        injectTo: 'head' as const,
      }));
    },
  },
};

export default defineConfig({
  plugins: [preloadApp],
  // Relative URLs: the page works under any path of any static server.
  base: './',
  logLevel: 'warn',
  resolve: {
    alias: [
      ...doorAliases,
      { find: /^clearance\/kernel\.wasm/, replacement: path('../src/kernel/generated/kernel.wasm') },
      { find: /^\.\.\/generated\/[\w-]+-part\.js$/, replacement: path('src/inlined-kernel.ts') },
    ],
  },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // Nothing inline: the page runs under `default-src 'self'`, which forbids data: fetches and inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1700,
    rolldownOptions: {
      output: {
        // Files that hold parts of each other's programs begin in the order of their imports all the same.
        strictExecutionOrder: true,
        chunkFileNames: ({ name }) => `assets/${name.replace(/~.*/, '')}-[hash].js`,
        codeSplitting: {
          groups: [
            // Of every page, and in a chunk with some reader it would take that along.
            { name: 'preload', test: /vite\/preload-helper/, priority: 2 },
            // What begins first, and nothing that it would wait for.
            { name: 'early', test: /viewer\/src\/(early|dom|compile-kernel|load\/(examples|fetch-session|start-reader))\.ts/, priority: 3 },
            // What the same pages share comes in one file: small ones cost a round trip each few.
            { name: 'shared', test: /./, minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 12_000 },
          ],
        },
      },
      input: ['index', 'rigid', 'plane', 'control', 'simulation', 'fleet'].map((page) => path(`${page}.html`)),
      onLog(level, log, defaultHandler) {
        // The glTF reader's part for Node, which the page never calls, imports modules that browsers lack.
        if (/"node:(fs|path)" has been externalized[^"]*"[^"]*@gltf-transform/.test(log.message)) return;
        defaultHandler(level, log);
      },
    },
  },
});
