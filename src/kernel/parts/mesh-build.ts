import { moduleText } from '../generated/mesh-build-part.js';
import type { KernelPart } from '../kernel-part.js';

export interface MeshBuildFunctions {
  /** Builds, see assembly/mesh/build.ts. Addresses are those of a work area of `buildWorkBytes` and of the tree's block. */
  buildWorkBytes(triangles: number, fitter: number, split: number): number;
  planTree(work: number, triangles: number, kind: number, fitter: number, split: number): number;
  plannedLevels(): number;
  writeTree(block: number): void;
  refitTree(work: number, triangles: number, fitter: number, block: number, kind: number, boxes: number): void;
  fitTriangles(work: number, triangles: number, fitter: number): void;
  workNodes(): number;
  workOrder(): number;
  splitTriangles(work: number, triangles: number, kind: number, fitter: number, split: number): number;
}

export const meshBuild: KernelPart<MeshBuildFunctions> = { place: 0, sample: 'buildWorkBytes', text: moduleText };
