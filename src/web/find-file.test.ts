import { describe, expect, it } from 'vitest';
import { findReferencedFile, normalizePath } from './find-file.js';

const paths = [
  'ws/arm_description/urdf/arm.urdf',
  'ws/arm_description/meshes/base.stl',
  'ws/hand/meshes/base.stl',
  'ws/hand/Tip.STL',
];
const find = (reference: string, from = paths[0]) => findReferencedFile(paths, reference, from);

describe('findReferencedFile', () => {
  it('takes paths relative to the file that names them', () => {
    expect(find('../meshes/base.stl')).toEqual({ path: paths[1], guessed: false });
    expect(find('./../../hand/meshes/base.stl')).toEqual({ path: paths[2], guessed: false });
  });

  it('finds packages wherever their folder is, and keeps those apart that hold the same file', () => {
    expect(find('package://arm_description/meshes/base.stl')).toEqual({ path: paths[1], guessed: false });
    expect(find('package://hand/meshes/base.stl')).toEqual({ path: paths[2], guessed: false });
  });

  it('falls back to the end of the path, and says so, when only one file has it', () => {
    expect(find('package://other_name/Tip.STL')).toEqual({ path: paths[3], guessed: true });
    expect(find('file:///home/someone/ws/hand/tip.stl')).toEqual({ path: paths[3], guessed: true });
    expect(find('package://other_name/meshes/base.stl')).toBeNull();
  });

  it('minds upper and lower case only when it decides', () => {
    expect(findReferencedFile(['A.stl', 'a.stl'], 'a.stl', '')).toEqual({ path: 'a.stl', guessed: false });
    expect(findReferencedFile(['A.STL'], 'a.stl', '')).toEqual({ path: 'A.STL', guessed: false });
  });

  it('decodes escapes once and survives broken ones', () => {
    expect(findReferencedFile(['my part.stl'], 'my%20part.stl', '')?.path).toBe('my part.stl');
    expect(findReferencedFile(['100%.stl'], '100%.stl', '')?.path).toBe('100%.stl');
  });
});

describe('normalizePath', () => {
  it('never leaves the top', () => {
    expect(normalizePath('../../a/./b//../c')).toBe('a/c');
    expect(normalizePath('a\\b\\..\\c')).toBe('a/c');
  });
});
