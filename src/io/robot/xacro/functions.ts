/**
 * The functions, constants and methods that xacro expressions may use. This is the whole list: what is not here cannot
 * be reached from a file.
 */

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
} from '../../../math/elementary.js';
import { atan2, cos, exp, hypot, log, sin } from '../../../math/scalar.js';
import { formatBraces, printFixed } from './format.js';
import {
  areEqual,
  clipText,
  compareValues,
  dictKey,
  ExpressionError,
  isTruthy,
  parseFloatText,
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

/** Longest list and string that an expression may make. */
export const MAX_ITEMS = 100_000;
export const MAX_TEXT = 1_000_000;

export function checkSize<T extends Value>(value: T): T {
  if (typeof value === 'string' && value.length > MAX_TEXT) {
    throw new ExpressionError(`text grows beyond ${MAX_TEXT} characters`);
  }
  if (Array.isArray(value) && value.length > MAX_ITEMS)
    throw new ExpressionError(`list grows beyond ${MAX_ITEMS} items`);
  return value;
}

/** The items that a loop over a value sees. */
export function itemsOf(value: Value): readonly Value[] {
  if (Array.isArray(value)) return value;
  if (value instanceof Map) return [...value.keys()];
  if (typeof value === 'string') return [...checkSize(value)];
  throw new ExpressionError(`a ${typeName(value)} has no items`);
}

type Arguments = readonly Value[];

/** A function of a fixed range of unnamed arguments. */
function define(
  name: string,
  least: number,
  most: number,
  call: (values: Arguments) => Value,
): [string, ValueFunction] {
  const wrapped = (values: Arguments, named: ReadonlyMap<string, Value>): Value => {
    if (named.size > 0) throw new ExpressionError(`${name}() takes no named arguments`);
    if (values.length < least || values.length > most) {
      const count = least === most ? `${least}` : `${least} to ${most}`;
      throw new ExpressionError(`${name}() takes ${count} arguments, got ${values.length}`);
    }
    return checkSize(call(values));
  };
  return [name, new ValueFunction(name, wrapped)];
}

function defineMath(name: string, call: (x: number) => number): [string, ValueFunction] {
  return define(name, 1, 1, ([value]) => {
    const x = toFloat(value);
    const result = call(x);
    if (Number.isNaN(result) && !Number.isNaN(x)) throw new ExpressionError(`${name}(${x}) is not defined`);
    return result;
  });
}

/** A float rounded by `call`, as an integer. */
function defineRounding(name: string, call: (x: number) => number): [string, ValueFunction] {
  return define(name, 1, 1, ([value]) => {
    if (typeof value !== 'number') return toInteger(value);
    return floatToInteger(name, call(value));
  });
}

function floatToInteger(name: string, value: number): bigint {
  if (!Number.isFinite(value)) throw new ExpressionError(`${name}(${printValue(value)}) is not a whole number`);
  return BigInt(value);
}

function roundHalfEven(x: number): number {
  const floor = Math.floor(x);
  const part = x - floor;
  if (part !== 0.5) return Math.round(x);
  return floor % 2 === 0 ? floor : floor + 1;
}

const MATH: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['pi', Math.PI],
  ['e', Math.E],
  ['tau', 2 * Math.PI],
  ['inf', Infinity],
  ['nan', Number.NaN],
  ...Object.entries({ sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, exp, expm1, log1p }).map(
    ([name, f]) => defineMath(name, f),
  ),
  defineMath('log10', log10),
  defineMath('log2', log2),
  defineMath('sqrt', Math.sqrt),
  defineMath('radians', (x) => (x * Math.PI) / 180),
  defineMath('degrees', (x) => (x * 180) / Math.PI),
  defineMath('fabs', Math.abs),
  defineRounding('floor', Math.floor),
  defineRounding('ceil', Math.ceil),
  defineRounding('trunc', Math.trunc),
  define('atan2', 2, 2, ([y, x]) => atan2(toFloat(y), toFloat(x))),
  define('hypot', 1, 10, (values) => values.map(toFloat).reduce((length, x) => hypot(length, x), 0)),
  define('pow', 2, 2, ([x, y]) => pow(toFloat(x), toFloat(y))),
  define('fmod', 2, 2, ([x, y]) => toFloat(x) % toFloat(y)),
  define('copysign', 2, 2, ([x, y]) => {
    const negative = toFloat(y) < 0 || Object.is(toFloat(y), -0);
    return negative ? -Math.abs(toFloat(x)) : Math.abs(toFloat(x));
  }),
  define('log', 1, 2, ([x, base]) => {
    if (toFloat(x) <= 0) throw new ExpressionError(`log(${printValue(x)}) is not defined`);
    return base === undefined ? log(toFloat(x)) : log(toFloat(x)) / log(toFloat(base));
  }),
  define('isnan', 1, 1, ([x]) => Number.isNaN(toFloat(x))),
  define('isinf', 1, 1, ([x]) => Math.abs(toFloat(x)) === Infinity),
  define('isfinite', 1, 1, ([x]) => Number.isFinite(toFloat(x))),
]);

