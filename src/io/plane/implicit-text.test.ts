/** Regions as text: what they say at points, and what is refused. */
import { describe, expect, it } from 'vitest';
import { type ImplicitRegion, judgeImplicitBox } from '../../math/implicit-region.js';
import { createRandom } from '../../math/random.js';
import { parseImplicit } from './implicit-text.js';

const read = (text: string, variables: 2 | 3 = 2): ImplicitRegion => {
  const { value, issues } = parseImplicit(text, variables);
  if (value === null) throw new Error(issues[0].message);
  return value;
};
const at = (text: string, ...place: number[]) => judgeImplicitBox(read(text, 3), [...place, 0, 0], [0, 0, 0]);

describe('implicit regions as text', () => {
  it('says what it means', () => {
    expect(at('x^2 + y^2 <= 1', 0.5, 0.5)).toBe(1);
    expect(at('x^2 + y^2 - 1', 0.5, 0.9)).toBe(-1);
    expect(at('x^2 + y^2 <= 1 and y >= 0', 0.5, -0.5)).toBe(-1);
    expect(at('x < 0 or y < 0 and x < 1', 0.5, -0.5)).toBe(1);
    expect(at('(x < 0 or y < 0) and x < 1', 2, -0.5)).toBe(-1);
    expect(at('(x - 1)^2 (y + 2) <= 2.5x y', 3, 4)).toBe(1);
    expect(at('-x*(-1) >= 3', 0, 0)).toBe(-1);
    expect(at('2x + z <= 1', 0, 0, 0.5)).toBe(1);
    expect(read('(x + y)^2')).toEqual({
      terms: [
        { coefficient: 1, powers: [2, 0, 0] },
        { coefficient: 2, powers: [1, 1, 0] },
        { coefficient: 1, powers: [0, 2, 0] },
      ],
    });
  });

  it.each([
    '',
    'x +',
    'x^',
    'x^-1',
    'x^2.5',
    'x^99',
    '(x',
    'x)',
    'z <= 1',
    'sin x',
    'x <= 1 <= 2',
    'x and',
    '1e999',
    '(x+y)^24 (x+y)^24',
  ])('refuses "%s"', (text) => {
    const { value, issues } = parseImplicit(text);
    expect(value).toBeNull();
    expect(issues[0]).toMatchObject({ severity: 'error', code: 'invalid-implicit' });
  });

  it('never throws', () => {
    const random = createRandom(9);
    const words = ['x', 'y', '(', ')', '^', '2', '+', '-', '*', '<=', 'and', 'or', '1.5', ' ', 'q'];
    for (let k = 0; k < 2000; k++)
      parseImplicit(Array.from({ length: random.integer(12) }, () => words[random.integer(words.length)]).join(''));
    expect(parseImplicit('('.repeat(9000)).value).toBeNull();
  });
});
