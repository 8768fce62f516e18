/**
 * The function that fills sines, cosines and shifts from the coordinates of four configurations.
 *
 * Method: per angle, in double precision, the nearest multiple k of pi/2 is taken off, so that what is rounded to single precision
 * is at most pi/4 and errs by at most 3.1e-8; odd polynomials of degree 7 and even ones of degree 8, fitted to the smallest
 * largest error on that interval; the lowest bit of k exchanges the two and the next one turns their signs.
 * The sum of rounding and fit was measured over every single-precision number of the interval: sine 4.4e-8, cosine 7.5e-8.
 * Fails: |angle| beyond 2^30 (coordinates are checked before). Tested by compile-sphere-checks.test.ts.
 */
import type { CellLayout } from '../layout.js';
import { type Code, FunctionWriter } from './function-writer.js';
import type { LaneConstants } from './lane-constants.js';
import { CELL } from './layout.js';
import type { SphereRobot } from './sphere-robot.js';

const SINE = [-0.16666650772094727, 0.00833197869360447, -0.000194956359337084];
const COSINE = [0.04166664555668831, -0.001388736767694354, 2.443845005473122e-5];
/** 1.5 2^52: the low bits of k plus it are those of the integer k. */
const MAGIC = 6755399441055744;

/** `pairs`: address of two registers of f64 per coordinate, configurations 0 1 and 2 3. */
export function emitAngles(
  robot: SphereRobot,
  layout: CellLayout,
  pairs: number,
  constants: LaneConstants,
): FunctionWriter {
  const f = new FunctionWriter([], []);
  const zero = f.number(0);
  const single = (value: number): Code => f.load(zero, constants.single(value));
  const double = (value: number): Code => f.load(zero, constants.double(value));
  const word = (value: number): Code => f.load(zero, constants.word(value));
  const halves = (coordinate: number): [Code, Code] => [
    f.load(zero, pairs + 32 * coordinate),
    f.load(zero, pairs + 32 * coordinate + 16),
  ];
  const [qa, qb, ka, kb, r, z, s, c, k, t] = Array.from({ length: 10 }, () => f.v128());
  const demote = (a: Code, b: Code): Code => f.shuffle(f.unary('demote', a), f.unary('demote', b), [0, 1, 4, 5]);
  for (const place of robot.slides) {
    const [a, b] = halves(place);
    f.store(zero, demote(a, b), CELL * (layout.q.start + robot.coordinates[place].index));
  }
  for (const { turn, coordinate, sine, factor, offset } of robot.angles) {
    const [a, b] = halves(coordinate);
    if (sine >= 0) {
      emitCircle(f, [a, b], halves(sine), (value, isSine) =>
        f.store(zero, value, CELL * ((isSine ? layout.sines : layout.cosines).start + turn)),
      );
      continue;
    }
    const scaled = (x: Code): Code => {
      const y = factor === 1 ? x : f.lanes('mulF64', x, double(factor));
      return offset === 0 ? y : f.lanes('addF64', y, double(offset));
    };
    for (const [q, kq, x] of [
      [qa, ka, a],
      [qb, kb, b],
    ] as const) {
      f.set(q, scaled(x));
      f.set(kq, f.lanes('addF64', f.lanes('mulF64', q.get, double(2 / Math.PI)), double(MAGIC)));
      f.set(
        q,
        f.lanes('subF64', q.get, f.lanes('mulF64', f.lanes('subF64', kq.get, double(MAGIC)), double(Math.PI / 2))),
      );
    }
    f.set(r, demote(qa.get, qb.get));
    f.set(k, f.shuffle(ka.get, kb.get, [0, 2, 4, 6]));
    f.set(z, f.lanes('mul', r.get, r.get));
    const polynomial = ([c0, c1, c2]: readonly number[]): Code =>
      f.lanes('add', f.lanes('mul', f.lanes('add', f.lanes('mul', single(c2), z.get), single(c1)), z.get), single(c0));
    f.set(s, f.lanes('add', f.lanes('mul', polynomial(SINE), f.lanes('mul', z.get, r.get)), r.get));
    f.set(
      c,
      f.lanes(
        'add',
        f.lanes('mul', polynomial(COSINE), f.lanes('mul', z.get, z.get)),
        f.lanes('sub', single(1), f.lanes('mul', single(0.5), z.get)),
      ),
    );
    // All bits where k is odd.
    f.set(t, f.shiftRight(f.shiftLeft(k.get, 31), 31));
    const sign = (bits: Code): Code => f.lanes('and', f.shiftLeft(bits, 30), word(-0x80000000));
    f.store(zero, f.lanes('xor', f.select(c.get, s.get, t.get), sign(k.get)), CELL * (layout.sines.start + turn));
    f.store(
      zero,
      f.lanes('xor', f.select(s.get, c.get, t.get), sign(f.lanes('addI32', k.get, word(1)))),
      CELL * (layout.cosines.start + turn),
    );
  }
  return f;
}

/** Cosine and sine along two coordinates, in double precision until they are rounded. */
function emitCircle(
  f: FunctionWriter,
  cosines: readonly Code[],
  sines: readonly Code[],
  store: (value: Code, isSine: boolean) => void,
): void {
  const square = (i: number): Code =>
    f.lanes('addF64', f.lanes('mulF64', cosines[i], cosines[i]), f.lanes('mulF64', sines[i], sines[i]));
  const squares = [0, 1].map((i) => f.keep(square(i)));
  const unit = (x: Code, i: number, otherwise: number): Code =>
    f.select(
      f.lanes('divF64', x, f.unary('sqrtF64', squares[i])),
      f.splatF64(otherwise),
      f.lanes('gtF64', squares[i], f.splatF64(0)),
    );
  [sines, cosines].forEach((parts, k) => {
    const [a, b] = parts.map((x, i) => f.unary('demote', unit(x, i, k)));
    store(f.shuffle(a, b, [0, 1, 4, 5]), k === 0);
  });
}
