import { moduleText } from '../generated/mesh-points-part.js';
import type { KernelPart } from '../kernel-part.js';

export interface MeshPointFunctions {
  /** Closest points of the mesh to the points in the input area. */
  closestPoints(tree: number, count: number): void;
}

export const meshPoints: KernelPart<MeshPointFunctions> = { place: 6, sample: 'closestPoints', text: moduleText };
