/** Reported faults of links, names and trees in robot files. */
import { describe, expect, it } from 'vitest';
import { parseUrdf } from '../../src/io/robot/urdf.js';
import { buildModel } from '../../src/model/build-model.js';

describe('links and trees', () => {
  it('U116: every collision element of a link is kept, with its own origin', () => {
    const box = (x: number): string =>
      `<collision><origin xyz="${x} 0 0"/><geometry><box size="1 1 1"/></geometry></collision>`;
    const { value, issues } = parseUrdf(`<robot name="r"><link name="l">${box(0)}${box(2)}</link></robot>`);
    expect(issues).toEqual([]);
    expect(value!.collisions.map(({ origin }) => origin[9])).toEqual([0, 2]);
  });

  it('U118: a link and a joint may share a name', () => {
    const { value, issues } = parseUrdf(`<robot name="r"><link name="base"/><link name="gripper"/>
      <joint name="gripper" type="continuous"><parent link="base"/><child link="gripper"/></joint></robot>`);
    expect(issues).toEqual([]);
    expect(value!.model.links.map(({ name }) => name)).toEqual(['base', 'gripper']);
    const built = buildModel(value!.model);
    expect(built.issues).toEqual([]);
    expect(built.model.nq).toBe(1);
  });

  it('U120: a link without <inertial> loads for kinematics and collision', () => {
    const shape = '<geometry><sphere radius="1"/></geometry>';
    const { value, issues } = parseUrdf(
      `<robot name="r"><link name="l"><visual>${shape}</visual><collision>${shape}</collision></link></robot>`,
    );
    expect(issues).toEqual([]);
    expect(value!.model.links).toEqual([{ name: 'l' }]);
    expect([value!.collisions.length, value!.visuals.length]).toEqual([1, 1]);
  });
});
