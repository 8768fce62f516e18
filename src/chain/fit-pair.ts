/**
 * The box of a node from the boxes of its two children, and the children's poses in it: the step that every update of a
 * ChainTree repeats on its way up.
 *
 * Method: as fit-volume.ts with one level and two boxes, written out. With R the second box's axes in the first, the extents
 * along the first one's axes are its own and |R| h, along the second one's |R|^T h, so one product of rotations serves both
 * candidates, and the children's poses in the chosen box are the identity and R, moved.
 * The axes with the smaller surface win. Axes handed up from the first child are copied bit by bit, those from the second
 * are made orthonormal again.
 * Records and frames: tree-layout.ts. `second`: pose of the second box in the node's first link, 12 numbers.
 * Cost: some 150 flops. Checked by the shipped validation in test/contract/chain.test.ts.
 */
import { orthonormalizeAt } from './orthonormalize.js';
import { BOX_STRIDE, HALF, RADIUS } from './tree-layout.js';

/** More than the sums lose, so that containment survives every level. */
const ROUNDING = 1e-14;

/** Writes frame and extents of `node`, and the poses of its children `left` and `left + 1` in it. */
export function fitPair(
  frames: Float64Array,
  boxes: Float64Array,
  node: number,
  left: number,
  second: Float64Array,
): void {
  const f = 12 * left;
  const a = BOX_STRIDE * left;
  const b = a + BOX_STRIDE;
  const a0 = frames[f];
  const a1 = frames[f + 1];
  const a2 = frames[f + 2];
  const a3 = frames[f + 3];
  const a4 = frames[f + 4];
  const a5 = frames[f + 5];
  const a6 = frames[f + 6];
  const a7 = frames[f + 7];
  const a8 = frames[f + 8];
  const b0 = second[0];
  const b1 = second[1];
  const b2 = second[2];
  const b3 = second[3];
  const b4 = second[4];
  const b5 = second[5];
  const b6 = second[6];
  const b7 = second[7];
  const b8 = second[8];
  const px = second[9] - frames[f + 9];
  const py = second[10] - frames[f + 10];
  const pz = second[11] - frames[f + 11];
  const r00 = a0 * b0 + a3 * b3 + a6 * b6;
  const r01 = a0 * b1 + a3 * b4 + a6 * b7;
  const r02 = a0 * b2 + a3 * b5 + a6 * b8;
  const r10 = a1 * b0 + a4 * b3 + a7 * b6;
  const r11 = a1 * b1 + a4 * b4 + a7 * b7;
  const r12 = a1 * b2 + a4 * b5 + a7 * b8;
  const r20 = a2 * b0 + a5 * b3 + a8 * b6;
  const r21 = a2 * b1 + a5 * b4 + a8 * b7;
  const r22 = a2 * b2 + a5 * b5 + a8 * b8;
  const ax = boxes[a + HALF];
  const ay = boxes[a + HALF + 1];
  const az = boxes[a + HALF + 2];
  const bx = boxes[b + HALF];
  const by = boxes[b + HALF + 1];
  const bz = boxes[b + HALF + 2];
  // The second box along the first one's axes: centre d, reach g; the first along the second one's: centre -e, reach h.
  const dx = a0 * px + a3 * py + a6 * pz;
  const dy = a1 * px + a4 * py + a7 * pz;
  const dz = a2 * px + a5 * py + a8 * pz;
  const gx = Math.abs(r00) * bx + Math.abs(r01) * by + Math.abs(r02) * bz;
  const gy = Math.abs(r10) * bx + Math.abs(r11) * by + Math.abs(r12) * bz;
  const gz = Math.abs(r20) * bx + Math.abs(r21) * by + Math.abs(r22) * bz;
  const ex = b0 * px + b3 * py + b6 * pz;
  const ey = b1 * px + b4 * py + b7 * pz;
  const ez = b2 * px + b5 * py + b8 * pz;
  const hx = Math.abs(r00) * ax + Math.abs(r10) * ay + Math.abs(r20) * az;
  const hy = Math.abs(r01) * ax + Math.abs(r11) * ay + Math.abs(r21) * az;
  const hz = Math.abs(r02) * ax + Math.abs(r12) * ay + Math.abs(r22) * az;
  const lowAx = Math.min(-ax, dx - gx);
  const lowAy = Math.min(-ay, dy - gy);
  const lowAz = Math.min(-az, dz - gz);
  const sizeAx = Math.max(ax, dx + gx) - lowAx;
  const sizeAy = Math.max(ay, dy + gy) - lowAy;
  const sizeAz = Math.max(az, dz + gz) - lowAz;
  const lowBx = Math.min(-bx, -ex - hx);
  const lowBy = Math.min(-by, -ey - hy);
  const lowBz = Math.min(-bz, -ez - hz);
  const sizeBx = Math.max(bx, hx - ex) - lowBx;
  const sizeBy = Math.max(by, hy - ey) - lowBy;
  const sizeBz = Math.max(bz, hz - ez) - lowBz;
  const to = 12 * node;
  const out = BOX_STRIDE * node;
  let cx: number;
  let cy: number;
  let cz: number;
  let sx: number;
  let sy: number;
  let sz: number;
  if (sizeAx * sizeAy + sizeAy * sizeAz + sizeAz * sizeAx <= sizeBx * sizeBy + sizeBy * sizeBz + sizeBz * sizeBx) {
    sx = 0.5 * sizeAx;
    sy = 0.5 * sizeAy;
    sz = 0.5 * sizeAz;
    cx = lowAx + sx;
    cy = lowAy + sy;
    cz = lowAz + sz;
    for (let k = 0; k < 9; k++) frames[to + k] = frames[f + k];
    frames[to + 9] = frames[f + 9] + a0 * cx + a1 * cy + a2 * cz;
    frames[to + 10] = frames[f + 10] + a3 * cx + a4 * cy + a5 * cz;
    frames[to + 11] = frames[f + 11] + a6 * cx + a7 * cy + a8 * cz;
    writePose(boxes, a, 1, 0, 0, 0, 1, 0, 0, 0, 1, -cx, -cy, -cz);
    writePose(boxes, b, r00, r01, r02, r10, r11, r12, r20, r21, r22, dx - cx, dy - cy, dz - cz);
  } else {
    sx = 0.5 * sizeBx;
    sy = 0.5 * sizeBy;
    sz = 0.5 * sizeBz;
    cx = lowBx + sx;
    cy = lowBy + sy;
    cz = lowBz + sz;
    for (let k = 0; k < 9; k++) frames[to + k] = second[k];
    orthonormalizeAt(frames, to);
    frames[to + 9] = second[9] + b0 * cx + b1 * cy + b2 * cz;
    frames[to + 10] = second[10] + b3 * cx + b4 * cy + b5 * cz;
    frames[to + 11] = second[11] + b6 * cx + b7 * cy + b8 * cz;
    writePose(boxes, a, r00, r10, r20, r01, r11, r21, r02, r12, r22, -ex - cx, -ey - cy, -ez - cz);
    writePose(boxes, b, 1, 0, 0, 0, 1, 0, 0, 0, 1, -cx, -cy, -cz);
  }
  sx += ROUNDING * (sx + Math.abs(cx));
  sy += ROUNDING * (sy + Math.abs(cy));
  sz += ROUNDING * (sz + Math.abs(cz));
  boxes[out + HALF] = sx;
  boxes[out + HALF + 1] = sy;
  boxes[out + HALF + 2] = sz;
  // A ball about the centre: around the box, or around the balls of the children.
  const around = Math.max(distanceOf(boxes, a) + boxes[a + RADIUS], distanceOf(boxes, b) + boxes[b + RADIUS]);
  boxes[out + RADIUS] = Math.min(Math.sqrt(sx * sx + sy * sy + sz * sz), around) * (1 + ROUNDING);
}

function distanceOf(boxes: Float64Array, at: number): number {
  const x = boxes[at + 9];
  const y = boxes[at + 10];
  const z = boxes[at + 11];
  return Math.sqrt(x * x + y * y + z * z);
}

function writePose(
  boxes: Float64Array,
  at: number,
  r0: number,
  r1: number,
  r2: number,
  r3: number,
  r4: number,
  r5: number,
  r6: number,
  r7: number,
  r8: number,
  x: number,
  y: number,
  z: number,
): void {
  boxes[at] = r0;
  boxes[at + 1] = r1;
  boxes[at + 2] = r2;
  boxes[at + 3] = r3;
  boxes[at + 4] = r4;
  boxes[at + 5] = r5;
  boxes[at + 6] = r6;
  boxes[at + 7] = r7;
  boxes[at + 8] = r8;
  boxes[at + 9] = x;
  boxes[at + 10] = y;
  boxes[at + 11] = z;
}
