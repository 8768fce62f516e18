/** Keys that come twice, of which JSON.parse keeps the last without a word. */
import { expect, it } from 'vitest';
import { parseMotionFile } from '../../src/io/motion-file.js';
import { parseSpheres } from '../../src/io/robot/sphere-file.js';
import { parseOptimisationFile } from '../../src/io/trajectory/optimisation-file.js';

it.each([
  ['spheres', parseSpheres, '{"a":[[0,0,0,1]],"a":[[0,0,0,0.01]]}'],
  ['an optimisation', parseOptimisationFile, '{"schema":"clearance.optimisation/1","goal":[1],"goal":[2]}'],
  ['a program', parseMotionFile, '{"format":"clearance.motion/1","tool":{"frame":"t"},"moves":[],\n"moves":[]}'],
])('of %s are refused', (_what, parse, text) => {
  const { value, issues } = parse(text);
  expect(value).toBeNull();
  expect(issues[0]).toMatchObject({ severity: 'error', code: 'duplicate-key' });
  expect(issues[0].message).toMatch(/^the key "(a|goal|moves)" comes twice in one object \(line \d\)/);
});
