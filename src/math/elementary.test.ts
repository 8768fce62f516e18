import { Decimal } from 'decimal.js';
import { describe, expect, it } from 'vitest';
import {
  acos,
  acosh,
  asin,
  asinh,
  atan,
  atanh,
  cosh,
  expm1,
  log1p,
  log2,
  log10,
  pow,
  sinh,
  tan,
  tanh,
} from './elementary.js';
import { createRandom } from './random.js';
import { hypot } from './scalar.js';

const Precise = Decimal.clone({ precision: 60 });
/** Every digit of a double: the library itself reads numbers by their shortest decimal form. */
const digits = (x: number): string => x.toPrecision(100);
const functions = { tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, expm1, log1p, log2, log10 };
type Name = keyof typeof functions;

const exactly: Record<Name, (x: Decimal) => Decimal> = {
  tan: (x) => x.tan(),
  asin: (x) => x.asin(),
  acos: (x) => x.acos(),
  atan: (x) => x.atan(),
  sinh: (x) => x.sinh(),
  cosh: (x) => x.cosh(),
  tanh: (x) => x.tanh(),
  asinh: (x) => x.asinh(),
  acosh: (x) => x.acosh(),
  atanh: (x) => x.atanh(),
  expm1: (x) => x.exp().sub(1),
  log1p: (x) => x.add(1).ln(),
  log2: (x) => x.log(2),
  log10: (x) => x.log(10),
};
/** Size of arguments as powers of ten, and a map into the domain. */
const domains: Partial<Record<Name, (size: number, sign: number) => number>> = {
  asin: (size, sign) => sign * Math.min(size, 1),
  acos: (size, sign) => sign * Math.min(size, 1),
  atanh: (size, sign) => sign * Math.min(size, 1 - 1e-9),
  acosh: (size) => 1 + size,
  log1p: (size, sign) => Math.max(sign * size, -0.999),
  log2: (size) => size,
  log10: (size) => size,
};

describe.each(Object.keys(exactly) as Name[])('%s', (name) => {
  it('agrees with extended precision to 8 units in the last place (seed 41)', () => {
    const random = createRandom(41);
    for (let i = 0; i < 150; i++) {
      const size = 10 ** random.uniform(-9, 2.3);
      const x = (domains[name] ?? ((s, sign) => s * sign))(size, random.next() < 0.5 ? -1 : 1);
      const exact = exactly[name](new Precise(digits(x))).toNumber();
      expect(Math.abs(functions[name](x) - exact), `${name}(${x})`).toBeLessThanOrEqual(8 * 2 ** -52 * Math.abs(exact));
    }
  });

  it("answers special values as Math's function does", () => {
    for (const x of [0, -0, 1, -1, Infinity, -Infinity, Number.NaN, 2, -2, 800, -800, Number.MIN_VALUE]) {
      const [got, want] = [functions[name](x), Math[name](x)];
      if (Number.isFinite(want))
        expect(Math.abs(got - want), `${name}(${x})`).toBeLessThanOrEqual(1e-14 * Math.abs(want));
      else expect(got, `${name}(${x})`).toBe(want);
    }
  });
});

describe('pow', () => {
  it('is exact for whole numbers whose power is', () => {
    for (let k = 0; k <= 22; k++) expect(pow(10, k)).toBe(Number(`1e${k}`));
    for (let k = -1074; k <= 1023; k++) expect(pow(2, k)).toBe(new Precise(2).pow(k).toNumber());
    expect(pow(36, 5)).toBe(60466176);
    expect(pow(10, -3)).toBe(0.001);
  });

  it('agrees with extended precision (seed 42)', () => {
    const random = createRandom(42);
    for (let i = 0; i < 400; i++) {
      const x = 10 ** random.uniform(-3, 3);
      const y = i % 2 ? random.uniform(-20, 20) : random.integer(61) - 30;
      const exact = new Precise(digits(x)).pow(digits(y)).toNumber();
      const units = 4 + Math.abs(y * Math.log(x)) + Math.abs(y);
      expect(Math.abs(pow(x, y) - exact), `${x} ** ${y}`).toBeLessThanOrEqual(units * 2 ** -52 * exact);
    }
  });

  it('answers special values as the operator does', () => {
    const values = [0, -0, 1, -1, 0.5, -0.5, 2, -2, 3, -3, 1e300, -1e300, 2000, 2001, Infinity, -Infinity, Number.NaN];
    for (const x of values)
      for (const y of values) {
        const want = x ** y;
        if (want === 0 || !Number.isFinite(want)) expect(pow(x, y), `${x} ** ${y}`).toBe(want);
      }
  });
});

describe('hypot', () => {
  it('is the plain square root in range, and neither overflows nor underflows beyond', () => {
    expect(hypot(3, 4)).toBe(5);
    expect(hypot(0.1, 0.2, 0.3)).toBe(Math.sqrt(0.1 * 0.1 + 0.2 * 0.2 + 0.3 * 0.3));
    expect(hypot(3 * 2 ** -1000, 4 * 2 ** -1000)).toBe(5 * 2 ** -1000);
    expect(hypot(3 * 2 ** 1000, 4 * 2 ** 1000, 12 * 2 ** 1000)).toBe(13 * 2 ** 1000);
    expect(hypot(Number.MIN_VALUE, 0)).toBe(Number.MIN_VALUE);
    expect(hypot(0, -0)).toBe(0);
    expect(hypot(Number.NaN, Infinity)).toBe(Infinity);
    expect(hypot(1, Number.NaN)).toBeNaN();
  });
});
