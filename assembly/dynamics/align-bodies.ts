// Bodies in one common frame: src/kinematics/forward-kinematics.ts, then alignJoints and alignVelocities of
// src/dynamics/aligned.ts, to the same bits, in one pass.
//
// Method, sources, frames: as there. Cost: linear in joints. Tests: src/dynamics/recursions.test.ts.
import {
  JOINT_BYTES,
  JOINT_END,
  JOINT_FIRST,
  JOINT_LAST_AXIS,
  JOINT_NEXT_AXIS,
  JOINT_OWN_AXIS,
  JOINT_PARENT,
  JOINT_Q,
  JOINT_SHORTCUT,
  RECURSION_ALIGNED_INERTIAS,
  RECURSION_ALIGNED_SUBSPACES,
  RECURSION_ALIGNED_VELOCITIES,
  RECURSION_AXES,
  RECURSION_BASES,
  RECURSION_COLUMN_TABLE,
  RECURSION_INERTIAS,
  RECURSION_JOINTS,
  RECURSION_LOCALS,
  RECURSION_Q,
  RECURSION_SUBSPACES,
  RECURSION_TABLE,
  RECURSION_V,
  RECURSION_WORLD,
} from '../../src/kernel/layout';
import { readF64, readU32, writeF64 } from '../memory';
import { cosine, sinCos, sine } from './joint-table';

