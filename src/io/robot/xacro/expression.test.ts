// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${...} is what xacro files are made of
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Evaluator } from './evaluate.js';
import { globalNames } from './functions.js';
import { parseParameters } from './parameters.js';
import { ExpressionError, printFloat, printValue, readLiteral, type Value } from './values.js';

const names = globalNames();
const evaluate = (text: string, more: Record<string, Value> = {}): Value =>
  new Evaluator().evaluate(text, (name) => (Object.hasOwn(more, name) ? more[name] : names.get(name)));
const print = (text: string): string => printValue(evaluate(text));

describe('expressions', () => {
  // Right-hand sides are what Python 3 prints.
  it.each([
    ['1 + 2 * 3', '7'],
    ['(1 + 2) * 3', '9'],
    ['7 / 2', '3.5'],
    ['4 / 2', '2.0'],
    ['7 // 2', '3'],
    ['-7 // 2', '-4'],
    ['-7 % 3', '2'],
    ['7 % -3', '-2'],
    ['-7.5 % 2', '0.5'],
    ['-7.5 // 2', '-4.0'],
    ['2 ** 10', '1024'],
    ['2 ** -1', '0.5'],
    ['-2 ** 2', '-4'],
    ['2 ** 3 ** 2', '512'],
    ['2 ** 100', '1267650600228229401496703205376'],
    ['1e16', '1e+16'],
    ['1e15', '1000000000000000.0'],
    ['0.0001', '0.0001'],
    ['0.00001', '1e-05'],
    ['1 / 3', '0.3333333333333333'],
    ['0.1 + 0.2', '0.30000000000000004'],
    ['-0.0', '-0.0'],
    ['.5', '0.5'],
    ['0x1F', '31'],
    ['0x_1_F', '31'],
    ['0o17', '15'],
    ['0b1_01', '5'],
    ['00', '0'],
    ['07.5', '7.5'],
    ['1_000', '1000'],
    ['1_0.2_5', '10.25'],
    ['1e1_0', '10000000000.0'],
    ['~5', '-6'],
    ['~-1', '0'],
    ['5 & 3', '1'],
    ['5 | 3', '7'],
    ['5 ^ 3', '6'],
    ['1 << 4', '16'],
    ['-9 >> 1', '-5'],
    ['1 >> 10000', '0'],
    ['0 << 10000', '0'],
    ['1 + 1 << 2', '8'],
    ['1 | 2 == 3', 'True'],
    ['1 ^ 3 & 2', '3'],
    ['~2 ** 2', '-5'],
    ['True & False', 'False'],
    ['True | 2', '3'],
    ['-True ^ 0', '-1'],
    ['True + 1', '2'],
    ['1 == 1.0', 'True'],
    ['1 < 2 < 3', 'True'],
    ['1 < 2 > 3', 'False'],
    ['not 1 == 2', 'True'],
    ['not not 3', 'True'],
    ["'a' or 'b'", 'a'],
    ["'' or 'b'", 'b'],
    ['1 and 2', '2'],
    ['0 and 2', '0'],
    ['1 if 0 else 2 if 0 else 3', '3'],
    ["'b' in 'abc'", 'True'],
    ["'k' in dict(k=1)", 'True'],
    ['3 not in [1, 2]', 'True'],
    ['None is None', 'True'],
    ["'it''s'", 'its'],
    ['"it\'s"', "it's"],
    ["'a\\nb'", 'a\nb'],
    ["'ab' * 2 + 'c'", 'ababc'],
    ['[1, 2.0, "x", None, True]', "[1, 2.0, 'x', None, True]"],
    ['{"a": 1, 2: [3]}', "{'a': 1, 2: [3]}"],
    ['[1, 2] + [3]', '[1, 2, 3]'],
    ['[1, 2, 3][-1]', '3'],
    ["'hello'[1:3]", 'el'],
    ["'hello'[::-1]", 'olleh'],
    ['[0, 1, 2, 3][1:]', '[1, 2, 3]'],
    ['[x * 2 for x in range(4) if x % 2]', '[2, 6]'],
    ['[k + str(v) for k, v in dict(a=1).items()]', "['a1']"],
    ['sum(x for x in [1, 2.5])', '3.5'],
    ['len("abc") + len([1])', '4'],
    ['int(3.7) + int("4")', '7'],
    ['float("2")', '2.0'],
    ['round(2.5)', '2'],
    ['round(3.5)', '4'],
    ['round(2.345, 2)', '2.35'],
    ['round(2.675, 2)', '2.67'],
    ['round(2.25, 1)', '2.2'],
    ['round(-2.75, 1)', '-2.8'],
    ['round(-0.5)', '0'],
    ["'%.0f %.0f %.0f %.1f' % [0.5, 1.5, -2.5, 0.25]", '0 2 -2 0.2'],
    ['abs(-3)', '3'],
    ['min(3, 1.5)', '1.5'],
    ['max([1, 5, 2])', '5'],
    ['sqrt(16)', '4.0'],
    ['floor(-1.5)', '-2'],
    ['ceil(1.2)', '2'],
    ['math.pi == pi', 'True'],
    ['radians(180) == pi', 'True'],
    ['atan2(0, -1)', '3.141592653589793'],
    ["'%03d %.2f %s' % [7, 3.14159, 'x']", '007 3.14 x'],
    ["'%5.1f|%-4d|%+d' % [2.25, 3, 4]", '  2.2|3   |+4'],
    ["'{}-{1}-{name:.1f}'.format(1, 2, name=3.25)", '1-2-3.2'],
    ["'a,b'.split(',')", "['a', 'b']"],
    ["' x '.strip() + 'Y'.lower()", 'xy'],
    ["'-'.join(['a', 'b'])", 'a-b'],
    ["dict(a=1).get('b', 2)", '2'],
    ["sorted(['b', 'a'])", "['a', 'b']"],
    ['list(zip([1, 2], [3, 4]))', '[[1, 3], [2, 4]]'],
  ])('%s is %s', (text, printed) => {
    expect(print(text)).toBe(printed);
  });

  it.each([
    ['', 'empty'],
    ['1 +', 'unexpected the end'],
    ['1 2', 'unexpected "2"'],
    ['(1', 'expected ")"'],
    ["'open", 'no closing quote'],
    ['a = 1', 'unexpected "="'],
    ['lambda x: x', 'unexpected "lambda"'],
    ['07', 'may not begin with 0; write 7'],
    ['1_', 'unexpected "_"'],
    ['1__0', 'unexpected "__0"'],
    ['0b12', 'unexpected "2"'],
    ['1.5 & 2', '"&" of float 1.5, expected a whole number'],
    ["~'a'", '"~" of string'],
    ['1 << -1', 'a shift by less than 0'],
    ['1 << 10000', 'the shift is too large'],
    ['x', '"x" is not defined'],
    ['1 / 0', 'division by zero'],
    ['1 % 0', 'division by zero'],
    ['0 ** -1', 'division by zero'],
    ['sqrt(-1)', 'sqrt(-1) is not defined'],
    ["'a' + 1", '"+" of string'],
    ["1 < 'a'", 'cannot be compared'],
    ['[1][1]', 'index 1 is outside'],
    ['dict(a=1)["b"]', 'there is no key "b"'],
    ['{[1]: 2}', 'cannot be a dictionary key'],
    ['len(1)', 'has no items'],
    ['1(2)', 'cannot be called'],
    ['sqrt()', 'takes 1 arguments'],
    ['sqrt(x=1)', 'no named arguments'],
    ["'a'.nothing()", 'has no member "nothing"'],
  ])('%s is an error: %s', (text, message) => {
    expect(() => evaluate(text)).toThrow(ExpressionError);
    expect(() => evaluate(text)).toThrow(message);
  });

  it.each([
    '__import__("os").getcwd()',
    '"".__class__.__base__.__subclasses__()',
    'len.__self__',
    '[].constructor.constructor("return 1")()',
    '"".constructor',
    'dict(a=1).__proto__',
    'math.constructor',
    'constructor',
    'toString',
    'globalThis',
    'process.exit()',
    'eval("1")',
    'open("/etc/passwd")',
  ])('%s reaches nothing', (text) => {
    expect(() => evaluate(text)).toThrow(ExpressionError);
  });

  it('print floats so that they read back exactly', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
        expect(Object.is(readLiteral(printFloat(x)), x)).toBe(true);
      }),
    );
  });

  it('agree with the engine on arithmetic of floats, and with bigint on integers', () => {
    const operators = ['+', '-', '*'] as const;
    fc.assert(
      fc.property(
        fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        fc.integer(),
        fc.constantFrom(...operators),
        (x, n, op) => {
          const expected = { '+': x + n, '-': x - n, '*': x * n }[op];
          expect(evaluate(`x ${op} n`, { x, n: BigInt(n) })).toBe(expected);
        },
      ),
    );
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
        fc.bigInt({ min: 1n, max: 10n ** 9n }),
        (a, b) => {
          const quotient = evaluate('a // b', { a, b }) as bigint;
          const remainder = evaluate('a % b', { a, b }) as bigint;
          expect(quotient * b + remainder).toBe(a);
          expect(remainder >= 0n && remainder < b).toBe(true);
        },
      ),
    );
  });

  it("agree with bigint on the bits of integers, by Python's order of operators", () => {
    const integer = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n });
    fc.assert(
      fc.property(integer, integer, integer, fc.bigInt({ min: 0n, max: 60n }), (a, b, c, n) => {
        const names = { a, b, c, n };
        expect(evaluate('a | b ^ c & ~a', names)).toBe(a | (b ^ (c & ~a)));
        expect(evaluate('a + b << n & c', names)).toBe(((a + b) << n) & c);
        expect(evaluate('a >> n - n | b < c', names)).toBe((a | b) < c);
        expect(evaluate('~a * b', names)).toBe(~a * b);
      }),
    );
  });

  it('numbers with underscores are those without', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[1-9]\d{0,3}$/), { minLength: 1, maxLength: 4 }), (groups) => {
        expect(evaluate(groups.join('_'))).toBe(BigInt(groups.join('')));
        expect(evaluate(`${groups.join('_')}.5`)).toBe(Number(`${groups.join('')}.5`));
      }),
    );
  });

  it('never throw anything but an ExpressionError', () => {
    const words =
      '1 2.5 0b1 1_0 07 a [ ] ( ) { } , : . + - * / // % ** & | ^ ~ << >> < == in not if else for and or "s" len range x'.split(
        ' ',
      );
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 12 }), (parts) => {
        try {
          evaluate(parts.join(' '), { x: 3n, a: [1n, 'b'] });
        } catch (error) {
          if (!(error instanceof ExpressionError)) throw error;
        }
      }),
      { numRuns: 3000 },
    );
  });
});

describe('parseParameters', () => {
  it('reads names, blocks, defaults and forwards', () => {
    expect(parseParameters(" a\n *b **c d:=1 e=2 f := 3 g:=^ h:=^|4 i:='x y' j:=${f('p q')} ")).toEqual([
      { name: 'a', kind: 'value', forward: false, fallback: null },
      { name: 'b', kind: 'block', forward: false, fallback: null },
      { name: 'c', kind: 'block-content', forward: false, fallback: null },
      { name: 'd', kind: 'value', forward: false, fallback: '1' },
      { name: 'e', kind: 'value', forward: false, fallback: '2' },
      { name: 'f', kind: 'value', forward: false, fallback: '3' },
      { name: 'g', kind: 'value', forward: true, fallback: null },
      { name: 'h', kind: 'value', forward: true, fallback: '4' },
      { name: 'i', kind: 'value', forward: false, fallback: "'x y'" },
      { name: 'j', kind: 'value', forward: false, fallback: "${f('p q')}" },
    ]);
  });

  it.each(['1a', 'a a', '*b:=1', 'a-b'])('refuses %s', (text) => {
    expect(() => parseParameters(text)).toThrow(ExpressionError);
  });
});
