import { describe, expect, it } from 'vitest';
import { addUrdf, planarArm } from '../../../test/scene-fixtures.js';
import { createRandom } from '../../math/random.js';
import { randomConfiguration } from '../../model/configuration.js';
import { bodiesTouch } from '../queries/body-pairs.js';
import { setConfiguration } from '../robot.js';
import { createScene } from '../scene.js';
import { updateRobot } from '../update.js';
import { proveNeverPairs } from './prove-never.js';

/** Links 0.6 long whose joints turn by at most `limit`: links that are two apart touch when that is large. */
const arm = (limit: number): string =>
  planarArm('arm', 4, 0.6)
    .replaceAll('lower="-3.1"', `lower="-${limit}"`)
    .replaceAll('upper="3.1"', `upper="${limit}"`);

describe('pairs that never touch', () => {
  it('are proven where limits keep them apart, and are not where they touch', () => {
    for (const limit of [0.5, 1.2, 1.9, 2.6]) {
      const scene = createScene();
      const robot = addUrdf(scene, arm(limit));
      const pairs = [
        { a: 'link0', b: 'link2' },
        { a: 'link1', b: 'link3' },
        { a: 'link0', b: 'link3' },
      ];
      const proven = proveNeverPairs(robot, pairs, { cells: [3, 6] });
      const random = createRandom(1);
      const q = new Float64Array(3);
      const bodies = new Map(robot.links.map(({ name, body }) => [name, body]));
      for (let n = 0; n < 1500; n++) {
        randomConfiguration(q, robot.model, random);
        if (n % 3 === 0) q.set(q.map((x) => Math.sign(x) * limit));
        setConfiguration(robot, q);
        updateRobot(robot);
        for (const { a, b } of proven) expect(bodiesTouch(bodies.get(a)!, bodies.get(b)!, 0)).toBe(false);
      }
      if (limit < 1)
        expect(proven.map(({ a, b }) => `${a} ${b}`)).toEqual(['link0 link2', 'link1 link3', 'link0 link3']);
      if (limit > 2) expect(proven.map(({ a, b }) => `${a} ${b}`)).not.toContain('link0 link2');
    }
  });

  it('are those that are proven when they are stopped', () => {
    const robot = addUrdf(createScene(), arm(0.5));
    const pairs = [
      { a: 'link0', b: 'link3' },
      { a: 'link0', b: 'link2' },
    ];
    const all = proveNeverPairs(robot, pairs);
    expect(all.map(({ a, b }) => `${a} ${b}`)).toEqual(['link0 link3', 'link0 link2']);
    expect(proveNeverPairs(robot, pairs, { shouldStop: () => true })).toEqual([]);
    const seen = new Set<string>();
    for (let asked = 1; seen.size < 3; asked++) {
      let left = asked;
      const some = proveNeverPairs(robot, pairs, { shouldStop: () => --left < 0 });
      // What is there was proven to the end, as without a limit.
      for (const pair of some) expect(all).toContainEqual(pair);
      seen.add(some.map(({ a, b }) => `${a} ${b}`).join());
      expect(asked).toBeLessThan(200_000);
      if (some.length === all.length) break;
    }
    expect(seen.size).toBeGreaterThan(1);
  });

  it('say what they cannot take', () => {
    const robot = addUrdf(createScene(), arm(1));
    expect(() => proveNeverPairs(robot, [{ a: 'link0', b: 'nothing' }])).toThrow(/pairs/);
    expect(() => proveNeverPairs(robot, [], { boxes: 0 })).toThrow(/boxes/);
  });
});
