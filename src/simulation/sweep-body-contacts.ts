/**
 * Projected Gauss-Seidel over contacts of free bodies (body-contacts.ts): the same iteration as solve-gauss-seidel.ts, which takes
 * everything else, without its rows. In JavaScript: what the kernel's loops (assembly/contacts/body-contacts.ts) do to the bit, and what
 * few contacts, and engines without WebAssembly, take.
 *
 * Source: as there. Cost: some 130 operations per contact and iteration; no allocation. Tested by contact-kernel.test.ts and
 * physics.test.ts.
 */
import { type BodyContacts, CONTACT_STRIDE, MASS_STRIDE } from './body-contacts.js';
import { writeBasis } from './build-constraints.js';
import { coulombCorrection, projectCone } from './friction-cone.js';
import type { GaussSeidelOptions, GaussSeidelResult } from './solve-gauss-seidel.js';

/** What J M^-1 J^T of a contact's point is by one of its bodies, without 1 / m: xx xy xz yy yz zz. */
const yields = new Float64Array(12);

/** [r]^T I^-1 [r] of the arm at data[arm ..], the inverse inertia at M[m ..]. */
function writeYield(at: number, data: Float64Array, arm: number, M: Float64Array, m: number): void {
  const x = data[arm];
  const y = data[arm + 1];
  const z = data[arm + 2];
  const xx = M[m];
  const xy = M[m + 1];
  const xz = M[m + 2];
  const yy = M[m + 3];
  const yz = M[m + 4];
  const zz = M[m + 5];
  const ay = yy * z - yz * y;
  const az = yz * z - zz * y;
  const bx = xz * x - xx * z;
  const by = yz * x - xy * z;
  const bz = zz * x - xz * z;
  const cx = xx * y - xy * x;
  const cy = xy * y - yy * x;
  const cz = xz * y - yz * x;
  yields[at] = z * ay - y * az;
  yields[at + 1] = z * by - y * bz;
  yields[at + 2] = z * cy - y * cz;
  yields[at + 3] = x * bz - z * bx;
  yields[at + 4] = x * cz - z * cx;
  yields[at + 5] = y * cx - x * cy;
}

/** Tangents, J M^-1 J^T and impulses of blocks[from .. end - 1], which `writeBodyContact` has written. */
export function prepareBodyContacts(
  { data, movers, masses: M }: BodyContacts,
  blocks: Int32Array,
  from: number,
  end: number,
): void {
  for (let k = from; k < end; k++) {
    const b = blocks[k];
    const d = CONTACT_STRIDE * b;
    const m = MASS_STRIDE * movers[2 * b];
    const n = MASS_STRIDE * movers[2 * b + 1];
    writeBasis(data, d);
    writeYield(0, data, d + 9, M, m + 1);
    writeYield(6, data, d + 12, M, n + 1);
    const inverse = M[m] + M[n];
    const xx = inverse + (yields[0] + yields[6]);
    const xy = yields[1] + yields[7];
    const xz = yields[2] + yields[8];
    const yy = inverse + (yields[3] + yields[9]);
    const yz = yields[4] + yields[10];
    const zz = inverse + (yields[5] + yields[11]);
    const n0 = data[d];
    const n1 = data[d + 1];
    const n2 = data[d + 2];
    const t0 = data[d + 3];
    const t1 = data[d + 4];
    const t2 = data[d + 5];
    const s0 = data[d + 6];
    const s1 = data[d + 7];
    const s2 = data[d + 8];
    const a0 = xx * t0 + xy * t1 + xz * t2;
    const a1 = xy * t0 + yy * t1 + yz * t2;
    const a2 = xz * t0 + yz * t1 + zz * t2;
    const b0 = xx * s0 + xy * s1 + xz * s2;
    const b1 = xy * s0 + yy * s1 + yz * s2;
    const b2 = xz * s0 + yz * s1 + zz * s2;
    const c0 = xx * n0 + xy * n1 + xz * n2;
    const c1 = xy * n0 + yy * n1 + yz * n2;
    const c2 = xz * n0 + yz * n1 + zz * n2;
    const gx = a0 * t0 + a1 * t1 + a2 * t2;
    const gy = b0 * s0 + b1 * s1 + b2 * s2;
    const off = a0 * s0 + a1 * s1 + a2 * s2;
    data[d + 17] = c0 * n0 + c1 * n1 + c2 * n2;
    data[d + 18] = gx;
    data[d + 19] = gy;
    data[d + 20] = off;
    data[d + 21] = a0 * n0 + a1 * n1 + a2 * n2;
    data[d + 22] = b0 * n0 + b1 * n1 + b2 * n2;
    const half = 0.5 * (gx - gy);
    const largest = 0.5 * (gx + gy) + Math.sqrt(half * half + off * off);
    data[d + 23] = largest;
    data[d + 24] = 1 / largest;
    const determinant = gx * gy - off * off;
    const isRegular = determinant > 0;
    data[d + 28] = isRegular ? gy / determinant : 1 / gx;
    data[d + 29] = isRegular ? gx / determinant : 1 / gy;
    data[d + 30] = isRegular ? off / determinant : 0;
    data[d + 31] = 1 / data[d + 17];
    const px = data[d + 25];
    const py = data[d + 26];
    const pz = data[d + 27];
    const normal = n0 * px + n1 * py + n2 * pz;
    const isPushing = normal > 0;
    data[d + 25] = isPushing ? normal : 0;
    data[d + 26] = isPushing ? t0 * px + t1 * py + t2 * pz : 0;
    data[d + 27] = isPushing ? s0 * px + s1 * py + s2 * pz : 0;
  }
}

