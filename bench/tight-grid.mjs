/**
 * The best grid that we know of for a chain of equal spheres of which one joint turns at a time: a baseline of the suite `chain`.
 *
 * Method: centres and axes alone are kept, in a frame in which the longer side of the turning joint stays; the shorter side is turned
 * about the axis, link by link away from the joint, and each link asks the 2 x 2 x 2 cells around its new place until one touches. Cells
 * are two touching distances wide. What stood in the cells is looked past where it belongs to the moving side, so that a step that is
 * taken back costs nothing more; one that is kept enters the shorter side at its new places. About N / 4 links move in the mean, none
 * of the others is looked at.
 */
import { createTransform } from '../dist/esm/math.js';

const FACTORS = [73856093, 19349663, 83492791];

class TightGrid {
  stats = { volumeTests: 0, pairTests: 0 };
  contactA = -1;
  contactB = -1;

  constructor(chain) {
    const { linkCount, links, exclusion, tolerance, origins, axes } = chain;
    for (let i = 0; i < linkCount; i++) {
      const isSphere = links.halfLengths[i] === 0 && links.radii[i] === links.radii[0];
      const isCentred = [9, 10, 11].every((k) => chain.shapes[12 * i + k] === 0);
      if (!isSphere || !isCentred)
        throw new Error(`tight grid: link ${i}, expected spheres of one radius at their frames`);
    }
    this.linkCount = linkCount;
    this.exclusion = exclusion;
    this.touching = (2 * links.radii[0] + tolerance) ** 2;
    this.inverseCell = 1 / (2 * (2 * links.radii[0] + tolerance));
    this.centers = new Float64Array(3 * linkCount);
    this.axes = new Float64Array(3 * (linkCount - 1));
    this.place(origins, axes);
    this.moved = new Float64Array(3 * linkCount);
    let size = 8;
    while (size < 2 * linkCount) size *= 2;
    this.mask = size - 1;
    this.heads = new Int32Array(size).fill(-1);
    this.next = new Int32Array(linkCount);
    this.buckets = new Int32Array(linkCount);
    for (let i = 0; i < linkCount; i++) this.enter(i);
    this.rotation = new Float64Array(9);
    this.pivot = new Float64Array(3);
    this.start = 0;
    this.end = 0;
    this.isPending = false;
  }

  /** Centres and the axes of the joints, in the frame of link 0. */
  place(origins, axes) {
    const pose = createTransform();
    for (let i = 0; i + 1 < this.linkCount; i++) {
      const at = 12 * i;
      const next = createTransform();
      for (let row = 0; row < 3; row++) {
        const [a, b, c] = [pose[3 * row], pose[3 * row + 1], pose[3 * row + 2]];
        for (let k = 0; k < 3; k++)
          next[3 * row + k] = a * origins[at + k] + b * origins[at + 3 + k] + c * origins[at + 6 + k];
        next[9 + row] = pose[9 + row] + a * origins[at + 9] + b * origins[at + 10] + c * origins[at + 11];
      }
      for (let k = 0; k < 12; k++) pose[k] = next[k];
      for (let row = 0; row < 3; row++) {
        this.centers[3 * (i + 1) + row] = pose[9 + row];
        this.axes[3 * i + row] =
          pose[3 * row] * axes[3 * i] + pose[3 * row + 1] * axes[3 * i + 1] + pose[3 * row + 2] * axes[3 * i + 2];
      }
    }
  }

  bucketOf(x, y, z) {
    return (Math.imul(x, FACTORS[0]) ^ Math.imul(y, FACTORS[1]) ^ Math.imul(z, FACTORS[2])) & this.mask;
  }

  enter(i) {
    const { centers, inverseCell } = this;
    const bucket = this.bucketOf(
      Math.floor(centers[3 * i] * inverseCell),
      Math.floor(centers[3 * i + 1] * inverseCell),
      Math.floor(centers[3 * i + 2] * inverseCell),
    );
    this.buckets[i] = bucket;
    this.next[i] = this.heads[bucket];
    this.heads[bucket] = i;
  }

  leave(i) {
    const { heads, next, buckets } = this;
    const bucket = buckets[i];
    if (heads[bucket] === i) heads[bucket] = next[i];
    else {
      let before = heads[bucket];
      while (next[before] !== i) before = next[before];
      next[before] = next[i];
    }
  }

