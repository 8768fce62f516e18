import { describe, expect, it } from 'vitest';
import { requireValue } from './require-value.js';
import { parseUrdf } from './robot/urdf.js';

describe('requireValue', () => {
  it('gives the value of a file without errors', () => {
    expect(requireValue(parseUrdf('<robot name="r"><link name="a"/></robot>')).name).toBe('r');
  });

  it('names every error when there is no value, and when the value lacks something', () => {
    expect(() => requireValue(parseUrdf('<robot'))).toThrow(/error/);
    const dropped =
      '<robot name="r"><link name="a"><collision><geometry><sphere radius="0,5"/></geometry></collision></link></robot>';
    expect(() => requireValue(parseUrdf(dropped))).toThrow(/0,5[\s\S]*link "a"/);
  });
});
