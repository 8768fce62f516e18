import { moduleText } from '../generated/mesh-rays-part.js';
import type { KernelPart } from '../kernel-part.js';

export interface MeshRayFunctions {
  /** Casts the rays in the input area; `mode` is a sum of RAY_... constants. The number of hits when it holds RAY_ALL. */
  castRays(tree: number, count: number, mode: number): number;
  /** More hits of the ray of the last `castRays` with RAY_ALL. */
  resumeRays(): number;
}

export const meshRays: KernelPart<MeshRayFunctions> = { place: 2, sample: 'castRays', text: moduleText };
