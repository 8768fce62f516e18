import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseGeoJson } from './geojson.js';

const ring = (x: number, size: number) => [
  [x, x],
  [x + size, x],
  [x + size, x + size],
  [x, x + size],
  [x, x],
];
const parse = (data: unknown) => parseGeoJson(JSON.stringify(data));

describe('GeoJSON', () => {
  it('gives the polygons of features and collections, rings open', () => {
    const { value, issues } = parse({
      type: 'FeatureCollection',
      features: [
        { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [ring(0, 4), ring(1, 1)] } },
        { type: 'Feature', geometry: null },
        {
          type: 'GeometryCollection',
          geometries: [{ type: 'MultiPolygon', coordinates: [[ring(10, 1)], [ring(20, 1)]] }],
        },
      ],
    });
    expect(issues).toEqual([]);
    expect(value).toHaveLength(3);
    expect(value![0]).toEqual({ outer: ring(0, 4).slice(0, 4), holes: [ring(1, 1).slice(0, 4)] });
  });

  it('says what it leaves out', () => {
    const { value, issues } = parse({
      type: 'GeometryCollection',
      geometries: [
        { type: 'Point', coordinates: [1, 2] },
        {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [1, 1],
              [1, 0],
              [0, 1],
              [0, 0],
            ],
          ],
        },
        {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [1, null],
            ],
          ],
        },
        { type: 'Polygon', coordinates: [ring(0, 1)] },
      ],
    });
    expect(value).toHaveLength(1);
    expect(issues.map(({ code, assumes }) => [code, assumes])).toEqual([
      ['no-area', 'dropped'],
      ['sides-cross', 'dropped'],
      ['bad-coordinates', 'dropped'],
    ]);
  });

  it('has no value where nothing could be read', () => {
    expect(parseGeoJson('{').value).toBeNull();
    expect(parse(3).value).toBeNull();
    expect(parse({ type: 'Polygon' }).value).toBeNull();
    let deep: unknown = { type: 'Polygon', coordinates: [ring(0, 1)] };
    for (let k = 0; k < 40; k++) deep = { type: 'GeometryCollection', geometries: [deep] };
    expect(parse(deep).issues[0].code).toBe('too-deep');
  });

  it('never throws on random content', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('Polygon', 'MultiPolygon', 'Feature', 'FeatureCollection', 'x'),
        fc.jsonValue(),
        (type, value) => {
          parse({ type, coordinates: value, features: value, geometry: value });
          parse(value);
        },
      ),
      { numRuns: 500, seed: 1 },
    );
  });
});
