/** The kernel's parts in one module: all, as the package ships them beside its code, and the first, as the page begins with them. */
import { readFileSync } from 'node:fs';

export const compileWholeKernel = (): WebAssembly.Module => compile('kernel');
export const compileFirstKernel = (): WebAssembly.Module => compile('kernel-first');

function compile(name: string): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(new URL(`../../src/kernel/generated/${name}.wasm`, import.meta.url)));
}
