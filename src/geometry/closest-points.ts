/**
 * Closest points of points, segments and triangles, in closed form.
 *
 * Method: point-triangle by Voronoi regions; segment-segment as the best of the interior solution of the two lines and
 * the four end-point projections, which stays right for parallel, crossing and zero-length segments; segment-triangle as
 * the crossing point, or the best of both ends against the triangle and the segment against the three edges.
 * Source: Ericson 2005, "Real-time collision detection", sections 5.1.5, 5.1.9, 5.1.10.
 * Frames: any one frame for all inputs. Each function writes its points and returns the squared distance.
 * Cost: 20, 60 and 250 flops. Degenerate triangles fall back to their edges. Checked by closest-points.test.ts.
 */

/** First point 0..2, second point 3..5. */
export type ClosestPair = Float64Array;

/** Closest point (out[at..at+2]) of segment s[sAt..sAt+5] to point p[pAt..pAt+2]. */
export function closestPointSegment(
  out: Float64Array,
  at: number,
  p: Float64Array,
  pAt: number,
  s: Float64Array,
  sAt: number,
): number {
  const ax = s[sAt];
  const ay = s[sAt + 1];
  const az = s[sAt + 2];
  const ex = s[sAt + 3] - ax;
  const ey = s[sAt + 4] - ay;
  const ez = s[sAt + 5] - az;
  const x = p[pAt];
  const y = p[pAt + 1];
  const z = p[pAt + 2];
  const ee = ex * ex + ey * ey + ez * ez;
  const along = (x - ax) * ex + (y - ay) * ey + (z - az) * ez;
  const t = along <= 0 || ee === 0 ? 0 : along >= ee ? 1 : along / ee;
  const qx = t === 1 ? s[sAt + 3] : ax + t * ex;
  const qy = t === 1 ? s[sAt + 4] : ay + t * ey;
  const qz = t === 1 ? s[sAt + 5] : az + t * ez;
  out[at] = qx;
  out[at + 1] = qy;
  out[at + 2] = qz;
  return (x - qx) ** 2 + (y - qy) ** 2 + (z - qz) ** 2;
}

const candidate = new Float64Array(6);

/** Closest points of segments s[sAt..+5] and t[tAt..+5]: first on s, second on t. */
export function closestSegmentSegment(
  out: ClosestPair,
  s: Float64Array,
  sAt: number,
  t: Float64Array,
  tAt: number,
): number {
  const sx = s[sAt];
  const sy = s[sAt + 1];
  const sz = s[sAt + 2];
  const tx = t[tAt];
  const ty = t[tAt + 1];
  const tz = t[tAt + 2];
  const ux = s[sAt + 3] - sx;
  const uy = s[sAt + 4] - sy;
  const uz = s[sAt + 5] - sz;
  const vx = t[tAt + 3] - tx;
  const vy = t[tAt + 4] - ty;
  const vz = t[tAt + 5] - tz;
  const rx = sx - tx;
  const ry = sy - ty;
  const rz = sz - tz;
  const a = ux * ux + uy * uy + uz * uz;
  const e = vx * vx + vy * vy + vz * vz;
  const b = ux * vx + uy * vy + uz * vz;
  const c = ux * rx + uy * ry + uz * rz;
  const f = vx * rx + vy * ry + vz * rz;
  const denominator = a * e - b * b;
  if (denominator > 1e-14 * a * e) {
    const i = (b * f - c * e) / denominator;
    const j = (a * f - b * c) / denominator;
    if (i >= 0 && i <= 1 && j >= 0 && j <= 1) {
      out[0] = sx + i * ux;
      out[1] = sy + i * uy;
      out[2] = sz + i * uz;
      out[3] = tx + j * vx;
      out[4] = ty + j * vy;
      out[5] = tz + j * vz;
      return (out[0] - out[3]) ** 2 + (out[1] - out[4]) ** 2 + (out[2] - out[5]) ** 2;
    }
  }
  let best = Infinity;
  for (let end = 0; end < 2; end++) {
    const d = closestPointSegment(candidate, 3, s, sAt + 3 * end, t, tAt);
    if (d < best) {
      best = d;
      for (let k = 0; k < 3; k++) {
        out[k] = s[sAt + 3 * end + k];
        out[k + 3] = candidate[k + 3];
      }
    }
  }
  for (let end = 0; end < 2; end++) {
    const d = closestPointSegment(candidate, 0, t, tAt + 3 * end, s, sAt);
    if (d < best) {
      best = d;
      for (let k = 0; k < 3; k++) {
        out[k] = candidate[k];
        out[k + 3] = t[tAt + 3 * end + k];
      }
    }
  }
  return best;
}