function pickExtreme(name: string, sign: number): [string, ValueFunction] {
  return define(name, 1, MAX_ITEMS, (values) => {
    const items = values.length === 1 ? itemsOf(values[0]) : values;
    if (items.length === 0) throw new ExpressionError(`${name}() of nothing`);
    return items.reduce((best, item) => (sign * compareValues(item, best) < 0 ? item : best));
  });
}

const BASICS: ReadonlyMap<string, Value> = new Map<string, Value>([
  define('len', 1, 1, ([value]) => {
    if (typeof value === 'string') return BigInt([...value].length);
    if (value instanceof Map) return BigInt(value.size);
    return BigInt(itemsOf(value).length);
  }),
  define('str', 0, 1, ([value = '']) => printValue(value)),
  define('repr', 1, 1, ([value]) => reprValue(value)),
  define('int', 0, 2, ([value = 0n, base]) => toInt(value, base)),
  define('float', 0, 1, ([value = 0]) => {
    if (typeof value !== 'string') return toFloat(value);
    const float = parseFloatText(value.trim());
    if (float === null) throw new ExpressionError(`float() cannot read "${clipText(value)}"`);
    return float;
  }),
  define('bool', 0, 1, ([value = false]) => isTruthy(value)),
  define('abs', 1, 1, ([value]) => {
    if (typeof value === 'number') return Math.abs(value);
    const integer = toInteger(value);
    return integer < 0n ? -integer : integer;
  }),
  define('round', 1, 2, ([value, digits]) => {
    if (typeof value !== 'number') return toInteger(value);
    if (digits === undefined || digits === null) return floatToInteger('round', roundHalfEven(value));
    const places = toCount(digits);
    if (places < 0 || places > 100) throw new ExpressionError('round() takes 0 to 100 digits');
    return Number.isFinite(value) ? Number(printFixed(value, places)) : value;
  }),
  pickExtreme('min', 1),
  pickExtreme('max', -1),
  define('sum', 1, 2, ([value, start = 0n]) => itemsOf(value).reduce(addNumbers, start)),
  define('all', 1, 1, ([value]) => itemsOf(value).every(isTruthy)),
  define('any', 1, 1, ([value]) => itemsOf(value).some(isTruthy)),
  define('sorted', 1, 1, ([value]) => [...itemsOf(value)].sort(compareValues)),
  define('reversed', 1, 1, ([value]) => [...itemsOf(value)].reverse()),
  define('list', 0, 1, ([value = []]) => [...itemsOf(value)]),
  define('tuple', 0, 1, ([value = []]) => [...itemsOf(value)]),
  define('zip', 0, 10, (values) => {
    const lists = values.map(itemsOf);
    const length = lists.length === 0 ? 0 : Math.min(...lists.map((list) => list.length));
    return Array.from({ length }, (_, i) => lists.map((list) => list[i]));
  }),
  define('enumerate', 1, 2, ([value, start = 0n]) =>
    itemsOf(value).map((item, i) => [toInteger(start) + BigInt(i), item]),
  ),
  define('range', 1, 3, (values) => {
    const [a, b, c] = values.map(toCount);
    const [start, stop, step] = values.length === 1 ? [0, a, 1] : [a, b, c ?? 1];
    if (step === 0) throw new ExpressionError('range() with a step of 0');
    const count = Math.max(0, Math.ceil((stop - start) / step));
    if (count > MAX_ITEMS) throw new ExpressionError(`range() of more than ${MAX_ITEMS} items`);
    return Array.from({ length: count }, (_, i) => BigInt(start + i * step));
  }),
  [
    'dict',
    new ValueFunction('dict', (values, named) => {
      const dict: ValueDict = new Map();
      for (const value of values) {
        if (value instanceof Map) for (const [key, item] of value) dict.set(key, item);
        else {
          for (const pair of itemsOf(value)) {
            const [key, item, extra] = itemsOf(pair);
            if (key === undefined || item === undefined || extra !== undefined) {
              throw new ExpressionError('dict() takes dictionaries, pairs and named values');
            }
            dict.set(dictKey(key), item);
          }
        }
      }
      for (const [key, item] of named) dict.set(key, item);
      return dict;
    }),
  ],
]);

function toInt(value: Value, base: Value | undefined): bigint {
  if (base !== undefined && toInteger(base) !== 10n) throw new ExpressionError('int() reads base 10 only');
  if (typeof value === 'number') return floatToInteger('int', Math.trunc(value));
  if (typeof value !== 'string') return toInteger(value);
  const text = value.trim();
  if (!/^[+-]?\d{1,300}$/.test(text)) throw new ExpressionError(`int() cannot read "${clipText(value)}"`);
  return BigInt(text.replace(/^\+/, ''));
}

function addNumbers(a: Value, b: Value): Value {
  if (typeof a === 'number' || typeof b === 'number') return toFloat(a) + toFloat(b);
  return toInteger(a) + toInteger(b);
}

