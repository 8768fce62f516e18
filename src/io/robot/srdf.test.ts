import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SemanticDescription } from '../../semantics/description.js';
import { parseSrdf, writeSrdf } from './srdf.js';
import { checkSemantics, resolveDisabledPairs } from './srdf-check.js';
import { parseUrdf } from './urdf.js';

const SRDF = `<?xml version="1.0"?>
<robot name="arm">
  <group name="all"><chain base_link="base" tip_link="tip"/><group name="hand"/></group>
  <group name="hand"><joint name="finger"/><link name="tip"/></group>
  <group_state name="home" group="all">
    <joint name="elbow" value="0.5"/><joint name="root" value="0 0 1 0 0 0 1"/>
  </group_state>
  <end_effector name="gripper" group="hand" parent_link="tip" parent_group="all"/>
  <virtual_joint name="root" type="floating" parent_frame="world" child_link="base"/>
  <passive_joint name="finger"/>
  <link_sphere_approximation link="base"><sphere center="0 0.1 0.2" radius="0.3"/></link_sphere_approximation>
  <link_sphere_approximation link="tip"><sphere center="0 0 0" radius="0"/></link_sphere_approximation>
  <disable_collisions link1="base" link2="tip" reason="Never"/>
</robot>`;

const URDF = `<robot name="arm"><link name="base"/><link name="upper"/><link name="tip"/>
  <joint name="elbow" type="revolute"><parent link="base"/><child link="upper"/><limit lower="-1" upper="1"/></joint>
  <joint name="finger" type="prismatic"><parent link="upper"/><child link="tip"/><limit lower="0" upper="1"/></joint>
</robot>`;

describe('parseSrdf', () => {
  it('reads every kind of statement', () => {
    const { value, issues } = parseSrdf(SRDF);
    expect(issues).toEqual([]);
    expect(value).toEqual({
      name: 'arm',
      groups: [
        { name: 'all', joints: [], links: [], chains: [{ base: 'base', tip: 'tip' }], groups: ['hand'] },
        { name: 'hand', joints: ['finger'], links: ['tip'], chains: [], groups: [] },
      ],
      states: [
        {
          name: 'home',
          group: 'all',
          joints: new Map([
            ['elbow', [0.5]],
            ['root', [0, 0, 1, 0, 0, 0, 1]],
          ]),
        },
      ],
      endEffectors: [{ name: 'gripper', group: 'hand', parentLink: 'tip', parentGroup: 'all' }],
      virtualJoints: [{ name: 'root', type: 'floating', parentFrame: 'world', childLink: 'base' }],
      passiveJoints: ['finger'],
      disabledPairs: [{ a: 'base', b: 'tip', reason: 'Never' }],
      spheres: new Map([
        ['base', [{ center: [0, 0.1, 0.2], radius: 0.3 }]],
        ['tip', []],
      ]),
    });
    expect(checkSemantics(value!, parseUrdf(URDF).value!)).toEqual([]);
  });

  it('names the line and the missing attribute of an incomplete statement', () => {
    const { issues } = parseSrdf('<robot name="r">\n<disable_collisions link1="a"/>\n</robot>', { file: 'r.srdf' });
    expect(issues).toMatchObject([{ severity: 'error', code: 'missing-attribute', file: 'r.srdf', line: 2 }]);
    expect(issues[0].message).toContain('link2');
  });

  it('suggests the statement that a misspelt one stands for', () => {
    const { issues } = parseSrdf('<robot name="r"><disable_collision link1="a" link2="b"/></robot>');
    expect(issues[0]).toMatchObject({ severity: 'warning', code: 'unknown-element' });
    expect(issues[0].message).toContain('<disable_collisions>');
  });
});

