/**
 * Places in JSON text: the first fault, keys that come twice, and the lines of paths. What JSON.parse does not tell.
 *
 * Method: one pass over the characters with a stack of open lists and objects whose depth is capped before anything is
 * built; no regular expression, no recursion, no second parser.
 * Source: RFC 8259. Cost: linear in the text; `steps` counts the characters looked at. Checked by json-scan.test.ts against
 * JSON.parse on random texts.
 */

export interface JsonFault {
  /** 1-based. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly kind: 'syntax' | 'depth';
}

export interface JsonScan {
  /** Null when the text is JSON. */
  readonly fault: JsonFault | null;
  /** Keys that their object has already, the first hundred: JSON.parse keeps the last of each. */
  readonly repeated: readonly { readonly key: string; readonly line: number }[];
  /** Lines of the paths asked for: of the deepest part that exists; undefined when not even its first does. */
  readonly lines: readonly (number | undefined)[];
  readonly steps: number;
}

export interface JsonScanOptions {
  /** Lists and objects in each other. */
  readonly maximumDepth: number;
  readonly paths?: readonly (readonly PropertyKey[])[];
}

const MOST_REPEATED = 100;

/** What paths lead through: children by key, and the numbers of the paths that end here or deeper. */
interface Wanted {
  readonly children: Map<string, Wanted>;
  readonly paths: number[];
}

interface Container {
  readonly isList: boolean;
  readonly keys: Set<string> | null;
  readonly wanted: Wanted | undefined;
  index: number;
}

export function scanJson(text: string, options: JsonScanOptions): JsonScan {
  const scanner = new Scanner(text, options);
  const fault = scanner.run();
  return { fault, repeated: scanner.repeated, lines: scanner.lines, steps: scanner.at };
}

/** What to say of keys that come twice, of text that JSON.parse has read; null where none does. */
export function describeRepeatedKey(text: string): string | null {
  const [first] = scanJson(text, { maximumDepth: Infinity }).repeated;
  return first ? `the key "${first.key}" comes twice in one object (line ${first.line}); keep one of them` : null;
}

class Scanner {
  at = 0;
  readonly repeated: { key: string; line: number }[] = [];
  readonly lines: (number | undefined)[];
  private line = 1;
  private lineStart = 0;
  private readonly root: Wanted;
  private readonly open: Container[] = [];

  constructor(
    private readonly text: string,
    private readonly options: JsonScanOptions,
  ) {
    const { paths = [] } = options;
    this.lines = paths.map(() => undefined);
    this.root = collectPaths(paths);
  }

  /** Alternates between "a value comes" and "a comma or an end comes". */
  run(): JsonFault | null {
    let wanted: Wanted | undefined = this.root;
    for (;;) {
      this.skipBlanks();
      const fault = this.readValue(wanted);
      if (fault) return fault;
      // A container that has just been opened asks for its first value, any other value for what follows it.
      const next = this.nextValue();
      if (next === 'end') return null;
      if ('message' in next) return next;
      wanted = next.wanted;
    }
  }

  /** Behind a value or an opening bracket: moves to the next value; `end` at the end of the text. */
  private nextValue(): { readonly wanted: Wanted | undefined } | JsonFault | 'end' {
    const { text, open } = this;
    for (;;) {
      this.skipBlanks();
      const container = open.at(-1);
      if (!container) return this.at === text.length ? 'end' : this.fail('text after the end');
      const c = text[this.at];
      const isFirst = container.index < 0;
      if (c === (container.isList ? ']' : '}')) {
        this.at++;
        open.pop();
        continue;
      }
      if (!isFirst) {
        if (c !== ',') return this.fail(`expected a comma or "${container.isList ? ']' : '}'}"`);
        this.at++;
        this.skipBlanks();
      }
      container.index++;
      if (container.isList) return { wanted: container.wanted?.children.get(String(container.index)) };
      return this.readKey(container);
    }
  }

  private readKey(container: Container): { readonly wanted: Wanted | undefined } | JsonFault {
    const { text } = this;
    const start = this.at;
    if (text[start] !== '"') return this.fail('expected a key in double quotes');
    const { line } = this;
    const fault = this.readString();
    if (fault) return fault;
    const raw = text.slice(start, this.at);
    const key = raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
    if (container.keys?.has(key) && this.repeated.length < MOST_REPEATED) this.repeated.push({ key, line });
    container.keys?.add(key);
    this.skipBlanks();
    if (text[this.at] !== ':') return this.fail('expected a colon after the key');
    this.at++;
    return { wanted: container.wanted?.children.get(key) };
  }

