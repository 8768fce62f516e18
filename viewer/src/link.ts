/**
 * Links that carry an example and what was done to it: `#example=ID&work=...`, the work as JSON, deflated, in URL-safe base 64.
 * Nothing of it reaches a server.
 */
import type { Work } from './work.js';

export interface Linked {
  readonly example: string;
  readonly work: Work | null;
}

/** In the page's zip files: what scene files do not say. */
export const WORK_FILE = 'clearance.json';
/** Longer ones are cut by what people send them with. */
export const LONGEST_LINK = 8000;
/** What a link may unpack to. */
const MOST_BYTES = 1 << 22;

/** The part after `#`. */
export async function encodeLink({ example, work }: Linked): Promise<string> {
  const parts = [`example=${encodeURIComponent(example)}`];
  if (work)
    parts.push(
      `work=${toText(await pump(new TextEncoder().encode(JSON.stringify(work)), new CompressionStream('deflate-raw')))}`,
    );
  return parts.join('&');
}

/** Null where the address holds no example; work that cannot be read is left out, and `isBroken` says so. */
export async function decodeLink(hash: string): Promise<(Linked & { readonly isBroken: boolean }) | null> {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const example = fields.get('example');
  if (!example) return null;
  const text = fields.get('work');
  if (text === null) return { example, work: null, isBroken: false };
  try {
    const bytes = await pump(toBytes(text), new DecompressionStream('deflate-raw'));
    return { example, work: readWork(JSON.parse(new TextDecoder().decode(bytes))), isBroken: false };
  } catch {
    return { example, work: null, isBroken: true };
  }
}

/** Throws when it is no work: a link may hold anything. */
export function readWork(value: unknown): Work {
  const work = value as Work;
  const isNumbers = (list: unknown): boolean => Array.isArray(list) && list.every(Number.isFinite);
  const isNamed = (list: unknown): list is readonly { readonly name: string }[] =>
    Array.isArray(list) && list.every((entry: { name?: unknown } | null) => typeof entry?.name === 'string');
  if (
    !isNamed(work?.robots) ||
    !isNamed(work.objects) ||
    !work.robots.every(
      ({ q, stored, via = [] }) =>
        isNumbers(q) &&
        isNamed(stored) &&
        stored.every((state) => isNumbers(state.q)) &&
        Array.isArray(via) &&
        via.every(isNumbers),
    ) ||
    !work.objects.every(({ pose }) => isNumbers(pose) && pose.length === 7) ||
    !Number.isInteger(work.chosen)
  )
    throw new RangeError('readWork: value, got something else, expected what the page wrote');
  return work;
}

async function pump(
  bytes: Uint8Array<ArrayBuffer>,
  through: ReadableWritablePair<Uint8Array, BufferSource>,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = new Blob([bytes]).stream().pipeThrough(through).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length;
    if (length > MOST_BYTES) throw new RangeError('pump: bytes, got more than 4 MiB, expected a link');
    parts.push(part.value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function toText(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
}
