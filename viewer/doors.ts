/** Lets `clearance` and `clearance/...` mean the library's sources, for the viewer's build and for its unit tests. */
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../src/', import.meta.url));

export const doorAliases = [
  { find: /^clearance\/([a-z-]+)$/, replacement: `${source}$1.ts` },
  { find: /^clearance$/, replacement: `${source}index.ts` },
];
