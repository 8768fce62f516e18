import { moduleText } from '../generated/convex-part.js';
import type { KernelPart } from '../kernel-part.js';

export interface ConvexFunctions {
  /** A mesh against the convex core of the area of convex queries, see assembly/mesh/shape.ts. 1: a triangle was found. */
  measureShape(tree: number, bound: number, enough: number, x: number, y: number, z: number, hint: number): number;
  /** Numbers of triangles near that core in the pair buffer. */
  listTriangles(tree: number, bound: number, limit: number): number;
  resumeList(limit: number): number;
  /** Convex pairs, see assembly/convex/convex.ts; codes in narrowphase/convex-kernel.ts. */
  convexGjk(bound: number, warmCount: number): number;
  convexAnswer(code: number, signed: number): number;
  convexMeasure(bound: number, mode: number): number;
  convexCommon(touching: number): number;
  /** Casts of convex pairs, see assembly/convex/cast-convex.ts: times, above 1 for never; where the motions are written. */
  castConvex(from: number, tolerance: number, fastest: number, maxRounds: number): number;
  castPlane(from: number, tolerance: number, fastest: number): number;
  castBlock(which: number): number;
}

export const convexCores: KernelPart<ConvexFunctions> = { place: 3, sample: 'measureShape', text: moduleText };
