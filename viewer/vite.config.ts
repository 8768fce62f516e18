import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { doorAliases } from './doors.js';
import { firstContent } from './first-content.js';
import { FETCHED_PARTS, lateParts } from './late-parts.js';
import { leanThree } from './lean-three.js';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** What begins early is a script of its own, before the page's program: it does not wait for that to come. */
const earlyScript: Plugin = {
  name: 'early-script',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const chunk = Object.values(bundle).find((one) => one.type === 'chunk' && one.isEntry && one.name === 'early');
      if (!chunk) return [];
      const attrs = { type: 'module', crossorigin: true, src: `./${chunk.fileName}` };
      return [{ tag: 'script', attrs, injectTo: 'head-prepend' as const }];
    },
  },
};

/** Tagged as of the first view, as the doors that it comes through name them; no part of it. */
const isOfReaders = /\/node_modules\/zod\/|\/src\/io\/(io-door|robot\/joint-messages|trajectory\/)/;

/**
 * Two builds into one folder: the workbench, whose first view takes one file of program beside what draws, and (`--mode neighbours`)
 * the other pages, which share files.
 */
export default defineConfig(({ mode }) => ({
  plugins: mode === 'neighbours' ? [] : [leanThree(), firstContent(), earlyScript, lateParts()],
  // Relative URLs: the page works under any path of any static server.
  base: './',
  logLevel: 'warn',
  resolve: {
    alias: [
      ...doorAliases,
      { find: /^clearance\/kernel-first\.wasm/, replacement: path('../src/kernel/generated/kernel-first.wasm') },
      { find: FETCHED_PARTS, replacement: path('src/inlined-kernel.ts') },
    ],
  },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    emptyOutDir: mode !== 'neighbours',
    // Nothing inline: the page runs under `default-src 'self'`, which forbids data: fetches and inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1700,
    rolldownOptions: {
      output:
        mode === 'neighbours'
          ? {
              // Files that hold parts of each other's programs begin in the order of their imports all the same.
              strictExecutionOrder: true,
              chunkFileNames: ({ name }: { name: string }) => `assets/${name.replace(/~.*/, '')}-[hash].js`,
              codeSplitting: {
                groups: [
                  // Of every page, and in a chunk with some reader it would take that along.
                  { name: 'preload', test: /vite\/preload-helper/, priority: 2 },
                  // What the same pages share comes in one file: small ones cost a round trip each few.
                  {
                    name: 'shared',
                    test: /./,
                    minShareCount: 2,
                    entriesAware: true,
                    entriesAwareMergeThreshold: 12_000,
                  },
                ],
              },
            }
          : {
              codeSplitting: {
                includeDependenciesRecursively: false,
                groups: [
                  { name: 'early', test: /viewer\/src\/early\.ts/, priority: 3, includeDependenciesRecursively: true },
                  { name: 'three', tags: ['$initial' as const], test: /node_modules\/three\/src/, priority: 2 },
                  { name: 'first', tags: ['$initial' as const], test: (id: string) => !isOfReaders.test(id) },
                ],
              },
            },
      input:
        mode === 'neighbours'
          ? ['rigid', 'plane', 'control', 'simulation', 'fleet'].map((page) => path(`${page}.html`))
          : { index: path('index.html'), early: path('src/early.ts') },
      onLog(level, log, defaultHandler) {
        // The glTF reader's part for Node, which the page never calls, imports modules that browsers lack.
        if (/"node:(fs|path)" has been externalized[^"]*"[^"]*@gltf-transform/.test(log.message)) return;
        defaultHandler(level, log);
      },
    },
  },
}));
