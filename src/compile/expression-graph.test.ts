import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate } from './evaluate.test-support.js';
import { type Expression, ExpressionGraph } from './expression-graph.js';

/** A random formula as a function over numbers and over expressions alike. */
interface Algebra<T> {
  constant(value: number): T;
  input(i: number): T;
  add(a: T, b: T): T;
  subtract(a: T, b: T): T;
  multiply(a: T, b: T): T;
  divide(a: T, b: T): T;
  negate(a: T): T;
  minimum(a: T, b: T): T;
  selectPositive(test: T, a: T, b: T): T;
}
type Formula = <T>(algebra: Algebra<T>) => T;

const numbers = (inputs: readonly number[]): Algebra<number> => ({
  constant: (value) => value,
  input: (i) => inputs[i],
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  divide: (a, b) => a / b,
  negate: (a) => -a,
  minimum: Math.min,
  selectPositive: (test, a, b) => (test > 0 ? a : b),
});

const leaf = fc.oneof(
  fc.constantFrom(0, 1, -1, 2, -0.5, 3.25, 1e-3).map(
    (value): Formula =>
      (f) =>
        f.constant(value),
  ),
  fc.nat(3).map(
    (i): Formula =>
      (f) =>
        f.input(i),
  ),
);
const { formula } = fc.letrec<{ formula: Formula }>((tie) => ({
  formula: fc.oneof(
    { maxDepth: 7, depthSize: 'large' },
    leaf,
    fc.tuple(tie('formula'), tie('formula')).map(
      ([a, b]): Formula =>
        (f) =>
          f.add(a(f), b(f)),
    ),
    fc.tuple(tie('formula'), tie('formula')).map(
      ([a, b]): Formula =>
        (f) =>
          f.subtract(a(f), b(f)),
    ),
    fc.tuple(tie('formula'), tie('formula')).map(
      ([a, b]): Formula =>
        (f) =>
          f.multiply(a(f), b(f)),
    ),
    fc.tuple(tie('formula'), tie('formula')).map(
      ([a, b]): Formula =>
        (f) =>
          f.divide(a(f), b(f)),
    ),
    tie('formula').map(
      (a): Formula =>
        (f) =>
          f.negate(a(f)),
    ),
    fc.tuple(tie('formula'), tie('formula')).map(
      ([a, b]): Formula =>
        (f) =>
          f.minimum(a(f), b(f)),
    ),
    fc.tuple(tie('formula'), tie('formula'), tie('formula')).map(
      ([t, a, b]): Formula =>
        (f) =>
          f.selectPositive(t(f), a(f), b(f)),
    ),
  ),
}));
const value = fc.oneof(fc.double({ min: -1e3, max: 1e3, noNaN: true }), fc.constantFrom(0, 1, -1));

describe('expression graph', () => {
  it('gives the value of the formula as written, bit for bit but for the sign of zero', () => {
    let compared = 0;
    fc.assert(
      fc.property(formula, fc.tuple(value, value, value, value), (f, inputs) => {
        const expected = f(numbers(inputs));
        // The rewritings are exact for finite intermediate values; a quotient by zero is none.
        fc.pre(Number.isFinite(expected) && isFiniteThroughout(f, inputs));
        const graph = new ExpressionGraph();
        const actual = evaluate(graph, f<Expression>(graph), inputs);
        expect(actual + 0).toBe(expected + 0);
        compared++;
      }),
      { numRuns: 3000 },
    );
    expect(compared).toBeGreaterThan(500);
  });

  it('makes every expression once', () => {
    const g = new ExpressionGraph();
    const [x, y] = [g.input(0), g.input(1)];
    expect(g.add(x, y)).toBe(g.add(y, x));
    expect(g.multiply(g.constant(-2), x)).toBe(g.negate(g.multiply(x, g.constant(2))));
    expect(g.multiply(g.negate(x), g.negate(y))).toBe(g.multiply(x, y));
    expect(g.subtract(x, g.negate(y))).toBe(g.add(x, y));
    expect(g.negate(g.subtract(x, y))).toBe(g.subtract(y, x));
    expect(g.selectPositive(x, y, x)).toBe(g.selectPositive(x, y, x));
  });

  it('removes operations on 0 and 1, and folds constants', () => {
    const g = new ExpressionGraph();
    const x = g.input(0);
    const [zero, one] = [g.constant(0), g.constant(1)];
    expect(g.constant(-0)).toBe(zero);
    expect([g.add(x, zero), g.add(zero, x), g.subtract(x, zero), g.multiply(one, x), g.divide(x, one)]).toEqual([
      x,
      x,
      x,
      x,
      x,
    ]);
    expect([g.multiply(x, zero), g.subtract(x, x), g.divide(zero, x)]).toEqual([zero, zero, zero]);
    expect(g.subtract(zero, x)).toBe(g.negate(x));
    expect(g.multiply(g.constant(-1), x)).toBe(g.negate(x));
    expect(g.valueOf(g.divide(g.constant(3), g.constant(-4)))).toBe(-0.75);
    expect(g.valueOf(x)).toBeNaN();
  });

  it('takes no constant that is not finite', () => {
    expect(() => new ExpressionGraph().constant(Number.NaN)).toThrow(/constant: value, got NaN/);
  });
});

/** Whether no intermediate value of the formula is infinite or NaN, and no divisor zero. */
function isFiniteThroughout(f: Formula, inputs: readonly number[]): boolean {
  let finite = true;
  const check = (x: number) => {
    if (!Number.isFinite(x)) finite = false;
    return x;
  };
  const plain = numbers(inputs);
  f<number>({
    ...plain,
    add: (a, b) => check(a + b),
    subtract: (a, b) => check(a - b),
    multiply: (a, b) => check(a * b),
    divide: (a, b) => check(a / b),
  });
  return finite;
}
