/**
 * How concave a part is: how far its surface and that of its hull are from each other, and how much more volume the hull has.
 *
 *   concavity = max(H, k (3 (V(hull) - V(part)) / 4 pi)^(1/3)),   k = 0.3
 *
 * H is the Hausdorff distance between the two surfaces: a slot counts with its depth, however narrow it is, a hollow with the thickness of
 * its walls and with its volume.
 *
 * Method: branch and bound, both ways. 1. From the part to the hull: how deep a point is below a convex surface is the least of its
 * distances from the planes, and over a triangle at most the least over planes of the most over corners; 2. from the hull to the part: what is
 * inside the solid counts as none, else the distance from the part's surface, over a triangle at most that of the middle and the way from it,
 * or, a single triangle's distance being convex, the most over corners from the one that is nearest to the middle; 3. triangles whose bound
 * does not matter are dropped, others are halved across the longest edge.
 * Source: Wei, Liu, Ling, Su 2022, "Approximate convex decomposition for 3D meshes with collision-aware concavity and tree search",
 * section 3, doi:10.1145/3528223.3530103; bounds: Tang, Lee, Kim 2009, "Interactive Hausdorff distance computation for general polygonal
 * models", doi:10.1145/1531326.1531380.
 * What differs: bounds instead of samples. Surface inside the solid, where closed shells overlap, does not count; that is decided by samples
 * no farther apart than the length asked about.
 * Units: those of the mesh. Cost: some microseconds per triangle, and about area / length^2 points. Checked by
 * convex-decomposition.test.ts.
 */
import { exp, log } from '../../math/scalar.js';
import type { ConvexHull } from '../hull.js';
import type { MeshProbe } from '../mesh-probe.js';
import { MeshProbe as Probe } from '../mesh-probe.js';
import type { TriangleMesh } from '../triangle-mesh.js';

export interface Concavity {
  /** The concavity is not above it. */
  readonly upper: number;
  readonly lower: number;
  /** A point of one surface that is as far from the other as the largest distance found; null where the volume alone counts. */
  readonly deepest: readonly number[] | null;
}

const VOLUME_WEIGHT = 0.3;
/** Of the largest distance found: what is not worth proving. */
export const SLACK = 1.02;
/** Of the length asked about: distances below are all one. */
const FLOOR = 0.125;
/** Triangles that are looked at before the floor is raised to the length, and before the bound is left as it is. */
const FEW_TRIANGLES = 60_000;
const MOST_TRIANGLES = 400_000;
/** Area over squared edge below which a face of a hull has no plane of its own; its neighbours hold the hull. */
const SLIVER = 1e-6;

/** The volume's part of the concavity. */
export function volumeTerm(excess: number): number {
  return excess > 0 ? VOLUME_WEIGHT * exp(log((3 * excess) / (4 * Math.PI)) / 3) : 0;
}

/** The excess of volume whose term is a length. */
export function enoughExcess(length: number): number {
  const radius = length / VOLUME_WEIGHT;
  return ((4 * Math.PI) / 3) * radius * radius * radius;
}

export interface PartMeasure {
  readonly solid: MeshProbe;
  /** What is asked: whether the concavity is at most this. */
  readonly length: number;
  /** Distances below are all one. Default: an eighth of the length. */
  readonly floor?: number;
}

/** Bounds of the concavity of a part, whose surface is `surface`. Once it is above `length`, no more is sought. */
export function measureConcavity(
  { solid, length, floor = FLOOR * length }: PartMeasure,
  surface: TriangleMesh,
  hull: ConvexHull,
  excess: number,
): Concavity {
  const term = volumeTerm(excess);
  if (hull.dimension < 3) return { lower: 0, upper: 0, deepest: null };
  if (term > length) return { lower: term, upper: Infinity, deepest: null };
  const measure = (least: number, most: number): Search => {
    const search = new Search(length, Math.max(term, least), most);
    search.run(surface, new DepthSearch(search, solid, hull).look);
    if (search.lower <= length && search.upper <= length)
      search.run(hull, new ReachSearch(search, solid, surface).look);
    return search;
  };
  let search = measure(floor, FEW_TRIANGLES);
  // Wide faces that coincide take many triangles to be told from those that do not by less than the floor.
  if (search.isUndecided) search = measure(length / SLACK, MOST_TRIANGLES);
  const upper = Math.max(search.upper, search.lower);
  return {
    lower: Math.max(term, search.found),
    upper: search.isRefuted ? Infinity : Math.max(term, upper),
    deepest: search.deepest,
  };
}

