import { describe, expect, it } from 'vitest';
import { inertial, joint, placement, robot } from '../../test/models.js';
import { buildModel } from './build-model.js';
import type { ModelDescription } from './description.js';
import { createData, findFrame, findJoint, findLink, setBasePlacement } from './model.js';

const codes = (description: ModelDescription): string[] => buildModel(description).issues.map((issue) => issue.code);

describe('order and indices', () => {
  // base -> a1 -> a2, base -> b1 -> (fixed tool), base -> c1
  const tree = robot([
    joint('a1', 'revolute', 'base', 'la1'),
    joint('b1', 'floating', 'base', 'lb1'),
    joint('a2', 'prismatic', 'la1', 'la2'),
    joint('mount', 'fixed', 'lb1', 'tool', { origin: placement([0, 0, 1]) }),
    joint('b2', 'spherical', 'tool', 'lb2', { origin: placement([0, 2, 0]) }),
    joint('c1', 'planar', 'base', 'lc1'),
  ]);

  it('joints depth first, children in file order; fixed joints are frames', () => {
    const { model, issues } = buildModel(tree);
    expect(issues).toEqual([]);
    expect(model.jointNames).toEqual(['universe', 'a1', 'a2', 'b1', 'b2', 'c1']);
    expect([...model.parents]).toEqual([0, 0, 1, 0, 3, 0]);
    expect([...model.subtreeEnds]).toEqual([6, 3, 3, 5, 5, 6]);
    expect([...model.idxQ.slice(1)]).toEqual([0, 1, 2, 9, 13]);
    expect([...model.idxV.slice(1)]).toEqual([0, 1, 2, 8, 11]);
    expect([model.nq, model.nv]).toEqual([17, 14]);
    expect(model.supports.map((support) => [...support])).toEqual([[], [1], [1, 2], [3], [3, 4], [5]]);
    expect(model.frames.map((frame) => `${frame.kind} ${frame.name}`)).toEqual([
      'link base',
      'joint a1',
      'link la1',
      'joint a2',
      'link la2',
      'joint b1',
      'link lb1',
      'joint mount',
      'link tool',
      'joint b2',
      'link lb2',
      'joint c1',
      'link lc1',
    ]);
    // b2 hangs on the tool, which is 1 above its body.
    expect([...model.placements.slice(12 * 4 + 9, 12 * 4 + 12)]).toEqual([0, 2, 1]);
    expect(model.linkJoints[findLink(model, 'tool')]).toBe(3);
    expect([findJoint(model, 'b2'), findJoint(model, 'mount'), findJoint(model, 'nobody')]).toEqual([4, -1, -1]);
    expect(model.frames[findFrame(model, 'mount')].joint).toBe(3);
    expect(findFrame(model, 'tool', 'joint')).toBe(-1);
  });

  it('a link and a joint of one name are two frames', () => {
    const { model } = buildModel(robot([joint('arm', 'revolute', 'base', 'arm')]));
    expect(model.frames[findFrame(model, 'arm')].kind).toBe('link');
    expect(model.frames[findFrame(model, 'arm', 'joint')].kind).toBe('joint');
  });

  it('the model is frozen and can serve several data', () => {
    const { model } = buildModel(tree);
    expect(Object.isFrozen(model)).toBe(true);
    const [a, b] = [createData(model), createData(model)];
    setBasePlacement(a, placement([1, 2, 3]));
    expect([...b.jointPlacements.slice(9, 12)]).toEqual([0, 0, 0]);
    expect(() => setBasePlacement(a, [1, 2])).toThrow('setBasePlacement: X_WB, got 2 numbers, expected 12');
  });

  it.each([
    ['floating', 7, 6],
    ['planar', 4, 3],
  ] as const)('a %s base adds root_joint first', (base, nq, nv) => {
    const { model } = buildModel(robot([joint('a', 'revolute', 'base', 'tip')]), { base });
    expect(model.jointNames).toEqual(['universe', 'root_joint', 'a']);
    expect([model.nq, model.nv]).toEqual([nq + 1, nv + 1]);
    expect(model.linkJoints[findLink(model, 'base')]).toBe(1);
    expect(model.frames[0]).toMatchObject({ name: 'root_joint', kind: 'joint', joint: 1 });
  });

  it('10,000 links in a row build without recursion', () => {
    const chain = robot(Array.from({ length: 10_000 }, (_, i) => joint(`j${i}`, 'fixed', `l${i}`, `l${i + 1}`)));
    expect(buildModel(chain).model.frameCount).toBe(20_001);
  });
});

