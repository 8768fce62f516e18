/**
 * Everything that acts at one step's end velocities, as rows w = J v + R f + b with impulses f: contacts (three rows: normal and two
 * tangents, f in a friction cone, w in its dual), and single rows with f between bounds (joint limits, dry friction, joins).
 *
 *   array      stride  index       content
 *   kinds      1       block       0 row with bounds, 1 contact
 *   rows       1       block       its first row
 *   frictions  1       block       coefficient of a contact
 *   biases     1       row         b
 *   softness   1       row         R
 *   lower upper 1      row         bounds of f; contacts: unused
 *   impulses   1       row         f
 *   sides      5       block, 2x   start in J and Y, first velocity, count of velocities (0: none), mover, start of the list of
 *                                  velocities in `lists` (-1: count in a row from the first); two sides per block
 *   J, Y       count   row of side Jacobian and M^-1 J^T, rows x count numbers per side
 *   bases      9       block       normal and tangents of a contact, world axes
 *   lists      1                   indices of velocities, ascending within a list; those of robots' branches, made once
 * A mover is a body (its index) or a robot (bodies + its index); -1: what does not move. Rows of a robot have entries for the
 * velocities between the link and the root alone; they, and its velocities in V while islands are solved, are those of robot-state.ts
 * (`toScaled`), in which its mass matrix is 1, so that J and Y are the same numbers.
 * All grow and are kept; nothing is allocated once they are large enough.
 */

export const ROW = 0;
export const CONTACT = 1;
export const SIDE = 5;

export class ConstraintSet {
  blockCount = 0;
  rowCount = 0;
  entryCount = 0;
  kinds = new Uint8Array(0);
  rows = new Int32Array(0);
  frictions = new Float64Array(0);
  bases = new Float64Array(0);
  /** Which contact or source a block came from: contact index, or -1. */
  sources = new Int32Array(0);
  sides = new Int32Array(0);
  biases = new Float64Array(0);
  softness = new Float64Array(0);
  lower = new Float64Array(0);
  upper = new Float64Array(0);
  impulses = new Float64Array(0);
  J = new Float64Array(0);
  Y = new Float64Array(0);
  lists = new Int32Array(0);

  constructor() {
    this.reserveBlocks(64);
    this.reserveEntries(4096);
  }

  clear(): void {
    this.blockCount = 0;
    this.rowCount = 0;
    this.entryCount = 0;
  }

  private reserveBlocks(count: number): void {
    const old = this.kinds.length;
    if (count <= old) return;
    const size = Math.max(count, 2 * old);
    this.kinds = grow(this.kinds, new Uint8Array(size));
    this.rows = grow(this.rows, new Int32Array(size));
    this.frictions = grow(this.frictions, new Float64Array(size));
    this.bases = grow(this.bases, new Float64Array(9 * size));
    this.sources = grow(this.sources, new Int32Array(size));
    this.sides = grow(this.sides, new Int32Array(2 * SIDE * size));
    this.biases = grow(this.biases, new Float64Array(3 * size));
    this.softness = grow(this.softness, new Float64Array(3 * size));
    this.lower = grow(this.lower, new Float64Array(3 * size));
    this.upper = grow(this.upper, new Float64Array(3 * size));
    this.impulses = grow(this.impulses, new Float64Array(3 * size));
  }

  private reserveEntries(count: number): void {
    if (count <= this.J.length) return;
    const size = Math.max(count, 2 * this.J.length);
    this.J = grow(this.J, new Float64Array(size));
    this.Y = grow(this.Y, new Float64Array(size));
  }

  /** A block of one row without sides; its bias, softness and impulse are 0. */
  addRow(): number {
    const block = this.startBlock(ROW, -1, 1);
    this.clearRows(block);
    return block;
  }

  /** A contact's block with what it may move; `clearRows` comes before its rows. */
  addContact(source: number, first: number, second: number): number {
    const block = this.startBlock(CONTACT, source, 3);
    const s = 2 * SIDE * block;
    this.sides[s + 3] = first;
    this.sides[s + SIDE + 3] = second;
    return block;
  }

  private startBlock(kind: typeof ROW | typeof CONTACT, source: number, rows: number): number {
    const block = this.blockCount++;
    this.reserveBlocks(this.blockCount);
    this.kinds[block] = kind;
    this.rows[block] = this.rowCount;
    this.sources[block] = source;
    this.rowCount += rows;
    this.sides[2 * SIDE * block + 3] = -1;
    this.sides[2 * SIDE * block + SIDE + 3] = -1;
    return block;
  }

  /** Rows without bounds, entries, bias, softness and impulses; what they move stays. */
  clearRows(block: number): void {
    const { sides } = this;
    const row = this.rows[block];
    const count = this.kinds[block] === CONTACT ? 3 : 1;
    this.frictions[block] = 0;
    for (let r = row; r < row + count; r++) {
      this.biases[r] = 0;
      this.softness[r] = 0;
      this.impulses[r] = 0;
      this.lower[r] = -Infinity;
      this.upper[r] = Infinity;
    }
    for (let s = 2 * SIDE * block; s < 2 * SIDE * (block + 1); s += SIDE) {
      sides[s] = 0;
      sides[s + 1] = 0;
      sides[s + 2] = 0;
      sides[s + 4] = 0;
    }
  }

  /** Keeps a list of velocities for `addSide` and returns its start. */
  addList(list: ArrayLike<number>): number {
    const start = this.lists.length;
    this.lists = grow(this.lists, new Int32Array(start + list.length));
    this.lists.set(list, start);
    return start;
  }

