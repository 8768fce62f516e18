/**
 * What the first view has no use for comes later: the library's search of long chains when a robot of many links may come
 * (`virtual:late-chains`), parts of the kernel as text with the code that asks for them.
 */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

const CHAINS = 'virtual:late-chains';
const SEARCH = pathOf('../src/scene/queries/self-contacts.ts');
const ASKS_FOR_CHAINS = pathOf('../src/scene/queries/chain-pairs.ts');

export function lateParts(): Plugin {
  return {
    name: 'late-parts',
    enforce: 'pre',
    resolveId(id, importer) {
      const isSearch = id === './self-contacts.js' && importer === ASKS_FOR_CHAINS;
      return id === CHAINS || isSearch ? `\0${CHAINS}` : null;
    },
    load: (id) =>
      id === `\0${CHAINS}`
        ? `export let SelfContacts;
export async function loadChains() { ({ SelfContacts } = await import(${JSON.stringify(SEARCH)})); }`
        : null,
  };
}

/** Texts of the kernel's parts that the page fetches as a file: those of assembly/first.ts. */
export const FETCHED_PARTS = /^\.\.\/generated\/(mesh-build|mesh-pairs|mesh-rays|convex|box-rays|box-pairs)-part\.js$/;
