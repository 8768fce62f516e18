import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseScenario, writeScenario } from './scenario-file.js';

const line = '3\trandom.map\t32\t31\t11\t6\t7\t18\t13.65685425';

describe('scenarios', () => {
  it('are read and written', () => {
    const { value, issues } = parseScenario(`version 1\r\n${line}\r\n\r\n0 a.map 2 2 0 0 1 1 1.4\n`);
    expect(issues).toEqual([]);
    expect(value![0]).toEqual({
      bucket: 3,
      map: 'random.map',
      width: 32,
      height: 31,
      start: [11, 6],
      goal: [7, 18],
      length: 13.65685425,
    });
    expect(parseScenario(writeScenario(value!)).value).toEqual(value);
  });

  it.each([
    [`${line}\t1`],
    [line.replace('\t11\t', '\t32\t')],
    [line.replace('\t18\t', '\t31\t')],
    [line.replace('\t11\t', '\t-1\t')],
    [line.replace('13.65685425', 'x')],
    ['version 1\nversion 1'],
  ])('refuses %j with its line', (source) => {
    expect(parseScenario(`version 1\n${source}`)).toMatchObject({ value: null, issues: [{ code: 'bad-entry' }] });
  });

  it('never throws on random content', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('1', 'a', '\t', '\n', ' ', '99999999999', 'version 1\n')), (parts) => {
        parseScenario(parts.join(''));
      }),
      { numRuns: 500, seed: 1 },
    );
  });
});
