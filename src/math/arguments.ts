/**
 * Checks of arguments at the doors: `call: what, got X, expected Y`. The value is looked at, never converted: a text is no
 * number, an array is no options object, and a field that nothing reads is misuse.
 *
 * Two kinds. Checks for calls that allocate, plan or read requests look at every number. `requireLength`, `requireInstance`
 * and `requireOneOf` cost a few comparisons and serve the calls of inner loops, whose numbers are not read twice.
 * Tested by arguments.test.ts and test/contract/misuse-doors.test.ts.
 */
import { describeValue, isRecord, requireKnownKeys } from './known-keys.js';
import { MisuseError } from './misuse.js';

/** Looks at one value of a call; `what` is the argument, or `options.field`. */
export type Check = (call: string, what: string, value: unknown) => void;

/** The fields that a request may have, each with its check. */
export type Fields = Readonly<Record<string, Check>>;

/** For messages: arrays by how many numbers they hold. */
export function describeCount(value: unknown): string {
  return isArrayOf(value) ? `${value.length} numbers` : describeValue(value);
}

export function throwLength(call: string, what: string, value: unknown, expected: string): never {
  throw new MisuseError(`${call}: ${what}, got ${describeCount(value)}, expected ${expected}`);
}

export function throwMisuse(call: string, what: string, value: unknown, expected: string): never {
  throw new MisuseError(`${call}: ${what}, got ${describeValue(value)}, expected ${expected}`);
}

/** Infinite ones too. */
export function requireNumber(call: string, what: string, value: unknown): void {
  if (typeof value !== 'number' || Number.isNaN(value)) throwMisuse(call, what, value, 'a number');
}

export function requireFinite(call: string, what: string, value: unknown): void {
  if (!Number.isFinite(value)) throwMisuse(call, what, value, 'a finite number');
}

/** 0 or more; Infinity passes. */
export function requireNotNegative(call: string, what: string, value: unknown): void {
  if (typeof value !== 'number' || !(value >= 0)) throwMisuse(call, what, value, 'a number, 0 or more');
}

export function requirePositive(call: string, what: string, value: unknown): void {
  if (typeof value !== 'number' || !(value > 0)) throwMisuse(call, what, value, 'a positive number');
}

/** Throws on what is no number, or not one that `isRight` takes; `expected` says which. */
export function requireNumberThat(
  call: string,
  what: string,
  value: unknown,
  isRight: (x: number) => boolean,
  expected: string,
): void {
  if (typeof value !== 'number' || !isRight(value))
    throw new MisuseError(`${call}: ${what}, got ${describeValue(value)}, expected ${expected}`);
}

/** Above 0 and finite. */
export function requirePositiveNumber(call: string, what: string, value: unknown): void {
  requireNumberThat(call, what, value, (x) => x > 0 && x < Infinity, 'a positive number');
}

/** A seed of random numbers; undefined passes: there is a default. */
export function requireSeed(call: string, seed: unknown): void {
  if (seed !== undefined && !Number.isSafeInteger(seed))
    throw new MisuseError(`${call}: seed, got ${describeValue(seed)}, expected a whole number`);
}

/** Rows of arrays beyond this are no request but a mistake: their bytes could not be addressed. */
const MOST = 2 ** 31;

/** A whole number from `least`, for what is allocated or counted. */
export function requireCount(call: string, what: string, value: unknown, least = 0): void {
  if (!Number.isInteger(value) || (value as number) < least || (value as number) > MOST)
    throwMisuse(call, what, value, `a whole number, ${least} or more`);
}

/** An index below `count`. */
export function requireIndex(call: string, what: string, value: unknown, count: number): void {
  if (!Number.isInteger(value) || (value as number) < 0 || (value as number) >= count)
    throwMisuse(call, what, value, count > 0 ? `0 to ${count - 1}` : 'none, since there are none');
}

export function requireText(call: string, what: string, value: unknown): void {
  if (typeof value !== 'string') throwMisuse(call, what, value, 'a text');
}

export function requireFlag(call: string, what: string, value: unknown): void {
  if (typeof value !== 'boolean') throwMisuse(call, what, value, 'true or false');
}

export function requireFunction(call: string, what: string, value: unknown): void {
  if (typeof value !== 'function') throwMisuse(call, what, value, 'a function');
}

export function requireOneOf(call: string, what: string, value: unknown, words: readonly unknown[]): void {
  if (words.includes(value)) return;
  throwMisuse(
    call,
    what,
    value,
    `one of ${words.map((word) => (typeof word === 'string' ? `'${word}'` : word)).join(', ')}`,
  );
}

export function requireObject(call: string, what: string, value: unknown, expected = 'an object'): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value))
    throwMisuse(call, what, value, expected);
}

