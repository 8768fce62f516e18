/**
 * Rigid contacts of free bodies with each other and with what stands still, by Newton's method in their velocities (contact-newton.ts).
 *
 * Method: u = (sqrt(m) v, L^-1 w) with I^-1 = L L^T has mass 1, and the rows of a contact in it are 12 numbers each; the matrix has blocks
 * of 6 x 6 where bodies touch, and is eliminated body by body, always the one with fewest neighbours left (columns and chains fill nothing
 * in, walls little).
 * Source: Rose 1972, "A graph-theoretic study of the numerical solution of sparse positive definite systems of linear equations",
 * doi:10.1016/B978-1-4832-3187-7.50018-0 (minimum degree).
 * Frames: world. Cost: per step some 800 operations per contact, and 72 (d + 1)^2 per body with d neighbours when it goes.
 * Ends: true, or false; `bodies` has the best impulses seen, its velocities are untouched. Islands of more than MOST_BODIES bodies are
 * refused. Tested by solve-body-velocities.test.ts.
 */
import { type BodyContacts, CONTACT_STRIDE, MASS_STRIDE } from './body-contacts.js';
import { CONTACT } from './constraint-set.js';
import { ContactNewton, type NewtonOptions, type VelocitySpace } from './contact-newton.js';
import type { ProximalResult } from './solve-proximal.js';

/** The matrix has room for 6 x 6 numbers of every pair. */
export const MOST_BODIES = 64;
const LEAST_PIVOT = 1e-12;
/** Numbers of one contact: three rows, each of a's six velocities and b's. */
const ROWS = 36;

const newton = new ContactNewton();
/** Per body of the world: its number in the island, if it has the island's stamp. */
let ranks = new Int32Array(0);
let stamps = new Int32Array(0);
let stamp = 0;

class BodySpace implements VelocitySpace {
  n = 0;
  contactCount = 0;
  bodyCount = 0;
  Z = new Float64Array(0);
  biases = new Float64Array(0);
  /** Per contact: first velocities of a and b; -1 for what stands still. */
  ends = new Int32Array(0);
  /** Bodies of the island, in the order in which they are eliminated. */
  readonly bodies = new Int32Array(MOST_BODIES);
  readonly u0 = new Float64Array(6 * MOST_BODIES);
  /** Which pairs have a block, with those that elimination fills in; then per body the velocities it meets later. */
  private readonly meets = new Uint8Array(MOST_BODIES * MOST_BODIES);
  private readonly laterStarts = new Int32Array(MOST_BODIES + 1);
  private later = new Int32Array(0);
  private matrix = new Float64Array(0);

  reserve(contacts: number, bodies: number): void {
    this.contactCount = contacts;
    this.bodyCount = bodies;
    this.n = 6 * bodies;
    if (2 * contacts > this.ends.length) {
      this.Z = new Float64Array(2 * ROWS * contacts);
      this.biases = new Float64Array(2 * contacts);
      this.ends = new Int32Array(4 * contacts);
    }
    const { n } = this;
    if (n * n > this.matrix.length) this.matrix = new Float64Array(n * n);
  }

  /** The order of elimination, and what it meets: `ends` has bodies' numbers before, first velocities after. */
  order(): void {
    const { bodyCount: count, contactCount, ends, meets, laterStarts, bodies } = this;
    const places = new Int32Array(count).fill(-1);
    meets.fill(0, 0, count * count);
    for (let c = 0; c < contactCount; c++) {
      const i = ends[2 * c];
      const j = ends[2 * c + 1];
      if (i < 0 || j < 0) continue;
      meets[i * count + j] = 1;
      meets[j * count + i] = 1;
    }
    const sequence: number[] = [];
    const lists: number[][] = [];
    for (let rank = 0; rank < count; rank++) {
      let best = -1;
      let least = count + 1;
      for (let i = 0; i < count; i++) {
        if (places[i] >= 0) continue;
        let degree = 0;
        for (let j = 0; j < count; j++) if (places[j] < 0 && meets[i * count + j] === 1) degree++;
        if (degree < least) {
          best = i;
          least = degree;
        }
      }
      places[best] = rank;
      sequence.push(best);
      const list: number[] = [];
      for (let j = 0; j < count; j++) if (places[j] < 0 && meets[best * count + j] === 1) list.push(j);
      for (const i of list) for (const j of list) if (i !== j) meets[i * count + j] = 1;
      lists.push(list);
    }
    let total = 0;
    for (const list of lists) total += 6 * list.length;
    if (total > this.later.length) this.later = new Int32Array(2 * total);
    const { later } = this;
    let at = 0;
    for (let rank = 0; rank < count; rank++) {
      laterStarts[rank] = at;
      const list = lists[rank].map((j) => places[j]).sort((a, b) => a - b);
      for (const j of list) for (let k = 0; k < 6; k++) later[at++] = 6 * j + k;
    }
    laterStarts[count] = at;
    for (let c = 0; c < 2 * contactCount; c++) if (ends[c] >= 0) ends[c] = 6 * places[ends[c]];
    const own = sequence.map((i) => bodies[i]);
    for (let rank = 0; rank < count; rank++) bodies[rank] = own[rank];
  }

