import { describe, expect, it } from 'vitest';
import { addUrdf, boxLink, planarArm, revolute } from '../../../test/scene-fixtures.js';
import { createRandom } from '../../math/random.js';
import { setConfiguration } from '../robot.js';
import { createScene, disposeScene } from '../scene.js';
import { checkScene } from './check.js';
import { sampleAllowedPairs } from './sample-allowed.js';

const ball = (name: string, radius: number, xyz: string): string =>
  `<link name="${name}"><collision><origin xyz="${xyz}"/><geometry><sphere radius="${radius}"/></geometry></collision></link>`;

/** Balls of 0.7 mm at the end of two arms of a metre and at a post: they meet in 0.05 % of the range or less. */
const rare = `<robot name="rare">${ball('post', 7e-4, '0 1 0')}${ball('upper', 7e-4, '1 0 0')}${ball('lower', 7e-4, '0.5 0 0')}
  ${revolute('j1', 'post', 'upper', '0 0 0')}${revolute('j2', 'upper', 'lower', '0.5 0 0')}</robot>`;

describe('allowed pairs by sampling', () => {
  it.each([200, 1000])('finds a contact of balls of a millimetre with %i samples, by descent', (samples) => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const scene = createScene();
      const robot = addUrdf(scene, rare, { allowed: { pairs: [], replace: true } });
      const { checked, pairs } = sampleAllowedPairs(robot, { samples, seed });
      expect(pairs.filter(({ reason }) => reason === 'never')).toEqual([]);
      const found = checked.find(({ a, b }) => a === 'lower' && b === 'post');
      expect(found, `seed ${seed}`).toBeDefined();
      if (found!.contact) {
        setConfiguration(robot, found!.contact);
        const touching = checkScene(scene, { all: true, depth: 'none' }).contacts.map(({ a, b }) => `${a} ${b}`);
        expect(touching).toContain('post lower');
      }
      disposeScene(scene);
    }
  });

  it('never states its bound, and leaves the robot where it was', () => {
    const scene = createScene();
    const robot = addUrdf(
      scene,
      planarArm('arm', 2, 0.3).replace(
        '</robot>',
        `${boxLink('far', '0.1 0.1 0.1')}
      <joint name="far" type="fixed"><parent link="link0"/><child link="far"/><origin xyz="-5 0 0"/></joint></robot>`,
      ),
    );
    setConfiguration(robot, [0.4]);
    const { pairs, samples, complete, assumed } = sampleAllowedPairs(robot);
    expect(samples).toBe(10_000);
    expect(pairs).toContainEqual({ a: 'far', b: 'link1', reason: 'never', collisions: 0, atMost: 3e-4 });
    expect({ complete, assumed }).toEqual({ complete: true, assumed: [] });
    expect([...robot.q]).toEqual([0.4]);
    expect(sampleAllowedPairs(robot, { samples: 100, search: false }).pairs).toContainEqual(
      expect.objectContaining({ a: 'far', atMost: 0.03 }),
    );
    for (const wrong of [{ samples: 0 }, { samples: 1.5 }, { seed: Number.NaN }, { alwaysFraction: 0 }, { sample: 5 }])
      expect(() => sampleAllowedPairs(robot, wrong as object)).toThrow(/^sampleAllowedPairs: .*expected/);
    disposeScene(scene);
  });

  it('always: from the stated share of the samples on', () => {
    const scene = createScene();
    const wide = `<robot name="wide">${ball('post', 0.4, '0 1 0')}${ball('arm', 0.4, '1 0 0')}${revolute('j', 'post', 'arm', '0 0 0')}</robot>`;
    const urdf = wide.replace('type="revolute"><parent link="post"/>', 'type="revolute"><parent link="foot"/>');
    const foot = urdf.replace(
      '</robot>',
      '<link name="foot"/><joint name="f" type="fixed"><parent link="foot"/><child link="post"/></joint></robot>',
    );
    const robot = addUrdf(scene, foot, { allowed: { pairs: [], replace: true } });
    const sample = (alwaysFraction?: number) =>
      sampleAllowedPairs(robot, { samples: 1000, search: false, ...(alwaysFraction && { alwaysFraction }) });
    const [pair] = sample(1).checked;
    // The balls meet within 2 asin(0.4) of 90 degrees, both ways: 0.2655 of the range, to four deviations.
    expect(pair).toMatchObject({ a: 'arm', b: 'post' });
    expect(Math.abs(pair.collisions / 1000 - 0.2655)).toBeLessThan(4 * Math.sqrt((0.2655 * 0.7345) / 1000));
    expect(sample().checked).toEqual([pair]);
    expect(sample((pair.collisions + 1) / 1000).checked).toEqual([pair]);
    const { pairs, checked } = sample(pair.collisions / 1000);
    expect(checked).toEqual([]);
    expect(pairs).toContainEqual({ ...pair, reason: 'always' });
    disposeScene(scene);
  });

  it('says where a joint without limits was sampled', () => {
    const scene = createScene();
    const urdf = `<robot name="r">${boxLink('a', '0.1 0.1 0.1')}${boxLink('b', '0.1 0.1 0.1')}${boxLink('c', '0.1 0.1 0.1')}
      ${revolute('turn', 'a', 'b', '1 0 0')}<joint name="slide" type="planar"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/></joint></robot>`;
    const { assumed } = sampleAllowedPairs(addUrdf(scene, urdf, { build: { base: 'floating' } }), { samples: 50 });
    expect(assumed).toEqual(['guessed: joint "slide": it has no limits and is sampled within 1 m, or one turn']);
    disposeScene(scene);
  });

  it('descent finds what many samples find, over random arms', () => {
    const random = createRandom(3);
    let rescued = 0;
    for (let round = 0; round < 12; round++) {
      // Short boxes on long arms: contacts are rare.
      const joints = [1, 2, 3].map((i) =>
        revolute(`j${i}`, `l${i - 1}`, `l${i}`, `${random.uniform(0.2, 0.5)} 0 0`, i % 2 ? '0 0 1' : '0 1 0'),
      );
      const links = [0, 1, 2, 3].map((i) =>
        boxLink(`l${i}`, '0.02 0.02 0.02', `${random.uniform(0, 0.3)} 0 ${random.uniform(-0.02, 0.02)}`),
      );
      const scene = createScene();
      const robot = addUrdf(scene, `<robot name="r">${links.join('')}${joints.join('')}</robot>`);
      const many = sampleAllowedPairs(robot, { samples: 20_000, seed: 7, search: false });
      const few = sampleAllowedPairs(robot, { samples: 300 });
      for (const { a, b, collisions } of many.checked) {
        const never = few.pairs.find((pair) => pair.a === a && pair.b === b && pair.reason === 'never');
        expect(never, `seed 3, round ${round}: ${a} ${b}, ${collisions} of 20,000`).toBeUndefined();
      }
      rescued += few.checked.filter(({ contact }) => contact).length;
      disposeScene(scene);
    }
    expect(rescued).toBeGreaterThan(3);
  }, 600_000);
});
