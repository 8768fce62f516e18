import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashContent } from '../math/content-hash.js';
import { formatJobData, parseJobData } from './job-data-text.js';

const rows = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
];

describe('the text of job data', () => {
  it('gives back what went in, to the last bit', () => {
    const anything = fc.anything({
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withNullPrototype: true,
      values: [fc.double(), fc.string(), fc.boolean(), fc.constant(null), fc.constant(undefined), fc.constant(-0)],
      key: fc.oneof(fc.string(), fc.constantFrom('$', 'is', '__proto__', 'constructor')),
    });
    fc.assert(
      fc.property(anything, (data) => {
        fc.pre(!hasOwnKinds(data));
        expect(hashContent(parseJobData(formatJobData(data)))).toBe(hashContent(data));
      }),
      { numRuns: 500 },
    );
  });

  it('keeps rows of every kind and every length', () => {
    for (const Row of rows)
      for (let length = 0; length < 8; length++) {
        const row = new Row(Array.from({ length: length + 2 }, (_, i) => 37 * i + 1.5)).subarray(2);
        expect(parseJobData(formatJobData({ row }))).toEqual({ row });
      }
    expect(parseJobData(formatJobData(Float64Array.of(Number.NaN, -0, Infinity)))).toEqual(
      Float64Array.of(Number.NaN, -0, Infinity),
    );
    const shared = new SharedArrayBuffer(3);
    new Uint8Array(shared).set([1, 2, 255]);
    expect(parseJobData(formatJobData(shared))).toEqual(Uint8Array.of(1, 2, 255).buffer);
    const long = Uint8Array.from({ length: 100_000 }, (_, i) => i * i);
    expect(parseJobData(formatJobData(long))).toEqual(long);
  });

  it('reaches no prototype', () => {
    const data = parseJobData('{"__proto__":{"polluted":1},"a":2}') as Record<string, unknown>;
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
    expect(data.polluted).toBeUndefined();
  });

  it('refuses what is no plain data, and what it does not write', () => {
    const circle: unknown[] = [];
    circle.push(circle);
    expect(() => formatJobData(circle)).toThrow(/^formatJobData: data, got data nested without an end/);
    expect(() => formatJobData({ run: () => 1 })).toThrow(/got a function, expected plain data/);
    expect(() => formatJobData([new Date(0)])).toThrow(/got an object of a class/);
    expect(() => formatJobData(new DataView(new ArrayBuffer(2)))).toThrow(/got a view of memory/);
    expect(() => parseJobData('{"a":')).toThrow(/^parseJobData: text, got no JSON, or cut off/);
    for (const wrong of [
      '{"$":"Float64Array","is":"AAAA"}',
      '{"$":"Float64Array","is":"?"}',
      '{"$":"map","is":[1]}',
      '{"$":1}',
      '{"$":"number","is":"1"}',
    ])
      expect(() => parseJobData(wrong)).toThrow(/^parseJobData: data, got .*expected/);
  });
});

/** Values that fast-check makes of classes of its own, or that count as no plain data. */
function hasOwnKinds(data: unknown): boolean {
  try {
    hashContent(data);
    return false;
  } catch {
    return true;
  }
}
