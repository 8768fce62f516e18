/**
 * Scalar expressions of straight-line code: every expression is made once, constants are folded, and a graph of what is
 * left remembers the order in which its nodes were made, which is a valid order of evaluation.
 *
 * Method: an expression is a number, the index of its node. A node is looked up by its operation and operands before it is
 * made (hash-consing), so common subexpressions are shared as they arise. Signs are pulled outward (constants are kept
 * positive, a - b stands for a + (-b)), which shares x y with x (-y) and costs no operation.
 * Exactness: each rewriting gives the value IEEE 754 arithmetic would give for finite operands, except that a zero may have
 * the other sign: x * 0 = 0, x + 0 = x, x * 1 = x, x / 1 = x, x - x = 0, -(a - b) = b - a, (-a) b = -(a b). Sums are not
 * regrouped and products not distributed.
 * Source: hash-consing as in Ershov 1958, "On programming of arithmetic operations", doi:10.1145/368892.368907.
 * Cost: constant time per node. Tested by expression-graph.test.ts.
 */

import { MisuseError } from '../math/misuse.js';

/** Index of a node. */
export type Expression = number;

export const Operation = {
  Constant: 0,
  /** A cell of memory that holds an argument; `left` is the cell. */
  Input: 1,
  Add: 2,
  Subtract: 3,
  Multiply: 4,
  Divide: 5,
  Negate: 6,
  SquareRoot: 7,
  Minimum: 8,
  /** left > 0 ? right : third */
  SelectPositive: 9,
} as const;

/** Nodes and memory cells stay below this, so that two operands and an operation make one exact number. */
const LIMIT = 2 ** 22;

export class ExpressionGraph {
  readonly operations: number[] = [];
  readonly left: number[] = [];
  readonly right: number[] = [];
  readonly third: number[] = [];
  /** Value of each constant; 0 for other nodes. */
  readonly values: number[] = [];
  readonly #nodes = new Map<number | string, Expression>();
  readonly #constants = new Map<number, Expression>();

  get size(): number {
    return this.operations.length;
  }

  /** A number that the program knows. Negative ones are the negation of positive ones. */
  constant(value: number): Expression {
    if (!Number.isFinite(value)) throw new MisuseError(`constant: value, got ${value}, expected a finite number`);
    return value < 0 ? this.negate(this.#positive(-value)) : this.#positive(value === 0 ? 0 : value);
  }

  #positive(value: number): Expression {
    const known = this.#constants.get(value);
    if (known !== undefined) return known;
    const made = this.#append(Operation.Constant, 0, 0, 0, value);
    this.#constants.set(value, made);
    return made;
  }

  /** What a memory cell holds when the program starts. */
  input(cell: number): Expression {
    return this.#make(Operation.Input, cell, 0);
  }

  /** The value of a constant expression; NaN for others. */
  valueOf(x: Expression): number {
    if (this.operations[x] === Operation.Constant) return this.values[x];
    if (this.operations[x] === Operation.Negate && this.operations[this.left[x]] === Operation.Constant) {
      return -this.values[this.left[x]];
    }
    return Number.NaN;
  }

  isZero(x: Expression): boolean {
    return this.operations[x] === Operation.Constant && this.values[x] === 0;
  }

  add(a: Expression, b: Expression): Expression {
    if (this.isZero(a)) return b;
    if (this.isZero(b)) return a;
    const folded = this.valueOf(a) + this.valueOf(b);
    if (!Number.isNaN(folded)) return this.constant(folded);
    const negatedA = this.#negated(a);
    const negatedB = this.#negated(b);
    if (negatedB >= 0) return negatedA >= 0 ? this.negate(this.add(negatedA, negatedB)) : this.subtract(a, negatedB);
    if (negatedA >= 0) return this.subtract(b, negatedA);
    return this.#make(Operation.Add, Math.min(a, b), Math.max(a, b));
  }

