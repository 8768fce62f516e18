/**
 * Signed distance of a point to the surface of a convex core, with the closest surface point and outward normal.
 *
 * Method: box and cylinder by clamping outside, nearest face inside; cone in the half-plane (rho, z) against base,
 * slant, rim and apex; ellipsoid by the root of sum (e_i y_i / (t + e_i^2))^2 = 1 right of -min e_i^2, where the function
 * is convex and falling, so Newton from the left climbs to it without overshoot; points next to the least axis' plane keep
 * their digits because the unknown is t's distance from the pole.
 * Source: Eberly 2013, "Distance from a point to an ellipse, an ellipsoid, or a hyperellipsoid", geometrictools.com;
 * the shifted unknown and start value are ours.
 * Frames: the core's frame. The core's radius is not applied. Cost: 10-60 flops, ellipsoid 4-10 Newton steps.
 * A point where the normal is not unique (centre of a sphere, axis of a cylinder) gets one of them.
 * Checked by point-core.test.ts.
 */
import { requireInstance } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import {
  CORE_BOX,
  CORE_CONE,
  CORE_CYLINDER,
  CORE_ELLIPSOID,
  CORE_POINT,
  CORE_POINTS,
  CORE_SEGMENT,
  CORE_SUPPORT,
  SupportCore,
} from './support.js';

/** Closest surface point 0..2, outward unit normal 3..5. */
export type SurfacePoint = Float64Array;

const MAX_NEWTON = 200;

function setSurface(out: SurfacePoint, x: number, y: number, z: number, nx: number, ny: number, nz: number): void {
  out[0] = x;
  out[1] = y;
  out[2] = z;
  out[3] = nx;
  out[4] = ny;
  out[5] = nz;
}

/** Outside: the normal runs from (qx, qy, qz) to the point; returns the distance. */
function setFromOutside(out: SurfacePoint, p: Float64Array, qx: number, qy: number, qz: number): number {
  const dx = p[0] - qx;
  const dy = p[1] - qy;
  const dz = p[2] - qz;
  const d = Math.sqrt(dx * dx + dy * dy + dz * dz);
  setSurface(out, qx, qy, qz, dx / d, dy / d, dz / d);
  return d;
}

function measureBox(out: SurfacePoint, core: SupportCore, p: Float64Array): number {
  const x = p[0];
  const y = p[1];
  const z = p[2];
  const ox = Math.abs(x) - core.x;
  const oy = Math.abs(y) - core.y;
  const oz = Math.abs(z) - core.z;
  if (ox > 0 || oy > 0 || oz > 0) {
    const qx = ox > 0 ? Math.sign(x) * core.x : x;
    const qy = oy > 0 ? Math.sign(y) * core.y : y;
    const qz = oz > 0 ? Math.sign(z) * core.z : z;
    return setFromOutside(out, p, qx, qy, qz);
  }
  if (ox >= oy && ox >= oz) {
    const s = x < 0 ? -1 : 1;
    setSurface(out, s * core.x, y, z, s, 0, 0);
    return ox;
  }
  if (oy >= oz) {
    const s = y < 0 ? -1 : 1;
    setSurface(out, x, s * core.y, z, 0, s, 0);
    return oy;
  }
  const s = z < 0 ? -1 : 1;
  setSurface(out, x, y, s * core.z, 0, 0, s);
  return oz;
}

function measureSegment(out: SurfacePoint, core: SupportCore, p: Float64Array): number {
  const qz = Math.max(-core.z, Math.min(core.z, p[2]));
  if (p[0] === 0 && p[1] === 0 && p[2] === qz) {
    setSurface(out, 0, 0, qz, 1, 0, 0);
    return 0;
  }
  return setFromOutside(out, p, 0, 0, qz);
}

function measureCylinder(out: SurfacePoint, core: SupportCore, p: Float64Array): number {
  const x = p[0];
  const y = p[1];
  const z = p[2];
  const rho = Math.sqrt(x * x + y * y);
  const ux = rho > 0 ? x / rho : 1;
  const uy = rho > 0 ? y / rho : 0;
  const side = rho - core.x;
  const cap = Math.abs(z) - core.z;
  const up = z < 0 ? -1 : 1;
  if (side > 0 && cap > 0) {
    const d = Math.sqrt(side * side + cap * cap);
    setSurface(out, core.x * ux, core.x * uy, up * core.z, (side * ux) / d, (side * uy) / d, (up * cap) / d);
    return d;
  }
  if (side >= cap) {
    setSurface(out, core.x * ux, core.x * uy, z, ux, uy, 0);
    return side;
  }
  setSurface(out, x, y, up * core.z, 0, 0, up);
  return cap;
}

