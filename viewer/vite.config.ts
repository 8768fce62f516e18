import { defineConfig } from 'vite';
import { doorAliases } from './doors.js';

export default defineConfig({
  // Relative URLs: the page works under any path of any static server.
  base: './',
  logLevel: 'warn',
  resolve: { alias: doorAliases },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // Nothing inline: the page runs under `default-src 'self'`, which forbids data: fetches and inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1700,
  },
});
