/**
 * Which boxes touch which cells of a spatial hash grid, kept up to date box by box.
 *
 * Every box is listed in all cells it touches, at the level its size asks for. A box that moves without changing its cells
 * costs six comparisons; otherwise its entries are unlinked and linked again.
 *
 *   heads    1 per bucket   first entry
 *   links    4 per entry    proxy, next and previous entry of the bucket, next entry of the same proxy
 *   ranges   6 per proxy    first and last cell
 *
 * Regions: a box found in several cells is reported in the one that holds the larger lower corner, so no marks are
 * needed and queries may nest. A level at which the region spans more cells than there are boxes is scanned instead.
 * Cost: O(cells touched) per move; a region query O(cells + boxes in them). Entries are recycled.
 * Tested by hash-grid.test.ts, test/contract/broad-phases.test.ts.
 */
import { BOX_STRIDE, overlapBoxes, type PreparedRay, rayHitsBox } from './box.js';
import type { ProxyVisitor } from './broad-phase.js';
import { CELL_LIMIT, type GridCells, hashCell, RANGE_STRIDE } from './grid-cells.js';
import type { Traversal } from './traverse.js';

const PROXY = 0;
const NEXT = 1;
const PREVIOUS = 2;
const CHAIN = 3;
const LINK_STRIDE = 4;
const NONE = -1;

export class GridRegistry {
  private heads = new Int32Array(16).fill(NONE);
  private links = new Int32Array(64 * LINK_STRIDE);
  private buckets = new Int32Array(64);
  private entryCount = 0;
  private usedEntries = 0;
  private freeEntry = NONE;
  /** First entry per proxy. */
  private chains = new Int32Array(0);
  private ranges = new Int32Array(0);
  private levels = new Uint16Array(0);
  /** Boxes per level. */
  private readonly population: number[] = [];
  private readonly fresh = new Int32Array(RANGE_STRIDE);
  /** Holds all boxes that were ever registered since the last `reset`. */
  private readonly bounds = new Float64Array(BOX_STRIDE);

  constructor(private cells: GridCells) {}

  reserve(capacity: number): void {
    const chains = new Int32Array(capacity).fill(NONE);
    chains.set(this.chains);
    const ranges = new Int32Array(capacity * RANGE_STRIDE);
    ranges.set(this.ranges);
    const levels = new Uint16Array(capacity);
    levels.set(this.levels);
    this.chains = chains;
    this.ranges = ranges;
    this.levels = levels;
  }

  /** Forgets everything and makes room for `proxies` boxes. */
  reset(cells: GridCells, proxies: number): void {
    this.cells = cells;
    let size = 16;
    while (size < 4 * proxies) size *= 2;
    if (this.heads.length === size) this.heads.fill(NONE);
    else this.heads = new Int32Array(size).fill(NONE);
    this.chains.fill(NONE);
    this.population.length = 0;
    this.entryCount = 0;
    this.usedEntries = 0;
    this.freeEntry = NONE;
    this.bounds.fill(Infinity, 0, 3).fill(-Infinity, 3);
  }

  /** Cells the proxy touches at its level; of those that share a bucket only one has an entry. */
  countCells(id: number): number {
    if (this.chains[id] === NONE) return 0;
    const o = id * RANGE_STRIDE;
    let count = 1;
    for (let k = o; k < o + 3; k++) count *= this.ranges[k + 3] - this.ranges[k] + 1;
    return count;
  }

  /** Lists the box under its cells, whether it was listed before or not. */
  register(id: number, exact: Float64Array): void {
    const { ranges, fresh, cells, bounds } = this;
    const b = id * BOX_STRIDE;
    const o = id * RANGE_STRIDE;
    const level = cells.levelOf(exact, b, 0);
    cells.writeRange(fresh, 0, exact, b, 0, level);
    for (let k = 0; k < 3; k++) {
      if (exact[b + k] < bounds[k]) bounds[k] = exact[b + k];
      if (exact[b + 3 + k] > bounds[3 + k]) bounds[3 + k] = exact[b + 3 + k];
    }
    if (this.chains[id] !== NONE) {
      if (
        level === this.levels[id] &&
        fresh[0] === ranges[o] &&
        fresh[1] === ranges[o + 1] &&
        fresh[2] === ranges[o + 2] &&
        fresh[3] === ranges[o + 3] &&
        fresh[4] === ranges[o + 4] &&
        fresh[5] === ranges[o + 5]
      )
        return;
      this.unregister(id);
    }
    ranges.set(fresh, o);
    this.levels[id] = level;
    while (this.population.length <= level) this.population.push(0);
    this.population[level]++;
    this.linkCells(id);
    if (this.entryCount > 2 * this.heads.length) this.widenTable();
  }

