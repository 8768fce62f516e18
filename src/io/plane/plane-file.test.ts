import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePlaneProblem } from './plane-file.js';

const valid = {
  robot: {
    polygon: [
      [0, 0],
      [1, 0],
      [0, 1],
    ],
  },
  obstacles: [
    {
      polygon: [
        [2, 2],
        [3, 2],
        [3, 3],
      ],
      holes: [],
    },
    { disc: 1, at: [5, 5] },
  ],
  bounds: [0, 0, 10, 10],
  start: [1, 1],
  goal: [9, 9, 0],
  touching: 'free',
};
const parse = (change: object) => parsePlaneProblem(JSON.stringify({ ...valid, ...change }));

describe('plane files', () => {
  it('are read', () => {
    const { value, issues } = parse({});
    expect(issues).toEqual([]);
    expect(value).toEqual({
      body: { polygon: { outer: valid.robot.polygon } },
      obstacles: [{ polygon: { outer: valid.obstacles[0].polygon, holes: [] } }, { disc: 1, at: [5, 5] }],
      bounds: [0, 0, 10, 10],
      start: [1, 1],
      goal: [9, 9],
      touching: 'free',
    });
  });

  it.each([
    ['robot', { robot: { disk: 1 } }, /robot, got a field "disk"/],
    ['no robot', { robot: undefined }, /robot, got nothing|robot, got undefined/],
    [
      'crossing sides',
      {
        robot: {
          polygon: [
            [0, 0],
            [1, 1],
            [1, 0],
            [0, 1],
          ],
        },
      },
      /body\.polygon, got a polygon where sides cross/,
    ],
    ['obstacle', { obstacles: [{ disc: 0, at: [0, 0] }] }, /obstacles\[0\]\.disc, got 0, expected a radius above 0/],
    ['bounds', { bounds: [0, 0, 0, 1] }, /bounds/],
    ['start', { start: [1] }, /start, got/],
    ['angle', { start: [1, 1, 0.5] }, /start, got the angle 0\.5/],
    ['turning', { turning: true }, /turning/],
    ['implicit', { obstacles: [{ implicit: 'q' }] }, /implicit, got text of which "q"/],
    ['touching', { touching: 'maybe' }, /touching, got "maybe"/],
    ['unknown', { obstacle: [] }, /a field "obstacle", did you mean "obstacles"/],
    ['list', { obstacles: {} }, /obstacles, got/],
  ])('with a wrong field are refused: %s', (_name, change, message) => {
    const { value, issues } = parse(change);
    expect(value).toBeNull();
    expect(issues[0].message).toMatch(message);
  });

  it('of random content never throw', () => {
    fc.assert(
      fc.property(fc.json(), fc.string(), (json, text) => {
        parsePlaneProblem(json);
        parsePlaneProblem(text);
      }),
      { numRuns: 300, seed: 1 },
    );
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(valid)), fc.jsonValue(), (key, value) => {
        parse({ [key]: value });
      }),
      { numRuns: 500, seed: 2 },
    );
  });
});
