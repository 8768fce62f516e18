/**
 * All pairs of a spatial hash grid in one go, for steps in which much has moved: nothing is kept between calls.
 *
 * Method: a counting sort puts every box into the buckets of all cells it touches; inside a bucket every pair is tested.
 * A pair that shares several cells is reported in one of them alone, the one that holds the larger lower corner: both
 * boxes touch that cell if they overlap at all. A box enters a bucket once even when two of its cells share it.
 * Boxes of a finer level then look into the cells of the coarser ones.
 * Source: Ericson 2005, "Real-time collision detection", sections 7.1 and 7.2, Morgan Kaufmann (grids, hashed storage,
 * hierarchical grids).
 * Cost: O(n + pairs tested); the buckets hold (1 + extent / cell)^3 entries per box. Scratch is kept and only grows.
 * Tested by test/contract/broad-phases.test.ts.
 */
import { BOX_STRIDE, overlapBoxes } from './box.js';
import type { PairVisitor } from './broad-phase.js';
import { type GridCells, hashCell, RANGE_STRIDE } from './grid-cells.js';
import type { Traversal } from './traverse.js';

export class GridSweep {
  private ranges = new Int32Array(0);
  private levels = new Uint16Array(0);
  /** After filling: end of each bucket's entries. */
  private ends = new Int32Array(0);
  private last = new Int32Array(0);
  private entries = new Int32Array(0);
  /** Boxes of one bucket, upper ends grown by the margin. */
  private local = new Float64Array(64 * BOX_STRIDE);
  private usedLevels: number[] = [];

  /** Pairs at most `margin` apart among ids[0 .. count - 1]. Returns false when the visitor stopped. */
  run(
    cells: GridCells,
    exact: Float64Array,
    ids: Int32Array,
    margin: number,
    traversal: Traversal,
    visit: PairVisitor,
  ): boolean {
    // A negative margin must not shrink the registration: a small box inside a large one may still count.
    const grown = Math.max(0, margin);
    const count = ids.length;
    const buckets = this.prepare(cells, exact, ids, grown);
    this.fill(ids, buckets - 1);
    for (let b = 0; b < buckets; b++) {
      const start = b === 0 ? 0 : this.ends[b - 1];
      if (this.ends[b] - start > 1 && !this.visitBucket(b, start, buckets - 1, exact, margin, traversal, visit))
        return false;
    }
    if (this.usedLevels.length === 1) return true;
    for (let i = 0; i < count; i++)
      for (const level of this.usedLevels)
        if (
          level > this.levels[ids[i]] &&
          !this.visitCoarser(cells, ids[i], level, buckets - 1, exact, margin, traversal, visit)
        )
          return false;
    return true;
  }