/** Velocities += what the impulses of blocks[from .. end - 1] do. */
export function applyBodyImpulses(
  { data, movers, velocities: V, masses: M }: BodyContacts,
  blocks: Int32Array,
  from: number,
  end: number,
): void {
  for (let k = from; k < end; k++) {
    const b = blocks[k];
    const d = CONTACT_STRIDE * b;
    const n = data[d + 25];
    if (n === 0) continue;
    const x = data[d + 26];
    const y = data[d + 27];
    impulse[0] = data[d] * n + data[d + 3] * x + data[d + 6] * y;
    impulse[1] = data[d + 1] * n + data[d + 4] * x + data[d + 7] * y;
    impulse[2] = data[d + 2] * n + data[d + 5] * x + data[d + 8] * y;
    push(V, M, data, d, movers[2 * b], movers[2 * b + 1]);
  }
}

const impulse = new Float64Array(3);

/** `impulse` at the contact whose data begin at d, on body j and against i. */
function push(V: Float64Array, M: Float64Array, data: Float64Array, d: number, i: number, j: number): void {
  const px = impulse[0];
  const py = impulse[1];
  const pz = impulse[2];
  const v = 6 * i;
  const u = 6 * j;
  const m = MASS_STRIDE * i;
  const n = MASS_STRIDE * j;
  const ax = data[d + 9];
  const ay = data[d + 10];
  const az = data[d + 11];
  const bx = data[d + 12];
  const by = data[d + 13];
  const bz = data[d + 14];
  V[v] -= M[m] * px;
  V[v + 1] -= M[m] * py;
  V[v + 2] -= M[m] * pz;
  let x = ay * pz - az * py;
  let y = az * px - ax * pz;
  let z = ax * py - ay * px;
  V[v + 3] -= M[m + 1] * x + M[m + 2] * y + M[m + 3] * z;
  V[v + 4] -= M[m + 2] * x + M[m + 4] * y + M[m + 5] * z;
  V[v + 5] -= M[m + 3] * x + M[m + 5] * y + M[m + 6] * z;
  V[u] += M[n] * px;
  V[u + 1] += M[n] * py;
  V[u + 2] += M[n] * pz;
  x = by * pz - bz * py;
  y = bz * px - bx * pz;
  z = bx * py - by * px;
  V[u + 3] += M[n + 1] * x + M[n + 2] * y + M[n + 3] * z;
  V[u + 4] += M[n + 2] * x + M[n + 4] * y + M[n + 5] * z;
  V[u + 5] += M[n + 3] * x + M[n + 5] * y + M[n + 6] * z;
}

/** As `solveGaussSeidel`. */
export function sweepBodyContacts(
  contacts: BodyContacts,
  blocks: Int32Array,
  from: number,
  end: number,
  { iterations, tolerance, pyramidal }: GaussSeidelOptions,
  result: GaussSeidelResult,
): void {
  result.status = 'limit';
  let i = 0;
  while (i < iterations && result.status === 'limit') {
    const forward = (i & 1) === 0;
    i++;
    if (sweep(contacts, blocks, from, end, forward, pyramidal) <= tolerance) result.status = 'solved';
  }
  result.iterations = i;
}

