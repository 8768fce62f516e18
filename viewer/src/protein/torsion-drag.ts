/** How far a pointer's movement turns a torsion. */

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A torsion's axis as the camera sees it. Pixels, y down. */
export interface AxisView {
  /** Where the ring's middle is. */
  readonly center: Point;
  /** Of the unit axis towards the viewer: 1 points at them, 0 lies across. */
  readonly facing: number;
  /** Which way, and how far per radian, the ring's near side moves when the torsion grows. */
  readonly lever: Point;
}

/** More of the axis towards the viewer than this, and the pointer turns about the ring's middle. */
const FACING = 0.8;
/** Pixels per radian at least, so that a small ring is not too quick. */
const LEAST_LEVER = 30;

/**
 * Radians, right-handed about the axis. Seen from the side, the near part of the ring goes with the pointer, and on and on
 * beyond its end, as a roller would; seen along the axis, the ring follows the pointer round its middle.
 */
export function turnByDrag({ center, facing, lever }: AxisView, from: Point, to: Point): number {
  if (Math.abs(facing) > FACING) {
    const before = Math.atan2(from.y - center.y, from.x - center.x);
    const after = Math.atan2(to.y - center.y, to.x - center.x);
    const turn = Math.atan2(Math.sin(after - before), Math.cos(after - before));
    // Pixels count downward, so what grows here goes clockwise on the screen.
    return facing > 0 ? -turn : turn;
  }
  const length = Math.hypot(lever.x, lever.y);
  if (length === 0) return 0;
  const along = ((to.x - from.x) * lever.x + (to.y - from.y) * lever.y) / length;
  return along / Math.max(length, LEAST_LEVER);
}
