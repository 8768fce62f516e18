import { moduleText } from '../generated/dynamics-part.js';
import type { KernelPart } from '../kernel-part.js';

export interface DynamicsFunctions {
  /** See assembly/dynamics/derivatives.ts. */
  addDerivativePairs(block: number): void;
  multiplyByInverse(block: number): void;
}

export const dynamics: KernelPart<DynamicsFunctions> = { place: 9, text: moduleText };
