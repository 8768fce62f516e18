/**
 * Cells of the plane for bodies of which some move in every step: each lies in the cell of its box's centre, so that a move within a cell costs
 * nothing, and who is near is asked for those that moved alone.
 *
 *   rows    Int32Array 4 per body      following and previous body of its bucket, cell x, cell y
 *   heads   Int32Array 1 per bucket    first body
 *
 * Method: a body's cells are those of its box widened by the largest half extent of the bodies that lie in one cell; so none is missed,
 * whatever the sizes. Bodies wider than `threshold` cells are listed in every cell they touch instead, a pair told in the cell of
 * the larger lower corner; those of more than MOST_CELLS cells are looked at by everybody. Cell numbers are floors, clamped to 30 bits,
 * which keeps their order. Cells have no height: boxes are compared in it by the caller.
 * Why not src/broadphase/hash-grid.ts: of 1,000 discs half of which move, a step took 0.16 ms with this and 0.31 to 0.86 ms with that,
 * which registers boxes instead of centres; this answers no rays and no nearest pairs.
 * Cost: O(bodies in the cells around) per body that moved. Tested by cell-grid.test.ts, fleet-world.test.ts against brute force.
 */

const ROW = 4;
const BOX_STRIDE = 6;
const MOST_CELLS = 1024;
const LARGEST_CELL = 1 << 30;

export class CellGrid {
  /** Boxes compared since `tests` was last set to 0. */
  tests = 0;
  private inverse: number;
  private rows = new Int32Array(0);
  private heads = new Int32Array(64).fill(-1);
  private mask = 63;
  /** 0 absent, 1 in one cell, 2 in several, 3 everywhere. */
  private kinds = new Uint8Array(0);
  private singles = 0;
  private reach = 0;
  private wides = 0;
  private readonly everywhere: number[] = [];
  /** Cells that a wide body is listed in: lower x, y, upper x, y. */
  private spans = new Int32Array(0);
  private wideHeads = new Int32Array(64).fill(-1);
  private entryBody = new Int32Array(64);
  private entryNext = new Int32Array(64);
  private entryX = new Int32Array(64);
  private entryY = new Int32Array(64);
  private freeEntry = -1;
  private entries = 0;
  /** What `collect` found. */
  found = new Int32Array(64);

  constructor(
    readonly cellSize: number,
    readonly threshold: number,
    private boxes: Float64Array,
  ) {
    this.inverse = 1 / cellSize;
  }

  /** The bodies' boxes have moved to another array with room for `capacity`. */
  reserve(capacity: number, boxes: Float64Array): void {
    this.boxes = boxes;
    const grow = (old: Int32Array, size: number) => {
      const grown = new Int32Array(size);
      grown.set(old);
      return grown;
    };
    this.rows = grow(this.rows, capacity * ROW);
    this.spans = grow(this.spans, capacity * 4);
    const kinds = new Uint8Array(capacity);
    kinds.set(this.kinds);
    this.kinds = kinds;
  }

  /** Cells that the body is listed in. */
  countCells(id: number): number {
    const kind = this.kinds[id];
    if (kind !== 2) return kind === 1 ? 1 : 0;
    const o = 4 * id;
    return (this.spans[o + 2] - this.spans[o] + 1) * (this.spans[o + 3] - this.spans[o + 1] + 1);
  }

  place(id: number): void {
    const { boxes } = this;
    const o = id * BOX_STRIDE;
    const width = Math.max(boxes[o + 3] - boxes[o], boxes[o + 4] - boxes[o + 1]);
    if (width <= this.threshold * this.cellSize) {
      if (this.singles > this.mask) this.growHeads();
      this.kinds[id] = 1;
      this.singles++;
      this.reach = Math.max(this.reach, width / 2);
      this.link(id, this.cell((boxes[o] + boxes[o + 3]) / 2), this.cell((boxes[o + 1] + boxes[o + 4]) / 2));
      return;
    }
    const [x0, y0, x1, y1] = [0, 1, 3, 4].map((k) => this.cell(boxes[o + k]));
    if ((x1 - x0 + 1) * (y1 - y0 + 1) > MOST_CELLS) {
      this.kinds[id] = 3;
      this.everywhere.push(id);
      return;
    }
    if (this.entries > this.mask) this.growHeads();
    this.kinds[id] = 2;
    this.wides++;
    this.spans.set([x0, y0, x1, y1], 4 * id);
    for (let x = x0; x <= x1; x++) for (let y = y0; y <= y1; y++) this.addEntry(id, x, y);
  }

