import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEmptyContent } from './content.js';
import { nameObjects, withObjects } from './mesh-objects.js';

describe('nameObjects', () => {
  it('names files apart by what tells them apart', () => {
    expect(nameObjects(['a/part.stl', 'b/part.stl', 'b/lid.obj'])).toEqual(['a/part', 'b/part', 'lid']);
    expect(nameObjects(['part.stl', 'part.obj', 'part (2).stl'])).toEqual(['part', 'part 2', 'part (2)']);
  });

  it('never gives a name twice', () => {
    const path = fc.array(fc.constantFrom('a', 'b', 'part', 'part 2', '.x'), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(path, { maxLength: 8 }), (list) => {
        const names = nameObjects(list.map((words) => `${words.join('/')}.stl`));
        expect(new Set(names).size).toBe(list.length);
      }),
    );
  });
});

describe('withObjects', () => {
  const mesh = (size: number) => ({
    vertices: Float64Array.of(0, 0, 0, size, 0, 0, 0, size, 0),
    triangles: Uint32Array.of(0, 1, 2),
  });
  const part = (size: number) => ({
    objects: [
      { name: 'part', shape: { type: 'mesh', file: 'part.stl' } as const, pose: [0, 0, 0, 0, 0, 0, 1] as const },
    ],
    meshes: new Map([['part.stl', mesh(size)]]),
  });

  it('keeps a file and another of the same name, each with its own mesh', () => {
    const content = [1, 2, 3].reduce((sum, size) => withObjects(sum, part(size)), createEmptyContent(''));
    expect(content.objects.map(({ name }) => name)).toEqual(['part', 'part 2', 'part 3']);
    const sizes = content.objects.map(({ shape }) =>
      shape.type === 'mesh' ? content.meshes.get(shape.file)!.vertices[3] : 0,
    );
    expect(sizes).toEqual([1, 2, 3]);
  });
});
