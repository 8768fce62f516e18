/**
 * Support mapping of every convex shape: the point of the shape that lies farthest along a direction.
 *
 * A shape is a core plus a radius: sphere = point + r, capsule = segment + r, everything else radius 0. Distance
 * algorithms work on cores and subtract radii at the end, which is exact and keeps round shapes out of the iteration.
 * Hulls of more than CLIMB_ABOVE vertices climb along hull edges; a linear function has no local maximum on a convex
 * surface, so the climb is exact up to rounding. It starts at the vertex found beforehand for the cell of a cube map that
 * the direction falls in, so it takes a step or two at any size, and its answer does not depend on earlier queries.
 * Source: van den Bergen 2003, "Collision detection in interactive 3D environments", section 4.3.4; the start is ours.
 * Frames: the shape's own frame. Cost: constant; 15-40 ns on hulls that climb.
 * Checked by support.test.ts.
 */
import type { MutableNumericArray, NumericArray } from '../math/vec3.js';
import { buildConvexHull, type ConvexHull } from './hull.js';
import type { Shape } from './shapes.js';
import { validateShape } from './validate-shape.js';

export const CORE_POINT = 0;
export const CORE_SEGMENT = 1;
export const CORE_BOX = 2;
export const CORE_CYLINDER = 3;
export const CORE_CONE = 4;
export const CORE_ELLIPSOID = 5;
export const CORE_POINTS = 6;

const CLIMB_ABOVE = 16;
/** Most cells along an edge of the cube map. */
const MAX_CELLS = 24;
const NO_POINTS = new Float64Array(0);
const NO_INDICES = new Int32Array(0);

/** A convex core; `x y z` are half sizes, semi-axes, or (radius, -, half length). One class keeps V8 monomorphic. */
export class SupportCore {
  constructor(
    readonly kind: number,
    /** Inflation of the core: the shape is core + ball(radius). */
    readonly radius: number,
    readonly x: number,
    readonly y: number,
    readonly z: number,
    /** Vertices of a CORE_POINTS core, else empty. */
    readonly points: Float64Array = NO_POINTS,
    /** Hull edges in compressed rows: neighbours of vertex i are edges[edgeStart[i] .. edgeStart[i + 1]]. */
    readonly edgeStart: Int32Array = NO_INDICES,
    readonly edges: Int32Array = NO_INDICES,
    /** Cells along an edge of the cube map, and where the climb starts for each cell: see `findCell`. */
    readonly cells = 0,
    readonly starts: Int32Array = NO_INDICES,
    /** Coordinates of the neighbours in the order of `edges`: a climb reads them one after the other. */
    readonly fans: Float64Array = NO_POINTS,
  ) {}

  /** Curved cores need polishing after polytope algorithms. */
  get isCurved(): boolean {
    return this.kind >= CORE_CYLINDER && this.kind <= CORE_ELLIPSOID;
  }
}

