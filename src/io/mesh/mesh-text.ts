/**
 * Reads numbers and words straight from the bytes of a text mesh: no line strings, no regular expressions.
 *
 * Numbers are correctly rounded, equal to `Number(text)` bit for bit: up to 15 significant digits and a power of ten
 * within 10^22 are exact in double arithmetic, so one multiplication or division rounds once (W. D. Clinger, How to
 * read floating point numbers accurately, 1990, section 3, doi:10.1145/93542.93557); all else goes through `Number`.
 *
 * Checked by mesh-text.test.ts against `Number` on random texts.
 */

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const HASH = 35;
const PLUS = 43;
const MINUS = 45;
const DOT = 46;
const ZERO = 48;
const BACKSLASH = 92;
/** 10^0 to 10^22: all exact. */
const EXACT_POWERS = Float64Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));
/** Longer tokens are not numbers; keeps a hostile file from making huge strings. */
const MAXIMUM_TOKEN = 2048;

export interface TextScannerOptions {
  /** `#` starts a comment that runs to the end of the line (blanks include comments). */
  readonly comments?: boolean;
  /** A backslash before the line's end continues the line. */
  readonly continuation?: boolean;
}

export class TextScanner {
  position: number;
  /** 1-based line of `position`. */
  line = 1;
  readonly end: number;
  private readonly comments: boolean;
  private readonly continuation: boolean;

  constructor(
    readonly bytes: Uint8Array,
    options: TextScannerOptions = {},
    start = 0,
  ) {
    this.position = start;
    this.end = bytes.length;
    this.comments = options.comments ?? false;
    this.continuation = options.continuation ?? false;
    // UTF-8 byte order mark
    if (start === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) this.position = 3;
  }

  /** Skips blanks and line ends (and comments); false at the end of the file. */
  skipToToken(): boolean {
    for (;;) {
      this.skipBlanks();
      if (this.position >= this.end) return false;
      if (!isLineEnd(this.bytes[this.position])) return true;
      this.nextLine();
    }
  }

  /** Skips blanks within the line (and a comment that ends it); false at the line's or the file's end. */
  skipBlanks(): boolean {
    const { bytes, end } = this;
    let at = this.position;
    while (at < end) {
      const c = bytes[at];
      if (c === SPACE || c === 9 || c === 11 || c === 12) at++;
      else if (c === BACKSLASH && this.continuation && at + 1 < end && isLineEnd(bytes[at + 1])) {
        at += bytes[at + 1] === CARRIAGE_RETURN && bytes[at + 2] === LINE_FEED ? 3 : 2;
        this.line++;
      } else if (c === HASH && this.comments) {
        while (at < end && !isLineEnd(bytes[at])) at++;
        break;
      } else break;
    }
    this.position = at;
    return at < end && !isLineEnd(bytes[at]);
  }

  /** Moves behind the end of the current line, and of the lines that continue it when asked; false at the end of the file. */
  nextLine(withContinued = false): boolean {
    const { bytes, end } = this;
    let at = this.position;
    while (at < end) {
      const c = bytes[at];
      if (isLineEnd(c)) {
        const continued = withContinued && at > 0 && bytes[at - 1] === BACKSLASH;
        at += c === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED ? 2 : 1;
        this.line++;
        if (!continued) break;
      } else at++;
    }
    this.position = at;
    return at < end;
  }

  /** Number at the position; NaN, with the position unmoved, when the token there is none. */
  readNumber(): number {
    const { bytes, end } = this;
    const start = this.position;
    let at = start;
    let c = at < end ? bytes[at] : 0;
    const negative = c === MINUS;
    if (negative || c === PLUS) c = ++at < end ? bytes[at] : 0;
    let mantissa = 0;
    let significant = 0;
    let digits = 0;
    let exponent = 0;
    while (c >= ZERO && c <= 57) {
      digits++;
      if (significant > 0 || c !== ZERO) significant++;
      mantissa = mantissa * 10 + (c - ZERO);
      c = ++at < end ? bytes[at] : 0;
    }
    if (c === DOT) {
      c = ++at < end ? bytes[at] : 0;
      while (c >= ZERO && c <= 57) {
        digits++;
        if (significant > 0 || c !== ZERO) significant++;
        mantissa = mantissa * 10 + (c - ZERO);
        exponent--;
        c = ++at < end ? bytes[at] : 0;
      }
    }
    if (digits === 0) return Number.NaN;
    if (c === 101 || c === 69) {
      c = ++at < end ? bytes[at] : 0;
      const down = c === MINUS;
      if (down || c === PLUS) c = ++at < end ? bytes[at] : 0;
      let power = 0;
      let powerDigits = 0;
      while (c >= ZERO && c <= 57) {
        if (power < 10000) power = power * 10 + (c - ZERO);
        powerDigits++;
        c = ++at < end ? bytes[at] : 0;
      }
      if (powerDigits === 0) return Number.NaN;
      exponent += down ? -power : power;
    }
    if (at < end && !this.endsToken(c)) return Number.NaN;
    this.position = at;
    if (significant <= 15 && exponent >= -22 && exponent <= 22) {
      const value = exponent < 0 ? mantissa / EXACT_POWERS[-exponent] : mantissa * EXACT_POWERS[exponent];
      return negative ? -value : value;
    }
    if (at - start > MAXIMUM_TOKEN) return Number.NaN;
    return Number(decodeAscii(bytes, start, at));
  }

  /** Integer at the position, which then stands behind its digits; null when there is none or it exceeds 2^31. */
  readInteger(): number | null {
    const { bytes, end } = this;
    let at = this.position;
    let c = at < end ? bytes[at] : 0;
    const negative = c === MINUS;
    if (negative || c === PLUS) c = ++at < end ? bytes[at] : 0;
    if (!(c >= ZERO && c <= 57)) return null;
    let value = 0;
    while (c >= ZERO && c <= 57) {
      value = value * 10 + (c - ZERO);
      if (value > 0x7fffffff) return null;
      c = ++at < end ? bytes[at] : 0;
    }
    this.position = at;
    return negative ? -value : value;
  }

  /** Skips what is left of the token at the position. */
  skipToken(): void {
    while (this.position < this.end && !this.endsToken(this.bytes[this.position])) this.position++;
  }

  /** The token at the position, without moving; shortened for messages. */
  peekToken(maximum = 40): string {
    let at = this.position;
    while (at < this.end && at - this.position < maximum && !this.endsToken(this.bytes[at])) at++;
    return decodeAscii(this.bytes, this.position, at);
  }

  /** The rest of the line, trimmed; shortened to 200 bytes. */
  peekLine(): string {
    let at = this.position;
    while (at < this.end && at - this.position < 200 && !isLineEnd(this.bytes[at])) at++;
    return new TextDecoder().decode(this.bytes.subarray(this.position, at)).trim();
  }

  private endsToken(c: number): boolean {
    return c === SPACE || (c >= 9 && c <= 13) || (c === BACKSLASH && this.continuation);
  }
}

export function isLineEnd(c: number): boolean {
  return c === LINE_FEED || c === CARRIAGE_RETURN;
}

/** Bytes as Latin-1 text: every byte one character, so that nothing is lost in a message. */
export function decodeAscii(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at]);
  return text;
}

/** Message for a coordinate that is missing, infinite or not a number, with the scanner on or behind it. */
export function badNumberMessage(scanner: TextScanner): string {
  const token = scanner.skipBlanks() ? scanner.peekToken() : '';
  return token === ''
    ? 'a vertex needs three finite coordinates'
    : `a vertex needs three finite coordinates, found "${token}"`;
}
