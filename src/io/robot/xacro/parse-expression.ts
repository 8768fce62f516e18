/**
 * Expression text to a syntax tree: the part of Python's expression grammar that robot descriptions use (numbers,
 * strings, lists, dicts, arithmetic, comparisons, and/or/not, ternary, calls, indexing, slices, attributes, list
 * comprehensions). Assignments, lambdas and statements do not exist. Source: Python reference, "Expressions".
 */
import { clipText, ExpressionError, type Value } from './values.js';

export type Expression =
  | { readonly kind: 'constant'; readonly value: Value }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'dict'; readonly entries: readonly (readonly [Expression, Expression])[] }
  | { readonly kind: 'unary'; readonly operator: '+' | '-' | '~' | 'not'; readonly operand: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'compare'; readonly first: Expression; readonly rest: readonly (readonly [string, Expression])[] }
  | { readonly kind: 'logic'; readonly operator: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'choice'; readonly test: Expression; readonly yes: Expression; readonly no: Expression }
  | { readonly kind: 'member'; readonly object: Expression; readonly name: string }
  | { readonly kind: 'index'; readonly object: Expression; readonly index: Expression }
  | { readonly kind: 'slice'; readonly object: Expression; readonly bounds: readonly (Expression | null)[] }
  | {
      readonly kind: 'call';
      readonly callee: Expression;
      readonly values: readonly Expression[];
      readonly named: readonly (readonly [string, Expression])[];
    }
  | {
      readonly kind: 'comprehension';
      readonly item: Expression;
      readonly names: readonly string[];
      readonly source: Expression;
      readonly test: Expression | null;
    };

export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**' | BitOperator;
export type BitOperator = '&' | '|' | '^' | '<<' | '>>';

interface Token {
  readonly kind: 'number' | 'string' | 'name' | 'operator' | 'end';
  readonly text: string;
  readonly value?: Value;
}

const MAX_LENGTH = 20_000;
const MAX_DEPTH = 60;
const OPERATORS = ['**', '//', '<=', '>=', '==', '!=', '<<', '>>', ...'+-*/%<>()[]{},:.=!&|^~'];
/** Operators of integers' bits, from the loosest to the tightest. */
const BIT_OPERATORS: readonly (readonly BitOperator[])[] = [['|'], ['^'], ['&'], ['<<', '>>']];
/** Python's numbers: underscores between digits, hexadecimal, octal and binary ones. */
const NUMBER =
  /^(?:0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:\d(?:_?\d)*\.?(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?)/;
const KEYWORDS = new Set(['and', 'or', 'not', 'in', 'is', 'if', 'else', 'for', 'lambda']);
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', "'": "'", '"': '"' };

export function parseExpression(text: string): Expression {
  if (text.length > MAX_LENGTH)
    throw new ExpressionError(`expression has ${text.length} characters, at most ${MAX_LENGTH} are read`);
  const parser = new ExpressionParser(tokenize(text), text);
  return parser.parseAll();
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at, at + 400);
    const blank = /^\s+/.exec(rest);
    if (blank) {
      at += blank[0].length;
      continue;
    }
    const number = NUMBER.exec(rest);
    if (number) {
      tokens.push({ kind: 'number', text: number[0], value: readNumber(number[0]) });
      at += number[0].length;
      continue;
    }
    // Python 2 wrote text with a u before it.
    if (/^u['"]/.test(rest)) {
      at++;
      continue;
    }
    const name = /^[A-Za-z_][A-Za-z0-9_]*/.exec(rest);
    if (name) {
      tokens.push({ kind: KEYWORDS.has(name[0]) ? 'operator' : 'name', text: name[0] });
      at += name[0].length;
      continue;
    }
    if (text[at] === "'" || text[at] === '"') {
      const { value, end } = readString(text, at);
      tokens.push({ kind: 'string', text: text.slice(at, end), value });
      at = end;
      continue;
    }
    const operator = OPERATORS.find((candidate) => text.startsWith(candidate, at));
    if (operator === undefined) throw new ExpressionError(`unexpected "${text[at]}"`);
    tokens.push({ kind: 'operator', text: operator });
    at += operator.length;
  }
  tokens.push({ kind: 'end', text: 'the end' });
  return tokens;
}

function readNumber(text: string): Value {
  const digits = text.replaceAll('_', '');
  if (!/^(?:0[xXoObB].*|\d+)$/.test(digits)) return Number(digits);
  if (digits.length > 300) throw new ExpressionError('a number has more than 300 digits');
  if (/^0\d*[1-9]/.test(digits))
    throw new ExpressionError(`"${clipText(text)}": a whole number may not begin with 0; write ${Number(digits)}`);
  return BigInt(digits);
}

