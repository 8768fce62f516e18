/**
 * Functions that compare spheres of two links at four configurations.
 *
 * Method: the balls around both links; where they touch at any configuration each sphere of the one with fewer against the ball of
 * the other, and where that touches against its spheres, in straight-line code.
 * Rounding: what a sum of radii is compared with is grown by what kinematics and the sum of squares can lose (rounding.ts), so that
 * spheres told apart are apart. Tested by compile-sphere-checks.test.ts against a brute-force test in double precision.
 */
import { ValueType } from '../wasm-module.js';
import { CENTER_BYTES, type CheckMode } from './emit-obstacles.js';
import { type Code, FunctionWriter } from './function-writer.js';
import { UNIT } from './rounding.js';

/** A ball whose centre is three cells at an address; `size` is its radius and all that rounding can lose of its place. */
export interface PlacedBall {
  readonly address: number;
  readonly size: number;
}

export interface PlacedLink {
  readonly ball: PlacedBall;
  /** Of its spheres; one whose address is that of the ball has no spheres beside it. */
  readonly spheres: readonly PlacedBall[];
}

/** Address of a number that stands in four lanes. */
export type ConstantAddress = (value: number) => number;

/** The square that squared distances are compared with: rounded outward. */
export function squareOutward(size: number): number {
  const grown = size * (1 + 8 * UNIT);
  return grown * grown;
}

/** What a pair of spheres is compared by: its sizes, or its sizes and a growth that is read at an address. */
export interface PairMode {
  readonly mode: CheckMode;
  /** Address of an f32; null: none. */
  readonly growth: number | null;
  readonly constant: ConstantAddress;
}

/** Code of the squared distance from which on two balls are apart. */
function reachOf(f: FunctionWriter, size: number, { growth, constant }: PairMode, grown: Code | null): Code {
  const zero = f.number(0);
  if (growth === null || grown === null) return f.load(zero, constant(squareOutward(size)));
  const sum = f.v128();
  return () => {
    f.set(sum, f.lanes('add', f.load(zero, constant(size * (1 + 16 * UNIT))), grown));
    f.lanes('mul', sum.get, sum.get)();
  };
}

/** Bits of the configurations at which two balls touch, each grown by half of the largest of `growths`, addresses of f32. */
export function testBalls(
  f: FunctionWriter,
  a: PlacedBall,
  b: PlacedBall,
  pair: PairMode,
  growths: readonly number[] = pair.growth === null ? [] : [pair.growth],
): Code {
  const zero = f.number(0);
  const squares = [0, 16, 32].map((offset) => {
    const d = f.keep(f.lanes('sub', f.load(zero, a.address + offset), f.load(zero, b.address + offset)));
    return f.lanes('mul', d, d);
  });
  const sum = squares.reduce((x, y) => f.lanes('add', x, y));
  const grown =
    growths.length === 0
      ? null
      : growths.map((growth) => f.loadSplat(zero, growth)).reduce((x, y) => f.lanes('max', x, y));
  return f.unary('bitmask', f.lanes('le', sum, reachOf(f, a.size + b.size, pair, grown)));
}

/** Spheres of the one link, and spheres of the other that each is compared with. */
export type SphereRows = readonly { readonly sphere: number; readonly others: readonly number[] }[];

