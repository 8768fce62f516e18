/**
 * Moves as lines of text, one move a line, and back: what a program's `moves` hold, as people write programs.
 *
 *   PTP home
 *   LIN [0.39, -0.2, 0.35] speed 0.2 radius 0.05
 *   CIRC [0.5, 0.2, 0.25] via [0.55, 0, 0.25]
 *   WAIT 0.3
 *   SPLINE [[...], [...]]      SEAM [[...], [...]] free z
 *
 * After the kind comes the target (`to`; `through` of SPLINE, `along` of SEAM, `seconds` of WAIT), then names and values of the other
 * fields. A value is a bare word or any JSON; `#` begins a remark. What fields there are the program's reader says. Tested by move-lines.test.ts.
 */

/** A line that is no move; lines count from 1. */
export class LineError extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(`line ${line}: ${message}`);
  }
}

type Move = Readonly<Record<string, unknown>>;

const TARGETS: Readonly<Record<string, string>> = {
  ptp: 'to',
  lin: 'to',
  circ: 'to',
  spline: 'through',
  seam: 'along',
  wait: 'seconds',
};
const WORD = /^[A-Za-z_][\w.-]*$/;
const LITERALS = new Set(['true', 'false', 'null']);

/** Throws a `LineError`. */
export function parseMoves(text: string): Move[] {
  return text.split('\n').flatMap((line, i) => {
    const words = splitLine(line, i + 1);
    if (words.length === 0) return [];
    const [first, ...rest] = words;
    const move = first.toLowerCase();
    const target = Object.hasOwn(TARGETS, move) ? TARGETS[move] : null;
    if (target === null)
      throw new LineError(i + 1, `got "${first}", expected ${Object.keys(TARGETS).join(', ').toUpperCase()}`);
    if (rest.length === 0) throw new LineError(i + 1, `expected ${target} after ${first}`);
    const fields: Record<string, unknown> = { move, [target]: readValue(rest[0], i + 1) };
    for (let k = 1; k < rest.length; k += 2) {
      const name = rest[k];
      if (!WORD.test(name)) throw new LineError(i + 1, `got ${name}, expected the name of a field`);
      if (k + 1 >= rest.length) throw new LineError(i + 1, `expected a value after ${name}`);
      if (Object.hasOwn(fields, name)) throw new LineError(i + 1, `${name} stands there twice`);
      fields[name] = readValue(rest[k + 1], i + 1);
    }
    return [fields];
  });
}

export function formatMoves(moves: readonly Move[]): string {
  return moves
    .map(({ move, ...fields }) => {
      const target = TARGETS[String(move)];
      const { [target]: first, ...rest } = fields;
      const words = Object.entries(rest).flatMap(([name, value]) => [name, formatValue(value)]);
      return [String(move).toUpperCase(), formatValue(first), ...words].join(' ');
    })
    .join('\n');
}

/** Words apart from each other; brackets and quotes hold together. */
function splitLine(line: string, number: number): string[] {
  const words: string[] = [];
  let at = 0;
  while (at < line.length) {
    if (/\s/.test(line[at])) {
      at++;
      continue;
    }
    if (line[at] === '#') break;
    const begin = at;
    let depth = 0;
    let isQuoted = false;
    for (; at < line.length; at++) {
      const character = line[at];
      if (isQuoted) {
        if (character === '\\') at++;
        else if (character === '"') isQuoted = false;
      } else if (character === '"') isQuoted = true;
      else if ('[{'.includes(character)) depth++;
      else if (']}'.includes(character)) depth--;
      else if (depth <= 0 && /\s/.test(character)) break;
    }
    if (isQuoted || depth !== 0) throw new LineError(number, `${line.slice(begin)} does not end`);
    words.push(line.slice(begin, at));
  }
  return words;
}

function readValue(text: string, line: number): unknown {
  if (WORD.test(text) && !LITERALS.has(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new LineError(line, `${text} is no number, word, "text", [list] or {object}`);
  }
}

function formatValue(value: unknown): string {
  if (typeof value === 'string' && WORD.test(value) && !LITERALS.has(value)) return value;
  return JSON.stringify(value).replace(/,(?=[^"]*(?:"[^"]*"[^"]*)*$)/g, ', ');
}
