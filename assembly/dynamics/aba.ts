// Forward dynamics: src/dynamics/aba.ts with the kinematics it needs, to the same bits; no external forces.
//
// Method, sources, frames: as there. Leaves what the derivatives of ABA read: columns, inertias, U, 1 / D.
// Cost: linear in joints. Tests: src/dynamics/recursions.test.ts.
import {
  JOINT_BYTES,
  JOINT_END,
  JOINT_FIRST,
  JOINT_PARENT,
  RECURSION_ACCELERATIONS,
  RECURSION_ALIGNED_INERTIAS,
  RECURSION_ALIGNED_SUBSPACES,
  RECURSION_ALIGNED_VELOCITIES,
  RECURSION_ARMATURE,
  RECURSION_ARTICULATED,
  RECURSION_BIAS_ACCELERATIONS,
  RECURSION_BIAS_FORCES,
  RECURSION_BYTES,
  RECURSION_COLUMN_FORCES,
  RECURSION_DDQ,
  RECURSION_GRAVITY,
  RECURSION_INVERSES,
  RECURSION_JOINTS,
  RECURSION_STATES,
  RECURSION_TABLE,
  RECURSION_TAU,
  RECURSION_TORQUES,
} from '../../src/kernel/layout';
import { closeWork, openWork, readF64, readU32, writeF64, writeU32 } from '../memory';
import { alignBodies } from './align-bodies';

/** Torques to accelerations, and what is left of it: 0 when an angle needs the slow path of `sinCos`, 2 when singular, else 1. */
export function runAba(block: usize): i32 {
  openWork(block, load<u32>(block, RECURSION_BYTES), 0, 0);
  let result = 0;
  if (alignBodies(block)) {
    result = eliminate(block) ? 1 : 2;
    spread(block);
  }
  closeWork();
  return result;
}

let A: usize = 0;
let B: usize = 0;
let F: usize = 0;
let I: usize = 0;
let S: usize = 0;
let U: usize = 0;
let V: usize = 0;
let states: usize = 0;
let armature: usize = 0;
let tau: usize = 0;
let inverses: usize = 0;
let torques: usize = 0;

/** All columns, inward; false when one is singular. */
function eliminate(block: usize): bool {
  const jointCount: usize = readU32(block, RECURSION_JOINTS);
  const table: usize = readU32(block, RECURSION_TABLE);
  A = readU32(block, RECURSION_ARTICULATED);
  B = readU32(block, RECURSION_BIAS_ACCELERATIONS);
  F = readU32(block, RECURSION_BIAS_FORCES);
  I = readU32(block, RECURSION_ALIGNED_INERTIAS);
  S = readU32(block, RECURSION_ALIGNED_SUBSPACES);
  U = readU32(block, RECURSION_COLUMN_FORCES);
  V = readU32(block, RECURSION_ALIGNED_VELOCITIES);
  states = readU32(block, RECURSION_STATES);
  armature = readU32(block, RECURSION_ARMATURE);
  tau = readU32(block, RECURSION_TAU);
  inverses = readU32(block, RECURSION_INVERSES);
  torques = readU32(block, RECURSION_TORQUES);
  memory.fill(F, 0, 48 * jointCount);
  memory.fill(states, 0, jointCount << 2);
  let isRegular = true;
  for (let j = jointCount - 1; j > 0; j--) {
    const joint = table + <usize>JOINT_BYTES * j;
    const parent: usize = readU32(joint, JOINT_PARENT);
    const first = <i32>readU32(joint, JOINT_FIRST);
    startJoint(j, 48 * j, 48 * parent);
    for (let c = <i32>readU32(joint, JOINT_END) - 1; c >= first; c--) {
      if (!eliminateColumn(j, c, c > first ? j : parent)) isRegular = false;
    }
  }
  return isRegular;
}

/** What STATES says of a joint: its articulated inertia holds something; its body's own is yet to be added. */
const HELD: u32 = 1;
const OWN: u32 = 2;
/** kg or kg m^2, see src/dynamics/aba.ts. */
const SMALLEST_INERTIA: f64 = 1e-100;

