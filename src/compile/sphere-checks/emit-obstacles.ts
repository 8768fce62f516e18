/**
 * Functions that compare spheres at four configurations with obstacles.
 *
 * Method: a link's ball first. A box around it at all four configurations is compared with the boxes of four obstacles at once
 * (obstacle-records.ts); an obstacle that it meets is compared with the ball itself, and only if that touches with the link's spheres,
 * which are placed then. Distances by closed forms: to a box componentwise, to a capsule by its nearest point, to a cylinder by what
 * lies beyond its length and beyond its radius, to a cone in the half-plane of its axis. To an ellipsoid a bound: along any unit vector u
 * the distance is at least u.p - h(u), h the support function, and u is the normal at the nearest point but for what a few rounds of Newton's
 * method leave, of which the bound loses the square; so it holds whatever they did. Blocks of many parts: emit-trees.ts.
 * Rounding: margins of the records hold what the operations here can lose (environment.ts).
 * Source of the rounds, on 1 / |x(t)|, which is nearly straight: Moré, Sorensen 1983, "Computing a trust region step", section 3, doi:10.1137/0904038.
 * Source of the order ball, then spheres, at several configurations at once: Thomason, Kingston, Kavraki 2024, "Motions in
 * microseconds via vectorized sampling-based planning", section IV, doi:10.1109/ICRA57147.2024.10611190.
 * Tested by compile-sphere-checks.test.ts against a brute-force test in double precision.
 */
import { ValueType } from '../wasm-module.js';
import { type Code, FunctionWriter, type Label, type Local } from './function-writer.js';
import { GROUP_BYTES, RecordKind, type RecordKindName } from './obstacle-records.js';

const { I32 } = ValueType;
const ELLIPSOID_ROUNDS = 3;
/** Bytes between the centres of a link's spheres. */
export const CENTER_BYTES = 48;

/**
 * Squared distance, or distance, of a point to the obstacle of a record, and which of the two it is; `scaled`: a distance and the
 * reach each times the length of some vector.
 */
type Measured = { squared: Code } | { plain: Code } | { scaled: Code; by: Code };
type Measure = (f: FunctionWriter, record: Code) => (x: Code, y: Code, z: Code) => Measured;
/** Kinds with a closed form, or a bound of their own. */
export type MeasuredKind = Exclude<RecordKindName, 'triangles' | 'cubes' | 'points'>;

/** The k-th number of a record in all lanes, kept in a local. */
function field(f: FunctionWriter, record: Code, k: number): Code {
  return f.keep(f.loadSplat(record, 8 + 4 * k));
}

function sumOfSquares(f: FunctionWriter, parts: readonly Code[]): Code {
  return parts
    .map((part) => {
      const kept = f.keep(part);
      return f.lanes('mul', kept, kept);
    })
    .reduce((a, b) => f.lanes('add', a, b));
}

const beyond = (f: FunctionWriter, x: Code, half: Code): Code =>
  f.lanes('max', f.lanes('sub', f.unary('abs', x), half), f.splat(0));

const dot = (f: FunctionWriter, a: readonly Code[], b: readonly Code[]): Code =>
  a.map((x, i) => f.lanes('mul', x, b[i])).reduce((x, y) => f.lanes('add', x, y));

