// Inverse dynamics: src/dynamics/rnea.ts, to the same bits. Relative placements are made on the way.
//
// Method, sources, frames: as there. Cost: linear in joints. Tests: src/dynamics/recursions.test.ts.
import {
  JOINT_BYTES,
  JOINT_END,
  JOINT_FIRST,
  JOINT_LAST_AXIS,
  JOINT_NEXT_AXIS,
  JOINT_PARENT,
  JOINT_Q,
  JOINT_SHORTCUT,
  JOINT_UNIT,
  RECURSION_A,
  RECURSION_AXES,
  RECURSION_BASES,
  RECURSION_BYTES,
  RECURSION_FORCES,
  RECURSION_JOINTS,
  RECURSION_MOMENTS,
  RECURSION_MOTIONS,
  RECURSION_Q,
  RECURSION_RELATIVE,
  RECURSION_SUBSPACES,
  RECURSION_TABLE,
  RECURSION_TAU,
  RECURSION_V,
} from '../../src/kernel/layout';
import { closeWork, openWork, readF64, readU32, writeF64 } from '../memory';
import { cosine, sinCos, sine } from './joint-table';

/** Torques of q, v, a and the base's acceleration; 0 when an angle needs the slow path of `sinCos`. */
export function runRnea(block: usize): i32 {
  openWork(block, load<u32>(block, RECURSION_BYTES), 0, 0);
  const isDone = writeBodyForces(block);
  if (isDone) collectTorques(block);
  closeWork();
  return isDone ? 1 : 0;
}

/** X_PM of a joint that turns about a coordinate axis or shifts. */
@inline
function placeJoint(joint: usize, X: usize, B: usize, axis: usize, value: f64): bool {
  if (readU32(joint, JOINT_SHORTCUT) <= 3) {
    if (!sinCos(value)) return false;
    const s = sine;
    const c = cosine;
    const a: usize = readU32(joint, JOINT_NEXT_AXIS);
    const b: usize = readU32(joint, JOINT_LAST_AXIS);
    const a0 = readF64(B + a);
    const a1 = readF64(B + a, 24);
    const a2 = readF64(B + a, 48);
    const b0 = readF64(B + b);
    const b1 = readF64(B + b, 24);
    const b2 = readF64(B + b, 48);
    writeF64(X + a, 0, c * a0 + s * b0);
    writeF64(X + a, 24, c * a1 + s * b1);
    writeF64(X + a, 48, c * a2 + s * b2);
    writeF64(X + b, 0, c * b0 - s * a0);
    writeF64(X + b, 24, c * b1 - s * a1);
    writeF64(X + b, 48, c * b2 - s * a2);
    return true;
  }
  const x = value * readF64(axis);
  const y = value * readF64(axis, 8);
  const z = value * readF64(axis, 16);
  writeF64(X, 72, readF64(B, 72) + readF64(B) * x + readF64(B, 8) * y + readF64(B, 16) * z);
  writeF64(X, 80, readF64(B, 80) + readF64(B, 24) * x + readF64(B, 32) * y + readF64(B, 40) * z);
  writeF64(X, 88, readF64(B, 88) + readF64(B, 48) * x + readF64(B, 56) * y + readF64(B, 64) * z);
  return true;
}

