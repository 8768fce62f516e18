import { describe, expect, it } from 'vitest';
import { MisuseError } from '../../math/misuse.js';
import { createRandom } from '../../math/random.js';
import { addObject, createScene } from '../scene.js';
import { checkScene, touchingPairs } from './check.js';

describe('touchingPairs', () => {
  it('names what checkScene names, in its order', () => {
    const random = createRandom(5);
    const some = (): number => 2 * random.next() - 1;
    for (let round = 0; round < 20; round++) {
      const scene = createScene();
      for (let i = 0; i < 15; i++)
        addObject(scene, {
          name: `${i}`,
          shape: { type: 'sphere', radius: 0.25 },
          pose: [some(), some(), some(), 0, 0, 0, 1],
        });
      for (const margin of [0, 0.1, -0.05]) {
        const expected = checkScene(scene, { all: true, depth: 'none', margin }).contacts;
        expect(touchingPairs(scene, { margin })).toEqual(expected);
        expect(expected.length > 0).toBe(!checkScene(scene, { margin }).free);
      }
      expect(touchingPairs(scene, { objectPairs: false })).toEqual([]);
    }
  });

  it('refuses options that mean nothing', () => {
    const scene = createScene();
    for (const options of [{ depth: 'none' }, { margin: Number.NaN }, { objectPairs: 1 }, null])
      expect(() => touchingPairs(scene, options as never)).toThrow(MisuseError);
  });
});