/** What both directions share: the largest distance found, and a stack of triangles, 9 numbers each. */
class Search {
  /** Largest distance found, or what is not worth finding. */
  lower: number;
  found = 0;
  /** Where that is. */
  deepest: readonly number[] | null = null;
  /** Of triangles that were dropped. */
  upper = 0;
  looked = 0;
  /** The one that is looked at. */
  readonly triangle = new Float64Array(9);
  private readonly stack: number[] = [];

  constructor(
    readonly length: number,
    floor: number,
    private readonly most: number,
  ) {
    this.lower = floor;
  }

  get isRefuted(): boolean {
    return this.found > this.length;
  }

  get isOver(): boolean {
    return this.isRefuted || this.looked > this.most;
  }

  get isUndecided(): boolean {
    return !this.isRefuted && this.looked > this.most;
  }

  /** Looks at all triangles, and at what `look` splits them into, until nothing more is sought. */
  run({ vertices, triangles }: TriangleMesh, look: () => void): void {
    const { stack, triangle } = this;
    for (let t = 0; t < triangles.length && !this.isOver; t += 3) {
      for (let c = 0; c < 3; c++) for (let k = 0; k < 3; k++) stack.push(vertices[3 * triangles[t + c] + k]);
      while (stack.length > 0 && !this.isOver) {
        this.looked++;
        for (let i = 8; i >= 0; i--) triangle[i] = stack.pop() as number;
        look();
      }
    }
    // What is left undecided may be anything.
    if (this.looked > this.most) this.upper = Infinity;
    stack.length = 0;
  }

  /** Of a triangle whose bound is this: whether it can be dropped. */
  canDrop(bound: number): boolean {
    if (bound > SLACK * this.lower) return false;
    this.upper = Math.max(this.upper, bound);
    return true;
  }

  see(distance: number, x: number, y: number, z: number): void {
    if (distance > this.found) {
      this.found = distance;
      this.deepest = [x, y, z];
    }
    this.lower = Math.max(this.lower, distance);
  }

  /** Halves a triangle across its longest edge. */
  split(t: Float64Array): void {
    let longest = 0;
    let most = -1;
    for (let i = 0; i < 3; i++) {
      const [a, b] = [3 * i, 3 * ((i + 1) % 3)];
      const size = (t[b] - t[a]) ** 2 + (t[b + 1] - t[a + 1]) ** 2 + (t[b + 2] - t[a + 2]) ** 2;
      if (size > most) {
        most = size;
        longest = i;
      }
    }
    const [a, b, c] = [3 * longest, 3 * ((longest + 1) % 3), 3 * ((longest + 2) % 3)];
    const [x, y, z] = [0.5 * (t[a] + t[b]), 0.5 * (t[a + 1] + t[b + 1]), 0.5 * (t[a + 2] + t[b + 2])];
    this.stack.push(t[a], t[a + 1], t[a + 2], x, y, z, t[c], t[c + 1], t[c + 2]);
    this.stack.push(x, y, z, t[b], t[b + 1], t[b + 2], t[c], t[c + 1], t[c + 2]);
  }
}

/** How deep the part's surface is below the hull's. */
class DepthSearch {
  private readonly planes: Float64Array;
  private hint = 0;

  constructor(
    private readonly search: Search,
    private readonly solid: MeshProbe,
    hull: ConvexHull,
  ) {
    this.planes = listPlanes(hull);
  }

  readonly look = (): void => {
    const { search } = this;
    const t = search.triangle;
    if (search.canDrop(this.boundBy(this.hint))) return;
    let bound = Infinity;
    for (let c = 0; c < 9; c += 3) {
      const depth = this.depthOf(t[c], t[c + 1], t[c + 2]);
      bound = Math.min(bound, this.boundBy(this.hint));
      if (depth <= search.lower) continue;
      if (this.isWithin(t, c)) continue;
      search.see(depth, t[c], t[c + 1], t[c + 2]);
      if (search.isRefuted) return;
    }
    if (search.canDrop(bound)) return;
    for (let i = 0; i < this.planes.length; i += 4) {
      bound = Math.min(bound, this.boundBy(i));
      if (bound <= SLACK * search.lower) break;
    }
    if (search.canDrop(bound) || (sizeOf(t) <= search.lower && this.isWithin(t, -1))) return;
    search.split(t);
  };

