/**
 * Whether two rectangles swept by spheres are farther apart than a margin, without being wrong when it says so.
 *
 * A record (tree-layout.ts) is the box around the volume: its smallest half extent is the sphere's radius, the other two
 * less the radius are the half sides of the rectangle, which lies across the axis of the smallest.
 * `margin` >= 0; X (R[0..8], p[9..11] from index x on) is the pose of volume b in volume a.
 *
 * Method: balls first; then the distance of the rectangles, the least of: corner to rectangle (8), edge to edge (16), edge
 * through rectangle (8). Each candidate is the distance of two actual points, and together they cover every way in which
 * two convex polygons can be closest; the first candidate within reach ends the test.
 * Source: Larsen, Gottschalk, Lin, Manocha 2000, "Fast distance queries with rectangular swept sphere volumes", section 3,
 * doi:10.1109/ROBOT.2000.845311; Ericson 2005, "Real-time collision detection", section 5.1.9 (segments).
 * Rounding: edges parallel to 1e-8 give the squared distance with an error of 1e-16 of the squared size: covered by SLACK.
 * Cost: 10 to 700 flops. Checked by rectangle-gap.test.ts and test/contract/chain.test.ts.
 */
import { HALF, RADIUS } from './tree-layout.js';

/** Of the squared size of the pair. */
const SLACK = 1e-14;

/** Half sides of the standing rectangle, in the plane z = 0 of its frame, and of the other one, whose pose is below. */
let ax = 0;
let ay = 0;
let bu = 0;
let bv = 0;
/** Centre of the other rectangle, and its sides' directions. */
let tx = 0;
let ty = 0;
let tz = 0;
let ux = 0;
let uy = 0;
let uz = 0;
let vx = 0;
let vy = 0;
let vz = 0;

/** Index (0 to 2) of the smallest half extent of a record. */
export function thinnestAxis(boxes: Float64Array, at: number): number {
  const first = boxes[at + HALF + 1] < boxes[at + HALF] ? 1 : 0;
  return boxes[at + HALF + 2] < boxes[at + HALF + first] ? 2 : first;
}

/** Makes of a record with the half extents of a box that of a rectangle swept by a sphere around it. */
export function sweepBox(boxes: Float64Array, at: number): void {
  const normal = thinnestAxis(boxes, at);
  const radius = boxes[at + HALF + normal];
  for (let k = 0; k < 3; k++) if (k !== normal) boxes[at + HALF + k] += radius;
}

/** Arguments as for `isApart` of volume-gap.ts. */
export function areRectanglesApart(
  boxesA: Float64Array,
  a: number,
  boxesB: Float64Array,
  b: number,
  X: Float64Array,
  x: number,
  margin: number,
): boolean {
  const px = X[x + 9];
  const py = X[x + 10];
  const pz = X[x + 11];
  const size = boxesA[a + RADIUS] + boxesB[b + RADIUS] + margin;
  if (px * px + py * py + pz * pz > size * size) return true;
  const normalA = thinnestAxis(boxesA, a);
  const normalB = thinnestAxis(boxesB, b);
  const radiusA = boxesA[a + HALF + normalA];
  const radiusB = boxesB[b + HALF + normalB];
  const reach = radiusA + radiusB + margin;
  const square = reach * reach + SLACK * size * size;
  // Axes of A's rectangle in A, as rows of X from here on, and of B's in B, as columns.
  const rowX = x + 3 * ((normalA + 1) % 3);
  const rowY = x + 3 * ((normalA + 2) % 3);
  const rowZ = x + 3 * normalA;
  const columnU = (normalB + 1) % 3;
  const columnV = (normalB + 2) % 3;
  ax = boxesA[a + HALF + ((normalA + 1) % 3)] - radiusA;
  ay = boxesA[a + HALF + ((normalA + 2) % 3)] - radiusA;
  bu = boxesB[b + HALF + columnU] - radiusB;
  bv = boxesB[b + HALF + columnV] - radiusB;
  tx = X[x + 9 + ((normalA + 1) % 3)];
  ty = X[x + 9 + ((normalA + 2) % 3)];
  tz = X[x + 9 + normalA];
  ux = X[rowX + columnU];
  uy = X[rowY + columnU];
  uz = X[rowZ + columnU];
  vx = X[rowX + columnV];
  vy = X[rowY + columnV];
  vz = X[rowZ + columnV];
  if (boundSquare() > square) return true;
  if (areCornersWithin(square) || areEdgesWithin(square)) return false;
  standOther(X[rowX + normalB], X[rowY + normalB], X[rowZ + normalB]);
  return !areCornersWithin(square);
}