const MEASURES: Readonly<Record<MeasuredKind, Measure>> = {
  sphere: (f, record) => {
    const c = [0, 1, 2].map((k) => field(f, record, k));
    return (...p) => ({
      squared: sumOfSquares(
        f,
        p.map((x, i) => f.lanes('sub', x, c[i])),
      ),
    });
  },
  box: (f, record) => {
    const c = [0, 1, 2].map((k) => field(f, record, k));
    const h = [3, 4, 5].map((k) => field(f, record, k));
    return (...p) => ({
      squared: sumOfSquares(
        f,
        p.map((x, i) => beyond(f, f.lanes('sub', x, c[i]), h[i])),
      ),
    });
  },
  turned: (f, record) => {
    const c = [0, 1, 2].map((k) => field(f, record, k));
    const h = [3, 4, 5].map((k) => field(f, record, k));
    const rows = [0, 1, 2].map((r) => [0, 1, 2].map((k) => field(f, record, 6 + 3 * r + k)));
    return (...p) => {
      const d = p.map((x, i) => f.keep(f.lanes('sub', x, c[i])));
      return {
        squared: sumOfSquares(
          f,
          rows.map((row, i) => beyond(f, dot(f, row, d), h[i])),
        ),
      };
    };
  },
  capsule: (f, record) => {
    const c = [0, 1, 2].map((k) => field(f, record, k));
    const u = [3, 4, 5].map((k) => field(f, record, k));
    const length = field(f, record, 6);
    return (...p) => {
      const d = p.map((x, i) => f.keep(f.lanes('sub', x, c[i])));
      const t = f.keep(f.lanes('min', f.lanes('max', dot(f, u, d), f.splat(0)), length));
      return {
        squared: sumOfSquares(
          f,
          d.map((x, i) => f.lanes('sub', x, f.lanes('mul', t, u[i]))),
        ),
      };
    };
  },
  cylinder: (f, record) => {
    const c = [0, 1, 2].map((k) => field(f, record, k));
    const u = [3, 4, 5].map((k) => field(f, record, k));
    const half = field(f, record, 6);
    const radius = field(f, record, 7);
    return (...p) => {
      const d = p.map((x, i) => f.keep(f.lanes('sub', x, c[i])));
      const t = f.keep(dot(f, u, d));
      const aside = f.unary(
        'sqrt',
        sumOfSquares(
          f,
          d.map((x, i) => f.lanes('sub', x, f.lanes('mul', t, u[i]))),
        ),
      );
      const outside = f.lanes('max', f.lanes('sub', aside, radius), f.splat(0));
      return { squared: sumOfSquares(f, [beyond(f, t, half), outside]) };
    };
  },
  cone: (f, record) => {
    const c = [0, 1, 2].map((k) => field(f, record, k));
    const u = [3, 4, 5].map((k) => field(f, record, k));
    const [half, radius, er, et, length] = [6, 7, 8, 9, 10].map((k) => field(f, record, k));
    return (...p) => {
      const d = p.map((x, i) => f.keep(f.lanes('sub', x, c[i])));
      const t = f.keep(dot(f, u, d));
      const aside = f.keep(
        f.unary(
          'sqrt',
          sumOfSquares(
            f,
            d.map((x, i) => f.lanes('sub', x, f.lanes('mul', t, u[i]))),
          ),
        ),
      );
      // From the rim, in the half-plane of the axis and the point.
      const r = f.keep(f.lanes('sub', aside, radius));
      const z = f.keep(f.lanes('add', t, half));
      const toBase = f.keep(sumOfSquares(f, [f.lanes('max', r, f.splat(0)), z]));
      const s = f.keep(f.lanes('min', f.lanes('max', dot(f, [er, et], [r, z]), f.splat(0)), length));
      const toSide = f.keep(
        sumOfSquares(f, [f.lanes('sub', r, f.lanes('mul', s, er)), f.lanes('sub', z, f.lanes('mul', s, et))]),
      );
      // Inward of the side, whose normal is (et, -er), and above the base.
      const isInside = f.lanes(
        'and',
        f.lanes('le', f.lanes('sub', f.lanes('mul', et, r), f.lanes('mul', er, z)), f.splat(0)),
        f.lanes('ge', z, f.splat(0)),
      );
      return { squared: f.select(f.splat(0), f.lanes('min', toBase, toSide), isInside) };
    };
  },
  ellipsoid: (f, record) => {
    const c = [0, 1, 2].map((k) => field(f, record, k));
    const rows = [0, 1, 2].map((r) => [0, 1, 2].map((k) => field(f, record, 3 + 3 * r + k)));
    const axes = [12, 13, 14].map((k) => field(f, record, k));
    const squares = axes.map((a) => f.keep(f.lanes('mul', a, a)));
    return (...p) => {
      const d = p.map((x, i) => f.keep(f.lanes('sub', x, c[i])));
      const y = rows.map((row) => f.keep(f.unary('abs', dot(f, row, d))));
      const t = f.v128();
      const scaled = y.map((x, i) => f.keep(f.lanes('mul', axes[i], x)));
      // No term alone is below one before the root.
      const first = scaled.map((x, i) => f.lanes('sub', x, squares[i])).reduce((a, b) => f.lanes('max', a, b));
      f.set(t, f.lanes('max', first, f.splat(0)));
      for (let round = 0; round < ELLIPSOID_ROUNDS; round++) {
        const below = squares.map((a) => f.keep(f.lanes('add', t.get, a)));
        const terms = scaled.map((x, i) => {
          const s = f.keep(f.lanes('div', x, below[i]));
          return f.keep(f.lanes('mul', s, s));
        });
        const sum = f.keep(terms.reduce((a, b) => f.lanes('add', a, b)));
        const slope = terms.map((x, i) => f.lanes('div', x, below[i])).reduce((a, b) => f.lanes('add', a, b));
        const step = f.lanes('div', f.lanes('mul', sum, f.lanes('sub', f.unary('sqrt', sum), f.splat(1))), slope);
        f.set(t, f.lanes('max', f.lanes('add', t.get, step), f.splat(0)));
      }
      const v = y.map((x, i) => f.keep(f.lanes('div', x, f.lanes('add', t.get, squares[i]))));
      const support = f.unary(
        'sqrt',
        sumOfSquares(
          f,
          v.map((x, i) => f.lanes('mul', x, axes[i])),
        ),
      );
      return { scaled: f.lanes('sub', dot(f, v, y), support), by: f.unary('sqrt', sumOfSquares(f, v)) };
    };
  },
  halfspace: (f, record) => {
    const n = [0, 1, 2].map((k) => field(f, record, k));
    const offset = field(f, record, 3);
    return (...p) => ({ plain: f.lanes('sub', dot(f, n, p), offset) });
  },
};

