/**
 * Curves as chords that are nowhere farther from them than a width.
 *
 * A chord over a step h of a curve's parameter is off by at most h^2 / 8 times the greatest length of the second derivative; steps
 * are even. Source: C. de Boor, "A Practical Guide to Splines", 2001, chapter II (linear interpolation). Tested by
 * svg-path.test.ts.
 */
import { atan2, cos, sin } from '../math/scalar.js';
import type { PlanePoint } from './polygon.js';

/** More steps than this in one curve: the width is far below what its size asks for. */
const MOST_STEPS = 1 << 16;

function countSteps(secondDerivative: number, width: number): number {
  return Math.min(MOST_STEPS, Math.max(1, Math.ceil(Math.sqrt(secondDerivative / (8 * width)))));
}

const bend = (a: PlanePoint, b: PlanePoint, c: PlanePoint): number => {
  const x = a[0] - 2 * b[0] + c[0];
  const y = a[1] - 2 * b[1] + c[1];
  return Math.sqrt(x * x + y * y);
};

/** Points of a cubic Bezier curve after its first. */
export function flattenCubic([a, b, c, d]: readonly PlanePoint[], width: number): PlanePoint[] {
  const steps = countSteps(6 * Math.max(bend(a, b, c), bend(b, c, d)), width);
  const points: PlanePoint[] = [];
  for (let k = 1; k < steps; k++) {
    const t = k / steps;
    const s = 1 - t;
    const at = (i: 0 | 1) => s * s * s * a[i] + 3 * s * s * t * b[i] + 3 * s * t * t * c[i] + t * t * t * d[i];
    points.push([at(0), at(1)]);
  }
  points.push(d);
  return points;
}

/** Points of a quadratic Bezier curve after its first. */
export function flattenQuadratic([a, b, c]: readonly PlanePoint[], width: number): PlanePoint[] {
  const steps = countSteps(2 * bend(a, b, c), width);
  const points: PlanePoint[] = [];
  for (let k = 1; k < steps; k++) {
    const t = k / steps;
    const s = 1 - t;
    const at = (i: 0 | 1) => s * s * a[i] + 2 * s * t * b[i] + t * t * c[i];
    points.push([at(0), at(1)]);
  }
  points.push(c);
  return points;
}

/** An arc of an ellipse as SVG writes it: radii, turn of the ellipse in radians, which of the four arcs. */
export interface EllipticArc {
  readonly from: PlanePoint;
  readonly to: PlanePoint;
  readonly radii: PlanePoint;
  readonly turn: number;
  readonly isLarge: boolean;
  readonly isPositive: boolean;
}

/** Points of an arc after its first. Radii that are too small are made larger, as SVG 2 says (appendix B.2). */
export function flattenArc({ from, to, radii, turn, isLarge, isPositive }: EllipticArc, width: number): PlanePoint[] {
  let [rx, ry] = [Math.abs(radii[0]), Math.abs(radii[1])];
  if (rx === 0 || ry === 0 || (from[0] === to[0] && from[1] === to[1])) return [to];
  const [c, s] = [cos(turn), sin(turn)];
  const dx = (from[0] - to[0]) / 2;
  const dy = (from[1] - to[1]) / 2;
  // In the ellipse's own frame, scaled to a circle.
  let ux = (c * dx + s * dy) / rx;
  let uy = (c * dy - s * dx) / ry;
  const size = Math.sqrt(ux * ux + uy * uy);
  if (size > 1) {
    rx *= size;
    ry *= size;
    ux /= size;
    uy /= size;
  }
  const rest = Math.sqrt(Math.max(0, 1 - ux * ux - uy * uy)) / Math.min(size, 1);
  const way = isLarge === isPositive ? -1 : 1;
  const cx = way * rest * uy;
  const cy = -way * rest * ux;
  const start = atan2(uy - cy, ux - cx);
  let sweep = atan2(-uy - cy, -ux - cx) - start;
  if (isPositive && sweep < 0) sweep += 2 * Math.PI;
  if (!isPositive && sweep > 0) sweep -= 2 * Math.PI;
  const steps = countSteps(sweep * sweep * Math.max(rx, ry), width);
  const middle: PlanePoint = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  const points: PlanePoint[] = [];
  for (let k = 1; k < steps; k++) {
    const angle = start + (sweep * k) / steps;
    const x = rx * (cx + cos(angle));
    const y = ry * (cy + sin(angle));
    points.push([middle[0] + c * x - s * y, middle[1] + s * x + c * y]);
  }
  points.push(to);
  return points;
}