/** Motion of every body and the force it needs. */
function writeBodyForces(block: usize): bool {
  const jointCount: usize = readU32(block, RECURSION_JOINTS);
  const table: usize = readU32(block, RECURSION_TABLE);
  const X: usize = readU32(block, RECURSION_RELATIVE);
  const bases: usize = readU32(block, RECURSION_BASES);
  const axes: usize = readU32(block, RECURSION_AXES);
  const B: usize = readU32(block, RECURSION_MOTIONS);
  const N: usize = readU32(block, RECURSION_MOMENTS);
  const F: usize = readU32(block, RECURSION_FORCES);
  const S: usize = readU32(block, RECURSION_SUBSPACES);
  const q: usize = readU32(block, RECURSION_Q);
  const v: usize = readU32(block, RECURSION_V);
  const a: usize = readU32(block, RECURSION_A);
  for (let j: usize = 1; j < jointCount; j++) {
    const joint = table + <usize>JOINT_BYTES * j;
    const shortcut = readU32(joint, JOINT_SHORTCUT);
    const unit = <i32>readU32(joint, JOINT_UNIT);
    const first: usize = readU32(joint, JOINT_FIRST);
    const end: usize = readU32(joint, JOINT_END);
    const p: usize = 144 * <usize>readU32(joint, JOINT_PARENT);
    const x: usize = 96 * j;
    if (shortcut != 0 && shortcut != 4) {
      const value = readF64(q + ((<usize>readU32(joint, JOINT_Q)) << 3));
      if (!placeJoint(joint, X + x, bases + x, axes + 24 * j, value)) return false;
    }
    const r0 = readF64(X + x);
    const r1 = readF64(X + x, 8);
    const r2 = readF64(X + x, 16);
    const r3 = readF64(X + x, 24);
    const r4 = readF64(X + x, 32);
    const r5 = readF64(X + x, 40);
    const r6 = readF64(X + x, 48);
    const r7 = readF64(X + x, 56);
    const r8 = readF64(X + x, 64);
    const px = readF64(X + x, 72);
    const py = readF64(X + x, 80);
    const pz = readF64(X + x, 88);
    // The parent's motion at this origin, in this joint's axes: t and e its angular parts.
    let gx = readF64(B + p);
    let gy = readF64(B + p, 8);
    let gz = readF64(B + p, 16);
    const tx = r0 * gx + r3 * gy + r6 * gz;
    const ty = r1 * gx + r4 * gy + r7 * gz;
    const tz = r2 * gx + r5 * gy + r8 * gz;
    gx = readF64(B + p, 24);
    gy = readF64(B + p, 32);
    gz = readF64(B + p, 40);
    let ex = r0 * gx + r3 * gy + r6 * gz;
    let ey = r1 * gx + r4 * gy + r7 * gz;
    let ez = r2 * gx + r5 * gy + r8 * gz;
    gx = readF64(B + p, 48) + readF64(B + p, 72) * px + readF64(B + p, 80) * py + readF64(B + p, 88) * pz;
    gy = readF64(B + p, 56) + readF64(B + p, 96) * px + readF64(B + p, 104) * py + readF64(B + p, 112) * pz;
    gz = readF64(B + p, 64) + readF64(B + p, 120) * px + readF64(B + p, 128) * py + readF64(B + p, 136) * pz;
    let ax = r0 * gx + r3 * gy + r6 * gz;
    let ay = r1 * gx + r4 * gy + r7 * gz;
    let az = r2 * gx + r5 * gy + r8 * gz;
    let wx = tx;
    let wy = ty;
    let wz = tz;
    if (unit >= 0) {
      const rate = readF64(v + (first << 3));
      const gain = readF64(a + (first << 3));
      if (unit === 5) {
        wz += rate;
        ex += ty * rate;
        ey -= tx * rate;
        ez += gain;
      } else if (unit === 4) {
        wy += rate;
        ex -= tz * rate;
        ey += gain;
        ez += tx * rate;
      } else if (unit === 3) {
        wx += rate;
        ex += gain;
        ey += tz * rate;
        ez -= ty * rate;
      } else if (unit === 2) {
        ax += 2 * ty * rate;
        ay -= 2 * tx * rate;
        az += gain;
      } else if (unit === 1) {
        ax -= 2 * tz * rate;
        ay += gain;
        az += 2 * tx * rate;
      } else {
        ax += gain;
        ay += 2 * tz * rate;
        az -= 2 * ty * rate;
      }
    } else {
      let lx: f64 = 0;
      let ly: f64 = 0;
      let lz: f64 = 0;
      let jx: f64 = 0;
      let jy: f64 = 0;
      let jz: f64 = 0;
      let mx: f64 = 0;
      let my: f64 = 0;
      let mz: f64 = 0;
      let kx: f64 = 0;
      let ky: f64 = 0;
      let kz: f64 = 0;
      for (let c = first; c < end; c++) {
        const s: usize = 48 * c;
        const rate = readF64(v + (c << 3));
        const gain = readF64(a + (c << 3));
        lx += readF64(S + s) * rate;
        ly += readF64(S + s, 8) * rate;
        lz += readF64(S + s, 16) * rate;
        jx += readF64(S + s, 24) * rate;
        jy += readF64(S + s, 32) * rate;
        jz += readF64(S + s, 40) * rate;
        mx += readF64(S + s) * gain;
        my += readF64(S + s, 8) * gain;
        mz += readF64(S + s, 16) * gain;
        kx += readF64(S + s, 24) * gain;
        ky += readF64(S + s, 32) * gain;
        kz += readF64(S + s, 40) * gain;
      }
      ex += ty * jz - tz * jy + kx;
      ey += tz * jx - tx * jz + ky;
      ez += tx * jy - ty * jx + kz;
      wx += jx;
      wy += jy;
      wz += jz;
      const sx = tx + wx;
      const sy = ty + wy;
      const sz = tz + wz;
      ax += sy * lz - sz * ly + mx;
      ay += sz * lx - sx * lz + my;
      az += sx * ly - sy * lx + mz;
    }
    const o: usize = 144 * j;
    writeF64(B + o, 0, wx);
    writeF64(B + o, 8, wy);
    writeF64(B + o, 16, wz);
    writeF64(B + o, 24, ex);
    writeF64(B + o, 32, ey);
    writeF64(B + o, 40, ez);
    writeF64(B + o, 48, ax);
    writeF64(B + o, 56, ay);
    writeF64(B + o, 64, az);
    const xx = wx * wx;
    const yy = wy * wy;
    const zz = wz * wz;
    const xy = wx * wy;
    const xz = wx * wz;
    const yz = wy * wz;
    const t0 = -yy - zz;
    const t1 = xy - ez;
    const t2 = xz + ey;
    const t3 = xy + ez;
    const t4 = -xx - zz;
    const t5 = yz - ex;
    const t6 = xz - ey;
    const t7 = yz + ex;
    const t8 = -xx - yy;
    writeF64(B + o, 72, t0);
    writeF64(B + o, 80, t1);
    writeF64(B + o, 88, t2);
    writeF64(B + o, 96, t3);
    writeF64(B + o, 104, t4);
    writeF64(B + o, 112, t5);
    writeF64(B + o, 120, t6);
    writeF64(B + o, 128, t7);
    writeF64(B + o, 136, t8);
    const i: usize = 80 * j;
    const m = readF64(N + i);
    const hx = readF64(N + i, 8);
    const hy = readF64(N + i, 16);
    const hz = readF64(N + i, 24);
    const nxx = readF64(N + i, 32);
    const nxy = readF64(N + i, 40);
    const nxz = readF64(N + i, 48);
    const nyy = readF64(N + i, 56);
    const nyz = readF64(N + i, 64);
    const nzz = readF64(N + i, 72);
    const n: usize = 48 * j;
    writeF64(F + n, 0, m * ax + t0 * hx + t1 * hy + t2 * hz);
    writeF64(F + n, 8, m * ay + t3 * hx + t4 * hy + t5 * hz);
    writeF64(F + n, 16, m * az + t6 * hx + t7 * hy + t8 * hz);
    writeF64(F + n, 24, hy * az - hz * ay + t6 * nxy + t7 * nyy - t5 * nzz - t3 * nxz + (zz - yy) * nyz);
    writeF64(F + n, 32, hz * ax - hx * az + t1 * nyz + t2 * nzz - t6 * nxx - t7 * nxy + (xx - zz) * nxz);
    writeF64(F + n, 40, hx * ay - hy * ax + t3 * nxx + t5 * nxz - t1 * nyy - t2 * nyz + (yy - xx) * nxy);
  }
  return true;
}