describe('faults are reported and the rest is loaded', () => {
  it('no links, duplicate names, unknown links', () => {
    expect(codes({ name: 'empty', links: [], joints: [] })).toEqual(['no-links']);
    expect(codes(robot([], ['a', 'a']))).toEqual(['duplicate-link']);
    const twice = robot([joint('j', 'revolute', 'a', 'b'), joint('j', 'revolute', 'b', 'c')]);
    expect(codes(twice)).toEqual(['duplicate-joint', 'several-roots']);
    const { model, issues } = buildModel(robot([joint('j', 'revolute', 'a', 'ghost')], ['a']));
    expect(issues).toMatchObject([{ severity: 'error', code: 'unknown-link', element: 'joint "j"' }]);
    expect(issues[0].message).toContain('child link "ghost" does not exist');
    expect(model.jointCount).toBe(1);
    expect(codes(robot([joint('j', 'revolute', 'ghost', 'a')], ['a']))).toEqual(['unknown-link']);
  });

  it('two parents: the second joint is left out', () => {
    const { model, issues } = buildModel(
      robot([joint('p', 'revolute', 'a', 'c'), joint('q', 'revolute', 'b', 'c')], ['a', 'b', 'c']),
    );
    expect(issues.map((issue) => issue.code)).toEqual(['two-parents', 'several-roots']);
    expect(issues[0].element).toBe('joint "q"');
    expect(model.jointNames).toEqual(['universe', 'p']);
  });

  it('loops are opened: through one link, through several, beside a tree', () => {
    expect(codes(robot([joint('self', 'revolute', 'a', 'a')]))).toEqual(['kinematic-loop']);
    const ring = robot([
      joint('ab', 'revolute', 'a', 'b'),
      joint('bc', 'revolute', 'b', 'c'),
      joint('ca', 'revolute', 'c', 'a'),
      joint('tail', 'revolute', 'b', 'd'),
    ]);
    const { model, issues } = buildModel(ring);
    expect(issues.map((issue) => [issue.code, issue.element])).toEqual([['kinematic-loop', 'joint "ca"']]);
    expect(model.jointNames).toEqual(['universe', 'ab', 'bc', 'tail']);
    const beside = robot([
      joint('j', 'revolute', 'base', 'tip'),
      joint('xy', 'fixed', 'x', 'y'),
      joint('yx', 'fixed', 'y', 'x'),
    ]);
    expect(codes(beside)).toEqual(['kinematic-loop', 'several-roots']);
    expect(buildModel(beside).model.linkCount).toBe(4);
  });

  it('several roots hang on the base', () => {
    const { model, issues } = buildModel(robot([joint('j', 'revolute', 'a', 'b')], ['a', 'b', 'alone']));
    expect(issues).toMatchObject([{ severity: 'warning', code: 'several-roots' }]);
    expect(issues[0].message).toContain('"a", "alone"');
    expect(model.linkJoints[findLink(model, 'alone')]).toBe(0);
  });

  it('axis of length zero, reversed limits, base name taken', () => {
    expect(codes(robot([joint('j', 'revolute', 'a', 'b', { axis: [0, 0, 0] })]))).toEqual(['zero-axis']);
    const reversed = buildModel(robot([joint('j', 'prismatic', 'a', 'b', { limits: { lower: 2, upper: -1 } })]));
    expect(reversed.issues.map((issue) => issue.code)).toEqual(['limits-reversed']);
    expect([reversed.model.lower[0], reversed.model.upper[0]]).toEqual([-1, 2]);
    const named = buildModel(robot([joint('root_joint', 'revolute', 'a', 'b')]), { base: 'planar' });
    expect(named.issues.map((issue) => issue.code)).toEqual(['root-joint-name']);
    expect(findJoint(named.model, 'root_joint')).toBe(1);
  });

  it('numbers that are no numbers are misuse', () => {
    expect(() => buildModel(robot([joint('j', 'revolute', 'a', 'b', { axis: [Number.NaN, 0, 0] })]))).toThrow(
      'buildModel: axis and pitch of joint "j", got NaN,0,0,0, expected finite numbers',
    );
    const sheared = placement();
    sheared[1] = 0.1;
    expect(() => buildModel(robot([joint('j', 'revolute', 'a', 'b', { origin: sheared })]))).toThrow(
      'origin of joint "j"',
    );
    const mirrored = placement();
    mirrored[0] = -1;
    expect(() => buildModel(robot([], ['a']), { basePlacement: mirrored })).toThrow('basePlacement');
    expect(() => buildModel(robot([joint('j', 'revolute', 'a', 'b', { limits: { lower: Number.NaN } })]))).toThrow(
      'NaN',
    );
  });
});

describe('limits', () => {
  it('by coordinate and by velocity; absent means infinite; continuous joints have no position limits', () => {
    const { model } = buildModel(
      robot([
        joint('r', 'revolute', 'a', 'b', { limits: { lower: -1, upper: 2, velocity: 3, effort: 4 } }),
        joint('c', 'continuous', 'b', 'c', { limits: { lower: -9, upper: 9, velocity: 5 } }),
        joint('p', 'prismatic', 'c', 'd'),
      ]),
    );
    const inf = Number.POSITIVE_INFINITY;
    expect([...model.lower]).toEqual([-1, -inf, -inf]);
    expect([...model.upper]).toEqual([2, inf, inf]);
    expect([...model.velocityLimits]).toEqual([3, 5, inf]);
    expect([...model.effortLimits]).toEqual([4, inf, inf]);
  });
});

