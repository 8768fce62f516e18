import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandLzf, parsePcd } from './pcd.js';

const header = (
  points: number,
  data: string,
  fields = 'x y z',
  size = '4 4 4',
  type = 'F F F',
  count = '1 1 1',
): string =>
  `# .PCD v0.7\nVERSION 0.7\nFIELDS ${fields}\nSIZE ${size}\nTYPE ${type}\nCOUNT ${count}\nWIDTH ${points}\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS ${points}\nDATA ${data}\n`;

function join(head: string, body: Uint8Array | string): Uint8Array {
  const first = new TextEncoder().encode(head);
  const rest = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const out = new Uint8Array(first.length + rest.length);
  out.set(first);
  out.set(rest, first.length);
  return out;
}

/** LZF with literal runs only: legal, if wasteful. */
function packLiterally(bytes: Uint8Array): Uint8Array {
  const out: number[] = [];
  for (let i = 0; i < bytes.length; i += 32) {
    const run = bytes.subarray(i, i + 32);
    out.push(run.length - 1, ...run);
  }
  return Uint8Array.from(out);
}

describe('parsePcd', () => {
  it('reads text, with other fields between and points without return left out', () => {
    const text = '1 9 2.5 -3e-1\nnan 9 nan nan\n4 9 5 6\n';
    const { value, issues } = parsePcd(join(header(3, 'ascii', 'x i y z', '4 4 4 4', 'F U F F', '1 1 1 1'), text));
    expect(Array.from(value!.points)).toEqual([1, 2.5, -0.3, 4, 5, 6]);
    expect(value!.pointCount).toBe(3);
    expect(issues.map(({ code }) => code)).toEqual(['points-left-out']);
  });

  it('reads binary point by point, doubles too, and skips what it does not need', () => {
    const view = new DataView(new ArrayBuffer(2 * 30));
    [
      [1, 2, 3],
      [4, 5, -6],
    ].forEach((p, i) => {
      for (const [k, x] of p.entries()) view.setFloat64(30 * i + 6 + 8 * k, x, true);
    });
    const bytes = join(
      header(2, 'binary', 'normal x y z', '2 8 8 8', 'U F F F', '3 1 1 1'),
      new Uint8Array(view.buffer),
    );
    expect(Array.from(parsePcd(bytes).value!.points)).toEqual([1, 2, 3, 4, 5, -6]);
  });

  it('reads compressed data field by field', () => {
    const values = Float32Array.of(1, 4, 2, 5, 3, -6);
    const plain = new Uint8Array(values.buffer);
    const packed = packLiterally(plain);
    const sizes = new Uint8Array(Uint32Array.of(packed.length, plain.length).buffer);
    const body = Uint8Array.from([...sizes, ...packed]);
    expect(Array.from(parsePcd(join(header(2, 'binary_compressed'), body)).value!.points)).toEqual([1, 2, 3, 4, 5, -6]);
  });

  it('expands copies that overlap themselves and long ones', () => {
    // One literal byte, then 2 + 7 + 5 copies of it.
    expect(Array.from(expandLzf(Uint8Array.of(0, 42, 0xe0, 5, 0), 15)!)).toEqual(Array(15).fill(42));
    expect(Array.from(expandLzf(Uint8Array.of(2, 1, 2, 3, 0x20, 2), 6)!)).toEqual([1, 2, 3, 1, 2, 3]);
    expect(expandLzf(Uint8Array.of(0, 42, 0x20, 9), 4)).toBeNull();
    expect(expandLzf(Uint8Array.of(5, 1), 6)).toBeNull();
  });

  it('refuses headers that do not fit and data that is cut off, before allocating', () => {
    const codes = (text: string, body: Uint8Array | string = ''): string[] =>
      parsePcd(join(text, body)).issues.map(({ code }) => code);
    expect(codes('hello\n')).toEqual(['pcd-header']);
    expect(codes(header(1, 'ascii', 'a b c'))).toEqual(['pcd-header']);
    expect(codes(header(1, 'ascii', 'x y z', '4 4'))).toEqual(['pcd-header']);
    expect(codes(header(1e9, 'ascii'))).toEqual(['too-large']);
    expect(codes(header(1000, 'binary'), 'abc')).toEqual(['pcd-data']);
    expect(codes(header(2, 'ascii'), '1 2 3\n4 five 6\n')).toEqual(['pcd-data']);
    expect(codes(header(2, 'binary_compressed'), new Uint8Array(8).fill(255))).toEqual(['pcd-data']);
  });

  it('never throws, whatever the bytes (property)', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('ascii', 'binary', 'binary_compressed'),
        fc.integer({ min: 0, max: 20 }),
        fc.uint8Array({ maxLength: 300 }),
        (data, count, body) => {
          const { value } = parsePcd(join(header(count, data), body));
          if (value) expect(value.points.every(Number.isFinite)).toBe(true);
        },
      ),
    );
  });
});
