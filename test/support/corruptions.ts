/**
 * What happens to files on their way: cut at every line and at up to a thousand bytes, lines swapped and removed, bytes
 * flipped and zeroed, digits that became letters, numbers that became none. Same seed, same corruptions.
 */
import { createRandom } from '../../src/math/random.js';

export type CorruptionKind =
  | 'cut at a line'
  | 'cut at a byte'
  | 'lines swapped'
  | 'line removed'
  | 'byte flipped'
  | 'byte zeroed'
  | 'digit to letter'
  | 'number replaced';

export interface Corruption {
  readonly kind: CorruptionKind;
  /** Says which, with the seed where one chose it. */
  readonly title: string;
  readonly bytes: Uint8Array;
  /** Lines that were removed, swapped or cut off; the byte's line where one was changed. */
  readonly lines: readonly string[];
  /** Of a changed byte: where in its line, what it was, and what it is. */
  readonly byte?: { readonly column: number; readonly before: string; readonly after: string };
}

const CUTS = 1000;
/** Bytes that are changed, and numbers that are replaced in several ways. */
const CHANGES = 500;
const REPLACEMENTS = 60;
const NO_NUMBERS = ['nan', '0,5', '1e400', '-inf', ''];
const NUMBER = /[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?/gi;

const encoder = new TextEncoder();

export interface CorruptionOptions {
  readonly isText: boolean;
  readonly seed: number;
}

export function* corrupt(whole: Uint8Array, { isText, seed }: CorruptionOptions): Generator<Corruption> {
  yield* cutBytes(whole, isText);
  yield* changeBytes(whole, isText, seed);
  if (!isText) return;
  const text = new TextDecoder().decode(whole);
  yield* changeLines(text, seed);
  yield* changeNumbers(text, seed);
}

/** `count` positions from 0 on, or all of them. */
function* spread(length: number, count: number): Generator<number> {
  const step = Math.max(1, length / count);
  for (let at = 0; at < length; at += step) yield Math.floor(at);
}

function firstOfLine(bytes: Uint8Array, at: number): number {
  let first = at;
  while (first > 0 && bytes[first - 1] !== 10) first--;
  return first;
}

/** The line that a byte lies in. */
function lineAt(bytes: Uint8Array, at: number): string {
  let end = at;
  while (end < bytes.length && bytes[end] !== 10) end++;
  return new TextDecoder('latin1').decode(bytes.subarray(firstOfLine(bytes, at), end));
}

function* cutBytes(whole: Uint8Array, isText: boolean): Generator<Corruption> {
  for (const at of spread(whole.length, CUTS)) {
    // Cuts between two lines are those of changeLines.
    if (isText && at > 0 && whole[at - 1] === 10) continue;
    const rest = new TextDecoder('latin1').decode(whole.subarray(at));
    yield {
      kind: 'cut at a byte',
      title: `cut at byte ${at}`,
      bytes: whole.slice(0, at),
      lines: isText ? rest.split('\n').slice(0, -1) : [],
    };
  }
}

function* changeBytes(whole: Uint8Array, isText: boolean, seed: number): Generator<Corruption> {
  const random = createRandom(seed);
  for (const at of spread(whole.length, CHANGES)) {
    const lines = [lineAt(whole, at)];
    const zeroed = whole.slice();
    zeroed[at] = 0;
    if (whole[at] !== 0) yield { kind: 'byte zeroed', title: `byte ${at} zeroed`, bytes: zeroed, lines };
    const flipped = whole.slice();
    if (isText && random.next() < 0.8) flipped[at] = 32 + random.integer(95);
    else flipped[at] ^= 1 << random.integer(8);
    if (flipped[at] === whole[at]) continue;
    const title = `byte ${at} from ${whole[at]} to ${flipped[at]} (seed ${seed})`;
    const [before, after] = [whole[at], flipped[at]].map((code) => String.fromCharCode(code));
    const column = at - firstOfLine(whole, at);
    yield { kind: 'byte flipped', title, bytes: flipped, lines, byte: { column, before, after } };
  }
}

function* changeLines(text: string, seed: number): Generator<Corruption> {
  const lines = text.split('\n');
  const random = createRandom(seed + 1);
  const make = (kind: CorruptionKind, title: string, kept: readonly string[], gone: readonly string[]): Corruption => ({
    kind,
    title,
    bytes: encoder.encode(kept.join('\n')),
    lines: gone,
  });
  // The text ends with a line's end: what follows it is no line.
  for (let i = 0; i < lines.length - 1; i++) {
    const place = `line ${i + 1} "${lines[i].slice(0, 40)}"`;
    yield make('cut at a line', `cut before ${place}`, [...lines.slice(0, i), ''], lines.slice(i, -1));
    yield make(
      'line removed',
      `${place} removed`,
      lines.filter((_, k) => k !== i),
      [lines[i]],
    );
    for (const j of [i + 1, random.integer(lines.length - 1)]) {
      if (j >= lines.length - 1 || lines[i] === lines[j]) continue;
      const swapped = lines.slice();
      [swapped[i], swapped[j]] = [lines[j], lines[i]];
      yield make('lines swapped', `${place} and line ${j + 1} swapped (seed ${seed})`, swapped, [lines[i], lines[j]]);
    }
  }
}

function* changeNumbers(text: string, seed: number): Generator<Corruption> {
  const random = createRandom(seed + 2);
  const lineOf = (at: number): string[] => [
    text.slice(text.lastIndexOf('\n', at - 1) + 1, text.indexOf('\n', at) + 1 || undefined).trimEnd(),
  ];
  const replace = (kind: CorruptionKind, at: number, length: number, by: string): Corruption => ({
    kind,
    title: `"${text.slice(at, at + length)}" at ${at} became "${by}" (seed ${seed}) in "${lineOf(at)[0].slice(0, 60)}"`,
    bytes: encoder.encode(text.slice(0, at) + by + text.slice(at + length)),
    lines: lineOf(at),
  });
  const numbers = [...text.matchAll(NUMBER)];
  for (const i of spread(numbers.length, REPLACEMENTS)) {
    const [{ index, 0: word }] = [numbers[i]];
    for (const by of NO_NUMBERS) yield replace('number replaced', index, word.length, by);
    const digits = [...word].flatMap((c, k) => (c >= '0' && c <= '9' ? [k] : []));
    const k = digits[random.integer(digits.length)];
    for (const by of ['O', 'x']) yield replace('digit to letter', index + k, 1, by);
  }
}
