import { describe, expect, it } from 'vitest';
import { parseOff } from './off.js';
import { parseTris } from './tris.js';

const encode = (source: string) => new TextEncoder().encode(source);
const BODY = '0 0 0\n1 0 0 # comment\n\n1 1 0\n0 1 0\n3 0 1 2 255 0 0\n4 0\n1\n2 3 0.5 0.5 0.5\n';

describe('parseOff', () => {
  it.each(['OFF\n4 2 0\n', 'OFF 4 2 5\n', '4 2\n', '# made by hand\nCOFF\n\n4 2 0\n'])(
    'reads after the header %j',
    (head) => {
      const { value, issues } = parseOff(encode(head + BODY));
      expect(issues).toEqual([]);
      expect(value!.mesh.vertices.length).toBe(12);
      expect(Array.from(value!.mesh.triangles)).toEqual([0, 1, 2, 0, 1, 2, 0, 2, 3]);
    },
  );

  it.each([
    ['', 'off-header'],
    ['4OFF\n1 0 0\n0 0 0 0', 'off-header'],
    ['OFF BINARY\n', 'off-header'],
    ['OFF\n-1 2 0\n', 'off-header'],
    ['OFF\n1000000 2 0\n0 0 0\n', 'off-truncated'],
    [`OFF\n4 3 0\n${BODY}`, 'off-truncated'],
    [`OFF\n4 2 0\n${BODY.replace('3 0 1 2', '3 0 1 4')}`, 'bad-vertex-index'],
    [`OFF\n4 2 0\n${BODY.replace('3 0 1 2', 'x 0 1 2')}`, 'off-face'],
    [`OFF\n4 2 0\n${BODY.replace('1 1 0', '1 nan 0')}`, 'bad-number'],
  ])('refuses %j', (source, code) => {
    const { value, issues } = parseOff(encode(source));
    expect(value).toBeNull();
    expect(issues).toMatchObject([{ severity: 'error', code }]);
  });
});

describe('parseTris', () => {
  it('reads nine numbers per triangle', () => {
    const { value } = parseTris(encode('2\n0 0 0\n1 0 0\n0 1 0\n\n0 0 0 1 0 0 0 0 1'));
    expect(value!.mesh.vertices.length).toBe(18);
    expect(Array.from(value!.mesh.triangles)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it.each([
    ['x', 'tris-header'],
    ['100\n0 0 0', 'tris-truncated'],
    ['1\n0 0 0 1 0 0 0 x 0', 'bad-number'],
  ])('refuses %j', (source, code) => {
    expect(parseTris(encode(source))).toMatchObject({ value: null, issues: [{ severity: 'error', code }] });
  });
});
