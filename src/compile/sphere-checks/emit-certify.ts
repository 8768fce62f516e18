/**
 * The function of a compiled check that proves a whole straight motion free, at every time.
 *
 * Method: an interval of the motion is cut into four; in the middle of each, all four at once, the spheres are compared with radii grown by
 * the most that their centres can move, or two of them approach, until the interval's ends (levers.ts). Where they are apart, they stay apart
 * in all of it. Intervals that fail are cut on, nearest the start first, until the growth is below the tolerance. Before, four
 * configurations far apart are looked at without growth, which most motions that are blocked fail.
 * Source: Schwarzer, Saha, Latombe 2005 (levers.ts); growing the radii makes the test of a configuration that of an interval.
 * Tested by certify-motion.test.ts.
 */
import { ValueType } from '../wasm-module.js';
import { CERTIFICATE_INTERVALS } from './certificate-format.js';
import { FunctionWriter } from './function-writer.js';
import type { SphereRobot } from './sphere-robot.js';

const { I32, F64 } = ValueType;
/** Blocks looked at before an answer is given up. */
const MOST_BLOCKS = 20_000;
/** Growth is rounded outward by this. */
const OUTWARD = 1 + 2 ** -18;

export interface CertifyAddresses {
  /** f64 per coordinate. */
  readonly delta: number;
  /** f64 rows of levers, `rows` of them, a multiple of four; f32 per row, per unit of the motion and at a half width. */
  readonly levers: number;
  readonly rows: number;
  readonly speeds: number;
  readonly growth: number;
  /** Pairs of f64: start and width. */
  readonly stack: number;
  /** f64 pair: start and width of the interval that failed. */
  readonly failed: number;
  /** i32 count, i32 whether to record. */
  readonly count: number;
  /** Pairs of f64: middle and half width. */
  readonly intervals: number;
}

export interface CertifyTargets {
  readonly within: number;
  /** As `MotionTargets`. */
  readonly isStraight: boolean;
  readonly prepare: number;
  /** (t0, t1, t2, t3) -> 1 when one is not free. */
  readonly at: number;
  /** (t0, t1, t2, t3) -> bits of those that are not free with grown radii. */
  readonly atGrown: number;
}

export const STACK_ENTRIES = 128;

/** () -> the largest speed: fills `speeds` from the levers and the motion's differences. */
export function emitSpeeds(robot: SphereRobot, at: CertifyAddresses): FunctionWriter {
  const f = new FunctionWriter([], [F64]);
  const zero = f.number(0);
  const row = f.i32();
  const source = f.i32();
  const sum = f.f64();
  const most = f.f64();
  const sizes = robot.coordinates.map((_, i) => {
    const size = f.f64();
    f.set(size, f.double('abs', f.loadF64(zero, at.delta + 8 * i)));
    return size.get;
  });
  f.set(source, f.number(at.levers));
  f.loop((next) => {
    f.set(sum, f.real(0));
    sizes.forEach((size, i) => {
      f.set(sum, f.double('add', sum.get, f.double('mul', size, f.loadF64(source.get, 8 * i))));
    });
    f.storeF32(row.get, f.double('mul', sum.get, f.real(OUTWARD)), at.speeds);
    f.set(most, f.double('max', most.get, sum.get));
    f.set(source, f.integer('add', source.get, f.number(8 * sizes.length)));
    f.set(row, f.integer('add', row.get, f.number(4)));
    f.branchIf(next, f.integer('lt', row.get, f.number(4 * at.rows)));
  });
  most.get();
  return f;
}

/** (half width): growth = speeds x half width. */
export function emitGrowth(at: CertifyAddresses): FunctionWriter {
  const f = new FunctionWriter([F64], []);
  const half = f.keep(f.splatOf(f.double('mul', f.parameter(0).get, f.real(OUTWARD))));
  const row = f.i32();
  f.loop((next) => {
    f.store(row.get, f.lanes('mul', f.load(row.get, at.speeds), half), at.growth);
    f.set(row, f.integer('add', row.get, f.number(16)));
    f.branchIf(next, f.integer('lt', row.get, f.number(4 * at.rows)));
  });
  return f;
}

