import { Decimal } from 'decimal.js';
import { describe, it } from 'vitest';
import { expect } from '../../test/support/quick-expect.js';
import { createRandom } from './random.js';
import { atan2, cos, exp, log, sin, sinCos, sinCosEach } from './scalar.js';

const Precise = Decimal.clone({ precision: 50 });
const MODERATE_TWO_PI = Precise.acos(-1).mul(2);
const HUGE_DIGITS = Decimal.clone({ precision: 400 });
const HUGE_TWO_PI = HUGE_DIGITS.acos(-1).mul(2);

/** x less a whole number of turns, good to 1e-25 of the remainder at least. */
function reduce(x: number): Decimal {
  if (Math.abs(x) < 2 ** 21) return new Precise(digits(x)).mod(MODERATE_TWO_PI);
  return new Precise(new HUGE_DIGITS(digits(x)).mod(HUGE_TWO_PI));
}

/** Every digit of a double: the library itself reads numbers by their shortest decimal form. */
function digits(x: number): string {
  return Number.isInteger(x) ? BigInt(x).toString() : x.toPrecision(100);
}

/** Error in units in the last place of the exact result. */
function unitsOff(got: number, exact: Decimal): number {
  const rounded = Math.abs(exact.toNumber());
  const exponent = Math.max(-1022, Math.floor(Math.log2(rounded)));
  return Math.abs(new Precise(digits(got)).sub(exact).toNumber()) / 2 ** (exponent - 52);
}

/** Arguments of every size from 2^low to 2^high, and of both signs. */
function samples(seed: number, count: number, low: number, high: number): number[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    const x = (1 + random.next()) * 2 ** random.uniform(low, high);
    return random.next() < 0.5 ? -x : x;
  });
}

describe('sin and cos', () => {
  const quarterTurns = Array.from({ length: 60 }, (_, k) => (k - 30) * (Math.PI / 4));
  const cases: [string, number[]][] = [
    ['small and moderate arguments', samples(1, 300, -30, 4)],
    ['arguments up to 2^20', samples(2, 200, 4, 20)],
    ['arguments up to 2^1023', samples(3, 100, 20, 1022)],
    ['multiples of pi/4, where one of them nearly vanishes', quarterTurns],
    // The double nearest to a multiple of pi/2 (Muller 2016, section 11.2), and neighbours of pi.
    ['hard arguments', [6381956970095103 * 2 ** 797, Math.PI, 22, 355, 103993, 833719, 5.319372648326541e255]],
  ];
  it.each(cases)('%s: within 1 unit in the last place', (_, values) => {
    const out = new Float64Array(2);
    let worst = 0;
    for (const x of values) {
      const reduced = reduce(x);
      sinCos(out, x);
      worst = Math.max(worst, unitsOff(out[0], reduced.sin()), unitsOff(out[1], reduced.cos()));
      expect([sin(x), cos(x)]).toEqual([out[0], out[1]]);
    }
    expect(worst).toBeLessThan(1);
  });

  it('many at once: within 2^-52, whatever their size', () => {
    const angles = Float64Array.from([...samples(4, 300, -40, 20), ...quarterTurns, 0, -0, 1e5, -1e22]);
    const out = new Float64Array(2 * angles.length);
    sinCosEach(out, angles, angles.length);
    angles.forEach((x, i) => {
      const reduced = reduce(x);
      expect(Math.abs(out[2 * i] - reduced.sin().toNumber())).toBeLessThan(2 ** -52);
      expect(Math.abs(out[2 * i + 1] - reduced.cos().toNumber())).toBeLessThan(2 ** -52);
    });
    sinCosEach(out, Float64Array.of(Number.NaN, Number.POSITIVE_INFINITY, 7), 2);
    expect([...out.subarray(0, 4)].every(Number.isNaN)).toBe(true);
  });

  it('special values', () => {
    expect(Object.is(sin(0), 0)).toBe(true);
    expect(Object.is(sin(-0), -0)).toBe(true);
    expect(cos(0)).toBe(1);
    for (const x of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(sin(x)).toBeNaN();
      expect(cos(x)).toBeNaN();
    }
    expect(sin(5e-324)).toBe(5e-324);
  });
});