/** p_A += V x* (I V) of the body, and the bias acceleration V_parent x V. */
@inline
function startJoint(j: usize, k: usize, p: usize): void {
  writeU32(states + (j << 2), 0, readU32(states + (j << 2)) | OWN);
  const i: usize = 80 * j;
  const vx = readF64(V + k);
  const vy = readF64(V + k, 8);
  const vz = readF64(V + k, 16);
  const wx = readF64(V + k, 24);
  const wy = readF64(V + k, 32);
  const wz = readF64(V + k, 40);
  const ax = readF64(V + p);
  const ay = readF64(V + p, 8);
  const az = readF64(V + p, 16);
  const bx = readF64(V + p, 24);
  const by = readF64(V + p, 32);
  const bz = readF64(V + p, 40);
  writeF64(B + k, 0, by * vz - bz * vy + ay * wz - az * wy);
  writeF64(B + k, 8, bz * vx - bx * vz + az * wx - ax * wz);
  writeF64(B + k, 16, bx * vy - by * vx + ax * wy - ay * wx);
  writeF64(B + k, 24, by * wz - bz * wy);
  writeF64(B + k, 32, bz * wx - bx * wz);
  writeF64(B + k, 40, bx * wy - by * wx);
  const m = readF64(I + i);
  const hx = readF64(I + i, 8);
  const hy = readF64(I + i, 16);
  const hz = readF64(I + i, 24);
  const xy = readF64(I + i, 40);
  const xz = readF64(I + i, 48);
  const yz = readF64(I + i, 64);
  const p0 = m * vx + wy * hz - wz * hy;
  const p1 = m * vy + wz * hx - wx * hz;
  const p2 = m * vz + wx * hy - wy * hx;
  const l0 = readF64(I + i, 32) * wx + xy * wy + xz * wz + hy * vz - hz * vy;
  const l1 = xy * wx + readF64(I + i, 56) * wy + yz * wz + hz * vx - hx * vz;
  const l2 = xz * wx + yz * wy + readF64(I + i, 72) * wz + hx * vy - hy * vx;
  writeF64(F + k, 0, readF64(F + k) + (wy * p2 - wz * p1));
  writeF64(F + k, 8, readF64(F + k, 8) + (wz * p0 - wx * p2));
  writeF64(F + k, 16, readF64(F + k, 16) + (wx * p1 - wy * p0));
  writeF64(F + k, 24, readF64(F + k, 24) + (wy * l2 - wz * l1 + vy * p2 - vz * p1));
  writeF64(F + k, 32, readF64(F + k, 32) + (wz * l0 - wx * l2 + vz * p0 - vx * p2));
  writeF64(F + k, 40, readF64(F + k, 40) + (wx * l1 - wy * l0 + vx * p1 - vy * p0));
}