describe('checkSemantics', () => {
  const robot = parseUrdf(URDF).value!;
  const check = (body: string): string[] =>
    checkSemantics(parseSrdf(`<robot name="arm">${body}</robot>`).value!, robot).map(({ code }) => code);

  it('reports names that the robot lacks, once per statement', () => {
    expect(check('<group name="g"><joint name="nope"/></group>')).toEqual(['unknown-joint']);
    expect(check('<group name="g"><link name="nope"/></group>')).toEqual(['unknown-link']);
    expect(check('<group name="g"><chain base_link="base" tip_link="nope"/></group>')).toEqual(['unknown-link']);
    expect(check('<group name="g"><group name="nope"/></group>')).toEqual(['unknown-group']);
    expect(check('<end_effector name="e" group="nope" parent_link="tip"/>')).toEqual(['unknown-group']);
    expect(check('<virtual_joint name="v" type="fixed" parent_frame="w" child_link="nope"/>')).toEqual([
      'unknown-link',
    ]);
    expect(check('<passive_joint name="nope"/>')).toEqual(['unknown-joint']);
    expect(check('<link_sphere_approximation link="nope"/>')).toEqual(['unknown-link']);
    expect(check('<disable_collisions link1="a" link2="b"/><disable_collisions link1="a" link2="tip"/>')).toEqual([
      'unknown-link',
    ]);
  });

  it('reports chains against the tree, groups that contain themselves, and states that cannot be', () => {
    expect(check('<group name="g"><chain base_link="tip" tip_link="base"/></group>')).toEqual(['not-a-chain']);
    expect(check('<group name="g"><group name="h"/></group><group name="h"><group name="g"/></group>')).toEqual([
      'group-cycle',
      'group-cycle',
    ]);
    const state = (joint: string, value: string): string =>
      `<group name="g"><joint name="elbow"/></group><group_state name="s" group="g"><joint name="${joint}" value="${value}"/></group_state>`;
    expect(check(state('elbow', '0.9'))).toEqual([]);
    expect(check(state('elbow', '1.2'))).toEqual(['state-outside-limits']);
    expect(check(state('elbow', '0 1'))).toEqual(['bad-state']);
    expect(check(state('nope', '0'))).toEqual(['unknown-joint']);
  });
});

describe('resolveDisabledPairs', () => {
  it('adds all pairs of a link that is off by default, less those enabled again', () => {
    const semantic = parseSrdf(`<robot name="arm">
      <disable_collisions link1="base" link2="gone" reason="Never"/>
      <disable_default_collisions link="upper"/>
      <enable_collisions link1="tip" link2="upper"/></robot>`).value!;
    expect(resolveDisabledPairs(semantic, parseUrdf(URDF).value!)).toEqual([
      { a: 'upper', b: 'base', reason: 'Default' },
    ]);
  });
});

describe('writeSrdf', () => {
  const name = fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme-ascii' }).filter((text) => text.trim() !== '');
  const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0);
  const names = fc.array(name, { maxLength: 3 });
  const unique = <T extends { name: string }>(items: T[]): T[] => [...new Map(items.map((x) => [x.name, x])).values()];
  const semantic: fc.Arbitrary<SemanticDescription> = fc.record({
    name: fc.string({ maxLength: 6, unit: 'grapheme-ascii' }),
    groups: fc
      .array(
        fc.record({
          name,
          joints: names,
          links: names,
          chains: fc.array(fc.record({ base: name, tip: name }), { maxLength: 2 }),
          groups: names,
        }),
        { maxLength: 3 },
      )
      .map(unique),
    states: fc.array(
      fc.record({
        name,
        group: name,
        joints: fc
          .array(fc.tuple(name, fc.array(number, { minLength: 1, maxLength: 3 })), { maxLength: 3 })
          .map((entries) => new Map(entries)),
      }),
      { maxLength: 2 },
    ),
    endEffectors: fc.array(fc.record({ name, group: name, parentLink: name, parentGroup: name }), { maxLength: 2 }),
    virtualJoints: fc.array(
      fc.record({
        name,
        type: fc.constantFrom('fixed' as const, 'planar' as const),
        parentFrame: name,
        childLink: name,
      }),
      { maxLength: 2 },
    ),
    passiveJoints: names,
    disabledPairs: fc.array(fc.record({ a: name, b: name, reason: fc.constantFrom('', 'Never', 'a<b>&"c"') }), {
      maxLength: 3,
    }),
    spheres: fc
      .array(
        fc.tuple(
          name,
          fc.array(
            fc.record({
              center: fc.tuple(number, number, number),
              radius: fc.double({ min: 1e-9, max: 10, noNaN: true }),
            }),
            { maxLength: 2 },
          ),
        ),
        { maxLength: 2 },
      )
      .map((entries) => new Map(entries)),
  });

  it('is undone by parseSrdf, bit for bit', () => {
    fc.assert(
      fc.property(semantic, (given) => {
        const { value } = parseSrdf(writeSrdf(given));
        expect(value).toEqual(given);
      }),
    );
  });
});
