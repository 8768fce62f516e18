// The joint space inertia matrix: src/dynamics/crba.ts with the frames of zero-frames.ts, to the same bits.
//
// Method, sources, frames: as there; a turn about each axis has code of its own, so that no place is computed.
// Cost: joints x depth. Tests: src/dynamics/recursions.test.ts.
import {
  JOINT_BYTES,
  JOINT_END,
  JOINT_FIRST,
  JOINT_LAST_AXIS,
  JOINT_NEXT_AXIS,
  JOINT_PARENT,
  JOINT_Q,
  JOINT_SHORTCUT,
  JOINT_SUBTREE_END,
  JOINT_ZERO_AXIS,
  RECURSION_ARMATURE,
  RECURSION_BYTES,
  RECURSION_COLUMN_FORCES,
  RECURSION_COLUMN_SIGNS,
  RECURSION_COLUMN_TABLE,
  RECURSION_COMPOSITES,
  RECURSION_JOINTS,
  RECURSION_M,
  RECURSION_NV,
  RECURSION_Q,
  RECURSION_TABLE,
  RECURSION_TURN_SIGNS,
  RECURSION_ZERO_BASES,
  RECURSION_ZERO_INERTIAS,
  RECURSION_ZERO_PLACEMENTS,
  RECURSION_ZERO_SHIFTS,
  RECURSION_ZERO_SUBSPACES,
} from '../../src/kernel/layout';
import { closeWork, openWork, readF64, readU32, writeF64 } from '../memory';
import { cosine, sinCos, sine } from './joint-table';

/** M of q, both triangles; 0 when an angle needs the slow path of `sinCos`. */
export function runCrba(block: usize): i32 {
  openWork(block, load<u32>(block, RECURSION_BYTES), 0, 0);
  const isDone = writeInertia(block);
  closeWork();
  return isDone ? 1 : 0;
}

function writeInertia(block: usize): bool {
  const n: usize = readU32(block, RECURSION_NV);
  const jointCount: usize = readU32(block, RECURSION_JOINTS);
  const table: usize = readU32(block, RECURSION_TABLE);
  const columns: usize = readU32(block, RECURSION_COLUMN_TABLE);
  const signs: usize = readU32(block, RECURSION_COLUMN_SIGNS);
  const I: usize = readU32(block, RECURSION_COMPOSITES);
  const F: usize = readU32(block, RECURSION_COLUMN_FORCES);
  const X: usize = readU32(block, RECURSION_ZERO_PLACEMENTS);
  const B: usize = readU32(block, RECURSION_ZERO_BASES);
  const S: usize = readU32(block, RECURSION_ZERO_SUBSPACES);
  const M: usize = readU32(block, RECURSION_M);
  const q: usize = readU32(block, RECURSION_Q);
  const shifts: usize = readU32(block, RECURSION_ZERO_SHIFTS);
  const turnSigns: usize = readU32(block, RECURSION_TURN_SIGNS);
  memory.copy(I, readU32(block, RECURSION_ZERO_INERTIAS), 80 * jointCount);
  for (let j = jointCount - 1; j > 0; j--) {
    const joint = table + <usize>JOINT_BYTES * j;
    const parent: usize = readU32(joint, JOINT_PARENT);
    const first: usize = readU32(joint, JOINT_FIRST);
    const own: usize = readU32(joint, JOINT_END);
    const end: usize = readU32(joint, JOINT_SUBTREE_END);
    for (let c = first; c < own; c++) {
      writeForce(I + 80 * j, F + 48 * c, S + 48 * c, <i32>readU32(columns + (c << 3)), readF64(signs + (c << 3)));
    }
    for (let d = first; d < own; d++) {
      writeEntries(M, F, S + 48 * d, <i32>readU32(columns + (d << 3)), readF64(signs + (d << 3)), n, d, end);
    }
    if (parent == 0) continue;
    const axis = <i32>readU32(joint, JOINT_ZERO_AXIS);
    const shortcut = readU32(joint, JOINT_SHORTCUT);
    const x = X + 96 * j;
    const b = B + 96 * j;
    let c: f64 = 1;
    let s: f64 = 0;
    if (shortcut == 5) {
      const value = readF64(q + ((<usize>readU32(joint, JOINT_Q)) << 3));
      const o = shifts + 24 * j;
      writeF64(x, 72, readF64(b, 72) + value * readF64(o));
      writeF64(x, 80, readF64(b, 80) + value * readF64(o, 8));
      writeF64(x, 88, readF64(b, 88) + value * readF64(o, 16));
    } else if (shortcut != 0 && (shortcut != 4 || axis >= 0)) {
      if (!sinCos(readF64(q + ((<usize>readU32(joint, JOINT_Q)) << 3)))) return false;
      s = readF64(turnSigns + (j << 3)) * sine;
      c = cosine;
      if (axis < 0) turnColumns(x, b, readU32(joint, JOINT_NEXT_AXIS), readU32(joint, JOINT_LAST_AXIS), c, s);
    }
    const i: usize = 80 * j;
    const o: usize = 80 * parent;
    const from: usize = 48 * first;
    const to: usize = 48 * end;
    if (axis == 0) crossTurn(I, i, o, x, F, from, to, c, s, 0, 8, 16, 32, 56, 72, 64, 40, 48);
    else if (axis == 1) crossTurn(I, i, o, x, F, from, to, c, s, 8, 16, 0, 56, 72, 32, 48, 64, 40);
    else if (axis == 2) crossTurn(I, i, o, x, F, from, to, c, s, 16, 0, 8, 72, 32, 56, 40, 48, 64);
    else crossJoint(I, i, o, x, F, from, to);
  }
  const armature: usize = readU32(block, RECURSION_ARMATURE);
  for (let i: usize = 0; i < n; i++) {
    const at = M + ((i * n + i) << 3);
    writeF64(at, 0, readF64(at) + readF64(armature + (i << 3)));
  }
  return true;
}

