/**
 * Cells of a grid over a closed mesh, each marked when a point in it may be inside.
 *
 * Method: a cell that the box of a triangle's piece meets is on the boundary; the others are filled from one to the next, since
 * nothing of the surface is between neighbours that it does not meet, and of each region one point is asked exactly (inside-mesh.ts). Boundary
 * cells and cells inside are marked. So a sphere whose centre is in an unmarked cell and that touches no triangle is outside; one
 * whose centre is in a boundary cell counts as touching, as it does anyway when its radius is at least the cell's diagonal.
 * A border of cells that are outside is kept, so that places off the grid may be taken to its rim. Cells that a triangle comes near
 * to by a part of their size (`GRID_NEAR`) count as met: single precision may move a point by so much.
 *
 *   block   lowest x y z 0 | 1 / cell x 4 | last index x y z 0 (f32, 4 each) | nx ny, 0 0 (i32) | a byte per cell, x fastest
 *
 * Cost: cells + triangles times the cells that each meets. Tested by obstacle-kinds.test.ts.
 */
import type { InsideRule } from '../../geometry/sphere-proof/inside-mesh.js';

export const GRID_HEADER_BYTES = 64;
const MOST_CELLS = 2 ** 16;
const MOST_ACROSS = 64;
/** Of a cell: what rounding may move a point by. */
export const GRID_NEAR = 0.05;

export function buildInsideGrid(
  vertices: ArrayLike<number>,
  triangles: ArrayLike<number>,
  box: ArrayLike<number>,
  rule: InsideRule,
): Uint8Array {
  const size = [0, 1, 2].map((k) => box[3 + k] - box[k]);
  const longest = Math.max(...size);
  let cell = longest / MOST_ACROSS;
  const countsOf = (c: number): number[] => size.map((s) => Math.ceil(s / c) + 2);
  while (countsOf(cell).reduce((a, b) => a * b) > MOST_CELLS) cell *= 1.05;
  const counts = countsOf(cell);
  // The header's numbers are single: what is marked here is looked up by them.
  const low = [0, 1, 2].map((k) => Math.fround(box[k] - 0.5 * (counts[k] * cell - size[k])));
  const inverse = Math.fround(1 / cell);
  const total = counts[0] * counts[1] * counts[2];
  const padded = 16 * Math.ceil((GRID_HEADER_BYTES + total) / 16);
  const bytes = new Uint8Array(padded);
  const floats = new Float32Array(bytes.buffer, 0, 12);
  floats.set([...low, 0, inverse, inverse, inverse, inverse, ...counts.map((n) => n - 1), 0]);
  new Int32Array(bytes.buffer, 48, 4).set([counts[0], counts[1], 0, 0]);
  const cells = bytes.subarray(GRID_HEADER_BYTES, GRID_HEADER_BYTES + total);
  markBoundary(cells, counts, (x, k) => (x - low[k]) * inverse, vertices, triangles);
  fillRegions(cells, counts, (index, k) => low[k] + (index + 0.5) / inverse, rule);
  return bytes;
}

const OUTSIDE = 0;
const MARKED = 1;
const UNKNOWN = 2;

/** Marks cells that a triangle meets: pieces are halved while their boxes span several cells each way. */
function markBoundary(
  cells: Uint8Array,
  counts: readonly number[],
  toCell: (x: number, k: number) => number,
  vertices: ArrayLike<number>,
  triangles: ArrayLike<number>,
): void {
  cells.fill(UNKNOWN);
  const clamp = (x: number, k: number): number => Math.min(Math.max(Math.floor(x), 0), counts[k] - 1);
  const mark = (p: readonly number[]): void => {
    const first = [0, 0, 0];
    const last = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      first[k] = clamp(Math.min(p[k], p[3 + k], p[6 + k]) - GRID_NEAR, k);
      last[k] = clamp(Math.max(p[k], p[3 + k], p[6 + k]) + GRID_NEAR, k);
    }
    const spans = [0, 1, 2].filter((k) => last[k] > first[k]).length;
    const isSmall = [0, 1, 2].every((k) => last[k] - first[k] <= 1);
    if (spans > 1 && !isSmall) {
      // Across the longest side.
      const lengths = [0, 1, 2].map((i) =>
        [0, 1, 2].reduce((sum, k) => sum + (p[3 * i + k] - p[3 * ((i + 1) % 3) + k]) ** 2, 0),
      );
      const i = lengths.indexOf(Math.max(...lengths));
      const [a, b, c] = [i, (i + 1) % 3, (i + 2) % 3].map((n) => p.slice(3 * n, 3 * n + 3));
      const m = a.map((x, k) => 0.5 * (x + b[k]));
      mark([...a, ...m, ...c]);
      mark([...m, ...b, ...c]);
      return;
    }
    for (let z = first[2]; z <= last[2]; z++)
      for (let y = first[1]; y <= last[1]; y++)
        for (let x = first[0]; x <= last[0]; x++) cells[(z * counts[1] + y) * counts[0] + x] = MARKED;
  };
  const p = new Array<number>(9);
  for (let t = 0; t < triangles.length; t += 3) {
    for (let c = 0; c < 3; c++)
      for (let k = 0; k < 3; k++) p[3 * c + k] = toCell(vertices[3 * triangles[t + c] + k], k);
    mark(p);
  }
}

/** Each region of cells off the boundary becomes outside or marked, by the first of its cells that can be told; marked where none can. */
function fillRegions(
  cells: Uint8Array,
  counts: readonly number[],
  center: (index: number, k: number) => number,
  rule: InsideRule,
): void {
  const [nx, ny, nz] = counts;
  const stack: number[] = [];
  const region: number[] = [];
  for (let seed = 0; seed < cells.length; seed++) {
    if (cells[seed] !== UNKNOWN) continue;
    stack.push(seed);
    region.length = 0;
    cells[seed] = MARKED;
    let isRim = false;
    while (stack.length > 0) {
      const at = stack.pop() as number;
      region.push(at);
      const x = at % nx;
      const y = Math.floor(at / nx) % ny;
      const z = Math.floor(at / (nx * ny));
      isRim ||= x === 0 || y === 0 || z === 0 || x === nx - 1 || y === ny - 1 || z === nz - 1;
      const visit = (isThere: boolean, next: number): void => {
        if (!isThere || cells[next] !== UNKNOWN) return;
        cells[next] = MARKED;
        stack.push(next);
      };
      visit(x > 0, at - 1);
      visit(x < nx - 1, at + 1);
      visit(y > 0, at - nx);
      visit(y < ny - 1, at + nx);
      visit(z > 0, at - nx * ny);
      visit(z < nz - 1, at + nx * ny);
    }
    const isInside = isRim ? false : tellRegion(region, counts, center, rule);
    if (!isInside) for (const at of region) cells[at] = OUTSIDE;
  }
}

function tellRegion(
  region: readonly number[],
  [nx, ny]: readonly number[],
  center: (index: number, k: number) => number,
  rule: InsideRule,
): boolean {
  const step = Math.max(1, Math.floor(region.length / 20));
  for (let n = 0; n < region.length; n += step) {
    const at = region[n];
    const answer = rule(center(at % nx, 0), center(Math.floor(at / nx) % ny, 1), center(Math.floor(at / (nx * ny)), 2));
    if (answer !== null) return answer;
  }
  return true;
}
