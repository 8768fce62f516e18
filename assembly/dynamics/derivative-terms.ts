// What the derivatives of RNEA and ABA are made of: src/dynamics/derivative-terms.ts, to the same bits.
//
// Method, sources: as there. The motions and forces of columns go to the block of derivatives.ts as they are made.
// Cost: linear in joints, beside the pairs and products. Tests: src/dynamics/derivative-kernel.test.ts.
import {
  DYNAMICS_DTAU_DQ,
  DYNAMICS_DTAU_DV,
  DYNAMICS_NV,
  DYNAMICS_RATES,
  DYNAMICS_SUBSPACES,
  JOINT_BYTES,
  JOINT_END,
  JOINT_FIRST,
  JOINT_PARENT,
  RECURSION_A,
  RECURSION_ACCELERATIONS,
  RECURSION_ALIGNED_INERTIAS,
  RECURSION_ALIGNED_SUBSPACES,
  RECURSION_ALIGNED_VELOCITIES,
  RECURSION_CORIOLIS,
  RECURSION_FORCES,
  RECURSION_GRAVITY,
  RECURSION_JOINTS,
  RECURSION_MOMENTA,
  RECURSION_TABLE,
  RECURSION_TAU,
  RECURSION_V,
} from '../../src/kernel/layout';
import { readF64, readLanes, readU32, writeF64, writeV128 } from '../memory';

const RATE_BYTES: usize = 168;

let jointCount: usize = 0;
let table: usize = 0;
let n: usize = 0;
let V: usize = 0;
let A: usize = 0;
let I: usize = 0;
let M: usize = 0;
let E: usize = 0;
let F: usize = 0;
let S: usize = 0;
let P: usize = 0;
let R: usize = 0;
let Q: usize = 0;
let D: usize = 0;

/** Names the arrays; S goes beside P, R and Q. */
function openTerms(recursions: usize, block: usize): void {
  jointCount = readU32(recursions, RECURSION_JOINTS);
  table = readU32(recursions, RECURSION_TABLE);
  n = readU32(block, DYNAMICS_NV);
  V = readU32(recursions, RECURSION_ALIGNED_VELOCITIES);
  A = readU32(recursions, RECURSION_ACCELERATIONS);
  I = readU32(recursions, RECURSION_ALIGNED_INERTIAS);
  M = readU32(recursions, RECURSION_MOMENTA);
  E = readU32(recursions, RECURSION_CORIOLIS);
  F = readU32(recursions, RECURSION_FORCES);
  S = readU32(block, DYNAMICS_SUBSPACES);
  P = S + 48 * n;
  R = P + 48 * n;
  Q = R + 48 * n;
  D = readU32(block, DYNAMICS_RATES);
}

/** Everything of src/dynamics/derivative-terms.ts after `alignBodies`, without external forces. */
export function writeTerms(recursions: usize, block: usize): void {
  openTerms(recursions, block);
  memory.copy(S, readU32(recursions, RECURSION_ALIGNED_SUBSPACES), 48 * n);
  alignRates(recursions);
  writeBodies();
  sumSubtrees();
  writeForceRates();
  addForceTurns(readU32(block, DYNAMICS_DTAU_DQ), readU32(block, DYNAMICS_DTAU_DV));
  writeTorques(readU32(recursions, RECURSION_TAU));
}

/** S^T f of every column. */
function writeTorques(out: usize): void {
  for (let j: usize = 1; j < jointCount; j++) {
    const joint = table + <usize>JOINT_BYTES * j;
    const f = F + 48 * j;
    const end: usize = readU32(joint, JOINT_END);
    for (let c: usize = readU32(joint, JOINT_FIRST); c < end; c++) {
      const s = S + 48 * c;
      writeF64(
        out + (c << 3),
        0,
        readF64(s) * readF64(f) +
          readF64(s, 8) * readF64(f, 8) +
          readF64(s, 16) * readF64(f, 16) +
          readF64(s, 24) * readF64(f, 24) +
          readF64(s, 32) * readF64(f, 32) +
          readF64(s, 40) * readF64(f, 40),
      );
    }
  }
}

