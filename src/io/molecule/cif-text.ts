/**
 * CIF syntax (the 1.1 grammar as wwPDB uses it): data blocks, `_category.item value` pairs, loops, text in single and double
 * quotes, text fields between lines that begin with a semicolon, comments.
 * Source: Hall, Allen, Brown 1991, "The Crystallographic Information File (CIF)", doi:10.1107/S010876739101067X;
 * https://www.iucr.org/resources/cif/spec/version1.1/cifsyntax.
 *
 * Values of unwanted categories are skipped, not kept.
 */
import type { FileIssues } from '../file-issues.js';

/** One item of a category over its rows. */
export interface CifColumn {
  /** null for a value that is unknown (?) or does not apply (.). */
  text(row: number): string | null;
  /** null also when the text is no finite number. */
  number(row: number): number | null;
}

export interface CifCategory {
  readonly rowCount: number;
  column(item: string): CifColumn | undefined;
}

export interface CifBlock {
  readonly name: string;
  category(name: string): CifCategory | undefined;
}

/** What a column reads when its item is absent. */
export const ABSENT_COLUMN: CifColumn = { text: () => null, number: () => null };

class TextCategory implements CifCategory {
  readonly items = new Map<string, (string | null)[]>();
  rowCount = 0;

  column(item: string): CifColumn | undefined {
    const values = this.items.get(item);
    if (!values) return undefined;
    return {
      text: (row) => values[row] ?? null,
      number: (row) => {
        const value = values[row];
        // A standard uncertainty may follow in parentheses: 12.345(6).
        const match = value
          ? /^([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)(?:\([0-9]+\))?$/.exec(value)
          : null;
        const number = match ? Number(match[1]) : Number.NaN;
        return Number.isFinite(number) ? number : null;
      },
    };
  }
}

type TokenKind = 'word' | 'quoted' | 'end';

class Tokens {
  kind: TokenKind = 'end';
  text = '';
  line = 1;
  /** A quotation or text field that does not end. */
  open = false;
  private at = 0;
  private lineOfNext = 1;

  constructor(private readonly source: string) {
    this.advance();
  }

  /** What has not been read yet. */
  get rest(): string {
    return this.source.slice(this.at);
  }

  advance(): void {
    const { source } = this;
    this.skipBlanks();
    this.line = this.lineOfNext;
    if (this.at >= source.length) {
      this.kind = 'end';
      this.text = '';
      return;
    }
    const first = source[this.at];
    if (first === ';' && (this.at === 0 || source[this.at - 1] === '\n')) this.readTextField();
    else if (first === '"' || first === "'") this.readQuoted(first);
    else this.readWord();
  }

  private readWord(): void {
    const { source } = this;
    const start = this.at;
    while (this.at < source.length && source.charCodeAt(this.at) > 32) this.at++;
    this.kind = 'word';
    this.text = source.slice(start, this.at);
  }

  private skipBlanks(): void {
    const { source } = this;
    for (; this.at < source.length; this.at++) {
      const code = source.charCodeAt(this.at);
      if (code === 10) this.lineOfNext++;
      else if (code === 35) {
        const end = source.indexOf('\n', this.at);
        this.at = end < 0 ? source.length : end;
        if (end >= 0) this.lineOfNext++;
      } else if (code > 32) return;
    }
  }

  private readTextField(): void {
    const { source } = this;
    const end = source.indexOf('\n;', this.at);
    this.open ||= end < 0;
    const stop = end < 0 ? source.length : end;
    this.kind = 'quoted';
    this.text = source.slice(this.at + 1, stop).replace(/\r/g, '');
    for (let at = source.indexOf('\n', this.at); at >= 0 && at <= stop; at = source.indexOf('\n', at + 1))
      this.lineOfNext++;
    this.at = end < 0 ? source.length : end + 2;
  }

