/**
 * Geometry and joints that a robot file names and its reader cannot take: each is an error that says what was left out, and
 * stands in the description's `assumed`, so that no answer rests on it unsaid.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseUrdf } from '../../src/io/robot/urdf.js';
import { loadRobot } from '../../src/node/load-robot.js';
import { makeFolder } from '../support/temporary-folder.js';

const link = (body: string): string => `<robot name="r"><link name="a">${body}</link></robot>`;
const collision = (geometry: string, before = ''): string =>
  link(`<collision>${before}<geometry>${geometry}</geometry></collision>`);

describe('collision elements that cannot be read', () => {
  it.each([
    ['<sphere radius="0,5"/>'],
    ['<torus radius="1"/>'],
    ['<Sphere radius="1"/>'],
    ['<sphere radius="0"/>'],
    ['<sphere radius="-1"/>'],
    ['<sphere radius="0.5m"/>'],
    ['<sphere radius="nan"/>'],
    ['<sphere radius="inf"/>'],
    ['<sphere radius="0x1"/>'],
    ['<sphere/>'],
    ['<sphere radios="1"/>'],
    ['<cylinder radius="1"/>'],
    ['<cylinder radius="1" lenght="1"/>'],
    ['<box size="1 2"/>'],
    ['<box size="1,2,3"/>'],
    ['<mesh filename=""/>'],
    ['<mesh filename="a.stl" scale="1 1"/>'],
    ['<mesh filename="a.stl" scale="1,1,1"/>'],
    ['<mesh filename="a.stl" scale="1 0 1"/>'],
    ['<mesh filename="a.stl" scal="0.001 0.001 0.001"/>'],
    [''],
  ])('%s is left out, and said', (geometry) => {
    const { value, issues } = parseUrdf(collision(geometry), { file: 'r.urdf' });
    expect(value!.collisions).toEqual([]);
    const error = issues.find(({ severity }) => severity === 'error')!;
    expect(error).toMatchObject({ assumes: 'dropped', file: 'r.urdf', line: 1 });
    expect(error.message).toContain('the collision is left out');
    expect(error.element).toContain('of link "a"');
    expect(value!.assumed).toContainEqual({ kind: 'dropped', element: error.element, message: error.message });
  });

  it.each([
    ['<origin xyz="0 0 O.5"/>'],
    ['<origin xyz="0 0"/>'],
    ['<origin rpy="0 0 1,5"/>'],
    ['<origin xzy="0 0 1"/>'],
    ['<orign xyz="0 0 1"/>'],
  ])('%s does not move the geometry to 0 in silence', (origin) => {
    const { value } = parseUrdf(collision('<sphere radius="1"/>', origin));
    expect(value!.collisions).toEqual([]);
    expect(value!.assumed).toMatchObject([{ kind: 'dropped' }]);
  });

  it('empty and repeated geometry, second shapes, elements in the wrong place', () => {
    for (const body of [
      link('<collision/>'),
      link('<collision><geometry/></collision>'),
      collision('<sphere radius="1"/><sphere radius="2"/>'),
      link('<collision><geometry><sphere radius="1"/></geometry><geometry><box size="1 1 1"/></geometry></collision>'),
      link('<geometry><sphere radius="1"/></geometry>'),
      '<robot name="r"><link name="a"/><collision><geometry><sphere radius="1"/></geometry></collision></robot>',
      '<robot name="r"><link name="a"><link name="b"/></link></robot>',
      '<robot name="r"><link name="a"/><link name="a"><collision><geometry><sphere radius="1"/></geometry></collision></link></robot>',
      '<robot name="r"/>',
    ]) {
      const { value, issues } = parseUrdf(body);
      expect(
        issues.some(({ severity, assumes }) => severity === 'error' && assumes === 'dropped'),
        body,
      ).toBe(true);
      expect(
        value!.assumed?.some(({ kind }) => kind === 'dropped'),
        body,
      ).toBe(true);
    }
  });

  it('names the line of the first of two equal names', () => {
    const { issues } = parseUrdf('<robot name="r">\n<link name="a"/>\n<link name="b"/>\n<link name="a"/>\n</robot>');
    expect(issues[0]).toMatchObject({ code: 'duplicate-link', line: 4 });
    expect(issues[0].message).toContain('the first is in line 2');
  });

  it('what is wrong with visuals is a warning, unless they are what collides', () => {
    const text = link('<visual><geometry><sphere radius="0,5"/></geometry></visual>');
    const usual = parseUrdf(text);
    expect(usual.issues).toMatchObject([{ severity: 'warning' }]);
    expect(usual.value!.assumed).toBeUndefined();
    const visual = parseUrdf(text, { geometry: 'visual' });
    expect(visual.issues).toMatchObject([{ severity: 'error', assumes: 'dropped' }]);
    expect(visual.value!.assumed).toHaveLength(1);
  });

  it('elements of other programs and inertias that matter to no shape are no errors', () => {
    const { value, issues } = parseUrdf(
      link(`<inertial><mass value="-1"/></inertial><collision><verbose value="x"/><contact_coefficients mu="0"/>
        <origin xyz="0 0 0"/><geometry><sphere radius="1"/></geometry></collision>`),
    );
    expect(value!.collisions).toHaveLength(1);
    expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(value!.assumed).toBeUndefined();
  });

  /** Any one attribute value or name damaged: as many shapes as before, or an error that says one was left out. */
  it('never fewer shapes in silence', () => {
    const words = ['<sphere radius="0.5"/>', '<box size="1 2 3"/>', '<cylinder radius="1" length="2"/>'];
    fc.assert(
      fc.property(
        fc.constantFrom(...words),
        fc.nat(40),
        fc.constantFrom('x', ',', '-', '0', ' ', '.', '"', '/', 'É', ''),
        (shape, at, insert) => {
          const place = at % shape.length;
          const text = collision(shape.slice(0, place) + insert + shape.slice(place + 1));
          const { value, issues } = parseUrdf(text);
          if (value?.collisions.length === 1) return;
          expect(issues.some(({ severity }) => severity === 'error')).toBe(true);
          if (value) expect(value.assumed?.some(({ kind }) => kind === 'dropped')).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('meshes that cannot be read', () => {
  const mesh = (name: string): string => `<collision><geometry><mesh filename="${name}"/></geometry></collision>`;
  it('stand in the description, for each link that has one', async () => {
    const folder = makeFolder({
      'r.urdf': `<robot name="r"><link name="a">${mesh('none.stl')}${mesh('empty.obj')}</link>
<link name="b">${mesh('none.stl')}${mesh('broken.off')}${mesh('ball.ply')}</link>
<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint></robot>`,
      'empty.obj': 'v 0 0 0\n',
      'broken.off': 'OFF\n1 1 0\n0 0 0\n3 0 1 2\n',
    });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'ball.ply'), 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n');
    const { value, issues } = await loadRobot(join(folder, 'r.urdf'));
    expect([...value!.meshes.keys()]).toEqual([]);
    const dropped = value!.description.assumed!.filter(({ kind }) => kind === 'dropped');
    expect(dropped.map(({ element }) => element)).toEqual(['link "a"', 'link "a"', 'link "b"', 'link "b"', 'link "b"']);
    for (const [i, file] of ['none.stl', 'empty.obj', 'none.stl', 'broken.off', 'ball.ply'].entries())
      expect(dropped[i].message).toContain(file);
    expect(dropped[4].message).toContain('git lfs pull');
    for (const { severity, code } of issues.filter(({ code }) => code !== 'several-roots'))
      expect(`${severity} ${code}`).toMatch(/^error /);
  });
});
