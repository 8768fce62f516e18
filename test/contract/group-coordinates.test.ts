import { describe, expect, it } from 'vitest';
import { createScene } from '../../src/scene/scene.js';
import { findGroupCoordinates, listGroupJoints } from '../../src/semantics/group-coordinates.js';
import { addUrdf, boxLink } from '../scene-fixtures.js';

const joint = (name: string, type: string, parent: string, child: string, more = ''): string =>
  `<joint name="${name}" type="${type}"><parent link="${parent}"/><child link="${child}"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="1" effort="1"/>${more}</joint>`;

/** A torso with two arms of two joints and a gripper whose second finger follows the first. */
const urdf = `<robot name="r">${['base', 'torso', 'la', 'lb', 'ra', 'rb', 'hand', 'f1', 'f2'].map((name) => boxLink(name, '0.1 0.1 0.1')).join('')}
${joint('lift', 'prismatic', 'base', 'torso')}${joint('l1', 'revolute', 'torso', 'la')}${joint('l2', 'continuous', 'la', 'lb')}
${joint('r1', 'revolute', 'torso', 'ra')}${joint('r2', 'revolute', 'ra', 'rb')}${joint('wrist', 'fixed', 'rb', 'hand')}
${joint('g1', 'prismatic', 'hand', 'f1')}${joint('g2', 'prismatic', 'hand', 'f2', '<mimic joint="g1"/>')}</robot>`;
const srdf = `<robot name="r"><virtual_joint name="world" type="planar" parent_frame="map" child_link="base"/>
<group name="left"><chain base_link="torso" tip_link="lb"/></group>
<group name="right"><joint name="r1"/><joint name="r2"/></group>
<group name="arms"><group name="left"/><group name="right"/></group>
<group name="gripper"><link name="f1"/><link name="f2"/></group>
<group name="body"><joint name="world"/><joint name="lift"/><group name="arms"/><group name="gripper"/></group>
<group name="round"><group name="body"/><group name="round"/></group>
<group name="nothing"><joint name="wrist"/></group>
<group name="wrong"><chain base_link="la" tip_link="rb"/></group></robot>`;

function coordinates(name: string | undefined, base: 'fixed' | 'planar' = 'fixed') {
  const { model, semantic, description } = addUrdf(createScene(), urdf, { srdf, build: { base } });
  const { joints, indices, velocities } = findGroupCoordinates(model, semantic, description, name);
  return { joints, indices: [...indices], velocities: [...velocities] };
}

describe('coordinates of a group', () => {
  it.each<[string, string[]]>([
    ['left', ['l1', 'l2']],
    ['right', ['r1', 'r2']],
    ['arms', ['l1', 'l2', 'r1', 'r2']],
    ['gripper', ['g1']],
    ['body', ['lift', 'l1', 'l2', 'r1', 'r2', 'g1']],
    ['round', ['lift', 'l1', 'l2', 'r1', 'r2', 'g1']],
    ['nothing', []],
  ])('%s: joints, chains, links and subgroups', (name, joints) => {
    const order = ['lift', 'l1', 'l2', 'r1', 'r2', 'g1'];
    const places = joints.map((each) => order.indexOf(each));
    expect(coordinates(name)).toEqual({ joints, indices: places, velocities: places });
  });

  it('a virtual joint is the movable base', () => {
    const { joints, indices, velocities } = coordinates('body', 'planar');
    expect(joints[0]).toBe('root_joint');
    expect(indices).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(velocities).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(coordinates('arms', 'planar')).toEqual({
      joints: ['l1', 'l2', 'r1', 'r2'],
      indices: [5, 6, 7, 8],
      velocities: [4, 5, 6, 7],
    });
  });

  it('without a name: everything that moves of its own', () => {
    expect(coordinates(undefined).joints).toEqual(['lift', 'l1', 'l2', 'r1', 'r2', 'g1']);
  });

  it('says what is wrong', () => {
    expect(() => coordinates('arm')).toThrow(/group, got "arm" \(did you mean "arms"\?\), expected one of left, right/);
    expect(() => coordinates('wrong')).toThrow(/chain of "wrong", got base "la", expected a link above "rb"/);
    const { description } = addUrdf(createScene(), urdf);
    expect(() => listGroupJoints(null, description, 'left')).toThrow(/expected an SRDF/);
  });
});