function readString(text: string, start: number): { value: string; end: number } {
  const quote = text[start];
  let value = '';
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === quote) return { value, end: i + 1 };
    if (text[i] === '\\' && i + 1 < text.length) {
      i++;
      value += ESCAPES[text[i]] ?? `\\${text[i]}`;
    } else value += text[i];
  }
  throw new ExpressionError(`string ${clipText(text.slice(start))} has no closing quote`);
}

class ExpressionParser {
  private at = 0;
  private depth = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly text: string,
  ) {}

  parseAll(): Expression {
    const expression = this.parseTuple('end');
    if (this.peek().kind !== 'end') throw this.unexpected();
    return expression;
  }

  private peek(offset = 0): Token {
    return this.tokens[Math.min(this.at + offset, this.tokens.length - 1)];
  }

  private accept(operator: string): boolean {
    if (this.peek().kind !== 'operator' || this.peek().text !== operator) return false;
    this.at++;
    return true;
  }

  private expect(operator: string): void {
    if (!this.accept(operator)) throw new ExpressionError(`expected "${operator}" before ${this.describe()}`);
  }

  private describe(): string {
    const token = this.peek();
    return token.kind === 'end' ? 'the end' : `"${clipText(token.text)}"`;
  }

  private unexpected(): ExpressionError {
    if (this.text.trim() === '') return new ExpressionError('the expression is empty');
    return new ExpressionError(`unexpected ${this.describe()}`);
  }

  /** One expression, or several with commas between them, which make a list. */
  private parseTuple(close: ')' | 'end'): Expression {
    const first = this.parseChoice();
    const more = this.peek();
    if (more.kind !== 'operator' || more.text !== ',') return first;
    const items = [first];
    const closed = (): boolean => this.peek().kind === 'end' || (close === ')' && this.peek().text === ')');
    while (this.accept(',') && !closed()) items.push(this.parseChoice());
    return { kind: 'list', items };
  }

  private parseChoice(): Expression {
    if (++this.depth > MAX_DEPTH) throw new ExpressionError(`expression is nested deeper than ${MAX_DEPTH}`);
    const yes = this.parseOr();
    let result = yes;
    if (this.accept('if')) {
      const test = this.parseOr();
      this.expect('else');
      result = { kind: 'choice', test, yes, no: this.parseChoice() };
    }
    this.depth--;
    return result;
  }

  private parseOr(): Expression {
    let left = this.parseAnd();
    while (this.accept('or')) left = { kind: 'logic', operator: 'or', left, right: this.parseAnd() };
    return left;
  }

  private parseAnd(): Expression {
    let left = this.parseNot();
    while (this.accept('and')) left = { kind: 'logic', operator: 'and', left, right: this.parseNot() };
    return left;
  }

  private parseNot(): Expression {
    let negations = 0;
    while (this.accept('not')) negations++;
    let operand = this.parseComparison();
    // not not x has the truth of x, but is a boolean
    for (let i = 0; i < Math.min(negations, 2 - (negations % 2)); i++) {
      operand = { kind: 'unary', operator: 'not', operand };
    }
    return operand;
  }

  private parseComparison(): Expression {
    const first = this.parseBits(0);
    const rest: [string, Expression][] = [];
    for (;;) {
      const operator = this.acceptComparison();
      if (operator === null) break;
      rest.push([operator, this.parseBits(0)]);
    }
    return rest.length === 0 ? first : { kind: 'compare', first, rest };
  }

  private acceptComparison(): string | null {
    for (const operator of ['<=', '>=', '==', '!=', '<', '>', 'in']) if (this.accept(operator)) return operator;
    if (this.peek().text === 'not' && this.peek(1).text === 'in') {
      this.at += 2;
      return 'not in';
    }
    if (this.accept('is')) return this.accept('not') ? '!=' : '==';
    return null;
  }

  private parseBits(level: number): Expression {
    if (level === BIT_OPERATORS.length) return this.parseSum();
    let left = this.parseBits(level + 1);
    for (;;) {
      const operator = BIT_OPERATORS[level].find((candidate) => this.accept(candidate));
      if (operator === undefined) return left;
      left = { kind: 'binary', operator, left, right: this.parseBits(level + 1) };
    }
  }

  private parseSum(): Expression {
    let left = this.parseProduct();
    for (;;) {
      const operator = this.accept('+') ? '+' : this.accept('-') ? '-' : null;
      if (operator === null) return left;
      left = { kind: 'binary', operator, left, right: this.parseProduct() };
    }
  }

  private parseProduct(): Expression {
    let left = this.parseSign();
    for (;;) {
      const operator = (['*', '//', '/', '%'] as const).find((candidate) => this.accept(candidate));
      if (operator === undefined) return left;
      left = { kind: 'binary', operator, left, right: this.parseSign() };
    }
  }

  private parseSign(): Expression {
    const operator = (['-', '+', '~'] as const).find((candidate) => this.accept(candidate));
    if (operator === undefined) return this.parsePower();
    if (++this.depth > MAX_DEPTH) throw new ExpressionError(`expression is nested deeper than ${MAX_DEPTH}`);
    const operand = this.parseSign();
    this.depth--;
    return { kind: 'unary', operator, operand };
  }

  /** Binds tighter than a sign on its left, looser than one on its right: -2 ** -2 is -(2 ** (-2)). */
  private parsePower(): Expression {
    const base = this.parsePostfix();
    return this.accept('**') ? { kind: 'binary', operator: '**', left: base, right: this.parseSign() } : base;
  }

  private parsePostfix(): Expression {
    let object = this.parseAtom();
    for (;;) {
      if (this.accept('.')) {
        const token = this.peek();
        if (token.kind !== 'name') throw this.unexpected();
        this.at++;
        object = { kind: 'member', object, name: token.text };
      } else if (this.accept('[')) object = this.parseIndex(object);
      else if (this.accept('(')) object = this.parseCall(object);
      else return object;
    }
  }

  private parseIndex(object: Expression): Expression {
    const bounds: (Expression | null)[] = [];
    let sliced = false;
    for (;;) {
      const token = this.peek();
      const absent = token.kind === 'operator' && (token.text === ':' || token.text === ']');
      bounds.push(absent ? null : this.parseChoice());
      if (!this.accept(':')) break;
      sliced = true;
    }
    this.expect(']');
    if (bounds.length > 3) throw new ExpressionError('a slice has at most three parts');
    if (sliced) return { kind: 'slice', object, bounds };
    if (bounds[0] === null) throw new ExpressionError('an index is missing between [ and ]');
    return { kind: 'index', object, index: bounds[0] };
  }

  private parseCall(callee: Expression): Expression {
    const values: Expression[] = [];
    const named: [string, Expression][] = [];
    while (!this.accept(')')) {
      if (this.peek().kind === 'name' && this.peek(1).text === '=') {
        const name = this.peek().text;
        this.at += 2;
        named.push([name, this.parseChoice()]);
      } else {
        const item = this.parseChoice();
        values.push(this.peek().text === 'for' ? this.parseComprehension(item) : item);
      }
      if (!this.accept(',')) {
        this.expect(')');
        break;
      }
    }
    return { kind: 'call', callee, values, named };
  }

  private parseComprehension(item: Expression): Expression {
    this.expect('for');
    const names: string[] = [];
    do {
      const token = this.peek();
      if (token.kind !== 'name') throw this.unexpected();
      this.at++;
      names.push(token.text);
    } while (this.accept(','));
    this.expect('in');
    const source = this.parseOr();
    const test = this.accept('if') ? this.parseOr() : null;
    return { kind: 'comprehension', item, names, source, test };
  }

  private parseAtom(): Expression {
    const token = this.peek();
    if (token.kind === 'number') {
      this.at++;
      return { kind: 'constant', value: token.value! };
    }
    if (token.kind === 'string') {
      let value = '';
      for (; this.peek().kind === 'string'; this.at++) value += this.peek().value as string;
      return { kind: 'constant', value };
    }
    if (token.kind === 'name') {
      this.at++;
      if (token.text === 'True') return { kind: 'constant', value: true };
      if (token.text === 'False') return { kind: 'constant', value: false };
      if (token.text === 'None') return { kind: 'constant', value: null };
      return { kind: 'name', name: token.text };
    }
    if (this.accept('(')) {
      if (this.accept(')')) return { kind: 'list', items: [] };
      const inner = this.parseTuple(')');
      this.expect(')');
      return inner;
    }
    if (this.accept('[')) return this.parseList();
    if (this.accept('{')) return this.parseDict();
    throw this.unexpected();
  }

  private parseList(): Expression {
    const items: Expression[] = [];
    while (!this.accept(']')) {
      const item = this.parseChoice();
      if (items.length === 0 && this.peek().text === 'for') {
        const comprehension = this.parseComprehension(item);
        this.expect(']');
        return comprehension;
      }
      items.push(item);
      if (!this.accept(',')) {
        this.expect(']');
        break;
      }
    }
    return { kind: 'list', items };
  }

  private parseDict(): Expression {
    const entries: [Expression, Expression][] = [];
    while (!this.accept('}')) {
      const key = this.parseChoice();
      this.expect(':');
      entries.push([key, this.parseChoice()]);
      if (!this.accept(',')) {
        this.expect('}');
        break;
      }
    }
    return { kind: 'dict', entries };
  }
}
