/**
 * The volume of a node from the volumes below it.
 *
 * Items are rounded boxes: record i of `items` (16 numbers) is pose R, p in the node's first link, half extents, and the
 * radius by which the box is rounded (sphere and capsule links; 0 for boxes of nodes).
 *
 * Method, boxes: axes are those of the first or the last item, or, around links, the principal axes of the items' corners,
 * whichever gives the smallest surface; extents are the items' exact ones along these axes, so the result holds every
 * item. The ball about its centre is the smaller of the box's own and the one around the items' balls.
 * Balls: the smallest ball around two balls.
 * Source: Gottschalk, Lin, Manocha 1996, section 4, doi:10.1145/237170.237244; Lotan, Schwarzer, Halperin, Latombe 2002,
 * section 2.2, ACM Symposium on Computational Geometry.
 * Rounding: extents grow by 1e-14 of their size, more than the sums lose, so that containment survives every level.
 * Cost: some 150 flops per item and candidate. Checked by the shipped validation in chain.test.ts.
 */
import { orthonormalizeAt } from './orthonormalize.js';
import { writePrincipalAxes } from './principal-axes.js';
import { BOX_STRIDE, HALF, RADIUS } from './tree-layout.js';

const moment = new Float64Array(9);
/** Axes of the candidate being tried, in columns. */
export const axes = new Float64Array(9);
const bounds = new Float64Array(6);
const best = new Float64Array(6);
const bestAxes = new Float64Array(9);

export const ROUNDING = 1e-14;

/** Candidate -1: the principal axes; 0 and 1: those of the first and the last item. */
export const PRINCIPAL = -1;
/**
 * Principal axes must give a surface this much smaller to be taken. Boxes that share their axes with the boxes below stay
 * tight on the way up, which is worth more than a slightly smaller box at the bottom: on a jittered lattice of 10,000
 * links 174 instead of 350 to 760 box tests per step, on a loose coil 320 instead of 302.
 */
const PRINCIPAL_HANDICAP = 1.3;

/** Writes the node's frame (12 numbers at frameAt) and half extents and radius (at boxAt + 12). */
export function fitBox(
  frames: Float64Array,
  frameAt: number,
  boxes: Float64Array,
  boxAt: number,
  items: Float64Array,
  count: number,
): void {
  let smallest = Infinity;
  // Only boxes around links look for axes of their own; the half extents of links across their axis are 0.
  for (let candidate = items[HALF] === 0 ? PRINCIPAL : 0; candidate < 2; candidate++) {
    writeCandidateAxes(candidate, items, count);
    boundItems(items, count);
    const x = bounds[3] - bounds[0];
    const y = bounds[4] - bounds[1];
    const z = bounds[5] - bounds[2];
    const area = (x * y + y * z + z * x) * (candidate === PRINCIPAL ? PRINCIPAL_HANDICAP : 1);
    if (area >= smallest) continue;
    smallest = area;
    for (let k = 0; k < 6; k++) best[k] = bounds[k];
    for (let k = 0; k < 9; k++) bestAxes[k] = axes[k];
  }
  let half = 0;
  for (let k = 0; k < 3; k++) {
    const h = 0.5 * (best[k + 3] - best[k]);
    bounds[k] = 0.5 * (best[k + 3] + best[k]);
    boxes[boxAt + HALF + k] = h + ROUNDING * (h + Math.abs(bounds[k]));
    half += boxes[boxAt + HALF + k] ** 2;
  }
  for (let k = 0; k < 9; k++) frames[frameAt + k] = bestAxes[k];
  for (let r = 0; r < 3; r++) {
    frames[frameAt + 9 + r] =
      bestAxes[3 * r] * bounds[0] + bestAxes[3 * r + 1] * bounds[1] + bestAxes[3 * r + 2] * bounds[2];
  }
  boxes[boxAt + RADIUS] = Math.min(Math.sqrt(half), ballAround(frames, frameAt, items, count)) * (1 + ROUNDING);
}

/** Writes `axes`. */
export function writeCandidateAxes(candidate: number, items: Float64Array, count: number): void {
  if (candidate === PRINCIPAL) {
    writeMoment(items, count);
    writePrincipalAxes(axes, moment);
    return;
  }
  const item = candidate * (count - 1);
  for (let k = 0; k < 9; k++) axes[k] = items[BOX_STRIDE * item + k];
  // Axes handed up through products of poses would grow their error from level to level.
  orthonormalizeAt(axes, 0);
}