  /** A quotation ends at its mark before a blank; within a word the mark is an ordinary character. */
  private readQuoted(mark: string): void {
    const { source } = this;
    this.kind = 'quoted';
    for (let at = this.at + 1; at <= source.length; at++) {
      const code = at < source.length ? source.charCodeAt(at) : 10;
      if (code === 10) {
        this.open = true;
        this.text = source.slice(this.at + 1, at).trimEnd();
        this.at = at;
        return;
      }
      if (source[at] === mark && (at + 1 >= source.length || source.charCodeAt(at + 1) <= 32)) {
        this.text = source.slice(this.at + 1, at);
        this.at = at + 1;
        return;
      }
    }
  }
}

/** The first data block of a CIF text with its wanted categories; null when there is none. Item names are lower case. */
export function parseCifBlock(source: string, wanted: ReadonlySet<string>, issues: FileIssues): CifBlock | null {
  const tokens = new Tokens(source);
  const categories = new Map<string, TextCategory>();
  let name: string | null = null;
  const ended = () => tokens.kind === 'end';
  const isItem = () => tokens.kind === 'word' && tokens.text[0] === '_';
  const isKeyword = () => tokens.kind === 'word' && /^(?:data_|loop_$|save_|global_$|stop_$)/i.test(tokens.text);
  const value = () => (tokens.kind === 'word' && (tokens.text === '.' || tokens.text === '?') ? null : tokens.text);
  const listFor = (item: string): (string | null)[] | null => {
    const dot = item.indexOf('.');
    const category = item.slice(0, dot < 0 ? undefined : dot).toLowerCase();
    if (dot < 0 || !wanted.has(category)) return null;
    let entry = categories.get(category);
    if (!entry) {
      entry = new TextCategory();
      categories.set(category, entry);
    }
    const list: (string | null)[] = [];
    entry.items.set(item.slice(dot + 1).toLowerCase(), list);
    return list;
  };

  while (!ended()) {
    const { line, text } = tokens;
    if (tokens.kind === 'word' && /^data_/i.test(text)) {
      if (name !== null) {
        // A dictionary of ligands as a rule; where it holds atoms, they are missing.
        const assumes = /^\s*_atom_site\./im.test(tokens.rest) ? ('dropped' as const) : undefined;
        const message = `only the first data block is read, "${text}" and what follows is not`;
        issues.warn('second-block', message, { line, element: text, assumes });
        break;
      }
      name = text.slice(5);
      tokens.advance();
    } else if (tokens.kind === 'word' && /^loop_$/i.test(text)) {
      tokens.advance();
      const lists: ((string | null)[] | null)[] = [];
      const names = new Set<string>();
      for (; isItem(); tokens.advance()) {
        lists.push(listFor(tokens.text));
        names.add(tokens.text.slice(0, Math.max(0, tokens.text.indexOf('.'))).toLowerCase());
      }
      if (names.size > 1) {
        const message = `a loop has items of several categories (${[...names].join(', ')}): a name may be misspelt`;
        issues.error('mixed-loop', message, { line, assumes: 'guessed' });
      }
      let count = 0;
      for (; !ended() && !isItem() && !isKeyword(); tokens.advance()) {
        if (lists.length > 0) lists[count % lists.length]?.push(value());
        count++;
      }
      if (lists.length === 0 || count % lists.length !== 0) {
        const message = `a loop of ${lists.length} items has ${count} values, no multiple of it: the file is damaged`;
        issues.error('ragged-loop', message, { line, element: 'loop', assumes: 'dropped' });
      }
    } else if (isItem()) {
      const list = listFor(text);
      tokens.advance();
      if (ended() || isItem() || isKeyword()) {
        issues.warn('no-value', `item ${text} has no value`, { line });
      } else {
        list?.push(value());
        tokens.advance();
      }
    } else {
      if (!isKeyword())
        issues.warn('stray-value', `"${text.slice(0, 40)}" belongs to no item`, { line, assumes: 'guessed' });
      tokens.advance();
    }
  }
  if (tokens.open) {
    const message = 'a quotation or text field does not end';
    issues.warn('open-quotation', message, { line: tokens.line, element: 'file', assumes: 'guessed' });
  }
  // Archive files end every category with a line of its own: one cut between two rows lacks the last of them.
  if (/\n#[ \t\r]*\n/.test(source) && !/\n#[ \t\r]*\n?$/.test(source.trimEnd())) {
    const message =
      'the last category does not end with "#" as the others do: the file may be cut off, and is taken as it is';
    issues.warn('no-end', message, { line: tokens.line, element: 'file', assumes: 'guessed' });
  }
  if (name === null) return null;
  for (const category of categories.values()) {
    // Columns of a damaged loop may differ by one row.
    category.rowCount = Math.min(...[...category.items.values()].map((list) => list.length));
  }
  return { name, category: (wantedName) => categories.get(wantedName) };
}
