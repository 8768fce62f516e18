/**
 * The rectangle swept by a sphere around a node from the volumes below it.
 *
 * Items, candidate axes and the ball about the centre are those of fit-volume.ts. Along each candidate's three axes as the
 * rectangle's normal, the sphere's radius is at least half the content's thickness; the rectangle then gets the smallest
 * sides that hold the items' balls to the left, right, front and back, and a corner that a ball sticks out of is moved along
 * the side that adds less surface. A larger radius lets the rectangle shrink: a few multiples of the least one are tried.
 * The smallest surface is taken.
 * Containment: items are hulls of balls (a child's rectangle swept by a sphere is the hull of four), the volume is convex,
 * and a ball about p lies inside exactly when p is as far from the rectangle as the radii differ, or nearer.
 * Source: Larsen, Gottschalk, Lin, Manocha 2000, "Fast distance queries with rectangular swept sphere volumes", section 3,
 * doi:10.1109/ROBOT.2000.845311 (there around triangles, with the least radius).
 * Record: the box around the volume, as rectangle-gap.ts reads it, so whatever asks for a box gets one that holds the content.
 * Rounding: the radius grows by 1e-14 of the size. Cost: some 4,000 flops per candidate. Checked by the shipped validation
 * in test/contract/chain.test.ts.
 */
import { axes, ballAround, PRINCIPAL, ROUNDING, writeCandidateAxes } from './fit-volume.js';
import { BOX_STRIDE, HALF, RADIUS } from './tree-layout.js';

/**
 * Principal axes must give a surface this much smaller to be taken; why is told in fit-volume.ts. On the jittered lattice of
 * 10,000 links, turns of up to 5 degrees, 173 and 128 tests per step with 1.3 and 1.6, and no change beyond.
 */
const HANDICAP = 1.6;
/** Multiples of half the thickness that are tried as radius. */
const MULTIPLES = [1, 1.15, 1.3, 1.5];

/** Balls whose hull the items are, along the candidate axes: centre and radius, 4 numbers each; 8 items of 8 corners. */
const balls = new Float64Array(4 * 8 * 8);
let ballCount = 0;

/** Volume along the candidate axes: lower and upper end of the sides, the height of the rectangle, and the radius. */
const fit = { normal: 0, x0: 0, x1: 0, y0: 0, y1: 0, z: 0, radius: 0 };
const best = { ...fit };
const bestAxes = new Float64Array(9);

/** Arguments as for `fitBox`. */
export function fitRectangle(
  frames: Float64Array,
  frameAt: number,
  boxes: Float64Array,
  boxAt: number,
  items: Float64Array,
  count: number,
): void {
  let smallest = Infinity;
  for (let candidate = items[HALF] === 0 ? PRINCIPAL : 0; candidate < 2; candidate++) {
    writeCandidateAxes(candidate, items, count);
    writeBalls(items, count);
    for (let normal = 0; normal < 3; normal++) {
      for (const multiple of MULTIPLES) {
        const area = fitAcross(normal, multiple) * (candidate === PRINCIPAL ? HANDICAP : 1);
        if (area >= smallest) continue;
        smallest = area;
        Object.assign(best, fit);
        bestAxes.set(axes);
      }
    }
  }
  const { normal, x0, x1, y0, y1, z } = best;
  const x = (normal + 1) % 3;
  const y = (normal + 2) % 3;
  const cx = 0.5 * (x0 + x1);
  const cy = 0.5 * (y0 + y1);
  const halfX = 0.5 * (x1 - x0);
  const halfY = 0.5 * (y1 - y0);
  const size = best.radius + halfX + halfY + Math.abs(cx) + Math.abs(cy) + Math.abs(z);
  const radius = best.radius + ROUNDING * size;
  boxes[boxAt + HALF] = halfX + radius;
  boxes[boxAt + HALF + 1] = halfY + radius;
  boxes[boxAt + HALF + 2] = radius;
  for (let r = 0; r < 3; r++) {
    const at = frameAt + 3 * r;
    frames[at] = bestAxes[3 * r + x];
    frames[at + 1] = bestAxes[3 * r + y];
    frames[at + 2] = bestAxes[3 * r + normal];
    frames[frameAt + 9 + r] = frames[at] * cx + frames[at + 1] * cy + frames[at + 2] * z;
  }
  const around = ballAround(frames, frameAt, items, count);
  boxes[boxAt + RADIUS] = Math.min(Math.sqrt(halfX ** 2 + halfY ** 2) + radius, around) * (1 + ROUNDING);
}

