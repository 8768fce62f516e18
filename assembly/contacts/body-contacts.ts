// Loops over contacts of free bodies: what src/simulation/sweep-body-contacts.ts does in JavaScript, to the same bits.
//
// Method: as there. What both bodies of a contact give to J M^-1 J^T is computed at once, a lane each.
// Source: Jourdan, Alart, Jean 1998, doi:10.1016/S0045-7825(97)00137-0, as solve-gauss-seidel.ts.
// Block: src/simulation/contact-kernel.ts makes it, src/simulation/body-contacts.ts says what its arrays hold.
// Cost: some 130 operations per contact and sweep. Tests: src/simulation/contact-kernel.test.ts.
import {
  CONTACTS_BYTES,
  CONTACTS_DATA,
  CONTACTS_MASSES,
  CONTACTS_MOVERS,
  CONTACTS_ORDER,
  CONTACTS_PUSHED,
  CONTACTS_SHIFTS,
  CONTACTS_VELOCITIES,
  CONTACTS_WANTED,
} from '../../src/kernel/contact-layout';
import { closeWork, openWork, readF64, readU32, writeF64 } from '../memory';

const CONTACT_BYTES: usize = 256;
const VELOCITY_BYTES: usize = 48;
const MASS_BYTES: usize = 64;

let data: usize = 0;
let movers: usize = 0;
let order: usize = 0;
let velocities: usize = 0;
let masses: usize = 0;

function open(block: usize): void {
  const bytes = <usize>load<u32>(block, CONTACTS_BYTES);
  openWork(block, bytes, block, bytes);
  data = <usize>readU32(block, CONTACTS_DATA);
  movers = <usize>readU32(block, CONTACTS_MOVERS);
  order = <usize>readU32(block, CONTACTS_ORDER);
  velocities = <usize>readU32(block, CONTACTS_VELOCITIES);
  masses = <usize>readU32(block, CONTACTS_MASSES);
}

@inline
function blockAt(k: u32): usize {
  return <usize>readU32(order + ((<usize>k) << 2));
}

@inline
function moverOf(b: usize, side: usize): usize {
  return <usize>readU32(movers + (b << 3), side);
}

@inline
function mul(a: v128, b: v128): v128 {
  return f64x2.mul(a, b);
}

@inline
function sub(a: v128, b: v128): v128 {
  return f64x2.sub(a, b);
}

/** The numbers at two places. */
@inline
function readPair(a: usize, b: usize, offset: usize): v128 {
  return f64x2.replace_lane(f64x2.splat(readF64(a, offset)), 1, readF64(b, offset));
}

@inline
function both(a: v128): f64 {
  return f64x2.extract_lane(a, 0) + f64x2.extract_lane(a, 1);
}

/** As writeBasis: tangents behind the normal at d. */
@inline
export function writeBasis(d: usize): void {
  const x = readF64(d);
  const y = readF64(d, 8);
  const z = readF64(d, 16);
  const isFlat = abs(z) > 0.7;
  const s = isFlat ? sqrt(y * y + z * z) : sqrt(x * x + y * y);
  const tx = isFlat ? 0.0 : -y / s;
  const ty = isFlat ? z / s : x / s;
  const tz = isFlat ? -y / s : 0.0;
  writeF64(d, 24, tx);
  writeF64(d, 32, ty);
  writeF64(d, 40, tz);
  writeF64(d, 48, y * tz - z * ty);
  writeF64(d, 56, z * tx - x * tz);
  writeF64(d, 64, x * ty - y * tx);
}