/** V, A, and P, R, Q of the columns. */
function alignRates(recursions: usize): void {
  const gravity: usize = readU32(recursions, RECURSION_GRAVITY);
  const v: usize = readU32(recursions, RECURSION_V);
  const a: usize = readU32(recursions, RECURSION_A);
  for (let i: usize = 0; i < 24; i += 8) {
    writeF64(A + i, 0, -readF64(gravity + i));
    writeF64(A + i, 24, 0);
  }
  for (let j: usize = 1; j < jointCount; j++) {
    const joint = table + <usize>JOINT_BYTES * j;
    const p: usize = 48 * <usize>readU32(joint, JOINT_PARENT);
    const vx = readF64(V + p);
    const vy = readF64(V + p, 8);
    const vz = readF64(V + p, 16);
    const wx = readF64(V + p, 24);
    const wy = readF64(V + p, 32);
    const wz = readF64(V + p, 40);
    const ax = readF64(A + p);
    const ay = readF64(A + p, 8);
    const az = readF64(A + p, 16);
    const ex = readF64(A + p, 24);
    const ey = readF64(A + p, 32);
    const ez = readF64(A + p, 40);
    const o: usize = 48 * j;
    let v0 = vx;
    let v1 = vy;
    let v2 = vz;
    let v3 = wx;
    let v4 = wy;
    let v5 = wz;
    let a0 = ax;
    let a1 = ay;
    let a2 = az;
    let a3 = ex;
    let a4 = ey;
    let a5 = ez;
    const first: usize = readU32(joint, JOINT_FIRST);
    const end: usize = readU32(joint, JOINT_END);
    for (let c = first; c < end; c++) {
      const s: usize = 48 * c;
      const rate = readF64(v + (c << 3));
      const gain = readF64(a + (c << 3));
      const s0 = readF64(S + s);
      const s1 = readF64(S + s, 8);
      const s2 = readF64(S + s, 16);
      const s3 = readF64(S + s, 24);
      const s4 = readF64(S + s, 32);
      const s5 = readF64(S + s, 40);
      const p0 = wy * s2 - wz * s1 + vy * s5 - vz * s4;
      const p1 = wz * s0 - wx * s2 + vz * s3 - vx * s5;
      const p2 = wx * s1 - wy * s0 + vx * s4 - vy * s3;
      const p3 = wy * s5 - wz * s4;
      const p4 = wz * s3 - wx * s5;
      const p5 = wx * s4 - wy * s3;
      writeF64(P + s, 0, p0);
      writeF64(P + s, 8, p1);
      writeF64(P + s, 16, p2);
      writeF64(P + s, 24, p3);
      writeF64(P + s, 32, p4);
      writeF64(P + s, 40, p5);
      writeF64(Q + s, 0, 2 * p0);
      writeF64(Q + s, 8, 2 * p1);
      writeF64(Q + s, 16, 2 * p2);
      writeF64(Q + s, 24, 2 * p3);
      writeF64(Q + s, 32, 2 * p4);
      writeF64(Q + s, 40, 2 * p5);
      writeF64(R + s, 0, ey * s2 - ez * s1 + ay * s5 - az * s4 + wy * p2 - wz * p1 + vy * p5 - vz * p4);
      writeF64(R + s, 8, ez * s0 - ex * s2 + az * s3 - ax * s5 + wz * p0 - wx * p2 + vz * p3 - vx * p5);
      writeF64(R + s, 16, ex * s1 - ey * s0 + ax * s4 - ay * s3 + wx * p1 - wy * p0 + vx * p4 - vy * p3);
      writeF64(R + s, 24, ey * s5 - ez * s4 + wy * p5 - wz * p4);
      writeF64(R + s, 32, ez * s3 - ex * s5 + wz * p3 - wx * p5);
      writeF64(R + s, 40, ex * s4 - ey * s3 + wx * p4 - wy * p3);
      v0 += s0 * rate;
      v1 += s1 * rate;
      v2 += s2 * rate;
      v3 += s3 * rate;
      v4 += s4 * rate;
      v5 += s5 * rate;
      // V x S v = V_p x S v.
      a0 += s0 * gain + p0 * rate;
      a1 += s1 * gain + p1 * rate;
      a2 += s2 * gain + p2 * rate;
      a3 += s3 * gain + p3 * rate;
      a4 += s4 * gain + p4 * rate;
      a5 += s5 * gain + p5 * rate;
    }
    writeF64(V + o, 0, v0);
    writeF64(V + o, 8, v1);
    writeF64(V + o, 16, v2);
    writeF64(V + o, 24, v3);
    writeF64(V + o, 32, v4);
    writeF64(V + o, 40, v5);
    writeF64(A + o, 0, a0);
    writeF64(A + o, 8, a1);
    writeF64(A + o, 16, a2);
    writeF64(A + o, 24, a3);
    writeF64(A + o, 32, a4);
    writeF64(A + o, 40, a5);
    if (end > first + 1) addOwnTurn(first, end, p, o);
  }
}