/** () -> bits of configurations at which a pair of spheres touches, as `emitTouch`. `placeBoth` puts code that places the spheres. */
export function emitPair(
  a: PlacedLink,
  b: PlacedLink,
  rows: SphereRows,
  pair: PairMode,
  placeBoth: (f: FunctionWriter) => void,
): FunctionWriter {
  const f = new FunctionWriter([], [ValueType.I32]);
  placeBoth(f);
  const centre = [f.v128(), f.v128(), f.v128()];
  const d = f.v128();
  const hit = f.v128();
  const zero = f.number(0);
  const grown = pair.growth === null ? null : f.keep(f.loadSplat(zero, pair.growth));
  const compare = (ball: PlacedBall, size: number): Code => {
    const part =
      (i: number): Code =>
      () => {
        f.set(d, f.lanes('sub', centre[i].get, f.load(zero, ball.address + 16 * i)));
        f.lanes('mul', d.get, d.get)();
      };
    const sum = f.lanes('add', f.lanes('add', part(0), part(1)), part(2));
    return f.lanes('le', sum, reachOf(f, size, pair, grown));
  };
  for (const { sphere, others } of rows) {
    const own = a.spheres[sphere];
    centre.forEach((local, i) => {
      f.set(local, f.load(zero, own.address + 16 * i));
    });
    const compareAll = (): void => {
      others.forEach((k, i) => {
        const test = compare(b.spheres[k], own.size + b.spheres[k].size);
        f.set(hit, i === 0 && pair.mode === 'any' ? test : f.lanes('or', hit.get, test));
      });
      if (pair.mode === 'any') f.when(f.unary('anyTrue', hit.get), () => f.give(f.unary('bitmask', hit.get)));
    };
    if (others.length > 2) f.when(f.unary('anyTrue', compare(b.ball, own.size + b.ball.size)), compareAll);
    else compareAll();
  }
  if (pair.mode === 'any') f.number(0)();
  else f.unary('bitmask', hit.get)();
  return f;
}

/**
 * (spheres, radii, count of a link, ball, ball's radius, spheres, radii, count of the other, growth) -> bits as `emitPair`, for any two
 * links: every sphere of the one against the other's ball, and where that touches against its spheres. For pairs with so many spheres
 * that code of their own would be too long. `growth` is a number; radii hold all that rounding can lose.
 */
export function emitPairLoop(mode: CheckMode): FunctionWriter {
  const { I32, V128 } = ValueType;
  const f = new FunctionWriter([I32, I32, I32, I32, I32, I32, I32, I32, V128], [I32]);
  const [at, radii, count, ball, ballRadius, others, otherRadii, otherCount, growth] = Array.from(
    { length: 9 },
    (_, i) => f.parameter(i),
  );
  const centre = [f.v128(), f.v128(), f.v128()];
  const own = f.v128();
  const d = f.v128();
  const reach = f.v128();
  const hit = f.v128();
  const [place, place2, left] = [f.i32(), f.i32(), f.i32()];
  const compare = (address: Code, radius: Code): Code => {
    const part =
      (i: number): Code =>
      () => {
        f.set(d, f.lanes('sub', centre[i].get, f.load(address, 16 * i)));
        f.lanes('mul', d.get, d.get)();
      };
    const sum = f.lanes('add', f.lanes('add', part(0), part(1)), part(2));
    return () => {
      f.set(reach, f.lanes('add', own.get, f.loadSplat(radius)));
      f.lanes('le', sum, f.lanes('mul', reach.get, reach.get))();
    };
  };
  f.loop((next) => {
    centre.forEach((local, i) => {
      f.set(local, f.load(at.get, 16 * i));
    });
    f.set(own, f.lanes('add', f.loadSplat(radii.get), growth.get));
    f.when(f.unary('anyTrue', compare(ball.get, ballRadius.get)), () => {
      f.set(place, others.get);
      f.set(place2, otherRadii.get);
      f.set(left, otherCount.get);
      f.loop((again) => {
        f.set(hit, f.lanes('or', hit.get, compare(place.get, place2.get)));
        f.set(place, f.integer('add', place.get, f.number(CENTER_BYTES)));
        f.set(place2, f.integer('add', place2.get, f.number(4)));
        f.set(left, f.integer('sub', left.get, f.number(1)));
        f.branchIf(again, left.get);
      });
      if (mode === 'any') f.when(f.unary('anyTrue', hit.get), () => f.give(f.unary('bitmask', hit.get)));
    });
    f.set(at, f.integer('add', at.get, f.number(CENTER_BYTES)));
    f.set(radii, f.integer('add', radii.get, f.number(4)));
    f.set(count, f.integer('sub', count.get, f.number(1)));
    f.branchIf(next, count.get);
  });
  f.unary('bitmask', hit.get)();
  return f;
}
