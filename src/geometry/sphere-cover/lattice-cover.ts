/**
 * Spheres that contain a link's shapes, and spheres inside them, in some hundredths of a second: for what has no fitted model yet.
 *
 * Method: 1. the box of the shapes is cut into cells, those at a surface once more; a cell whose centre is farther from the shapes than its
 * corner is holds nothing of them; 2. around a point with signed distance d a ball of radius -d is inside, so that one of radius e - d
 * sticks out by at most e; with e well above two half diagonals of a small cell every cell lies in the ball around its own centre;
 * 3. balls are chosen greedily by how many cells they cover that none covers yet, lazily, as that number only falls; 4. balls inside
 * likewise, by the volume of the cells whose centre they hold.
 * Source of the greedy order: Minoux 1978, "Accelerated greedy algorithms for maximizing submodular set functions",
 * doi:10.1007/BFb0006528.
 * Frames: those of the shapes. Returns four numbers a sphere: centre, radius. Cost: 10 to 60 ms a link, once. Fails: null for shapes
 * without bounds, support functions (which have no distance of their own) and clouds of many points, and closed
 * meshes that are not consistently wound. The cover is proven by step 1; verify-spheres.ts agrees. Tested by lattice-cover.test.ts.
 */
import { powerOfTwo } from '../../math/scalar.js';
import { reportMesh } from '../mesh-report.js';
import type { Shape } from '../shapes.js';
import type { PlacedShape } from '../sphere-proof/parts.js';
import { ShapeField } from './shape-field.js';

export interface LatticeSpheres {
  /** Together they contain the shapes, insides of solids included. */
  readonly outer: Float64Array;
  /** Each is inside a solid; none for surfaces. */
  readonly inner: Float64Array;
  /** No point of `outer` is farther from the shapes. */
  readonly excess: number;
}

/** Cells at first, at most; those at a surface are cut so often. */
const CELLS = 600;
const CUTS = 1;
/** Of the first choice. */
const CANDIDATES = 400;
/** Largest excess as a share of the longest extent. */
const SHARE = 0.12;
const MOST_POINTS = 100;
const MOST_INNER = 12;
/** Inner spheres smaller than this share of the largest add little. */
const LEAST_INNER = 0.2;
/** Covers what rounding does to centres, distances and radii. */
const OUTWARD = 1 + 1e-9;

/** x, y, z, signed distance, half diagonal, volume. */
const CELL = 6;

export function coverByLattice(shapes: readonly PlacedShape[], share = SHARE): LatticeSpheres | null {
  if (!shapes.every(({ shape }) => isTaken(shape))) return null;
  const field = new ShapeField(shapes);
  const { bounds, balls } = field;
  if (!bounds.every(Number.isFinite)) return null;
  if (balls) {
    const same = Float64Array.from(balls.flat());
    return { outer: same, inner: same, excess: 0 };
  }
  const { cells, half, longest } = cutCells(field);
  const excess = Math.max(2.8 * half, share * longest);
  return { outer: chooseOuter(cells, excess, 1e-9 * longest), inner: chooseInner(cells), excess };
}

/** Closed meshes whose triangles are not consistently wound have an inside that the field does not know. */
function isTaken(shape: Shape): boolean {
  switch (shape.type) {
    case 'compound':
      return shape.children.every((child) => isTaken(child.shape));
    case 'support':
    case 'halfspace':
      return false;
    case 'points':
      return shape.points.length <= 3 * MOST_POINTS;
    case 'mesh': {
      const { watertight, consistentlyOriented } = reportMesh(shape.mesh);
      return !watertight || consistentlyOriented || shape.mode === 'surface';
    }
    default:
      return true;
  }
}