function measureCone(out: SurfacePoint, core: SupportCore, p: Float64Array): number {
  const x = p[0];
  const y = p[1];
  const z = p[2];
  const { x: r, z: h } = core;
  const rho = Math.sqrt(x * x + y * y);
  const ux = rho > 0 ? x / rho : 1;
  const uy = rho > 0 ? y / rho : 0;
  const slantLength = Math.sqrt(4 * h * h + r * r);
  const nRho = (2 * h) / slantLength;
  const nZ = r / slantLength;
  const base = -h - z;
  const slant = (rho - r) * nRho + (z + h) * nZ;
  const inside = base <= 0 && slant <= 0;
  if (inside ? base >= slant : base > 0 && rho <= r) {
    setSurface(out, x, y, -h, 0, 0, -1);
    return base;
  }
  const along = (z + h) * nRho - (rho - r) * nZ;
  if (inside || (along > 0 && along < slantLength)) {
    const qRho = rho - slant * nRho;
    setSurface(out, qRho * ux, qRho * uy, z - slant * nZ, nRho * ux, nRho * uy, nZ);
    return slant;
  }
  const qRho = along <= 0 ? r : 0;
  const qz = along <= 0 ? -h : h;
  const dRho = rho - qRho;
  const dz = z - qz;
  const d = Math.sqrt(dRho * dRho + dz * dz);
  if (d === 0) setSurface(out, qRho * ux, qRho * uy, qz, nRho * ux, nRho * uy, nZ);
  else setSurface(out, qRho * ux, qRho * uy, qz, (dRho / d) * ux, (dRho / d) * uy, dz / d);
  return d;
}

const semi = new Float64Array(3);
const ratio = new Float64Array(3);
const closest = new Float64Array(3);

function measureEllipsoid(out: SurfacePoint, core: SupportCore, p: Float64Array): number {
  semi[0] = core.x;
  semi[1] = core.y;
  semi[2] = core.z;
  const least = semi[0] <= semi[1] && semi[0] <= semi[2] ? 0 : semi[1] <= semi[2] ? 1 : 2;
  const eMin = semi[least];
  // u = t / eMin^2 + 1 is the distance from the pole; the terms are (r z / (u + r - 1))^2 with z = y / e, r = (e / eMin)^2.
  let u = 0;
  let atPole = 0;
  for (let i = 0; i < 3; i++) {
    ratio[i] = (semi[i] / eMin) ** 2;
    const z = Math.abs(p[i]) / semi[i];
    const shift = ratio[i] - 1;
    u = Math.max(u, ratio[i] * z - shift);
    if (z > 0) atPole += shift > 0 ? ((ratio[i] * z) / shift) ** 2 : Infinity;
  }
  if (atPole < 1) {
    // On the plane of the least axis and inside its focal region: the closest points leave that plane.
    for (let i = 0; i < 3; i++) closest[i] = p[i] === 0 ? 0 : (ratio[i] * p[i]) / (ratio[i] - 1);
    closest[least] = eMin * Math.sqrt(1 - atPole);
    u = 0;
  } else {
    for (let step = 0; step < MAX_NEWTON; step++) {
      let g = -1;
      let slope = 0;
      for (let i = 0; i < 3; i++) {
        const z = Math.abs(p[i]) / semi[i];
        if (z === 0) continue;
        const below = u + (ratio[i] - 1);
        const term = (ratio[i] * z) / below;
        g += term * term;
        slope += (term * term) / below;
      }
      const next = u + (0.5 * g) / slope;
      if (!(next > u)) break;
      u = next;
    }
    for (let i = 0; i < 3; i++) closest[i] = p[i] === 0 ? 0 : (ratio[i] * p[i]) / (u + (ratio[i] - 1));
  }
  const gx = closest[0] / (semi[0] * semi[0]);
  const gy = closest[1] / (semi[1] * semi[1]);
  const gz = closest[2] / (semi[2] * semi[2]);
  const norm = Math.sqrt(gx * gx + gy * gy + gz * gz);
  setSurface(out, closest[0], closest[1], closest[2], gx / norm, gy / norm, gz / norm);
  // p - q = t grad, so the signed distance needs no difference of nearly equal points.
  return (u - 1) * eMin * eMin * norm;
}

/** Whether `measurePointToCore` covers the core (all but vertex hulls and shapes of a support of their own). */
export function hasClosedForm(core: SupportCore): boolean {
  requireInstance('hasClosedForm', 'core', core, SupportCore, 'a SupportCore');
  return core.kind !== CORE_POINTS && core.kind !== CORE_SUPPORT;
}

/** Signed distance of p to the core's surface: negative inside. Writes the closest surface point and normal. */
export function measurePointToCore(out: SurfacePoint, core: SupportCore, p: Float64Array): number {
  switch (core.kind) {
    case CORE_POINT:
      if (p[0] === 0 && p[1] === 0 && p[2] === 0) {
        setSurface(out, 0, 0, 0, 0, 0, 1);
        return 0;
      }
      return setFromOutside(out, p, 0, 0, 0);
    case CORE_SEGMENT:
      return measureSegment(out, core, p);
    case CORE_BOX:
      return measureBox(out, core, p);
    case CORE_CYLINDER:
      return measureCylinder(out, core, p);
    case CORE_CONE:
      return measureCone(out, core, p);
    case CORE_ELLIPSOID:
      return measureEllipsoid(out, core, p);
    default:
      throw new MisuseError(`measurePointToCore: core kind, got ${core.kind}, expected one with a closed form`);
  }
}