/** A turn about a coordinate axis of M that is none of the parent's Z: two columns mix. */
function turnColumns(X: usize, B: usize, a: usize, b: usize, c: f64, s: f64): void {
  for (let i: usize = 0; i < 72; i += 24) {
    const u = readF64(B + a + i);
    const v = readF64(B + b + i);
    writeF64(X + a + i, 0, c * u + s * v);
    writeF64(X + b + i, 0, c * v - s * u);
  }
}

/** `crossTurn` about the axis that the constants say (bytes): k a b, then kk aa bb ab ak bk. */
@inline
function crossTurn(
  I: usize,
  i: usize,
  o: usize,
  X: usize,
  F: usize,
  from: usize,
  to: usize,
  c: f64,
  s: f64,
  k: usize,
  a: usize,
  b: usize,
  kk: usize,
  aa: usize,
  bb: usize,
  ab: usize,
  ak: usize,
  bk: usize,
): void {
  const pk = readF64(X, 72 + k);
  const pa = readF64(X, 72 + a);
  const pb = readF64(X, 72 + b);
  const m = readF64(I + i);
  const ha = readF64(I + i, 8 + a);
  const hb = readF64(I + i, 8 + b);
  const gk = readF64(I + i, 8 + k);
  const iab = readF64(I + i, ab);
  const iak = readF64(I + i, ak);
  const ibk = readF64(I + i, bk);
  const iaa = readF64(I + i, aa);
  const ibb = readF64(I + i, bb);
  const e = s * (iaa - ibb) + 2 * c * iab;
  const ga = c * ha - s * hb;
  const gb = s * ha + c * hb;
  const ka = ga + m * pa;
  const kb = gb + m * pb;
  const kc = gk + m * pk;
  const ta = pa * (ga + ka);
  const tb = pb * (gb + kb);
  const tk = pk * (gk + kc);
  const parent = I + o;
  writeF64(parent, 0, readF64(parent) + m);
  writeF64(parent, 8 + a, readF64(parent, 8 + a) + ka);
  writeF64(parent, 8 + b, readF64(parent, 8 + b) + kb);
  writeF64(parent, 8 + k, readF64(parent, 8 + k) + kc);
  writeF64(parent, aa, readF64(parent, aa) + (iaa - s * e + tb + tk));
  writeF64(parent, bb, readF64(parent, bb) + (ibb + s * e + ta + tk));
  writeF64(parent, kk, readF64(parent, kk) + (readF64(I + i, kk) + ta + tb));
  writeF64(parent, ab, readF64(parent, ab) + (c * e - iab - pb * ga - pa * kb));
  writeF64(parent, ak, readF64(parent, ak) + (c * iak - s * ibk - pk * ga - pa * kc));
  writeF64(parent, bk, readF64(parent, bk) + (s * iak + c * ibk - pk * gb - pb * kc));
  for (let f = F + from; f < F + to; f += 48) {
    let u = readF64(f, a);
    let v = readF64(f, b);
    const fa = c * u - s * v;
    const fb = s * u + c * v;
    const fk = readF64(f, k);
    u = readF64(f, 24 + a);
    v = readF64(f, 24 + b);
    writeF64(f, a, fa);
    writeF64(f, b, fb);
    writeF64(f, 24 + a, c * u - s * v + pb * fk - pk * fb);
    writeF64(f, 24 + b, s * u + c * v + pk * fa - pa * fk);
    writeF64(f, 24 + k, readF64(f, 24 + k) + (pa * fb - pb * fa));
  }
}

