// States, samples of straight motions, and motions proven free at every time: src/compile/sphere-checks/emit-motion.ts and
// emit-certify.ts, with their operations.
import {
  H_CERTIFICATE,
  H_COORDINATES,
  H_DELTA,
  H_FAILED,
  H_GROWTH,
  H_HALVES,
  H_INTERVALS,
  H_LEVER_ROWS,
  H_LEVERS,
  H_LIMITS,
  H_STRAIGHT,
  H_SPEEDS,
  H_STACK,
  H_START,
  H_UNIT_COUNT,
  H_UNITS,
  H_WEIGHTS,
  H_WRAPS,
  MOST_BLOCKS,
  MOST_INTERVALS,
  STACK_ENTRIES,
  UNIT_BYTES,
} from '../../src/compile/sphere-checks/table-layout';
import { check } from './check';
import { word } from './robot';

const TURN: f64 = 6.283185307179586;
const INVERSE_TURN: f64 = 0.15915494309189535;
const OUTWARD: f64 = 1.0000038146972656;

function isWithin(q: usize): bool {
  let limits = word(H_LIMITS);
  for (let i: usize = 0; i < word(H_COORDINATES); i++, limits += 16) {
    const x = load<f64>(q + 8 * i);
    if (!(x >= load<f64>(limits) && x <= load<f64>(limits, 8))) return false;
  }
  let unit = word(H_UNITS);
  for (let n = word(H_UNIT_COUNT); n > 0; n--, unit += UNIT_BYTES) {
    let sum: f64 = 0;
    for (let k: usize = 0; k < <usize>load<u32>(unit); k++) {
      const x = load<f64>(q + 8 * <usize>load<u32>(unit + 4 + 4 * k));
      sum = sum + x * x;
    }
    if (!(sum >= 0.25 && sum <= 4)) return false;
  }
  return true;
}

/** 1 when free by spheres. */
export function state(q: usize): i32 {
  if (!isWithin(q)) return 0;
  const halves = word(H_HALVES);
  for (let i: usize = 0; i < word(H_COORDINATES); i++) {
    const x = v128.load64_splat(q + 8 * i);
    v128.store(halves + 32 * i, x);
    v128.store(halves + 32 * i, x, 16);
  }
  return check(false) === 0 ? 1 : 0;
}

/** 1 when four states, one behind the other, are free. */
export function four(q: usize): i32 {
  const count = word(H_COORDINATES);
  const stride = 8 * count;
  for (let k: usize = 0; k < 4; k++) if (!isWithin(q + stride * k)) return 0;
  const halves = word(H_HALVES);
  for (let i: usize = 0; i < count; i++) {
    for (let k: usize = 0; k < 4; k++) store<f64>(halves + 32 * i + 8 * k, load<f64>(q + stride * k + 8 * i));
  }
  return check(false) === 0 ? 1 : 0;
}

/** Start and differences, the short way where a coordinate wraps; the weighted distance. */
function prepare(a: usize, b: usize): f64 {
  const start = word(H_START);
  const delta = word(H_DELTA);
  const weights = word(H_WEIGHTS);
  const wraps = word(H_WRAPS);
  let sum: f64 = 0;
  for (let i: usize = 0; i < word(H_COORDINATES); i++) {
    let d = load<f64>(b + 8 * i) - load<f64>(a + 8 * i);
    if (load<u32>(wraps + 4 * i) !== 0) d = d - nearest(d * INVERSE_TURN) * TURN;
    store<f64>(start + 8 * i, load<f64>(a + 8 * i));
    store<f64>(delta + 8 * i, d);
    const weighted = d * load<f64>(weights + 8 * i);
    sum = sum + weighted * weighted;
  }
  return sqrt(sum);
}

function at(t0: f64, t1: f64, t2: f64, t3: f64, all: bool): i32 {
  const start = word(H_START);
  const delta = word(H_DELTA);
  const halves = word(H_HALVES);
  for (let i: usize = 0; i < word(H_COORDINATES); i++) {
    const s = load<f64>(start + 8 * i);
    const d = load<f64>(delta + 8 * i);
    store<f64>(halves + 32 * i, s + t0 * d);
    store<f64>(halves + 32 * i, s + t1 * d, 8);
    store<f64>(halves + 32 * i, s + t2 * d, 16);
    store<f64>(halves + 32 * i, s + t3 * d, 24);
  }
  return check(all);
}

/** 1 when all samples of the straight motion, at most `step` apart, are free; b is one of them, a is not. */
export function motion(a: usize, b: usize, step: f64): i32 {
  if (!isMotion(a, b)) return 0;
  let count = ceil((prepare(a, b) * 0.25) / step);
  if (!(count <= 4194304)) return 0;
  count = max<f64>(count, 1);
  return sample(<i32>count);
}

