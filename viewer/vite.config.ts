import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { doorAliases } from './doors.js';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

export default defineConfig({
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
      // Of every page, and in a chunk with some reader it would take that along.
      output: { codeSplitting: { groups: [{ name: 'preload', test: /vite\/preload-helper/ }] } },
      input: ['index', 'rigid', 'plane', 'control', 'simulation', 'fleet'].map((page) => path(`${page}.html`)),
      onLog(level, log, defaultHandler) {
        // The glTF reader's part for Node, which the page never calls, imports modules that browsers lack.
        if (/"node:(fs|path)" has been externalized[^"]*"[^"]*@gltf-transform/.test(log.message)) return;
        defaultHandler(level, log);
      },
    },
  },
});