/** tau = S^T f, inward; leaves the force each joint transmits. */
function collectTorques(block: usize): void {
  const table: usize = readU32(block, RECURSION_TABLE);
  const X: usize = readU32(block, RECURSION_RELATIVE);
  const F: usize = readU32(block, RECURSION_FORCES);
  const S: usize = readU32(block, RECURSION_SUBSPACES);
  const out: usize = readU32(block, RECURSION_TAU);
  for (let j: usize = <usize>readU32(block, RECURSION_JOINTS) - 1; j > 0; j--) {
    const joint = table + <usize>JOINT_BYTES * j;
    const k: usize = 48 * j;
    const fx = readF64(F + k);
    const fy = readF64(F + k, 8);
    const fz = readF64(F + k, 16);
    const nx = readF64(F + k, 24);
    const ny = readF64(F + k, 32);
    const nz = readF64(F + k, 40);
    const unit = <i32>readU32(joint, JOINT_UNIT);
    const first: usize = readU32(joint, JOINT_FIRST);
    if (unit >= 0) {
      const to = out + (first << 3);
      writeF64(to, 0, readF64(to) + readF64(F + k + ((<usize>unit) << 3)));
    } else {
      const end: usize = readU32(joint, JOINT_END);
      for (let c = first; c < end; c++) {
        const s = S + 48 * c;
        const to = out + (c << 3);
        const moment = readF64(s) * fx + readF64(s, 8) * fy + readF64(s, 16) * fz;
        writeF64(to, 0, readF64(to) + (moment + readF64(s, 24) * nx + readF64(s, 32) * ny + readF64(s, 40) * nz));
      }
    }
    const p: usize = 48 * <usize>readU32(joint, JOINT_PARENT);
    if (p == 0) continue;
    const x: usize = 96 * j;
    const r0 = readF64(X + x);
    const r1 = readF64(X + x, 8);
    const r2 = readF64(X + x, 16);
    const r3 = readF64(X + x, 24);
    const r4 = readF64(X + x, 32);
    const r5 = readF64(X + x, 40);
    const r6 = readF64(X + x, 48);
    const r7 = readF64(X + x, 56);
    const r8 = readF64(X + x, 64);
    const px = readF64(X + x, 72);
    const py = readF64(X + x, 80);
    const pz = readF64(X + x, 88);
    const gx = r0 * fx + r1 * fy + r2 * fz;
    const gy = r3 * fx + r4 * fy + r5 * fz;
    const gz = r6 * fx + r7 * fy + r8 * fz;
    writeF64(F + p, 0, readF64(F + p) + gx);
    writeF64(F + p, 8, readF64(F + p, 8) + gy);
    writeF64(F + p, 16, readF64(F + p, 16) + gz);
    writeF64(F + p, 24, readF64(F + p, 24) + (r0 * nx + r1 * ny + r2 * nz + py * gz - pz * gy));
    writeF64(F + p, 32, readF64(F + p, 32) + (r3 * nx + r4 * ny + r5 * nz + pz * gx - px * gz));
    writeF64(F + p, 40, readF64(F + p, 40) + (r6 * nx + r7 * ny + r8 * nz + px * gy - py * gx));
  }
}
