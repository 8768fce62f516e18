/** Numbers in arguments (every part must be written, since an empty one would silently read as 0) and for people. */
import { UsageError } from './exit.js';
import { formatFixed } from './words.js';

function toNumber(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}

/** `1,2,3`; a part that is empty or no number is NaN. */
export function splitNumbers(text: string): number[] {
  return text.split(',').map(toNumber);
}

export interface NumberRange {
  readonly min?: number;
  readonly max?: number;
  /** The number itself is out. */
  readonly above?: number;
}

function requireRange(
  name: string,
  text: string,
  value: number,
  { min = -Infinity, max = Infinity, above = -Infinity }: NumberRange,
): void {
  if (value >= min && value <= max && value > above) return;
  const bounds = [
    above > -Infinity ? `greater than ${above}` : '',
    min > -Infinity ? `at least ${min}` : '',
    max < Infinity ? `at most ${max}` : '',
  ];
  throw new UsageError(`${name} "${text}": expected ${bounds.filter((word) => word !== '').join(' and ')}`);
}

export function parseNumber(name: string, range: NumberRange = {}): (text: string) => number {
  return (text) => {
    const value = toNumber(text);
    if (!Number.isFinite(value)) throw new UsageError(`${name} "${text}": expected a number`);
    requireRange(name, text, value, range);
    return value;
  };
}

export function parseCount(name: string, range: NumberRange = {}): (text: string) => number {
  return (text) => {
    const value = toNumber(text);
    if (!Number.isSafeInteger(value) || value < 0)
      throw new UsageError(`${name} "${text}": expected a whole number, 0 or more`);
    requireRange(name, text, value, range);
    return value;
  };
}

/** Millimetres with three decimals, never "-0.000"; the full precision is in --json. */
export function formatLength(metres: number): string {
  return `${formatFixed(1000 * metres, 3)} mm`;
}
