/**
 * Evaluates expression trees. Nothing is compiled or handed to the engine's own evaluation: only the operators below
 * and the functions of functions.ts exist, and a step budget bounds the work of a file.
 */

import { pow } from '../../../math/elementary.js';
import { formatPercent } from './format.js';
import { checkSize, itemsOf, MAX_ITEMS, MAX_TEXT, methodOf } from './functions.js';
import { type BinaryOperator, type BitOperator, type Expression, parseExpression } from './parse-expression.js';
import {
  areEqual,
  clipText,
  compareValues,
  dictKey,
  ExpressionError,
  isNumeric,
  isTruthy,
  printValue,
  reprValue,
  toCount,
  toFloat,
  toInteger,
  typeName,
  type Value,
  type ValueDict,
  ValueFunction,
  ValueNamespace,
} from './values.js';

/** Finds what a name stands for; undefined when it is not defined. */
export type Lookup = (name: string) => Value | undefined;

/** Bits of the largest integer. */
const MAX_BITS = 4096;

export class Evaluator {
  private readonly parsed = new Map<string, Expression>();
  private steps = 0;

  constructor(private readonly maxSteps = 1_000_000) {}

  evaluate(text: string, lookup: Lookup): Value {
    const trimmed = text.trim();
    let expression = this.parsed.get(trimmed);
    if (!expression) {
      expression = parseExpression(trimmed);
      this.parsed.set(trimmed, expression);
    }
    return this.run(expression, lookup);
  }

  private run(node: Expression, lookup: Lookup): Value {
    if (++this.steps > this.maxSteps) throw new ExpressionError(`expressions take more than ${this.maxSteps} steps`);
    switch (node.kind) {
      case 'constant':
        return node.value;
      case 'name':
        return this.findName(node.name, lookup);
      case 'list':
        return checkSize(node.items.map((item) => this.run(item, lookup)));
      case 'dict': {
        const dict: ValueDict = new Map();
        for (const [key, value] of node.entries) dict.set(dictKey(this.run(key, lookup)), this.run(value, lookup));
        return dict;
      }
      case 'unary': {
        const operand = this.run(node.operand, lookup);
        if (node.operator === 'not') return !isTruthy(operand);
        if (node.operator === '~') return ~toBits('~', operand);
        if (typeof operand === 'number') return node.operator === '-' ? -operand : operand;
        return node.operator === '-' ? -toInteger(operand) : toInteger(operand);
      }
      case 'binary':
        return checkSize(applyBinary(node.operator, this.run(node.left, lookup), this.run(node.right, lookup)));
      case 'compare': {
        let left = this.run(node.first, lookup);
        for (const [operator, next] of node.rest) {
          const right = this.run(next, lookup);
          if (!holds(operator, left, right)) return false;
          left = right;
        }
        return true;
      }
      case 'logic': {
        const left = this.run(node.left, lookup);
        return isTruthy(left) === (node.operator === 'or') ? left : this.run(node.right, lookup);
      }
      case 'choice':
        return this.run(isTruthy(this.run(node.test, lookup)) ? node.yes : node.no, lookup);
      case 'member':
        return findMember(this.run(node.object, lookup), node.name);
      case 'index':
        return findItem(this.run(node.object, lookup), this.run(node.index, lookup));
      case 'slice': {
        const bounds = node.bounds.map((bound) => (bound === null ? null : this.run(bound, lookup)));
        return sliceValue(this.run(node.object, lookup), bounds);
      }
      case 'call': {
        const callee = this.run(node.callee, lookup);
        if (!(callee instanceof ValueFunction)) throw new ExpressionError(`a ${typeName(callee)} cannot be called`);
        const values = node.values.map((value) => this.run(value, lookup));
        return callee.call(values, new Map(node.named.map(([name, value]) => [name, this.run(value, lookup)])));
      }
      case 'comprehension':
        return this.comprehend(node, lookup);
    }
  }