  stageTurn(joint, angle) {
    if (this.isPending) throw new Error('tight grid: one joint at a time');
    const { axes, centers, rotation: R, pivot } = this;
    const isDistal = joint + 1 >= this.linkCount / 2;
    this.joint = joint;
    this.start = isDistal ? joint + 1 : 0;
    this.end = isDistal ? this.linkCount : joint + 1;
    // The other side turns the other way.
    const turn = isDistal ? angle : -angle;
    // An axis that is off in length makes R no rotation, which changes the other axes by as much: errors would double.
    const length = Math.hypot(axes[3 * joint], axes[3 * joint + 1], axes[3 * joint + 2]);
    const [x, y, z] = [0, 1, 2].map((k) => axes[3 * joint + k] / length);
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    const d = 1 - c;
    R[0] = c + x * x * d;
    R[1] = x * y * d - z * s;
    R[2] = x * z * d + y * s;
    R[3] = y * x * d + z * s;
    R[4] = c + y * y * d;
    R[5] = y * z * d - x * s;
    R[6] = z * x * d - y * s;
    R[7] = z * y * d + x * s;
    R[8] = c + z * z * d;
    for (let k = 0; k < 3; k++) pivot[k] = centers[3 * (joint + 1) + k];
    this.isPending = true;
  }

  apply() {}

  hasContact() {
    this.contactA = -1;
    if (!this.isPending) return false;
    const { start, end, joint } = this;
    // From the joint outwards: what is near it meets the rest soonest.
    const found =
      start === joint + 1 ? this.search(start, end, 1, start, end) : this.search(end - 1, start - 1, -1, start, end);
    if (!found) this.keep();
    return found;
  }

  search(first, past, step, start, end) {
    const { centers, moved, rotation: R, pivot, heads, next, mask, inverseCell, touching, exclusion } = this;
    const [px, py, pz] = pivot;
    const [r0, r1, r2, r3, r4, r5, r6, r7, r8] = R;
    let tests = 0;
    for (let i = first; i !== past; i += step) {
      const dx = centers[3 * i] - px;
      const dy = centers[3 * i + 1] - py;
      const dz = centers[3 * i + 2] - pz;
      const x = px + r0 * dx + r1 * dy + r2 * dz;
      const y = py + r3 * dx + r4 * dy + r5 * dz;
      const z = pz + r6 * dx + r7 * dy + r8 * dz;
      moved[3 * i] = x;
      moved[3 * i + 1] = y;
      moved[3 * i + 2] = z;
      const hx = Math.imul(Math.floor(x * inverseCell - 0.5), FACTORS[0]);
      const hy = Math.imul(Math.floor(y * inverseCell - 0.5), FACTORS[1]);
      const hz = Math.imul(Math.floor(z * inverseCell - 0.5), FACTORS[2]);
      for (let k = 0; k < 8; k++) {
        const kx = k & 1 ? (hx + FACTORS[0]) | 0 : hx;
        const ky = k & 2 ? (hy + FACTORS[1]) | 0 : hy;
        const kz = k & 4 ? (hz + FACTORS[2]) | 0 : hz;
        for (let j = heads[(kx ^ ky ^ kz) & mask]; j >= 0; j = next[j]) {
          if (j >= start && j < end) continue;
          const ex = centers[3 * j] - x;
          const ey = centers[3 * j + 1] - y;
          const ez = centers[3 * j + 2] - z;
          tests++;
          if (ex * ex + ey * ey + ez * ez > touching) continue;
          if (Math.abs(i - j) <= exclusion) continue;
          this.contactA = Math.min(i, j);
          this.contactB = Math.max(i, j);
          this.stats.pairTests += tests;
          return true;
        }
      }
    }
    this.stats.pairTests += tests;
    return false;
  }

  /** The step stands: places, axes and cells of the side that moved. */
  keep() {
    const { start, end, joint, centers, moved, axes, rotation: R } = this;
    for (let i = start; i < end; i++) this.leave(i);
    centers.set(moved.subarray(3 * start, 3 * end), 3 * start);
    for (let i = start; i < end; i++) this.enter(i);
    const [from, to] = start === joint + 1 ? [joint + 1, this.linkCount - 1] : [0, joint];
    for (let i = from; i < to; i++) {
      const [x, y, z] = [axes[3 * i], axes[3 * i + 1], axes[3 * i + 2]];
      axes[3 * i] = R[0] * x + R[1] * y + R[2] * z;
      axes[3 * i + 1] = R[3] * x + R[4] * y + R[5] * z;
      axes[3 * i + 2] = R[6] * x + R[7] * y + R[8] * z;
    }
    this.isPending = false;
  }

  undo() {
    this.isPending = false;
    return true;
  }

  dispose() {}
}

export const createTightGrid = (chain) => new TightGrid(chain);