describe('atan2', () => {
  it('every octant and ratio: within 1 unit in the last place', () => {
    const xs = samples(4, 400, -8, 8);
    const ys = samples(5, 400, -8, 8);
    let worst = 0;
    xs.forEach((x, i) => {
      worst = Math.max(worst, unitsOff(atan2(ys[i], x), Precise.atan2(digits(ys[i]), digits(x))));
    });
    for (let k = 0; k <= 100; k++) {
      worst = Math.max(
        worst,
        unitsOff(atan2(k, 100), Precise.atan2(k, 100)),
        unitsOff(atan2(-100, k), Precise.atan2(-100, k)),
      );
    }
    for (const [y, x] of [
      [1e300, 3e300],
      [1e-300, 3e-300],
      [1e-310, 2e-310],
      [1e-200, 1e200],
      [1e200, -1e-200],
      [1e-9, -1],
    ]) {
      const exact = Precise.atan2(digits(y), digits(x));
      if (exact.abs().greaterThan(1e-300)) worst = Math.max(worst, unitsOff(atan2(y, x), exact));
    }
    expect(worst).toBeLessThan(1);
  });

  it('special values as Math.atan2', () => {
    const values = [0, -0, 1, -1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN];
    for (const y of values) for (const x of values) expect(atan2(y, x)).toBe(Math.atan2(y, x));
  });
});

describe('exp and log', () => {
  it('exp: within 1 unit in the last place, subnormal results too', () => {
    let worst = 0;
    for (const x of [...samples(6, 500, -20, 9), -740, -720, -708.5, 709.7, 1e-9]) {
      if (Math.abs(x) < 740.5 && x < 709.78) worst = Math.max(worst, unitsOff(exp(x), new Precise(digits(x)).exp()));
    }
    expect(worst).toBeLessThan(1);
    expect([exp(0), exp(Number.NEGATIVE_INFINITY), exp(-746), exp(710)]).toEqual([1, 0, 0, Number.POSITIVE_INFINITY]);
    expect(exp(Number.NaN)).toBeNaN();
  });

  it('log: within 1 unit in the last place, near 1 too', () => {
    let worst = 0;
    const near = Array.from({ length: 200 }, (_, i) => 1 + (i - 100) * 1e-3 + 1e-9);
    for (const x of [
      ...samples(7, 500, -1000, 1000).map(Math.abs),
      ...near,
      5e-324,
      1e-310,
      Math.SQRT2,
      Math.SQRT1_2,
    ]) {
      worst = Math.max(worst, unitsOff(log(x), new Precise(digits(x)).ln()));
    }
    expect(worst).toBeLessThan(1);
    expect([log(1), log(0), log(Number.POSITIVE_INFINITY)]).toEqual([
      0,
      Number.NEGATIVE_INFINITY,
      Number.POSITIVE_INFINITY,
    ]);
    expect(log(-1)).toBeNaN();
    expect(log(Number.NaN)).toBeNaN();
  });
});

it('the same bits everywhere: a checksum over all functions', () => {
  // FNV-1a over the results; made once from the code as tested above. Engines and machines must agree.
  const view = new DataView(new ArrayBuffer(8));
  let hash = 0x811c9dc5;
  const add = (x: number): void => {
    view.setFloat64(0, x);
    for (let i = 0; i < 8; i++) hash = Math.imul(hash ^ view.getUint8(i), 0x01000193) >>> 0;
  };
  for (const x of samples(8, 2000, -20, 10)) {
    add(sin(x));
    add(cos(x));
    add(atan2(x, 1.5));
    add(exp(x / 2));
    add(log(Math.abs(x)));
  }
  expect(hash.toString(16)).toBe('abf51bb9');
});
