/** Fields of PDB records: fixed columns, hybrid-36 numbers, numbers of CONECT that run together. */

import { pow } from '../../math/elementary.js';
import { MisuseError } from '../../math/misuse.js';

/**
 * Hybrid-36: decimal as far as the field's width allows, then base 36 with capitals (A000 is 10000 in four columns), then
 * with small letters. Source: Grosse-Kunstleve 2007, "Hybrid-36", cci.lbl.gov/hybrid_36. null when it is neither.
 */
export function readHybrid36(text: string, width: number): number | null {
  const field = text.trim();
  if (/^[-+]?[0-9]+$/.test(field)) return Number(field);
  if (field.length !== width) return null;
  const upper = /^[A-Z][A-Z0-9]*$/.test(field);
  if (!upper && !/^[a-z][a-z0-9]*$/.test(field)) return null;
  const value = parseInt(field, 36);
  const smallest = 10 * pow(36, width - 1);
  return value - smallest + pow(10, width) + (upper ? 0 : 26 * pow(36, width - 1));
}

/** The inverse of `readHybrid36`, right-justified. Throws RangeError for what the width cannot hold. */
export function writeHybrid36(value: number, width: number): string {
  const decimals = pow(10, width);
  const letters = 26 * pow(36, width - 1);
  if (value > -decimals / 10 && value < decimals) return String(value).padStart(width);
  const above = value - decimals;
  if (!(above >= 0 && above < 2 * letters)) {
    throw new MisuseError(`writeHybrid36: value, got ${value}, expected a number that ${width} columns can hold`);
  }
  const text = (10 * pow(36, width - 1) + (above % letters)).toString(36);
  return above < letters ? text.toUpperCase() : text;
}

/** A decimal number that fills its field; null for anything else, blanks and infinities included. */
export function readDecimal(text: string): number | null {
  const field = text.trim();
  if (!/^[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$/.test(field)) return null;
  const value = Number(field);
  return Number.isFinite(value) ? value : null;
}

/**
 * Serial numbers of a CONECT record: fields of five columns from column 7 on, or separated by blanks when a field's
 * border cuts a number that would fit into one field; where `known` serials have six digits, fields of six columns or
 * numbers of any length separated by blanks, whichever names atoms that there are. null when a number cannot be read.
 */
export function readConectSerials(line: string, known?: ReadonlySet<number>): readonly number[] | null {
  const body = line.slice(6).trimEnd();
  const fixed = cutFields(body, 5, 25);
  const words = body.split(/\s+/).filter((word) => word !== '');
  if (known && words.some((word) => word.length > 5)) {
    const hybrid = fixed.every((field) => isField(field, 5) && known.has(readHybrid36(field, 5) ?? -1));
    if (!hybrid) {
      for (const fields of [words, cutFields(body, 6, 60)]) {
        if (fields.every((field) => /^ *[1-9][0-9]*$/.test(field) && known.has(Number(field))))
          return fields.map(Number);
      }
    }
  }
  const cut = fixed.some((field, i) => {
    const next = fixed[i + 1];
    return next !== undefined && field.at(-1) !== ' ' && next[0] !== ' ';
  });
  const separated = cut && words.every((word) => word.length <= 5);
  const serials: number[] = [];
  for (const field of separated ? words : fixed) {
    if (field.trim() === '') continue;
    const serial = readHybrid36(field, 5);
    if (serial === null) return null;
    serials.push(serial);
  }
  return serials;
}

function cutFields(body: string, width: number, most: number): string[] {
  const fields: string[] = [];
  for (let at = 0; at < Math.min(body.length, most); at += width) fields.push(body.slice(at, at + width));
  return fields;
}

/** Whether a right-justified number fills the field to its end and has no leading zeros. */
function isField(field: string, width: number): boolean {
  return field.length === width && /^ *[1-9A-Za-z][0-9A-Za-z]*$/.test(field);
}