export function prepareContacts(block: usize, from: u32, end: u32): void {
  open(block);
  for (let k = from; k < end; k++) {
    const index = blockAt(k);
    const d = data + CONTACT_BYTES * index;
    const m = masses + MASS_BYTES * moverOf(index, 0);
    const n = masses + MASS_BYTES * moverOf(index, 4);
    writeBasis(d);
    const x = readPair(d + 72, d + 96, 0);
    const y = readPair(d + 80, d + 104, 0);
    const z = readPair(d + 88, d + 112, 0);
    const ixx = readPair(m, n, 8);
    const ixy = readPair(m, n, 16);
    const ixz = readPair(m, n, 24);
    const iyy = readPair(m, n, 32);
    const iyz = readPair(m, n, 40);
    const izz = readPair(m, n, 48);
    const ay = sub(mul(iyy, z), mul(iyz, y));
    const az = sub(mul(iyz, z), mul(izz, y));
    const bx = sub(mul(ixz, x), mul(ixx, z));
    const by = sub(mul(iyz, x), mul(ixy, z));
    const bz = sub(mul(izz, x), mul(ixz, z));
    const cx = sub(mul(ixx, y), mul(ixy, x));
    const cy = sub(mul(ixy, y), mul(iyy, x));
    const cz = sub(mul(ixz, y), mul(iyz, x));
    const inverse = readF64(m) + readF64(n);
    const xx = inverse + both(sub(mul(z, ay), mul(y, az)));
    const xy = both(sub(mul(z, by), mul(y, bz)));
    const xz = both(sub(mul(z, cy), mul(y, cz)));
    const yy = inverse + both(sub(mul(x, bz), mul(z, bx)));
    const yz = both(sub(mul(x, cz), mul(z, cx)));
    const zz = inverse + both(sub(mul(y, cx), mul(x, cy)));
    const n0 = readF64(d);
    const n1 = readF64(d, 8);
    const n2 = readF64(d, 16);
    const t0 = readF64(d, 24);
    const t1 = readF64(d, 32);
    const t2 = readF64(d, 40);
    const s0 = readF64(d, 48);
    const s1 = readF64(d, 56);
    const s2 = readF64(d, 64);
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
    const nn = c0 * n0 + c1 * n1 + c2 * n2;
    writeF64(d, 136, nn);
    writeF64(d, 144, gx);
    writeF64(d, 152, gy);
    writeF64(d, 160, off);
    writeF64(d, 168, a0 * n0 + a1 * n1 + a2 * n2);
    writeF64(d, 176, b0 * n0 + b1 * n1 + b2 * n2);
    const half = 0.5 * (gx - gy);
    const largest = 0.5 * (gx + gy) + sqrt(half * half + off * off);
    writeF64(d, 184, largest);
    writeF64(d, 192, 1 / largest);
    const determinant = gx * gy - off * off;
    const isRegular = determinant > 0;
    writeF64(d, 224, isRegular ? gy / determinant : 1 / gx);
    writeF64(d, 232, isRegular ? gx / determinant : 1 / gy);
    writeF64(d, 240, isRegular ? off / determinant : 0);
    writeF64(d, 248, 1 / nn);
    const px = readF64(d, 200);
    const py = readF64(d, 208);
    const pz = readF64(d, 216);
    const normal = n0 * px + n1 * py + n2 * pz;
    const isPushing = normal > 0;
    writeF64(d, 200, isPushing ? normal : 0);
    writeF64(d, 208, isPushing ? t0 * px + t1 * py + t2 * pz : 0);
    writeF64(d, 216, isPushing ? s0 * px + s1 * py + s2 * pz : 0);
  }
  closeWork();
}

@inline
function addAt(at: usize, offset: usize, value: f64): void {
  writeF64(at, offset, readF64(at, offset) + value);
}

/** The impulse at the contact at d: on the body whose velocities are at u and masses at n, and against v and m. */
@inline
function push(d: usize, px: f64, py: f64, pz: f64, v: usize, u: usize, m: usize, n: usize): void {
  const ax = readF64(d, 72);
  const ay = readF64(d, 80);
  const az = readF64(d, 88);
  const bx = readF64(d, 96);
  const by = readF64(d, 104);
  const bz = readF64(d, 112);
  const p = readF64(m);
  addAt(v, 0, -(p * px));
  addAt(v, 8, -(p * py));
  addAt(v, 16, -(p * pz));
  let x = ay * pz - az * py;
  let y = az * px - ax * pz;
  let z = ax * py - ay * px;
  addAt(v, 24, -(readF64(m, 8) * x + readF64(m, 16) * y + readF64(m, 24) * z));
  addAt(v, 32, -(readF64(m, 16) * x + readF64(m, 32) * y + readF64(m, 40) * z));
  addAt(v, 40, -(readF64(m, 24) * x + readF64(m, 40) * y + readF64(m, 48) * z));
  const q = readF64(n);
  addAt(u, 0, q * px);
  addAt(u, 8, q * py);
  addAt(u, 16, q * pz);
  x = by * pz - bz * py;
  y = bz * px - bx * pz;
  z = bx * py - by * px;
  addAt(u, 24, readF64(n, 8) * x + readF64(n, 16) * y + readF64(n, 24) * z);
  addAt(u, 32, readF64(n, 16) * x + readF64(n, 32) * y + readF64(n, 40) * z);
  addAt(u, 40, readF64(n, 24) * x + readF64(n, 40) * y + readF64(n, 48) * z);
}

export function applyContacts(block: usize, from: u32, end: u32): void {
  open(block);
  for (let k = from; k < end; k++) {
    const index = blockAt(k);
    const d = data + CONTACT_BYTES * index;
    const n = readF64(d, 200);
    if (n == 0) continue;
    const x = readF64(d, 208);
    const y = readF64(d, 216);
    const i = moverOf(index, 0);
    const j = moverOf(index, 4);
    push(
      d,
      readF64(d) * n + readF64(d, 24) * x + readF64(d, 48) * y,
      readF64(d, 8) * n + readF64(d, 32) * x + readF64(d, 56) * y,
      readF64(d, 16) * n + readF64(d, 40) * x + readF64(d, 64) * y,
      velocities + VELOCITY_BYTES * i,
      velocities + VELOCITY_BYTES * j,
      masses + MASS_BYTES * i,
      masses + MASS_BYTES * j,
    );
  }
  closeWork();
}