  /** Depth of a point, or some plane's distance that is not above what is known; leaves that plane as the hint. */
  private depthOf(x: number, y: number, z: number): number {
    const { planes, search } = this;
    let least = Infinity;
    let at = this.hint;
    for (let i = 0; i < planes.length; i += 4) {
      const gap = planes[i + 3] - planes[i] * x - planes[i + 1] * y - planes[i + 2] * z;
      if (gap >= least) continue;
      least = gap;
      at = i;
      if (least <= search.lower) break;
    }
    this.hint = at;
    return least;
  }

  private boundBy(i: number): number {
    const { planes } = this;
    const t = this.search.triangle;
    let most = 0;
    for (let c = 0; c < 9; c += 3) {
      const gap = planes[i + 3] - planes[i] * t[c] - planes[i + 1] * t[c + 1] - planes[i + 2] * t[c + 2];
      if (gap > most) most = gap;
    }
    return most;
  }

  /** Whether the surface has the solid on both sides: at a corner drawn towards the middle, or (-1) at all three and the middle. */
  private isWithin(t: Float64Array, corner: number): boolean {
    const u = [0, 1, 2].map((k) => t[3 + k] - t[k]);
    const v = [0, 1, 2].map((k) => t[6 + k] - t[k]);
    const n = [0, 1, 2].map((k) => u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
    const area = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(area > 0)) return false;
    const middle = [0, 1, 2].map((k) => (t[k] + t[3 + k] + t[6 + k]) / 3);
    const step = (1e-6 * sizeOf(t)) / area;
    const look = (p: readonly number[]): boolean =>
      this.solid.isInside(p[0] + step * n[0], p[1] + step * n[1], p[2] + step * n[2]) &&
      this.solid.isInside(p[0] - step * n[0], p[1] - step * n[1], p[2] - step * n[2]);
    const near = (c: number): number[] => middle.map((m, k) => t[c + k] + 0.02 * (m - t[c + k]));
    if (corner >= 0) return look(near(corner));
    return look(middle) && look(near(0)) && look(near(3)) && look(near(6));
  }
}

/** Largest distance of a corner from the middle. */
function sizeOf(t: Float64Array): number {
  let most = 0;
  for (let c = 0; c < 9; c += 3) {
    let sum = 0;
    for (let k = 0; k < 3; k++) sum += (t[c + k] - (t[k] + t[3 + k] + t[6 + k]) / 3) ** 2;
    most = Math.max(most, sum);
  }
  return Math.sqrt(most);
}

/** How far the hull's surface is from the part. */
class ReachSearch {
  private readonly part: MeshProbe;

  constructor(
    private readonly search: Search,
    private readonly solid: MeshProbe,
    surface: TriangleMesh,
  ) {
    this.part = new Probe(surface);
  }

  readonly look = (): void => {
    const { search, solid, part } = this;
    const t = search.triangle;
    const radius = sizeOf(t);
    const [x, y, z] = [0, 1, 2].map((k) => (t[k] + t[3 + k] + t[6 + k]) / 3);
    let distance = part.distance(x, y, z);
    if (search.canDrop(distance + radius)) return;
    const nearest = part.nearest;
    let bound = nearest < 0 ? Infinity : 0;
    for (let c = 0; c < 9 && nearest >= 0; c += 3)
      bound = Math.max(bound, part.distanceTo(nearest, t[c], t[c + 1], t[c + 2]));
    if (search.canDrop(Math.min(bound, distance + radius))) return;
    if (distance > 0 && solid.isInside(x, y, z)) {
      // Within its distance from the surface everything is inside.
      bound = Math.max(0, radius - solid.distance(x, y, z, radius));
      if (search.canDrop(bound)) return;
      distance = 0;
    }
    search.see(distance, x, y, z);
    if (!search.isRefuted) search.split(t);
  };
}

/** Unit normals and offsets of a hull's faces, 4 numbers each. */
function listPlanes({ vertices, triangles }: ConvexHull): Float64Array {
  const planes: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const u = [0, 1, 2].map((k) => vertices[b + k] - vertices[a + k]);
    const v = [0, 1, 2].map((k) => vertices[c + k] - vertices[a + k]);
    const n = [0, 1, 2].map((k) => u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
    const norm = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const longest = Math.max(u[0] * u[0] + u[1] * u[1] + u[2] * u[2], v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (norm <= SLIVER * longest) continue;
    const m = n.map((x) => x / norm);
    planes.push(m[0], m[1], m[2], m[0] * vertices[a] + m[1] * vertices[a + 1] + m[2] * vertices[a + 2]);
  }
  return Float64Array.from(planes);
}