  unregister(id: number): void {
    const { links, heads } = this;
    let e = this.chains[id];
    if (e === NONE) return;
    this.population[this.levels[id]]--;
    while (e !== NONE) {
      const l = e * LINK_STRIDE;
      const next = links[l + NEXT];
      const previous = links[l + PREVIOUS];
      const chain = links[l + CHAIN];
      if (previous === NONE) heads[this.buckets[e]] = next;
      else links[previous * LINK_STRIDE + NEXT] = next;
      if (next !== NONE) links[next * LINK_STRIDE + PREVIOUS] = previous;
      links[l + CHAIN] = this.freeEntry;
      this.freeEntry = e;
      this.entryCount--;
      e = chain;
    }
    this.chains[id] = NONE;
  }

  /** Proxies at most `margin` from `box`. `ids`: all registered proxies, for scans. */
  visitRegion(
    exact: Float64Array,
    ids: Int32Array,
    box: Float64Array,
    margin: number,
    traversal: Traversal,
    visit: ProxyVisitor,
  ): boolean {
    for (let level = 0; level < this.population.length; level++) {
      if (this.population[level] === 0) continue;
      const going = this.writeRegion(traversal.range, box, Math.max(0, margin), level)
        ? this.walkCells(level, exact, box, margin, traversal, visit)
        : this.scanLevel(level, exact, ids, box, margin, traversal, visit);
      if (!going) return false;
    }
    return true;
  }

  visitRay(exact: Float64Array, ids: Int32Array, ray: PreparedRay, traversal: Traversal, visit: ProxyVisitor): boolean {
    for (let level = 0; level < this.population.length; level++) {
      if (this.population[level] === 0) continue;
      if (!this.walkRay(level, exact, ids, ray, traversal, visit)) return false;
    }
    return true;
  }

  /** Throws through `fail` when a box is not listed in exactly the cells it touches. */
  validate(exact: Float64Array, ids: Int32Array, fail: (what: string) => never): void {
    let entries = 0;
    const { links } = this;
    for (const id of ids) {
      const level = this.cells.levelOf(exact, id * BOX_STRIDE, 0);
      this.cells.writeRange(this.fresh, 0, exact, id * BOX_STRIDE, 0, level);
      const o = id * RANGE_STRIDE;
      if (level !== this.levels[id] || this.fresh.some((cell, k) => cell !== this.ranges[o + k]))
        fail(`proxy ${id} is listed under cells of another place`);
      const expected = new Set<number>();
      const [x0, y0, z0, x1, y1, z1] = this.fresh;
      for (let x = x0; x <= x1; x++)
        for (let y = y0; y <= y1; y++)
          for (let z = z0; z <= z1; z++) expected.add(hashCell(x, y, z, level) & (this.heads.length - 1));
      let chained = 0;
      for (let e = this.chains[id]; e !== NONE; e = links[e * LINK_STRIDE + CHAIN]) {
        chained++;
        if (links[e * LINK_STRIDE + PROXY] !== id || !expected.has(this.buckets[e])) fail(`entry ${e} of proxy ${id}`);
      }
      if (chained !== expected.size) fail(`proxy ${id} has ${chained} entries, ${expected.size} expected`);
      entries += chained;
    }
    if (entries !== this.entryCount) fail(`${this.entryCount} entries counted, ${entries} found`);
    for (let b = 0; b < this.heads.length; b++)
      for (let e = this.heads[b]; e !== NONE; e = links[e * LINK_STRIDE + NEXT]) entries--;
    if (entries !== 0) fail('the lists of the buckets do not hold all entries');
  }

  private linkCells(id: number): void {
    const { ranges } = this;
    const mask = this.heads.length - 1;
    const level = this.levels[id];
    const o = id * RANGE_STRIDE;
    for (let x = ranges[o]; x <= ranges[o + 3]; x++)
      for (let y = ranges[o + 1]; y <= ranges[o + 4]; y++)
        for (let z = ranges[o + 2]; z <= ranges[o + 5]; z++) this.linkBucket(id, hashCell(x, y, z, level) & mask);
  }