let wx: f64 = 0;
let wy: f64 = 0;
let wz: f64 = 0;

/** The velocity of the point of the contact at d, of the body at u against that at v, to wx, wy, wz. */
@inline
function readMotion(d: usize, v: usize, u: usize): void {
  const ax = readF64(d, 72);
  const ay = readF64(d, 80);
  const az = readF64(d, 88);
  const bx = readF64(d, 96);
  const by = readF64(d, 104);
  const bz = readF64(d, 112);
  const v3 = readF64(v, 24);
  const v4 = readF64(v, 32);
  const v5 = readF64(v, 40);
  const u3 = readF64(u, 24);
  const u4 = readF64(u, 32);
  const u5 = readF64(u, 40);
  // In pairs, so that none waits for five others.
  wx = readF64(u) - readF64(v) + (u4 * bz - u5 * by + (v5 * ay - v4 * az));
  wy = readF64(u, 8) - readF64(v, 8) + (u5 * bx - u3 * bz + (v3 * az - v5 * ax));
  wz = readF64(u, 16) - readF64(v, 16) + (u3 * by - u4 * bx + (v4 * ax - v3 * ay));
}

export function sweepContacts(block: usize, from: u32, end: u32, iterations: i32, tolerance: f64, pyramidal: i32): i32 {
  open(block);
  let i = 0;
  let isSolved = false;
  while (i < iterations && !isSolved) {
    const change = sweep(from, end, (i & 1) == 0, pyramidal != 0);
    i++;
    isSolved = change <= tolerance;
  }
  closeWork();
  return isSolved ? i : -i;
}

function sweep(from: u32, end: u32, forward: bool, pyramidal: bool): f64 {
  let largest: f64 = 0;
  for (let k = from; k < end; k++) {
    const index = blockAt(forward ? k : from + end - 1 - k);
    const d = data + CONTACT_BYTES * index;
    const i = moverOf(index, 0);
    const j = moverOf(index, 4);
    const v = velocities + VELOCITY_BYTES * i;
    const u = velocities + VELOCITY_BYTES * j;
    readMotion(d, v, u);
    const ux = wx;
    const uy = wy;
    const uz = wz;
    const g = readF64(d, 136);
    const n0 = readF64(d);
    const n1 = readF64(d, 8);
    const n2 = readF64(d, 16);
    const old = readF64(d, 200);
    let normal = old - (n0 * ux + n1 * uy + (n2 * uz + readF64(d, 120))) * readF64(d, 248);
    if (!(normal > 0)) {
      if (old == 0) continue;
      normal = 0;
    }
    const x = readF64(d, 208);
    const y = readF64(d, 216);
    const dn = normal - old;
    const limit = readF64(d, 128) * normal;
    const t0 = readF64(d, 24);
    const t1 = readF64(d, 32);
    const t2 = readF64(d, 40);
    const s0 = readF64(d, 48);
    const s1 = readF64(d, 56);
    const s2 = readF64(d, 64);
    const step = readF64(d, 184);
    let nx: f64 = 0;
    let ny: f64 = 0;
    if (limit > 0) {
      const px = t0 * ux + t1 * uy + t2 * uz + readF64(d, 168) * dn;
      const py = s0 * ux + s1 * uy + s2 * uz + readF64(d, 176) * dn;
      const off = readF64(d, 240);
      const inverse = readF64(d, 192);
      nx = x - (readF64(d, 224) * px - off * py);
      ny = y - (readF64(d, 232) * py - off * px);
      if (pyramidal) {
        if (abs(nx) > limit || abs(ny) > limit) {
          nx = max(-limit, min(limit, x - px * inverse));
          ny = max(-limit, min(limit, y - py * inverse));
        }
      } else if (nx * nx + ny * ny > limit * limit) {
        nx = x - px * inverse;
        ny = y - py * inverse;
        const norm = sqrt(nx * nx + ny * ny);
        if (norm > limit) {
          const scale = limit / norm;
          nx *= scale;
          ny *= scale;
        }
      }
    }
    const dx = nx - x;
    const dy = ny - y;
    if (dn == 0 && dx == 0 && dy == 0) continue;
    writeF64(d, 200, normal);
    writeF64(d, 208, nx);
    writeF64(d, 216, ny);
    push(
      d,
      n0 * dn + t0 * dx + s0 * dy,
      n1 * dn + t1 * dx + s1 * dy,
      n2 * dn + t2 * dx + s2 * dy,
      v,
      u,
      masses + MASS_BYTES * i,
      masses + MASS_BYTES * j,
    );
    const change = max(abs(dn) * g, max(abs(dx), abs(dy)) * step);
    if (change > largest) largest = change;
  }
  return largest;
}

