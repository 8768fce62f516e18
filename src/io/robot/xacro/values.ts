/**
 * Values of xacro expressions. They follow Python, whose rules xacro files rely on: integers (bigint here) differ from
 * floats (number), which shows in printed names: ${i + 1} gives link_2, ${4 / 2} gives 2.0.
 */

export type Value = bigint | number | boolean | string | null | Value[] | ValueDict | ValueFunction | ValueNamespace;

/** A dictionary; keys are normalised by `dictKey`. */
export type ValueDict = Map<DictKey, Value>;
export type DictKey = bigint | number | string | null;

export class ValueFunction {
  constructor(
    readonly name: string,
    readonly call: (values: readonly Value[], named: ReadonlyMap<string, Value>) => Value,
  ) {}
}

/** Something whose members are reached by a dot: `math`, `xacro`, or what an include with `ns` defines. */
export class ValueNamespace {
  constructor(
    readonly name: string,
    readonly get: (member: string) => Value | undefined,
  ) {}
}

/** Something is wrong with an expression; the expander adds the place. */
export class ExpressionError extends Error {}

export function isNumeric(value: Value): value is bigint | number | boolean {
  return typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean';
}

export function typeName(value: Value): string {
  if (value === null) return 'None';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'float';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Map) return 'dict';
  return value instanceof ValueFunction ? `function ${value.name}` : `namespace ${value.name}`;
}

/** A number as a float. */
export function toFloat(value: Value): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint' || typeof value === 'boolean') return Number(value);
  throw new ExpressionError(`expected a number, got ${typeName(value)} ${clipText(printValue(value))}`);
}

/** A whole number as a bigint; floats are refused. */
export function toInteger(value: Value): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  throw new ExpressionError(`expected a whole number, got ${typeName(value)} ${clipText(printValue(value))}`);
}

/** An index or count as a plain number; beyond 2^31 it cannot be meant. */
export function toCount(value: Value): number {
  const integer = toInteger(value);
  if (integer > 0x7fffffffn || integer < -0x7fffffffn) throw new ExpressionError(`number ${integer} is too large here`);
  return Number(integer);
}

export function isTruthy(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Map) return value.size > 0;
  return Boolean(value);
}

export function dictKey(value: Value): DictKey {
  if (typeof value === 'string' || value === null || typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  throw new ExpressionError(`a ${typeName(value)} cannot be a dictionary key`);
}

export function areEqual(a: Value, b: Value): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: bigint and number of one size are equal, as in Python
  if (isNumeric(a) && isNumeric(b)) return plain(a) == plain(b);
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => areEqual(item, b[i]));
  if (a instanceof Map && b instanceof Map) {
    return a.size === b.size && [...a].every(([key, value]) => b.has(key) && areEqual(value, b.get(key)!));
  }
  return a === b;
}

/** Negative, zero or positive; only numbers, strings and lists have an order. NaN compares as unordered (NaN). */
export function compareValues(a: Value, b: Value): number {
  if (isNumeric(a) && isNumeric(b)) {
    const [x, y] = [plain(a), plain(b)];
    return x < y ? -1 : x > y ? 1 : x >= y ? 0 : Number.NaN;
  }
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let i = 0; i < Math.min(a.length, b.length); i++) {
      if (!areEqual(a[i], b[i])) return compareValues(a[i], b[i]);
    }
    return a.length - b.length;
  }
  throw new ExpressionError(`${typeName(a)} and ${typeName(b)} cannot be compared`);
}

function plain(value: bigint | number | boolean): bigint | number {
  return typeof value === 'boolean' ? (value ? 1n : 0n) : value;
}

/** Text as Python's str() writes it: 2.0 keeps its point, True and None are capitalised. */
export function printValue(value: Value): string {
  return typeof value === 'string' ? value : reprValue(value);
}

export function reprValue(value: Value): string {
  if (value === null) return 'None';
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return printFloat(value);
  if (typeof value === 'string') {
    const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
    return quote + value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll(quote, `\\${quote}`) + quote;
  }
  if (Array.isArray(value)) return `[${value.map(reprValue).join(', ')}]`;
  if (value instanceof Map) return `{${[...value].map(([k, v]) => `${reprValue(k)}: ${reprValue(v)}`).join(', ')}}`;
  return `<${typeName(value)}>`;
}

/** Shortest digits that read back exactly; an exponent below 1e-4 and from 1e16 on. */
export function printFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0.0';
  const [digits, power] = value.toExponential().split('e');
  const exponent = Number(power);
  if (value !== 0 && (exponent < -4 || exponent >= 16)) {
    const size = Math.abs(exponent).toString().padStart(2, '0');
    return `${digits}e${exponent < 0 ? '-' : '+'}${size}`;
  }
  const text = value.toString();
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/**
 * What a property's text stands for: text in single quotes, an integer, a float, a boolean, else itself. Text with
 * underscores stays text (1_000 is a name here, not a number).
 */
export function readLiteral(text: string): Value {
  if (text.length >= 2 && text.startsWith("'") && text.endsWith("'")) return text.slice(1, -1);
  const trimmed = text.trim();
  if (/^[+-]?\d+$/.test(trimmed) && trimmed.length <= 300) return BigInt(trimmed.replace(/^\+/, ''));
  const float = parseFloatText(trimmed);
  if (float !== null) return float;
  if (trimmed === 'true' || trimmed === 'True') return true;
  if (trimmed === 'false' || trimmed === 'False') return false;
  return text;
}

/** A float as Python's float() reads it, infinities included; null when it is none. */
export function parseFloatText(text: string): number | null {
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return Number(text);
  const special = /^([+-]?)(inf(?:inity)?|nan)$/i.exec(text);
  if (!special) return null;
  if (special[2].toLowerCase() === 'nan') return Number.NaN;
  return special[1] === '-' ? -Infinity : Infinity;
}

export function clipText(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
