import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCsvRow, parseCsvRows } from './csv.js';

describe('comma-separated values', () => {
  it('whatever is written is read back', () => {
    const letters = fc.constantFrom('a', '"', ',', '\n', '\r', ' ', '\\', 'é', '0');
    const field = fc.array(letters, { maxLength: 6 }).map((list) => list.join(''));
    const row = fc.array(field, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 4 }), fc.constantFrom('\n', '\r\n', '\r'), (rows, end) => {
        const text = rows.map((fields) => formatCsvRow(fields) + end).join('');
        expect(parseCsvRows(text).map(({ fields }) => fields)).toEqual(rows);
      }),
      { seed: 11, numRuns: 2000 },
    );
  });

  it('skips blank lines and counts them', () => {
    expect(parseCsvRows('\n \na,b\n\n"c\nd",1\r\n2,3')).toEqual([
      { line: 3, fields: ['a', 'b'] },
      { line: 5, fields: ['c\nd', '1'] },
      { line: 7, fields: ['2', '3'] },
    ]);
  });
});