  subtract(a: Expression, b: Expression): Expression {
    if (this.isZero(b)) return a;
    if (this.isZero(a)) return this.negate(b);
    if (a === b) return this.constant(0);
    const folded = this.valueOf(a) - this.valueOf(b);
    if (!Number.isNaN(folded)) return this.constant(folded);
    const negatedB = this.#negated(b);
    if (negatedB >= 0) return this.add(a, negatedB);
    const negatedA = this.#negated(a);
    if (negatedA >= 0) return this.negate(this.add(negatedA, b));
    return this.#make(Operation.Subtract, a, b);
  }

  multiply(a: Expression, b: Expression): Expression {
    if (this.isZero(a) || this.isZero(b)) return this.constant(0);
    const folded = this.valueOf(a) * this.valueOf(b);
    if (!Number.isNaN(folded)) return this.constant(folded);
    const negatedA = this.#negated(a);
    const negatedB = this.#negated(b);
    if (negatedA >= 0)
      return negatedB >= 0 ? this.multiply(negatedA, negatedB) : this.negate(this.multiply(negatedA, b));
    if (negatedB >= 0) return this.negate(this.multiply(a, negatedB));
    if (this.valueOf(a) === 1) return b;
    if (this.valueOf(b) === 1) return a;
    return this.#make(Operation.Multiply, Math.min(a, b), Math.max(a, b));
  }

  /** 0 / x = 0: the divisor is taken not to be zero. */
  divide(a: Expression, b: Expression): Expression {
    if (this.isZero(a) && !this.isZero(b)) return a;
    const folded = this.valueOf(a) / this.valueOf(b);
    if (Number.isFinite(folded)) return this.constant(folded);
    if (this.valueOf(b) === 1) return a;
    const negatedA = this.#negated(a);
    const negatedB = this.#negated(b);
    if (negatedA >= 0) return negatedB >= 0 ? this.divide(negatedA, negatedB) : this.negate(this.divide(negatedA, b));
    if (negatedB >= 0) return this.negate(this.divide(a, negatedB));
    return this.#make(Operation.Divide, a, b);
  }

  negate(x: Expression): Expression {
    if (this.isZero(x)) return x;
    const operation = this.operations[x];
    if (operation === Operation.Negate) return this.left[x];
    if (operation === Operation.Subtract) return this.subtract(this.right[x], this.left[x]);
    return this.#make(Operation.Negate, x, 0);
  }

  squareRoot(x: Expression): Expression {
    return this.#make(Operation.SquareRoot, x, 0);
  }

  minimum(a: Expression, b: Expression): Expression {
    return a === b ? a : this.#make(Operation.Minimum, Math.min(a, b), Math.max(a, b));
  }

  /** test > 0 ? positive : otherwise */
  selectPositive(test: Expression, positive: Expression, otherwise: Expression): Expression {
    const key = `${test} ${positive} ${otherwise}`;
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const made = this.#append(Operation.SelectPositive, test, positive, otherwise, 0);
    this.#nodes.set(key, made);
    return made;
  }

  /** The y of x = -y; -1 when x is no negation. */
  #negated(x: Expression): Expression {
    return this.operations[x] === Operation.Negate ? this.left[x] : -1;
  }

  #make(operation: number, left: number, right: number): Expression {
    const key = (left * LIMIT + right) * 16 + operation;
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const made = this.#append(operation, left, right, 0, 0);
    this.#nodes.set(key, made);
    return made;
  }

  #append(operation: number, left: number, right: number, third: number, value: number): Expression {
    const index = this.operations.length;
    if (index >= LIMIT) throw new MisuseError(`ExpressionGraph: nodes, got ${index}, expected fewer than ${LIMIT}`);
    this.operations.push(operation);
    this.left.push(left);
    this.right.push(right);
    this.third.push(third);
    this.values.push(value);
    return index;
  }
}

/** How many operands an operation has that are expressions. */
export function countOperands(operation: number): number {
  if (operation === Operation.Constant || operation === Operation.Input) return 0;
  if (operation === Operation.Negate || operation === Operation.SquareRoot) return 1;
  return operation === Operation.SelectPositive ? 3 : 2;
}