export function measureContacts(block: usize, from: u32, end: u32, pyramidal: i32): f64 {
  open(block);
  let largest: f64 = 0;
  for (let k = from; k < end; k++) {
    const index = blockAt(k);
    const d = data + CONTACT_BYTES * index;
    readMotion(d, velocities + VELOCITY_BYTES * moverOf(index, 0), velocities + VELOCITY_BYTES * moverOf(index, 4));
    const ux = wx;
    const uy = wy;
    const uz = wz;
    const pushing = readF64(d, 200);
    const wn = readF64(d) * ux + readF64(d, 8) * uy + readF64(d, 16) * uz + readF64(d, 120);
    if (pushing == 0 && wn >= 0) continue;
    const g = (readF64(d, 136) + readF64(d, 144) + readF64(d, 152)) / 3;
    const mu = readF64(d, 128);
    const px = readF64(d, 24) * ux + readF64(d, 32) * uy + readF64(d, 40) * uz;
    const py = readF64(d, 48) * ux + readF64(d, 56) * uy + readF64(d, 64) * uz;
    const correction = pyramidal != 0 ? mu * (abs(px) + abs(py)) : mu * sqrt(px * px + py * py);
    const n = pushing - (wn + correction) / g;
    const fx = readF64(d, 208);
    const fy = readF64(d, 216);
    project(n, fx - px / g, fy - py / g, mu, pyramidal != 0);
    const x = pushing - projectedN;
    const y = fx - projectedX;
    const z = fy - projectedY;
    const own = sqrt(x * x + y * y + z * z) * g;
    if (own > largest) largest = own;
  }
  closeWork();
  return largest;
}

let projectedN: f64 = 0;
let projectedX: f64 = 0;
let projectedY: f64 = 0;

/** As projectCone (src/simulation/friction-cone.ts). */
function project(n: f64, x: f64, y: f64, mu: f64, pyramidal: bool): void {
  if (pyramidal) {
    projectPyramid(n, x, y, mu);
    return;
  }
  const t = sqrt(x * x + y * y);
  if (t <= mu * n) {
    projectedN = n;
    projectedX = x;
    projectedY = y;
    return;
  }
  const alpha = (n + mu * t) / (1 + mu * mu);
  const isInside = alpha > 0;
  projectedN = isInside ? alpha : 0;
  projectedX = isInside ? (mu * alpha * x) / t : 0;
  projectedY = isInside ? (mu * alpha * y) / t : 0;
}

function projectPyramid(n: f64, x: f64, y: f64, mu: f64): void {
  const p = abs(x);
  const q = abs(y);
  const larger = max(p, q);
  const smaller = min(p, q);
  let z = n;
  if (mu * z < larger) {
    z = (n + mu * larger) / (1 + mu * mu);
    if (mu * z < smaller) z = (n + mu * (larger + smaller)) / (1 + 2 * mu * mu);
  }
  if (!(z > 0)) z = 0;
  const limit = mu * z;
  projectedN = z;
  projectedX = x > limit ? limit : max(x, -limit);
  projectedY = y > limit ? limit : max(y, -limit);
}

export function shiftContacts(block: usize, from: u32, end: u32): f64 {
  open(block);
  const shifts = <usize>readU32(block, CONTACTS_SHIFTS);
  const wanted = <usize>readU32(block, CONTACTS_WANTED);
  const pushed = <usize>readU32(block, CONTACTS_PUSHED);
  let largest: f64 = 0;
  for (let k = from; k < end; k++) {
    const index = blockAt(k);
    const d = data + CONTACT_BYTES * index;
    const i = moverOf(index, 0);
    const j = moverOf(index, 4);
    const v = shifts + VELOCITY_BYTES * i;
    const u = shifts + VELOCITY_BYTES * j;
    readMotion(d, v, u);
    const n0 = readF64(d);
    const n1 = readF64(d, 8);
    const n2 = readF64(d, 16);
    const w = n0 * wx + n1 * wy + n2 * wz;
    const g = readF64(d, 136);
    const old = readF64(pushed + (index << 3));
    const next = max(0, old + (readF64(wanted + (index << 3)) - w) * readF64(d, 248));
    const change = next - old;
    if (change == 0) continue;
    writeF64(pushed + (index << 3), 0, next);
    push(d, n0 * change, n1 * change, n2 * change, v, u, masses + MASS_BYTES * i, masses + MASS_BYTES * j);
    const size = abs(change) * g;
    if (size > largest) largest = size;
  }
  closeWork();
  return largest;
}