  private comprehend(node: Expression & { kind: 'comprehension' }, lookup: Lookup): Value {
    const result: Value[] = [];
    for (const item of itemsOf(this.run(node.source, lookup))) {
      const parts = node.names.length === 1 ? [item] : itemsOf(item);
      if (parts.length !== node.names.length) {
        throw new ExpressionError(`cannot unpack ${parts.length} items into ${node.names.length} names`);
      }
      const inner: Lookup = (name) => {
        const at = node.names.indexOf(name);
        return at < 0 ? lookup(name) : parts[at];
      };
      if (node.test === null || isTruthy(this.run(node.test, inner))) result.push(this.run(node.item, inner));
    }
    return checkSize(result);
  }

  private findName(name: string, lookup: Lookup): Value {
    const value = lookup(name);
    if (value !== undefined) return value;
    throw new ExpressionError(`"${clipText(name)}" is not defined`);
  }
}

function applyBinary(operator: BinaryOperator, a: Value, b: Value): Value {
  if (operator === '%' && typeof a === 'string') return formatPercent(a, b);
  if (operator === '+') {
    if (typeof a === 'string' && typeof b === 'string') return a + b;
    if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b];
  }
  if (operator === '*') {
    if (typeof a === 'string' || Array.isArray(a)) return repeat(a, toCount(b));
    if (typeof b === 'string' || Array.isArray(b)) return repeat(b, toCount(a));
  }
  if (isBitOperator(operator)) return combineBits(operator, a, b);
  if (!isNumeric(a) || !isNumeric(b)) {
    throw new ExpressionError(`"${operator}" of ${describeOperand(a)} and ${describeOperand(b)}`);
  }
  if (typeof a !== 'number' && typeof b !== 'number') return integerBinary(operator, toInteger(a), toInteger(b));
  return floatBinary(operator, toFloat(a), toFloat(b));
}

const BIT_OPERATORS: readonly string[] = ['&', '|', '^', '<<', '>>'];
const isBitOperator = (operator: BinaryOperator): operator is BitOperator => BIT_OPERATORS.includes(operator);

/** Of whole numbers alone; truth values count as 0 and 1, and stay truth values among themselves, as in Python. */
function combineBits(operator: BitOperator, a: Value, b: Value): Value {
  const [left, right] = [toBits(operator, a), toBits(operator, b)];
  if (operator === '<<' || operator === '>>') {
    if (right < 0n) throw new ExpressionError('a shift by less than 0');
    if (operator === '>>') return right > BigInt(MAX_BITS) ? (left < 0n ? -1n : 0n) : left >> right;
    if (left !== 0n && BigInt(bitLength(left)) + right > BigInt(MAX_BITS))
      throw new ExpressionError('the shift is too large');
    return left === 0n ? 0n : left << right;
  }
  const bits = operator === '&' ? left & right : operator === '|' ? left | right : left ^ right;
  return typeof a === 'boolean' && typeof b === 'boolean' ? bits === 1n : bits;
}

function toBits(operator: string, value: Value): bigint {
  if (typeof value !== 'bigint' && typeof value !== 'boolean')
    throw new ExpressionError(`"${operator}" of ${describeOperand(value)}, expected a whole number`);
  return BigInt(value);
}

function describeOperand(value: Value): string {
  return `${typeName(value)} ${clipText(reprValue(value))}`;
}

function integerBinary(operator: BinaryOperator, a: bigint, b: bigint): Value {
  switch (operator) {
    case '+':
      return checkBits(a + b);
    case '-':
      return checkBits(a - b);
    case '*':
      return checkBits(a * b);
    case '**':
      if (b < 0n) return floatBinary('**', Number(a), Number(b));
      if (bitLength(a) * Number(b) > MAX_BITS) throw new ExpressionError('the power is too large');
      return a ** b;
    case '/':
      return floatBinary('/', Number(a), Number(b));
    default: {
      if (b === 0n) throw new ExpressionError('division by zero');
      // bigint division truncates, Python's rounds down; the remainder then has the divisor's sign
      const remainder = ((a % b) + b) % b;
      return operator === '%' ? remainder : (a - remainder) / b;
    }
  }
}

