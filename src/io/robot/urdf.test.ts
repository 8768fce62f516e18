import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { originToTransform } from '../../math/transform.js';
import type { RobotDescription } from '../../scene/description.js';
import type { Issue } from '../issue.js';
import { parseUrdf } from './urdf.js';

const read = (body: string, attributes = 'name="r"'): { robot: RobotDescription; issues: readonly Issue[] } => {
  const { value, issues } = parseUrdf(`<robot ${attributes}>${body}</robot>`, { file: 'r.urdf' });
  return { robot: value!, issues };
};
const LINKS = '<link name="a"/><link name="b"/>';
const joint = (body: string, attributes = 'name="j" type="revolute"'): string =>
  `${LINKS}<joint ${attributes}><parent link="a"/><child link="b"/>${body}</joint>`;
const LIMIT = '<limit lower="-1" upper="2" velocity="3" effort="4"/>';
const codes = (issues: readonly Issue[]): string[] => issues.map(({ severity, code }) => `${severity} ${code}`);

describe('parseUrdf: joints', () => {
  it('reads every part of a joint', () => {
    const { robot, issues } = read(
      joint(`<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><axis xyz="0 0 1"/>${LIMIT}
        <dynamics damping="0.5" friction="0.25"/><calibration rising="0.5"/>
        <safety_controller soft_lower_limit="-0.9" soft_upper_limit="1.9" k_position="15" k_velocity="10"/>`),
    );
    expect(issues).toEqual([]);
    expect(robot.model.joints).toEqual([
      {
        name: 'j',
        type: 'revolute',
        parent: 'a',
        child: 'b',
        origin: originToTransform(new Float64Array(12), [1, 2, 3], [0.1, 0.2, 0.3]),
        axis: [0, 0, 1],
        limits: { lower: -1, upper: 2, velocity: 3, effort: 4 },
        dynamics: { damping: 0.5, friction: 0.25 },
        safety: { softLower: -0.9, softUpper: 1.9, kPosition: 15, kVelocity: 10 },
        calibration: { rising: 0.5, falling: undefined },
      },
    ]);
  });

  it.each(['fixed', 'revolute', 'continuous', 'prismatic', 'planar', 'floating'])('reads type %s', (type) => {
    const { robot, issues } = read(joint(LIMIT, `name="j" type="${type}"`));
    expect(issues).toEqual([]);
    expect(robot.model.joints[0].type).toBe(type);
  });

  it('takes a joint of unknown or missing type as fixed, with an error', () => {
    for (const type of ['type="ball"', '']) {
      const { robot, issues } = read(joint('', `name="j" ${type}`));
      expect(robot.model.joints[0].type).toBe('fixed');
      expect(codes(issues)).toEqual(['error bad-joint-type']);
    }
  });

  it('scales axes to length 1, however small or large', () => {
    for (const scale of ['2', '1e-200', '1e200']) {
      const { robot, issues } = read(joint(`<axis xyz="0 -${scale} ${scale}"/>${LIMIT}`));
      const [x, y, z] = robot.model.joints[0].axis;
      expect([x, y, z]).toEqual([0, -z, z]);
      expect(Math.hypot(x, y, z)).toBeCloseTo(1, 15);
      expect(codes(issues)).toEqual(['info axis-normalised']);
    }
  });

  it('replaces a zero axis of a moving joint, with an error', () => {
    const { robot, issues } = read(joint(`<axis xyz="0 0 0"/>${LIMIT}`));
    expect(robot.model.joints[0].axis).toEqual([1, 0, 0]);
    expect(codes(issues)).toEqual(['error zero-axis']);
  });

  it('takes infinite limits as none', () => {
    const { robot, issues } = read(joint('<limit lower="-inf" upper="Infinity" velocity="inf" effort="INF"/>'));
    expect(issues).toEqual([]);
    expect(robot.model.joints[0].limits).toEqual({});
  });

  it('ignores position limits of a continuous joint, keeps velocity and effort', () => {
    const { robot } = read(joint(LIMIT, 'name="j" type="continuous"'));
    expect(robot.model.joints[0].limits).toEqual({ velocity: 3, effort: 4 });
  });

  it('swaps limits that are reversed, and refuses negative velocity and effort, with errors', () => {
    const { robot, issues } = read(joint('<limit lower="2" upper="-1" velocity="-3" effort="-4"/>'));
    expect(robot.model.joints[0].limits).toEqual({ lower: -1, upper: 2 });
    expect(codes(issues)).toEqual(['error bad-limit', 'error bad-limit', 'error reversed-limits']);
  });

  it('takes a revolute joint without <limit> as unlimited, with a warning', () => {
    const { robot, issues } = read(joint(''));
    expect(robot.model.joints[0].limits).toBeUndefined();
    expect(codes(issues)).toEqual(['warning missing-limit']);
  });
});