/** Core of a hull, with the vertex graph when it is large enough to climb. */
export function createHullCore(hull: ConvexHull): SupportCore {
  const count = hull.vertices.length / 3;
  if (count <= CLIMB_ABOVE || hull.dimension < 2) return new SupportCore(CORE_POINTS, 0, 0, 0, 0, hull.vertices);
  const neighbours: Set<number>[] = Array.from({ length: count }, () => new Set());
  const { triangles } = hull;
  for (let i = 0; i < triangles.length; i += 3)
    for (let k = 0; k < 3; k++) neighbours[triangles[i + k]].add(triangles[i + ((k + 1) % 3)]);
  const edgeStart = new Int32Array(count + 1);
  for (let i = 0; i < count; i++) edgeStart[i + 1] = edgeStart[i] + neighbours[i].size;
  const edges = Int32Array.from(neighbours.flatMap((row) => [...row].sort((i, j) => i - j)));
  const cells = Math.min(MAX_CELLS, Math.ceil(Math.sqrt(count / 6)));
  const starts = new Int32Array(6 * cells * cells);
  const fans = new Float64Array(3 * edges.length);
  edges.forEach((i, e) => {
    for (let k = 0; k < 3; k++) fans[3 * e + k] = hull.vertices[3 * i + k];
  });
  const core = new SupportCore(CORE_POINTS, 0, 0, 0, 0, hull.vertices, edgeStart, edges, cells, starts, fans);
  // Each cell's climb starts where the one before ended.
  let last = 0;
  for (let axis = 0; axis < 3; axis++)
    for (let sign = 1; sign >= -1; sign -= 2)
      for (let i = 0; i < cells; i++)
        for (let j = 0; j < cells; j++) {
          const d = [0, 0, 0];
          d[axis] = sign;
          d[(axis + 1) % 3] = (2 * i + 1) / cells - 1;
          d[(axis + 2) % 3] = (2 * j + 1) / cells - 1;
          const [x, y, z] = d;
          last = climb(core, last, x, y, z);
          starts[findCell(cells, x, y, z)] = last;
        }
  return core;
}

/** Cell of the cube map: side by the largest coordinate and its sign, then rows and columns by the other two over it. */
function findCell(cells: number, x: number, y: number, z: number): number {
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  const az = Math.abs(z);
  let side: number;
  let u: number;
  let v: number;
  if (ax >= ay && ax >= az) {
    side = x < 0 ? 1 : 0;
    u = y / ax;
    v = z / ax;
  } else if (ay >= az) {
    side = y < 0 ? 3 : 2;
    u = z / ay;
    v = x / ay;
  } else {
    side = z < 0 ? 5 : 4;
    u = x / az;
    v = y / az;
  }
  const half = 0.5 * cells;
  const i = Math.min((u + 1) * half, cells - 1) | 0;
  const j = Math.min((v + 1) * half, cells - 1) | 0;
  return (side * cells + i) * cells + j;
}

function climb(core: SupportCore, start: number, x: number, y: number, z: number): number {
  const { points, edgeStart, edges, fans } = core;
  let from = start;
  let value = points[3 * from] * x + points[3 * from + 1] * y + points[3 * from + 2] * z;
  for (;;) {
    const end = edgeStart[from + 1];
    let best = -1;
    for (let e = edgeStart[from]; e < end; e++) {
      const h = fans[3 * e] * x + fans[3 * e + 1] * y + fans[3 * e + 2] * z;
      if (h > value) {
        value = h;
        best = e;
      }
    }
    if (best < 0) return from;
    from = edges[best];
  }
}

/** Core of a convex shape; throws for half-spaces and meshes, which have none. Builds the hull of a `convex`. */
export function createSupportCore(shape: Shape): SupportCore {
  validateShape(shape);
  switch (shape.type) {
    case 'sphere':
      return new SupportCore(CORE_POINT, shape.radius, 0, 0, 0);
    case 'capsule':
      return new SupportCore(CORE_SEGMENT, shape.radius, 0, 0, shape.length / 2);
    case 'box':
      return new SupportCore(CORE_BOX, 0, shape.size[0] / 2, shape.size[1] / 2, shape.size[2] / 2);
    case 'cylinder':
      return new SupportCore(CORE_CYLINDER, 0, shape.radius, shape.radius, shape.length / 2);
    case 'cone':
      return new SupportCore(CORE_CONE, 0, shape.radius, shape.radius, shape.length / 2);
    case 'ellipsoid':
      return new SupportCore(CORE_ELLIPSOID, 0, shape.semiAxes[0], shape.semiAxes[1], shape.semiAxes[2]);
    case 'convex':
      return createHullCore(buildConvexHull(shape.points));
    default:
      throw new RangeError(`createSupportCore: type, got ${shape.type}, expected a bounded convex shape`);
  }
}