  private readValue(wanted: Wanted | undefined): JsonFault | null {
    const { text, open } = this;
    const c = text[this.at];
    if (wanted) for (const path of wanted.paths) this.lines[path] = this.line;
    if (c === '[' || c === '{') {
      if (open.length >= this.options.maximumDepth) {
        const message = `lists and objects lie in each other more than ${this.options.maximumDepth} deep`;
        return this.fail(message, 'depth');
      }
      this.at++;
      open.push({ isList: c === '[', keys: c === '[' ? null : new Set(), wanted, index: -1 });
      return null;
    }
    if (c === '"') return this.readString();
    if (c === '-' || (c >= '0' && c <= '9')) return this.readNumber();
    for (const word of ['true', 'false', 'null']) {
      if (!text.startsWith(word, this.at)) continue;
      this.at += word.length;
      return null;
    }
    return this.fail(this.at >= text.length ? 'the text ends where a value is expected' : 'expected a value');
  }

  private readString(): JsonFault | null {
    const { text } = this;
    for (let at = this.at + 1; at < text.length; at++) {
      const c = text.charCodeAt(at);
      if (c === 0x22) {
        this.at = at + 1;
        return null;
      }
      if (c < 0x20) {
        this.at = at;
        return this.fail('a line break or control character in a text; is its closing quote missing?');
      }
      if (c !== 0x5c) continue;
      at++;
      const escaped = text[at];
      if (escaped === 'u') {
        for (let k = 1; k <= 4; k++) {
          if (isHexDigit(text.charCodeAt(at + k))) continue;
          this.at = at;
          return this.fail('\\u needs four hexadecimal digits');
        }
        at += 4;
      } else if (escaped === undefined || !'"\\/bfnrt'.includes(escaped)) {
        this.at = at;
        return this.fail('a backslash before a character that needs none');
      }
    }
    const fault = this.fail('a text without its closing quote');
    this.at = text.length;
    return fault;
  }

  private readNumber(): JsonFault | null {
    const { text } = this;
    let at = this.at;
    const digits = (): boolean => {
      const from = at;
      while (text[at] >= '0' && text[at] <= '9') at++;
      return at > from;
    };
    if (text[at] === '-') at++;
    // No digit follows a zero at the beginning.
    const isZero = text[at] === '0';
    let sound = digits() && (!isZero || at === this.at + (text[this.at] === '-' ? 2 : 1));
    if (sound && text[at] === '.') {
      at++;
      sound = digits();
    }
    if (sound && (text[at] === 'e' || text[at] === 'E')) {
      at++;
      if (text[at] === '+' || text[at] === '-') at++;
      sound = digits();
    }
    const fault = sound ? null : this.fail('not a number as JSON writes it');
    this.at = at;
    return fault;
  }

  private skipBlanks(): void {
    const { text } = this;
    for (; this.at < text.length; this.at++) {
      const c = text.charCodeAt(this.at);
      // CR LF is one end of a line, CR alone another.
      if (c === 0x0a || (c === 0x0d && text.charCodeAt(this.at + 1) !== 0x0a)) {
        this.line++;
        this.lineStart = this.at + 1;
      } else if (c !== 0x20 && c !== 0x09 && c !== 0x0d) return;
    }
  }

  private fail(what: string, kind: JsonFault['kind'] = 'syntax'): JsonFault {
    const found = this.at < this.text.length ? `, found ${JSON.stringify(this.text.slice(this.at, this.at + 20))}` : '';
    const column = this.at - this.lineStart + 1;
    return { line: this.line, column, message: kind === 'depth' ? what : `${what}${found}`, kind };
  }
}

function isHexDigit(c: number): boolean {
  return (c >= 0x30 && c <= 0x39) || (c >= 0x41 && c <= 0x46) || (c >= 0x61 && c <= 0x66);
}

function collectPaths(paths: readonly (readonly PropertyKey[])[]): Wanted {
  const create = (): Wanted => ({ children: new Map(), paths: [] });
  const root = create();
  for (const [i, path] of paths.entries()) {
    let node = root;
    for (const key of path) {
      const child = node.children.get(String(key)) ?? create();
      node.children.set(String(key), child);
      node = child;
      node.paths.push(i);
    }
  }
  return root;
}
