import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, TETRAHEDRON } from '../../test/support/temporary-folder.js';
import { loadMesh } from './load-mesh.js';
import { loadRobot } from './load-robot.js';
import { loadScene } from './load-scene.js';

const mesh = (tag: string, file: string): string => `<${tag}><geometry><mesh filename="${file}"/></geometry></${tag}>`;

describe('loadRobot', () => {
  const folder = makeFolder({
    'arm/package.xml': '<package><name>arm</name></package>',
    'arm/urdf/arm.URDF': `<robot name="arm">
<link name="a">${mesh('collision', 'package://arm/meshes/t.off')}${mesh('visual', 'package://arm/meshes/v.off')}</link>
<link name="b">${mesh('collision', '../meshes/t.off')}
${mesh('collision', 'package://arm/meshes/none.stl')}${mesh('collision', '../meshes/broken.off')}</link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
</robot>`,
    'arm/meshes/t.off': TETRAHEDRON,
    'arm/meshes/v.off': TETRAHEDRON,
    'arm/meshes/broken.off': 'OFF\n1 1 0\n0 0 0\n3 0 1 2\n',
    'arm/config/arm.srdf': `<robot name="arm"><group name="g"><joint name="j"/></group>
<disable_collisions link1="a" link2="b" reason="Adjacent"/><disable_collisions link1="a" link2="gone" reason="Never"/></robot>`,
    'arm/urdf/arm.urdf.xacro': `<robot xmlns:xacro="x" name="$(arg name)"><xacro:arg name="name" default="made"/>
<xacro:include filename="$(find arm)/urdf/inc/part.xacro"/>
<xacro:part n="\${xacro.load_yaml('../config/names.yaml')['part']}"/></robot>`,
    'arm/urdf/inc/part.xacro': `<robot xmlns:xacro="x"><xacro:macro name="part" params="n"><link name="\${n}">
${mesh('collision', 'none.off')}${mesh('collision', '../meshes/t.off')}</link></xacro:macro></robot>`,
    'arm/config/names.yaml': 'part: p1\n',
    'arm/urdf/escape.xacro': '<robot xmlns:xacro="x"><xacro:include filename="../../../outside.xacro"/></robot>',
    'arm/urdf/utf16.urdf': Buffer.from(
      '\ufeff<?xml version="1.0" encoding="UTF-16"?><robot name="r"><link name="é"/></robot>',
      'utf16le',
    ),
  });

  it('loads collision meshes once each, and reports those that are missing or broken with file and line', async () => {
    const file = join(folder, 'arm/urdf/arm.URDF');
    const { value, issues } = await loadRobot(file);
    expect([...value!.meshes.keys()]).toEqual(['package://arm/meshes/t.off', '../meshes/t.off']);
    const [one, two] = value!.meshes.values();
    expect(one).toBe(two);
    expect(one.triangles).toHaveLength(12);
    expect(value!.description.collisions).toHaveLength(4);
    expect(issues.map(({ code }) => code)).toContain('file-not-found');
    expect(issues.find(({ code }) => code === 'file-not-found')).toMatchObject({
      severity: 'error',
      file,
      line: 4,
      element: 'link "b"',
    });
    expect(issues.some((issue) => issue.severity === 'error' && issue.file?.endsWith('broken.off'))).toBe(true);
  });

  it('loads visual meshes, both kinds or none on request', async () => {
    const file = join(folder, 'arm/urdf/arm.URDF');
    const names = async (geometry: 'visual' | 'both' | 'none'): Promise<string[]> => [
      ...(await loadRobot(file, { geometry })).value!.meshes.keys(),
    ];
    expect(await names('visual')).toEqual(['package://arm/meshes/v.off']);
    expect(await names('both')).toHaveLength(3);
    expect(await names('none')).toEqual([]);
  });

  it('reads the SRDF, keeps disabled pairs of links that exist, and reports the others', async () => {
    const srdf = join(folder, 'arm/config/arm.srdf');
    const { value, issues } = await loadRobot(join(folder, 'arm/urdf/arm.URDF'), { srdf, geometry: 'none' });
    expect(value!.semantic!.groups.map(({ name }) => name)).toEqual(['g']);
    expect(value!.semantic!.disabledPairs).toEqual([{ a: 'a', b: 'b', reason: 'Adjacent' }]);
    expect(issues).toMatchObject([{ severity: 'warning', code: 'unknown-link', file: srdf }]);
  });

  it('expands xacro with includes, packages, YAML and arguments; issues name the included file', async () => {
    const file = join(folder, 'arm/urdf/arm.urdf.xacro');
    const { value, issues } = await loadRobot(file, { xacroArgs: { name: 'given' } });
    expect(value!.description.name).toBe('given');
    expect(value!.description.model.links.map(({ name }) => name)).toEqual(['p1']);
    expect([...value!.meshes.keys()]).toEqual(['../meshes/t.off']);
    expect(issues).toMatchObject([{ code: 'file-not-found', file: join(folder, 'arm/urdf/inc/part.xacro'), line: 2 }]);
  });

  it('refuses includes that leave the workspace', async () => {
    const { value, issues } = await loadRobot(join(folder, 'arm/urdf/escape.xacro'));
    expect(value).toBeNull();
    expect(issues[0].message).toContain('outside the allowed folders');
  });

  it('reads UTF-16, and says when there is no file', async () => {
    const { value } = await loadRobot(join(folder, 'arm/urdf/utf16.urdf'));
    expect(value!.description.model.links[0].name).toBe('é');
    const missing = await loadRobot(join(folder, 'none.urdf'));
    expect(missing).toMatchObject({ value: null, issues: [{ severity: 'error', code: 'file-not-found' }] });
    expect((await loadRobot(folder)).issues[0].code).toBe('not-a-file');
  });
});

