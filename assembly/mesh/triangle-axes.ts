// Axes of a box about one triangle, and those that a search for eigenvectors starts from.
// Tests: src/bvh/fitters.test.ts, src/bvh/mesh-bvh.test.ts.
import { FIT_AXES } from '../../src/kernel/layout';
import { readF64, writeF64 } from '../memory';

export function setIdentity(): void {
  for (let i: usize = 0; i < 9; i++) writeF64(FIT_AXES, i << 3, i == 0 || i == 4 || i == 8 ? 1 : 0);
}

/** Normal, longest edge and their cross product; any frame around the edge when the area is zero. */
export function setTriangleAxes(t: usize): void {
  let longest: f64 = -1;
  let ex: f64 = 1;
  let ey: f64 = 0;
  let ez: f64 = 0;
  for (let i: usize = 0; i < 3; i++) {
    const p = t + 24 * i;
    const q = t + (i == 2 ? 0 : 24 * (i + 1));
    const x = readF64(q) - readF64(p);
    const y = readF64(q, 8) - readF64(p, 8);
    const z = readF64(q, 16) - readF64(p, 16);
    const square = x * x + y * y + z * z;
    if (square > longest) {
      longest = square;
      ex = x;
      ey = y;
      ez = z;
    }
  }
  if (!(longest > 0)) {
    setIdentity();
    return;
  }
  const ux = readF64(t, 24) - readF64(t);
  const uy = readF64(t, 32) - readF64(t, 8);
  const uz = readF64(t, 40) - readF64(t, 16);
  const vx = readF64(t, 48) - readF64(t);
  const vy = readF64(t, 56) - readF64(t, 8);
  const vz = readF64(t, 64) - readF64(t, 16);
  setFrame(ex, ey, ez, uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
}

/** Orthonormal frame: first axis along e, third as near to n as that allows. */
function setFrame(ex: f64, ey: f64, ez: f64, nx: f64, ny: f64, nz: f64): void {
  const length = Math.sqrt(ex * ex + ey * ey + ez * ez);
  const ax = ex / length;
  const ay = ey / length;
  const az = ez / length;
  let d = nx * ax + ny * ay + nz * az;
  let cx = nx - d * ax;
  let cy = ny - d * ay;
  let cz = nz - d * az;
  let size = Math.sqrt(cx * cx + cy * cy + cz * cz);
  if (!(size > 1e-10 * length * length)) {
    // No usable normal: the coordinate axis least aligned with the edge.
    const isX = abs(ax) <= abs(ay) && abs(ax) <= abs(az);
    const isY = !isX && abs(ay) <= abs(az);
    d = isX ? ax : isY ? ay : az;
    cx = (isX ? 1 : 0) - d * ax;
    cy = (isY ? 1 : 0) - d * ay;
    cz = (!isX && !isY ? 1 : 0) - d * az;
    size = Math.sqrt(cx * cx + cy * cy + cz * cz);
  }
  cx /= size;
  cy /= size;
  cz /= size;
  writeF64(FIT_AXES, 0, ax);
  writeF64(FIT_AXES, 24, ay);
  writeF64(FIT_AXES, 48, az);
  writeF64(FIT_AXES, 8, cy * az - cz * ay);
  writeF64(FIT_AXES, 32, cz * ax - cx * az);
  writeF64(FIT_AXES, 56, cx * ay - cy * ax);
  writeF64(FIT_AXES, 16, cx);
  writeF64(FIT_AXES, 40, cy);
  writeF64(FIT_AXES, 64, cz);
}

/** Half of half the surface area of the box about a triangle. */
export function areaOfTriangle(t: usize): f64 {
  const ux = readF64(t, 24) - readF64(t);
  const uy = readF64(t, 32) - readF64(t, 8);
  const uz = readF64(t, 40) - readF64(t, 16);
  const vx = readF64(t, 48) - readF64(t);
  const vy = readF64(t, 56) - readF64(t, 8);
  const vz = readF64(t, 64) - readF64(t, 16);
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  return Math.sqrt(x * x + y * y + z * z) / 4;
}
