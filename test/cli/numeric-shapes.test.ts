import { describe, expect, it } from 'vitest';
import { parseShapeArgument, SHAPE_FORMS } from '../../src/cli/shape-argument.js';
import { NUMERIC_SHAPES } from '../../src/geometry/shapes/index.js';
import { parseShapeDescription } from '../../src/io/scene-file.js';

describe('shapes that are numbers only', () => {
  const box = { type: 'rounded-box', size: [1, 2, 3], radius: 0.25 };
  const cylinder = { type: 'rounded-cylinder', radius: 0.5, length: 1, edge: 0.1 };

  it('are read from scene files by their fields', () => {
    for (const shape of [box, cylinder]) expect(parseShapeDescription(shape)).toEqual({ value: shape, issues: [] });
    expect(parseShapeDescription({ ...box, radius: 0 }).issues[0].message).toMatch(/got 0, expected a number above 0/);
    expect(parseShapeDescription({ ...cylinder, edges: 1 }).issues[0].message).toMatch(/did you mean "edge"/);
    expect(parseShapeDescription({ type: 'support' }).issues[0].message).toMatch(
      /got "support", expected one of "sphere"/,
    );
  });

  it('are arguments by the same fields', async () => {
    expect(await parseShapeArgument('rounded-box:1,2,3,0.25', {} as never, [])).toEqual(box);
    expect(await parseShapeArgument('rounded-cylinder:0.5,1,0.1', {} as never, [])).toEqual(cylinder);
    await expect(parseShapeArgument('rounded-box:1,2,3,0.6', {} as never, [])).rejects.toThrow(
      /at most half of the smallest size, 0.5/,
    );
    for (const type of Object.keys(NUMERIC_SHAPES))
      expect(SHAPE_FORMS.some((form) => form.startsWith(`${type}:`))).toBe(true);
  });
});
