import { describe, expect, it } from 'vitest';
import { parseWorldFile } from './world-file.js';

const world = {
  version: 1,
  objects: [
    { name: 'floor', shape: { type: 'halfspace', normal: [0, 0, 1], offset: 0 } },
    { name: 'ball', shape: { type: 'sphere', radius: 0.1 }, pose: [0, 0, 1, 0, 0, 0, 1] },
  ],
  simulation: {
    version: 1,
    step: 0.002,
    bodies: [{ object: 'ball', mass: 1 }],
    materials: [{ of: '*', friction: 0.4 }],
  },
};

describe('parseWorldFile', () => {
  it('reads a scene and its simulation, wherever the key stands', () => {
    const { simulation, ...scene } = world;
    for (const content of [world, { simulation, ...scene }, { version: 1, simulation, objects: world.objects }]) {
      for (const text of [JSON.stringify(content), JSON.stringify(content, null, 2)]) {
        const { value, issues } = parseWorldFile(text);
        expect(issues).toEqual([]);
        expect(value?.scene.objects.map(({ name }) => name)).toEqual(['floor', 'ball']);
        expect(value?.simulation.settings).toEqual({ step: 0.002 });
        expect(value?.simulation.bodies).toEqual([{ object: 'ball', mass: 1 }]);
      }
    }
  });

  it('a scene file is a world in which nothing moves', () => {
    const { simulation: _, ...scene } = world;
    expect(parseWorldFile(JSON.stringify(scene)).value?.simulation.bodies).toEqual([]);
  });

  it('names what is wrong, where, and what to do', () => {
    const wrong = (change: object): string => {
      const text = JSON.stringify({ ...world, simulation: { ...world.simulation, ...change } }, null, 1);
      const { value, issues } = parseWorldFile(text, { file: 'w.json' });
      expect(value).toBeNull();
      expect(issues[0].line).toBeGreaterThan(20);
      return `${issues[0].code}: ${issues[0].message}`;
    };
    expect(wrong({ bodies: [{ object: 'bal' }] })).toMatch(/unknown-name: there is no object "bal".*ball/);
    expect(wrong({ stepp: 1 })).toMatch(/bad-world: "stepp" not known/);
    expect(wrong({ step: -1 })).toMatch(/bad-world/);
    expect(wrong({ bodies: [{ object: 'ball' }, { object: 'ball' }] })).toMatch(/body-twice/);
    expect(wrong({ pairs: [{ a: 'ball', b: 'wall' }] })).toMatch(/wall/);
    expect(parseWorldFile('{"simulation": {').issues[0].code).toBe('bad-json');
  });
});
