import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextScanner } from './mesh-text.js';

function scan(text: string, options = {}): TextScanner {
  return new TextScanner(new TextEncoder().encode(text), options);
}

function readAll(text: string): number[] {
  const scanner = scan(text);
  const numbers: number[] = [];
  while (scanner.skipToToken()) {
    numbers.push(scanner.readNumber());
    scanner.skipToken();
  }
  return numbers;
}

describe('readNumber', () => {
  it('equals Number bit for bit on every way of writing a double', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: 1, max: 21 }), (x, digits) => {
        const texts = [`${x}`, x.toExponential(), x.toPrecision(digits), x.toExponential(digits - 1)];
        if (Math.abs(x) < 1e21) texts.push(x.toFixed(digits));
        for (const text of texts) {
          expect(Object.is(scan(text).readNumber(), Number(text)), text).toBe(true);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('equals Number on random decimal texts', () => {
    const digits = fc.stringMatching(/^[0-9]{0,20}$/);
    fc.assert(
      fc.property(fc.constantFrom('', '-', '+'), digits, digits, fc.integer({ min: -340, max: 320 }), (s, a, b, e) => {
        fc.pre(a + b !== '');
        for (const text of [`${s}${a}.${b}`, `${s}${a}.${b}e${e}`, `${s}${a}.${b}E+${Math.abs(e)}`]) {
          expect(Object.is(scan(text).readNumber(), Number(text)), text).toBe(true);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('takes numbers without leading or trailing digits, and -0', () => {
    expect(readAll('.8e-1 5. -.5 +3 -0')).toEqual([0.08, 5, -0.5, 3, -0]);
  });

  it('is NaN, unmoved, for what is no number', () => {
    for (const text of ['nan', 'x', '', '1,5', '1.2.3', '--1', 'e5', '1e', '1e+', '.', '0x10', '1_0']) {
      const scanner = scan(text);
      expect(scanner.readNumber(), text).toBeNaN();
      expect(scanner.position).toBe(0);
    }
  });

  it('is infinite beyond the range of doubles', () => {
    expect(readAll('1e400 -1e400 1e-400')).toEqual([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0]);
  });
});

describe('TextScanner', () => {
  it('counts lines of all three line ends', () => {
    const scanner = scan('a\nb\r\nc\rd');
    const lines: number[] = [];
    while (scanner.skipToToken()) {
      lines.push(scanner.line);
      scanner.skipToken();
    }
    expect(lines).toEqual([1, 2, 3, 4]);
  });

  it('joins lines that end in a backslash, except in comments', () => {
    const scanner = scan('1 \\\n 2\\\r\n3 # 4 \\\n5', { comments: true, continuation: true });
    const found: (number | null)[] = [];
    while (scanner.skipBlanks()) found.push(scanner.readInteger());
    expect(found).toEqual([1, 2, 3]);
    expect(scanner.line).toBe(3);
    scanner.nextLine();
    scanner.skipBlanks();
    expect(scanner.readInteger()).toBe(5);
    expect(scanner.line).toBe(4);
  });

  it('skips a byte order mark', () => {
    const scanner = new TextScanner(Uint8Array.of(0xef, 0xbb, 0xbf, 0x37));
    expect(scanner.readNumber()).toBe(7);
  });

  it('refuses integers beyond 2^31', () => {
    expect(scan('2147483647').readInteger()).toBe(2147483647);
    expect(scan('2147483648').readInteger()).toBeNull();
    expect(scan('99999999999999999999').readInteger()).toBeNull();
  });
});
