/**
 * A loaded content as bytes, for the first view: what the reader would make of its files is made when the page is built. Length of a
 * JSON text (u32), the text, then arrays of numbers, each at a multiple of 8. Doubles that are floats take four bytes, as files write them.
 */

type Kind = 'f64' | 'f32' | 'u32' | 'u16';

const VIEWS = { f64: Float64Array, f32: Float32Array, u32: Uint32Array, u16: Uint16Array } as const;

/** In place of what JSON does not say: arrays of numbers, maps, numbers that are not finite or -0, and what stands elsewhere too. */
interface Mark {
  readonly $: 'array' | 'map' | 'number' | 'same';
  readonly of: unknown;
}

/** Plain objects, arrays, maps, numbers, texts, Float64Array and Uint32Array. Throws for anything else. */
export function packContent(content: unknown): Uint8Array {
  const parts: (Float64Array | Float32Array | Uint32Array | Uint16Array)[] = [];
  const starts: number[] = [];
  const known = new Map<object, number>();
  let end = 0;
  const mark = ($: Mark['$'], of: unknown): Mark => ({ $, of });
  const pack = (value: unknown): unknown => {
    if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
      return mark('number', Object.is(value, -0) ? '-0' : String(value));
    if (typeof value !== 'object' || value === null) return value;
    const earlier = known.get(value);
    if (earlier !== undefined) return mark('same', earlier);
    known.set(value, known.size);
    if (value instanceof Float64Array || value instanceof Uint32Array) return packArray(value);
    if (value instanceof Map)
      return mark(
        'map',
        [...value].map(([key, own]) => [pack(key), pack(own)]),
      );
    if (Array.isArray(value)) return value.map(pack);
    if (Object.getPrototypeOf(value) !== Object.prototype)
      throw new Error(`packContent: content, got a ${value.constructor?.name}, expected plain data`);
    return Object.fromEntries(Object.entries(value).map(([key, own]) => [key, pack(own)]));
  };
  const packArray = (array: Float64Array | Uint32Array): Mark => {
    const kind: Kind =
      array instanceof Uint32Array
        ? array.every((index) => index < 65536)
          ? 'u16'
          : 'u32'
        : array.every((number) => Object.is(Math.fround(number), number))
          ? 'f32'
          : 'f64';
    parts.push(VIEWS[kind].from(array));
    starts.push(end);
    end = alignUp(end + parts[parts.length - 1].byteLength);
    return mark('array', [kind, starts[starts.length - 1], array.length]);
  };
  const text = new TextEncoder().encode(JSON.stringify(pack(content)));
  const begin = alignUp(4 + text.length);
  const bytes = new Uint8Array(begin + end);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  for (const [i, part] of parts.entries())
    bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), begin + starts[i]);
  return bytes;
}

/** `bytes`: of `packContent`, both on little-endian machines. */
export function unpackContent(bytes: ArrayBuffer): unknown {
  const length = new DataView(bytes).getUint32(0, true);
  const begin = alignUp(4 + length);
  const known: unknown[] = [];
  const unpack = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      known.push(list);
      for (const own of value) list.push(unpack(own));
      return list;
    }
    const { $, of } = value as Mark;
    if ($ === 'number') return Number(of);
    if ($ === 'same') return known[of as number];
    if ($ === 'array') {
      const [kind, start, count] = of as [Kind, number, number];
      const packed = new VIEWS[kind](bytes, begin + start, count);
      const array = kind.startsWith('f') ? Float64Array.from(packed) : Uint32Array.from(packed);
      known.push(array);
      return array;
    }
    if ($ === 'map') {
      const map = new Map();
      known.push(map);
      for (const [key, own] of of as [unknown, unknown][]) map.set(unpack(key), unpack(own));
      return map;
    }
    const object: Record<string, unknown> = {};
    known.push(object);
    for (const [key, own] of Object.entries(value)) object[key] = unpack(own);
    return object;
  };
  return unpack(JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length))));
}

const alignUp = (offset: number): number => Math.ceil(offset / 8) * 8;
