import { describe, expect, it } from 'vitest';
import { createFloor } from '../fleet/floor-worlds.test-support.js';
import { createRandom } from '../math/random.js';
import { isFloorFile, parseFloorFile } from './floor-file.js';

const faults = (change: (world: ReturnType<typeof JSON.parse>) => void): string[] => {
  const world = JSON.parse(JSON.stringify(createFloor()));
  change(world);
  return parseFloorFile(JSON.stringify(world)).issues.map(({ message }) => message);
};

describe('parseFloorFile', () => {
  it('reads what a floor holds', () => {
    const floor = createFloor();
    const { value, issues } = parseFloorFile(JSON.stringify(floor));
    expect(issues).toEqual([]);
    expect(value!.floor).toEqual(floor.floor);
    expect(value!.objects.map(({ name }) => name)).toEqual(['ball', 'post']);
  });

  it.each<[string, (world: ReturnType<typeof JSON.parse>) => void, RegExp]>([
    ['a field that is not known', (w) => (w.floor.wind = 3), /floor: got "wind", which is not known here/],
    ['a base', (w) => (w.floor.robots[0].base = 'legs'), /floor\.robots\[0\]\.base/],
    [
      'a place of one and of many',
      (w) => (w.floor.robots[1].pose = [0, 0, 0]),
      /got pose, count, at, goals, expected pose/,
    ],
    ['no place', (w) => (w.floor.robots[0].pose = undefined), /got no place, expected pose of one robot/],
    ['an action', (w) => (w.floor.robots[0].actions[0].type = 'fly'), /floor\.robots\[0\]\.actions\[0\]/],
    [
      'a target',
      (w) => (w.floor.robots[0].actions[2].target = [1, 2]),
      /target: got .*expected three numbers or a pose/,
    ],
    ['a load without an object', (w) => w.floor.loads.push('bal'), /no object "bal" \(did you mean "ball"\?\)/],
    ['a load twice', (w) => w.floor.loads.push('ball'), /got "ball" twice/],
    [
      'what cannot be carried',
      (w) => (w.floor.robots[0].actions[3].object = 'post'),
      /"post", which is none of floor\.loads/,
    ],
    ['an arm', (w) => (w.floor.robots[0].arm = 'ram'), /no arm "ram" \(did you mean "arm"\?\)/],
    ['joints without an arm', (w) => w.floor.robots[2].actions.push({ type: 'joints', values: [0] }), /without an arm/],
    ['q without an arm', (w) => (w.floor.robots[1].q = [1]), /got q or jointRate without an arm/],
    ['a car that avoids', (w) => (w.floor.robots[1].base = 'car'), /avoids: got true of a car/],
    ['a radius that no car has', (w) => (w.floor.robots[1].turningRadius = 2), /only cars have one/],
    ['a name twice', (w) => (w.floor.robots[1].name = 'ball'), /"ball", which names another/],
    ['too few goals', (w) => w.floor.robots[1].goals.pop(), /goals: got 3 places, expected one per robot, 4/],
    ['nothing to repeat', (w) => (w.floor.robots[1].repeat = true), /repeat: got true without actions/],
    ['a width without its mode', (w) => (w.floor.cellSize = 2), /goes with cellSizeMode "CONSTANT"/],
    [
      'robots of scenes',
      (w) => (w.robots = [{ name: 'r', file: 'r.urdf', pose: [0, 0, 0, 0, 0, 0, 1] }]),
      /no place on a floor/,
    ],
    ['no floor', (w) => (w.floor = undefined), /there is no "floor" section/],
  ])('refuses %s', (_, change, message) => {
    expect(faults(change).join('\n')).toMatch(message);
  });

  it('never throws, whatever is in the text', () => {
    const random = createRandom(3);
    const text = JSON.stringify(createFloor());
    for (let k = 0; k < 300; k++) {
      const at = random.integer(text.length);
      const cut = text.slice(0, at) + '{}[]",:01x'[random.integer(10)] + text.slice(at + random.integer(4));
      const { value, issues } = parseFloorFile(cut);
      expect(value !== null || issues.length > 0).toBe(true);
    }
    expect(parseFloorFile('[').issues[0].code).toBe('not-json');
    expect(isFloorFile(text)).toBe(true);
    expect(isFloorFile('{"fleet":{}}')).toBe(false);
    expect(isFloorFile('{')).toBe(false);
  });
});
