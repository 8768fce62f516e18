export type { HullWriter, Kernel, KernelFunctions } from './kernel/kernel.js';
export { useKernel } from './kernel/kernel.js';
