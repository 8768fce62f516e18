import { describe, expect, it } from 'vitest';
import { parseSrdf } from '../io/robot/srdf.js';
import { parseUrdf } from '../io/robot/urdf.js';
import { buildModel } from '../model/build-model.js';
import { parseConfiguration } from './configuration-argument.js';

const urdf = `<robot name="walker"><link name="base"/><link name="leg"/>
  <joint name="knee" type="revolute"><parent link="base"/><child link="leg"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" velocity="1" effort="1"/></joint></robot>`;
const srdf = `<robot name="walker"><group name="all"><joint name="knee"/></group>
  <group_state name="half_sitting" group="all"><joint name="root_joint" value="0 0 1 0 0 0 1"/><joint name="knee" value="0.5"/></group_state>
  <group_state name="wrong" group="all"><joint name="ankle" value="0.5"/></group_state></robot>`;

describe('a state of the SRDF that places the base', () => {
  const description = parseUrdf(urdf).value!;
  const semantic = parseSrdf(srdf).value!;
  const read = (name: string, base?: 'floating'): number[] => {
    const { model } = buildModel(description.model, { base });
    return [...parseConfiguration({ model, semantic, description }, name, null)];
  };

  it('sets the joints of a robot whose base is fixed, and the base too of one whose base moves', () => {
    expect(read('half_sitting')).toEqual([0.5]);
    expect(read('half_sitting', 'floating')).toEqual([0, 0, 1, 0, 0, 0, 1, 0.5]);
  });

  it('is refused where it names any other joint that is not there', () => {
    expect(() => read('wrong')).toThrow('ankle');
  });
});
