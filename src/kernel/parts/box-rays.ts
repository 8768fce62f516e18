import { moduleText } from '../generated/box-rays-part.js';
import type { KernelPart } from '../kernel-part.js';

export interface BoxRayFunctions {
  /** The next box of a tree of boxes that a ray meets before `limit`, see assembly/mesh/ray-boxes.ts; -1: none. */
  nextRayBox(block: number, limit: number): number;
}

export const boxRays: KernelPart<BoxRayFunctions> = { place: 4, sample: 'nextRayBox', text: moduleText };