describe('loadScene', () => {
  const folder = makeFolder({
    'scene/cell.json': JSON.stringify({
      version: 1,
      objects: [
        { name: 'in', shape: { type: 'mesh', file: 'meshes/t.off' } },
        { name: 'out', shape: { type: 'convex', file: '../other/t.off' } },
      ],
      robots: [
        { name: 'r', file: 'r.urdf' },
        { name: 's', file: 'none.urdf' },
      ],
    }),
    'scene/meshes/t.off': TETRAHEDRON,
    'scene/r.urdf': '<robot name="r"/>',
    'other/t.off': TETRAHEDRON,
  });
  const file = join(folder, 'scene/cell.json');

  it('loads meshes inside its folder and refuses others', async () => {
    const { value, issues } = await loadScene(file);
    expect([...value!.meshes.keys()]).toEqual(['meshes/t.off']);
    expect(value!.files.get('r.urdf')).toBe(join(folder, 'scene/r.urdf'));
    expect(issues.map(({ code, element }) => [code, element])).toEqual([
      ['path-outside', 'object "out"'],
      ['file-not-found', 'robot "s"'],
    ]);
    expect(issues[0].message).toContain('--allow-outside');
  });

  it('loads meshes outside on request', async () => {
    const { value } = await loadScene(file, { allowOutside: true });
    expect([...value!.meshes.keys()]).toEqual(['meshes/t.off', '../other/t.off']);
  });
});

describe('loadMesh', () => {
  const folder = makeFolder({ 't.off': TETRAHEDRON, 'a.txt': 'x' });

  it('applies the unit, and refuses units, formats and sizes it does not take', async () => {
    const file = join(folder, 't.off');
    const { value } = await loadMesh(file, { unit: 'millimetre' });
    expect(Math.max(...value!.vertices)).toBeCloseTo(0.001, 18);
    expect((await loadMesh(file, { unit: 'parsec' })).issues[0]).toMatchObject({
      severity: 'error',
      code: 'unknown-unit',
    });
    expect((await loadMesh(file, { maximumBytes: 10 })).issues[0].code).toBe('file-too-large');
    expect((await loadMesh(join(folder, 'a.txt'))).value).toBeNull();
  });
});