/** As `fitBox`, for a hierarchy of balls: two items or one, their radii at +15 of the item. */
export function fitBall(
  frames: Float64Array,
  frameAt: number,
  boxes: Float64Array,
  boxAt: number,
  items: Float64Array,
  count: number,
): void {
  const b = count > 1 ? BOX_STRIDE : 0;
  const ra = reachOf(items, 0);
  const rb = reachOf(items, b);
  const dx = items[b + 9] - items[9];
  const dy = items[b + 10] - items[10];
  const dz = items[b + 11] - items[11];
  const d = Math.sqrt(dx * dx + dy * dy + dz * dz);
  let radius = 0.5 * (d + ra + rb);
  let t = d > 0 ? (radius - ra) / d : 0;
  if (ra >= d + rb) {
    radius = ra;
    t = 0;
  } else if (rb >= d + ra) {
    radius = rb;
    t = 1;
  }
  for (let k = 0; k < 9; k++) frames[frameAt + k] = k % 4 === 0 ? 1 : 0;
  frames[frameAt + 9] = items[9] + t * dx;
  frames[frameAt + 10] = items[10] + t * dy;
  frames[frameAt + 11] = items[11] + t * dz;
  radius += ROUNDING * (radius + d);
  for (let k = HALF; k <= RADIUS; k++) boxes[boxAt + k] = radius;
}

/** Radius of a ball about an item's centre that holds it. */
function reachOf(items: Float64Array, at: number): number {
  return Math.sqrt(items[at + 12] ** 2 + items[at + 13] ** 2 + items[at + 14] ** 2) + items[at + 15];
}

/** Radius of the ball about the centre of the frame at frameAt around the items' balls. */
export function ballAround(frames: Float64Array, frameAt: number, items: Float64Array, count: number): number {
  let radius = 0;
  for (let i = 0; i < count; i++) {
    const at = BOX_STRIDE * i;
    const x = items[at + 9] - frames[frameAt + 9];
    const y = items[at + 10] - frames[frameAt + 10];
    const z = items[at + 11] - frames[frameAt + 11];
    radius = Math.max(radius, Math.sqrt(x * x + y * y + z * z) + reachOf(items, at));
  }
  return radius;
}

/** Second moment of the corners of all items about their mean, into `moment`. */
function writeMoment(items: Float64Array, count: number): void {
  let mx = 0;
  let my = 0;
  let mz = 0;
  for (let i = 0; i < count; i++) {
    mx += items[BOX_STRIDE * i + 9] / count;
    my += items[BOX_STRIDE * i + 10] / count;
    mz += items[BOX_STRIDE * i + 11] / count;
  }
  let xx = 0;
  let yx = 0;
  let yy = 0;
  let zx = 0;
  let zy = 0;
  let zz = 0;
  for (let i = 0; i < count; i++) {
    const at = BOX_STRIDE * i;
    const x = items[at + 9] - mx;
    const y = items[at + 10] - my;
    const z = items[at + 11] - mz;
    xx += x * x;
    yx += y * x;
    yy += y * y;
    zx += z * x;
    zy += z * y;
    zz += z * z;
    for (let k = 0; k < 3; k++) {
      const h = items[at + HALF + k] ** 2;
      const ux = items[at + k];
      const uy = items[at + 3 + k];
      const uz = items[at + 6 + k];
      xx += h * ux * ux;
      yx += h * uy * ux;
      yy += h * uy * uy;
      zx += h * uz * ux;
      zy += h * uz * uy;
      zz += h * uz * uz;
    }
  }
  moment[0] = xx;
  moment[3] = yx;
  moment[4] = yy;
  moment[6] = zx;
  moment[7] = zy;
  moment[8] = zz;
}

/** Extents of all items along `axes`, into `bounds`: lower 0..2, upper 3..5. */
function boundItems(items: Float64Array, count: number): void {
  for (let k = 0; k < 3; k++) {
    const ux = axes[k];
    const uy = axes[k + 3];
    const uz = axes[k + 6];
    let lower = Infinity;
    let upper = -Infinity;
    for (let i = 0; i < count; i++) {
      const at = BOX_STRIDE * i;
      const centre = ux * items[at + 9] + uy * items[at + 10] + uz * items[at + 11];
      const reach =
        Math.abs(ux * items[at] + uy * items[at + 3] + uz * items[at + 6]) * items[at + 12] +
        Math.abs(ux * items[at + 1] + uy * items[at + 4] + uz * items[at + 7]) * items[at + 13] +
        Math.abs(ux * items[at + 2] + uy * items[at + 5] + uz * items[at + 8]) * items[at + 14] +
        items[at + 15];
      lower = Math.min(lower, centre - reach);
      upper = Math.max(upper, centre + reach);
    }
    bounds[k] = lower;
    bounds[k + 3] = upper;
  }
}
