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

export const MAX_CORNERS = 8;
const angleOf = new Float64Array(MAX_CORNERS);

function setCorner(out: Float64Array, i: number, x: number, y: number, z: number): void {
  out[3 * i] = x;
  out[3 * i + 1] = y;
  out[3 * i + 2] = z;
}

function setRim(out: Float64Array, r: number, z: number, up: boolean): number {
  for (let i = 0; i < MAX_CORNERS; i++) {
    const angle = ((up ? i : -i) * 2 * Math.PI) / MAX_CORNERS;
    setCorner(out, i, r * Math.cos(angle), r * Math.sin(angle), z);
  }
  return MAX_CORNERS;
}

function findBoxFeature(out: Float64Array, core: SupportCore, d: readonly number[], tolerance: number): number {
  const half = [core.x, core.y, core.z];
  const free = [0, 1, 2].filter((k) => Math.abs(d[k]) <= tolerance);
  const corner = d.map((x, k) => (x < 0 ? -half[k] : half[k]));
  if (free.length === 0) {
    setCorner(out, 0, corner[0], corner[1], corner[2]);
    return 1;
  }
  if (free.length === 1) {
    for (let i = 0; i < 2; i++) {
      corner[free[0]] = i === 0 ? -half[free[0]] : half[free[0]];
      setCorner(out, i, corner[0], corner[1], corner[2]);
    }
    return 2;
  }
  const axis = [0, 1, 2].find((k) => !free.includes(k)) as number;
  const u = (axis + 1) % 3;
  const v = (axis + 2) % 3;
  const turn = d[axis] < 0 ? -1 : 1;
  for (let i = 0; i < 4; i++) {
    corner[u] = (i === 0 || i === 3 ? -1 : 1) * half[u];
    corner[v] = (i < 2 ? -turn : turn) * half[v];
    setCorner(out, i, corner[0], corner[1], corner[2]);
  }
  return 4;
}

/** Hull corners whose offset from the farthest one is small against their distance from it. */
function findHullFeature(out: Float64Array, core: SupportCore, d: readonly number[], tolerance: number): number {
  const { points } = core;
  const tip = new Float64Array(3);
  supportCore(tip, core, d[0], d[1], d[2]);
  let count = 0;
  for (let i = 0; i < points.length && count < MAX_CORNERS; i += 3) {
    const x = points[i] - tip[0];
    const y = points[i + 1] - tip[1];
    const z = points[i + 2] - tip[2];
    if (-(x * d[0] + y * d[1] + z * d[2]) <= tolerance * Math.hypot(x, y, z))
      setCorner(out, count++, points[i], points[i + 1], points[i + 2]);
  }
  if (count < 3) return count;
  const k =
    Math.abs(d[0]) <= Math.abs(d[1]) && Math.abs(d[0]) <= Math.abs(d[2]) ? 0 : Math.abs(d[1]) <= Math.abs(d[2]) ? 1 : 2;
  const e = [0, 1, 2].map((m) => (m === k ? 1 : 0) - d[k] * d[m]);
  const f = [d[1] * e[2] - d[2] * e[1], d[2] * e[0] - d[0] * e[2], d[0] * e[1] - d[1] * e[0]];
  const middle = [0, 1, 2].map((m) => {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += out[3 * i + m];
    return sum / count;
  });
  for (let i = 0; i < count; i++) {
    const r = [0, 1, 2].map((m) => out[3 * i + m] - middle[m]);
    angleOf[i] = Math.atan2(r[0] * f[0] + r[1] * f[1] + r[2] * f[2], r[0] * e[0] + r[1] * e[1] + r[2] * e[2]);
  }
  for (let i = 1; i < count; i++)
    for (let j = i; j > 0 && angleOf[j] < angleOf[j - 1]; j--) {
      const angle = angleOf[j];
      angleOf[j] = angleOf[j - 1];
      angleOf[j - 1] = angle;
      for (let m = 0; m < 3; m++) {
        const x = out[3 * j + m];
        out[3 * j + m] = out[3 * (j - 1) + m];
        out[3 * (j - 1) + m] = x;
      }
    }
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
  const s = Math.sqrt(x * x + y * y);
  let count = 1;
  switch (core.kind) {
    case CORE_BOX:
      count = findBoxFeature(out, core, [x, y, z], tolerance);
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
      const slant = Math.hypot(2 * core.z, core.x);
      if (z < 0 && s <= tolerance) count = setRim(out, core.x, -core.z, false);
      else if (Math.abs((s * core.x - 2 * core.z * z) / slant) <= tolerance) {
        setCorner(out, 0, (core.x * x) / s, (core.x * y) / s, -core.z);
        setCorner(out, 1, 0, 0, core.z);
        count = 2;
      } else supportCore(out, core, x, y, z);
      break;
    }
    case CORE_POINTS:
      count = findHullFeature(out, core, [x, y, z], tolerance);
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
