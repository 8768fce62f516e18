import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseOptimisationFile } from './optimisation-file.js';

const whole = {
  schema: 'clearance.optimisation/1',
  start: 'home',
  goal: { joint_1: 1 },
  initial: [['home', [0, 1], { joint_1: 1 }]],
  method: 'chomp',
  segments: 12,
  clearance: 0.02,
  resolution: 0.05,
  seeds: 4,
  seed: 0,
  maxIterations: 10,
  all: true,
  limits: { step: 0.1, velocity: 1, acceleration: [1, 2] },
};

test('a problem with every field', () => {
  expect(parseOptimisationFile(JSON.stringify(whole))).toEqual({ value: whole, issues: [] });
});

test.each([
  [{}, /no optimisation problem: schema: got nothing, expected "clearance\.optimisation\/1/],
  [{ ...whole, schema: 'clearance.optimisation/2' }, /schema: got "clearance\.optimisation\/2"/],
  [{ ...whole, goal: undefined }, /goal/],
  [{ ...whole, segments: 1 }, /segments: got 1, expected/],
  [{ ...whole, methd: 'chomp' }, /"methd", which is not known here/],
  [{ ...whole, limits: { step: 0 } }, /limits\.step: got 0/],
  [{ ...whole, initial: [['home']] }, /initial\[0\]/],
])('refused: %j', (content, why) => {
  const { value, issues } = parseOptimisationFile(JSON.stringify(content));
  expect(value).toBeNull();
  expect(issues).toHaveLength(1);
  expect(issues[0].message).toMatch(why);
});

test('no text throws', () => {
  expect(parseOptimisationFile('{').issues[0].code).toBe('json');
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.record({ schema: fc.constant(whole.schema), goal: fc.jsonValue() }).map((x) => JSON.stringify(x)),
      ),
      (text) => {
        parseOptimisationFile(text);
      },
    ),
    { numRuns: 200, seed: 1 },
  );
});
