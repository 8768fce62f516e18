/** The kernel's first parts as a file of their own: a page and its workers fetch one copy, where each bundle would carry one as text. */
import { useKernel } from 'clearance/kernel';
import { compileKernel } from './compile-kernel.js';

/** Before anything else of the library is asked. Rejects where a policy forbids WebAssembly. */
export async function loadKernel(): Promise<void> {
  useKernel(await compileKernel());
}
