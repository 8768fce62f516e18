import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const source = fileURLToPath(new URL('../src/', import.meta.url));

export default defineConfig({
  // Relative URLs: the page works under any path of any static server.
  base: './',
  resolve: {
    alias: [
      { find: /^clearance\/([a-z-]+)$/, replacement: `${source}$1.ts` },
      { find: /^clearance$/, replacement: `${source}index.ts` },
    ],
  },
  build: {
    target: 'es2022',
    // Nothing inline: the page runs under `default-src 'self'`, which forbids data: fetches and inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1600,
  },
});