/** Cells that may hold a part of the shapes; `half`: the largest half diagonal of those at a surface. */
function cutCells(field: ShapeField): { cells: Float64Array; half: number; longest: number } {
  const { bounds } = field;
  const size = [0, 1, 2].map((k) => Math.max(bounds[k + 3] - bounds[k], 0));
  const longest = Math.max(...size);
  let side = longest / 16;
  const countsAt = (s: number): number[] => size.map((x) => (s > 0 ? Math.max(1, Math.ceil(x / s)) : 1));
  while (countsAt(side).reduce((product, n) => product * n, 1) > CELLS) side *= 1.1;
  const counts = countsAt(side);
  const widths = size.map((x, k) => Math.max((x / counts[k]) * OUTWARD, 1e-9 * longest));
  const reach = 0.5 * Math.sqrt(widths[0] ** 2 + widths[1] ** 2 + widths[2] ** 2);
  const volume = widths[0] * widths[1] * widths[2];
  const cells: number[] = [];
  const add = (x: number, y: number, z: number, depth: number): void => {
    const scale = powerOfTwo(-depth);
    const d = field.distance(x, y, z);
    if (d > scale * reach) return;
    if (depth === CUTS || d < -scale * reach) {
      cells.push(x, y, z, d, scale * reach, volume * scale * scale * scale);
      return;
    }
    const [dx, dy, dz] = widths.map((w) => 0.25 * scale * w);
    for (let child = 0; child < 8; child++)
      add(x + (child & 1 ? dx : -dx), y + (child & 2 ? dy : -dy), z + (child & 4 ? dz : -dz), depth + 1);
  };
  for (let x = 0; x < counts[0]; x++)
    for (let y = 0; y < counts[1]; y++)
      for (let z = 0; z < counts[2]; z++)
        add(bounds[0] + (x + 0.5) * widths[0], bounds[1] + (y + 0.5) * widths[1], bounds[2] + (z + 0.5) * widths[2], 0);
  return { cells: Float64Array.from(cells), half: powerOfTwo(-CUTS) * reach, longest };
}

/**
 * Chooses balls around the cells' centres until `most` are chosen or none adds anything. `radius` of a cell's ball, `gain` of a cell that it
 * covers, `reach` by which the ball must go beyond the cell's centre.
 */
function chooseGreedily(
  cells: Float64Array,
  most: number,
  radius: (at: number) => number,
  gain: (at: number) => number,
  reach: (at: number) => number,
): Float64Array {
  const count = cells.length / CELL;
  const radii = Float64Array.from({ length: count }, (_, i) => radius(CELL * i));
  const gains = Float64Array.from({ length: count }, (_, i) => gain(CELL * i));
  const reaches = Float64Array.from({ length: count }, (_, i) => reach(CELL * i));
  const bound = new Float64Array(count);
  /** Cells that no chosen ball covers. */
  let open = Int32Array.from({ length: count }, (_, i) => i);
  const measure = (i: number, left: number[] | null): number => {
    const [x, y, z] = [cells[CELL * i], cells[CELL * i + 1], cells[CELL * i + 2]];
    let sum = 0;
    for (let n = 0; n < open.length; n++) {
      const k = open[n];
      const at = CELL * k;
      const room = radii[i] - reaches[k];
      const d = (cells[at] - x) ** 2 + (cells[at + 1] - y) ** 2 + (cells[at + 2] - z) ** 2;
      if (room >= 0 && d <= room * room) sum += gains[k];
      else left?.push(k);
    }
    return sum;
  };
  const chosen: number[] = [];
  const choose = (first: number, step: number): void => {
    for (let i = first; i < count; i += step) bound[i] = radii[i] > 0 ? measure(i, null) : 0;
    while (chosen.length < 4 * most && open.length > 0) {
      let best = -1;
      // The largest bound, measured again until it stays the largest.
      for (;;) {
        let next = first;
        for (let i = first; i < count; i += step) if (bound[i] > bound[next]) next = i;
        if (next === best || !(bound[next] > 0)) {
          best = bound[next] > 0 ? next : -1;
          break;
        }
        bound[next] = measure(next, null);
        best = next;
      }
      if (best < 0) break;
      const left: number[] = [];
      measure(best, left);
      open = Int32Array.from(left);
      bound[best] = 0;
      chosen.push(cells[CELL * best], cells[CELL * best + 1], cells[CELL * best + 2], radii[best]);
    }
  };
  // Some candidates for most of the cells, all of them for what is left.
  const step = Math.max(1, Math.floor(count / CANDIDATES));
  choose(0, step);
  if (step > 1) choose(0, 1);
  return Float64Array.from(chosen);
}

/** `slack`: of points that hulls lose to rounding. */
function chooseOuter(cells: Float64Array, excess: number, slack: number): Float64Array {
  const spheres = chooseGreedily(
    cells,
    Infinity,
    (at) => excess - cells[at + 3],
    () => 1,
    (at) => cells[at + 4],
  );
  for (let i = 3; i < spheres.length; i += 4) spheres[i] = spheres[i] * OUTWARD + slack;
  return spheres;
}

function chooseInner(cells: Float64Array): Float64Array {
  let deepest = 0;
  for (let at = 0; at < cells.length; at += CELL) deepest = Math.max(deepest, -cells[at + 3]);
  const least = LEAST_INNER * deepest;
  return chooseGreedily(
    cells,
    MOST_INNER,
    (at) => (-cells[at + 3] > least ? -cells[at + 3] / OUTWARD : 0),
    (at) => (cells[at + 3] < 0 ? cells[at + 5] : 0),
    () => 0,
  );
}