export const MEASURED_KINDS = Object.keys(MEASURES) as MeasuredKind[];
/** In the order of their numbers. */
export const RECORD_KINDS = Object.keys(RecordKind) as RecordKindName[];

/** `any`: stops at the first configuration that touches. `all`: looks at every one. */
export type CheckMode = 'any' | 'all';

/**
 * (record, centres, radii, count, growth) -> bits of configurations at which one of `count` spheres, its radius grown by the f32 at
 * `growth`, touches: of all in mode `all`, of some in mode `any`. Centres are 48 bytes apart (x, y, z of four configurations), radii 4.
 */
export function emitTouch(kind: MeasuredKind, mode: CheckMode): FunctionWriter {
  const f = new FunctionWriter([I32, I32, I32, I32, I32], [I32]);
  const [record, centers, radii, count, growth] = [0, 1, 2, 3, 4].map((i) => f.parameter(i));
  const margin = f.keep(f.lanes('add', f.loadSplat(record.get, 4), f.loadSplat(growth.get)));
  const touched = f.v128();
  const measure = MEASURES[kind](f, record.get);
  f.loop((start) => {
    const p = [0, 16, 32].map((offset) => f.keep(f.load(centers.get, offset)));
    const reach = f.keep(f.lanes('add', f.loadSplat(radii.get), margin));
    const measured = measure(p[0], p[1], p[2]);
    const hit = compareReach(f, measured, reach);
    f.set(touched, mode === 'any' ? hit : f.lanes('or', touched.get, hit));
    if (mode === 'any') f.when(f.unary('anyTrue', touched.get), () => f.give(f.unary('bitmask', touched.get)));
    f.set(centers, f.integer('add', centers.get, f.number(CENTER_BYTES)));
    f.set(radii, f.integer('add', radii.get, f.number(4)));
    f.set(count, f.integer('sub', count.get, f.number(1)));
    f.branchIf(start, count.get);
  });
  f.unary('bitmask', touched.get)();
  return f;
}

function compareReach(f: FunctionWriter, measured: Measured, reach: Code): Code {
  if ('squared' in measured) return f.lanes('le', measured.squared, f.lanes('mul', reach, reach));
  if ('plain' in measured) return f.lanes('le', measured.plain, reach);
  // What is no number (a centre in the middle) touches.
  return f.unary('not', f.lanes('gt', measured.scaled, f.lanes('mul', reach, measured.by)));
}

/** As `emitTouch` for a record of any kind. */
export function emitTouchAny(functions: readonly number[]): FunctionWriter {
  const f = new FunctionWriter([I32, I32, I32, I32, I32], [I32]);
  const operands = [0, 1, 2, 3, 4].map((i) => f.parameter(i).get);
  f.choose(
    f.loadI32(operands[0]),
    functions.map((index) => () => f.give(f.call(index, ...operands))),
  );
  f.number(15)();
  return f;
}

export interface SweepTargets {
  readonly touch: number;
  /** (link) -> nothing: places the spheres of a link unless that is done. */
  readonly place: number;
}

/**
 * (link, row, ball, radius, spheres, radii, count, growth) -> bits of configurations at which the link may touch an obstacle, as
 * `emitTouch`; addresses of its row, of its ball and its radius, of its spheres' centres and radii. Count 0: the ball is the
 * link's only sphere.
 */
