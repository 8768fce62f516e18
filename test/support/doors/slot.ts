/**
 * Arguments of a call, and which other values stand for the same: the oracle of the misuse tests. An argument is given as an
 * example; what may take its place follows from the example's kind, so that a table of examples says all.
 *
 * A value is wrong when no reading of the argument allows it: text for a number, NaN, an object of another kind. Wrong values
 * must be refused. All others (a negative number, another length) may be refused or taken.
 */

export class Slot {
  constructor(
    readonly value: unknown,
    readonly accepts: (x: unknown) => boolean,
  ) {}
}

/** May be left out. */
export function maybe(value: unknown): Slot {
  const slot = toSlot(value);
  return new Slot(slot.value, (x) => x === undefined || slot.accepts(x));
}

/** May be null, or left out. */
export function orNull(value: unknown): Slot {
  const slot = toSlot(value);
  return new Slot(slot.value, (x) => x === undefined || x === null || slot.accepts(x));
}

export function oneOf(...words: readonly unknown[]): Slot {
  return new Slot(words[0], (x) => words.includes(x));
}

/** The example, or what `accepts` takes as well. */
export function either(value: unknown, accepts: (x: unknown) => boolean): Slot {
  const slot = toSlot(value);
  return new Slot(slot.value, (x) => slot.accepts(x) || accepts(x));
}

export const anything = (value: unknown): Slot => new Slot(value, () => true);

/** A handle or a block of data: nothing but the same object is sure to be right, and nothing like it is sure to be wrong. */
export const loose = (value: unknown): Slot =>
  new Slot(value, (x) => typeof x === 'object' && x !== null && !Array.isArray(x) && !ArrayBuffer.isView(x));

/** Options of a call in an inner loop: any object, whose fields are looked at where they are read. */
export const hotOptions = (fields: Readonly<Record<string, unknown>>): Slot =>
  new Slot(
    fields,
    (x) => x === undefined || (typeof x === 'object' && x !== null && !Array.isArray(x) && !ArrayBuffer.isView(x)),
  );

/** `count` finite numbers; another length is wrong. */
export const exactly = (value: ArrayLike<number>): Slot =>
  new Slot(value, (x) => isNumbers(x) && x.length === value.length);

/** Written to: what it holds does not matter. */
export const output = (value: ArrayLike<number>): Slot =>
  new Slot(value, (x) => typeof x === 'object' && (x as ArrayLike<number> | null)?.length === value.length);

/** Numbers of an inner loop's call: their count is looked at, they themselves are not. */
export const sized = (value: ArrayLike<number>): Slot =>
  new Slot(value, (x) => typeof x === 'object' && (x as ArrayLike<number> | null)?.length === value.length);

export const isNumber = (x: unknown): boolean => typeof x === 'number' && !Number.isNaN(x);
export const isText = (x: unknown): boolean => typeof x === 'string';

export function isNumbers(x: unknown): x is ArrayLike<number> {
  if (!Array.isArray(x) && !(ArrayBuffer.isView(x) && !(x instanceof DataView))) return false;
  return Array.from(x as ArrayLike<unknown>).every(isNumber);
}

export function isPlain(x: unknown): x is Readonly<Record<string, unknown>> {
  if (typeof x !== 'object' || x === null || Array.isArray(x)) return false;
  const prototype = Object.getPrototypeOf(x);
  return prototype === Object.prototype || prototype === null;
}

export function toSlot(value: unknown): Slot {
  return value instanceof Slot ? value : new Slot(value, accepted(value));
}

function accepted(value: unknown): (x: unknown) => boolean {
  switch (typeof value) {
    case 'number':
      return isNumber;
    case 'string':
      return isText;
    case 'boolean':
      return (x) => typeof x === 'boolean';
    case 'function':
      return (x) => typeof x === 'function';
    default:
  }
  if (value instanceof Uint8Array) return (x) => x instanceof Uint8Array;
  if (ArrayBuffer.isView(value)) return isNumbers;
  if (Array.isArray(value)) return value.every(isNumber) ? isNumbers : (x) => Array.isArray(x);
  if (value instanceof Map) return (x) => x instanceof Map;
  // A request: what its fields may be is said by their own examples.
  if (isPlain(value) && Object.values(value).some((field) => field instanceof Slot)) return isPlain;
  return (x) => x === value;
}

/** The examples themselves, of a request with all its fields. */
export function toArgument(given: unknown): unknown {
  const { value } = toSlot(given);
  if (!isPlain(value) || !hasSlots(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, toArgument(field)]));
}

export function hasSlots(value: unknown): boolean {
  return isPlain(value) && Object.values(value).some((field) => field instanceof Slot);
}
