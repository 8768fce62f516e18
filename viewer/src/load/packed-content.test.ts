import { describe, expect, it } from 'vitest';
import { packContent, unpackContent } from './packed-content.js';

const roundTrip = (content: unknown): unknown => unpackContent(packContent(content).slice().buffer as ArrayBuffer);

describe('contents as bytes', () => {
  it('come back as they were, to the bit', () => {
    const content = {
      title: 'Arm – "shelf"',
      q: [0, -0, 0.1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN],
      none: null,
      maps: new Map<unknown, unknown>([
        ['a', new Map([['b', [true, false]]])],
        ['floats', Float64Array.of(0.5, -0, Math.fround(0.1))],
        ['doubles', Float64Array.of(0.1, 1e300, Number.NaN)],
        ['few', Uint32Array.of(0, 65535, 7)],
        ['many', Uint32Array.of(65536, 4294967295)],
        ['empty', new Float64Array(0)],
      ]),
    };
    const back = roundTrip(content) as typeof content;
    expect(back).toEqual(content);
    expect(Object.is(back.q[1], -0)).toBe(true);
    for (const [name, array] of content.maps) {
      if (!(array instanceof Float64Array)) continue;
      expect(new BigUint64Array((back.maps.get(name) as Float64Array).buffer.slice(0))).toEqual(
        new BigUint64Array(array.buffer.slice(0)),
      );
    }
  });

  it('share what they shared', () => {
    const mesh = { vertices: Float64Array.of(1, 2, 3), triangles: Uint32Array.of(0, 0, 0) };
    const back = roundTrip({ first: mesh, list: [[mesh], mesh], views: new Map([['v', mesh.vertices]]) }) as {
      first: typeof mesh;
      list: [[typeof mesh], typeof mesh];
      views: Map<string, Float64Array>;
    };
    expect(back.list[0][0]).toBe(back.first);
    expect(back.list[1]).toBe(back.first);
    expect(back.views.get('v')).toBe(back.first.vertices);
  });

  it('hold plain data alone', () => {
    expect(() => packContent({ at: new Date(0) })).toThrow('packContent: content, got a Date, expected plain data');
  });
});
