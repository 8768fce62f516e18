/**
 * Points in lists by where a sphere's centre is: all that a sphere of at most a given radius can touch from there.
 *
 * Method: a tree of medians, axes in turn, cuts space into cells of about equally many points; a centre finds its cell by one comparison per
 * level, without branches. A cell's list holds the points within the largest radius of it. Where one point's ball of the
 * smallest radius contains the cell, it is the whole list: every sphere touches it from there. The points nearest to the cell's middle come first.
 * A box around the list goes before it. Cells are taken larger by `slack`, so that rounding of a centre finds a list that serves.
 * Source: Ramsey, Kingston, Thomason, Kavraki 2024, "Collision-affording point trees: SIMD-amenable nearest neighbors for fast collision
 * checking", Robotics: Science and Systems XX, doi:10.48550/arXiv.2406.02807.
 *
 *   block   2^levels medians (f32, the first unused), by levels | 2^levels entries of 32 bytes: lowest x y z (f32), place of the list (i32), highest
 *           x y z, groups of four in it (i32) | lists: per group x of four points, y, z (f32)
 *
 * Cost: n log n, and what the lists hold. Fails: null where the lists would hold more than `MOST_LISTED` times the points: spheres
 * that are large against the distances between points are served better by a tree of boxes. Tested by obstacle-kinds.test.ts.
 */

export const ENTRY_BYTES = 32;
export const LIST_GROUP_BYTES = 48;
const MOST_LISTED = 40;
/** Of a list that is shorter than a multiple of four: touched by nothing, its square finite. */
const FAR = 1e18;

export interface AffordanceTree {
  readonly bytes: Uint8Array;
  readonly levels: number;
  /** Where the entries begin. */
  readonly entries: number;
}

export interface AffordanceRequest {
  /** Of spheres, points' own radius included, metres. */
  readonly smallest: number;
  readonly largest: number;
  /** What rounding can do to a centre, metres. */
  readonly slack: number;
}

export function buildAffordanceTree(
  points: ArrayLike<number>,
  { smallest, largest, slack }: AffordanceRequest,
): AffordanceTree | null {
  const count = points.length / 3;
  // About two points a leaf.
  let levels = 1;
  while (1 << (levels + 1) < count) levels++;
  const leaves = 1 << levels;
  const medians = new Float32Array(leaves).fill(Infinity);
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  const lists: number[][] = [];
  let listed = 0;
  const cell = Float64Array.of(-Infinity, -Infinity, -Infinity, Infinity, Infinity, Infinity);
  /** `near`: points within the largest radius of the cell. */
  const cut = (node: number, level: number, low: number, high: number, near: Uint32Array): boolean => {
    if (level === levels) {
      const list = selectList(points, near, cell, smallest - slack);
      listed += list.length;
      lists.push(list);
      return listed <= MOST_LISTED * count + 1024;
    }
    const k = level % 3;
    const part = order.subarray(low, high);
    part.set(Array.from(part).sort((a, b) => points[3 * a + k] - points[3 * b + k] || a - b));
    const half = (low + high) >> 1;
    const median = high > low ? Math.fround(points[3 * order[Math.min(half, high - 1)] + k]) : Infinity;
    medians[node] = median;
    for (const side of [0, 1]) {
      const at = side === 0 ? 3 + k : k;
      const before = cell[at];
      cell[at] = median;
      const own = near.filter((i) => distanceToCell(points, i, cell) <= largest + slack);
      const isDone =
        side === 0 ? cut(2 * node, level + 1, low, half, own) : cut(2 * node + 1, level + 1, half, high, own);
      cell[at] = before;
      if (!isDone) return false;
    }
    return true;
  };
  if (!cut(1, 0, 0, count, order.slice())) return null;
  return pack(points, medians, lists, levels);
}

/** Infinite sides count as far as the cell goes. */
function distanceToCell(points: ArrayLike<number>, i: number, cell: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const x = points[3 * i + k];
    const beyond = x < cell[k] ? cell[k] - x : x > cell[3 + k] ? x - cell[3 + k] : 0;
    sum += beyond * beyond;
  }
  return Math.sqrt(sum);
}

function selectList(points: ArrayLike<number>, near: Uint32Array, cell: Float64Array, smallest: number): number[] {
  const middle = [0, 1, 2].map((k) => {
    const [low, high] = [cell[k], cell[3 + k]];
    if (low === -Infinity) return high === Infinity ? 0 : high;
    return high === Infinity ? low : 0.5 * (low + high);
  });
  const away = (i: number): number => [0, 1, 2].reduce((sum, k) => sum + (points[3 * i + k] - middle[k]) ** 2, 0);
  const list = Array.from(near, (i) => ({ i, away: away(i) })).sort((a, b) => a.away - b.away || a.i - b.i);
  for (const { i } of list) {
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const x = points[3 * i + k];
      sum += Math.max(x - cell[k], cell[3 + k] - x) ** 2;
    }
    if (Math.sqrt(sum) <= smallest) return [i];
  }
  return list.map(({ i }) => i);
}

function pack(
  points: ArrayLike<number>,
  medians: Float32Array,
  lists: readonly (readonly number[])[],
  levels: number,
): AffordanceTree {
  const align = (x: number): number => 16 * Math.ceil(x / 16);
  const entries = align(4 * medians.length);
  const listsAt = entries + ENTRY_BYTES * lists.length;
  // Equal lists, those of single points above all, are kept once.
  const places = new Map<string, number>();
  const kept: (readonly number[])[] = [];
  let end = listsAt;
  const placeOf = lists.map((list) => {
    const key = list.join();
    let place = places.get(key);
    if (place === undefined) {
      place = end;
      places.set(key, place);
      kept.push(list);
      end += LIST_GROUP_BYTES * Math.ceil(list.length / 4);
    }
    return place;
  });
  const bytes = new Uint8Array(end);
  const floats = new Float32Array(bytes.buffer);
  const words = new Int32Array(bytes.buffer);
  floats.set(medians);
  lists.forEach((list, n) => {
    const at = (entries + ENTRY_BYTES * n) / 4;
    for (let k = 0; k < 3; k++) {
      const values = list.map((i) => Math.fround(points[3 * i + k]));
      floats[at + k] = values.reduce((a, b) => Math.min(a, b), Infinity);
      floats[at + 4 + k] = values.reduce((a, b) => Math.max(a, b), -Infinity);
    }
    words[at + 3] = placeOf[n];
    words[at + 7] = Math.ceil(list.length / 4);
  });
  for (const list of kept) {
    let at = (places.get(list.join()) as number) / 4;
    for (let g = 0; g < list.length; g += 4, at += 12)
      for (let lane = 0; lane < 4; lane++)
        for (let k = 0; k < 3; k++)
          floats[at + 4 * k + lane] = g + lane < list.length ? points[3 * list[g + lane] + k] : FAR;
  }
  return { bytes, levels, entries };
}