/** The same across any joint. */
function crossJoint(I: usize, i: usize, o: usize, X: usize, F: usize, from: usize, to: usize): void {
  const r0 = readF64(X);
  const r1 = readF64(X, 8);
  const r2 = readF64(X, 16);
  const r3 = readF64(X, 24);
  const r4 = readF64(X, 32);
  const r5 = readF64(X, 40);
  const r6 = readF64(X, 48);
  const r7 = readF64(X, 56);
  const r8 = readF64(X, 64);
  const px = readF64(X, 72);
  const py = readF64(X, 80);
  const pz = readF64(X, 88);
  const m = readF64(I + i);
  const hx = readF64(I + i, 8);
  const hy = readF64(I + i, 16);
  const hz = readF64(I + i, 24);
  const xx = readF64(I + i, 32);
  const xy = readF64(I + i, 40);
  const xz = readF64(I + i, 48);
  const yy = readF64(I + i, 56);
  const yz = readF64(I + i, 64);
  const zz = readF64(I + i, 72);
  const gx = r0 * hx + r1 * hy + r2 * hz;
  const gy = r3 * hx + r4 * hy + r5 * hz;
  const gz = r6 * hx + r7 * hy + r8 * hz;
  const kx = gx + m * px;
  const ky = gy + m * py;
  const kz = gz + m * pz;
  const tx = px * (gx + kx);
  const ty = py * (gy + ky);
  const tz = pz * (gz + kz);
  writeF64(I + o, 0, readF64(I + o) + m);
  writeF64(I + o, 8, readF64(I + o, 8) + kx);
  writeF64(I + o, 16, readF64(I + o, 16) + ky);
  writeF64(I + o, 24, readF64(I + o, 24) + kz);
  // T = R I row by row, then T R^T.
  let t0 = r0 * xx + r1 * xy + r2 * xz;
  let t1 = r0 * xy + r1 * yy + r2 * yz;
  let t2 = r0 * xz + r1 * yz + r2 * zz;
  writeF64(I + o, 32, readF64(I + o, 32) + (t0 * r0 + t1 * r1 + t2 * r2 + ty + tz));
  writeF64(I + o, 40, readF64(I + o, 40) + (t0 * r3 + t1 * r4 + t2 * r5 - py * gx - px * ky));
  writeF64(I + o, 48, readF64(I + o, 48) + (t0 * r6 + t1 * r7 + t2 * r8 - pz * gx - px * kz));
  t0 = r3 * xx + r4 * xy + r5 * xz;
  t1 = r3 * xy + r4 * yy + r5 * yz;
  t2 = r3 * xz + r4 * yz + r5 * zz;
  writeF64(I + o, 56, readF64(I + o, 56) + (t0 * r3 + t1 * r4 + t2 * r5 + tx + tz));
  writeF64(I + o, 64, readF64(I + o, 64) + (t0 * r6 + t1 * r7 + t2 * r8 - pz * gy - py * kz));
  t0 = r6 * xx + r7 * xy + r8 * xz;
  t1 = r6 * xy + r7 * yy + r8 * yz;
  t2 = r6 * xz + r7 * yz + r8 * zz;
  writeF64(I + o, 72, readF64(I + o, 72) + (t0 * r6 + t1 * r7 + t2 * r8 + tx + ty));
  for (let f = F + from; f < F + to; f += 48) {
    let x = readF64(f);
    let y = readF64(f, 8);
    let z = readF64(f, 16);
    const f0 = r0 * x + r1 * y + r2 * z;
    const f1 = r3 * x + r4 * y + r5 * z;
    const f2 = r6 * x + r7 * y + r8 * z;
    x = readF64(f, 24);
    y = readF64(f, 32);
    z = readF64(f, 40);
    writeF64(f, 0, f0);
    writeF64(f, 8, f1);
    writeF64(f, 16, f2);
    writeF64(f, 24, r0 * x + r1 * y + r2 * z + py * f2 - pz * f1);
    writeF64(f, 32, r3 * x + r4 * y + r5 * z + pz * f0 - px * f2);
    writeF64(f, 40, r6 * x + r7 * y + r8 * z + px * f1 - py * f0);
  }
}