describe('parseUrdf: numbers', () => {
  it.each([
    ['1 2', 'error bad-number-count'],
    ['1 2 3 4', 'error bad-number-count'],
    ['', 'error bad-number-count'],
    ['1 2 x', 'error bad-number'],
    ['1,2,3', 'error bad-number-count'],
    ['1, 2, 3', 'error bad-number'],
    ['1 2 nan', 'error bad-number'],
    ['1 2 1e999', 'error bad-number'],
    ['0x10 0 0', 'error bad-number'],
    ['1 2 3m', 'error bad-number'],
  ])('xyz="%s": %s, and zero is used', (xyz, code) => {
    const { robot, issues } = read(joint(`<origin xyz="${xyz}"/>${LIMIT}`));
    expect(codes(issues)).toEqual([code]);
    expect(issues[0]).toMatchObject({ file: 'r.urdf', line: 1, element: 'origin of joint "j"', assumes: 'dropped' });
    expect(issues[0].message).toContain('joint "j" stands at the origin of link');
    expect([...robot.model.joints[0].origin.slice(9)]).toEqual([0, 0, 0]);
  });

  it('reads signs, points, exponents and any blanks', () => {
    const { robot, issues } = read(joint(`<origin xyz="\n+1. -.5\t2e-3 "/>${LIMIT}`));
    expect(issues).toEqual([]);
    expect([...robot.model.joints[0].origin.slice(9)]).toEqual([1, -0.5, 0.002]);
  });
});