/** Offset in `points` of the vertex farthest along (x, y, z). */
function findSupportVertex(core: SupportCore, x: number, y: number, z: number): number {
  const { points, cells } = core;
  if (cells > 0) return 3 * climb(core, core.starts[findCell(cells, x, y, z)], x, y, z);
  let best = 0;
  let value = points[0] * x + points[1] * y + points[2] * z;
  for (let i = 3; i < points.length; i += 3) {
    const h = points[i] * x + points[i + 1] * y + points[i + 2] * z;
    if (h > value) {
      value = h;
      best = i;
    }
  }
  return best;
}

/**
 * Farthest point of the core along d[0..2], any length but not zero, into out[at .. at + 2]; the radius is not added.
 * Arrays in and out, because a call with doubles would put each of them on the heap.
 */
export function supportInto(out: Float64Array, at: number, core: SupportCore, d: Float64Array): void {
  const x = d[0];
  const y = d[1];
  const z = d[2];
  switch (core.kind) {
    case CORE_POINT:
      out[at] = 0;
      out[at + 1] = 0;
      out[at + 2] = 0;
      return;
    case CORE_SEGMENT:
      out[at] = 0;
      out[at + 1] = 0;
      out[at + 2] = z < 0 ? -core.z : core.z;
      return;
    case CORE_BOX:
      out[at] = x < 0 ? -core.x : core.x;
      out[at + 1] = y < 0 ? -core.y : core.y;
      out[at + 2] = z < 0 ? -core.z : core.z;
      return;
    case CORE_CYLINDER: {
      const s = Math.sqrt(x * x + y * y);
      const t = s > 0 ? core.x / s : 0;
      out[at] = x * t;
      out[at + 1] = y * t;
      out[at + 2] = z < 0 ? -core.z : core.z;
      return;
    }
    case CORE_CONE: {
      const s = Math.sqrt(x * x + y * y);
      if (z * core.z >= s * core.x - z * core.z) {
        out[at] = 0;
        out[at + 1] = 0;
        out[at + 2] = core.z;
        return;
      }
      const t = s > 0 ? core.x / s : 0;
      out[at] = x * t;
      out[at + 1] = y * t;
      out[at + 2] = -core.z;
      return;
    }
    case CORE_ELLIPSOID: {
      const u = x * core.x;
      const v = y * core.y;
      const w = z * core.z;
      const s = 1 / Math.sqrt(u * u + v * v + w * w);
      out[at] = u * s * core.x;
      out[at + 1] = v * s * core.y;
      out[at + 2] = w * s * core.z;
      return;
    }
    default: {
      const { points } = core;
      const i = findSupportVertex(core, x, y, z);
      out[at] = points[i];
      out[at + 1] = points[i + 1];
      out[at + 2] = points[i + 2];
    }
  }
}

const along = new Float64Array(3);

/** `supportInto` for a direction given in numbers. */
export function supportCore(out: Float64Array, core: SupportCore, x: number, y: number, z: number): void {
  along[0] = x;
  along[1] = y;
  along[2] = z;
  supportInto(out, 0, core, along);
}

const scratch = new Float64Array(3);

/**
 * Farthest point of a convex shape (radius included) along a direction of any non-zero length, both in the shape's
 * frame. Builds the core each time: keep a core and call `supportCore` in loops. Throws for half-spaces and meshes.
 */
export function supportShape<T extends MutableNumericArray>(out: T, shape: Shape, direction: NumericArray): T {
  const [x, y, z] = [direction[0], direction[1], direction[2]];
  const norm = Math.hypot(x, y, z);
  if (!(norm > 0 && norm < Infinity))
    throw new RangeError(`supportShape: direction, got length ${norm}, expected a finite non-zero vector`);
  const core = createSupportCore(shape);
  supportCore(scratch, core, x / norm, y / norm, z / norm);
  out[0] = scratch[0] + (core.radius * x) / norm;
  out[1] = scratch[1] + (core.radius * y) / norm;
  out[2] = scratch[2] + (core.radius * z) / norm;
  return out;
}