  displace(id: number): void {
    const kind = this.kinds[id];
    this.kinds[id] = 0;
    if (kind === 1) {
      this.singles--;
      this.unlink(id);
    } else if (kind === 2) {
      this.wides--;
      const o = 4 * id;
      for (let x = this.spans[o]; x <= this.spans[o + 2]; x++)
        for (let y = this.spans[o + 1]; y <= this.spans[o + 3]; y++) this.removeEntry(id, x, y);
    } else if (kind === 3) this.everywhere.splice(this.everywhere.indexOf(id), 1);
  }

  /** After the body's box has changed. */
  shift(id: number): void {
    const { boxes, rows } = this;
    const o = id * BOX_STRIDE;
    const width = Math.max(boxes[o + 3] - boxes[o], boxes[o + 4] - boxes[o + 1]);
    if (this.kinds[id] !== 1 || width > this.threshold * this.cellSize) {
      this.displace(id);
      this.place(id);
      return;
    }
    if (width > 2 * this.reach) this.reach = width / 2;
    const x = this.cell((boxes[o] + boxes[o + 3]) / 2);
    const y = this.cell((boxes[o + 1] + boxes[o + 4]) / 2);
    const r = id * ROW;
    if (x === rows[r + 2] && y === rows[r + 3]) return;
    this.unlink(id);
    this.link(id, x, y);
  }

  /** Writes to `found` the bodies whose boxes touch that of `id` in x and y, in an order of no meaning; returns their number. */
  collect(id: number, bodies: number): number {
    const { boxes, rows, heads, mask, kinds } = this;
    const o = id * BOX_STRIDE;
    const minX = boxes[o];
    const minY = boxes[o + 1];
    const maxX = boxes[o + 3];
    const maxY = boxes[o + 4];
    // What rounding may take from a centre is far below this.
    const slack = this.reach + 1e-12 * (Math.abs(minX) + Math.abs(maxX) + Math.abs(minY) + Math.abs(maxY) + this.reach);
    const x0 = this.cell(minX - slack);
    const y0 = this.cell(minY - slack);
    const x1 = this.cell(maxX + slack);
    const y1 = this.cell(maxY + slack);
    if (kinds[id] === 3 || (x1 - x0 + 1) * (y1 - y0 + 1) > this.singles + this.entries + 16)
      return this.collectAll(id, bodies);
    let count = 0;
    let tests = 0;
    for (let x = x0; x <= x1; x++)
      for (let y = y0; y <= y1; y++)
        for (let j = heads[hashCell(x, y) & mask]; j >= 0; j = rows[j * ROW]) {
          const r = j * ROW;
          if (j === id || rows[r + 2] !== x || rows[r + 3] !== y) continue;
          tests++;
          const b = j * BOX_STRIDE;
          if (boxes[b] > maxX || boxes[b + 3] < minX || boxes[b + 1] > maxY || boxes[b + 4] < minY) continue;
          if (count === this.found.length) this.growFound();
          this.found[count++] = j;
        }
    this.tests += tests;
    if (this.wides > 0) count = this.collectWide(id, count);
    for (const j of this.everywhere) count = this.test(id, j, count);
    return count;
  }

  private collectWide(id: number, count: number): number {
    const { boxes, spans, mask } = this;
    const o = id * BOX_STRIDE;
    const x0 = this.cell(boxes[o]);
    const y0 = this.cell(boxes[o + 1]);
    const x1 = this.cell(boxes[o + 3]);
    const y1 = this.cell(boxes[o + 4]);
    for (let x = x0; x <= x1; x++)
      for (let y = y0; y <= y1; y++)
        for (let e = this.wideHeads[hashCell(x, y) & mask]; e >= 0; e = this.entryNext[e]) {
          const j = this.entryBody[e];
          if (j === id || this.entryX[e] !== x || this.entryY[e] !== y) continue;
          if (x !== Math.max(x0, spans[4 * j]) || y !== Math.max(y0, spans[4 * j + 1])) continue;
          count = this.test(id, j, count);
        }
    return count;
  }