/** 1 when the 4 quarter samples k / (4 quarter), k = 1 .. 4 quarter, are free. */
export function samples(a: usize, b: usize, quarter: i32): i32 {
  if (!isMotion(a, b)) return 0;
  prepare(a, b);
  return sample(quarter);
}

@inline
function isMotion(a: usize, b: usize): bool {
  return word(H_STRAIGHT) !== 0 && isWithin(a) && isWithin(b);
}

/** Of sample s among those that are no quarter's end: s + 1 + (quarters before it). */
@inline
function timeOf(s: i32, blocks: i32, width: f64): f64 {
  return <f64>(s + 1 + s / blocks) * width;
}

/** The quarters' ends, then the rest by fours of neighbours, by halving strides. */
function sample(quarter: i32): i32 {
  if (at(0.25, 0.5, 0.75, 1, false) !== 0) return 0;
  const blocks = quarter - 1;
  if (blocks <= 0) return 1;
  const width = 0.25 / <f64>quarter;
  for (let stride = 1 << (31 - clz(blocks)); stride > 0; stride >>= 1) {
    for (let i = stride - 1; i < blocks; i += 2 * stride) {
      const s = 4 * i;
      const t0 = timeOf(s, blocks, width);
      const t1 = timeOf(s + 1, blocks, width);
      const t2 = timeOf(s + 2, blocks, width);
      if (at(t0, t1, t2, timeOf(s + 3, blocks, width), false) !== 0) return 0;
    }
  }
  return 1;
}

/** Growths per unit of the motion; the largest. */
function measureSpeeds(): f64 {
  const count = word(H_COORDINATES);
  const delta = word(H_DELTA);
  const speeds = word(H_SPEEDS);
  let levers = word(H_LEVERS);
  let most: f64 = 0;
  for (let row: usize = 0; row < word(H_LEVER_ROWS); row++) {
    let sum: f64 = 0;
    for (let i: usize = 0; i < count; i++, levers += 8) sum = sum + abs(load<f64>(delta + 8 * i)) * load<f64>(levers);
    store<f32>(speeds + 4 * row, <f32>(sum * OUTWARD));
    most = max<f64>(most, sum);
  }
  return most;
}

function grow(half: f64): void {
  const factor = f32x4.splat(<f32>(half * OUTWARD));
  const speeds = word(H_SPEEDS);
  const growth = word(H_GROWTH);
  for (let i: usize = 0; i < 4 * word(H_LEVER_ROWS); i += 16)
    v128.store(growth + i, f32x4.mul(v128.load(speeds + i), factor));
}

/** 1 when the straight motion is free at every time, ends included; else 0, and where it failed. */
export function certify(a: usize, b: usize, tolerance: f64): i32 {
  const counts = word(H_CERTIFICATE);
  const failed = word(H_FAILED);
  const stack = word(H_STACK);
  store<i32>(counts, 0);
  store<f64>(failed, 0);
  store<f64>(failed, 1, 8);
  if (!isMotion(a, b)) return 0;
  prepare(a, b);
  if (at(0.25, 0.5, 0.75, 1, false) !== 0) return 0;
  const most = measureSpeeds();
  store<f64>(stack, 0);
  store<f64>(stack, 1, 8);
  let entries = 1;
  let blocks = 0;
  while (entries > 0) {
    entries--;
    const start = load<f64>(stack + 16 * <usize>entries);
    const width = load<f64>(stack + 16 * <usize>entries, 8);
    grow(width * 0.125);
    const bits = at(start + width * 0.125, start + width * 0.375, start + width * 0.625, start + width * 0.875, true);
    blocks++;
    record(bits, start, width);
    if (bits === 0) continue;
    if (most * width * 0.125 < tolerance || entries > STACK_ENTRIES - 5 || blocks > MOST_BLOCKS) {
      store<f64>(failed, start);
      store<f64>(failed, width, 8);
      return 0;
    }
    for (let lane = 3; lane >= 0; lane--) {
      if (((bits >> lane) & 1) === 0) continue;
      store<f64>(stack + 16 * <usize>entries, start + <f64>lane * (width * 0.25));
      store<f64>(stack + 16 * <usize>entries, width * 0.25, 8);
      entries++;
    }
  }
  return 1;
}

/** Writes the intervals of a block that are proven, when they are wanted; counts them beyond the room as well. */
function record(bits: i32, start: f64, width: f64): void {
  const counts = word(H_CERTIFICATE);
  if (load<i32>(counts, 4) === 0) return;
  let count = load<i32>(counts);
  for (let k = 0; k < 4; k++) {
    if (((bits >> k) & 1) !== 0) continue;
    if (count < MOST_INTERVALS) {
      const place = word(H_INTERVALS) + 16 * <usize>count;
      store<f64>(place, start + width * (<f64>(2 * k + 1) / 8));
      store<f64>(place, width * 0.125, 8);
    }
    count++;
  }
  store<i32>(counts, count);
}
