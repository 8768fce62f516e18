export { useKernel } from './kernel/kernel.js';