/** Closest point (out[at..at+2]) of triangle v[0..8] to point p[pAt..pAt+2]. */
export function closestPointTriangle(
  out: Float64Array,
  at: number,
  p: Float64Array,
  pAt: number,
  v: Float64Array,
): number {
  const x = p[pAt];
  const y = p[pAt + 1];
  const z = p[pAt + 2];
  const ux = v[3] - v[0];
  const uy = v[4] - v[1];
  const uz = v[5] - v[2];
  const wx = v[6] - v[0];
  const wy = v[7] - v[1];
  const wz = v[8] - v[2];
  const nx = uy * wz - uz * wy;
  const ny = uz * wx - ux * wz;
  const nz = ux * wy - uy * wx;
  const nn = nx * nx + ny * ny + nz * nz;
  const rx = x - v[0];
  const ry = y - v[1];
  const rz = z - v[2];
  if (nn > 0) {
    // Barycentric weights of the projection, as areas against the normal.
    const c = nx * (uy * rz - uz * ry) + ny * (uz * rx - ux * rz) + nz * (ux * ry - uy * rx);
    const b = nx * (ry * wz - rz * wy) + ny * (rz * wx - rx * wz) + nz * (rx * wy - ry * wx);
    if (b >= 0 && c >= 0 && b + c <= nn) {
      // Weighted edges rather than p - h n: on slivers the normal's error then only slides the point in the plane.
      const i = b / nn;
      const j = c / nn;
      const qx = v[0] + i * ux + j * wx;
      const qy = v[1] + i * uy + j * wy;
      const qz = v[2] + i * uz + j * wz;
      out[at] = qx;
      out[at + 1] = qy;
      out[at + 2] = qz;
      return (x - qx) ** 2 + (y - qy) ** 2 + (z - qz) ** 2;
    }
  }
  let best = closestPointSegment(out, at, p, pAt, v, 0);
  let d = closestPointSegment(edgePoint, 0, p, pAt, v, 3);
  if (d < best) {
    best = d;
    for (let k = 0; k < 3; k++) out[at + k] = edgePoint[k];
  }
  for (let k = 0; k < 3; k++) {
    lastEdge[k] = v[6 + k];
    lastEdge[k + 3] = v[k];
  }
  d = closestPointSegment(edgePoint, 0, p, pAt, lastEdge, 0);
  if (d < best) {
    best = d;
    for (let k = 0; k < 3; k++) out[at + k] = edgePoint[k];
  }
  return best;
}

const edgePoint = new Float64Array(3);
const lastEdge = new Float64Array(6);
const pair = new Float64Array(6);
const closingEdge = new Float64Array(6);

/** Closest points of segment s[0..5] (first) and triangle v[0..8] (second); 0 and equal points when they cross. */
export function closestSegmentTriangle(out: ClosestPair, s: Float64Array, v: Float64Array): number {
  const ux = v[3] - v[0];
  const uy = v[4] - v[1];
  const uz = v[5] - v[2];
  const wx = v[6] - v[0];
  const wy = v[7] - v[1];
  const wz = v[8] - v[2];
  const nx = uy * wz - uz * wy;
  const ny = uz * wx - ux * wz;
  const nz = ux * wy - uy * wx;
  const below = (s[0] - v[0]) * nx + (s[1] - v[1]) * ny + (s[2] - v[2]) * nz;
  const above = (s[3] - v[0]) * nx + (s[4] - v[1]) * ny + (s[5] - v[2]) * nz;
  if ((below < 0 && above > 0) || (below > 0 && above < 0)) {
    const t = below / (below - above);
    for (let k = 0; k < 3; k++) pair[k] = s[k] + t * (s[k + 3] - s[k]);
    const rx = pair[0] - v[0];
    const ry = pair[1] - v[1];
    const rz = pair[2] - v[2];
    const c = nx * (uy * rz - uz * ry) + ny * (uz * rx - ux * rz) + nz * (ux * ry - uy * rx);
    const b = nx * (ry * wz - rz * wy) + ny * (rz * wx - rx * wz) + nz * (rx * wy - ry * wx);
    if (b >= 0 && c >= 0 && b + c <= nx * nx + ny * ny + nz * nz) {
      for (let k = 0; k < 3; k++) {
        out[k] = pair[k];
        out[k + 3] = pair[k];
      }
      return 0;
    }
  }
  let best = Infinity;
  for (let end = 0; end < 2; end++) {
    const d = closestPointTriangle(pair, 3, s, 3 * end, v);
    if (d < best) {
      best = d;
      for (let k = 0; k < 3; k++) {
        out[k] = s[3 * end + k];
        out[k + 3] = pair[k + 3];
      }
    }
  }
  for (let k = 0; k < 3; k++) {
    closingEdge[k] = v[6 + k];
    closingEdge[k + 3] = v[k];
  }
  for (let edge = 0; edge < 3; edge++) {
    const d =
      edge === 2 ? closestSegmentSegment(pair, s, 0, closingEdge, 0) : closestSegmentSegment(pair, s, 0, v, 3 * edge);
    if (d < best) {
      best = d;
      for (let k = 0; k < 6; k++) out[k] = pair[k];
    }
  }
  return best;
}
