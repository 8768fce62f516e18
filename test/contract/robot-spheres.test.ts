import { describe, expect, it } from 'vitest';
import { parseUrdf } from '../../src/io/robot/urdf.js';
import { fitRobotSpheres, toSphereLists, verifyRobotSpheres } from '../../src/scene/robot-spheres.js';

const urdf = `<robot name="r">
  <link name="base"><collision><geometry><box size="0.4 0.4 0.1"/></geometry></collision></link>
  <link name="arm"><collision><origin xyz="0 0 0.3" rpy="0 0.4 0"/><geometry><cylinder radius="0.05" length="0.6"/></geometry></collision>
    <collision><geometry><sphere radius="0.08"/></geometry></collision></link>
  <link name="tip"/>
  <link name="lost"><collision><geometry><mesh filename="gone.stl"/></geometry></collision></link>
  <joint name="a" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" velocity="1" effort="1"/></joint>
  <joint name="b" type="fixed"><parent link="arm"/><child link="tip"/></joint>
  <joint name="c" type="fixed"><parent link="tip"/><child link="lost"/></joint>
</robot>`;

describe('sphere models of robots', () => {
  const description = parseUrdf(urdf).value!;

  it('contain every link with geometry, proven, and say what is missing', () => {
    const model = fitRobotSpheres({ description }, { count: 5, memory: new Map() });
    expect(model.links.map(({ link }) => link)).toEqual(['base', 'arm']);
    expect(model.proven).toBe(true);
    expect(model.assumed.join()).toContain('gone.stl');
    for (const level of [0, 1, Infinity]) {
      const proofs = verifyRobotSpheres({ description }, toSphereLists(model, level));
      expect(proofs.map(({ link, proven }) => [link, proven])).toEqual([
        ['base', true],
        ['arm', true],
      ]);
    }
    for (const { excess, volume, shapeVolume } of model.reports) {
      expect(excess).toBeGreaterThan(0);
      expect(volume).toBeGreaterThan(shapeVolume!);
    }
  });

  it('say where a shape is known by its support mapping alone', () => {
    const support = (out: Float64Array, direction: ArrayLike<number>) => {
      for (let k = 0; k < 3; k++) out[k] = 0.1 * direction[k];
    };
    const [first] = description.collisions;
    // No file holds one: put there by hand.
    const shape = { type: 'support', support } as unknown as typeof first.shape;
    const collisions = [...description.collisions, { ...first, shape }];
    const model = fitRobotSpheres({ description: { ...description, collisions } }, { count: 4, memory: new Map() });
    expect(model.proven).toBe(true);
    expect(model.assumed.filter((text) => text.includes('support mapping'))).toHaveLength(1);
    expect(model.assumed.join()).toContain('link "base"');
  });

  it('are refused where a link has too little', () => {
    const lists = new Map(toSphereLists(fitRobotSpheres({ description }, { count: 3, memory: new Map() })));
    lists.set('arm', [{ center: [0, 0, 0], radius: 0.1 }]);
    lists.delete('base');
    const [base, arm] = verifyRobotSpheres({ description }, lists);
    expect(base).toMatchObject({ link: 'base', proven: false, gap: Infinity });
    // The far rim of the cylinder.
    expect(arm.proven).toBe(false);
    expect(arm.gap).toBeGreaterThan(0.45);
    expect(arm.uncovered!.shape).toBe(0);
  });
});
