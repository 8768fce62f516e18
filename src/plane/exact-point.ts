/**
 * Points of the plane that are known exactly, whatever made them: a pair of doubles, a sum of pairs, where two lines meet, or
 * the mean of such points. Their predicates never err.
 *
 * 1. Each point carries doubles `x, y` and a bound `error` of what these are off by; 0 says that the point is the pair.
 * 2. A predicate decides by doubles when the bound of its own rounding allows it.
 * 3. Pairs of doubles otherwise go to the adaptive predicate of Shewchuk, the rest to whole numbers: the point as a
 *    homogeneous triple of big integers, made from the exact parts when first asked for.
 *
 * So no tolerance decides anything, and points that coincide compare as equal however they were made.
 *
 * Source: J. R. Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates", Discrete and
 * Computational Geometry 18, 1997, doi:10.1007/PL00009321; C. K. Yap, "Towards exact geometric computation", Computational
 * Geometry 7, 1997, doi:10.1016/0925-7721(95)00040-2.
 *
 * Tested by exact-point.test.ts.
 */
import { orient2d } from 'robust-predicates';
import { type HomogeneousPoint, ratioToNumber, sumsToHomogeneous } from './dyadic.js';

const ULP = 2 ** -52;

export class ExactPoint {
  private exact: HomogeneousPoint | null = null;

  constructor(
    /** Approximate coordinates, exact where `error` is 0. */
    readonly x: number,
    readonly y: number,
    /** Neither coordinate is off by more. */
    readonly error: number,
    private readonly make: (() => HomogeneousPoint) | null,
  ) {}

  get homogeneous(): HomogeneousPoint {
    this.exact ??= this.make === null ? sumsToHomogeneous([this.x], [this.y]) : this.make();
    return this.exact;
  }
}

export function createExactPoint(x: number, y: number): ExactPoint {
  return new ExactPoint(x, y, 0, null);
}

/** What rounding took from `a - b`, given the rounded difference. */
function differenceTail(a: number, b: number, difference: number): number {
  const virtual = a - difference;
  return a - (difference + virtual) + (virtual - b);
}

/** `a - b` of two pairs of doubles, exactly. */
export function createDifferencePoint(ax: number, ay: number, bx: number, by: number): ExactPoint {
  const x = ax - bx;
  const y = ay - by;
  const tailX = differenceTail(ax, bx, x);
  const tailY = differenceTail(ay, by, y);
  if (tailX === 0 && tailY === 0) return new ExactPoint(x, y, 0, null);
  return new ExactPoint(x, y, Math.max(Math.abs(tailX), Math.abs(tailY)), () =>
    sumsToHomogeneous([ax, -bx], [ay, -by]),
  );
}

/** A point of whole numbers. */
export function createRationalPoint(exact: HomogeneousPoint): ExactPoint {
  const x = ratioToNumber(exact.x, exact.w);
  const y = ratioToNumber(exact.y, exact.w);
  const point = new ExactPoint(x, y, 2 * ULP * Math.max(Math.abs(x), Math.abs(y)), () => exact);
  return point;
}

/** The mean of points, with whole weights if given. */
export function createMeanPoint(points: readonly ExactPoint[], weights?: readonly bigint[]): ExactPoint {
  let x = 0n;
  let y = 0n;
  let w = 1n;
  let total = 0n;
  for (const [i, point] of points.entries()) {
    const weight = weights?.[i] ?? 1n;
    const h = point.homogeneous;
    x = x * h.w + weight * h.x * w;
    y = y * h.w + weight * h.y * w;
    w *= h.w;
    total += weight;
  }
  return createRationalPoint({ x, y, w: w * total });
}

/** Where the lines a b and c d meet; they must not be parallel. */
export function createLineCrossing(a: ExactPoint, b: ExactPoint, c: ExactPoint, d: ExactPoint): ExactPoint {
  const exact = () => crossLines(a.homogeneous, b.homogeneous, c.homogeneous, d.homogeneous);
  const ux = b.x - a.x;
  const uy = b.y - a.y;
  const vx = d.x - c.x;
  const vy = d.y - c.y;
  const wx = c.x - a.x;
  const wy = c.y - a.y;
  const e = a.error + b.error + c.error + d.error;
  const denominator = ux * vy - uy * vx;
  const numerator = wx * vy - wy * vx;
  const reach = Math.abs(ux) + Math.abs(uy) + Math.abs(vx) + Math.abs(vy) + Math.abs(wx) + Math.abs(wy);
  const size = Math.abs(a.x) + Math.abs(a.y) + Math.abs(c.x) + Math.abs(c.y) + reach;
  // Each difference is off by e and a rounding; each product by these times the other factor, and one more rounding.
  const off = 8 * reach * (e + ULP * reach) + 8 * e * e;
  const least = Math.abs(denominator) - off;
  const t = numerator / denominator;
  const offT = (off * (1 + Math.abs(t))) / least + 4 * ULP * Math.abs(t);
  const error = 2 * (offT * (Math.abs(ux) + Math.abs(uy)) + (1 + Math.abs(t)) * (e + 4 * ULP * size));
  // A bound that says little would send every predicate to big integers: then the crossing itself is rounded from them.
  if (!(least > 0) || !(error < 1e-7 * reach)) return createRationalPoint(exact());
  return new ExactPoint(a.x + t * ux, a.y + t * uy, error, exact);
}

