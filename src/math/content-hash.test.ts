import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashContent } from './content-hash.js';
import { Sha256 } from './sha256.js';

function sha256(...pieces: Uint8Array[]): string {
  const hash = new Sha256();
  for (const piece of pieces) hash.add(piece);
  return hash.finish();
}

describe('SHA-256', () => {
  it('is that of Node, for every length around the blocks and for any cut', () => {
    const bytes = Uint8Array.from({ length: 300 }, (_, i) => (i * 73) & 255);
    for (let length = 0; length <= bytes.length; length++) {
      const part = bytes.subarray(0, length);
      const cut = (length * 7) % (length + 1);
      const expected = createHash('sha256').update(part).digest('hex');
      expect(sha256(part)).toBe(expected);
      expect(sha256(part.subarray(0, cut), part.subarray(cut))).toBe(expected);
    }
    const large = new Uint8Array(3_000_001).fill(7);
    expect(sha256(large)).toBe(createHash('sha256').update(large).digest('hex'));
  });
});

describe('the hash of contents', () => {
  it('is known: it may not change with engines or releases', () => {
    const value = {
      b: [1, -0, Number.NaN, 'ä', null, undefined, true],
      a: Float64Array.of(0.1, Infinity),
      c: new Map([['x', 1]]),
    };
    expect(hashContent(value)).toBe('a77246bc25792db9e717a52eeb47421c6cf50946d056ee35f24f0a3504822c8b');
    expect(hashContent(structuredClone(value))).toBe(hashContent(value));
  });

  it('does not depend on the order of fields, or on where memory lies', () => {
    expect(hashContent({ a: 1, b: { c: 2, d: 3 } })).toBe(hashContent({ b: { d: 3, c: 2 }, a: 1 }));
    const shared = new SharedArrayBuffer(8);
    new Uint8Array(shared).set([1, 2, 3]);
    expect(hashContent(shared)).toBe(hashContent(Uint8Array.of(1, 2, 3, 0, 0, 0, 0, 0).buffer));
    expect(hashContent(new Float64Array([9, 1, 2]).subarray(1))).toBe(hashContent(Float64Array.of(1, 2)));
  });

  it('differs where contents differ, and only there', () => {
    const values: unknown[] = [
      ...[
        null,
        undefined,
        true,
        false,
        0,
        -0,
        1,
        '',
        '0',
        '1',
        [],
        {},
        [[]],
        [[], []],
        [undefined],
        [null],
        { a: undefined },
      ],
      ...[{ a: 1 }, { b: 1 }, [1], ['1'], Float64Array.of(1), Float32Array.of(1), Uint8Array.of(1), Int8Array.of(1)],
      ...[Uint8Array.of(1).buffer, new Map(), new Set(), new Map([[1, 2]]), new Set([1, 2]), ['a', 'bc'], ['ab', 'c']],
    ];
    expect(new Set(values.map((value) => hashContent(value))).size).toBe(values.length);
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const sort = (value: unknown): unknown => {
          if (Array.isArray(value)) return value.map(sort);
          if (Object.is(value, -0)) return { zero: true };
          if (typeof value !== 'object' || value === null) return value;
          const fields = Object.entries(value).sort(([x], [y]) => (x < y ? -1 : 1));
          return { fields: fields.map(([key, entry]) => [key, sort(entry)]) };
        };
        const same = JSON.stringify(sort(a)) === JSON.stringify(sort(b));
        expect(hashContent(a) === hashContent(b)).toBe(same);
        expect(hashContent(JSON.parse(JSON.stringify({ a })))).toBe(hashContent({ a: JSON.parse(JSON.stringify(a)) }));
      }),
    );
  });

  it('refuses what is no plain data', () => {
    const circle: unknown[] = [];
    circle.push(circle);
    expect(() => hashContent({ f: () => 1 }, 'order', 'input')).toThrow(
      /^order: input, got a function, expected plain data/,
    );
    expect(() => hashContent([new Date(0)])).toThrow(/value, got an object of a class/);
    expect(() => hashContent(new DataView(new ArrayBuffer(1)))).toThrow(/got a view of memory/);
    expect(() => hashContent(circle)).toThrow(/nested without an end, expected at most 200 levels/);
  });
});