function floatBinary(operator: BinaryOperator, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '**': {
      if (a === 0 && b < 0) throw new ExpressionError('division by zero');
      const power = pow(a, b);
      if (Number.isNaN(power) && !Number.isNaN(a) && !Number.isNaN(b))
        throw new ExpressionError('the power is not real');
      return power;
    }
    default: {
      if (b === 0) throw new ExpressionError('division by zero');
      if (operator === '/') return a / b;
      const remainder = a % b;
      const modulus = remainder !== 0 && remainder < 0 !== b < 0 ? remainder + b : remainder;
      return operator === '%' ? modulus : Math.round((a - modulus) / b);
    }
  }
}

function bitLength(value: bigint): number {
  return (value < 0n ? -value : value).toString(16).length * 4;
}

function checkBits(value: bigint): bigint {
  if (bitLength(value) > MAX_BITS) throw new ExpressionError('the number is too large');
  return value;
}

function repeat(value: string | Value[], count: number): Value {
  const times = Math.max(0, count);
  const limit = typeof value === 'string' ? MAX_TEXT : MAX_ITEMS;
  if (value.length * times > limit) throw new ExpressionError(`repetition grows beyond ${limit}`);
  if (typeof value === 'string') return value.repeat(times);
  return Array.from({ length: times }, () => value).flat(1) as Value[];
}

function holds(operator: string, a: Value, b: Value): boolean {
  switch (operator) {
    case '==':
      return areEqual(a, b);
    case '!=':
      return !areEqual(a, b);
    case 'in':
      return contains(b, a);
    case 'not in':
      return !contains(b, a);
    case '<':
      return compareValues(a, b) < 0;
    case '<=':
      return compareValues(a, b) <= 0;
    case '>':
      return compareValues(a, b) > 0;
    default:
      return compareValues(a, b) >= 0;
  }
}

function contains(container: Value, item: Value): boolean {
  if (typeof container === 'string') {
    if (typeof item === 'string') return container.includes(item);
    throw new ExpressionError(`"in" of ${typeName(item)} and text`);
  }
  if (container instanceof Map) return container.has(dictKey(item));
  return itemsOf(container).some((other) => areEqual(other, item));
}

function findMember(object: Value, name: string): Value {
  let value: Value | undefined;
  if (!name.startsWith('_')) {
    if (object instanceof ValueNamespace) value = object.get(name);
    else value = methodOf(object, name) ?? (object instanceof Map ? object.get(name) : undefined);
  }
  if (value !== undefined) return value;
  throw new ExpressionError(`a ${typeName(object)} has no member "${clipText(name)}"`);
}

function findItem(object: Value, index: Value): Value {
  if (object instanceof Map) {
    const value = object.get(dictKey(index));
    if (value !== undefined) return value;
    const keys = [...object.keys()].slice(0, 8).map((key) => clipText(printValue(key)));
    throw new ExpressionError(`there is no key "${clipText(printValue(index))}"; keys are ${keys.join(', ')}`);
  }
  if (typeof object !== 'string' && !Array.isArray(object)) {
    throw new ExpressionError(`a ${typeName(object)} has no items`);
  }
  const at = toCount(index);
  const item = object[at < 0 ? at + object.length : at];
  if (item !== undefined) return item;
  throw new ExpressionError(`index ${at} is outside 0..${object.length - 1}`);
}

function sliceValue(object: Value, bounds: readonly (Value | null)[]): Value {
  if (typeof object !== 'string' && !Array.isArray(object)) {
    throw new ExpressionError(`a ${typeName(object)} cannot be sliced`);
  }
  const length = object.length;
  const step = bounds[2] === undefined || bounds[2] === null ? 1 : toCount(bounds[2]);
  if (step === 0) throw new ExpressionError('slice with a step of 0');
  const clamp = (bound: Value | null | undefined, absent: number): number => {
    if (bound === null || bound === undefined) return absent;
    const at = toCount(bound);
    const placed = at < 0 ? at + length : at;
    return step > 0 ? Math.min(Math.max(placed, 0), length) : Math.min(Math.max(placed, -1), length - 1);
  };
  const start = clamp(bounds[0], step > 0 ? 0 : length - 1);
  const stop = clamp(bounds[1], step > 0 ? length : -1);
  const picked: Value[] = [];
  for (let i = start; step > 0 ? i < stop : i > stop; i += step) picked.push(object[i]);
  return typeof object === 'string' ? picked.join('') : picked;
}