function crossLines(
  a: HomogeneousPoint,
  b: HomogeneousPoint,
  c: HomogeneousPoint,
  d: HomogeneousPoint,
): HomogeneousPoint {
  const p = a.y * b.w - b.y * a.w;
  const q = b.x * a.w - a.x * b.w;
  const r = a.x * b.y - b.x * a.y;
  const s = c.y * d.w - d.y * c.w;
  const t = d.x * c.w - c.x * d.w;
  const u = c.x * d.y - d.x * c.y;
  const w = p * t - s * q;
  const x = q * u - t * r;
  const y = r * s - u * p;
  return w > 0n ? { x, y, w } : { x: -x, y: -y, w: -w };
}

function signOf(value: bigint): number {
  return value > 0n ? 1 : value < 0n ? -1 : 0;
}

/** The sign of a.x - b.x. */
export function compareX(a: ExactPoint, b: ExactPoint): number {
  const difference = a.x - b.x;
  const error = a.error + b.error;
  if (error === 0) return difference > 0 ? 1 : difference < 0 ? -1 : 0;
  if (Math.abs(difference) > 2 * error) return difference > 0 ? 1 : -1;
  if (a === b) return 0;
  const p = a.homogeneous;
  const q = b.homogeneous;
  return signOf(p.x * q.w - q.x * p.w);
}

export function compareY(a: ExactPoint, b: ExactPoint): number {
  const difference = a.y - b.y;
  const error = a.error + b.error;
  if (error === 0) return difference > 0 ? 1 : difference < 0 ? -1 : 0;
  if (Math.abs(difference) > 2 * error) return difference > 0 ? 1 : -1;
  if (a === b) return 0;
  const p = a.homogeneous;
  const q = b.homogeneous;
  return signOf(p.y * q.w - q.y * p.w);
}

/** By x, then by y: the order of a sweep from left to right. */
export function comparePoints(a: ExactPoint, b: ExactPoint): number {
  return compareX(a, b) || compareY(a, b);
}

/** 1 where a, b, c turn to the left, -1 to the right, 0 where they lie on one line. */
export function orientPoints(a: ExactPoint, b: ExactPoint, c: ExactPoint): number {
  const error = Math.max(a.error, b.error, c.error);
  const px = a.x - c.x;
  const py = a.y - c.y;
  const qx = b.x - c.x;
  const qy = b.y - c.y;
  const left = px * qy;
  const right = py * qx;
  const determinant = left - right;
  const rounding = 4 * ULP * (Math.abs(left) + Math.abs(right));
  if (error === 0) {
    if (determinant > rounding) return 1;
    if (determinant < -rounding) return -1;
    const value = orient2d(a.x, a.y, b.x, b.y, c.x, c.y);
    return value < 0 ? 1 : value > 0 ? -1 : 0;
  }
  const bound = rounding + 2.1 * error * (Math.abs(px) + Math.abs(py) + Math.abs(qx) + Math.abs(qy) + 4 * error);
  if (determinant > bound) return 1;
  if (determinant < -bound) return -1;
  const A = a.homogeneous;
  const B = b.homogeneous;
  const C = c.homogeneous;
  return signOf(A.x * (B.y * C.w - C.y * B.w) - A.y * (B.x * C.w - C.x * B.w) + A.w * (B.x * C.y - C.x * B.y));
}

export function arePointsEqual(a: ExactPoint, b: ExactPoint): boolean {
  return a === b || comparePoints(a, b) === 0;
}

/** Whether c, known to be on the line a b, lies between them, ends included. */
export function isBetween(a: ExactPoint, b: ExactPoint, c: ExactPoint): boolean {
  return comparePoints(a, c) * comparePoints(c, b) >= 0;
}
