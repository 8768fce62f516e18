/**
 * `expect` for loops of millions: vitest's costs tens of microseconds a call, more than most of what it compares. Here what
 * holds costs a comparison; what does not, and any other matcher, goes to vitest's for its verdict and its message.
 */
import { type Assertion, chai, type ExpectStatic, expect as vitestExpect } from 'vitest';

const isList = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || value instanceof Float64Array || value instanceof Uint32Array;

/** Numbers, texts and truth values that are the same, and lists of them; false also where only vitest can tell. */
function areSame(a: unknown, b: unknown): boolean {
  if (!isList(a)) return typeof a !== 'object' && Object.is(a, b);
  if (!isList(b) || a.constructor !== b.constructor || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!areSame(a[i], b[i])) return false;
  return true;
}

const areNumbers = (a: unknown, b: unknown): boolean => typeof a === 'number' && typeof b === 'number';

class QuickAssertion {
  constructor(
    readonly value: unknown,
    readonly message: string | undefined,
  ) {}

  toBe(expected: unknown): void {
    if (!Object.is(this.value, expected)) this.ask('toBe', this.toBe, [expected]);
  }

  toEqual(expected: unknown): void {
    if (!areSame(this.value, expected)) this.ask('toEqual', this.toEqual, [expected]);
  }

  toBeLessThan(bound: number): void {
    if (areNumbers(this.value, bound) && (this.value as number) < bound) return;
    this.ask('toBeLessThan', this.toBeLessThan, [bound]);
  }

  toBeLessThanOrEqual(bound: number): void {
    if (areNumbers(this.value, bound) && (this.value as number) <= bound) return;
    this.ask('toBeLessThanOrEqual', this.toBeLessThanOrEqual, [bound]);
  }

  toBeGreaterThan(bound: number): void {
    if (areNumbers(this.value, bound) && (this.value as number) > bound) return;
    this.ask('toBeGreaterThan', this.toBeGreaterThan, [bound]);
  }

  toBeGreaterThanOrEqual(bound: number): void {
    if (areNumbers(this.value, bound) && (this.value as number) >= bound) return;
    this.ask('toBeGreaterThanOrEqual', this.toBeGreaterThanOrEqual, [bound]);
  }

  toBeCloseTo(expected: number, digits = 2): void {
    if (areNumbers(this.value, expected) && Math.abs((this.value as number) - expected) < 10 ** -digits / 2) return;
    this.ask('toBeCloseTo', this.toBeCloseTo, [expected, digits]);
  }

  /** The stack of what fails ends at the test. */
  private ask(matcher: keyof Assertion, caller: (...args: never[]) => void, args: readonly unknown[]): void {
    try {
      (vitestExpect(this.value, this.message)[matcher] as (...given: readonly unknown[]) => void)(...args);
    } catch (error) {
      Error.captureStackTrace(error as Error, caller);
      throw error;
    }
  }
}

for (const name of Object.getOwnPropertyNames(chai.Assertion.prototype) as (keyof Assertion)[])
  if (!(name in QuickAssertion.prototype))
    Object.defineProperty(QuickAssertion.prototype, name, {
      get(this: QuickAssertion) {
        const assertion = vitestExpect(this.value, this.message);
        const member: unknown = assertion[name];
        return typeof member === 'function' ? (...args: unknown[]) => Reflect.apply(member, assertion, args) : member;
      },
    });

export const expect: ExpectStatic = Object.assign(
  (value: unknown, message?: string) => new QuickAssertion(value, message) as unknown as Assertion,
  vitestExpect,
) as ExpectStatic;
