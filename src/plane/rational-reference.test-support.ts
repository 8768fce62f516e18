/**
 * Whether a body of polygons can go from start to goal, by whole numbers and nothing of ours: the reference for verdicts.
 *
 * Forbidden places are the polygons themselves for a point, sums of triangles for a body. Vertical lines through all corners and crossings
 * cut the plane into cells: slabs' regions and curves, lines' points and intervals. Each is free or not as a whole; two free ones are connected
 * where one lies in the other's closure. Source: notes on robotics, 6.2.2 (vertical cells), without a sweep.
 *
 * Doubles only spare comparisons of numbers that are far apart. Cost: O(crossings x sides).
 */
import type { PlanePoint, Polygon } from './polygon.js';
import type { PlaneProblem } from './problem.js';

interface Whole {
  readonly x: bigint;
  readonly y: bigint;
}

/** n / d, d > 0; `near` is off by 1e-12 of the bounds at most, or NaN. */
interface Ratio {
  readonly n: bigint;
  readonly d: bigint;
  readonly near: number;
}

interface Side {
  readonly a: Whole;
  readonly b: Whole;
  readonly piece: number;
  /** The piece lies above it. */
  readonly isLower: boolean;
}

type Ring = readonly Whole[];

const cross = (a: Whole, b: Whole, c: Whole): bigint => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
const sign = (value: bigint): number => (value > 0n ? 1 : value < 0n ? -1 : 0);
const isSame = (a: Whole, b: Whole): boolean => a.x === b.x && a.y === b.y;

/** Exponent e with every value times 2^e whole. */
function findExponent(values: readonly number[]): number {
  let exponent = 0;
  for (const value of values) while (!Number.isInteger(value * 2 ** exponent)) exponent++;
  return exponent;
}

function toNumber(n: bigint, d: bigint): number {
  const shift = BigInt(Math.max(0, d.toString(2).length - n.toString(2).length + 64));
  return Number((n << shift) / d) / 2 ** Number(shift);
}

const areaOf = (ring: Ring): bigint =>
  ring.reduce((sum, p, i) => {
    const q = ring[(i + 1) % ring.length];
    return sum + p.x * q.y - p.y * q.x;
  }, 0n);

const turned = (ring: Ring, isCounterClockwise: boolean): Ring =>
  areaOf(ring) > 0n === isCounterClockwise ? ring : [...ring].reverse();

function isConvex(ring: Ring): boolean {
  return ring.every((p, i) => cross(p, ring[(i + 1) % ring.length], ring[(i + 2) % ring.length]) >= 0n);
}

const isOn = (a: Whole, b: Whole, p: Whole): boolean =>
  cross(a, b, p) === 0n && (p.x - a.x) * (p.x - b.x) <= 0n && (p.y - a.y) * (p.y - b.y) <= 0n;

const doCross = (a: Whole, b: Whole, c: Whole, d: Whole): boolean =>
  sign(cross(a, b, c)) * sign(cross(a, b, d)) < 0 && sign(cross(c, d, a)) * sign(cross(c, d, b)) < 0;

/** Crossings of a ray, of a point that is on no side. */
function isInside(rings: readonly Ring[], p: Whole): boolean {
  let isIn = false;
  for (const ring of rings)
    for (const [i, a] of ring.entries()) {
      const b = ring[(i + 1) % ring.length];
      if (a.y > p.y === b.y > p.y) continue;
      if (cross(a, b, p) > 0n === b.y > a.y) isIn = !isIn;
    }
  return isIn;
}

