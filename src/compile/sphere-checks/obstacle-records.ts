/**
 * How obstacles lie in the memory of a compiled check: a record of floats per obstacle and, per link, the list of those that it can
 * reach, four at a time.
 *
 *   record, 80 bytes   kind (i32) | margin | 18 numbers as the kind says
 *     sphere      x y z
 *     box         x y z  hx hy hz                     axis-aligned
 *     turned      x y z  hx hy hz  R (9)              R_BW: rows are the box's axes
 *     capsule     x y z  ux uy uz  length             from one end of its segment along the unit vector u
 *     cylinder    x y z  ux uy uz  half  radius       about its centre
 *     halfspace   nx ny nz  offset
 *     cone        x y z  ux uy uz  half  radius  er et  length   about its middle; (er, et): unit vector down its side, from the rim
 *     ellipsoid   x y z  R (9)  a b c                 R_BW as above; semi-axes
 *     triangles   x y z  R (9)  | block, end of its nodes, what is inside, its address, its count, 0 (i32)
 *     cubes       x y z  R (9)  | block, end of its nodes
 *     points      x y z  R (9)  | block, end of its nodes, medians, entries, levels (i32; 0 levels: no lists), largest radius of lists
 *   Blocks: primitive-tree.ts, inside-grid.ts, affordance-tree.ts. They lie at the end of the room, once per shape.
 *   The margin is what a sphere's radius grows by: the obstacle's own radius where it has one, the margin asked for, and the rounding.
 *
 *   group, 112 bytes   lowest x y z and highest x y z of four boxes (4 f32 each) | addresses of four records
 *   row, 8 bytes per link   address of the first group | number of groups
 *
 * Tested by compile-sphere-checks.test.ts.
 */
export const RECORD_BYTES = 80;
export const GROUP_BYTES = 112;
export const ROW_BYTES = 8;

export const RecordKind = {
  sphere: 0,
  box: 1,
  turned: 2,
  capsule: 3,
  cylinder: 4,
  halfspace: 5,
  cone: 6,
  ellipsoid: 7,
  triangles: 8,
  cubes: 9,
  points: 10,
} as const;

/** How it is told whether a point is inside what triangles close off. */
export const InsideKind = { none: 0, planes: 1, grid: 2 } as const;

/** Number of the first word of a record that consists of a block. */
export const FIRST_WORD = 12;

export type RecordKindName = keyof typeof RecordKind;
