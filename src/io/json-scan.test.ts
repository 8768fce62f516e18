import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanJson } from './json-scan.js';

const scan = (text: string, maximumDepth = 64) => scanJson(text, { maximumDepth });
function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('scanJson', () => {
  it('says where the first fault is', () => {
    expect(scan('{"a": 1,\n "b": [1, 2,, 3]}').fault).toMatchObject({ line: 2, column: 13 });
    expect(scan('{"a": 1\n\n').fault).toMatchObject({ line: 3, message: expect.stringContaining('comma or "}"') });
    expect(scan("{'a': 1}").fault!.message).toContain('double quotes');
    expect(scan('[1, 2] x').fault!.message).toContain('after the end');
    expect(scan('["a\nb"]').fault!.message).toContain('closing quote');
    expect(scan('').fault).not.toBeNull();
    expect(scan('[1,\r\n\r\n x]').fault).toMatchObject({ line: 3, column: 2 });
    expect(scan('[1,\r\r x]').fault).toMatchObject({ line: 3, column: 2 });
  });

  it('finds lines by path, the deepest part that exists', () => {
    const text = '{\n"a": [\n1,\n{"b":\n2}\n],\n"c\\u0064": 3}';
    const paths = [['a'], ['a', 1, 'b'], ['a', 1, 'x'], ['a', 7], ['cd'], ['none'], []];
    expect(scanJson(text, { maximumDepth: 9, paths }).lines).toEqual([2, 5, 4, 2, 7, undefined, undefined]);
  });

  it('finds keys that come twice', () => {
    expect(scan('{"a": 1,\n"a": 2, "b": {"a": 3}}').repeated).toEqual([{ key: 'a', line: 2 }]);
  });

  it('refuses depth before anything is built', () => {
    expect(scan('[[[1]]]', 3).fault).toBeNull();
    expect(scan('[[[1]]]', 2).fault).toMatchObject({ kind: 'depth', column: 3 });
  });

  it('agrees with JSON.parse on texts that are nearly JSON', () => {
    const pieces = fc.constantFrom(...'{}[]:,"\\0123456789.eE+-tn \n\u0007ua'.split(''), 'true', 'null', '"k":', '"x"');
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.array(fc.tuple(fc.nat(200), fc.nat(2), pieces), { maxLength: 3 }),
        (value, edits) => {
          let text = JSON.stringify(value);
          for (const [at, length, piece] of edits) {
            const place = at % (text.length + 1);
            text = text.slice(0, place) + piece + text.slice(place + length);
          }
          expect(scan(text, 1000).fault === null, text).toBe(parses(text));
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('looks at each character about once, whatever is missing', () => {
    const broken = [
      '{"a":'.repeat(200_000),
      '['.repeat(1_000_000),
      `{${'"key":1,'.repeat(100_000)}`,
      `[${'1,'.repeat(400_000)}`,
      `["${'x'.repeat(1_000_000)}`,
      `["${'\\\\'.repeat(500_000)}`,
      ' \r\n'.repeat(300_000),
      `[${'{"a":[1,2]},'.repeat(80_000)}}`,
    ];
    for (const text of broken) {
      const { fault, steps } = scanJson(text, { maximumDepth: 64 });
      expect(fault).not.toBeNull();
      expect(steps).toBeLessThanOrEqual(text.length);
    }
  });
});