describe('parseUrdf: trees', () => {
  const tree = (...pairs: [string, string][]): string =>
    pairs
      .map(([p, c], i) => `<joint name="j${i}" type="fixed"><parent link="${p}"/><child link="${c}"/></joint>`)
      .join('\n');
  const links = (names: string): string => [...names].map((name) => `<link name="${name}"/>`).join('');
  const kept = (robot: RobotDescription): string[] => robot.model.joints.map(({ name }) => name);

  it('keeps a forest and says where its trees start', () => {
    const { robot, issues } = read(links('abcd') + tree(['a', 'b'], ['c', 'd']));
    expect(kept(robot)).toEqual(['j0', 'j1']);
    expect(codes(issues)).toEqual(['warning several-roots']);
    expect(issues[0].message).toContain('"a", "c"');
  });

  it('leaves out joints to unknown links and suggests a close name', () => {
    const { robot, issues } = read(`<link name="base_link"/>${tree(['Base-Link', 'base_link'])}`);
    expect(kept(robot)).toEqual([]);
    expect(codes(issues)).toEqual(['error unknown-link']);
    expect(issues[0].message).toContain('did you mean "base_link"?');
  });

  it('leaves out a second parent and a joint of a link to itself', () => {
    const { robot, issues } = read(links('abc') + tree(['a', 'b'], ['b', 'c'], ['a', 'c'], ['a', 'a']));
    expect(kept(robot)).toEqual(['j0', 'j1']);
    expect(codes(issues)).toEqual(['error two-parents', 'error self-joint']);
  });

  it('breaks each cycle at its last joint', () => {
    const { robot, issues } = read(links('abcxy') + tree(['a', 'b'], ['b', 'c'], ['c', 'a'], ['x', 'y'], ['y', 'x']));
    expect(kept(robot)).toEqual(['j0', 'j1', 'j3']);
    expect(codes(issues)).toEqual(['error joint-cycle', 'error joint-cycle', 'warning several-roots']);
  });

  it('leaves out second links and joints of one name', () => {
    const { robot, issues } = read(`${links('aab')}${tree(['a', 'b'])}${tree(['a', 'b'])}`);
    expect(robot.model.links.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(kept(robot)).toEqual(['j0']);
    expect(codes(issues)).toEqual(['error duplicate-link', 'error duplicate-joint']);
  });

  it('reports a robot without links, and one without a name', () => {
    const { robot, issues } = read('', '');
    expect(robot.model.links).toEqual([]);
    expect(codes(issues)).toEqual(['warning missing-robot-name', 'error no-links']);
  });

  it('refuses a document whose root is not <robot>', () => {
    expect(parseUrdf('<sdf version="1.6"/>')).toMatchObject({ value: null, issues: [{ code: 'not-urdf' }] });
  });
});

describe('parseUrdf: mimics', () => {
  const robot = (...mimics: (string | null)[]): string =>
    '<link name="base"/>' +
    mimics
      .map((mimic, i) => {
        const tag = mimic === null ? '' : `<mimic joint="${mimic}" multiplier="2" offset="0.5"/>`;
        return `<link name="l${i}"/><joint name="j${i}" type="continuous"><parent link="base"/><child link="l${i}"/>${tag}</joint>`;
      })
      .join('');
  const drivers = (description: RobotDescription): (string | undefined)[] =>
    description.model.joints.map(({ mimic }) => mimic?.joint);

  it('reads chains and forward references', () => {
    const { robot: chain, issues } = read(robot('j1', 'j2', null));
    expect(issues).toEqual([]);
    expect(chain.model.joints[0].mimic).toEqual({ joint: 'j1', multiplier: 2, offset: 0.5 });
    expect(drivers(chain)).toEqual(['j1', 'j2', undefined]);
    expect(chain.mimicTags).toBe(2);
  });

  it('frees the last joint of a ring and joints that mimic nothing', () => {
    const { robot: ring, issues } = read(robot('j1', 'j2', 'j0', 'nobody', 'j4'));
    expect(drivers(ring)).toEqual(['j1', 'j2', undefined, undefined, undefined]);
    expect(codes(issues)).toEqual(['error bad-mimic', 'error bad-mimic', 'error bad-mimic']);
  });

  it('ignores <mimic> on a fixed joint, but counts the tag', () => {
    const { robot: fixed, issues } = read(joint('<mimic joint="j"/>', 'name="j" type="fixed"'));
    expect(fixed.model.joints[0].mimic).toBeUndefined();
    expect(fixed.mimicTags).toBe(1);
    expect(codes(issues)).toEqual(['info mimic-ignored']);
  });
});

describe('parseUrdf: links', () => {
  const geometry = (body: string, tag = 'collision'): string =>
    `<link name="a"><${tag}><geometry>${body}</geometry></${tag}></link>`;

  it('reads every shape', () => {
    const shapes = [
      ['<box size="1 2 3"/>', { type: 'box', size: [1, 2, 3] }],
      ['<sphere radius="1"/>', { type: 'sphere', radius: 1 }],
      ['<cylinder radius="1" length="2"/>', { type: 'cylinder', radius: 1, length: 2 }],
      ['<capsule radius="1" length="2"/>', { type: 'capsule', radius: 1, length: 2 }],
      ['<drake:ellipsoid a="1" b="2" c="3"/>', { type: 'ellipsoid', semiAxes: [1, 2, 3] }],
      ['<mesh filename="package://p/a.stl"/>', { type: 'mesh', file: 'package://p/a.stl' }],
      ['<mesh filename="a.stl" scale="1 -1 2"/>', { type: 'mesh', file: 'a.stl', scale: [1, -1, 2] }],
    ] as const;
    for (const [text, shape] of shapes) {
      const { robot, issues } = read(geometry(text));
      expect(issues).toEqual([]);
      expect(robot.collisions).toEqual([
        { link: 'a', origin: originToTransform(new Float64Array(12), [0, 0, 0], [0, 0, 0]), shape },
      ]);
    }
  });

  it.each([
    ['<box size="1 2 0"/>', 'error bad-size'],
    ['<sphere radius="-1"/>', 'error bad-size'],
    ['<sphere/>', 'error missing-attribute'],
    ['<cylinder radius="1"/>', 'error missing-attribute'],
    ['<mesh/>', 'error missing-attribute'],
    ['<torus radius="1"/>', 'error unknown-shape'],
    ['', 'error missing-geometry'],
  ])('leaves out %s: %s', (text, code) => {
    const { robot, issues } = read(geometry(text));
    expect(robot.collisions).toEqual([]);
    expect(codes(issues)).toEqual([code]);
  });

  it('takes one scale number for all axes with a warning, and refuses zeros', () => {
    const scaled = read(geometry('<mesh filename="a.stl" scale="0.001"/>'));
    expect(scaled.robot.collisions[0].shape).toMatchObject({ scale: [0.001, 0.001, 0.001] });
    expect(codes(scaled.issues)).toEqual(['warning scale-one-number']);
    const flat = read(geometry('<mesh filename="a.stl" scale="1 1 0"/>'));
    expect(flat.robot.collisions).toEqual([]);
    expect(codes(flat.issues)).toEqual(['error bad-scale']);
  });

  it('finds colours: inline, global, and defined by another visual', () => {
    const visual = (material: string): string =>
      `<visual><geometry><sphere radius="1"/></geometry>${material}</visual>`;
    const { robot, issues } = read(`
      <material name="red"><color rgba="1 0 0 1"/></material>
      <link name="a">
        ${visual('<material name="later"/>')}
        ${visual('<material name="red"/>')}
        ${visual('<material name="later"><color rgba="0 1 0 0.5"/></material>')}
        ${visual('<material name="unknown"/>')}
        ${visual('<material name="bright"><color rgba="2 0 0 1"/></material>')}
      </link>`);
    expect(robot.visuals.map(({ color }) => color)).toEqual([
      [0, 1, 0, 0.5],
      [1, 0, 0, 1],
      [0, 1, 0, 0.5],
      undefined,
      [1, 0, 0, 1],
    ]);
    expect(codes(issues)).toEqual(['warning bad-color']);
  });

  it('reads inertials, and leaves out those without a usable mass', () => {
    const inertia = '<inertia ixx="1" ixy="2" ixz="3" iyy="4" iyz="5" izz="6"/>';
    const inertial = (body: string): string => `<link name="a"><inertial>${body}</inertial></link>`;
    const good = read(inertial(`<origin xyz="1 0 0"/><mass value="7"/>${inertia}`));
    expect(good.issues).toEqual([]);
    expect(good.robot.model.links[0].inertial).toEqual({
      mass: 7,
      origin: originToTransform(new Float64Array(12), [1, 0, 0], [0, 0, 0]),
      inertia: [1, 2, 3, 4, 5, 6],
    });
    for (const [mass, code] of [
      ['', 'missing-mass'],
      ['<mass value="-1"/>', 'negative-mass'],
    ]) {
      const bad = read(inertial(mass + inertia));
      expect(bad.robot.model.links[0].inertial).toBeUndefined();
      expect(codes(bad.issues)).toEqual([`warning ${code}`]);
    }
  });

  it('notes unknown elements once per kind, and leftovers of xacro', () => {
    const { issues } = read('<link name="a"><sound/><sound/><colision/></link><gazebo/><xacro:arm/>');
    expect(codes(issues)).toEqual(['error xacro-not-expanded', 'info unknown-element', 'error unknown-element']);
    expect(issues[1].message).toContain('2 times');
    expect(issues[2].message).toContain('did you mean <collision>?');
  });
});

describe('parseUrdf: fuzz', () => {
  const SAMPLE = `<robot name="r"><material name="m"><color rgba="1 0 0 1"/></material>
    <link name="a"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <visual><origin xyz="0 0 1" rpy="1 0 0"/><geometry><mesh filename="package://p/m.stl" scale="1 1 1"/></geometry></visual></link>
    <link name="b"><collision><geometry><box size="1 2 3"/></geometry></collision></link><link name="c"/>
    <joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/><limit lower="-1" upper="1"/></joint>
    <joint name="k" type="prismatic"><parent link="b"/><child link="c"/><mimic joint="j" multiplier="2"/></joint></robot>`;
  const WORDS = SAMPLE.match(/[\w.:/-]+|[^\w\s]/g)!;

  it('never throws, and what it gives is a forest of finite numbers', () => {
    const edit = fc.tuple(fc.nat(SAMPLE.length), fc.nat(12), fc.oneof(fc.constantFrom(...WORDS), fc.string()));
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), (edits) => {
        let text = SAMPLE;
        for (const [at, length, insert] of edits) text = text.slice(0, at) + insert + text.slice(at + length);
        const { value, issues } = parseUrdf(text);
        if (!value) {
          expect(issues.some(({ severity }) => severity === 'error')).toBe(true);
          return;
        }
        const names = new Set(value.model.links.map(({ name }) => name));
        const children = value.model.joints.map(({ child }) => child);
        expect(new Set(children).size).toBe(children.length);
        for (const { parent, child, origin, axis } of value.model.joints) {
          expect(names.has(parent) && names.has(child)).toBe(true);
          expect([...origin, ...axis].every(Number.isFinite)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});