  addImpulses(out: Float64Array, f: Float64Array): void {
    const { contactCount, ends, Z, u0, n } = this;
    for (let k = 0; k < n; k++) out[k] = u0[k];
    for (let c = 0; c < contactCount; c++) {
      const x = f[3 * c];
      if (x === 0) continue;
      const y = f[3 * c + 1];
      const t = f[3 * c + 2];
      for (let side = 0; side < 2; side++) {
        const v = ends[2 * c + side];
        if (v < 0) continue;
        const z = ROWS * c + 6 * side;
        for (let k = 0; k < 6; k++) out[v + k] += Z[z + k] * x + Z[z + 12 + k] * y + Z[z + 24 + k] * t;
      }
    }
  }

  measureRows(out: Float64Array, a: Float64Array): void {
    const { contactCount, ends, Z, biases } = this;
    for (let c = 0; c < contactCount; c++) {
      let x = biases[c];
      let y = 0;
      let t = 0;
      for (let side = 0; side < 2; side++) {
        const v = ends[2 * c + side];
        if (v < 0) continue;
        const z = ROWS * c + 6 * side;
        for (let k = 0; k < 6; k++) {
          const s = a[v + k];
          x += Z[z + k] * s;
          y += Z[z + 12 + k] * s;
          t += Z[z + 24 + k] * s;
        }
      }
      out[3 * c] = x;
      out[3 * c + 1] = y;
      out[3 * c + 2] = t;
    }
  }

  solveLinear(change: Float64Array, B: Float64Array): boolean {
    this.gather(B);
    const { bodyCount, n, matrix: A, later, laterStarts } = this;
    for (let body = 0; body < bodyCount; body++) {
      const from = laterStarts[body];
      const end = laterStarts[body + 1];
      const last = 6 * body + 6;
      for (let c = 6 * body; c < last; c++) {
        const pivot = A[c * n + c];
        if (!(Math.abs(pivot) > LEAST_PIVOT)) return false;
        const inverse = 1 / pivot;
        const row = c * n;
        for (let i = c + 1; i < last; i++) {
          const ratio = A[i * n + c] * inverse;
          if (ratio === 0) continue;
          const to = i * n;
          for (let j = c + 1; j < last; j++) A[to + j] -= ratio * A[row + j];
          for (let l = from; l < end; l++) A[to + later[l]] -= ratio * A[row + later[l]];
          change[i] -= ratio * change[c];
        }
        for (let m = from; m < end; m++) {
          const to = later[m] * n;
          const ratio = A[to + c] * inverse;
          if (ratio === 0) continue;
          for (let j = c + 1; j < last; j++) A[to + j] -= ratio * A[row + j];
          for (let l = from; l < end; l++) A[to + later[l]] -= ratio * A[row + later[l]];
          change[later[m]] -= ratio * change[c];
        }
      }
    }
    for (let body = bodyCount - 1; body >= 0; body--)
      for (let c = 6 * body + 5; c >= 6 * body; c--) {
        let sum = change[c];
        for (let j = c + 1; j < 6 * body + 6; j++) sum -= A[c * n + j] * change[j];
        for (let l = laterStarts[body]; l < laterStarts[body + 1]; l++) sum -= A[c * n + later[l]] * change[later[l]];
        change[c] = sum / A[c * n + c];
      }
    return true;
  }

  /** The matrix 1 + Z^T B Z, where it has entries or elimination will. */
  private gather(B: Float64Array): void {
    const { bodyCount, contactCount, n, matrix: A, later, laterStarts, ends, Z } = this;
    for (let body = 0; body < bodyCount; body++)
      for (let c = 6 * body; c < 6 * body + 6; c++) {
        for (let j = 6 * body; j < 6 * body + 6; j++) A[c * n + j] = c === j ? 1 : 0;
        for (let l = laterStarts[body]; l < laterStarts[body + 1]; l++) {
          A[c * n + later[l]] = 0;
          A[later[l] * n + c] = 0;
        }
      }
    for (let c = 0; c < contactCount; c++) {
      const o = 9 * c;
      const b0 = B[o];
      if (b0 === 0) continue;
      const z = ROWS * c;
      for (let side = 0; side < 2; side++) {
        const v = ends[2 * c + side];
        if (v < 0) continue;
        for (let k = 0; k < 6; k++) {
          const at = z + 6 * side + k;
          const x = Z[at];
          const y = Z[at + 12];
          const t = Z[at + 24];
          const dx = b0 * x + B[o + 3] * y + B[o + 6] * t;
          const dy = B[o + 1] * x + B[o + 4] * y + B[o + 7] * t;
          const dt = B[o + 2] * x + B[o + 5] * y + B[o + 8] * t;
          const row = (v + k) * n;
          for (let other = 0; other < 2; other++) {
            const u = ends[2 * c + other];
            if (u < 0) continue;
            const from = z + 6 * other;
            for (let j = 0; j < 6; j++)
              A[row + u + j] += dx * Z[from + j] + dy * Z[from + 12 + j] + dt * Z[from + 24 + j];
          }
        }
      }
    }
  }
}

