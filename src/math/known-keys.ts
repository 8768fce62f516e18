/** Options as they come from outside: a key that nothing reads is misuse, told with the key that was meant; so is what is no number. */
import { MisuseError } from './misuse.js';
import { suggestName } from './suggest-name.js';

/** Words that other libraries use for a thing; the first one that the call knows is suggested. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  position: ['pose', 'placement'],
  origin: ['pose', 'placement'],
  transform: ['placement', 'pose'],
  matrix: ['placement'],
  geometry: ['shape'],
  mesh: ['shape', 'meshes'],
  id: ['name'],
  padding: ['margin'],
  urdf: ['description'],
  srdf: ['semantic'],
  acm: ['allowed'],
  timeout: ['timeoutMs'],
  iterations: ['maxIterations'],
};

/**
 * Throws on a value that is no object, or has a key that is not among `keys`. Keys whose value is undefined count as absent.
 * `name` and `what` begin the message.
 */
export function requireKnownKeys(name: string, what: string, value: unknown, keys: readonly string[]): void {
  if (!isRecord(value))
    throw new MisuseError(`${name}: ${what}, got ${describeValue(value)}, expected an object with ${keys.join(', ')}`);
  for (const key of Object.keys(value)) {
    if (keys.includes(key) || (value as Record<string, unknown>)[key] === undefined) continue;
    const close = closestKey(key, keys);
    const hint = close === undefined ? '' : ` (did you mean "${close}"?)`;
    throw new MisuseError(`${name}: ${what}, got the unknown key "${key}"${hint}, expected ${keys.join(', ')}`);
  }
}

/** An object of fields: no array, Map, Date or other kind of thing whose fields are not what it holds. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && Object.prototype.toString.call(value) === '[object Object]';
}

/** For messages: the value where it is short, else its kind. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}...` : value);
  if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
  return Array.isArray(value) || ArrayBuffer.isView(value)
    ? `an array of ${(value as ArrayLike<unknown>).length}`
    : 'an object';
}

/** For messages: the values of an array one after the other. */
export function listValues(values: ArrayLike<unknown>): string {
  return Array.from(values, describeValue).join(' ');
}

/** The key that a misspelt one stands for: another word for it, or one at few edits. */
export function closestKey(key: string, keys: readonly string[]): string | undefined {
  for (const word of OTHER_WORDS[key.toLowerCase()] ?? []) if (keys.includes(word)) return word;
  return suggestName(key, keys) ?? undefined;
}