/** Squared distance of the standing rectangle from the bounds of the other one along its axes: a lower bound. */
function boundSquare(): number {
  const x = beyond(tx, ax + Math.abs(ux) * bu + Math.abs(vx) * bv);
  const y = beyond(ty, ay + Math.abs(uy) * bu + Math.abs(vy) * bv);
  const z = beyond(tz, Math.abs(uz) * bu + Math.abs(vz) * bv);
  return x * x + y * y + z * z;
}

/** Whether a corner of the other rectangle, or the point where an edge of it crosses the plane, is within reach. */
function areCornersWithin(square: number): boolean {
  for (let side = -1; side <= 1; side += 2) {
    // An edge along u, then one along v: from its middle to its ends and to where it crosses.
    const u = side * bu;
    const v = side * bv;
    const alongU = -(tz + v * vz) / awayFromZero(uz);
    const alongV = -(tz + u * uz) / awayFromZero(vz);
    if (
      pointSquare(-bu, v) <= square ||
      pointSquare(bu, v) <= square ||
      pointSquare(clamp(alongU, bu), v) <= square ||
      pointSquare(u, clamp(alongV, bv)) <= square
    ) {
      return true;
    }
  }
  return false;
}

/** Squared distance of point (u, v) of the other rectangle from the standing one. */
function pointSquare(u: number, v: number): number {
  const x = beyond(tx + u * ux + v * vx, ax);
  const y = beyond(ty + u * uy + v * vy, ay);
  const z = tz + u * uz + v * vz;
  return x * x + y * y + z * z;
}

/** Whether two edges, one of each, are within reach. */
function areEdgesWithin(square: number): boolean {
  for (let sideB = -1; sideB <= 1; sideB += 2) {
    const u = sideB * bu;
    const v = sideB * bv;
    // Middles of the edge along u and of the one along v.
    const [mx, my, mz] = [tx + v * vx, ty + v * vy, tz + v * vz];
    const [nx, ny, nz] = [tx + u * ux, ty + u * uy, tz + u * uz];
    for (let sideA = -1; sideA <= 1; sideA += 2) {
      const y = sideA * ay;
      const x = sideA * ax;
      // Edges of A along its x; then along its y, x and y changing places.
      directEdge(ux, uy, uz, bu);
      if (edgeSquare(mx, my - y, mz, ax) <= square) return true;
      directEdge(uy, ux, uz, bu);
      if (edgeSquare(my, mx - x, mz, ay) <= square) return true;
      directEdge(vx, vy, vz, bv);
      if (edgeSquare(nx, ny - y, nz, ax) <= square) return true;
      directEdge(vy, vx, vz, bv);
      if (edgeSquare(ny, nx - x, nz, ay) <= square) return true;
    }
  }
  return false;
}

/** Direction of an edge, and half its length. */
let ex = 0;
let ey = 0;
let ez = 0;
let half = 0;

function directEdge(x: number, y: number, z: number, length: number): void {
  ex = x;
  ey = y;
  ez = z;
  half = length;
}

/** Squared distance of the edge with its middle at d from the one along x about the origin with half length `standing`. */
function edgeSquare(dx: number, dy: number, dz: number, standing: number): number {
  const along = dx * ex + dy * ey + dz * ez;
  // 1 - ex^2, without the cancellation near parallel edges.
  const across = Math.max(ey * ey + ez * ez, Number.MIN_VALUE);
  const first = clamp((dx - ex * along) / across, standing);
  const t = clamp(ex * first - along, half);
  const x = beyond(dx + ex * t, standing);
  const y = dy + ey * t;
  const z = dz + ez * t;
  return x * x + y * y + z * z;
}

/** The two rectangles change places; (wx, wy, wz) is the normal of the other one. */
function standOther(wx: number, wy: number, wz: number): void {
  const cu = -(ux * tx + uy * ty + uz * tz);
  const cv = -(vx * tx + vy * ty + vz * tz);
  tz = -(wx * tx + wy * ty + wz * tz);
  tx = cu;
  ty = cv;
  const skew = uy;
  uy = vx;
  vx = skew;
  uz = wx;
  vz = wy;
  const [sideX, sideY] = [ax, ay];
  ax = bu;
  ay = bv;
  bu = sideX;
  bv = sideY;
}

function clamp(value: number, most: number): number {
  return Math.min(most, Math.max(-most, value));
}

/** How far a coordinate lies outside [-most, most]. */
function beyond(value: number, most: number): number {
  return Math.max(0, Math.abs(value) - most);
}

/** So that a quotient is finite; where it is that small, any point of the edge will do. */
function awayFromZero(value: number): number {
  return Math.abs(value) < 1e-200 ? 1e-200 : value;
}