/** The largest change of velocity. */
function sweep(
  { data, movers, velocities: V, masses: M }: BodyContacts,
  blocks: Int32Array,
  from: number,
  end: number,
  forward: boolean,
  pyramidal: boolean,
): number {
  let largest = 0;
  for (let k = from; k < end; k++) {
    const b = blocks[forward ? k : from + end - 1 - k];
    const d = CONTACT_STRIDE * b;
    const i = movers[2 * b];
    const j = movers[2 * b + 1];
    const v = 6 * i;
    const u = 6 * j;
    const g = data[d + 17];
    const ax = data[d + 9];
    const ay = data[d + 10];
    const az = data[d + 11];
    const bx = data[d + 12];
    const by = data[d + 13];
    const bz = data[d + 14];
    const n0 = data[d];
    const n1 = data[d + 1];
    const n2 = data[d + 2];
    const ux = V[u] - V[v] + (V[u + 4] * bz - V[u + 5] * by + (V[v + 5] * ay - V[v + 4] * az));
    const uy = V[u + 1] - V[v + 1] + (V[u + 5] * bx - V[u + 3] * bz + (V[v + 3] * az - V[v + 5] * ax));
    const uz = V[u + 2] - V[v + 2] + (V[u + 3] * by - V[u + 4] * bx + (V[v + 4] * ax - V[v + 3] * ay));
    const old = data[d + 25];
    const x = data[d + 26];
    const y = data[d + 27];
    let normal = old - (n0 * ux + n1 * uy + (n2 * uz + data[d + 15])) * data[d + 31];
    if (!(normal > 0)) {
      if (old === 0) continue;
      normal = 0;
    }
    const dn = normal - old;
    const limit = data[d + 16] * normal;
    const t0 = data[d + 3];
    const t1 = data[d + 4];
    const t2 = data[d + 5];
    const s0 = data[d + 6];
    const s1 = data[d + 7];
    const s2 = data[d + 8];
    const step = data[d + 23];
    let nx = 0;
    let ny = 0;
    if (limit > 0) {
      const wx = t0 * ux + t1 * uy + t2 * uz + data[d + 21] * dn;
      const wy = s0 * ux + s1 * uy + s2 * uz + data[d + 22] * dn;
      const off = data[d + 30];
      const inverse = data[d + 24];
      nx = x - (data[d + 28] * wx - off * wy);
      ny = y - (data[d + 29] * wy - off * wx);
      if (pyramidal) {
        if (Math.abs(nx) > limit || Math.abs(ny) > limit) {
          nx = Math.max(-limit, Math.min(limit, x - wx * inverse));
          ny = Math.max(-limit, Math.min(limit, y - wy * inverse));
        }
      } else if (nx * nx + ny * ny > limit * limit) {
        nx = x - wx * inverse;
        ny = y - wy * inverse;
        const norm = Math.sqrt(nx * nx + ny * ny);
        if (norm > limit) {
          const scale = limit / norm;
          nx *= scale;
          ny *= scale;
        }
      }
    }
    const dx = nx - x;
    const dy = ny - y;
    if (dn === 0 && dx === 0 && dy === 0) continue;
    data[d + 25] = normal;
    data[d + 26] = nx;
    data[d + 27] = ny;
    const px = n0 * dn + t0 * dx + s0 * dy;
    const py = n1 * dn + t1 * dx + s1 * dy;
    const pz = n2 * dn + t2 * dx + s2 * dy;
    const m = MASS_STRIDE * i;
    const n = MASS_STRIDE * j;
    let lx = ay * pz - az * py;
    let ly = az * px - ax * pz;
    let lz = ax * py - ay * px;
    V[v] -= M[m] * px;
    V[v + 1] -= M[m] * py;
    V[v + 2] -= M[m] * pz;
    V[v + 3] -= M[m + 1] * lx + M[m + 2] * ly + M[m + 3] * lz;
    V[v + 4] -= M[m + 2] * lx + M[m + 4] * ly + M[m + 5] * lz;
    V[v + 5] -= M[m + 3] * lx + M[m + 5] * ly + M[m + 6] * lz;
    lx = by * pz - bz * py;
    ly = bz * px - bx * pz;
    lz = bx * py - by * px;
    V[u] += M[n] * px;
    V[u + 1] += M[n] * py;
    V[u + 2] += M[n] * pz;
    V[u + 3] += M[n + 1] * lx + M[n + 2] * ly + M[n + 3] * lz;
    V[u + 4] += M[n + 2] * lx + M[n + 4] * ly + M[n + 5] * lz;
    V[u + 5] += M[n + 3] * lx + M[n + 5] * ly + M[n + 6] * lz;
    const change = Math.max(Math.abs(dn) * g, Math.max(Math.abs(dx), Math.abs(dy)) * step);
    if (change > largest) largest = change;
  }
  return largest;
}

