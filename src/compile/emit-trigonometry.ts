/**
 * The function that fills the sines and cosines from the angles, two at a time, with the bits of `sinCos` in math/scalar.ts.
 *
 * Method: the operations of `sinCos` in its order on both lanes of a register, a loop over the angles. The number of quarter
 * turns k is an integer in the low bits of k + 1.5 2^52; its lowest bit exchanges sine and cosine, the next one their signs.
 * Angles beyond the range of that reduction, or too near a multiple of pi/2 for it, go to the imported functions.
 * Cost: about 45 operations per two angles. Tested by compile-model.test.ts (equal bits to math/scalar.ts).
 */
import type { ConstantTable } from './emit-program.js';
import { InstructionWriter, type Lanes, Simd } from './instruction-writer.js';
import type { CellLayout } from './layout.js';
import { type FunctionBody, ImportedFunction, ValueType } from './wasm-module.js';

type Code = () => void;

const Local = { At: 0, X: 1, K: 2, R: 3, Low: 4, T: 5, Z: 6, Y: 7, Sine: 8, Cosine: 9, Slow: 10, Bits: 11 } as const;
const REGISTERS = 11;

export function emitTrigonometry(layout: CellLayout, lanes: Lanes, constants: ConstantTable): FunctionBody {
  const out = new InstructionWriter(lanes);
  const local =
    (index: number): Code =>
    () =>
      out.getLocal(index);
  const set = (index: number, value: Code): void => {
    value();
    out.setLocal(index);
  };
  const apply =
    (code: number, ...operands: Code[]): Code =>
    () => {
      for (const operand of operands) operand();
      out.simd(code);
    };
  const add = (a: Code, b: Code) => apply(Simd.AddF64, a, b);
  const sub = (a: Code, b: Code) => apply(Simd.SubtractF64, a, b);
  const mul = (a: Code, b: Code) => apply(Simd.MultiplyF64, a, b);
  const and = (a: Code, b: Code) => apply(Simd.And, a, b);
  const number =
    (value: number): Code =>
    () => {
      out.zero();
      out.simd(lanes === 1 ? Simd.LoadSplat : Simd.Load);
      out.byte(3);
      out.unsigned(out.address(constants.cell(value)));
    };
  const shift =
    (code: number, value: Code, count: number): Code =>
    () => {
      value();
      out.byte(0x41);
      out.signed(count);
      out.simd(code);
    };
  const memory = (code: number, base: number): void => {
    out.simd(code);
    out.byte(3);
    out.unsigned(out.address(base));
  };
  const store = (base: number, value: Code): void => {
    out.getLocal(Local.At);
    value();
    memory(Simd.Store, base);
  };

  const { At, X, K, R, Low, T, Z, Y, Sine, Cosine, Slow, Bits } = Local;
  const [x, k, r, low, t, z, y, sine, cosine, slow, bits] = [X, K, R, Low, T, Z, Y, Sine, Cosine, Slow, Bits].map(
    local,
  );
  const size = 8 * lanes * layout.angles.count;
  if (size === 0) return { locals: [], code: out.toBytes() };

  out.bytes([0x03, 0x40]); // loop
  set(X, () => {
    out.getLocal(At);
    memory(Simd.Load, layout.angles.start);
  });
  // k = round(2/pi x), halves upward; 0 on the middle interval.
  set(T, mul(x, number(0.6366197723675814)));
  set(K, apply(Simd.FloorF64, t));
  set(K, add(k, and(apply(Simd.GreaterEqualF64, sub(t, k), number(0.5)), number(1))));
  set(K, and(k, apply(Simd.GreaterF64, apply(Simd.AbsF64, x), number(0.7853981633974483))));
  // The remainder r + low of three parts of pi/2.
  set(T, sub(x, mul(k, number(1.5707963267341256))));
  set(Y, mul(k, number(6.077100506303966e-11)));
  set(Z, sub(t, y));
  set(Sine, sub(z, t));
  set(Cosine, sub(sub(sub(t, sub(z, sine)), add(y, sine)), mul(k, number(2.0222662487959506e-21))));
  set(R, add(z, cosine));
  set(Low, add(sub(z, r), cosine));
  // Lanes this reduction does not serve.
  const size1 = apply(Simd.AbsF64, r);
  const isNear = and(
    apply(Simd.LessF64, size1, number(1e-14)),
    apply(Simd.LessF64, size1, mul(apply(Simd.AbsF64, k), number(1e-20))),
  );
  const isFar = apply(Simd.Not, apply(Simd.LessEqualF64, apply(Simd.AbsF64, k), number(524288)));
  set(Slow, apply(Simd.Or, isNear, isFar));
  // Polynomials in z = r^2.
  set(Z, mul(r, r));
  set(Y, mul(z, z));
  const p = add(
    add(number(-0.16666666666666666), mul(z, number(0.008333333333333331))),
    mul(
      y,
      add(
        add(number(-0.00019841269841265063), mul(z, number(2.7557319219337312e-6))),
        mul(
          y,
          sub(
            add(number(-2.5052106231802837e-8), mul(z, number(1.6058531516797758e-10))),
            mul(y, number(7.586691094197958e-13)),
          ),
        ),
      ),
    ),
  );
  set(Sine, add(r, add(mul(mul(r, z), p), mul(low, sub(number(1), mul(number(0.5), z))))));
  const g = add(
    sub(number(0.041666666666666664), mul(z, number(0.0013888888888887398))),
    mul(
      y,
      add(
        sub(number(2.480158729876456e-5), mul(z, number(2.7557317271145144e-7))),
        mul(y, sub(number(2.087614614655861e-9), mul(z, number(1.1382623647474604e-11)))),
      ),
    ),
  );
  set(T, mul(number(0.5), z));
  set(Cosine, sub(number(1), t));
  set(Cosine, add(cosine, add(sub(sub(number(1), cosine), t), sub(mul(y, g), mul(r, low)))));
  // Quarter turns.
  set(Bits, add(k, number(6755399441055744)));
  set(T, shift(Simd.ShiftRight64, shift(Simd.ShiftLeft64, bits, 63), 63));
  const minusZero: Code = () => {
    out.simd(Simd.Constant);
    out.f64(-0);
    out.f64(-0);
  };
  set(Y, apply(Simd.Select, cosine, sine, t));
  set(Z, apply(Simd.Select, sine, cosine, t));
  set(Bits, shift(Simd.ShiftLeft64, bits, 62));
  store(layout.sines.start, apply(Simd.Xor, y, and(bits, minusZero)));
  // The cosine's sign is that of the second bit of k + 1: the two lowest bits of k exclusive-or.
  const cosineSign = apply(Simd.Xor, bits, shift(Simd.ShiftLeft64, t, 63));
  store(layout.cosines.start, apply(Simd.Xor, z, and(cosineSign, minusZero)));
  slow();
  out.simd(Simd.AnyTrue);
  out.bytes([0x04, 0x40]); // if
  for (const lane of [0, 1]) {
    for (const [target, imported] of [
      [layout.sines.start, ImportedFunction.Sin],
      [layout.cosines.start, ImportedFunction.Cos],
    ]) {
      out.getLocal(At);
      x();
      out.simd(Simd.ExtractF64);
      out.byte(lane);
      out.call(imported);
      out.byte(0x39);
      out.byte(3);
      out.unsigned(out.address(target) + 8 * lane);
    }
  }
  out.byte(0x0b);
  // at += 16; loop while at < size
  out.getLocal(At);
  out.bytes([0x41, 16, 0x6a]);
  out.teeLocal(At);
  out.byte(0x41);
  out.signed(size);
  out.bytes([0x49, 0x0d, 0, 0x0b]);
  return {
    locals: [
      { count: 1, type: ValueType.I32 },
      { count: REGISTERS, type: ValueType.V128 },
    ],
    code: out.toBytes(),
  };
}
