import { describe, expect, it } from 'vitest';
import { readPath } from './given-files.js';

describe('readPath', () => {
  it('takes the output of plan, and bare lists', () => {
    expect(
      readPath({
        status: 'solved',
        path: [
          [0, 1],
          [1, 2],
        ],
      }),
    ).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expect(readPath([[0], [1]])).toEqual([[0], [1]]);
  });

  it.each([
    ['an empty path', { path: [] }],
    ['rows of different lengths', [[0], [1, 2]]],
    ['text among the numbers', [[0, 'a']]],
    ['a number that is none', [[Number.NaN]]],
    ['a scene', { version: 1, objects: [] }],
    ['nothing', null],
  ])('refuses %s', (_, value) => {
    expect(readPath(value)).toBeNull();
  });
});
