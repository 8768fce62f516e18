import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFleetFile } from './fleet-file.js';

const world = {
  version: 1,
  objects: [{ name: 'pillar', shape: { type: 'box', size: [1, 1, 1] }, pose: [2, 0, 0, 0, 0, 0, 1] }],
  fleet: {
    map: ['...', '...'],
    robots: [{ name: 'a', start: [0, 0], goal: [2, 1] }],
    stops: { share: 0.1, seconds: 4 },
  },
};
const parse = (change: object) => parseFleetFile(JSON.stringify({ ...world, ...change }), { file: 'w.json' });

describe("fleets' worlds", () => {
  it('are read', () => {
    const { value, issues } = parse({});
    expect(issues).toEqual([]);
    expect(value!.fleet).toEqual(world.fleet);
    expect(value!.objects[0]).toMatchObject({ name: 'pillar', shape: { type: 'box' } });
    expect(parse({ objects: undefined }).value!.objects).toEqual([]);
  });

  it.each([
    [{ fleet: undefined }, /no "fleet" section/],
    [{ fleet: { ...world.fleet, robot: 3 } }, /fleet/],
    [{ fleet: { ...world.fleet, robots: 0 } }, /fleet\.robots/],
    [{ fleet: { ...world.fleet, stops: { share: 2, seconds: 1 } } }, /fleet\.stops\.share/],
    [{ fleet: { ...world.fleet, tasks: { pickups: [[0, -1]], deliveries: [[0, 0]] } } }, /fleet\.tasks\.pickups\[0\]/],
    [{ objects: [{ name: 'x' }] }, /expected an object/],
    [{ version: 2 }, /got 2, expected 1/],
    [{ robots: [{ name: 'r', file: 'r.urdf', pose: [0, 0, 0, 0, 0, 0, 1] }] }, /no place in a fleet/],
  ])('says what is wrong: %j', (change, message) => {
    const { value, issues } = parse(change);
    expect(value).toBeNull();
    expect(issues.map(({ element, message }) => `${element} ${message}`).join('\n')).toMatch(message);
  });

  it('never throws on random content', () => {
    expect(parseFleetFile('{').value).toBeNull();
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('map', 'robots', 'tasks', 'stops', 'seed'), (value, key) => {
        parseFleetFile(JSON.stringify(value));
        parse({ fleet: { ...world.fleet, [key]: value } });
      }),
      { numRuns: 300, seed: 1 },
    );
  });
});
