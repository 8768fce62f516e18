/** Distances in the plane of segments (x, y, x, y in a row) and rectangles (rows of boxes, see fleet-world.ts). Tested by avoiding-drive.test.ts. */

/** Of two segments of one array, 0 where they meet. */
export function distanceSegments(rows: Float64Array, a: number, b: number): number {
  if (crosses(rows, a, b)) return 0;
  return Math.sqrt(
    Math.min(
      squaredToSegment(rows[a], rows[a + 1], rows, b),
      squaredToSegment(rows[a + 2], rows[a + 3], rows, b),
      squaredToSegment(rows[b], rows[b + 1], rows, a),
      squaredToSegment(rows[b + 2], rows[b + 3], rows, a),
    ),
  );
}

/** Of a segment and a filled rectangle along the axes, 0 where they meet. */
export function distanceSegmentRectangle(rows: Float64Array, a: number, boxes: Float64Array, o: number): number {
  const [x0, y0, x1, y1] = [boxes[o], boxes[o + 1], boxes[o + 3], boxes[o + 4]];
  // The part of the segment within the rectangle's two strips.
  let low = 0;
  let high = 1;
  for (let axis = 0; axis < 2; axis++) {
    const from = rows[a + axis];
    const way = rows[a + 2 + axis] - from;
    const [least, most] = axis === 0 ? [x0, x1] : [y0, y1];
    if (way === 0) {
      if (from < least || from > most) high = -1;
      continue;
    }
    const [s, t] = [(least - from) / way, (most - from) / way];
    low = Math.max(low, Math.min(s, t));
    high = Math.min(high, Math.max(s, t));
  }
  if (low <= high) return 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [x, y] of [
    [x0, y0],
    [x1, y0],
    [x0, y1],
    [x1, y1],
  ])
    least = Math.min(least, squaredToSegment(x, y, rows, a));
  for (let k = a; k < a + 4; k += 2) {
    const dx = Math.max(x0 - rows[k], 0, rows[k] - x1);
    const dy = Math.max(y0 - rows[k + 1], 0, rows[k + 1] - y1);
    least = Math.min(least, dx * dx + dy * dy);
  }
  return Math.sqrt(least);
}

function squaredToSegment(x: number, y: number, rows: Float64Array, a: number): number {
  const dx = rows[a + 2] - rows[a];
  const dy = rows[a + 3] - rows[a + 1];
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - rows[a]) * dx + (y - rows[a + 1]) * dy) / length));
  const ex = x - rows[a] - t * dx;
  const ey = y - rows[a + 1] - t * dy;
  return ex * ex + ey * ey;
}

function crosses(rows: Float64Array, a: number, b: number): boolean {
  const side = (o: number, k: number) =>
    (rows[o + 2] - rows[o]) * (rows[k + 1] - rows[o + 1]) - (rows[o + 3] - rows[o + 1]) * (rows[k] - rows[o]);
  return side(a, b) * side(a, b + 2) < 0 && side(b, a) * side(b, a + 2) < 0;
}