/** The corners of all items, along `axes`. */
function writeBalls(items: Float64Array, count: number): void {
  ballCount = 0;
  for (let i = 0; i < count; i++) {
    const at = BOX_STRIDE * i;
    for (let corner = 0; corner < 8; corner++) {
      let px = items[at + 9];
      let py = items[at + 10];
      let pz = items[at + 11];
      let isNew = true;
      for (let k = 0; k < 3; k++) {
        const h = (corner >> k) & 1 ? -items[at + HALF + k] : items[at + HALF + k];
        if (h === 0 && (corner >> k) & 1) isNew = false;
        px += h * items[at + k];
        py += h * items[at + 3 + k];
        pz += h * items[at + 6 + k];
      }
      if (!isNew) continue;
      const ball = 4 * ballCount++;
      for (let k = 0; k < 3; k++) balls[ball + k] = axes[k] * px + axes[k + 3] * py + axes[k + 6] * pz;
      balls[ball + 3] = items[at + RADIUS];
    }
  }
}

/** Writes `fit`, the rectangle across axis `normal`; returns the surface. */
function fitAcross(normal: number, multiple: number): number {
  let lower = Infinity;
  let upper = -Infinity;
  for (let i = 0; i < 4 * ballCount; i += 4) {
    lower = Math.min(lower, balls[i + normal] - balls[i + 3]);
    upper = Math.max(upper, balls[i + normal] + balls[i + 3]);
  }
  fit.normal = normal;
  fit.z = 0.5 * (lower + upper);
  fit.radius = 0.5 * multiple * (upper - lower);
  fit.x0 = Infinity;
  fit.y0 = Infinity;
  fit.x1 = -Infinity;
  fit.y1 = -Infinity;
  const x = (normal + 1) % 3;
  const y = (normal + 2) % 3;
  for (let i = 0; i < 4 * ballCount; i += 4) {
    const reach = Math.sqrt(reachSquare(i));
    fit.x0 = Math.min(fit.x0, balls[i + x] + reach);
    fit.x1 = Math.max(fit.x1, balls[i + x] - reach);
    fit.y0 = Math.min(fit.y0, balls[i + y] + reach);
    fit.y1 = Math.max(fit.y1, balls[i + y] - reach);
  }
  // Ends in the wrong order: every point between them will do.
  if (fit.x0 > fit.x1) fit.x0 = fit.x1 = 0.5 * (fit.x0 + fit.x1);
  if (fit.y0 > fit.y1) fit.y0 = fit.y1 = 0.5 * (fit.y0 + fit.y1);
  for (let i = 0; i < 4 * ballCount; i += 4) holdAtCorner(balls[i + x], balls[i + y], reachSquare(i));
  const a = fit.x1 - fit.x0;
  const b = fit.y1 - fit.y0;
  return 2 * a * b + 2 * Math.PI * fit.radius * (a + b) + 4 * Math.PI * fit.radius ** 2;
}

/** How far from the rectangle, along its plane, the centre of ball i may be; squared. */
function reachSquare(i: number): number {
  const depth = balls[i + fit.normal] - fit.z;
  return Math.max(0, (fit.radius - balls[i + 3]) ** 2 - depth * depth);
}

function holdAtCorner(px: number, py: number, square: number): void {
  const dx = Math.max(fit.x0 - px, px - fit.x1, 0);
  const dy = Math.max(fit.y0 - py, py - fit.y1, 0);
  if (dx * dx + dy * dy <= square) return;
  const growX = dx - Math.sqrt(Math.max(0, square - dy * dy));
  const growY = dy - Math.sqrt(Math.max(0, square - dx * dx));
  const edge = Math.PI * fit.radius;
  if (growX * (fit.y1 - fit.y0 + edge) <= growY * (fit.x1 - fit.x0 + edge)) {
    if (px < fit.x0) fit.x0 -= growX;
    else fit.x1 += growX;
  } else if (py < fit.y0) fit.y0 -= growY;
  else fit.y1 += growY;
}
