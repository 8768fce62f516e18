/**
 * Regions as text: polynomial inequalities joined by `and` and `or`, as `"x^2 + y^2 <= 1 and y >= 0"`.
 *
 * Sums, differences and products of numbers, x, y and z, brackets, `^` with a whole number, `*` that may be left out before a letter or a
 * bracket; `<=` and `>=` (strict signs mean the same region with its border); without a sign the expression is meant to be at most 0. `and` binds
 * more than `or`. Products are multiplied out in doubles. Tested by implicit-text.test.ts.
 */
import { requireOneOf, requireText } from '../../math/arguments.js';
import { type ImplicitRegion, MOST_POWER, type PolynomialTerm } from '../../math/implicit-region.js';
import type { Parsed } from '../issue.js';

const MOST_CHARACTERS = 10_000;
const MOST_DEPTH = 50;
const MOST_TERMS = 2000;

/** `variables`: how many of x, y, z may stand in it; 2 unless said otherwise. */
export function parseImplicit(text: string, variables: 2 | 3 = 2): Parsed<ImplicitRegion> {
  requireText('parseImplicit', 'text', text);
  requireOneOf('parseImplicit', 'variables', variables, [2, 3]);
  try {
    return { value: new ImplicitReader(text, variables).read(), issues: [] };
  } catch (error) {
    if (!(error instanceof ImplicitFault)) throw error;
    return { value: null, issues: [{ severity: 'error', code: 'invalid-implicit', message: error.message }] };
  }
}

class ImplicitFault extends Error {}

/** Coefficients by powers, `i,j,k`. */
type Polynomial = Map<string, number>;

class ImplicitReader {
  private readonly words: string[];
  private at = 0;
  private depth = 0;

  constructor(
    text: string,
    private readonly variables: number,
  ) {
    if (text.length > MOST_CHARACTERS) throw new ImplicitFault(`more than ${MOST_CHARACTERS} characters`);
    this.words = text.match(/\s+|\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|and\b|or\b|[<>]=?|[^\s]/gi) ?? [];
    this.words = this.words.filter((word) => word.trim() !== '').map((word) => word.toLowerCase());
  }

  read(): ImplicitRegion {
    const region = this.readAny();
    if (this.at < this.words.length) throw new ImplicitFault(`"${this.words[this.at]}" is not expected there`);
    return region;
  }

  private takes(word: string): boolean {
    if (this.words[this.at] !== word) return false;
    this.at++;
    return true;
  }

  private readAny(): ImplicitRegion {
    const parts = [this.readAll()];
    while (this.takes('or')) parts.push(this.readAll());
    return parts.length === 1 ? parts[0] : { any: parts };
  }

  private readAll(): ImplicitRegion {
    const parts = [this.readPart()];
    while (this.takes('and')) parts.push(this.readPart());
    return parts.length === 1 ? parts[0] : { all: parts };
  }

  /** A bracket may hold a region or a factor: a region is tried where a sign or a word follows inside. */
  private readPart(): ImplicitRegion {
    if (this.words[this.at] === '(' && this.holdsRegion()) {
      this.enter();
      this.at++;
      const region = this.readAny();
      if (!this.takes(')')) throw new ImplicitFault('a bracket is not closed');
      this.depth--;
      return region;
    }
    const left = this.readSum();
    const sign = this.words[this.at];
    if (sign === undefined || !/^[<>]=?$/.test(sign)) return this.toRegion(left);
    this.at++;
    const right = this.readSum();
    return this.toRegion(sign[0] === '<' ? add(left, right, -1) : add(right, left, -1));
  }

  private holdsRegion(): boolean {
    let depth = 0;
    for (let i = this.at; i < this.words.length; i++) {
      const word = this.words[i];
      if (word === '(') depth++;
      if (word === ')' && --depth === 0) return false;
      if (/^(?:[<>]=?|and|or)$/.test(word)) return true;
    }
    return false;
  }

  private toRegion(sum: Polynomial): ImplicitRegion {
    const terms: PolynomialTerm[] = [];
    for (const [key, coefficient] of sum) {
      if (!Number.isFinite(coefficient)) throw new ImplicitFault('a coefficient is too large');
      const powers = key.split(',').map(Number);
      if (Math.max(...powers) > MOST_POWER) throw new ImplicitFault(`a power is above ${MOST_POWER}`);
      if (coefficient !== 0) terms.push({ coefficient, powers });
    }
    return { terms };
  }

  private enter(): void {
    if (++this.depth > MOST_DEPTH) throw new ImplicitFault(`brackets are more than ${MOST_DEPTH} deep`);
  }

  private readSum(): Polynomial {
    let sum: Polynomial = this.takes('-') ? add(new Map(), this.readProduct(), -1) : this.readProduct();
    for (;;) {
      if (this.takes('+')) sum = add(sum, this.readProduct(), 1);
      else if (this.takes('-')) sum = add(sum, this.readProduct(), -1);
      else return sum;
    }
  }

  private readProduct(): Polynomial {
    let product = this.readPower();
    for (;;) {
      const next = this.words[this.at];
      if (this.takes('*') || (next !== undefined && /^[xyz(]$/.test(next)))
        product = multiply(product, this.readPower());
      else return product;
    }
  }

  private readPower(): Polynomial {
    const base = this.readAtom();
    if (!this.takes('^')) return base;
    const power = Number(this.words[this.at]);
    if (!Number.isInteger(power) || power < 0 || power > MOST_POWER)
      throw new ImplicitFault(`a power is a whole number from 0 to ${MOST_POWER}, not "${this.words[this.at] ?? ''}"`);
    this.at++;
    let product: Polynomial = new Map([['0,0,0', 1]]);
    for (let k = 0; k < power; k++) product = multiply(product, base);
    return product;
  }

  private readAtom(): Polynomial {
    const word = this.words[this.at];
    if (word === undefined) throw new ImplicitFault('the text ends where a number, a letter or a bracket is expected');
    if (word === '(') {
      this.enter();
      this.at++;
      const sum = this.readSum();
      if (!this.takes(')')) throw new ImplicitFault('a bracket is not closed');
      this.depth--;
      return sum;
    }
    const letter = 'xyz'.indexOf(word);
    if (letter >= 0 && letter < this.variables) {
      this.at++;
      return new Map([[[0, 1, 2].map((k) => (k === letter ? 1 : 0)).join(','), 1]]);
    }
    const value = /^[\d.]/.test(word) ? Number(word) : Number.NaN;
    if (!Number.isFinite(value)) throw new ImplicitFault(`"${word}" is no number, variable or bracket`);
    this.at++;
    return new Map([['0,0,0', value]]);
  }
}

function add(a: Polynomial, b: Polynomial, sign: number): Polynomial {
  const sum = new Map(a);
  for (const [key, value] of b) sum.set(key, (sum.get(key) ?? 0) + sign * value);
  return sum;
}

function multiply(a: Polynomial, b: Polynomial): Polynomial {
  const product: Polynomial = new Map();
  if (a.size * b.size > MOST_TERMS * 20) throw new ImplicitFault('an expression has too many terms');
  for (const [p, u] of a)
    for (const [q, v] of b) {
      const powers = q.split(',').map(Number);
      const key = p
        .split(',')
        .map((n, k) => Number(n) + powers[k])
        .join(',');
      product.set(key, (product.get(key) ?? 0) + u * v);
    }
  if (product.size > MOST_TERMS) throw new ImplicitFault('an expression has too many terms');
  return product;
}
