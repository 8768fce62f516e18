import { defineConfig } from 'vite';
import { doorAliases } from './doors.js';

/** The kernel's bytes are a file of their own, which page and workers share: its name says its content. */
const output = { topLevelVar: true, codeSplitting: { groups: [{ name: 'kernel', test: /kernel-module/ }] } };

export default defineConfig({
  // Relative URLs: the page works under any path of any static server.
  base: './',
  logLevel: 'warn',
  resolve: { alias: doorAliases },
  worker: { format: 'es', rolldownOptions: { output } },
  build: {
    target: 'es2022',
    // Nothing inline: the page runs under `default-src 'self'`, which forbids data: fetches and inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1700,
    rolldownOptions: {
      output,
      onLog(level, log, defaultHandler) {
        // The glTF reader's part for Node, which the page never calls, imports modules that browsers lack.
        if (/"node:(fs|path)" has been externalized[^"]*"[^"]*@gltf-transform/.test(log.message)) return;
        defaultHandler(level, log);
      },
    },
  },
});
