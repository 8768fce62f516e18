import { describe, expect, it } from 'vitest';
import { decodeLink, encodeLink, readWork } from './link.js';
import type { Work } from './work.js';

const work: Work = {
  robots: [{ name: 'arm7', q: [0.1, -2, 1 / 3], stored: [{ name: 'Stored 1', q: [0, 1, 2] }], tool: null }],
  objects: Array.from({ length: 40 }, (_, i) => ({
    name: `böx ${i}`,
    pose: [i / 7, 0, 0, 0, 0, 0, 1] as const,
    shape: { type: 'sphere', radius: 0.1 } as const,
  })) as unknown as Work['objects'],
  chosen: 0,
};

describe('links', () => {
  it('carry an example and all that was done, to the last bit', async () => {
    const hash = await encodeLink({ example: 'arm', work });
    expect(hash).toMatch(/^example=arm&work=[\w-]+$/);
    expect(hash.length).toBeLessThan(1500);
    expect(await decodeLink(`#${hash}`)).toEqual({ example: 'arm', work, isBroken: false });
    expect(await decodeLink(await encodeLink({ example: 'two-arms', work: null }))).toEqual({
      example: 'two-arms',
      work: null,
      isBroken: false,
    });
  });

  it('that are cut, altered or no links leave the example alone', async () => {
    const hash = await encodeLink({ example: 'arm', work });
    for (const broken of [
      hash.slice(0, -9),
      `${hash.slice(0, 40)}A${hash.slice(41)}`,
      'example=arm&work=***',
      'example=arm&work=',
    ])
      expect(await decodeLink(broken), broken).toEqual({ example: 'arm', work: null, isBroken: true });
    expect(await decodeLink('#elsewhere')).toBeNull();
    expect(await decodeLink('')).toBeNull();
  });

  it.each([
    null,
    3,
    {},
    { ...work, robots: [{ name: 'a', q: ['x'], stored: [] }] },
    { ...work, objects: [{ name: 'b' }] },
  ])('take no other data for work: %j', (value) => {
    expect(() => readWork(value)).toThrow(RangeError);
  });
});