/** Q += (V - V_p) x S: what a joint's other columns turn. */
function addOwnTurn(first: usize, end: usize, p: usize, o: usize): void {
  const x = readF64(V + o) - readF64(V + p);
  const y = readF64(V + o, 8) - readF64(V + p, 8);
  const z = readF64(V + o, 16) - readF64(V + p, 16);
  const wx = readF64(V + o, 24) - readF64(V + p, 24);
  const wy = readF64(V + o, 32) - readF64(V + p, 32);
  const wz = readF64(V + o, 40) - readF64(V + p, 40);
  for (let s: usize = 48 * first; s < 48 * end; s += 48) {
    writeF64(
      Q + s,
      0,
      readF64(Q + s) +
        (wy * readF64(S + s, 16) - wz * readF64(S + s, 8) + y * readF64(S + s, 40) - z * readF64(S + s, 32)),
    );
    writeF64(
      Q + s,
      8,
      readF64(Q + s, 8) +
        (wz * readF64(S + s) - wx * readF64(S + s, 16) + z * readF64(S + s, 24) - x * readF64(S + s, 40)),
    );
    writeF64(
      Q + s,
      16,
      readF64(Q + s, 16) +
        (wx * readF64(S + s, 8) - wy * readF64(S + s) + x * readF64(S + s, 32) - y * readF64(S + s, 24)),
    );
    writeF64(Q + s, 24, readF64(Q + s, 24) + (wy * readF64(S + s, 40) - wz * readF64(S + s, 32)));
    writeF64(Q + s, 32, readF64(Q + s, 32) + (wz * readF64(S + s, 24) - wx * readF64(S + s, 40)));
    writeF64(Q + s, 40, readF64(Q + s, 40) + (wx * readF64(S + s, 32) - wy * readF64(S + s, 24)));
  }
}

/** Momentum, E and f of each body alone. */
function writeBodies(): void {
  for (let j: usize = 1; j < jointCount; j++) {
    const i: usize = 80 * j;
    const k: usize = 48 * j;
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
    const vx = readF64(V + k);
    const vy = readF64(V + k, 8);
    const vz = readF64(V + k, 16);
    const wx = readF64(V + k, 24);
    const wy = readF64(V + k, 32);
    const wz = readF64(V + k, 40);
    const p0 = m * vx + wy * hz - wz * hy;
    const p1 = m * vy + wz * hx - wx * hz;
    const p2 = m * vz + wx * hy - wy * hx;
    const l0 = xx * wx + xy * wy + xz * wz + hy * vz - hz * vy;
    const l1 = xy * wx + yy * wy + yz * wz + hz * vx - hx * vz;
    const l2 = xz * wx + yz * wy + zz * wz + hx * vy - hy * vx;
    const t: usize = 24 * j;
    writeF64(M + t, 0, p0);
    writeF64(M + t, 8, p1);
    writeF64(M + t, 16, p2);
    const ax = readF64(A + k);
    const ay = readF64(A + k, 8);
    const az = readF64(A + k, 16);
    const bx = readF64(A + k, 24);
    const by = readF64(A + k, 32);
    const bz = readF64(A + k, 40);
    writeF64(F + k, 0, m * ax + by * hz - bz * hy + wy * p2 - wz * p1);
    writeF64(F + k, 8, m * ay + bz * hx - bx * hz + wz * p0 - wx * p2);
    writeF64(F + k, 16, m * az + bx * hy - by * hx + wx * p1 - wy * p0);
    writeF64(F + k, 24, xx * bx + xy * by + xz * bz + hy * az - hz * ay + wy * l2 - wz * l1 + vy * p2 - vz * p1);
    writeF64(F + k, 32, xy * bx + yy * by + yz * bz + hz * ax - hx * az + wz * l0 - wx * l2 + vz * p0 - vx * p2);
    writeF64(F + k, 40, xz * bx + yz * by + zz * bz + hx * ay - hy * ax + wx * l1 - wy * l0 + vx * p1 - vy * p0);
    const d0 = vx * hx;
    const d1 = vy * hy;
    const d2 = vz * hz;
    const sxy = wy * yz - wz * yy + wz * xx - wx * xz - hx * vy - hy * vx;
    const sxz = wy * zz - wz * yz + wx * xy - wy * xx - hx * vz - hz * vx;
    const syz = wz * xz - wx * zz + wx * yy - wy * xy - hy * vz - hz * vy;
    const e: usize = 72 * j;
    writeF64(E + e, 0, 2 * (d1 + d2 + wy * xz - wz * xy));
    writeF64(E + e, 8, sxy + l2);
    writeF64(E + e, 16, sxz - l1);
    writeF64(E + e, 24, sxy - l2);
    writeF64(E + e, 32, 2 * (d0 + d2 + wz * xy - wx * yz));
    writeF64(E + e, 40, syz + l0);
    writeF64(E + e, 48, sxz + l1);
    writeF64(E + e, 56, syz - l0);
    writeF64(E + e, 64, 2 * (d0 + d1 + wx * yz - wy * xz));
  }
}

