/**
 * Cuts text into plain parts, ${expressions} and $(substitutions). `$${` and `$$(` stand for `${` and `$(` themselves.
 * An opening without its end is an ExpressionError.
 */

import { ExpressionError } from './values.js';

export interface TextPart {
  readonly kind: 'text' | 'expression' | 'substitution';
  readonly text: string;
}

export function splitText(text: string): TextPart[] {
  const parts: TextPart[] = [];
  const add = (kind: TextPart['kind'], part: string): void => {
    if (kind !== 'text' || part !== '') parts.push({ kind, text: part });
  };
  let start = 0;
  let at = text.indexOf('$');
  while (at >= 0) {
    let dollars = 1;
    while (text[at + dollars] === '$') dollars++;
    const opener = text[at + dollars];
    if (opener !== '{' && opener !== '(') {
      at = text.indexOf('$', at + dollars);
      continue;
    }
    add('text', text.slice(start, at));
    if (dollars > 1) {
      start = at + 1;
      at = text.indexOf('$', at + dollars);
      continue;
    }
    const quotes = opener === '{' || /^eval\s/.test(text.slice(at + 2, at + 7));
    const end = findClosing(text, at + 1, opener === '{' ? '}' : ')', quotes);
    if (end < 0)
      throw new ExpressionError(`"$${opener}" has no closing bracket; write "$$${opener}" for the plain characters`);
    add(opener === '{' ? 'expression' : 'substitution', text.slice(at + 2, end));
    start = end + 1;
    at = text.indexOf('$', start);
  }
  add('text', text.slice(start));
  return parts;
}

/** Index of the bracket that closes the one at `open`; nested ones and, in expressions, quoted text are skipped. */
function findClosing(text: string, open: number, close: string, quotes: boolean): number {
  const opener = text[open];
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    const c = text[i];
    if (c === opener) depth++;
    else if (c === close && --depth === 0) return i;
    else if (quotes && (c === "'" || c === '"')) {
      const end = text.indexOf(c, i + 1);
      if (end > 0) i = end;
    }
  }
  return text.indexOf(close, open);
}
