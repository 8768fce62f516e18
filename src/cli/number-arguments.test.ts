import { expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { formatLength } from './number-arguments.js';

it('lengths that round to nothing have no sign (seed 65)', () => {
  expect([-0, -4e-7, -4.9e-7, -5.1e-7, 4e-7, -0.0123].map(formatLength)).toEqual([
    ...['0.000 mm', '0.000 mm', '0.000 mm', '-0.001 mm', '0.000 mm', '-12.300 mm'],
  ]);
  const random = createRandom(65);
  for (let n = 0; n < 1000; n++) expect(formatLength(random.normal() * 1e-6)).not.toMatch(/^-0\.000/);
});
