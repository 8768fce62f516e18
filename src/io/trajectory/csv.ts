/**
 * Comma-separated values as RFC 4180 has them: fields with a comma, a quote or a line break stand in quotes, a quote in them
 * is doubled. Reading takes any line end and skips blank lines. Tested by csv.test.ts.
 */

/** Quoted where a comma, quote, line break or blank at an end would be misread. */
function quoteField(text: string): string {
  return /[",\r\n]|^\s|\s$|^$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function formatCsvRow(fields: readonly (string | number)[]): string {
  return fields.map((field) => (typeof field === 'number' ? String(field) : quoteField(field))).join(',');
}

export interface CsvRow {
  /** Of its first character, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** All rows that hold something. A quote that is never closed takes the rest of the text. */
export function parseCsvRows(text: string): CsvRow[] {
  const rows: CsvRow[] = [];
  let fields: string[] = [];
  let field = '';
  let quoted = false;
  let wasQuoted = false;
  let line = 1;
  let first = 1;
  const endRow = (): void => {
    fields.push(field);
    if (fields.length > 1 || wasQuoted || field.trim() !== '') rows.push({ line: first, fields });
    fields = [];
    field = '';
    wasQuoted = false;
  };
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    const isBreak = c === '\n' || (c === '\r' && text[i + 1] !== '\n');
    if (isBreak) line++;
    if (quoted) {
      if (c !== '"') field += c;
      else if (text[i + 1] === '"') field += text[++i];
      else quoted = false;
    } else if (c === '"' && field.trim() === '') {
      quoted = true;
      wasQuoted = true;
      field = '';
    } else if (c === ',') {
      fields.push(field);
      field = '';
    } else if (isBreak) {
      endRow();
      first = line;
    } else if (c !== '\r') field += c;
  }
  if (field !== '' || fields.length > 0 || wasQuoted) endRow();
  return rows;
}
