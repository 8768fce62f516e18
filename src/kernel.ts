export type { KernelFunctions } from './kernel/kernel.js';
export { Kernel, useKernel } from './kernel/kernel.js';