export function emitSweep({ touch, place }: SweepTargets, mode: CheckMode): FunctionWriter {
  const f = new FunctionWriter([I32, I32, I32, I32, I32, I32, I32, I32], [I32]);
  const [link, row, ball, radius, spheres, radii, count, growth] = [0, 1, 2, 3, 4, 5, 6, 7].map(
    (i) => f.parameter(i).get,
  );
  const groups = f.i32();
  const at = f.i32();
  const bits = f.i32();
  const record = f.i32();
  const hit = f.i32();
  const all = f.i32();
  f.set(groups, f.loadI32(row, 4));
  f.when(f.integer('eqz', groups.get), () => f.give(f.number(0)));
  f.set(at, f.loadI32(row));
  walkGroups(f, { at, groups, bits, record }, { ball, radius, growth }, (again) => {
    f.set(hit, f.call(touch, record.get, ball, radius, f.number(1), growth));
    f.branchIf(again, f.integer('eqz', hit.get));
    f.when(count, () => {
      f.call(place, link)();
      f.set(hit, f.call(touch, record.get, spheres, radii, count, growth));
    });
    if (mode === 'any') f.branchIf(again, f.integer('eqz', hit.get));
    f.set(all, f.integer('or', all.get, hit.get));
    f.when(mode === 'any' ? f.number(1) : f.integer('eq', all.get, f.number(15)), () => f.give(all.get));
    f.branch(again);
  });
  all.get();
  return f;
}

/**
 * (row, ball, radius, growth, scratch) -> not 0 when one of a cluster's links may touch an obstacle. Only kinds whose distance is exact but for
 * rounding, which is at most the record's margin, are looked at; others may touch. `scratch`: room for a number.
 */
export function emitClusterSweep(touch: number): FunctionWriter {
  const f = new FunctionWriter([I32, I32, I32, I32, I32], [I32]);
  const [row, ball, radius, growth, scratch] = [0, 1, 2, 3, 4].map((i) => f.parameter(i).get);
  const at = f.i32();
  const groups = f.i32();
  const bits = f.i32();
  const record = f.i32();
  f.set(groups, f.loadI32(row, 4));
  f.when(f.integer('eqz', groups.get), () => f.give(f.number(0)));
  f.set(at, f.loadI32(row));
  walkGroups(f, { at, groups, bits, record }, { ball, radius, growth }, (again) => {
    f.when(f.integer('gt', f.loadI32(record.get), f.number(RecordKind.halfspace)), () => f.give(f.number(15)));
    const margin = f.loadSplat(record.get, 4);
    f.store(scratch, f.lanes('add', f.loadSplat(growth), f.lanes('add', margin, margin)));
    f.when(f.call(touch, record.get, ball, radius, f.number(1), scratch), () => f.give(f.number(15)));
    f.branch(again);
  });
  f.number(0)();
  return f;
}

interface Walk {
  /** Set: address of the first group, and how many there are. */
  readonly at: Local;
  readonly groups: Local;
  readonly bits: Local;
  /** Address of the record that `visit` looks at. */
  readonly record: Local;
}

/** Visits the records whose boxes meet the box around a ball at all four configurations; `visit` ends with a branch to its label. */
function walkGroups(
  f: FunctionWriter,
  { at, groups, bits, record }: Walk,
  { ball, radius, growth }: { readonly ball: Code; readonly radius: Code; readonly growth: Code },
  visit: (again: Label) => void,
): void {
  const r = f.keep(f.lanes('add', f.loadSplat(radius), f.loadSplat(growth)));
  const ends = [0, 16, 32].map((offset) => {
    const x = f.keep(f.load(ball, offset));
    const across = (name: 'min' | 'max'): Code => {
      const half = f.keep(f.lanes(name, x, f.shuffle(x, x, [2, 3, 0, 1])));
      return f.lanes(name, half, f.shuffle(half, half, [1, 0, 3, 2]));
    };
    return { lower: f.keep(f.lanes('sub', across('min'), r)), upper: f.keep(f.lanes('add', across('max'), r)) };
  });
  f.loop((next) => {
    const overlaps = ends.flatMap(({ lower, upper }, i) => [
      f.lanes('le', f.load(at.get, 16 * i), upper),
      f.lanes('ge', f.load(at.get, 48 + 16 * i), lower),
    ]);
    f.set(
      bits,
      f.unary(
        'bitmask',
        overlaps.reduce((a, b) => f.lanes('and', a, b)),
      ),
    );
    f.block((done) => {
      f.loop((again) => {
        f.branchIf(done, f.integer('eqz', bits.get));
        f.set(
          record,
          f.loadI32(f.integer('add', at.get, f.integer('shl', f.integer('ctz', bits.get), f.number(2))), 96),
        );
        f.set(bits, f.integer('and', bits.get, f.integer('sub', bits.get, f.number(1))));
        visit(again);
      });
    });
    f.set(at, f.integer('add', at.get, f.number(GROUP_BYTES)));
    f.set(groups, f.integer('sub', groups.get, f.number(1)));
    f.branchIf(next, groups.get);
  });
}