  private collectAll(id: number, bodies: number): number {
    let count = 0;
    for (let j = 0; j < bodies; j++) if (this.kinds[j] !== 0 && j !== id) count = this.test(id, j, count);
    return count;
  }

  private test(a: number, b: number, count: number): number {
    const { boxes } = this;
    const i = a * BOX_STRIDE;
    const j = b * BOX_STRIDE;
    this.tests++;
    if (
      boxes[i] > boxes[j + 3] ||
      boxes[j] > boxes[i + 3] ||
      boxes[i + 1] > boxes[j + 4] ||
      boxes[j + 1] > boxes[i + 4]
    )
      return count;
    if (a === b) return count;
    if (count === this.found.length) this.growFound();
    this.found[count] = b;
    return count + 1;
  }

  private cell(x: number): number {
    const c = Math.floor(x * this.inverse);
    return c > LARGEST_CELL ? LARGEST_CELL : Math.max(c, -LARGEST_CELL);
  }

  private link(id: number, x: number, y: number): void {
    const { rows, heads } = this;
    const b = hashCell(x, y) & this.mask;
    const r = id * ROW;
    const first = heads[b];
    rows[r] = first;
    rows[r + 1] = -1;
    rows[r + 2] = x;
    rows[r + 3] = y;
    if (first >= 0) rows[first * ROW + 1] = id;
    heads[b] = id;
  }

  private unlink(id: number): void {
    const { rows, heads } = this;
    const r = id * ROW;
    const next = rows[r];
    const previous = rows[r + 1];
    if (previous >= 0) rows[previous * ROW] = next;
    else heads[hashCell(rows[r + 2], rows[r + 3]) & this.mask] = next;
    if (next >= 0) rows[next * ROW + 1] = previous;
  }

  private addEntry(id: number, x: number, y: number): void {
    let e = this.freeEntry;
    if (e >= 0) this.freeEntry = this.entryNext[e];
    else {
      e = this.entries++;
      if (e === this.entryBody.length)
        for (const name of ['entryBody', 'entryNext', 'entryX', 'entryY'] as const) {
          const grown = new Int32Array(2 * e);
          grown.set(this[name]);
          this[name] = grown;
        }
    }
    const b = hashCell(x, y) & this.mask;
    this.entryBody[e] = id;
    this.entryX[e] = x;
    this.entryY[e] = y;
    this.entryNext[e] = this.wideHeads[b];
    this.wideHeads[b] = e;
  }

  private removeEntry(id: number, x: number, y: number): void {
    const b = hashCell(x, y) & this.mask;
    let before = -1;
    for (let e = this.wideHeads[b]; e >= 0; before = e, e = this.entryNext[e]) {
      if (this.entryBody[e] !== id || this.entryX[e] !== x || this.entryY[e] !== y) continue;
      if (before < 0) this.wideHeads[b] = this.entryNext[e];
      else this.entryNext[before] = this.entryNext[e];
      this.entryNext[e] = this.freeEntry;
      this.freeEntry = e;
      return;
    }
  }

  private growFound(): void {
    const grown = new Int32Array(2 * this.found.length);
    grown.set(this.found);
    this.found = grown;
  }

  /** Twice the buckets, for both kinds of lists. */
  private growHeads(): void {
    const size = 4 * (this.mask + 1);
    this.mask = size - 1;
    this.heads = new Int32Array(size).fill(-1);
    this.wideHeads = new Int32Array(size).fill(-1);
    this.freeEntry = -1;
    this.entries = 0;
    for (let id = 0; id < this.kinds.length; id++)
      if (this.kinds[id] === 1) this.link(id, this.rows[id * ROW + 2], this.rows[id * ROW + 3]);
      else if (this.kinds[id] === 2) {
        const o = 4 * id;
        for (let x = this.spans[o]; x <= this.spans[o + 2]; x++)
          for (let y = this.spans[o + 1]; y <= this.spans[o + 3]; y++) this.addEntry(id, x, y);
      }
  }
}

function hashCell(x: number, y: number): number {
  const h = Math.imul(x, 73856093) ^ Math.imul(y, 19349663);
  return h ^ (h >>> 15);
}
