/** Checks of a shape's numbers, in the words of `validateShape`, which all its callers are asked by. */
import { describeValue } from '../../math/known-keys.js';
import { MisuseError } from '../../math/misuse.js';
import { LONGEST, SHORTEST } from '../shape-range.js';
import type { FieldKind, ShapeField } from './operations.js';

export function refuse(what: string, got: unknown, expected: string): never {
  throw new MisuseError(`validateShape: ${what}, got ${got}, expected ${expected}`);
}

export function requirePositive(type: string, name: string, value: number): void {
  if (typeof value !== 'number' || !(Number.isFinite(value) && value > 0))
    refuse(`${type} ${name}`, describeValue(value), 'a positive finite number');
  if (value < SHORTEST || value > LONGEST)
    refuse(`${type} ${name}`, describeValue(value), `a number from ${SHORTEST} to ${LONGEST}`);
}

function requireLength(type: string, name: string, value: number): void {
  if (!(Number.isFinite(value) && value >= 0)) refuse(`${type} ${name}`, describeValue(value), 'a finite number >= 0');
  if (value !== 0) requirePositive(type, name, value);
}

function requireTriple(type: string, name: string, value: ArrayLike<number>): void {
  if (typeof value !== 'object' || value?.length !== 3)
    refuse(`${type} ${name}`, `${describeValue(value?.length ?? value)} numbers`, '3');
}

export function requireFinite(type: string, name: string, values: ArrayLike<number>): void {
  for (let i = 0; i < values.length; i++)
    if (!Number.isFinite(values[i])) refuse(`${type} ${name}[${i}]`, describeValue(values[i]), 'a finite number');
    else if (Math.abs(values[i]) > LONGEST)
      refuse(`${type} ${name}[${i}]`, describeValue(values[i]), `a number of at most ${LONGEST}`);
}

/** Points closer together than the shortest size, but not one: their differences have no digits left in a product. */
export function requireExtent(type: string, points: ArrayLike<number>): void {
  let extent = 0;
  for (let k = 0; k < 3; k++) {
    let lower = Infinity;
    let upper = -Infinity;
    for (let i = k; i < points.length; i += 3) {
      if (points[i] < lower) lower = points[i];
      if (points[i] > upper) upper = points[i];
    }
    extent = Math.max(extent, upper - lower);
  }
  if (extent > 0 && extent < SHORTEST) refuse(`${type} extent`, extent, `0 or at least ${SHORTEST}`);
}

/** Below this part of a radius a core has no size: what is left of two sizes that should cancel. */
const NO_CORE = 1e-15;

/** Half of what a radius leaves of an outer size. */
export function coreHalf(size: number, radius: number): number {
  const half = size / 2 - radius;
  return half > NO_CORE * radius ? half : 0;
}

const CHECKS: Readonly<Record<FieldKind, (type: string, name: string, value: never) => void>> = {
  size: requirePositive,
  length: requireLength,
  number: (type, name, value: number) => requireFinite(type, name, [value]),
  sizes: (type, name, value: ArrayLike<number>) => {
    requireTriple(type, name, value);
    for (let i = 0; i < 3; i++) requirePositive(type, `${name}[${i}]`, value[i]);
  },
  vector: (type, name, value: ArrayLike<number>) => {
    requireTriple(type, name, value);
    requireFinite(type, name, value);
  },
};

/** Checks all numbers of a shape that is numbers only. */
export function requireFields(type: string, shape: object, fields: Readonly<Record<string, ShapeField>>): void {
  for (const name in fields) CHECKS[fields[name].kind](type, name, (shape as Record<string, unknown>)[name] as never);
}
