/**
 * What a body may reach, without a question about one path: the map of its free places, where a point of it lies, which parts are
 * connected.
 *
 * Point location looks at the trapezoids of one cell of a grid, and decides by exact predicates. Cost: building O(n) cells, a
 * question those trapezoids that share a cell, a few where they are spread evenly. Tested by free-space.test.ts.
 */
import { requireFields } from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { createConfigurationPieces } from './configuration-pieces.js';
import { compareX, createExactPoint, type ExactPoint, orientPoints } from './exact-point.js';
import { forbidsPoint, type Piece } from './pieces.js';
import { type PlanePoint, requirePlanePoint } from './polygon.js';
import { type PlaneScene, sceneFields, type Touching } from './problem.js';
import { createRoadmap, type Roadmap, trapezoidCorners } from './roadmap.js';
import { neverStop, type StopCheck } from './stop-check.js';
import { buildMap, type TrapezoidMap } from './trapezoid-map.js';

export interface PlaneFreeSpace {
  readonly pieces: readonly Piece[];
  readonly map: TrapezoidMap;
  readonly roadmap: Roadmap;
  /** The map's trapezoids with who is beside whom; made when first asked for. */
  readonly cells: readonly FreeCell[];
}

/** A cell of the decomposition. */
export interface FreeCell {
  /** Lower left, lower right, upper right, upper left; rounded. */
  readonly corners: readonly PlanePoint[];
  /** Cells on the left and on the right of it that share an opening with it. */
  readonly neighbours: readonly number[];
  /** Cells with the same number can reach each other. */
  readonly component: number;
}

export interface FreeCells {
  /** Made when first asked for. */
  readonly cells: readonly FreeCell[];
  readonly componentCount: number;
  readonly touching: Touching;
  /** How much polygons of discs are larger than the discs, metres: what is free is free, other places may be too. */
  readonly width: number;
  readonly freeSpace: PlaneFreeSpace;
  /** Cell in which a place lies, -1 where it is forbidden, -2 where it is free and on a border of cells. */
  locate(place: PlanePoint): number;
}

/** `count` is the number of sides that discs get at least: a multiple of 4, 64 unless said otherwise. */
export function createFreeCells(scene: PlaneScene, count = 64): FreeCells {
  requireFields('createFreeCells', 'scene', scene, sceneFields);
  for (const key of ['body', 'obstacles', 'bounds'] as const)
    if (scene[key] === undefined)
      throw new MisuseError(`createFreeCells: scene.${key}, got none, expected the scene to have one`);
  if (!Number.isInteger(count) || count < 4 || count % 4 !== 0 || count > 1 << 16)
    throw new MisuseError(`createFreeCells: count, got ${describeValue(count)}, expected a multiple of 4 up to 65536`);
  const { outer: pieces, width } = createConfigurationPieces(scene, count);
  return decomposeFree(pieces, scene.touching ?? 'blocked', width);
}

export function createFreeSpace(pieces: readonly Piece[], map: TrapezoidMap, roadmap: Roadmap): PlaneFreeSpace {
  let cells: readonly FreeCell[] | null = null;
  return {
    pieces,
    map,
    roadmap,
    get cells() {
      cells ??= listCells(map, roadmap);
      return cells;
    },
  };
}

function listCells(map: TrapezoidMap, roadmap: Roadmap): FreeCell[] {
  const components = nameComponents(roadmap, map.trapezoidCount);
  const neighbours: number[][] = Array.from({ length: map.trapezoidCount }, () => []);
  for (let o = 0; o < map.openingCount; o++) {
    const [left, right] = [map.openings[5 * o], map.openings[5 * o + 1]];
    if (!neighbours[left].includes(right)) neighbours[left].push(right);
    if (!neighbours[right].includes(left)) neighbours[right].push(left);
  }
  return neighbours.map((list, t) => ({
    corners: trapezoidCorners(map, t),
    neighbours: list,
    component: components[t],
  }));
}

