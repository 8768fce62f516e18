import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAssembly } from './assembly-file.js';
import { parseRigidCertificate, parseRigidPath, parseRigidProblem } from './rigid-file.js';

const valid = {
  group: 'SE3',
  robot: { mesh: 'a.ply' },
  environment: { mesh: 'b.ply' },
  start: { position: [0, 0, 0], quaternion_xyzw: [0, 0, 0, 1] },
  goal: { position: [1, 0, 0], quaternion_xyzw: [0, 0, 1, 0] },
  bounds: { min: [-1, -1, -1], max: [2, 2, 2] },
};

describe('files of rigid bodies', () => {
  it('reads problems in space and in the plane', () => {
    const { value, issues } = parseRigidProblem(JSON.stringify({ ...valid, colour: 'red' }));
    expect(value).toMatchObject({ group: 'SE3', bodyFile: 'a.ply', obstacleFile: 'b.ply' });
    expect(issues.map(({ code }) => code)).toEqual(['unknown-field']);
    const planar = parseRigidProblem(
      JSON.stringify({
        ...{
          ...valid,
          group: 'SE2',
          start: { position: [0, 0], theta: 0 },
          goal: { position: [1, 0], theta: Math.PI },
        },
        bounds: { min: [-1, -1], max: [2, 2] },
      }),
    ).value;
    expect([...(planar?.goal ?? [])].map((x) => Math.round(1e9 * x) / 1e9)).toEqual([1, 0, 0, 0, 0, 1, 0]);
    expect([...(planar?.upper ?? [])]).toEqual([2, 2, 0]);
  });

  it('says what is wrong, with its place', () => {
    const messageOf = (change: object): string =>
      parseRigidProblem(JSON.stringify({ ...valid, ...change })).issues[0]?.message ?? '';
    expect(messageOf({ group: 'SO3' })).toMatch(/^group, got "SO3"/);
    expect(messageOf({ robot: {} })).toMatch(/^robot.mesh/);
    expect(messageOf({ start: { position: [0, 0, 0], quaternion_xyzw: [0, 0, 0, 2] } })).toMatch(/length 2/);
    expect(messageOf({ bounds: { min: [3, 0, 0], max: [2, 2, 2] } })).toMatch(/^bounds.min/);
    expect(messageOf({ group: 'SE2', goal: { position: [0, 0, 0], quaternion_xyzw: [1, 0, 0, 0] } })).toMatch(
      /turn about z/,
    );
    expect(parseRigidProblem('{').issues[0].code).toBe('not-json');
    expect(
      parseAssembly('{"parts":[{"name":"a","file":"a.stl"},{"name":"a","file":"b.stl"}]}').issues[0].message,
    ).toMatch(/parts\[1\].name/);
  });

  it('reads paths as commands write them, and certificates', () => {
    const path = parseRigidPath('{"path":[{"position":[1,2,3],"quaternion_xyzw":[0,0,0,1]},[0,0,0,0,0,0,1]]}').value;
    expect(path?.map((pose) => [...pose])).toEqual([
      [1, 2, 3, 0, 0, 0, 1],
      [0, 0, 0, 0, 0, 0, 1],
    ]);
    expect(parseRigidPath('[[1,2,0]]').value?.map((pose) => [...pose])).toEqual([[1, 2, 0, 0, 0, 0, 1]]);
    expect(parseRigidCertificate('{"motions":[{"balls":[0.5,1]}]}').value).toEqual({ motions: [{ balls: [0.5, 1] }] });
  });

  it('never throws on what is no file of its kind', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        for (const parse of [parseRigidProblem, parseRigidPath, parseRigidCertificate, parseAssembly])
          expect(Array.isArray(parse(text).issues)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