/** Names every expression knows. */
export function globalNames(): Map<string, Value> {
  const math = new ValueNamespace('math', (member) => MATH.get(member));
  const python = new ValueNamespace('python', (member) => BASICS.get(member));
  return new Map<string, Value>([...MATH, ...BASICS, ['math', math], ['python', python]]);
}

type Method = (object: never, values: Arguments) => Value;

function text(values: Arguments, i: number): string {
  const value = values[i];
  if (typeof value !== 'string') throw new ExpressionError('expected text as argument');
  return value;
}

const STRING_METHODS: Readonly<Record<string, Method>> = {
  lower: (object: string) => object.toLowerCase(),
  upper: (object: string) => object.toUpperCase(),
  title: (object: string) =>
    object.replace(/[A-Za-z]+/g, (word) => word[0].toUpperCase() + word.slice(1).toLowerCase()),
  capitalize: (object: string) => object.slice(0, 1).toUpperCase() + object.slice(1).toLowerCase(),
  strip: (object: string, values) => strip(object, values, true, true),
  lstrip: (object: string, values) => strip(object, values, true, false),
  rstrip: (object: string, values) => strip(object, values, false, true),
  split: (object: string, values) => {
    if (values.length === 0 || values[0] === null) return object.trim() === '' ? [] : object.trim().split(/\s+/);
    if (text(values, 0) === '') throw new ExpressionError('split() by empty text');
    return object.split(text(values, 0));
  },
  join: (object: string, values) => {
    const parts = itemsOf(values[0] ?? null).map((part) => text([part], 0));
    const length = parts.reduce((sum, part) => sum + part.length + object.length, 0);
    if (length > MAX_TEXT) throw new ExpressionError(`text grows beyond ${MAX_TEXT} characters`);
    return parts.join(object);
  },
  replace: (object: string, values) => {
    const [from, to] = [text(values, 0), text(values, 1)];
    const times = from === '' ? object.length + 1 : object.split(from).length - 1;
    if (object.length + times * to.length > MAX_TEXT)
      throw new ExpressionError(`text grows beyond ${MAX_TEXT} characters`);
    return object.split(from).join(to);
  },
  startswith: (object: string, values) => object.startsWith(text(values, 0)),
  endswith: (object: string, values) => object.endsWith(text(values, 0)),
  find: (object: string, values) => BigInt(object.indexOf(text(values, 0))),
  count: (object: string, values) =>
    BigInt(text(values, 0) === '' ? object.length + 1 : object.split(text(values, 0)).length - 1),
  isdigit: (object: string) => /^\d+$/.test(object),
  isalpha: (object: string) => /^\p{L}+$/u.test(object),
  zfill: (object: string, values) => {
    const width = Math.min(toCount(values[0] ?? null), 1000);
    const sign = /^[+-]/.exec(object)?.[0] ?? '';
    return sign + object.slice(sign.length).padStart(width - sign.length, '0');
  },
};

function strip(object: string, values: Arguments, left: boolean, right: boolean): string {
  const set = values.length === 0 || values[0] === null ? null : new Set(text(values, 0));
  const dropped = (c: string): boolean => (set ? set.has(c) : /\s/.test(c));
  let [start, end] = [0, object.length];
  while (left && start < end && dropped(object[start])) start++;
  while (right && end > start && dropped(object[end - 1])) end--;
  return object.slice(start, end);
}

const LIST_METHODS: Readonly<Record<string, Method>> = {
  index: (object: Value[], values) => {
    const at = object.findIndex((item) => areEqual(item, values[0] ?? null));
    if (at < 0) throw new ExpressionError(`${clipText(reprValue(values[0] ?? null))} is not in the list`);
    return BigInt(at);
  },
  count: (object: Value[], values) => BigInt(object.filter((item) => areEqual(item, values[0] ?? null)).length),
  copy: (object: Value[]) => [...object],
};

const DICT_METHODS: Readonly<Record<string, Method>> = {
  keys: (object: ValueDict) => [...object.keys()],
  values: (object: ValueDict) => [...object.values()],
  items: (object: ValueDict) => [...object].map(([key, value]) => [key, value]),
  get: (object: ValueDict, values) => object.get(dictKey(values[0] ?? null)) ?? values[1] ?? null,
  copy: (object: ValueDict) => new Map(object),
};

/** A method of a value bound to it, or undefined when its type has none of that name. */
export function methodOf(object: Value, name: string): ValueFunction | undefined {
  if (typeof object === 'string' && name === 'format') {
    return new ValueFunction('format', (values, named) => checkSize(formatBraces(object, values, named)));
  }
  const table =
    typeof object === 'string'
      ? STRING_METHODS
      : Array.isArray(object)
        ? LIST_METHODS
        : object instanceof Map
          ? DICT_METHODS
          : undefined;
  if (!table || !Object.hasOwn(table, name)) return undefined;
  return define(name, 0, 3, (values) => table[name](object as never, values))[1];
}