/** Takes a column out of I_A and p_A of its joint, and gives what is rigid to it to joint `to`; false when singular. */
function eliminateColumn(j: usize, c: usize, to: usize): bool {
  const k: usize = 48 * j;
  const s: usize = 48 * c;
  let m0: f64 = 0;
  let m1: f64 = 0;
  let m2: f64 = 0;
  let m3: f64 = 0;
  let m4: f64 = 0;
  let m5: f64 = 0;
  let h0: f64 = 0;
  let h1: f64 = 0;
  let h2: f64 = 0;
  let h3: f64 = 0;
  let h4: f64 = 0;
  let h5: f64 = 0;
  let h6: f64 = 0;
  let h7: f64 = 0;
  let h8: f64 = 0;
  let i0: f64 = 0;
  let i1: f64 = 0;
  let i2: f64 = 0;
  let i3: f64 = 0;
  let i4: f64 = 0;
  let i5: f64 = 0;
  const state = readU32(states + (j << 2));
  if ((state & HELD) != 0) {
    const o: usize = 168 * j;
    m0 = readF64(A + o);
    m1 = readF64(A + o, 8);
    m2 = readF64(A + o, 16);
    m3 = readF64(A + o, 24);
    m4 = readF64(A + o, 32);
    m5 = readF64(A + o, 40);
    h0 = readF64(A + o, 48);
    h1 = readF64(A + o, 56);
    h2 = readF64(A + o, 64);
    h3 = readF64(A + o, 72);
    h4 = readF64(A + o, 80);
    h5 = readF64(A + o, 88);
    h6 = readF64(A + o, 96);
    h7 = readF64(A + o, 104);
    h8 = readF64(A + o, 112);
    i0 = readF64(A + o, 120);
    i1 = readF64(A + o, 128);
    i2 = readF64(A + o, 136);
    i3 = readF64(A + o, 144);
    i4 = readF64(A + o, 152);
    i5 = readF64(A + o, 160);
  }
  if ((state & OWN) != 0) {
    const i: usize = 80 * j;
    const m = readF64(I + i);
    const hx = readF64(I + i, 8);
    const hy = readF64(I + i, 16);
    const hz = readF64(I + i, 24);
    m0 += m;
    m3 += m;
    m5 += m;
    h1 += hz;
    h2 -= hy;
    h3 -= hz;
    h5 += hx;
    h6 += hy;
    h7 -= hx;
    i0 += readF64(I + i, 32);
    i1 += readF64(I + i, 40);
    i2 += readF64(I + i, 48);
    i3 += readF64(I + i, 56);
    i4 += readF64(I + i, 64);
    i5 += readF64(I + i, 72);
  }
  const s0 = readF64(S + s);
  const s1 = readF64(S + s, 8);
  const s2 = readF64(S + s, 16);
  const s3 = readF64(S + s, 24);
  const s4 = readF64(S + s, 32);
  const s5 = readF64(S + s, 40);
  const u0 = m0 * s0 + m1 * s1 + m2 * s2 + h0 * s3 + h1 * s4 + h2 * s5;
  const u1 = m1 * s0 + m3 * s1 + m4 * s2 + h3 * s3 + h4 * s4 + h5 * s5;
  const u2 = m2 * s0 + m4 * s1 + m5 * s2 + h6 * s3 + h7 * s4 + h8 * s5;
  const u3 = h0 * s0 + h3 * s1 + h6 * s2 + i0 * s3 + i1 * s4 + i2 * s5;
  const u4 = h1 * s0 + h4 * s1 + h7 * s2 + i1 * s3 + i3 * s4 + i4 * s5;
  const u5 = h2 * s0 + h5 * s1 + h8 * s2 + i2 * s3 + i4 * s4 + i5 * s5;
  const f0 = readF64(F + k);
  const f1 = readF64(F + k, 8);
  const f2 = readF64(F + k, 16);
  const f3 = readF64(F + k, 24);
  const f4 = readF64(F + k, 32);
  const f5 = readF64(F + k, 40);
  const D = s0 * u0 + s1 * u1 + s2 * u2 + s3 * u3 + s4 * u4 + s5 * u5 + readF64(armature + (c << 3));
  const inverse = D > SMALLEST_INERTIA ? 1 / D : 0;
  const u = readF64(tau + (c << 3)) - (f0 * s0 + f1 * s1 + f2 * s2 + f3 * s3 + f4 * s4 + f5 * s5);
  writeF64(U + s, 0, u0);
  writeF64(U + s, 8, u1);
  writeF64(U + s, 16, u2);
  writeF64(U + s, 24, u3);
  writeF64(U + s, 32, u4);
  writeF64(U + s, 40, u5);
  writeF64(inverses + (c << 3), 0, inverse);
  writeF64(torques + (c << 3), 0, u);
  if (to == 0) return inverse != 0;
  const t0 = u0 * inverse;
  const t1 = u1 * inverse;
  const t2 = u2 * inverse;
  const t3 = u3 * inverse;
  const t4 = u4 * inverse;
  const t5 = u5 * inverse;
  m0 -= t0 * u0;
  m1 -= t0 * u1;
  m2 -= t0 * u2;
  m3 -= t1 * u1;
  m4 -= t1 * u2;
  m5 -= t2 * u2;
  h0 -= t0 * u3;
  h1 -= t0 * u4;
  h2 -= t0 * u5;
  h3 -= t1 * u3;
  h4 -= t1 * u4;
  h5 -= t1 * u5;
  h6 -= t2 * u3;
  h7 -= t2 * u4;
  h8 -= t2 * u5;
  i0 -= t3 * u3;
  i1 -= t3 * u4;
  i2 -= t3 * u5;
  i3 -= t4 * u4;
  i4 -= t4 * u5;
  i5 -= t5 * u5;
  const p: usize = 48 * to;
  if (to == j) {
    writeU32(states + (j << 2), 0, 0);
    writeF64(F + k, 0, f0 + t0 * u);
    writeF64(F + k, 8, f1 + t1 * u);
    writeF64(F + k, 16, f2 + t2 * u);
    writeF64(F + k, 24, f3 + t3 * u);
    writeF64(F + k, 32, f4 + t4 * u);
    writeF64(F + k, 40, f5 + t5 * u);
  } else {
    const c0 = readF64(B + k);
    const c1 = readF64(B + k, 8);
    const c2 = readF64(B + k, 16);
    const c3 = readF64(B + k, 24);
    const c4 = readF64(B + k, 32);
    const c5 = readF64(B + k, 40);
    writeF64(F + p, 0, readF64(F + p) + (f0 + t0 * u + m0 * c0 + m1 * c1 + m2 * c2 + h0 * c3 + h1 * c4 + h2 * c5));
    writeF64(F + p, 8, readF64(F + p, 8) + (f1 + t1 * u + m1 * c0 + m3 * c1 + m4 * c2 + h3 * c3 + h4 * c4 + h5 * c5));
    writeF64(F + p, 16, readF64(F + p, 16) + (f2 + t2 * u + m2 * c0 + m4 * c1 + m5 * c2 + h6 * c3 + h7 * c4 + h8 * c5));
    writeF64(F + p, 24, readF64(F + p, 24) + (f3 + t3 * u + h0 * c0 + h3 * c1 + h6 * c2 + i0 * c3 + i1 * c4 + i2 * c5));
    writeF64(F + p, 32, readF64(F + p, 32) + (f4 + t4 * u + h1 * c0 + h4 * c1 + h7 * c2 + i1 * c3 + i3 * c4 + i4 * c5));
    writeF64(F + p, 40, readF64(F + p, 40) + (f5 + t5 * u + h2 * c0 + h5 * c1 + h8 * c2 + i2 * c3 + i4 * c4 + i5 * c5));
  }
  const o: usize = 168 * to;
  if ((readU32(states + (to << 2)) & HELD) != 0) {
    m0 += readF64(A + o);
    m1 += readF64(A + o, 8);
    m2 += readF64(A + o, 16);
    m3 += readF64(A + o, 24);
    m4 += readF64(A + o, 32);
    m5 += readF64(A + o, 40);
    h0 += readF64(A + o, 48);
    h1 += readF64(A + o, 56);
    h2 += readF64(A + o, 64);
    h3 += readF64(A + o, 72);
    h4 += readF64(A + o, 80);
    h5 += readF64(A + o, 88);
    h6 += readF64(A + o, 96);
    h7 += readF64(A + o, 104);
    h8 += readF64(A + o, 112);
    i0 += readF64(A + o, 120);
    i1 += readF64(A + o, 128);
    i2 += readF64(A + o, 136);
    i3 += readF64(A + o, 144);
    i4 += readF64(A + o, 152);
    i5 += readF64(A + o, 160);
  }
  writeU32(states + (to << 2), 0, readU32(states + (to << 2)) | HELD);
  writeF64(A + o, 0, m0);
  writeF64(A + o, 8, m1);
  writeF64(A + o, 16, m2);
  writeF64(A + o, 24, m3);
  writeF64(A + o, 32, m4);
  writeF64(A + o, 40, m5);
  writeF64(A + o, 48, h0);
  writeF64(A + o, 56, h1);
  writeF64(A + o, 64, h2);
  writeF64(A + o, 72, h3);
  writeF64(A + o, 80, h4);
  writeF64(A + o, 88, h5);
  writeF64(A + o, 96, h6);
  writeF64(A + o, 104, h7);
  writeF64(A + o, 112, h8);
  writeF64(A + o, 120, i0);
  writeF64(A + o, 128, i1);
  writeF64(A + o, 136, i2);
  writeF64(A + o, 144, i3);
  writeF64(A + o, 152, i4);
  writeF64(A + o, 160, i5);
  return inverse != 0;
}