/** Adds `count` numbers to others, two at a time. */
@inline
function addNumbers(to: usize, from: usize, count: usize): void {
  const end = from + (count << 3);
  for (; from + 16 <= end; from += 16, to += 16) writeV128(to, 0, f64x2.add(readLanes(to), readLanes(from)));
  if (from < end) writeF64(to, 0, readF64(to) + readF64(from));
}

/** Adds up inertia, momentum, E and f over subtrees. */
function sumSubtrees(): void {
  for (let j = jointCount - 1; j > 0; j--) {
    const joint = table + <usize>JOINT_BYTES * j;
    const parent: usize = readU32(joint, JOINT_PARENT);
    if (parent == 0) continue;
    addNumbers(I + 80 * parent, I + 80 * j, 10);
    addNumbers(E + 72 * parent, E + 72 * j, 9);
    addNumbers(F + 48 * parent, F + 48 * j, 6);
    addNumbers(M + 24 * parent, M + 24 * j, 3);
  }
}

/** D_q yet without S x* f, D_v, D_a and B_t of every column. */
function writeForceRates(): void {
  for (let j: usize = 1; j < jointCount; j++) {
    const joint = table + <usize>JOINT_BYTES * j;
    const i: usize = 80 * j;
    const e: usize = 72 * j;
    const t: usize = 24 * j;
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
    const e0 = readF64(E + e);
    const e1 = readF64(E + e, 8);
    const e2 = readF64(E + e, 16);
    const e3 = readF64(E + e, 24);
    const e4 = readF64(E + e, 32);
    const e5 = readF64(E + e, 40);
    const e6 = readF64(E + e, 48);
    const e7 = readF64(E + e, 56);
    const e8 = readF64(E + e, 64);
    const mx = 2 * readF64(M + t);
    const my = 2 * readF64(M + t, 8);
    const mz = 2 * readF64(M + t, 16);
    const end: usize = readU32(joint, JOINT_END);
    for (let c: usize = readU32(joint, JOINT_FIRST); c < end; c++) {
      const s: usize = 48 * c;
      const o: usize = RATE_BYTES * c;
      const s0 = readF64(S + s);
      const s1 = readF64(S + s, 8);
      const s2 = readF64(S + s, 16);
      const s3 = readF64(S + s, 24);
      const s4 = readF64(S + s, 32);
      const s5 = readF64(S + s, 40);
      writeF64(D + o, 96, m * s0 + s4 * hz - s5 * hy);
      writeF64(D + o, 104, m * s1 + s5 * hx - s3 * hz);
      writeF64(D + o, 112, m * s2 + s3 * hy - s4 * hx);
      writeF64(D + o, 120, xx * s3 + xy * s4 + xz * s5 + hy * s2 - hz * s1);
      writeF64(D + o, 128, xy * s3 + yy * s4 + yz * s5 + hz * s0 - hx * s2);
      writeF64(D + o, 136, xz * s3 + yz * s4 + zz * s5 + hx * s1 - hy * s0);
      writeF64(D + o, 144, my * s2 - mz * s1 + e0 * s3 + e3 * s4 + e6 * s5);
      writeF64(D + o, 152, mz * s0 - mx * s2 + e1 * s3 + e4 * s4 + e7 * s5);
      writeF64(D + o, 160, mx * s1 - my * s0 + e2 * s3 + e5 * s4 + e8 * s5);
      let r0 = readF64(Q + s);
      let r1 = readF64(Q + s, 8);
      let r2 = readF64(Q + s, 16);
      let r3 = readF64(Q + s, 24);
      let r4 = readF64(Q + s, 32);
      let r5 = readF64(Q + s, 40);
      writeF64(D + o, 48, m * r0 + r4 * hz - r5 * hy + mz * s4 - my * s5);
      writeF64(D + o, 56, m * r1 + r5 * hx - r3 * hz + mx * s5 - mz * s3);
      writeF64(D + o, 64, m * r2 + r3 * hy - r4 * hx + my * s3 - mx * s4);
      writeF64(D + o, 72, xx * r3 + xy * r4 + xz * r5 + hy * r2 - hz * r1 + e0 * s3 + e1 * s4 + e2 * s5);
      writeF64(D + o, 80, xy * r3 + yy * r4 + yz * r5 + hz * r0 - hx * r2 + e3 * s3 + e4 * s4 + e5 * s5);
      writeF64(D + o, 88, xz * r3 + yz * r4 + zz * r5 + hx * r1 - hy * r0 + e6 * s3 + e7 * s4 + e8 * s5);
      r0 = readF64(R + s);
      r1 = readF64(R + s, 8);
      r2 = readF64(R + s, 16);
      r3 = readF64(R + s, 24);
      r4 = readF64(R + s, 32);
      r5 = readF64(R + s, 40);
      const p3 = readF64(P + s, 24);
      const p4 = readF64(P + s, 32);
      const p5 = readF64(P + s, 40);
      writeF64(D + o, 0, m * r0 + r4 * hz - r5 * hy + mz * p4 - my * p5);
      writeF64(D + o, 8, m * r1 + r5 * hx - r3 * hz + mx * p5 - mz * p3);
      writeF64(D + o, 16, m * r2 + r3 * hy - r4 * hx + my * p3 - mx * p4);
      writeF64(D + o, 24, xx * r3 + xy * r4 + xz * r5 + hy * r2 - hz * r1 + e0 * p3 + e1 * p4 + e2 * p5);
      writeF64(D + o, 32, xy * r3 + yy * r4 + yz * r5 + hz * r0 - hx * r2 + e3 * p3 + e4 * p4 + e5 * p5);
      writeF64(D + o, 40, xz * r3 + yz * r4 + zz * r5 + hx * r1 - hy * r0 + e6 * p3 + e7 * p4 + e8 * p5);
    }
  }
}