/** Triangles between corners: as many diagonals as there is room for. */
function triangulate(rings: readonly Ring[]): Ring[] {
  if (rings.length === 1 && isConvex(rings[0])) return [rings[0]];
  const corners: Whole[] = [];
  for (const p of rings.flat()) if (!corners.some((q) => isSame(p, q))) corners.push(p);
  const n = corners.length;
  const numberOf = (p: Whole): number => corners.findIndex((q) => isSame(p, q));
  const sides = rings.flatMap((ring) => ring.map((p, i) => [p, ring[(i + 1) % ring.length]] as const));
  const chosen: (readonly [Whole, Whole])[] = [...sides];
  const isSide = new Set<number>();
  const key = (i: number, j: number): number => Math.min(i, j) * n + Math.max(i, j);
  for (const [a, b] of sides) isSide.add(key(numberOf(a), numberOf(b)));
  const tripled = rings.map((ring) => ring.map(({ x, y }) => ({ x: 6n * x, y: 6n * y })));
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++) {
      const [a, b] = [corners[i], corners[j]];
      if (isSide.has(key(i, j)) || isSame(a, b)) continue;
      if (corners.some((p) => !isSame(p, a) && !isSame(p, b) && isOn(a, b, p))) continue;
      if (chosen.some(([c, d]) => doCross(a, b, c, d))) continue;
      if (!isInside(tripled, { x: 3n * (a.x + b.x), y: 3n * (a.y + b.y) })) continue;
      chosen.push([a, b]);
      isSide.add(key(i, j));
    }
  const triangles: Ring[] = [];
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++)
      for (let k = j + 1; k < n; k++) {
        if (!isSide.has(key(i, j)) || !isSide.has(key(j, k)) || !isSide.has(key(i, k))) continue;
        const [a, b, c] = [corners[i], corners[j], corners[k]];
        if (cross(a, b, c) === 0n) continue;
        const triangle = turned([a, b, c], true);
        const holdsOther = corners.some(
          (p, m) => m !== i && m !== j && m !== k && triangle.every((q, s) => cross(q, triangle[(s + 1) % 3], p) >= 0n),
        );
        const middle = { x: 2n * (a.x + b.x + c.x), y: 2n * (a.y + b.y + c.y) };
        if (!holdsOther && isInside(tripled, middle)) triangles.push(triangle);
      }
  const whole = rings.reduce((sum, ring, r) => sum + (r === 0 ? 1n : -1n) * areaOf(turned(ring, true)), 0n);
  if (triangles.reduce((sum, t) => sum + areaOf(t), 0n) !== whole) throw new Error('the reference did not triangulate');
  return triangles;
}

/** Andrew's chains. */
function hullOf(points: readonly Whole[]): Ring {
  const sorted = [...points].sort((p, q) => sign(p.x - q.x) || sign(p.y - q.y));
  const chain = (list: readonly Whole[]): Whole[] => {
    const out: Whole[] = [];
    for (const p of list) {
      while (out.length > 1 && cross(out[out.length - 2], out[out.length - 1], p) <= 0n) out.pop();
      out.push(p);
    }
    out.pop();
    return out;
  };
  return [...chain(sorted), ...chain([...sorted].reverse())];
}

export type ReferenceVerdict = 'solved' | 'impossible' | 'invalid-start' | 'invalid-goal';

export function decideByCells(problem: PlaneProblem): ReferenceVerdict {
  const { body, obstacles, bounds, start, goal } = problem;
  const polygonOf = (shape: PlaneProblem['obstacles'][number] | PlaneProblem['body']): Polygon => {
    if (!('polygon' in shape)) throw new Error('the reference knows polygons only');
    return shape.polygon;
  };
  const isPoint = 'disc' in body && body.disc === 0;
  const polygons = obstacles.map(polygonOf);
  const shapes = isPoint ? polygons : [...polygons, polygonOf(body)];
  const numbers = [
    ...shapes.flatMap(({ outer, holes }) => [outer, ...(holes ?? [])].flat(2)),
    ...bounds,
    ...start,
    ...goal,
  ];
  const scale = 2 ** findExponent(numbers);
  const toWhole = ([x, y]: PlanePoint): Whole => ({ x: BigInt(x * scale), y: BigInt(y * scale) });
  const ringOf = (ring: readonly PlanePoint[]): Ring =>
    ring.map(toWhole).filter((p, i, all) => !isSame(p, all[(i + 1) % all.length]));
  const ringsOf = ({ outer, holes }: Polygon): Ring[] => [
    turned(ringOf(outer), true),
    ...(holes ?? []).map((hole) => turned(ringOf(hole), false)),
  ];
  // Corners may lie on sides: there sides end.
  const splitRings = (rings: readonly Ring[]): Ring[] =>
    rings.map((ring) =>
      ring.flatMap((p, i) => {
        const q = ring[(i + 1) % ring.length];
        const on = rings.flat().filter((r) => !isSame(p, r) && !isSame(q, r) && isOn(p, q, r));
        return [
          p,
          ...on.sort((a, b) => sign((a.x - b.x) * (q.x - p.x) + (a.y - b.y) * (q.y - p.y))).map((r) => ({ ...r })),
        ];
      }),
    );
  const own = isPoint ? [] : triangulate(splitRings(ringsOf(polygonOf(body))));
  const pieces: (readonly Ring[])[] = isPoint
    ? polygons.map(ringsOf)
    : polygons.flatMap((polygon) =>
        triangulate(splitRings(ringsOf(polygon))).flatMap((part) =>
          own.map((other) => [hullOf(part.flatMap((p) => other.map((q) => ({ x: p.x - q.x, y: p.y - q.y }))))]),
        ),
      );
  const corners = [toWhole([bounds[0], bounds[1]]), toWhole([bounds[2], bounds[3]])] as const;
  return decide(pieces, corners, toWhole(start), toWhole(goal), problem.touching === 'free');
}