/** Accelerations of joints and bodies, outward, from the base's. */
function spread(block: usize): void {
  const jointCount: usize = readU32(block, RECURSION_JOINTS);
  const table: usize = readU32(block, RECURSION_TABLE);
  const gravity: usize = readU32(block, RECURSION_GRAVITY);
  const A: usize = readU32(block, RECURSION_ACCELERATIONS);
  const ddq: usize = readU32(block, RECURSION_DDQ);
  for (let i: usize = 0; i < 24; i += 8) {
    writeF64(A + i, 0, -readF64(gravity + i));
    writeF64(A + i, 24, 0);
  }
  for (let j: usize = 1; j < jointCount; j++) {
    const joint = table + <usize>JOINT_BYTES * j;
    const first: usize = readU32(joint, JOINT_FIRST);
    const end: usize = readU32(joint, JOINT_END);
    const p: usize = 48 * <usize>readU32(joint, JOINT_PARENT);
    const out: usize = 48 * j;
    let a0 = readF64(A + p) + readF64(B + out);
    let a1 = readF64(A + p, 8) + readF64(B + out, 8);
    let a2 = readF64(A + p, 16) + readF64(B + out, 16);
    let a3 = readF64(A + p, 24) + readF64(B + out, 24);
    let a4 = readF64(A + p, 32) + readF64(B + out, 32);
    let a5 = readF64(A + p, 40) + readF64(B + out, 40);
    // First column first: it was eliminated last.
    for (let c = first; c < end; c++) {
      const s: usize = 48 * c;
      const felt =
        readF64(U + s) * a0 +
        readF64(U + s, 8) * a1 +
        readF64(U + s, 16) * a2 +
        readF64(U + s, 24) * a3 +
        readF64(U + s, 32) * a4 +
        readF64(U + s, 40) * a5;
      const gain = (readF64(torques + (c << 3)) - felt) * readF64(inverses + (c << 3));
      writeF64(ddq + (c << 3), 0, gain);
      a0 += readF64(S + s) * gain;
      a1 += readF64(S + s, 8) * gain;
      a2 += readF64(S + s, 16) * gain;
      a3 += readF64(S + s, 24) * gain;
      a4 += readF64(S + s, 32) * gain;
      a5 += readF64(S + s, 40) * gain;
    }
    writeF64(A + out, 0, a0);
    writeF64(A + out, 8, a1);
    writeF64(A + out, 16, a2);
    writeF64(A + out, 24, a3);
    writeF64(A + out, 32, a4);
    writeF64(A + out, 40, a5);
  }
}
