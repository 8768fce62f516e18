/** The kernel's parts in one module, as the package ships them beside its code. */
import { readFileSync } from 'node:fs';

export function compileWholeKernel(): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(new URL('../../src/kernel/generated/kernel.wasm', import.meta.url)));
}
