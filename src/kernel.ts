export type { HullWriter, KernelFunctions } from './kernel/kernel.js';
export { Kernel, useKernel } from './kernel/kernel.js';