/** World placements, then columns, velocities and inertias in the common frame. */
export function alignBodies(block: usize): bool {
  const jointCount: usize = readU32(block, RECURSION_JOINTS);
  const table: usize = readU32(block, RECURSION_TABLE);
  const columns: usize = readU32(block, RECURSION_COLUMN_TABLE);
  const bases: usize = readU32(block, RECURSION_BASES);
  const axes: usize = readU32(block, RECURSION_AXES);
  const locals: usize = readU32(block, RECURSION_LOCALS);
  const W: usize = readU32(block, RECURSION_WORLD);
  const N: usize = readU32(block, RECURSION_INERTIAS);
  const I: usize = readU32(block, RECURSION_ALIGNED_INERTIAS);
  const S: usize = readU32(block, RECURSION_ALIGNED_SUBSPACES);
  const V: usize = readU32(block, RECURSION_ALIGNED_VELOCITIES);
  const own: usize = readU32(block, RECURSION_SUBSPACES);
  const q: usize = readU32(block, RECURSION_Q);
  const rates: usize = readU32(block, RECURSION_V);
  let x0: f64 = 0;
  let y0: f64 = 0;
  let z0: f64 = 0;
  for (let j: usize = 1; j < jointCount; j++) {
    const joint = table + <usize>JOINT_BYTES * j;
    const parent: usize = readU32(joint, JOINT_PARENT);
    const at = W + 96 * j;
    if (!placeJoint(joint, at, W + 96 * parent, bases + 96 * j, axes + 24 * j, locals + 96 * j, q)) return false;
    if (j == 1) {
      x0 = readF64(at, 72);
      y0 = readF64(at, 80);
      z0 = readF64(at, 88);
    }
    const r0 = readF64(at);
    const r1 = readF64(at, 8);
    const r2 = readF64(at, 16);
    const r3 = readF64(at, 24);
    const r4 = readF64(at, 32);
    const r5 = readF64(at, 40);
    const r6 = readF64(at, 48);
    const r7 = readF64(at, 56);
    const r8 = readF64(at, 64);
    const px = readF64(at, 72) - x0;
    const py = readF64(at, 80) - y0;
    const pz = readF64(at, 88) - z0;
    const p: usize = 48 * parent;
    let v0 = readF64(V + p);
    let v1 = readF64(V + p, 8);
    let v2 = readF64(V + p, 16);
    let v3 = readF64(V + p, 24);
    let v4 = readF64(V + p, 32);
    let v5 = readF64(V + p, 40);
    const end: usize = readU32(joint, JOINT_END);
    for (let c: usize = readU32(joint, JOINT_FIRST); c < end; c++) {
      const unit = <i32>readU32(columns + (c << 3), 4);
      const s = S + 48 * c;
      if (unit < 0) {
        const m = own + 48 * c;
        const l0 = readF64(m);
        const l1 = readF64(m, 8);
        const l2 = readF64(m, 16);
        const l3 = readF64(m, 24);
        const l4 = readF64(m, 32);
        const l5 = readF64(m, 40);
        const wx = r0 * l3 + r1 * l4 + r2 * l5;
        const wy = r3 * l3 + r4 * l4 + r5 * l5;
        const wz = r6 * l3 + r7 * l4 + r8 * l5;
        writeF64(s, 0, r0 * l0 + r1 * l1 + r2 * l2 + py * wz - pz * wy);
        writeF64(s, 8, r3 * l0 + r4 * l1 + r5 * l2 + pz * wx - px * wz);
        writeF64(s, 16, r6 * l0 + r7 * l1 + r8 * l2 + px * wy - py * wx);
        writeF64(s, 24, wx);
        writeF64(s, 32, wy);
        writeF64(s, 40, wz);
      } else {
        const turns = unit >= 3;
        const axis = turns ? unit - 3 : unit;
        const wx = axis == 0 ? r0 : axis == 1 ? r1 : r2;
        const wy = axis == 0 ? r3 : axis == 1 ? r4 : r5;
        const wz = axis == 0 ? r6 : axis == 1 ? r7 : r8;
        writeF64(s, 0, turns ? py * wz - pz * wy : wx);
        writeF64(s, 8, turns ? pz * wx - px * wz : wy);
        writeF64(s, 16, turns ? px * wy - py * wx : wz);
        writeF64(s, 24, turns ? wx : 0);
        writeF64(s, 32, turns ? wy : 0);
        writeF64(s, 40, turns ? wz : 0);
      }
      const rate = readF64(rates + (c << 3));
      v0 += readF64(s) * rate;
      v1 += readF64(s, 8) * rate;
      v2 += readF64(s, 16) * rate;
      v3 += readF64(s, 24) * rate;
      v4 += readF64(s, 32) * rate;
      v5 += readF64(s, 40) * rate;
    }
    const o = V + 48 * j;
    writeF64(o, 0, v0);
    writeF64(o, 8, v1);
    writeF64(o, 16, v2);
    writeF64(o, 24, v3);
    writeF64(o, 32, v4);
    writeF64(o, 40, v5);
    const i: usize = 80 * j;
    const m = readF64(N + i);
    const hx = readF64(N + i, 8);
    const hy = readF64(N + i, 16);
    const hz = readF64(N + i, 24);
    const xx = readF64(N + i, 32);
    const xy = readF64(N + i, 40);
    const xz = readF64(N + i, 48);
    const yy = readF64(N + i, 56);
    const yz = readF64(N + i, 64);
    const zz = readF64(N + i, 72);
    const gx = r0 * hx + r1 * hy + r2 * hz;
    const gy = r3 * hx + r4 * hy + r5 * hz;
    const gz = r6 * hx + r7 * hy + r8 * hz;
    const kx = gx + m * px;
    const ky = gy + m * py;
    const kz = gz + m * pz;
    // T = R I, then T R^T.
    const t0 = r0 * xx + r1 * xy + r2 * xz;
    const t1 = r0 * xy + r1 * yy + r2 * yz;
    const t2 = r0 * xz + r1 * yz + r2 * zz;
    const t3 = r3 * xx + r4 * xy + r5 * xz;
    const t4 = r3 * xy + r4 * yy + r5 * yz;
    const t5 = r3 * xz + r4 * yz + r5 * zz;
    const t6 = r6 * xx + r7 * xy + r8 * xz;
    const t7 = r6 * xy + r7 * yy + r8 * yz;
    const t8 = r6 * xz + r7 * yz + r8 * zz;
    writeF64(I + i, 0, m);
    writeF64(I + i, 8, kx);
    writeF64(I + i, 16, ky);
    writeF64(I + i, 24, kz);
    writeF64(I + i, 32, t0 * r0 + t1 * r1 + t2 * r2 + py * gy + pz * gz + ky * py + kz * pz);
    writeF64(I + i, 40, t0 * r3 + t1 * r4 + t2 * r5 - py * gx - px * ky);
    writeF64(I + i, 48, t0 * r6 + t1 * r7 + t2 * r8 - pz * gx - px * kz);
    writeF64(I + i, 56, t3 * r3 + t4 * r4 + t5 * r5 + px * gx + pz * gz + kx * px + kz * pz);
    writeF64(I + i, 64, t3 * r6 + t4 * r7 + t5 * r8 - pz * gy - py * kz);
    writeF64(I + i, 72, t6 * r6 + t7 * r7 + t8 * r8 + px * gx + py * gy + kx * px + ky * py);
  }
  return true;
}