/** F = I_c S of a column. */
@inline
function writeForce(I: usize, F: usize, S: usize, unit: i32, sign: f64): void {
  const m = readF64(I);
  const hx = readF64(I, 8);
  const hy = readF64(I, 16);
  const hz = readF64(I, 24);
  if (unit >= 3) {
    const axis = unit - 3;
    writeF64(F, 0, axis == 0 ? 0 : sign * (axis == 1 ? hz : -hy));
    writeF64(F, 8, axis == 1 ? 0 : sign * (axis == 0 ? -hz : hx));
    writeF64(F, 16, axis == 2 ? 0 : sign * (axis == 0 ? hy : -hx));
    const at = I + ((<usize>axis) << 3);
    writeF64(F, 24, sign * readF64(at, 32));
    writeF64(F, 32, sign * (axis == 0 ? readF64(I, 40) : readF64(at, 48)));
    writeF64(F, 40, sign * (axis == 0 ? readF64(I, 48) : readF64(at, 56)));
    return;
  }
  if (unit >= 0) {
    writeF64(F, 0, unit == 0 ? sign * m : 0);
    writeF64(F, 8, unit == 1 ? sign * m : 0);
    writeF64(F, 16, unit == 2 ? sign * m : 0);
    writeF64(F, 24, unit == 0 ? 0 : sign * (unit == 1 ? -hz : hy));
    writeF64(F, 32, unit == 1 ? 0 : sign * (unit == 0 ? hz : -hx));
    writeF64(F, 40, unit == 2 ? 0 : sign * (unit == 0 ? -hy : hx));
    return;
  }
  const vx = readF64(S);
  const vy = readF64(S, 8);
  const vz = readF64(S, 16);
  const wx = readF64(S, 24);
  const wy = readF64(S, 32);
  const wz = readF64(S, 40);
  writeF64(F, 0, m * vx + wy * hz - wz * hy);
  writeF64(F, 8, m * vy + wz * hx - wx * hz);
  writeF64(F, 16, m * vz + wx * hy - wy * hx);
  writeF64(F, 24, readF64(I, 32) * wx + readF64(I, 40) * wy + readF64(I, 48) * wz + hy * vz - hz * vy);
  writeF64(F, 32, readF64(I, 40) * wx + readF64(I, 56) * wy + readF64(I, 64) * wz + hz * vx - hx * vz);
  writeF64(F, 40, readF64(I, 48) * wx + readF64(I, 64) * wy + readF64(I, 72) * wz + hx * vy - hy * vx);
}

/** Row d of M from the diagonal on, and its mirror image. */
@inline
function writeEntries(M: usize, F: usize, S: usize, unit: i32, sign: f64, n: usize, d: usize, end: usize): void {
  const row = n << 3;
  const stop = M + row * d + (end << 3);
  let to = M + row * d + (d << 3);
  let mirror = to;
  let f = F + 48 * d;
  if (unit >= 0) f += (<usize>unit) << 3;
  for (; to < stop; to += 8, mirror += row, f += 48) {
    let value: f64;
    if (unit >= 0) value = sign * readF64(f);
    else {
      value =
        readF64(S) * readF64(f) +
        readF64(S, 8) * readF64(f, 8) +
        readF64(S, 16) * readF64(f, 16) +
        readF64(S, 24) * readF64(f, 24) +
        readF64(S, 32) * readF64(f, 32) +
        readF64(S, 40) * readF64(f, 40);
    }
    writeF64(to, 0, value);
    writeF64(mirror, 0, value);
  }
}