const space = new BodySpace();

/**
 * Takes blocks[from .. end - 1], which `prepareBodyContact` has filled, for `solveBodyVelocities`; V: velocities without any of their
 * impulses. False where they are of too many bodies.
 */
export function prepareBodyVelocities(
  { data, movers, masses: M, bodyCount }: BodyContacts,
  V: Float64Array,
  blocks: Int32Array,
  from: number,
  end: number,
): boolean {
  if (ranks.length < bodyCount) {
    ranks = new Int32Array(bodyCount);
    stamps = new Int32Array(bodyCount);
  }
  stamp++;
  let count = 0;
  for (let i = from; i < end; i++)
    for (let side = 0; side < 2; side++) {
      const body = movers[2 * blocks[i] + side];
      if (body === bodyCount || stamps[body] === stamp) continue;
      if (count === MOST_BODIES) return false;
      stamps[body] = stamp;
      space.bodies[count] = body;
      ranks[body] = count++;
    }
  space.reserve(end - from, count);
  newton.reserve(end - from, 3 * (end - from), 6 * count);
  const { Z, ends, biases } = space;
  for (let i = from; i < end; i++) {
    const b = blocks[i];
    const c = i - from;
    const d = CONTACT_STRIDE * b;
    newton.kinds[c] = CONTACT;
    newton.rows[c] = 3 * c;
    newton.frictions[c] = data[d + 16];
    newton.scales[c] = (data[d + 17] + data[d + 18] + data[d + 19]) / 3;
    biases[c] = data[d + 15];
    for (let side = 0; side < 2; side++) {
      const body = movers[2 * b + side];
      ends[2 * c + side] = body === bodyCount ? -1 : ranks[body];
      if (body === bodyCount) continue;
      writeRoot(M, MASS_STRIDE * body);
      const sign = side === 0 ? -1 : 1;
      for (let r = 0; r < 3; r++) {
        const n = d + 3 * r;
        const arm = d + 9 + 3 * side;
        const z = ROWS * c + 12 * r + 6 * side;
        for (let k = 0; k < 3; k++) Z[z + k] = sign * root[0] * data[n + k];
        const x = sign * (data[arm + 1] * data[n + 2] - data[arm + 2] * data[n + 1]);
        const y = sign * (data[arm + 2] * data[n] - data[arm] * data[n + 2]);
        const t = sign * (data[arm] * data[n + 1] - data[arm + 1] * data[n]);
        Z[z + 3] = x * root[1] + y * root[2] + t * root[3];
        Z[z + 4] = y * root[4] + t * root[5];
        Z[z + 5] = t * root[6];
      }
    }
  }
  space.order();
  for (let rank = 0; rank < count; rank++) {
    const body = space.bodies[rank];
    writeRoot(M, MASS_STRIDE * body);
    const v = 6 * body;
    const u = 6 * rank;
    for (let k = 0; k < 3; k++) space.u0[u + k] = V[v + k] / root[0];
    const x = V[v + 3] / root[1];
    const y = (V[v + 4] - root[2] * x) / root[4];
    space.u0[u + 3] = x;
    space.u0[u + 4] = y;
    space.u0[u + 5] = (V[v + 5] - root[3] * x - root[5] * y) / root[6];
  }
  return true;
}

/** 1 / sqrt(m), and the rows of L with I^-1 = L L^T: xx, xy yy (as 2, 4), xz yz zz (as 3, 5, 6). */
const root = new Float64Array(7);
function writeRoot(M: Float64Array, m: number): void {
  root[0] = Math.sqrt(M[m]);
  root[1] = Math.sqrt(M[m + 1]);
  root[2] = M[m + 2] / root[1];
  root[3] = M[m + 3] / root[1];
  root[4] = Math.sqrt(M[m + 4] - root[2] * root[2]);
  root[5] = (M[m + 5] - root[2] * root[3]) / root[4];
  root[6] = Math.sqrt(M[m + 6] - root[3] * root[3] - root[5] * root[5]);
}

/** From the impulses that `bodies` has, for the blocks that were prepared last. */
export function solveBodyVelocities(
  { data }: BodyContacts,
  blocks: Int32Array,
  from: number,
  end: number,
  options: NewtonOptions,
  pyramidal: boolean,
  result: ProximalResult,
): boolean {
  const { f, best } = newton;
  newton.pyramidal = pyramidal;
  for (let i = from; i < end; i++)
    for (let k = 0; k < 3; k++) f[3 * (i - from) + k] = data[CONTACT_STRIDE * blocks[i] + 25 + k];
  const isSolved = newton.solve(space, options, result);
  for (let i = from; i < end; i++)
    for (let k = 0; k < 3; k++) data[CONTACT_STRIDE * blocks[i] + 25 + k] = best[3 * (i - from) + k];
  return isSolved;
}