function decide(
  pieces: readonly (readonly Ring[])[],
  [low, high]: readonly [Whole, Whole],
  start: Whole,
  goal: Whole,
  isOpen: boolean,
): ReferenceVerdict {
  for (const [end, verdict] of [
    [start, 'invalid-start'],
    [goal, 'invalid-goal'],
  ] as const) {
    if (end.x < low.x || end.x > high.x || end.y < low.y || end.y > high.y) return verdict;
    for (const rings of pieces) {
      const isOnSide = rings.some((ring) => ring.some((p, i) => isOn(p, ring[(i + 1) % ring.length], end)));
      if (isOnSide ? !isOpen : isInside(rings, end)) return verdict;
    }
  }
  const size = Math.max(Number(high.x - low.x), Number(high.y - low.y));
  const whole = (n: bigint): Ratio => ({ n, d: 1n, near: Number(n) / size });
  const compare = (p: Ratio, q: Ratio): number => {
    const apart = p.near - q.near;
    if (Math.abs(apart) > 1e-9 * (1 + Math.abs(p.near))) return apart;
    return sign(p.n * q.d - q.n * p.d);
  };
  const sides: Side[] = [];
  const uprights: (readonly [Whole, Whole, number])[] = [];
  for (const [piece, rings] of pieces.entries())
    for (const ring of rings)
      for (const [i, p] of ring.entries()) {
        const q = ring[(i + 1) % ring.length];
        if (p.x === q.x) uprights.push(p.y < q.y ? [p, q, piece] : [q, p, piece]);
        else sides.push(p.x < q.x ? { a: p, b: q, piece, isLower: true } : { a: q, b: p, piece, isLower: false });
      }
  // The bounds' lower and upper line belong to no piece.
  const frame = [low.y, high.y].map(
    (y): Side => ({ a: { x: low.x, y }, b: { x: high.x, y }, piece: -1, isLower: true }),
  );
  const curves = [...sides, ...frame];
  const xs: Ratio[] = [whole(low.x), whole(high.x), whole(start.x), whole(goal.x)];
  for (const { a, b } of curves) xs.push(whole(a.x), whole(b.x));
  for (const [a, b] of uprights) xs.push(whole(a.x), whole(b.x));
  const near = curves.map(({ a, b }) => [a.x, a.y, b.x, b.y].map((value) => Number(value) / size));
  /** Whether both ends of j lie on one side of i, by more than doubles may be off. */
  const isOneSided = (i: number, j: number): boolean => {
    const [ax, ay, bx, by] = near[i];
    const [cx, cy, dx, dy] = near[j];
    const u = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    const v = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax);
    return (u > 1e-9 && v > 1e-9) || (u < -1e-9 && v < -1e-9);
  };
  for (const [i, s] of curves.entries())
    for (let j = i + 1; j < curves.length; j++) {
      if (near[i][2] < near[j][0] || near[j][2] < near[i][0] || isOneSided(i, j) || isOneSided(j, i)) continue;
      const t = curves[j];
      if (!doCross(s.a, s.b, t.a, t.b)) continue;
      const u = cross(t.a, t.b, s.a);
      const v = cross(t.a, t.b, s.b);
      const [n, d] = [u * s.b.x - v * s.a.x, u - v];
      const [top, bottom] = d > 0n ? [n, d] : [-n, -d];
      xs.push({ n: top, d: bottom, near: toNumber(top, bottom) / size });
    }
  xs.sort(compare);
  const lines = xs.filter(
    (x, i) =>
      (i === 0 || compare(xs[i - 1], x) !== 0) && compare(whole(low.x), x) <= 0 && compare(x, whole(high.x)) <= 0,
  );
  /** Height of a side over a line. */
  const heightOf = ({ a, b }: Side, { n, d, near }: Ratio): Ratio => {
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const isFlat = Number(dx) > 1e-3 * size;
    const [ax, ay] = [Number(a.x) / size, Number(a.y) / size];
    const exact = (): readonly [bigint, bigint] => [a.y * dx * d + dy * (n - a.x * d), dx * d];
    return {
      get n() {
        return exact()[0];
      },
      get d() {
        return exact()[1];
      },
      near: isFlat ? ay + (near - ax) * (Number(dy) / Number(dx)) : Number.NaN,
    };
  };
  const spans = curves.map(({ a, b }) => {
    const first = lines.findIndex((x) => compare(whole(a.x), x) <= 0);
    const beyond = lines.findIndex((x) => compare(x, whole(b.x)) > 0);
    return first < 0 ? { first: 0, last: -1 } : { first, last: (beyond < 0 ? lines.length : beyond) - 1 };
  });
  const heights = curves.map((side, i) => lines.slice(spans[i].first, spans[i].last + 1).map((x) => heightOf(side, x)));
  const height = (curve: number, line: number): Ratio => heights[curve][line - spans[curve].first];
  const isOver = (curve: number, line: number): boolean => spans[curve].first <= line && line <= spans[curve].last;

  const parent: number[] = [];
  const isFree: boolean[] = [];
  const rootOf = (i: number): number => {
    let r = i;
    while (parent[r] !== r) r = parent[r] = parent[parent[r]];
    return r;
  };
  const add = (free: boolean): number => {
    isFree.push(free);
    parent.push(parent.length);
    return parent.length - 1;
  };
  const join = (i: number, j: number): void => {
    if (isFree[i] && isFree[j]) parent[rootOf(i)] = rootOf(j);
  };

  const words = Math.ceil(pieces.length / 30) || 1;
  const none = (): Int32Array => new Int32Array(words);
  const put = (set: Int32Array, piece: number): void => {
    set[Math.floor(piece / 30)] |= 1 << (piece % 30);
  };
  const take = (set: Int32Array, piece: number): void => {
    set[Math.floor(piece / 30)] &= ~(1 << (piece % 30));
  };
  const unite = (set: Int32Array, other: Int32Array): void => {
    for (let w = 0; w < words; w++) set[w] |= other[w];
  };
  const hasOther = (set: Int32Array, but: Int32Array): boolean => set.some((bits, w) => (bits & ~but[w]) !== 0);
  const hasAny = (set: Int32Array): boolean => set.some((bits) => bits !== 0);
  /** Open pieces hold what they cover and do not bound, closed ones that and their bounds. */
  const isHeld = (cover: Int32Array, bound: Int32Array): boolean =>
    isOpen ? hasOther(cover, bound) : hasAny(cover) || hasAny(bound);

  interface Slab {
    /** Numbers of curves that coincide, from below. */
    readonly groups: number[][];
    /** Pieces over the region below each group, and over the last. */
    readonly covers: Int32Array[];
    readonly regions: number[];
    readonly curves: number[];
  }
  const slabs: Slab[] = [];
  for (let s = 0; s + 1 < lines.length; s++) {
    const active: number[] = [];
    for (let i = 0; i < curves.length; i++) if (isOver(i, s) && isOver(i, s + 1)) active.push(i);
    const order = (i: number, j: number): number =>
      compare(height(i, s), height(j, s)) || compare(height(i, s + 1), height(j, s + 1));
    active.sort(order);
    const groups: number[][] = [];
    for (const i of active) {
      const last = groups[groups.length - 1];
      if (last !== undefined && order(last[0], i) === 0) last.push(i);
      else groups.push([i]);
    }
    const covers: Int32Array[] = [none()];
    const regions: number[] = [add(false)];
    const own: number[] = [];
    let isInBounds = false;
    for (const group of groups) {
      const before = covers[covers.length - 1];
      const after = before.slice();
      const bound = none();
      const wasInBounds = isInBounds;
      for (const i of group) {
        const { piece, isLower } = curves[i];
        if (piece < 0) isInBounds = !isInBounds;
        else {
          put(bound, piece);
          if (isLower) put(after, piece);
          else take(after, piece);
        }
      }
      own.push(add((wasInBounds || isInBounds) && !isHeld(before, bound)));
      covers.push(after);
      regions.push(add(isInBounds && !hasAny(after)));
      join(own[own.length - 1], regions[regions.length - 2]);
      join(own[own.length - 1], regions[regions.length - 1]);
    }
    slabs.push({ groups, covers, regions, curves: own });
  }

  let [from, to] = [-1, -1];
  for (const [line, x] of lines.entries()) {
    const atLine = uprights.filter(([a]) => compare(whole(a.x), x) === 0);
    const ys: Ratio[] = [whole(low.y), whole(high.y)];
    const through: (readonly [Ratio, number])[] = [];
    for (let i = 0; i < curves.length; i++)
      if (isOver(i, line)) {
        ys.push(height(i, line));
        if (curves[i].piece >= 0) through.push([height(i, line), curves[i].piece]);
      }
    for (const [a, b] of atLine) ys.push(whole(a.y), whole(b.y));
    const ends = [start, goal].map((end) => (compare(whole(end.x), x) === 0 ? whole(end.y) : null));
    for (const end of ends) if (end !== null) ys.push(end);
    ys.sort(compare);
    const points = ys.filter((y, i) => i === 0 || compare(ys[i - 1], y) !== 0);
    const indexOf = (y: Ratio): number => {
      let [a, b] = [0, points.length - 1];
      while (a < b) {
        const middle = (a + b) >> 1;
        if (compare(points[middle], y) < 0) a = middle + 1;
        else b = middle;
      }
      return a;
    };
    const n = points.length;
    const inBounds = points.map((y) => compare(whole(low.y), y) <= 0 && compare(y, whole(high.y)) <= 0);
    /** Pieces over the interval above each point; those with an upright side there; those whose border passes the point. */
    const covers = points.map(none);
    const upright = points.map(none);
    const border = points.map(none);
    for (const [y, piece] of through) put(border[indexOf(y)], piece);
    for (const [a, b, piece] of atLine) {
      const [i, j] = [indexOf(whole(a.y)), indexOf(whole(b.y))];
      for (let k = i; k <= j; k++) put(border[k], piece);
      for (let k = i; k < j; k++) put(upright[k], piece);
    }
    const beside: { first: number; last: number; slab: Slab; region: number }[] = [];
    for (const [slab, s] of [
      [slabs[line - 1], line],
      [slabs[line], line],
    ] as const) {
      if (slab === undefined) continue;
      const at = slab.groups.map((group) => indexOf(height(group[0], s)));
      for (let region = 0; region < slab.regions.length; region++) {
        const [first, last] = [region === 0 ? 0 : at[region - 1], region === at.length ? n - 1 : at[region]];
        beside.push({ first, last, slab, region });
        for (let k = first; k < last; k++) unite(covers[k], slab.covers[region]);
      }
    }
    const intervals = points.map((_, k) =>
      add(k < n - 1 && inBounds[k] && inBounds[k + 1] && !isHeld(covers[k], upright[k])),
    );
    const dots = points.map((_, k) => {
      const around = covers[k].slice();
      if (k > 0) unite(around, covers[k - 1]);
      return add(inBounds[k] && !isHeld(around, border[k]));
    });
    for (let k = 0; k < n; k++) {
      join(dots[k], intervals[k]);
      if (k > 0) join(dots[k], intervals[k - 1]);
    }
    for (const { first, last, slab, region } of beside) {
      for (let k = first; k <= last; k++) {
        join(slab.regions[region], dots[k]);
        if (k < last) join(slab.regions[region], intervals[k]);
      }
      if (region < slab.curves.length) join(slab.curves[region], dots[last]);
    }
    if (ends[0] !== null) from = dots[indexOf(ends[0])];
    if (ends[1] !== null) to = dots[indexOf(ends[1])];
  }
  if (!isFree[from] || !isFree[to])
    throw new Error('the reference says of start or goal both that it is free and that it is not');
  return rootOf(from) === rootOf(to) ? 'solved' : 'impossible';
}
