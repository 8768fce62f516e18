/** The part of the kernel that works on trees of boxes; null where WebAssembly may not be compiled, which trees do not need. */
import { getKernel } from '../kernel/kernel.js';
import { type BoxPairFunctions, boxPairs } from '../kernel/parts/box-pairs.js';

let isKernelRefused = false;

export function openBoxPart(): BoxPairFunctions | null {
  if (isKernelRefused) return null;
  try {
    return getKernel().part(boxPairs);
  } catch {
    isKernelRefused = true;
    return null;
  }
}
