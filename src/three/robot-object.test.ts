import { Mesh, type MeshStandardMaterial, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { parseUrdf } from '../io/robot/urdf.js';
import { forwardKinematics, updateFramePlacements } from '../kinematics/forward-kinematics.js';
import { buildModel } from '../model/build-model.js';
import { createData, findFrame } from '../model/model.js';
import { createRobotObject, updateRobotObject } from './robot-object.js';

const urdf = `<robot name="two">
  <link name="base"><visual><geometry><box size="1 1 1"/></geometry><material name="m"><color rgba="1 0 0 0.5"/></material></visual></link>
  <link name="tip"><collision><origin xyz="0 0 1"/><geometry><sphere radius="0.1"/></geometry></collision>
    <visual><geometry><mesh filename="absent.stl"/></geometry></visual></link>
  <joint name="turn" type="revolute"><parent link="base"/><child link="tip"/><origin xyz="2 0 0"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" velocity="1" effort="1"/></joint>
</robot>`;

describe('createRobotObject', () => {
  const description = parseUrdf(urdf).value!;
  const { model } = buildModel(description.model);

  it('makes one group per link and leaves out meshes that are not loaded', () => {
    const robot = createRobotObject({ description });
    expect([...robot.links.keys()]).toEqual(['base', 'tip']);
    expect(robot.root.children.map(({ name }) => name)).toEqual(['base', 'tip']);
    const [base, tip] = [...robot.links.values()];
    expect([base.visual.children.length, base.collision.children.length]).toEqual([1, 0]);
    expect([tip.visual.children.length, tip.collision.children.length]).toEqual([0, 1]);
    const material = (base.visual.children[0] as Mesh).material as MeshStandardMaterial;
    expect([material.color.getHexString(), material.opacity, material.transparent]).toEqual(['ff0000', 0.5, true]);
  });

  it('follows forward kinematics', () => {
    const robot = createRobotObject({ description });
    const data = createData(model);
    forwardKinematics(model, data, [Math.PI / 2]);
    updateFramePlacements(model, data);
    updateRobotObject(robot, model, data);
    robot.root.updateMatrixWorld(true);
    const ball = robot.links.get('tip')!.collision.children[0];
    // Up in the link's frame, turned about y by 90 degrees: along x from the joint at x = 2.
    expect(ball.getWorldPosition(new Vector3()).distanceTo(new Vector3(3, 0, 0))).toBeLessThan(1e-12);
    expect(data.framePlacements[12 * findFrame(model, 'tip') + 9]).toBe(2);
  });

  it('gives geometry and materials back once', () => {
    const robot = createRobotObject({ description });
    let disposed = 0;
    robot.root.traverse((child) => {
      if (!(child instanceof Mesh)) return;
      child.geometry.addEventListener('dispose', () => disposed++);
      (child.material as MeshStandardMaterial).addEventListener('dispose', () => disposed++);
    });
    robot.dispose();
    expect(disposed).toBe(4);
  });
});
