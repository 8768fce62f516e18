/**
 * The face, edge or vertex of a convex core that faces a direction, as a polygon of up to MAX_CORNERS points: what two
 * shapes resting on each other actually touch with.
 *
 * Method: corners within an angular tolerance of being farthest along the direction; curved rims give a regular polygon,
 * straight generators give a segment. Corners go around the direction counter-clockwise.
 * Frames: the core's frame; the core's radius is added along the direction. Returns the number of corners.
 * Checked by contacts.test.ts.
 */

import {
  CORE_BOX,
  CORE_CONE,
  CORE_CYLINDER,
  CORE_POINTS,
  CORE_SEGMENT,
  type SupportCore,
  supportCore,
} from '../geometry/support.js';
import { atan2, cos, hypot, sin } from '../math/scalar.js';

export const MAX_CORNERS = 8;
const angleOf = new Float64Array(MAX_CORNERS);
const direction = new Float64Array(3);
const half = new Float64Array(3);
const tip = new Float64Array(3);
const side = new Float64Array(3);
const middle = new Float64Array(3);

function setCorner(out: Float64Array, i: number, x: number, y: number, z: number): void {
  out[3 * i] = x;
  out[3 * i + 1] = y;
  out[3 * i + 2] = z;
}

function setRim(out: Float64Array, r: number, z: number, up: boolean): number {
  for (let i = 0; i < MAX_CORNERS; i++) {
    const angle = ((up ? i : -i) * 2 * Math.PI) / MAX_CORNERS;
    setCorner(out, i, r * cos(angle), r * sin(angle), z);
  }
  return MAX_CORNERS;
}

function findBoxFeature(out: Float64Array, core: SupportCore, d: Float64Array, tolerance: number): number {
  half[0] = core.x;
  half[1] = core.y;
  half[2] = core.z;
  let freeCount = 0;
  let lastFree = -1;
  let lastFixed = -1;
  for (let k = 0; k < 3; k++) {
    tip[k] = d[k] < 0 ? -half[k] : half[k];
    if (Math.abs(d[k]) <= tolerance) {
      freeCount++;
      lastFree = k;
    } else lastFixed = k;
  }
  if (freeCount === 0) {
    setCorner(out, 0, tip[0], tip[1], tip[2]);
    return 1;
  }
  if (freeCount === 1) {
    for (let i = 0; i < 2; i++) {
      tip[lastFree] = i === 0 ? -half[lastFree] : half[lastFree];
      setCorner(out, i, tip[0], tip[1], tip[2]);
    }
    return 2;
  }
  const u = (lastFixed + 1) % 3;
  const v = (lastFixed + 2) % 3;
  const turn = d[lastFixed] < 0 ? -1 : 1;
  for (let i = 0; i < 4; i++) {
    tip[u] = (i === 0 || i === 3 ? -1 : 1) * half[u];
    tip[v] = (i < 2 ? -turn : turn) * half[v];
    setCorner(out, i, tip[0], tip[1], tip[2]);
  }
  return 4;
}

/** Orders corners around d, counter-clockwise about their middle. */
function sortAround(out: Float64Array, count: number, d: Float64Array): void {
  const x = Math.abs(d[0]);
  const y = Math.abs(d[1]);
  const z = Math.abs(d[2]);
  const k = x <= y && x <= z ? 0 : y <= z ? 1 : 2;
  for (let m = 0; m < 3; m++) {
    side[m] = (m === k ? 1 : 0) - d[k] * d[m];
    let sum = 0;
    for (let i = 0; i < count; i++) sum += out[3 * i + m];
    middle[m] = sum / count;
  }
  const fx = d[1] * side[2] - d[2] * side[1];
  const fy = d[2] * side[0] - d[0] * side[2];
  const fz = d[0] * side[1] - d[1] * side[0];
  for (let i = 0; i < count; i++) {
    const rx = out[3 * i] - middle[0];
    const ry = out[3 * i + 1] - middle[1];
    const rz = out[3 * i + 2] - middle[2];
    angleOf[i] = atan2(rx * fx + ry * fy + rz * fz, rx * side[0] + ry * side[1] + rz * side[2]);
  }
  for (let i = 1; i < count; i++)
    for (let j = i; j > 0 && angleOf[j] < angleOf[j - 1]; j--) {
      const angle = angleOf[j];
      angleOf[j] = angleOf[j - 1];
      angleOf[j - 1] = angle;
      for (let m = 0; m < 3; m++) {
        const other = out[3 * j + m];
        out[3 * j + m] = out[3 * (j - 1) + m];
        out[3 * (j - 1) + m] = other;
      }
    }
}

/** Hull corners whose offset from the farthest one is small against their distance from it. */
function findHullFeature(out: Float64Array, core: SupportCore, d: Float64Array, tolerance: number): number {
  const { points } = core;
  supportCore(tip, core, d[0], d[1], d[2]);
  let count = 0;
  for (let i = 0; i < points.length && count < MAX_CORNERS; i += 3) {
    const x = points[i] - tip[0];
    const y = points[i + 1] - tip[1];
    const z = points[i + 2] - tip[2];
    const offset = x * d[0] + y * d[1] + z * d[2];
    if (offset * offset <= tolerance * tolerance * (x * x + y * y + z * z))
      setCorner(out, count++, points[i], points[i + 1], points[i + 2]);
  }
  if (count > 2) sortAround(out, count, d);
  return count;
}

/** Feature facing unit direction (x, y, z); `tolerance` is the sine up to which a face or edge counts as facing it. */
export function findSupportFeature(
  out: Float64Array,
  core: SupportCore,
  x: number,
  y: number,
  z: number,
  tolerance: number,
): number {
  direction[0] = x;
  direction[1] = y;
  direction[2] = z;
  const s = Math.sqrt(x * x + y * y);
  let count = 1;
  switch (core.kind) {
    case CORE_BOX:
      count = findBoxFeature(out, core, direction, tolerance);
      break;
    case CORE_SEGMENT:
      if (Math.abs(z) <= tolerance && core.z > 0) {
        setCorner(out, 0, 0, 0, -core.z);
        setCorner(out, 1, 0, 0, core.z);
        count = 2;
      } else setCorner(out, 0, 0, 0, z < 0 ? -core.z : core.z);
      break;
    case CORE_CYLINDER:
      if (s <= tolerance) count = setRim(out, core.x, z < 0 ? -core.z : core.z, z > 0);
      else if (Math.abs(z) <= tolerance) {
        setCorner(out, 0, (core.x * x) / s, (core.x * y) / s, -core.z);
        setCorner(out, 1, (core.x * x) / s, (core.x * y) / s, core.z);
        count = 2;
      } else supportCore(out, core, x, y, z);
      break;
    case CORE_CONE: {
      const slant = hypot(2 * core.z, core.x);
      if (z < 0 && s <= tolerance) count = setRim(out, core.x, -core.z, false);
      else if (Math.abs((s * core.x - 2 * core.z * z) / slant) <= tolerance) {
        setCorner(out, 0, (core.x * x) / s, (core.x * y) / s, -core.z);
        setCorner(out, 1, 0, 0, core.z);
        count = 2;
      } else supportCore(out, core, x, y, z);
      break;
    }
    case CORE_POINTS:
      count = findHullFeature(out, core, direction, tolerance);
      break;
    default:
      supportCore(out, core, x, y, z);
  }
  const { radius } = core;
  if (radius > 0)
    for (let i = 0; i < count; i++) {
      out[3 * i] += radius * x;
      out[3 * i + 1] += radius * y;
      out[3 * i + 2] += radius * z;
    }
  return count;
}
