/** Stands in the page's bundles for the library's inlined kernel, which kernel.ts fetches. */
export const moduleText = '';