export function requireInstance(
  call: string,
  what: string,
  value: unknown,
  type: abstract new (...values: never[]) => unknown,
  expected: string,
): void {
  if (!(value instanceof type)) throwMisuse(call, what, value, expected);
}

export function requireList(
  call: string,
  what: string,
  value: unknown,
  expected = 'a list',
): asserts value is unknown[] {
  if (!Array.isArray(value)) throwMisuse(call, what, value, expected);
}

export function requireIterable(call: string, what: string, value: unknown, expected = 'a list'): void {
  if (typeof value !== 'object' || typeof (value as Iterable<unknown> | null)?.[Symbol.iterator] !== 'function')
    throwMisuse(call, what, value, expected);
}

export function requireMap(call: string, what: string, value: unknown): void {
  if (!(value instanceof Map)) throwMisuse(call, what, value, 'a Map');
}

export function requireTexts(call: string, what: string, value: unknown): void {
  requireList(call, what, value, 'a list of texts');
  value.forEach((text, i) => {
    requireText(call, `${what}[${i}]`, text);
  });
}

/** Names with a text each, as an object or a Map. */
export function requireTextsByName(call: string, what: string, value: unknown): void {
  if (!(value instanceof Map) && !isRecord(value)) throwMisuse(call, what, value, 'an object of texts');
  for (const [key, text] of value instanceof Map ? value : Object.entries(value))
    requireText(call, `${what}.${String(key)}`, text);
}

export function isArrayOf(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

/** An array, typed or not, with `count` entries, which are not read. Cheap. */
export function requireLength(call: string, what: string, value: unknown, count: number): void {
  if (typeof value !== 'object' || (value as ArrayLike<number> | null)?.length !== count)
    throwLength(call, what, value, `${count} numbers`);
}

/** An array, typed or not, whose entries are not read. Cheap. */
export function requireArray(call: string, what: string, value: unknown): void {
  if (!isArrayOf(value)) throwMisuse(call, what, value, 'an array of numbers');
}

/** `count` finite numbers, or any count of them. */
export function requireNumbers(call: string, what: string, value: unknown, count?: number): void {
  if (!isArrayOf(value) || (count !== undefined && value.length !== count))
    throwLength(call, what, value, count === undefined ? 'numbers' : `${count} numbers`);
  for (let i = 0; i < value.length; i++) if (!Number.isFinite(value[i])) requireFinite(call, `${what}[${i}]`, value[i]);
}

/** Numbers that may be infinite: limits. */
export function requireBounds(call: string, what: string, value: unknown, count?: number): void {
  if (!isArrayOf(value) || (count !== undefined && value.length !== count))
    throwLength(call, what, value, count === undefined ? 'numbers' : `${count} numbers`);
  for (let i = 0; i < value.length; i++) requireNumber(call, `${what}[${i}]`, value[i]);
}

/** A Float64Array to write to or to read; its numbers are not looked at. */
export function requireFloats(call: string, what: string, value: unknown, count?: number): void {
  if (!(value instanceof Float64Array) || (count !== undefined && value.length !== count))
    throwLength(call, what, value, count === undefined ? 'a Float64Array' : `${count} numbers in a Float64Array`);
}

export function requireBytes(call: string, what: string, value: unknown): void {
  if (!(value instanceof Uint8Array)) throwMisuse(call, what, value, 'a Uint8Array');
}

/** A request: an object whose fields are known and of their kind. Fields that are undefined count as left out. */
export function requireFields(call: string, what: string, value: unknown, fields: Fields): void {
  if (!isRecord(value)) requireKnownKeys(call, what, value, Object.keys(fields));
  const request = value as Readonly<Record<string, unknown>>;
  for (const key in request) {
    if (request[key] === undefined) continue;
    if (!Object.hasOwn(fields, key)) requireKnownKeys(call, what, value, Object.keys(fields));
    fields[key](call, `${what}.${key}`, request[key]);
  }
}

/** Options that may be left out altogether. */
export function requireOptions(call: string, options: unknown, fields: Fields): void {
  if (options !== undefined) requireFields(call, 'options', options, fields);
}

export const oneOf =
  (...words: readonly unknown[]): Check =>
  (call, what, value) => {
    requireOneOf(call, what, value, words);
  };

/** For fields that another check reads, or that may hold anything. */
export const unchecked: Check = () => {};

/** Numbers; how many depends on more than the field. */
export const numbers: Check = (call, what, value) => {
  requireNumbers(call, what, value);
};

export const wholeFrom =
  (least: number): Check =>
  (call, what, value) => {
    requireCount(call, what, value, least);
  };