  /** Ranges, levels and the size of the table. */
  private prepare(cells: GridCells, exact: Float64Array, ids: Int32Array, grown: number): number {
    const proxies = exact.length / BOX_STRIDE;
    if (this.levels.length < proxies) {
      this.ranges = new Int32Array(proxies * RANGE_STRIDE);
      this.levels = new Uint16Array(proxies);
    }
    const { ranges, levels } = this;
    let entries = 0;
    this.usedLevels.length = 0;
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i];
      const o = id * RANGE_STRIDE;
      const level = cells.levelOf(exact, id * BOX_STRIDE, grown);
      levels[id] = level;
      if (!this.usedLevels.includes(level)) this.usedLevels.push(level);
      cells.writeRange(ranges, o, exact, id * BOX_STRIDE, grown, level);
      entries +=
        (ranges[o + 3] - ranges[o] + 1) * (ranges[o + 4] - ranges[o + 1] + 1) * (ranges[o + 5] - ranges[o + 2] + 1);
    }
    if (this.entries.length < entries) this.entries = new Int32Array(Math.ceil(1.25 * entries));
    let buckets = 16;
    while (buckets < entries) buckets *= 2;
    if (this.ends.length < buckets) {
      this.ends = new Int32Array(buckets);
      this.last = new Int32Array(buckets);
    }
    return buckets;
  }

  private fill(ids: Int32Array, mask: number): void {
    const { ends, last, entries, ranges, levels } = this;
    // First round counts, second writes; between them counts become starts, which the second turns into ends.
    for (let round = 0; round < 2; round++) {
      if (round === 0) ends.fill(0, 0, mask + 1);
      last.fill(-1, 0, mask + 1);
      for (let i = 0; i < ids.length; i++) {
        const id = ids[i];
        const o = id * RANGE_STRIDE;
        const level = levels[id];
        for (let x = ranges[o]; x <= ranges[o + 3]; x++)
          for (let y = ranges[o + 1]; y <= ranges[o + 4]; y++)
            for (let z = ranges[o + 2]; z <= ranges[o + 5]; z++) {
              const b = hashCell(x, y, z, level) & mask;
              if (last[b] === id) continue;
              last[b] = id;
              if (round === 1) entries[ends[b]] = id;
              ends[b]++;
            }
      }
      if (round === 0) {
        let sum = 0;
        for (let b = 0; b <= mask; b++) {
          const n = ends[b];
          ends[b] = sum;
          sum += n;
        }
      }
    }
  }

  private visitBucket(
    bucket: number,
    start: number,
    mask: number,
    exact: Float64Array,
    margin: number,
    traversal: Traversal,
    visit: PairVisitor,
  ): boolean {
    const { entries, levels } = this;
    const n = this.ends[bucket] - start;
    if (this.local.length < n * BOX_STRIDE) this.local = new Float64Array(2 * n * BOX_STRIDE);
    const { local } = this;
    for (let i = 0; i < n; i++) {
      const o = entries[start + i] * BOX_STRIDE;
      const l = i * BOX_STRIDE;
      local[l] = exact[o];
      local[l + 1] = exact[o + 1];
      local[l + 2] = exact[o + 2];
      local[l + 3] = exact[o + 3] + margin;
      local[l + 4] = exact[o + 4] + margin;
      local[l + 5] = exact[o + 5] + margin;
    }
    traversal.boxTests += (n * (n - 1)) / 2;
    const end = n * BOX_STRIDE;
    for (let i = 0; i < end; i += BOX_STRIDE) {
      const x0 = local[i];
      const y0 = local[i + 1];
      const z0 = local[i + 2];
      const x1 = local[i + 3];
      const y1 = local[i + 4];
      const z1 = local[i + 5];
      for (let j = i + BOX_STRIDE; j < end; j += BOX_STRIDE) {
        if (
          x0 > local[j + 3] ||
          local[j] > x1 ||
          y0 > local[j + 4] ||
          local[j + 1] > y1 ||
          z0 > local[j + 5] ||
          local[j + 2] > z1
        )
          continue;
        const a = entries[start + i / BOX_STRIDE];
        const b = entries[start + j / BOX_STRIDE];
        if (levels[a] !== levels[b] || (this.homeHash(a, b) & mask) !== bucket) continue;
        if ((a < b ? visit(a, b) : visit(b, a)) === false) return false;
        // A query inside the visitor has scratch of its own, so `local` is still ours.
      }
    }
    return true;
  }

  /** Hash of the cell that holds the larger lower corner of two boxes of one level. */
  private homeHash(a: number, b: number): number {
    const { ranges } = this;
    const i = a * RANGE_STRIDE;
    const j = b * RANGE_STRIDE;
    return hashCell(
      Math.max(ranges[i], ranges[j]),
      Math.max(ranges[i + 1], ranges[j + 1]),
      Math.max(ranges[i + 2], ranges[j + 2]),
      this.levels[a],
    );
  }

  /** Pairs of `id` with boxes of the coarser `level`. */
  private visitCoarser(
    cells: GridCells,
    id: number,
    level: number,
    mask: number,
    exact: Float64Array,
    margin: number,
    traversal: Traversal,
    visit: PairVisitor,
  ): boolean {
    const { entries, ranges, levels, ends } = this;
    const { range } = traversal;
    cells.writeRange(range, 0, exact, id * BOX_STRIDE, Math.max(0, margin), level);
    for (let x = range[0]; x <= range[3]; x++)
      for (let y = range[1]; y <= range[4]; y++)
        for (let z = range[2]; z <= range[5]; z++) {
          const b = hashCell(x, y, z, level) & mask;
          for (let e = b === 0 ? 0 : ends[b - 1]; e < ends[b]; e++) {
            const other = entries[e];
            if (levels[other] !== level) continue;
            traversal.boxTests++;
            if (!overlapBoxes(exact, id * BOX_STRIDE, exact, other * BOX_STRIDE, margin)) continue;
            const o = other * RANGE_STRIDE;
            if (Math.max(range[0], ranges[o]) !== x) continue;
            if (Math.max(range[1], ranges[o + 1]) !== y || Math.max(range[2], ranges[o + 2]) !== z) continue;
            if ((id < other ? visit(id, other) : visit(other, id)) === false) return false;
          }
        }
    return true;
  }
}