  /** Room for a side's rows in J and Y, zeroed; returns its start. */
  addSide(block: number, side: number, firstV: number, count: number, mover: number, list = -1): number {
    const at = 2 * SIDE * block + SIDE * side;
    const start = this.entryCount;
    const rows = this.kinds[block] === CONTACT ? 3 : 1;
    this.entryCount += rows * count;
    this.reserveEntries(this.entryCount);
    this.J.fill(0, start, this.entryCount);
    this.Y.fill(0, start, this.entryCount);
    this.sides[at] = start;
    this.sides[at + 1] = firstV;
    this.sides[at + 2] = count;
    this.sides[at + 3] = mover;
    this.sides[at + 4] = list;
    return start;
  }

  /** J v of row r of a block (0 .. 2). Bodies have six velocities: that case is written out. */
  measureRow(block: number, r: number, V: Float64Array): number {
    const { sides, J, lists } = this;
    let sum = 0;
    for (let s = 2 * SIDE * block; s < 2 * SIDE * (block + 1); s += SIDE) {
      const count = sides[s + 2];
      const v = sides[s + 1];
      const at = sides[s] + r * count;
      const list = sides[s + 4];
      if (list >= 0) for (let k = 0; k < count; k++) sum += J[at + k] * V[lists[list + k]];
      else if (count === 6)
        sum +=
          J[at] * V[v] +
          J[at + 1] * V[v + 1] +
          J[at + 2] * V[v + 2] +
          J[at + 3] * V[v + 3] +
          J[at + 4] * V[v + 4] +
          J[at + 5] * V[v + 5];
    }
    return sum;
  }

  /** V += Y f of row r of a block. */
  pushRow(block: number, r: number, V: Float64Array, f: number): void {
    const { sides, Y, lists } = this;
    for (let s = 2 * SIDE * block; s < 2 * SIDE * (block + 1); s += SIDE) {
      const count = sides[s + 2];
      const v = sides[s + 1];
      const at = sides[s] + r * count;
      const list = sides[s + 4];
      if (list >= 0) for (let k = 0; k < count; k++) V[lists[list + k]] += Y[at + k] * f;
      else if (count === 6) {
        V[v] += Y[at] * f;
        V[v + 1] += Y[at + 1] * f;
        V[v + 2] += Y[at + 2] * f;
        V[v + 3] += Y[at + 3] * f;
        V[v + 4] += Y[at + 4] * f;
        V[v + 5] += Y[at + 5] * f;
      }
    }
  }

  /** J v of all three rows of a contact whose movers are bodies; false where one is not. */
  measureBodies(out: Float64Array, block: number, V: Float64Array): boolean {
    const { sides, J } = this;
    const first = 2 * SIDE * block;
    const c0 = sides[first + 2];
    const c1 = sides[first + SIDE + 2];
    if ((c0 !== 0 && sides[first + 4] >= 0) || (c1 !== 0 && sides[first + SIDE + 4] >= 0)) return false;
    let n = 0;
    let x = 0;
    let y = 0;
    for (let side = 0; side < 2; side++) {
      const s = first + SIDE * side;
      if (sides[s + 2] === 0) continue;
      const v = sides[s + 1];
      const at = sides[s];
      const a = V[v];
      const b = V[v + 1];
      const c = V[v + 2];
      const d = V[v + 3];
      const e = V[v + 4];
      const f = V[v + 5];
      n += J[at] * a + J[at + 1] * b + J[at + 2] * c + J[at + 3] * d + J[at + 4] * e + J[at + 5] * f;
      x += J[at + 6] * a + J[at + 7] * b + J[at + 8] * c + J[at + 9] * d + J[at + 10] * e + J[at + 11] * f;
      y += J[at + 12] * a + J[at + 13] * b + J[at + 14] * c + J[at + 15] * d + J[at + 16] * e + J[at + 17] * f;
    }
    out[0] = n;
    out[1] = x;
    out[2] = y;
    return true;
  }

  /** V += Y f of all three rows of such a contact. */
  pushBodies(block: number, V: Float64Array, n: number, x: number, y: number): void {
    const { sides, Y } = this;
    const first = 2 * SIDE * block;
    for (let side = 0; side < 2; side++) {
      const s = first + SIDE * side;
      if (sides[s + 2] === 0) continue;
      const v = sides[s + 1];
      const at = sides[s];
      V[v] += Y[at] * n + Y[at + 6] * x + Y[at + 12] * y;
      V[v + 1] += Y[at + 1] * n + Y[at + 7] * x + Y[at + 13] * y;
      V[v + 2] += Y[at + 2] * n + Y[at + 8] * x + Y[at + 14] * y;
      V[v + 3] += Y[at + 3] * n + Y[at + 9] * x + Y[at + 15] * y;
      V[v + 4] += Y[at + 4] * n + Y[at + 10] * x + Y[at + 16] * y;
      V[v + 5] += Y[at + 5] * n + Y[at + 11] * x + Y[at + 17] * y;
    }
  }

  /** J_r Y_c of two rows of one block. */
  measureOwn(block: number, r: number, c: number): number {
    const { sides, J, Y } = this;
    let sum = 0;
    for (let s = 2 * SIDE * block; s < 2 * SIDE * (block + 1); s += SIDE) {
      const count = sides[s + 2];
      const at = sides[s] + r * count;
      const to = sides[s] + c * count;
      for (let k = 0; k < count; k++) sum += J[at + k] * Y[to + k];
    }
    return sum;
  }
}

function grow<T extends Float64Array | Int32Array | Uint8Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}
