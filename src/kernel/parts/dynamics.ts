import { moduleText } from '../generated/dynamics-part.js';
import type { KernelPart } from '../kernel-part.js';

export interface DynamicsFunctions {
  /** See assembly/dynamics/derivatives.ts. */
  addDerivativePairs(block: number): void;
  multiplyByInverse(block: number): void;
  /** See assembly/dynamics/rnea.ts, crba.ts and aba.ts: 0 when an angle is left to JavaScript. */
  runRnea(block: number): number;
  runCrba(block: number): number;
  runAba(block: number): number;
  /** See assembly/dynamics/derivative-runs.ts. */
  runRneaDerivatives(recursions: number, block: number): number;
  runAbaDerivatives(recursions: number, block: number): void;
}

export const dynamics: KernelPart<DynamicsFunctions> = { place: 9, sample: 'addDerivativePairs', text: moduleText };