/** What each joint's columns feel of each other, then D_q whole. */
function addForceTurns(byQ: usize, byV: usize): void {
  for (let j: usize = 1; j < jointCount; j++) {
    const joint = table + <usize>JOINT_BYTES * j;
    const k: usize = 48 * j;
    const f0 = readF64(F + k);
    const f1 = readF64(F + k, 8);
    const f2 = readF64(F + k, 16);
    const n0 = readF64(F + k, 24);
    const n1 = readF64(F + k, 32);
    const n2 = readF64(F + k, 40);
    const first: usize = readU32(joint, JOINT_FIRST);
    const end: usize = readU32(joint, JOINT_END);
    for (let c = first; c < end; c++) {
      const o: usize = RATE_BYTES * c;
      const q0 = readF64(D + o);
      const q1 = readF64(D + o, 8);
      const q2 = readF64(D + o, 16);
      const q3 = readF64(D + o, 24);
      const q4 = readF64(D + o, 32);
      const q5 = readF64(D + o, 40);
      for (let d = first; d < end; d++) {
        const s: usize = 48 * d;
        const s0 = readF64(S + s);
        const s1 = readF64(S + s, 8);
        const s2 = readF64(S + s, 16);
        const s3 = readF64(S + s, 24);
        const s4 = readF64(S + s, 32);
        const s5 = readF64(S + s, 40);
        const at = (d * n + c) << 3;
        writeF64(byQ + at, 0, readF64(byQ + at) + (s0 * q0 + s1 * q1 + s2 * q2 + s3 * q3 + s4 * q4 + s5 * q5));
        writeF64(
          byV + at,
          0,
          readF64(byV + at) +
            (s0 * readF64(D + o, 48) +
              s1 * readF64(D + o, 56) +
              s2 * readF64(D + o, 64) +
              s3 * readF64(D + o, 72) +
              s4 * readF64(D + o, 80) +
              s5 * readF64(D + o, 88)),
        );
      }
      if (readU32(joint, JOINT_PARENT) == 0) continue;
      const s: usize = 48 * c;
      const s0 = readF64(S + s);
      const s1 = readF64(S + s, 8);
      const s2 = readF64(S + s, 16);
      const s3 = readF64(S + s, 24);
      const s4 = readF64(S + s, 32);
      const s5 = readF64(S + s, 40);
      writeF64(D + o, 0, q0 + s4 * f2 - s5 * f1);
      writeF64(D + o, 8, q1 + s5 * f0 - s3 * f2);
      writeF64(D + o, 16, q2 + s3 * f1 - s4 * f0);
      writeF64(D + o, 24, q3 + s4 * n2 - s5 * n1 + s1 * f2 - s2 * f1);
      writeF64(D + o, 32, q4 + s5 * n0 - s3 * n2 + s2 * f0 - s0 * f2);
      writeF64(D + o, 40, q5 + s3 * n1 - s4 * n0 + s0 * f1 - s1 * f0);
    }
  }
}