  private linkBucket(id: number, bucket: number): void {
    let { links } = this;
    // Two cells of one box may share a bucket.
    for (let e = this.chains[id]; e !== NONE; e = links[e * LINK_STRIDE + CHAIN])
      if (this.buckets[e] === bucket) return;
    let e = this.freeEntry;
    if (e !== NONE) this.freeEntry = links[e * LINK_STRIDE + CHAIN];
    else {
      e = this.usedEntries++;
      if (e === this.buckets.length) {
        this.growEntries();
        links = this.links;
      }
    }
    const l = e * LINK_STRIDE;
    const first = this.heads[bucket];
    links[l + PROXY] = id;
    links[l + NEXT] = first;
    links[l + PREVIOUS] = NONE;
    links[l + CHAIN] = this.chains[id];
    if (first !== NONE) links[first * LINK_STRIDE + PREVIOUS] = e;
    this.heads[bucket] = e;
    this.chains[id] = e;
    this.buckets[e] = bucket;
    this.entryCount++;
  }

  /** Doubles the table of buckets and lists everything again. */
  private widenTable(): void {
    const { chains } = this;
    this.heads = new Int32Array(2 * this.heads.length).fill(NONE);
    this.entryCount = 0;
    this.usedEntries = 0;
    this.freeEntry = NONE;
    for (let id = 0; id < chains.length; id++) {
      if (chains[id] === NONE) continue;
      chains[id] = NONE;
      this.linkCells(id);
    }
  }

  private growEntries(): void {
    const links = new Int32Array(2 * this.links.length);
    links.set(this.links);
    const buckets = new Int32Array(2 * this.buckets.length);
    buckets.set(this.buckets);
    this.links = links;
    this.buckets = buckets;
  }

  /** Writes the cells that hold everything at most `margin` from `box`; false when they are too many. */
  private writeRegion(out: Int32Array, box: Float64Array, margin: number, level: number): boolean {
    const inverse = this.cells.inverseAt(level);
    let cells = 1;
    for (let k = 0; k < 3; k++) {
      if (k >= this.cells.dimensions) {
        out[k] = 0;
        out[3 + k] = 0;
        break;
      }
      // Wider by some ulps: "lower <= upper + margin" may round where "lower - margin <= upper" does not.
      const slack = (Math.abs(box[k]) + margin) * 1e-15;
      const lower = margin === 0 ? box[k] : box[k] - margin - slack;
      out[k] = Math.floor(Math.max(-CELL_LIMIT, Math.min(CELL_LIMIT, lower * inverse)));
      out[3 + k] = Math.floor(Math.max(-CELL_LIMIT, Math.min(CELL_LIMIT, (box[3 + k] + margin) * inverse)));
      cells *= Math.max(0, out[3 + k] - out[k] + 1);
    }
    return cells <= Math.max(8, this.population[level]);
  }

  private walkCells(
    level: number,
    exact: Float64Array,
    box: Float64Array,
    margin: number,
    traversal: Traversal,
    visit: ProxyVisitor,
  ): boolean {
    const { links, heads, ranges, levels } = this;
    const mask = heads.length - 1;
    const [x0, y0, z0, x1, y1, z1] = traversal.range;
    for (let x = x0; x <= x1; x++)
      for (let y = y0; y <= y1; y++)
        for (let z = z0; z <= z1; z++)
          for (let e = heads[hashCell(x, y, z, level) & mask]; e !== NONE; e = links[e * LINK_STRIDE + NEXT]) {
            const id = links[e * LINK_STRIDE + PROXY];
            traversal.boxTests++;
            if (!overlapBoxes(exact, id * BOX_STRIDE, box, 0, margin) || levels[id] !== level) continue;
            const o = id * RANGE_STRIDE;
            if (Math.max(x0, ranges[o]) !== x || Math.max(y0, ranges[o + 1]) !== y) continue;
            if (Math.max(z0, ranges[o + 2]) === z && visit(id) === false) return false;
          }
    return true;
  }

