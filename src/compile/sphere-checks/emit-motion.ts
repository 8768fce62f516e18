/**
 * The functions of a compiled check that others call: one state, samples of a straight motion.
 *
 * Method of a motion: the number of samples is the smallest multiple of four whose spacing in the weighted Euclidean distance of the
 * coordinates is at most the step. First the four that are farthest apart; then neighbours by fours, coarse to fine, since
 * configurations near each other share a small box per link. The end is a sample, the start is not.
 * Source of sampling far apart first: Thomason, Kingston, Kavraki 2024 (emit-obstacles.ts), section IV.
 * A coordinate beyond its limits, or that is no number, gives 0. Tested by compile-sphere-checks.test.ts.
 */
import { ValueType } from '../wasm-module.js';
import { type Code, FunctionWriter, type Local } from './function-writer.js';
import type { SphereRobot } from './sphere-robot.js';

const { I32, F64 } = ValueType;
/** Beyond a coordinate without limits is refused: the reduction of angles is exact up to it. */
export const LARGEST_COORDINATE = 1e6;
/** Limits are met with this much to spare, which the rounding of an interpolated coordinate needs. */
export const LIMIT_SLACK = 1e-9;

/** Squares of what unit vectors may be long: what is far from one loses digits. */
export const UNIT_LENGTH = { least: 0.25, most: 4 } as const;

export interface MotionAddresses {
  /** f64 per coordinate. */
  readonly start: number;
  readonly delta: number;
  readonly weights: number;
  /** Two registers per coordinate. */
  readonly pairs: number;
}

/** (q) -> 1 when every coordinate is within its limits. */
export function emitWithinLimits(robot: SphereRobot): FunctionWriter {
  const f = new FunctionWriter([I32], [I32]);
  const q = f.parameter(0).get;
  robot.coordinates.forEach(({ lower, upper }, i) => {
    const x = f.loadF64(q, 8 * i);
    const least = Number.isFinite(lower) ? lower - LIMIT_SLACK : -LARGEST_COORDINATE;
    const most = Number.isFinite(upper) ? upper + LIMIT_SLACK : LARGEST_COORDINATE;
    f.when(f.integer('eqz', f.integer('and', f.double('ge', x, f.real(least)), f.double('le', x, f.real(most)))), () =>
      f.give(f.number(0)),
    );
  });
  for (const unit of robot.units) {
    const sum = f.f64();
    for (const i of unit)
      f.set(sum, f.double('add', sum.get, f.double('mul', f.loadF64(q, 8 * i), f.loadF64(q, 8 * i))));
    const isNear = f.integer(
      'and',
      f.double('ge', sum.get, f.real(UNIT_LENGTH.least)),
      f.double('le', sum.get, f.real(UNIT_LENGTH.most)),
    );
    f.when(f.integer('eqz', isNear), () => f.give(f.number(0)));
  }
  f.number(1)();
  return f;
}

/** (q) -> 1 when free by spheres. `check`: () -> 1 when one of the four configurations is not. */
export function emitState(robot: SphereRobot, at: MotionAddresses, within: number, check: number): FunctionWriter {
  const f = new FunctionWriter([I32], [I32]);
  const q = f.parameter(0).get;
  f.when(f.integer('eqz', f.call(within, q)), () => f.give(f.number(0)));
  robot.coordinates.forEach((_, i) => {
    const both = f.keep(f.loadSplatF64(q, 8 * i));
    f.store(f.number(0), both, at.pairs + 32 * i);
    f.store(f.number(0), both, at.pairs + 32 * i + 16);
  });
  f.integer('eqz', f.call(check))();
  return f;
}

/** (q of four states, one behind the other) -> 1 when all four are free by spheres. */
export function emitFour(robot: SphereRobot, at: MotionAddresses, within: number, check: number): FunctionWriter {
  const f = new FunctionWriter([I32], [I32]);
  const q = f.parameter(0).get;
  const stride = 8 * robot.coordinates.length;
  for (let i = 0; i < 4; i++) {
    f.when(f.integer('eqz', f.call(within, f.integer('add', q, f.number(stride * i)))), () => f.give(f.number(0)));
  }
  robot.coordinates.forEach((_, i) => {
    for (let half = 0; half < 2; half++) {
      const [a, b] = [2 * half, 2 * half + 1].map((k) => f.loadSplatF64(q, stride * k + 8 * i));
      f.store(f.number(0), f.shuffle(a, b, [0, 1, 4, 5]), at.pairs + 32 * i + 16 * half);
    }
  });
  f.integer('eqz', f.call(check))();
  return f;
}

/** (a, b): writes start and delta, the short way where a coordinate wraps; returns the weighted distance. */
export function emitPrepare(robot: SphereRobot, at: MotionAddresses): FunctionWriter {
  const f = new FunctionWriter([I32, I32], [F64]);
  const [a, b] = [0, 1].map((i) => f.parameter(i).get);
  const d = f.f64();
  const sum = f.f64();
  const zero = f.number(0);
  robot.coordinates.forEach(({ wraps }, i) => {
    f.set(d, f.double('sub', f.loadF64(b, 8 * i), f.loadF64(a, 8 * i)));
    if (wraps) {
      const turns = f.double('nearest', f.double('mul', d.get, f.real(0.5 / Math.PI)));
      f.set(d, f.double('sub', d.get, f.double('mul', turns, f.real(2 * Math.PI))));
    }
    f.storeF64(zero, f.loadF64(a, 8 * i), at.start + 8 * i);
    f.storeF64(zero, d.get, at.delta + 8 * i);
    f.set(d, f.double('mul', d.get, f.loadF64(zero, at.weights + 8 * i)));
    f.set(sum, f.double('add', sum.get, f.double('mul', d.get, d.get)));
  });
  f.double('sqrt', sum.get)();
  return f;
}

