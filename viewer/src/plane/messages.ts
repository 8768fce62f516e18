/** What the plane's page and its worker say to each other. */
import type { PlaneMethod, PlanePoint } from 'clearance/plane';

export interface PlaneQuestion {
  /** Of the answer that belongs to it. */
  readonly number: number;
  /** A file as `plan-2d` reads it. */
  readonly text: string;
  readonly method: PlaneMethod;
  readonly withGraph: boolean;
}

export type Rings = readonly (readonly PlanePoint[])[];

export interface PlaneAnswer {
  readonly number: number;
  readonly status: 'solved' | 'impossible' | 'undecided' | 'invalid-start' | 'invalid-goal' | 'invalid';
  /** What is wrong, or why there is no path. */
  readonly reason: string;
  readonly touching: string;
  /** Places of the body; of one that turns x, y and angle. */
  readonly path: readonly (readonly number[])[];
  readonly length: number;
  readonly clearance: number;
  readonly verified: boolean;
  /** How much polygons of curves are larger than these. */
  readonly width: number;
  /** Convex parts of the forbidden places. */
  readonly forbidden: Rings;
  readonly trapezoids: Rings;
  /** Pairs of trapezoids that share an opening, and parts that cannot reach each other. */
  readonly neighbours: number;
  readonly components: number;
  /** x, y of both ends of each edge; null where it was not asked for or is too large. */
  readonly graph: Float64Array | null;
  /** Inner points and contacts of the closing chain. */
  readonly chain: readonly PlanePoint[];
  readonly links: number;
  /** Obstacles as they are planned for: boxes of implicit ones. */
  readonly boxes: Rings;
  readonly ms: number;
}
