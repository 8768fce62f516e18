/**
 * The surface of any convex core with its radius as a closed mesh, for pictures and for checks of volumes.
 *
 * Method: the hull of support points. Directions form a grid of meridians and rings through the poles, the equator and the axes;
 * where a core answers a direction with a face or an edge, its corners come from directions a little beside, on all four sides.
 * Frames: the shape's. Cost: a hull of up to 4 x segments^2 / 2 points. Flat shapes give what their hull gives.
 * Checked by core-surface.test.ts.
 */
import { cos, sin } from '../math/scalar.js';
import { buildConvexHull, type ConvexHull } from './hull.js';
import { type SupportCore, supportInto } from './support.js';

/** Radians beside a direction. */
const BESIDE = 1e-7;
/** Points nearer to each other than this, per unit of size, are one. */
const SAME = 1e-5;

/** `segments`: meridians, taken to the next multiple of four. */
export function meshCore(core: SupportCore, segments: number): ConvexHull {
  const meridians = 4 * Math.ceil(segments / 4);
  const rings = meridians / 2;
  const direction = new Float64Array(3);
  const point = new Float64Array(3);
  const found: number[] = [];
  let size = 0;
  for (let i = 0; i <= rings; i++)
    for (let j = 0; j < meridians; j++) {
      const polar = (i * Math.PI) / rings;
      const around = (j * 2 * Math.PI) / meridians;
      for (let side = 0; side < 5; side++) {
        // The direction itself comes first: of points that are nearly the same the exact one stays.
        const p = polar + (side === 0 ? 0 : side & 1 ? BESIDE : -BESIDE);
        const a = around + (side === 0 ? 0 : side & 2 ? BESIDE : -BESIDE);
        setDirection(direction, p, a);
        supportInto(point, 0, core, direction);
        setDirection(direction, polar, around);
        for (let k = 0; k < 3; k++) {
          const x = point[k] + core.radius * direction[k];
          found.push(x);
          size = Math.max(size, Math.abs(x));
        }
      }
    }
  return buildConvexHull(dropRepeated(found, SAME * size));
}

/** Zeros of the axes are exact. */
function setDirection(out: Float64Array, polar: number, around: number): void {
  const [s, c] = [roundOff(sin(polar)), roundOff(cos(polar))];
  out[0] = s * roundOff(cos(around));
  out[1] = s * roundOff(sin(around));
  out[2] = c;
}

function roundOff(x: number): number {
  return Math.abs(x) < 1e-12 ? 0 : x;
}

function dropRepeated(points: readonly number[], cell: number): Float64Array {
  const kept = new Map<string, number>();
  for (let i = 0; i < points.length; i += 3) {
    const key = [0, 1, 2].map((k) => Math.round(points[i + k] / cell)).join();
    if (!kept.has(key)) kept.set(key, i);
  }
  return Float64Array.from([...kept.values()].flatMap((i) => [points[i], points[i + 1], points[i + 2]]));
}
