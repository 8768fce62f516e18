/**
 * Functions that compare spheres of two links at four configurations.
 *
 * Method: the balls around both links; where they touch at any configuration each sphere of the one with fewer against the ball of
 * the other, and where that touches against its spheres, in straight-line code.
 * Rounding: what a sum of radii is compared with is grown by what kinematics and the sum of squares can lose (rounding.ts), so that
 * spheres told apart are apart. Tested by compile-sphere-checks.test.ts against a brute-force test in double precision.
 */
import { ValueType } from '../wasm-module.js';
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
function squareOutward(size: number): number {
  const grown = size * (1 + 8 * UNIT);
  return grown * grown;
}

function touches(f: FunctionWriter, a: readonly Code[], b: PlacedBall, square: number): Code {
  const zero = f.number(0);
  const squares = a.map((x, i) => {
    const d = f.keep(f.lanes('sub', x, f.load(zero, b.address + 16 * i)));
    return f.lanes('mul', d, d);
  });
  const sum = squares.reduce((x, y) => f.lanes('add', x, y));
  return f.lanes('le', sum, f.load(zero, square));
}

const loadCenter = (f: FunctionWriter, ball: PlacedBall): Code[] =>
  [0, 16, 32].map((offset) => f.keep(f.load(f.number(0), ball.address + offset)));

/** Mask of the configurations at which the balls of two links touch. */
export function testBalls(f: FunctionWriter, a: PlacedLink, b: PlacedLink, constant: ConstantAddress): Code {
  const square = constant(squareOutward(a.ball.size + b.ball.size));
  return touches(f, loadCenter(f, a.ball), b.ball, square);
}

/** Spheres of the one link, and spheres of the other that each is compared with. */
export type SphereRows = readonly { readonly sphere: number; readonly others: readonly number[] }[];

/** () -> 1 when a pair of spheres touches at one of the configurations. `placeBoth` puts code that places the spheres. */
export function emitPair(
  a: PlacedLink,
  b: PlacedLink,
  rows: SphereRows,
  constant: ConstantAddress,
  placeBoth: (f: FunctionWriter) => void,
): FunctionWriter {
  const f = new FunctionWriter([], [ValueType.I32]);
  placeBoth(f);
  const centre = [f.v128(), f.v128(), f.v128()];
  const d = f.v128();
  const hit = f.v128();
  const zero = f.number(0);
  const compare = (ball: PlacedBall, size: number): Code => {
    const part =
      (i: number): Code =>
      () => {
        f.set(d, f.lanes('sub', centre[i].get, f.load(zero, ball.address + 16 * i)));
        f.lanes('mul', d.get, d.get)();
      };
    const sum = f.lanes('add', f.lanes('add', part(0), part(1)), part(2));
    return f.lanes('le', sum, f.load(zero, constant(squareOutward(size))));
  };
  for (const { sphere, others } of rows) {
    const own = a.spheres[sphere];
    centre.forEach((local, i) => {
      f.set(local, f.load(zero, own.address + 16 * i));
    });
    const compareAll = (): void => {
      others.forEach((k, i) => {
        const test = compare(b.spheres[k], own.size + b.spheres[k].size);
        f.set(hit, i === 0 ? test : f.lanes('or', hit.get, test));
      });
      f.when(f.unary('anyTrue', hit.get), () => f.give(f.number(1)));
    };
    if (others.length > 2) f.when(f.unary('anyTrue', compare(b.ball, own.size + b.ball.size)), compareAll);
    else compareAll();
  }
  f.number(0)();
  return f;
}
