/** Reported faults of axes and origins, and of limits and mimics as robot files write them. */
import { describe, expect, it } from 'vitest';
import { parseUrdf } from '../../src/io/robot/urdf.js';
import type { JointDescription } from '../../src/model/description.js';

const read = (type: string, body: string): { joint: JointDescription; codes: string[] } => {
  const { value, issues } = parseUrdf(`<robot name="r"><link name="a"/><link name="b"/>
    <joint name="j" type="${type}"><parent link="a"/><child link="b"/>${body}</joint></robot>`);
  return { joint: value!.model.joints[0], codes: issues.map(({ severity, code }) => `${severity} ${code}`) };
};
const LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>';

describe('axis, origin, numbers', () => {
  it('U102: a missing <axis> is 1 0 0', () => {
    expect(read('revolute', LIMIT)).toMatchObject({ joint: { axis: [1, 0, 0] }, codes: [] });
  });

  it('U104: a fixed joint with a zero axis loads', () => {
    expect(read('fixed', '<axis xyz="0 0 0"/>')).toMatchObject({ joint: { type: 'fixed' }, codes: [] });
  });

  it('U106: an origin with only rpy, or only xyz, has zeros for the other', () => {
    const turned = read('fixed', '<origin rpy="0 0 1"/>');
    expect(turned.codes).toEqual([]);
    expect([...turned.joint.origin.slice(9)]).toEqual([0, 0, 0]);
    expect(turned.joint.origin[0]).toBeCloseTo(Math.cos(1), 15);
    expect(turned.joint.origin[3]).toBeCloseTo(Math.sin(1), 15);
    const moved = read('fixed', '<origin xyz="1 2 3"/>');
    expect(moved.codes).toEqual([]);
    expect(Array.from(moved.joint.origin, (x) => x + 0)).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 3]);
  });
});

describe('limits and mimics in files', () => {
  it('U097: a <limit> without lower and upper means 0 for both, with a warning', () => {
    const { joint, codes } = read('prismatic', '<limit effort="1" velocity="1"/>');
    expect(joint.limits).toEqual({ lower: 0, upper: 0, velocity: 1, effort: 1 });
    expect(codes).toEqual(['warning missing-limit', 'warning missing-limit']);
  });

  it('U087: a continuous joint that mimics keeps type, multiplier and offset', () => {
    const { value, issues } = parseUrdf(`<robot name="r"><link name="base"/><link name="la"/><link name="lb"/>
      <joint name="a" type="continuous"><parent link="base"/><child link="la"/></joint>
      <joint name="b" type="continuous"><parent link="base"/><child link="lb"/>
        <mimic joint="a" multiplier="-2" offset="0.1"/></joint></robot>`);
    expect(issues).toEqual([]);
    expect(value!.model.joints[1]).toMatchObject({
      type: 'continuous',
      mimic: { joint: 'a', multiplier: -2, offset: 0.1 },
    });
  });

  it('U089: a mimic may name a joint that is defined further down', () => {
    const { value, issues } = parseUrdf(`<robot name="r"><link name="base"/><link name="la"/><link name="lb"/>
      <joint name="early" type="continuous"><parent link="base"/><child link="la"/><mimic joint="late"/></joint>
      <joint name="late" type="continuous"><parent link="base"/><child link="lb"/></joint></robot>`);
    expect(issues).toEqual([]);
    expect(value!.model.joints[0].mimic).toEqual({ joint: 'late', multiplier: 1, offset: 0 });
  });

  it('U075: a mesh scale is read for collision and visual alike', () => {
    const geometry = '<geometry><mesh filename="cube.stl" scale="0.001 0.001 0.001"/></geometry>';
    const { value, issues } = parseUrdf(
      `<robot name="r"><link name="l"><visual>${geometry}</visual><collision>${geometry}</collision></link></robot>`,
    );
    expect(issues).toEqual([]);
    const shape = { type: 'mesh', file: 'cube.stl', scale: [0.001, 0.001, 0.001] };
    expect([value!.visuals[0].shape, value!.collisions[0].shape]).toEqual([shape, shape]);
  });
});
