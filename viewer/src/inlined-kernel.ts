/** Stands in the page's bundles for texts of the library's inlined kernel that come in a file which is fetched (../late-parts.ts). */
export const moduleText = '';
