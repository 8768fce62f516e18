import { symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../test/support/temporary-folder.js';
import { createUriContext, resolveUri, type UriOptions } from './resolve-uri.js';
import { findWorkspace, isInside } from './roots.js';

const xml = (name: string): string => `<package><!-- <name>wrong</name> --><name>${name}</name></package>`;

/** What a reference in `file` leads to: a path relative to the folder, or the code of the issue. */
function resolver(folder: string, file: string, options: UriOptions = {}): (uri: string) => string {
  const context = createUriContext(join(folder, file), options);
  return (uri) => {
    const { path, issues } = resolveUri(uri, context);
    return path === null
      ? issues[0].code
      : [path.slice(folder.length + 1), ...issues.map(({ code }) => code)].join(' ');
  };
}

describe('resolveUri', () => {
  const folder = makeFolder({
    'ws/arm/package.xml': xml('arm_description'),
    'ws/arm/urdf/arm.urdf': '',
    'ws/arm/urdf/part.dae': '',
    'ws/arm/meshes/link 1.stl': '',
    'ws/arm/meshes/100%.stl': '',
    'ws/arm/meshes/UPPER.STL': '',
    'ws/hand/package.xml': xml('hand_description'),
    'ws/hand/meshes/palm.stl': '',
    'ws/tool-x/meshes/tool.stl': '',
    'elsewhere/deep/er/camera/package.xml': xml('camera_description'),
    'elsewhere/deep/er/camera/meshes/lens.stl': '',
    'elsewhere/renamed/robots/foot/foot.stl': '',
    'secret.stl': '',
  });
  const resolve = resolver(folder, 'ws/arm/urdf/arm.urdf');

  it.each([
    ['part.dae', 'ws/arm/urdf/part.dae'],
    ['./part.dae', 'ws/arm/urdf/part.dae'],
    ['../meshes/link 1.stl', 'ws/arm/meshes/link 1.stl'],
    ['../meshes/link%201.stl', 'ws/arm/meshes/link 1.stl'],
    ['..\\meshes\\link 1.stl', 'ws/arm/meshes/link 1.stl'],
    ['../meshes/100%.stl', 'ws/arm/meshes/100%.stl'],
    ['package://arm_description/meshes/link%201.stl', 'ws/arm/meshes/link 1.stl'],
    ['package://arm/meshes/link 1.stl', 'ws/arm/meshes/link 1.stl'],
    ['PACKAGE://arm_description/urdf/part.dae', 'ws/arm/urdf/part.dae'],
    ['package://hand_description/meshes/palm.stl', 'ws/hand/meshes/palm.stl'],
    ['package://tool-x/meshes/tool.stl', 'ws/tool-x/meshes/tool.stl'],
    ['model://hand/meshes/palm.stl', 'ws/hand/meshes/palm.stl'],
    ['../meshes/upper.stl', 'ws/arm/meshes/UPPER.STL file-name-case'],
    [' part.dae ', 'ws/arm/urdf/part.dae'],
  ])('%s', (uri, path) => {
    expect(resolve(uri)).toBe(path);
  });

  it('takes file:// and absolute paths inside the allowed folders', () => {
    expect(resolve(`file://${folder}/ws/arm/urdf/part.dae`)).toBe('ws/arm/urdf/part.dae');
    expect(resolve(`file://localhost${folder}/ws/arm/meshes/link%201.stl`)).toBe('ws/arm/meshes/link 1.stl');
    expect(resolve(join(folder, 'ws/arm/urdf/part.dae'))).toBe('ws/arm/urdf/part.dae');
  });

  it.each([
    ['', 'bad-uri'],
    ['a\0b.stl', 'bad-uri'],
    ['package://arm_description', 'bad-uri'],
    ['package:///meshes/a.stl', 'file-not-found'],
    ['package://../meshes/a.stl', 'bad-uri'],
    ['http://example.org/a.stl', 'bad-uri'],
    ['data:model/stl;base64,AAAA', 'bad-uri'],
    ['none.stl', 'file-not-found'],
    ['../meshes', 'file-not-found'],
    ['package://arm_description/none.stl', 'file-not-found'],
    ['package://nowhere/none.stl', 'package-not-found'],
    ['../../../secret.stl', 'path-outside'],
    ['..%2f..%2f..%2fsecret.stl', 'path-outside'],
    ['package://arm_description/../../secret.stl', 'path-outside'],
    ['package://arm_description/%2e%2e/%2e%2e/secret.stl', 'path-outside'],
    ['package://arm_description//../../secret.stl', 'path-outside'],
    ['file:///etc/passwd', 'path-outside'],
    ['/etc/passwd', 'path-outside'],
    ['../../../../../../../../../../etc/passwd', 'path-outside'],
    ['../../../not-there.stl', 'path-outside'],
  ])('refuses %j: %s', (uri, code) => {
    expect(resolve(uri)).toBe(code);
  });

  it('refuses symbolic links that lead outside, and follows those that stay inside', () => {
    symlinkSync(join(folder, 'secret.stl'), join(folder, 'ws/arm/meshes/out.stl'));
    symlinkSync(join(folder, 'ws/hand/meshes'), join(folder, 'ws/arm/linked'));
    expect(resolve('../meshes/out.stl')).toBe('path-outside');
    expect(resolve('../linked/palm.stl')).toBe('ws/hand/meshes/palm.stl');
  });

  it('searches package paths at any depth, by package.xml and by folder name', () => {
    const wide = resolver(folder, 'ws/arm/urdf/arm.urdf', { packagePaths: [join(folder, 'elsewhere')] });
    expect(wide('package://camera_description/meshes/lens.stl')).toBe('elsewhere/deep/er/camera/meshes/lens.stl');
    expect(wide('package://camera/meshes/lens.stl')).toBe('elsewhere/deep/er/camera/meshes/lens.stl');
    expect(resolve('package://camera_description/meshes/lens.stl')).toBe('package-not-found');
  });

  it('finds files of a package whose folder was renamed, below a package path or beside the file', () => {
    const wide = resolver(folder, 'ws/arm/urdf/arm.urdf', { packagePaths: [join(folder, 'elsewhere/renamed')] });
    expect(wide('package://old-name/robots/foot/foot.stl')).toBe('elsewhere/renamed/robots/foot/foot.stl');
    // After one file was found, another one of the package is what is missing, not the package.
    expect(wide('package://old-name/robots/foot/toe.stl')).toBe('file-not-found');
    expect(resolve('package://old-name/meshes/link 1.stl')).toBe('ws/arm/meshes/link 1.stl');
  });

  it('prefers a folder near the file to one of that name elsewhere, and tries both', () => {
    const two = makeFolder({
      'all/a/meshes/only-a.stl': '',
      'all/a/meshes/both.stl': '',
      'all/b/meshes/both.stl': '',
      'all/b/b.urdf': '',
    });
    const near = resolver(two, 'all/b/b.urdf', { packagePaths: [join(two, 'all')] });
    expect(near('package://meshes/both.stl')).toBe('all/b/meshes/both.stl');
    expect(near('package://meshes/only-a.stl')).toBe('all/a/meshes/only-a.stl');
  });

  it('goes by a named package even where its file is missing', () => {
    const named = resolver(folder, 'ws/arm/urdf/arm.urdf', { packages: { arm_description: join(folder, 'ws/hand') } });
    expect(named('package://arm_description/meshes/palm.stl')).toBe('ws/hand/meshes/palm.stl');
    expect(named('package://arm_description/meshes/link 1.stl')).toBe('file-not-found');
    const map = new Map([['far', join(folder, 'elsewhere/renamed')]]);
    expect(resolver(folder, 'ws/arm/urdf/arm.urdf', { packages: map })('package://far/robots/foot/foot.stl')).toBe(
      'elsewhere/renamed/robots/foot/foot.stl',
    );
  });

  it('reads only the roots when they are given', () => {
    const strict = resolver(folder, 'ws/arm/urdf/arm.urdf', { roots: [join(folder, 'ws/arm/urdf')] });
    expect(strict('part.dae')).toBe('ws/arm/urdf/part.dae');
    expect(strict('../meshes/link 1.stl')).toBe('path-outside');
  });
});

describe('findWorkspace', () => {
  it('is what holds the package, or a few levels above the file, never home or the root', () => {
    const folder = makeFolder({ 'a/b/c/d/e.urdf': '', 'w/p/package.xml': xml('p'), 'w/p/x/y/z.urdf': '' });
    expect(findWorkspace(join(folder, 'a/b/c/d/e.urdf'))).toBe(join(folder, 'a'));
    expect(findWorkspace(join(folder, 'w/p/x/y/z.urdf'))).toBe(join(folder, 'w'));
    expect(findWorkspace('/robot.urdf')).toBe('/');
    expect(findWorkspace('/opt/robot.urdf')).toBe('/opt');
    const home = homedir();
    expect(findWorkspace(join(home, 'robots/a/robot.urdf'))).toBe(join(home, 'robots'));
    expect(isInside(dirname(home), findWorkspace(join(home, 'x/robot.urdf')))).toBe(false);
  });
});

describe('isInside', () => {
  it.each([
    ['/a/b', '/a', true],
    ['/a', '/a', true],
    ['/ab', '/a', false],
    ['/a/..b', '/a', true],
    ['/', '/a', false],
    ['/a', '/', true],
  ])('%s in %s: %s', (path, folder, inside) => {
    expect(isInside(path, folder)).toBe(inside);
  });
});