const projected = new Float64Array(3);

/** The residual of contact-problem.ts (Coulomb's law) at the present velocities. */
export function measureBodyResidual(
  { data, movers, velocities: V }: BodyContacts,
  blocks: Int32Array,
  from: number,
  end: number,
  pyramidal: boolean,
): number {
  let largest = 0;
  for (let k = from; k < end; k++) {
    const b = blocks[k];
    const d = CONTACT_STRIDE * b;
    const v = 6 * movers[2 * b];
    const u = 6 * movers[2 * b + 1];
    const ax = data[d + 9];
    const ay = data[d + 10];
    const az = data[d + 11];
    const bx = data[d + 12];
    const by = data[d + 13];
    const bz = data[d + 14];
    const ux = V[u] - V[v] + (V[u + 4] * bz - V[u + 5] * by + (V[v + 5] * ay - V[v + 4] * az));
    const uy = V[u + 1] - V[v + 1] + (V[u + 5] * bx - V[u + 3] * bz + (V[v + 3] * az - V[v + 5] * ax));
    const uz = V[u + 2] - V[v + 2] + (V[u + 3] * by - V[u + 4] * bx + (V[v + 4] * ax - V[v + 3] * ay));
    const g = (data[d + 17] + data[d + 18] + data[d + 19]) / 3;
    const mu = data[d + 16];
    const wn = data[d] * ux + data[d + 1] * uy + data[d + 2] * uz + data[d + 15];
    // An open contact that parts: nothing to project.
    if (data[d + 25] === 0 && wn >= 0) continue;
    const wx = data[d + 3] * ux + data[d + 4] * uy + data[d + 5] * uz;
    const wy = data[d + 6] * ux + data[d + 7] * uy + data[d + 8] * uz;
    const n = data[d + 25] - (wn + coulombCorrection(wx, wy, mu, pyramidal)) / g;
    projectCone(projected, 0, n, data[d + 26] - wx / g, data[d + 27] - wy / g, mu, pyramidal);
    const x = data[d + 25] - projected[0];
    const y = data[d + 26] - projected[1];
    const z = data[d + 27] - projected[2];
    const own = Math.sqrt(x * x + y * y + z * z) * g;
    if (own > largest) largest = own;
  }
  return largest;
}

/** One round of shift-rows.ts over blocks[from .. end - 1]: normal velocities of the place alone, to `shifts`; the largest change. */
export function sweepShifts(
  { data, movers, masses: M, wanted, pushed, shifts: V }: BodyContacts,
  blocks: Int32Array,
  from: number,
  end: number,
): number {
  let largest = 0;
  for (let k = from; k < end; k++) {
    const b = blocks[k];
    const d = CONTACT_STRIDE * b;
    const i = movers[2 * b];
    const j = movers[2 * b + 1];
    const v = 6 * i;
    const u = 6 * j;
    const n0 = data[d];
    const n1 = data[d + 1];
    const n2 = data[d + 2];
    const ax = data[d + 9];
    const ay = data[d + 10];
    const az = data[d + 11];
    const bx = data[d + 12];
    const by = data[d + 13];
    const bz = data[d + 14];
    const ux = V[u] - V[v] + (V[u + 4] * bz - V[u + 5] * by + (V[v + 5] * ay - V[v + 4] * az));
    const uy = V[u + 1] - V[v + 1] + (V[u + 5] * bx - V[u + 3] * bz + (V[v + 3] * az - V[v + 5] * ax));
    const uz = V[u + 2] - V[v + 2] + (V[u + 3] * by - V[u + 4] * bx + (V[v + 4] * ax - V[v + 3] * ay));
    const w = n0 * ux + n1 * uy + n2 * uz;
    const g = data[d + 17];
    const old = pushed[b];
    const next = Math.max(0, old + (wanted[b] - w) * data[d + 31]);
    const change = next - old;
    if (change === 0) continue;
    pushed[b] = next;
    impulse[0] = n0 * change;
    impulse[1] = n1 * change;
    impulse[2] = n2 * change;
    push(V, M, data, d, i, j);
    const size = Math.abs(change) * g;
    if (size > largest) largest = size;
  }
  return largest;
}
