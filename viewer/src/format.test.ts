import { describe, expect, it } from 'vitest';
import { countOf, formatLength, formatMicroseconds, formatMilliseconds, nameServedFiles } from './format.js';

describe('formats', () => {
  it.each([
    [1.23456, '1.235 m'],
    [-0.25, '-250.0 mm'],
    [0.0841, '84.10 mm'],
    [5e-5, '50.0 µm'],
    [0, '0 mm'],
    [-1e-12, '0 mm'],
  ])('length %s', (metres, text) => {
    expect(formatLength(metres)).toBe(text);
  });

  it('times', () => {
    expect([7.25, 123.4, 12_345].map(formatMicroseconds)).toEqual(['7.3 µs', '123 µs', '12.3 ms']);
    expect([7.25, 123.4, 1234].map(formatMilliseconds)).toEqual(['7.3 ms', '123 ms', '1.23 s']);
  });

  it('counts', () => {
    expect([countOf(1, 'contact'), countOf(2, 'contact'), countOf(0, 'entry', 'entries')]).toEqual([
      '1 contact',
      '2 contacts',
      '0 entries',
    ]);
  });

  it('files of the server by their path on disk', () => {
    const origin = 'http://127.0.0.1:4000';
    expect(nameServedFiles(`${origin}/files/srv/my%20arm/arm.urdf:10: error: "package://a/b.stl": ...`, origin)).toBe(
      '/srv/my arm/arm.urdf:10: error: "package://a/b.stl": ...',
    );
    expect(nameServedFiles(`${origin}/made/0/arm.urdf:1: error: "${origin}/files/100%/x.stl"`, origin)).toBe(
      'arm.urdf:1: error: "/100%/x.stl"',
    );
    expect(nameServedFiles('part.stl: error: cut off', origin)).toBe('part.stl: error: cut off');
  });
});
