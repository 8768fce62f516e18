/** The kernel with bounds and alignment assertions. Tests run on it as well; nothing else should import it. */
import { decodeBase64 } from './decode-base64.js';
import { moduleText } from './generated/kernel-module-checked.js';
import { type Kernel, useKernel } from './kernel.js';

export function checkedModule(): WebAssembly.Module {
  return new WebAssembly.Module(decodeBase64(moduleText));
}

export function useCheckedKernel(): Kernel {
  return useKernel(checkedModule());
}
