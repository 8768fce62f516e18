/** Faults of other OBJ readers. */
import { expect, it } from 'vitest';
import { parseObj } from '../../src/io/mesh/obj.js';

it('U167: OBJ: negative indices count back from the vertices read so far, not from the end of the file', () => {
  const text = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf -1 -2 -3\nv 5 0 0\nv 6 0 0\nv 5 1 0\nf -1 -2 -3\n';
  const { value, issues } = parseObj(new TextEncoder().encode(text));
  expect(issues).toEqual([]);
  expect(Array.from(value!.mesh.triangles)).toEqual([2, 1, 0, 5, 4, 3]);
});