/** (t0, t1, t2, t3: f64) -> 1 when a configuration start + t delta is not free. */
export function emitAt(robot: SphereRobot, at: MotionAddresses, check: number): FunctionWriter {
  const f = new FunctionWriter([F64, F64, F64, F64], [I32]);
  const t = [0, 1, 2, 3].map((i) => f.bothF64(f.parameter(i).get));
  const times = [f.keep(f.shuffle(t[0], t[1], [0, 1, 4, 5])), f.keep(f.shuffle(t[2], t[3], [0, 1, 4, 5]))];
  const zero = f.number(0);
  robot.coordinates.forEach((_, i) => {
    const start = f.keep(f.loadSplatF64(zero, at.start + 8 * i));
    const delta = f.keep(f.loadSplatF64(zero, at.delta + 8 * i));
    times.forEach((time, half) => {
      f.store(zero, f.lanes('addF64', start, f.lanes('mulF64', time, delta)), at.pairs + 32 * i + 16 * half);
    });
  });
  f.call(check)();
  return f;
}

export interface MotionTargets {
  readonly within: number;
  readonly prepare: number;
  readonly at: number;
  /** Where they are not, nothing is free. */
  readonly isStraight: boolean;
}

/** (a, b, step: f64) -> 1 when all samples are free. */
export function emitMotion({ within, prepare, at, isStraight }: MotionTargets): FunctionWriter {
  const f = new FunctionWriter([I32, I32, F64], [I32]);
  const [a, b, step] = [0, 1, 2].map((i) => f.parameter(i).get);
  refuseOutside(f, [a, b], within, isStraight);
  const count = f.f64();
  f.set(count, f.double('ceil', f.double('div', f.double('mul', f.call(prepare, a, b), f.real(0.25)), step)));
  // 2^24 samples and more are no motion to check by samples.
  f.when(f.integer('eqz', f.double('le', count.get, f.real(2 ** 22))), () => f.give(f.number(0)));
  f.set(count, f.double('max', count.get, f.real(1)));
  const quarter = f.i32();
  f.set(quarter, f.toInteger(count.get));
  sample(f, quarter, at);
  return f;
}

/** (a, b, quarter) -> 1 when the 4 quarter samples k / (4 quarter), k = 1 .. 4 quarter, are free. */
export function emitSamples({ within, prepare, at, isStraight }: MotionTargets): FunctionWriter {
  const f = new FunctionWriter([I32, I32, I32], [I32]);
  const [a, b] = [0, 1].map((i) => f.parameter(i).get);
  refuseOutside(f, [a, b], within, isStraight);
  f.drop(f.call(prepare, a, b));
  sample(f, f.parameter(2), at);
  return f;
}

function refuseOutside(f: FunctionWriter, states: readonly Code[], within: number, isStraight: boolean): void {
  if (!isStraight) f.give(f.number(0));
  for (const state of states) f.when(f.integer('eqz', f.call(within, state)), () => f.give(f.number(0)));
}

/** Blocks of four samples: the quarters' ends, then sample s of those left for s in fours of neighbours, by halving strides. */
function sample(f: FunctionWriter, quarter: Local, at: number): void {
  const blocks = f.i32();
  const stride = f.i32();
  const i = f.i32();
  const s = f.i32();
  const width = f.f64();
  f.when(f.call(at, f.real(0.25), f.real(0.5), f.real(0.75), f.real(1)), () => f.give(f.number(0)));
  f.set(blocks, f.integer('sub', quarter.get, f.number(1)));
  f.when(f.integer('le', blocks.get, f.number(0)), () => f.give(f.number(1)));
  f.set(width, f.double('div', f.real(0.25), f.toDouble(quarter.get)));
  f.set(stride, f.integer('shl', f.number(1), f.integer('sub', f.number(31), f.integer('clz', blocks.get))));
  // Of sample s among those that are no quarter's end: s + 1 + (quarters before it).
  const time = (k: number): Code => {
    const index = k === 0 ? s.get : f.integer('add', s.get, f.number(k));
    const before = f.integer('divide', index, blocks.get);
    return f.double('mul', f.toDouble(f.integer('add', f.integer('add', index, f.number(1)), before)), width.get);
  };
  f.loop((coarser) => {
    f.set(i, f.integer('sub', stride.get, f.number(1)));
    f.loop((next) => {
      f.set(s, f.integer('shl', i.get, f.number(2)));
      f.when(f.call(at, time(0), time(1), time(2), time(3)), () => f.give(f.number(0)));
      f.set(i, f.integer('add', i.get, f.integer('shl', stride.get, f.number(1))));
      f.branchIf(next, f.integer('lt', i.get, blocks.get));
    });
    f.set(stride, f.integer('shr', stride.get, f.number(1)));
    f.branchIf(coarser, stride.get);
  });
  f.number(1)();
}