/** X_WJ, as in src/kinematics/forward-kinematics.ts. */
@inline
function placeJoint(joint: usize, out: usize, from: usize, B: usize, axes: usize, local: usize, q: usize): bool {
  const shortcut = readU32(joint, JOINT_SHORTCUT);
  if (shortcut == 0) {
    multiplyTransform(out, from, B);
    multiplyTransform(out, out, local);
    return true;
  }
  const value = readF64(q + ((<usize>readU32(joint, JOINT_Q)) << 3));
  if (shortcut == 4) {
    multiplyTransform(out, from, B);
    if (!sinCos(value)) return false;
    turnAboutAxis(out, readF64(axes), readF64(axes, 8), readF64(axes, 16), sine, cosine);
    return true;
  }
  const a: usize = readU32(joint, JOINT_NEXT_AXIS);
  const b: usize = readU32(joint, JOINT_LAST_AXIS);
  const k: usize = readU32(joint, JOINT_OWN_AXIS);
  let a0 = readF64(B + a);
  let b0 = readF64(B + b);
  let a1 = readF64(B + a, 24);
  let b1 = readF64(B + b, 24);
  let a2 = readF64(B + a, 48);
  let b2 = readF64(B + b, 48);
  const k0 = readF64(B + k);
  const k1 = readF64(B + k, 24);
  const k2 = readF64(B + k, 48);
  let x = readF64(B, 72);
  let y = readF64(B, 80);
  let z = readF64(B, 88);
  if (shortcut == 5) {
    // Here a, b, k are the columns of x, y, z.
    const dx = value * readF64(axes);
    const dy = value * readF64(axes, 8);
    const dz = value * readF64(axes, 16);
    x += a0 * dx + b0 * dy + k0 * dz;
    y += a1 * dx + b1 * dy + k1 * dz;
    z += a2 * dx + b2 * dy + k2 * dz;
  } else {
    if (!sinCos(value)) return false;
    const s = sine;
    const c = cosine;
    let u = a0;
    a0 = c * u + s * b0;
    b0 = c * b0 - s * u;
    u = a1;
    a1 = c * u + s * b1;
    b1 = c * b1 - s * u;
    u = a2;
    a2 = c * u + s * b2;
    b2 = c * b2 - s * u;
  }
  placeRow(out, from, 0, a, b, k, a0, a1, a2, b0, b1, b2, k0, k1, k2, x, y, z);
  placeRow(out, from, 1, a, b, k, a0, a1, a2, b0, b1, b2, k0, k1, k2, x, y, z);
  placeRow(out, from, 2, a, b, k, a0, a1, a2, b0, b1, b2, k0, k1, k2, x, y, z);
  return true;
}

@inline
function placeRow(
  out: usize,
  from: usize,
  row: usize,
  a: usize,
  b: usize,
  k: usize,
  a0: f64,
  a1: f64,
  a2: f64,
  b0: f64,
  b1: f64,
  b2: f64,
  k0: f64,
  k1: f64,
  k2: f64,
  x: f64,
  y: f64,
  z: f64,
): void {
  const p0 = readF64(from, 24 * row);
  const p1 = readF64(from, 24 * row + 8);
  const p2 = readF64(from, 24 * row + 16);
  writeF64(out + a, 24 * row, p0 * a0 + p1 * a1 + p2 * a2);
  writeF64(out + b, 24 * row, p0 * b0 + p1 * b1 + p2 * b2);
  writeF64(out + k, 24 * row, p0 * k0 + p1 * k1 + p2 * k2);
  writeF64(out, 72 + 8 * row, p0 * x + p1 * y + p2 * z + readF64(from, 72 + 8 * row));
}

/** out = a b of transforms; out may be a. */
function multiplyTransform(out: usize, a: usize, b: usize): void {
  const x = readF64(b, 72);
  const y = readF64(b, 80);
  const z = readF64(b, 88);
  for (let i: usize = 0; i < 3; i++) {
    const row = a + 24 * i;
    const to = out + 24 * i;
    const a0 = readF64(row);
    const a1 = readF64(row, 8);
    const a2 = readF64(row, 16);
    writeF64(to, 0, a0 * readF64(b) + a1 * readF64(b, 24) + a2 * readF64(b, 48));
    writeF64(to, 8, a0 * readF64(b, 8) + a1 * readF64(b, 32) + a2 * readF64(b, 56));
    writeF64(to, 16, a0 * readF64(b, 16) + a1 * readF64(b, 40) + a2 * readF64(b, 64));
    writeF64(out + (i << 3), 72, a0 * x + a1 * y + a2 * z + readF64(a + (i << 3), 72));
  }
}

/** out = out Rot(axis), Rodrigues row by row. */
function turnAboutAxis(out: usize, x: f64, y: f64, z: f64, s: f64, c: f64): void {
  for (let i = out; i < out + 72; i += 24) {
    const r0 = readF64(i);
    const r1 = readF64(i, 8);
    const r2 = readF64(i, 16);
    const k = (1 - c) * (r0 * x + r1 * y + r2 * z);
    writeF64(i, 0, c * r0 + s * (r1 * z - r2 * y) + k * x);
    writeF64(i, 8, c * r1 + s * (r2 * x - r0 * z) + k * y);
    writeF64(i, 16, c * r2 + s * (r0 * y - r1 * x) + k * z);
  }
}
