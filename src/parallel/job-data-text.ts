/**
 * Orders, checkpoints and outputs of jobs as text, for files, queues and databases; what comes back is the same to the last bit.
 *
 * JSON, and what JSON cannot say in objects with the one field "$": rows of numbers and memory by their little-endian bytes in
 * base64, numbers that are not finite, -0, undefined, maps and sets. Shared memory comes back as memory.
 * Tested by job-data-text.test.ts.
 */

import { decodeBase64 } from '../kernel/decode-base64.js';
import { requireText } from '../math/arguments.js';
import { DEEPEST, isMemory, littleEndianBytes, ROWS, rowKindOf } from '../math/content-hash.js';
import { isRecord } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';

/** Throws MisuseError for what is no plain data. */
export function formatJobData(data: unknown): string {
  return JSON.stringify(encode(data, 0));
}

/**
 * Throws MisuseError for texts that `formatJobData` does not write. What it holds is whatever the text says, not what the caller
 * takes it for: `openJob` and `resumeJob` look at orders and checkpoints.
 */
// biome-ignore lint/suspicious/noExplicitAny: of whatever type the text says, as of JSON.parse
export function parseJobData(text: string): any {
  requireText('parseJobData', 'text', text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new MisuseError(
      `parseJobData: text, got no JSON, or cut off (${(error as Error).message}), expected that of formatJobData`,
    );
  }
  return decode(value, 0);
}

function refuse(call: string, got: string, expected: string): never {
  throw new MisuseError(`${call}: data, got ${got}, expected ${expected}`);
}

function encode(value: unknown, depth: number): unknown {
  if (depth > DEEPEST) refuse('formatJobData', 'data nested without an end', `at most ${DEEPEST} levels`);
  const pack = (entry: unknown) => encode(entry, depth + 1);
  if (value === undefined) return { $: 'undefined' };
  if (typeof value === 'number')
    return Number.isFinite(value) && !Object.is(value, -0) ? value : { $: 'number', is: nameOf(value) };
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value !== 'object') return refuse('formatJobData', `a ${typeof value}`, 'plain data');
  if (Array.isArray(value)) return value.map(pack);
  if (ArrayBuffer.isView(value)) {
    const kind = rowKindOf(value);
    if (kind === undefined) return refuse('formatJobData', 'a view of memory', 'plain data');
    return { $: kind, is: encodeBase64(littleEndianBytes(value, ROWS[kind].BYTES_PER_ELEMENT)) };
  }
  if (isMemory(value)) return { $: 'memory', is: encodeBase64(new Uint8Array(value)) };
  if (value instanceof Map) return { $: 'map', is: [...value].map(pack) };
  if (value instanceof Set) return { $: 'set', is: [...value].map(pack) };
  if (!isRecord(value)) return refuse('formatJobData', 'an object of a class', 'plain data');
  const fields = Object.entries(value).map(([key, entry]) => [key, pack(entry)] as const);
  if (Object.hasOwn(value, '$') || Object.hasOwn(value, '__proto__')) return { $: 'fields', is: fields };
  return Object.fromEntries(fields);
}

function decode(value: unknown, depth: number): unknown {
  if (depth > DEEPEST) refuse('parseJobData', 'data nested too deeply', `at most ${DEEPEST} levels`);
  const unpack = (entry: unknown) => decode(entry, depth + 1);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(unpack);
  if (!Object.hasOwn(value, '$')) return toRecord(Object.entries(value).map(([key, entry]) => [key, unpack(entry)]));
  const { $: kind, is } = value as { readonly $: unknown; readonly is?: unknown };
  if (kind === 'undefined') return undefined;
  if (kind === 'number' && typeof is === 'string' && /^(?:-?Infinity|NaN|-0)$/.test(is)) return Number(is);
  if (kind === 'memory' && isBase64(is)) return decodeBase64(is).buffer;
  if (typeof kind === 'string' && Object.hasOwn(ROWS, kind) && isBase64(is))
    return toRow(kind as keyof typeof ROWS, is);
  if (Array.isArray(is)) {
    if (kind === 'set') return new Set(is.map(unpack));
    const pairs = is.map(unpack);
    if (pairs.every((pair): pair is [unknown, unknown] => Array.isArray(pair) && pair.length === 2)) {
      if (kind === 'map') return new Map(pairs);
      if (kind === 'fields') return toRecord(pairs);
    }
  }
  return refuse('parseJobData', `an object that is called ${JSON.stringify(kind)}`, 'what formatJobData writes');
}

/** Any name makes a field of its own: none reaches the prototype. */
function toRecord(fields: readonly (readonly unknown[])[]): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [key, value] of fields)
    Object.defineProperty(out, String(key), { value, enumerable: true, writable: true, configurable: true });
  return out;
}

const nameOf = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

function toRow(kind: keyof typeof ROWS, text: string): unknown {
  const bytes = decodeBase64(text);
  const { BYTES_PER_ELEMENT: size } = ROWS[kind];
  if (bytes.length % size !== 0) refuse('parseJobData', `${bytes.length} bytes of a ${kind}`, `a multiple of ${size}`);
  // Its bytes are its own: swapped here where the machine wants it.
  const swapped = littleEndianBytes(bytes, 1) === bytes ? littleEndianBytes(new ROWS[kind](bytes.buffer), size) : bytes;
  return new ROWS[kind](swapped.slice().buffer);
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function encodeBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i;
    const word = (bytes[i] << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    text += ALPHABET[word >> 18] + ALPHABET[(word >> 12) & 63];
    text += left > 1 ? ALPHABET[(word >> 6) & 63] : '=';
    text += left > 2 ? ALPHABET[word & 63] : '=';
    if (text.length < 8192) continue;
    pieces.push(text);
    text = '';
  }
  return pieces.join('') + text;
}

function isBase64(text: unknown): text is string {
  return typeof text === 'string' && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
