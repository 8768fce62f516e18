// The robot under check: its head, and reads of its words. Fills sines, cosines and cells, and runs its programs: the operations of the
// compiled module in single precision, one instruction after the other.
import {
  ANGLE_BYTES,
  H_ANGLE_COUNT,
  H_ANGLES,
  H_HALVES,
  H_SLIDE_COUNT,
  H_SLIDES,
  INSTRUCTION_BYTES,
  OP_ADD,
  OP_COPY,
  OP_DIVIDE,
  OP_MINIMUM,
  OP_MULTIPLY,
  OP_NEGATE,
  OP_SELECT,
  OP_SQUARE_ROOT,
  OP_SUBTRACT,
  SLIDE_BYTES,
} from '../../src/compile/sphere-checks/table-layout';

export let head: usize = 0;

export function open(address: usize): void {
  head = address;
}

@inline
export function word(offset: usize): usize {
  return load<u32>(head + offset);
}

/** Instructions from `at` to `end`. */
export function runProgram(first: usize, end: usize): void {
  for (let at = first; at < end; at += INSTRUCTION_BYTES) {
    const code = load<u32>(at);
    const out = <usize>load<u32>(at, 4);
    const a = v128.load(<usize>load<u32>(at, 8));
    const b = v128.load(<usize>load<u32>(at, 12));
    switch (code & 15) {
      case OP_ADD:
        v128.store(out, f32x4.add(a, b));
        break;
      case OP_SUBTRACT:
        v128.store(out, f32x4.sub(a, b));
        break;
      case OP_MULTIPLY:
        v128.store(out, f32x4.mul(a, b));
        break;
      case OP_DIVIDE:
        v128.store(out, f32x4.div(a, b));
        break;
      case OP_NEGATE:
        v128.store(out, f32x4.neg(a));
        break;
      case OP_SQUARE_ROOT:
        v128.store(out, f32x4.sqrt(a));
        break;
      case OP_MINIMUM:
        v128.store(out, f32x4.min(a, b));
        break;
      case OP_SELECT: {
        const otherwise = v128.load(<usize>(code & ~15));
        v128.store(out, v128.bitselect(b, otherwise, f32x4.gt(a, f32x4.splat(0))));
        break;
      }
      case OP_COPY:
        v128.store(out, a);
        break;
      default:
        unreachable();
    }
  }
}

@inline
function demote(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(f32x4.demote_f64x2_zero(a), f32x4.demote_f64x2_zero(b), 0, 1, 4, 5);
}

const MAGIC: f64 = 6755399441055744;
const TWO_OVER_PI: f64 = 0.6366197723675814;
const HALF_PI: f64 = 1.5707963267948966;

@inline
function turns(q: v128): v128 {
  return f64x2.add(f64x2.mul(q, f64x2.splat(TWO_OVER_PI)), f64x2.splat(MAGIC));
}

@inline
function reduce(q: v128, k: v128): v128 {
  return f64x2.sub(q, f64x2.mul(f64x2.sub(k, f64x2.splat(MAGIC)), f64x2.splat(HALF_PI)));
}

@inline
function polynomial(z: v128, c0: f32, c1: f32, c2: f32): v128 {
  const inner = f32x4.add(f32x4.mul(f32x4.splat(c2), z), f32x4.splat(c1));
  return f32x4.add(f32x4.mul(inner, z), f32x4.splat(c0));
}

@inline
function scaled(q: v128, factor: f64, offset: f64): v128 {
  const y = factor === 1 ? q : f64x2.mul(q, f64x2.splat(factor));
  return offset === 0 ? y : f64x2.add(y, f64x2.splat(offset));
}

@inline
function withSign(value: v128, k: v128): v128 {
  return v128.xor(value, v128.and(i32x4.shl(k, 30), i32x4.splat(<i32>0x80000000)));
}

/** Sines, cosines and cells of coordinates, from the four configurations under `H_HALVES`: see emit-angles.ts. */
export function placeAngles(): void {
  const halves = word(H_HALVES);
  let at = word(H_SLIDES);
  for (let n = word(H_SLIDE_COUNT); n > 0; n--, at += SLIDE_BYTES) {
    const pair = halves + 32 * <usize>load<u32>(at);
    v128.store(<usize>load<u32>(at, 4), demote(v128.load(pair), v128.load(pair, 16)));
  }
  at = word(H_ANGLES);
  for (let n = word(H_ANGLE_COUNT); n > 0; n--, at += ANGLE_BYTES) {
    const pair = halves + 32 * <usize>load<u32>(at, 8);
    const sine = <usize>load<u32>(at, 12);
    if (sine !== 0) placeCircle(at, pair, halves + 32 * (sine - 1));
    else placeAngle(at, pair);
  }
}

@inline
function placeAngle(at: usize, pair: usize): void {
  const factor = load<f64>(at, 16);
  const offset = load<f64>(at, 24);
  const qa = scaled(v128.load(pair), factor, offset);
  const qb = scaled(v128.load(pair, 16), factor, offset);
  const ka = turns(qa);
  const kb = turns(qb);
  const r = demote(reduce(qa, ka), reduce(qb, kb));
  const k = v128.shuffle<f32>(ka, kb, 0, 2, 4, 6);
  const z = f32x4.mul(r, r);
  const s = f32x4.add(
    f32x4.mul(
      polynomial(z, <f32>-0.16666650772094727, <f32>0.00833197869360447, <f32>-0.000194956359337084),
      f32x4.mul(z, r),
    ),
    r,
  );
  const c = f32x4.add(
    f32x4.mul(
      polynomial(z, <f32>0.04166664555668831, <f32>-0.001388736767694354, <f32>2.443845005473122e-5),
      f32x4.mul(z, z),
    ),
    f32x4.sub(f32x4.splat(1), f32x4.mul(f32x4.splat(0.5), z)),
  );
  const isOdd = i32x4.shr_s(i32x4.shl(k, 31), 31);
  v128.store(<usize>load<u32>(at), withSign(v128.bitselect(c, s, isOdd), k));
  v128.store(<usize>load<u32>(at, 4), withSign(v128.bitselect(s, c, isOdd), i32x4.add(k, i32x4.splat(1))));
}

@inline
function unit(x: v128, square: v128, otherwise: f64): v128 {
  return v128.bitselect(f64x2.div(x, f64x2.sqrt(square)), f64x2.splat(otherwise), f64x2.gt(square, f64x2.splat(0)));
}

function placeCircle(at: usize, cosines: usize, sines: usize): void {
  const ca = v128.load(cosines);
  const cb = v128.load(cosines, 16);
  const sa = v128.load(sines);
  const sb = v128.load(sines, 16);
  const a = f64x2.add(f64x2.mul(ca, ca), f64x2.mul(sa, sa));
  const b = f64x2.add(f64x2.mul(cb, cb), f64x2.mul(sb, sb));
  v128.store(<usize>load<u32>(at), demote(unit(sa, a, 0), unit(sb, b, 0)));
  v128.store(<usize>load<u32>(at, 4), demote(unit(ca, a, 1), unit(cb, b, 1)));
}