/** The cells of what pieces, the strips outside of the bounds among them, leave free. */
export function decomposeFree(
  pieces: readonly Piece[],
  touching: Touching,
  width: number,
  check: StopCheck = neverStop,
): FreeCells {
  const map = buildMap(pieces, [], check);
  const roadmap = createRoadmap(map);
  const freeSpace = createFreeSpace(pieces, map, roadmap);
  const components = nameComponents(roadmap, map.trapezoidCount);
  let componentCount = 0;
  for (let t = 0; t < map.trapezoidCount; t++) componentCount = Math.max(componentCount, components[t] + 1);
  let buckets: ((place: PlanePoint) => Int32Array) | null = null;
  return {
    get cells() {
      return freeSpace.cells;
    },
    componentCount,
    touching,
    width,
    freeSpace,
    locate(place) {
      requirePlanePoint('locate', 'place', place);
      const point = createExactPoint(place[0], place[1]);
      buckets ??= fillBuckets(map);
      for (const t of buckets(place)) if (isInTrapezoid(map, t, point)) return t;
      return pieces.some((piece) => forbidsPoint(piece, point)) ? -1 : -2;
    },
  };
}

/** Strictly inside. */
function isInTrapezoid(map: TrapezoidMap, t: number, point: ExactPoint): boolean {
  const [lower, upper, left, right] = map.trapezoids.subarray(4 * t, 4 * t + 4);
  const { points, edgeEnds } = map.arrangement;
  const side = (edge: number) => orientPoints(points[edgeEnds[2 * edge]], points[edgeEnds[2 * edge + 1]], point);
  return compareX(points[left], point) < 0 && compareX(point, points[right]) < 0 && side(lower) > 0 && side(upper) < 0;
}

/** Components of the roadmap, numbered by their first trapezoid. */
function nameComponents({ nodeCount, starts, neighbours }: Roadmap, trapezoidCount: number): Int32Array {
  const of = new Int32Array(nodeCount).fill(-1);
  let count = 0;
  for (let t = 0; t < trapezoidCount; t++) {
    if (of[t] >= 0) continue;
    const stack = [t];
    of[t] = count;
    while (stack.length > 0) {
      const n = stack.pop()!;
      for (let k = starts[n]; k < starts[n + 1]; k++) {
        if (of[neighbours[k]] >= 0) continue;
        of[neighbours[k]] = count;
        stack.push(neighbours[k]);
      }
    }
    count++;
  }
  return of;
}

/** The trapezoids whose boxes, a little larger, share a bucket with a place; in rows, one bucket after the other. */
function fillBuckets(map: TrapezoidMap): (place: PlanePoint) => Int32Array {
  const count = map.trapezoidCount;
  const boxes = new Float64Array(4 * count);
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let t = 0; t < count; t++) {
    const [a, b, c, d] = trapezoidCorners(map, t);
    const box = [a[0], Math.min(a[1], b[1]), b[0], Math.max(c[1], d[1])];
    boxes.set(box, 4 * t);
    x0 = Math.min(x0, box[0]);
    y0 = Math.min(y0, box[1]);
    x1 = Math.max(x1, box[2]);
    y1 = Math.max(y1, box[3]);
  }
  const side = Math.min(1024, Math.max(1, Math.ceil(Math.sqrt(count))));
  const clamp = (value: number) => Math.min(Math.max(Math.floor(value), 0), side - 1);
  const column = (x: number, wider = 0) => clamp(((x - x0) / (x1 - x0)) * side + wider);
  const row = (y: number, wider = 0) => clamp(((y - y0) / (y1 - y0)) * side + wider);
  const starts = new Int32Array(side * side + 1);
  const visit = (use: (bucket: number, t: number) => void): void => {
    for (let t = 0; t < count; t++) {
      const lastColumn = column(boxes[4 * t + 2], 1e-3);
      const [firstRow, lastRow] = [row(boxes[4 * t + 1], -1e-3), row(boxes[4 * t + 3], 1e-3)];
      for (let c = column(boxes[4 * t], -1e-3); c <= lastColumn; c++)
        for (let r = firstRow; r <= lastRow; r++) use(c * side + r, t);
    }
  };
  visit((bucket) => starts[bucket + 1]++);
  for (let k = 0; k < side * side; k++) starts[k + 1] += starts[k];
  const filled = starts.slice(0, -1);
  const items = new Int32Array(starts[side * side]);
  visit((bucket, t) => {
    items[filled[bucket]++] = t;
  });
  return ([x, y]) => {
    const bucket = column(x) * side + row(y);
    return items.subarray(starts[bucket], starts[bucket + 1]);
  };
}