/** (a, b, tolerance: f64) -> 1 when the motion is free at every time. */
export function emitCertify(
  at: CertifyAddresses,
  targets: CertifyTargets,
  speeds: number,
  grow: number,
): FunctionWriter {
  const f = new FunctionWriter([I32, I32, F64], [I32]);
  const [a, b, tolerance] = [0, 1, 2].map((i) => f.parameter(i).get);
  const zero = f.number(0);
  const top = f.i32();
  const bits = f.i32();
  const lane = f.i32();
  const blocks = f.i32();
  const start = f.f64();
  const width = f.f64();
  const most = f.f64();
  f.storeI32(zero, f.number(0), at.count);
  f.storeF64(zero, f.real(0), at.failed);
  f.storeF64(zero, f.real(1), at.failed + 8);
  if (!targets.isStraight) f.give(f.number(0));
  for (const state of [a, b]) f.when(f.integer('eqz', f.call(targets.within, state)), () => f.give(f.number(0)));
  f.drop(f.call(targets.prepare, a, b));
  f.when(f.call(targets.at, f.real(0.25), f.real(0.5), f.real(0.75), f.real(1)), () => f.give(f.number(0)));
  f.set(most, f.call(speeds));
  f.storeF64(zero, f.real(0), at.stack);
  f.storeF64(zero, f.real(1), at.stack + 8);
  f.set(top, f.number(16));
  const middle = (k: number) => f.double('add', start.get, f.double('mul', width.get, f.real((2 * k + 1) / 8)));
  f.loop((again) => {
    f.set(top, f.integer('sub', top.get, f.number(16)));
    f.set(start, f.loadF64(top.get, at.stack));
    f.set(width, f.loadF64(top.get, at.stack + 8));
    f.call(grow, f.double('mul', width.get, f.real(0.125)))();
    f.set(bits, f.call(targets.atGrown, middle(0), middle(1), middle(2), middle(3)));
    f.set(blocks, f.integer('add', blocks.get, f.number(1)));
    record(f, at, bits.get, { start: start.get, width: width.get });
    f.when(bits.get, () => {
      const isNarrow = f.double('lt', f.double('mul', f.double('mul', most.get, width.get), f.real(0.125)), tolerance);
      const isFull = f.integer('gt', top.get, f.number(16 * (STACK_ENTRIES - 5)));
      const isLong = f.integer('gt', blocks.get, f.number(MOST_BLOCKS));
      f.when(f.integer('or', f.integer('or', isNarrow, isFull), isLong), () => {
        f.storeF64(zero, start.get, at.failed);
        f.storeF64(zero, width.get, at.failed + 8);
        f.give(f.number(0));
      });
      f.set(lane, f.number(3));
      f.loop((next) => {
        f.when(f.integer('and', f.integer('shrUnsigned', bits.get, lane.get), f.number(1)), () => {
          const quarter = f.double('mul', width.get, f.real(0.25));
          f.storeF64(top.get, f.double('add', start.get, f.double('mul', f.toDouble(lane.get), quarter)), at.stack);
          f.storeF64(top.get, quarter, at.stack + 8);
          f.set(top, f.integer('add', top.get, f.number(16)));
        });
        f.set(lane, f.integer('sub', lane.get, f.number(1)));
        f.branchIf(next, f.integer('ge', lane.get, f.number(0)));
      });
    });
    f.branchIf(again, top.get);
  });
  f.number(1)();
  return f;
}

/** Writes the intervals of a block that are proven, when they are wanted; counts them beyond the room as well. */
function record(
  f: FunctionWriter,
  at: CertifyAddresses,
  bits: () => void,
  block: { start: () => void; width: () => void },
): void {
  const zero = f.number(0);
  f.when(f.loadI32(zero, at.count + 4), () => {
    const count = f.i32();
    f.set(count, f.loadI32(zero, at.count));
    for (let k = 0; k < 4; k++) {
      const isProven = f.integer('eqz', f.integer('and', f.integer('shrUnsigned', bits, f.number(k)), f.number(1)));
      f.when(isProven, () => {
        f.when(f.integer('lt', count.get, f.number(CERTIFICATE_INTERVALS)), () => {
          const place = f.integer('shl', count.get, f.number(4));
          f.storeF64(
            place,
            f.double('add', block.start, f.double('mul', block.width, f.real((2 * k + 1) / 8))),
            at.intervals,
          );
          f.storeF64(place, f.double('mul', block.width, f.real(0.125)), at.intervals + 8);
        });
        f.set(count, f.integer('add', count.get, f.number(1)));
      });
    }
    f.storeI32(zero, count.get, at.count);
  });
}
