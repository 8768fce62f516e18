import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { octomapShape, parseOctomap } from './octomap.js';

function file(size: number, body: readonly number[], resolution = 0.1): Uint8Array {
  const header = `# Octomap OcTree binary file\n# (feel free to add comments)\nid OcTree\nsize ${size}\nres ${resolution}\ndata\n`;
  return Uint8Array.from([...new TextEncoder().encode(header), ...body]);
}

/** Two bytes of a node from eight letters: u unknown, f free, o occupied, i inner. */
function node(children: string): number[] {
  let bits = 0;
  [...children].forEach((letter, i) => {
    bits |= 'ufoi'.indexOf(letter) << (2 * i);
  });
  return [bits & 255, bits >> 8];
}

/** Inner nodes down the octants `path` to a last node. */
function chain(path: readonly number[], last: string): number[] {
  const inner = path.flatMap((child) => node(Array.from({ length: 8 }, (_, i) => (i === child ? 'i' : 'u')).join('')));
  return [...inner, ...node(last)];
}

describe('parseOctomap', () => {
  it('places leaves of every level by the bits of their octants', () => {
    // The root's octant 7 is the positive one; octant 5 of it lies at high x, low y, high z.
    const { value, issues } = parseOctomap(file(4, [...node('uuuuuufi'), ...node('uuuuuouu')]));
    expect(issues).toEqual([]);
    expect(Array.from(value!.occupied)).toEqual([16384, 0, 16384, 16384]);
    expect(Array.from(value!.free)).toEqual([-32768, 0, 0, 32768]);
    expect(value!.leafCount).toBe(2);
    expect(value!.unknown.length).toBeGreaterThan(0);
  });

  it('reads the smallest cells, either side of the origin, and merges siblings', () => {
    // Octant 7, then always octant 0: the cells at the origin. Octant 0, then always 7: those before it.
    const up = chain([7, ...Array(14).fill(0)], 'ouuuuuuo');
    expect(Array.from(parseOctomap(file(-1, up)).value!.occupied)).toEqual([0, 0, 0, 1, 1, 1, 1, 1]);
    const down = chain([0, ...Array(14).fill(7)], 'oooooooo');
    expect(Array.from(parseOctomap(file(-1, down)).value!.occupied)).toEqual([-2, -2, -2, 2]);
  });

  it('keeps unknown space apart, and makes a shape with or without it', () => {
    const map = parseOctomap(file(-1, chain([7, ...Array(14).fill(0)], 'offfffuu'))).value!;
    expect(octomapShape(map)).toEqual({ type: 'octree', resolution: 0.1, cells: Int32Array.of(0, 0, 0, 1) });
    const careful = octomapShape(map, 'occupied')!;
    const cubes = Array.from({ length: careful.cells.length / 4 }, (_, i) =>
      Array.from(careful.cells.slice(4 * i, 4 * i + 4)),
    );
    expect(cubes).toContainEqual([0, 1, 1, 1]);
    expect(cubes).toContainEqual([1, 1, 1, 1]);
    expect(cubes).toContainEqual([-32768, -32768, -32768, 32768]);
    expect(octomapShape(parseOctomap(file(1, node('uuuuuuuf'))).value!)).toBeNull();
  });

  it('ends at maximumDepth: a node is occupied when anything below is', () => {
    const body = chain([7, ...Array(14).fill(0)], 'fffffffo');
    const { value } = parseOctomap(file(-1, body), { maximumDepth: 14 });
    expect(Array.from(value!.occupied)).toEqual([0, 0, 0, 4]);
    expect(() => parseOctomap(file(0, []), { maximumDepth: 17 })).toThrow(/maximumDepth/);
  });

  it('refuses what is cut off, too deep or something else; an empty map is empty', () => {
    expect(parseOctomap(file(0, [])).value!.occupied.length).toBe(0);
    expect(parseOctomap(file(2, node('iuuuuuuu'))).issues[0].code).toBe('octomap-truncated');
    expect(parseOctomap(file(-1, chain(Array(16).fill(0), 'oooooooo'))).value).toBeNull();
    expect(parseOctomap(new TextEncoder().encode('# Octomap OcTree file\ndata\n')).issues[0].code).toBe(
      'octomap-header',
    );
    expect(parseOctomap(file(1, node('uuuuuuuo'), Number.NaN)).value).toBeNull();
    expect(parseOctomap(file(2, [...node('uuuuuuuo'), 1, 2])).issues[0].code).toBe('surplus-bytes');
  });

  it('never throws, whatever the bytes (property)', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 200 }), (body) => {
        const { value } = parseOctomap(file(-1, body));
        if (value) expect(value.occupied.length % 4).toBe(0);
        parseOctomap(Uint8Array.from(body));
      }),
    );
  });
});