  private scanLevel(
    level: number,
    exact: Float64Array,
    ids: Int32Array,
    box: Float64Array,
    margin: number,
    traversal: Traversal,
    visit: ProxyVisitor,
  ): boolean {
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i];
      if (this.levels[id] !== level) continue;
      traversal.boxTests++;
      if (overlapBoxes(exact, id * BOX_STRIDE, box, 0, margin) && visit(id) === false) return false;
    }
    return true;
  }

  /**
   * Layer by layer along the axis on which the ray is fastest: in each, the cells that the ray crosses, taken a little
   * wider than rounding can err.
   */
  private walkRay(
    level: number,
    exact: Float64Array,
    ids: Int32Array,
    ray: PreparedRay,
    traversal: Traversal,
    visit: ProxyVisitor,
  ): boolean {
    const { origin, inverse } = ray;
    const { bounds, cells } = this;
    let main = 0;
    for (let k = 1; k < cells.dimensions; k++)
      if (inverse[k] !== 0 && (inverse[main] === 0 || Math.abs(inverse[k]) < Math.abs(inverse[main]))) main = k;
    const scale = cells.inverseAt(level);
    const speed = inverse[main] === 0 ? 0 : 1 / inverse[main];
    const from = Math.max(bounds[main], Math.min(bounds[3 + main], origin[main]));
    const end = speed === 0 ? from : origin[main] + speed * ray.maxT;
    const to = Math.max(bounds[main], Math.min(bounds[3 + main], end));
    const first = Math.floor(Math.min(from, to) * scale) - 1;
    const last = Math.floor(Math.max(from, to) * scale) + 1;
    const { seen, region, range } = traversal;
    if (!(last - first < this.population[level])) return this.scanRay(level, exact, ids, ray, traversal, visit);
    if (seen.ids.length < this.levels.length) seen.reserve(this.levels.length);
    let going = true;
    for (let layer = first; layer <= last && going; layer++) {
      this.writeLayer(region, ray, main, layer / scale, (layer + 1) / scale);
      if (!this.writeRegion(range, region, 0, level)) {
        going = this.scanRay(level, exact, ids, ray, traversal, visit);
        break;
      }
      going = this.walkRayCells(level, exact, ray, traversal, visit);
    }
    seen.clear();
    return going;
  }

  /** Writes a box around the part of the ray between two planes across axis `main`. */
  private writeLayer(out: Float64Array, ray: PreparedRay, main: number, lower: number, upper: number): void {
    const { origin, inverse } = ray;
    const step = inverse[main];
    for (let k = 0; k < 3; k++) {
      const speed = inverse[k] === 0 ? 0 : 1 / inverse[k];
      if (k === main) {
        out[k] = lower + (upper - lower) * 0.5;
        out[3 + k] = out[k];
        continue;
      }
      if (step === 0) {
        // The ray stands still in the plane of the grid.
        out[k] = origin[k];
        out[3 + k] = origin[k];
        continue;
      }
      const t0 = Math.max(0, Math.min(ray.maxT, (lower - origin[main]) * step));
      const t1 = Math.max(0, Math.min(ray.maxT, (upper - origin[main]) * step));
      const a = speed === 0 ? origin[k] : origin[k] + speed * t0;
      const b = speed === 0 ? origin[k] : origin[k] + speed * t1;
      const slack =
        1e-9 * (upper - lower) + 1e-13 * (Math.abs(origin[k]) + Math.abs(a) + Math.abs(b) + Math.abs(lower));
      out[k] = Math.min(a, b) - slack;
      out[3 + k] = Math.max(a, b) + slack;
    }
  }

  private walkRayCells(
    level: number,
    exact: Float64Array,
    ray: PreparedRay,
    traversal: Traversal,
    visit: ProxyVisitor,
  ): boolean {
    const { links, heads, levels } = this;
    const { seen } = traversal;
    const mask = heads.length - 1;
    const [x0, y0, z0, x1, y1, z1] = traversal.range;
    for (let x = x0; x <= x1; x++)
      for (let y = y0; y <= y1; y++)
        for (let z = z0; z <= z1; z++)
          for (let e = heads[hashCell(x, y, z, level) & mask]; e !== NONE; e = links[e * LINK_STRIDE + NEXT]) {
            const id = links[e * LINK_STRIDE + PROXY];
            if (levels[id] !== level || seen.has(id)) continue;
            seen.add(id);
            traversal.boxTests++;
            if (rayHitsBox(ray, exact, id * BOX_STRIDE) && visit(id) === false) return false;
          }
    return true;
  }

  /** Every box of the level that has not been looked at. */
  private scanRay(
    level: number,
    exact: Float64Array,
    ids: Int32Array,
    ray: PreparedRay,
    traversal: Traversal,
    visit: ProxyVisitor,
  ): boolean {
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i];
      if (this.levels[id] !== level || traversal.seen.has(id)) continue;
      traversal.boxTests++;
      if (rayHitsBox(ray, exact, id * BOX_STRIDE) && visit(id) === false) return false;
    }
    return true;
  }
}
