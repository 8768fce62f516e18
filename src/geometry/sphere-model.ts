/** Spheres that stand in for the collision shapes of a robot's links: what fitting writes, files carry and compiled checks read. */

export interface LinkSpheres {
  readonly link: string;
  /** One sphere around all that the link has: x, y, z, radius in the link's frame, metres. */
  readonly bound: Float64Array;
  /** Levels from coarse to fine, each of which contains the link's shapes: x, y, z, radius per sphere. At least one. */
  readonly levels: readonly Float64Array[];
}

export interface SphereModel {
  readonly links: readonly LinkSpheres[];
  /** True when every level was proven to contain the shapes that it stands for. Spheres of a file are not until verified. */
  readonly proven: boolean;
  /** What was left out, altered or guessed, one sentence each. */
  readonly assumed: readonly string[];
}
