/** The `params` attribute of a macro: `a b:=1 c:=^ d:=^|2 *block **content`. */
import type { MacroParameter } from './scope.js';
import { ExpressionError } from './values.js';

const NAME = /^\*{0,2}[A-Za-z_][A-Za-z0-9_]*$/;

export function parseParameters(text: string): MacroParameter[] {
  const parameters: MacroParameter[] = [];
  for (const word of splitWords(text)) {
    const match = /^([^\s:=]+?)\s*(?::?=)(.*)$/s.exec(word);
    const name = match ? match[1] : word;
    if (!NAME.test(name)) throw new ExpressionError(`"${name}" cannot be a parameter name`);
    const stars = /^\*+/.exec(name)?.[0].length ?? 0;
    if (stars > 0 && match) throw new ExpressionError(`block parameter "${name}" cannot have a default`);
    const plain = name.slice(stars);
    if (parameters.some((other) => other.name === plain))
      throw new ExpressionError(`parameter "${plain}" is listed twice`);
    let fallback = match ? match[2] : null;
    const forward = fallback?.startsWith('^') ?? false;
    if (forward) fallback = fallback!.startsWith('^|') ? fallback!.slice(2) : null;
    const kind = stars === 0 ? 'value' : stars === 1 ? 'block' : 'block-content';
    parameters.push({ name: plain, kind, forward, fallback });
  }
  return parameters;
}

/** Words at blanks that lie outside quotes and ${...}. */
function splitWords(text: string): string[] {
  const words: string[] = [];
  let word = '';
  let quote = '';
  let braces = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quote !== '') {
      if (c === quote) quote = '';
    } else if (c === "'" || c === '"') quote = c;
    else if (c === '{') braces++;
    else if (c === '}') braces = Math.max(0, braces - 1);
    else if (/\s/.test(c) && braces === 0) {
      // Blanks around := belong to the word.
      const next = /^\s*:?=\s*/.exec(text.slice(i, i + 100));
      if (next && word !== '') {
        word += ':=';
        i += next[0].length - 1;
      } else {
        if (word !== '') words.push(word);
        word = '';
      }
      continue;
    }
    word += c;
  }
  if (word !== '') words.push(word);
  return words;
}