describe('mimic joints', () => {
  it('chains, later drivers and offsets resolve to one independent joint', () => {
    const description = robot([
      joint('first', 'revolute', 'a', 'b', { mimic: { joint: 'second', multiplier: 2, offset: 1 } }),
      joint('second', 'prismatic', 'b', 'c', { mimic: { joint: 'last', multiplier: -3, offset: 0.5 } }),
      joint('last', 'continuous', 'c', 'd'),
    ]);
    const { model, issues } = buildModel(description, { continuous: 'cos-sin' });
    expect(issues).toEqual([]);
    // A driver keeps its angle even when continuous joints are cosine and sine.
    expect([model.nq, model.nv]).toEqual([1, 1]);
    expect([...model.mimicDrivers]).toEqual([0, 3, 3, 0]);
    expect([...model.mimicMultipliers]).toEqual([0, -6, -3, 0]);
    expect([...model.mimicOffsets]).toEqual([0, 2, 0.5, 0]);
    expect([...model.idxQ]).toEqual([0, 0, 0, 0]);
    const free = buildModel(description, { mimic: 'ignore' }).model;
    expect([free.nq, ...free.mimicDrivers]).toEqual([3, 0, 0, 0, 0]);
  });

  it('what cannot be honoured is reported and left free', () => {
    const mimic = (name: string) => ({ joint: name, multiplier: 1, offset: 0 });
    const pair = (extra: object, type: 'revolute' | 'fixed' | 'planar' = 'revolute') =>
      robot([joint('driver', type, 'a', 'b'), joint('j', 'revolute', 'b', 'c', extra)]);
    expect(codes(pair({ mimic: mimic('ghost') }))).toEqual(['mimic-unknown-joint']);
    expect(codes(pair({ mimic: mimic('driver') }, 'planar'))).toEqual(['mimic-type']);
    expect(codes(pair({ mimic: mimic('j') }))).toEqual(['mimic-cycle']);
    expect(codes(robot([joint('j', 'floating', 'a', 'b', { mimic: mimic('j') })]))).toEqual(['mimic-type']);
    expect(codes(robot([joint('j', 'fixed', 'a', 'b', { mimic: mimic('j') })]))).toEqual(['mimic-on-fixed-joint']);
    const ring = robot([
      joint('p', 'revolute', 'a', 'b', { mimic: mimic('q') }),
      joint('q', 'revolute', 'b', 'c', { mimic: mimic('p') }),
      joint('r', 'revolute', 'c', 'd', { mimic: mimic('p') }),
    ]);
    const { model, issues } = buildModel(ring);
    expect(issues.map((issue) => issue.code)).toEqual(['mimic-cycle', 'mimic-cycle']);
    expect([model.nq, model.mimicDrivers[3]]).toEqual([2, 1]);
  });

  it('a joint that mimics a fixed joint is held at its offset', () => {
    const { model, issues } = buildModel(
      robot([
        joint('driver', 'fixed', 'a', 'b'),
        joint('slide', 'prismatic', 'b', 'c', { mimic: { joint: 'driver', multiplier: 5, offset: 0.25 } }),
      ]),
    );
    expect(issues.map((issue) => issue.code)).toEqual(['mimic-of-fixed-joint']);
    expect(model.nq).toBe(0);
    const at = 12 * findFrame(model, 'c');
    expect([...model.framePlacements.slice(at + 9, at + 12)]).toEqual([0, 0, 0.25]);
  });
});

describe('inertia', () => {
  it('two unit masses on a fixed bar: common centre, parallel axes', () => {
    const { model } = buildModel(
      robot(
        [joint('j', 'revolute', 'base', 'a'), joint('bar', 'fixed', 'a', 'b', { origin: placement([2, 0, 0]) })],
        ['base', { name: 'a', inertial: inertial(1, [0, 0, 0]) }, { name: 'b', inertial: inertial(3, [0, 0, 0]) }],
      ),
    );
    expect(model.masses[1]).toBe(4);
    expect([...model.centersOfMass.slice(3, 6)]).toEqual([1.5, 0, 0]);
    // m1 1.5^2 + m2 0.5^2 about y and z.
    expect([...model.inertias.slice(9, 18)]).toEqual([0, 0, 0, 0, 3, 0, 0, 0, 3]);
  });

  it.each([
    ['triangle inequality', { ixx: 0.01, iyy: 0.001, izz: 0.001, ixy: 0 }],
    ['its iyy = -0.001 is negative', { ixx: 0.001, iyy: -0.001, izz: 0.001, ixy: 0 }],
    ['are not all positive', { ixx: 0.01, iyy: 0.01, izz: 0.01, ixy: 0.1 }],
  ])('an impossible inertia is named with its link and the rule: %s', (rule, { ixx, iyy, izz, ixy }) => {
    const bad = { ...inertial(1, [ixx, iyy, izz]), inertia: [ixx, ixy, 0, iyy, 0, izz] } as ReturnType<typeof inertial>;
    const { issues } = buildModel(robot([joint('j', 'revolute', 'base', 'a')], ['base', { name: 'a', inertial: bad }]));
    expect(issues).toMatchObject([{ severity: 'warning', code: 'impossible-inertia', element: 'link "a"' }]);
    expect(issues[0].message).toContain(rule);
  });
});
