/**
 * BinaryCIF: the categories of a CIF file as MessagePack, every column with its own chain of encodings.
 * Source: Sehnal, Bittrich, Velankar, Koca, Svobodova, Burley, Rose 2020, "BinaryCIF and CIFTools: lightweight, efficient
 * and extensible macromolecular data management", doi:10.1371/journal.pcbi.1008247; the encodings are its table 1.
 *
 * Only columns that are asked for are decoded. Every announced length is checked before anything is reserved: against the
 * rows, and all of it against what a file of this size may become, so that a damaged or hostile file is refused, never a hang.
 * Checked by cif.test.ts and test/oracle/protein-files (against the same entry's PDB file).
 */

import { decode } from '@msgpack/msgpack';
import { z } from 'zod';
import { powerOfTwo } from '../../math/scalar.js';
import type { Structure } from '../../molecule/structure.js';
import { FileIssues } from '../file-issues.js';
import { FILE_OPTIONS, requireContent } from '../io-door.js';
import type { Parsed } from '../issue.js';
import { amplificationLimit } from '../mesh/mesh-content.js';
import { readCifStructure, STRUCTURE_CATEGORIES } from './cif-structure.js';
import type { CifBlock, CifCategory, CifColumn } from './cif-text.js';
import type { StructureReadOptions } from './pdb.js';

const bytesSchema: z.ZodType<Uint8Array> = z.instanceof(Uint8Array);
const encodingSchema = z.looseObject({ kind: z.string() });
const encodedSchema = z.object({ data: bytesSchema, encoding: z.array(encodingSchema).min(1) });
const columnSchema = z.object({ name: z.string(), data: encodedSchema, mask: encodedSchema.nullish() });
const categorySchema = z.object({
  name: z.string(),
  rowCount: z
    .int()
    .min(0)
    .max(2 ** 26),
  columns: z.array(columnSchema),
});
const fileSchema = z.object({
  dataBlocks: z.array(z.object({ header: z.string(), categories: z.array(z.unknown()) })).min(1),
});

type Encoded = z.infer<typeof encodedSchema>;
type Encoding = z.infer<typeof encodingSchema>;
type Values = Float64Array | Int32Array | readonly string[];

class BadColumn extends Error {
  element: string | undefined;
}

/** Of a structure's columns, and of a decoded value with its mask. */
const BYTES_PER_ATOM = 160;
const BYTES_PER_VALUE = 16;
const MOST_BYTES = 2 ** 34;

/** Reads a BinaryCIF file. `value` is null when it is damaged or holds no atom_site rows. */
export function parseBinaryCif(bytes: Uint8Array, options: StructureReadOptions = {}): Parsed<Structure> {
  requireContent('parseBinaryCif', bytes, options, FILE_OPTIONS);
  const issues = new FileIssues(options.file);
  let content: unknown;
  try {
    content = decode(bytes);
  } catch (error) {
    return issues.refuse('bad-messagepack', `no MessagePack, as BinaryCIF is: ${(error as Error).message}`);
  }
  const file = fileSchema.safeParse(content);
  if (!file.success) return issues.refuse('bad-bcif', `no BinaryCIF: ${z.prettifyError(file.error)}`);
  const [first, ...others] = file.data.dataBlocks;
  if (others.length > 0) {
    const holdsAtoms = others.some(({ categories }) => categories.some((entry) => nameOf(entry) === '_atom_site'));
    const message = `only the first of ${others.length + 1} data blocks is read`;
    issues.warn('second-block', message, { element: 'file', assumes: holdsAtoms ? 'dropped' : undefined });
  }
  const budget = new Budget(amplificationLimit(bytes.length, MOST_BYTES));
  const categories = new Map<string, CifCategory>();
  for (const entry of first.categories) {
    const name = nameOf(entry);
    if (!STRUCTURE_CATEGORIES.has(name)) continue;
    const category = categorySchema.safeParse(entry);
    if (!category.success) {
      const message = `category ${name} is damaged: ${z.prettifyError(category.error)}`;
      return issues.refuse('bad-bcif', message, { element: name });
    }
    categories.set(name, new BinaryCategory(name, category.data, budget));
  }
  const block: CifBlock = { name: first.header, category: (name) => categories.get(name) };
  try {
    budget.take(BYTES_PER_ATOM * (categories.get('_atom_site')?.rowCount ?? 0));
    return readCifStructure(block, 'bcif', issues);
  } catch (error) {
    if (!(error instanceof BadColumn)) throw error;
    const { element } = error;
    return issues.refuse('bad-column', `${element ?? 'the file'} is damaged: ${error.message}`, { element });
  }
}

function nameOf(entry: unknown): string {
  return String((entry as { name?: unknown } | null)?.name).toLowerCase();
}

/** Memory that the file may still take. */
class Budget {
  constructor(private left: number) {}

  take(bytes: number): void {
    this.left -= bytes;
    if (!(this.left >= 0)) throw new BadColumn('it announces far more than a file of this size holds');
  }
}

/** Decodes a column when it is first asked for. */
class BinaryCategory implements CifCategory {
  readonly rowCount: number;
  private readonly encoded: ReadonlyMap<string, z.infer<typeof columnSchema>>;
  private readonly decoded = new Map<string, CifColumn>();

  constructor(
    private readonly name: string,
    { rowCount, columns }: z.infer<typeof categorySchema>,
    private readonly budget: Budget,
  ) {
    this.rowCount = rowCount;
    this.encoded = new Map(columns.map((column) => [column.name.toLowerCase(), column]));
  }

  column(item: string): CifColumn | undefined {
    const known = this.decoded.get(item);
    const column = this.encoded.get(item);
    if (known || !column) return known;
    try {
      this.budget.take(BYTES_PER_VALUE * this.rowCount);
      const decoded = decodeColumn(column.data, column.mask ?? null, this.rowCount);
      this.decoded.set(item, decoded);
      return decoded;
    } catch (error) {
      if (error instanceof BadColumn) error.element = `${this.name}.${column.name}`;
      throw error;
    }
  }
}

function decodeColumn(data: Encoded, mask: Encoded | null, rowCount: number): CifColumn {
  const limit = Math.max(rowCount, 1);
  const values = decodeValues(data, limit);
  const hidden = mask ? decodeValues(mask, limit) : null;
  if (values.length !== rowCount) throw new BadColumn(`${values.length} values for ${rowCount} rows`);
  if (hidden && hidden.length !== rowCount) throw new BadColumn(`a mask of ${hidden.length} for ${rowCount} rows`);
  const shown = (row: number) => !hidden || hidden[row] === 0;
  return {
    text: (row) => (shown(row) ? String(values[row]) : null),
    number: (row) => {
      if (!shown(row) || values[row] === '') return null;
      const value = Number(values[row]);
      return Number.isFinite(value) ? value : null;
    },
  };
}

/** Undoes the encodings, the last one first. `limit` bounds how many values a run may expand to. */
function decodeValues({ data, encoding }: Encoded, limit: number): Values {
  let values: Uint8Array | Values = data;
  for (const step of [...encoding].reverse()) values = decodeStep(step, values, limit);
  if (values instanceof Uint8Array) throw new BadColumn('bytes without their type');
  return values;
}

function decodeStep(step: Encoding, values: Uint8Array | Values, limit: number): Values {
  if (step.kind === 'ByteArray') return decodeBytes(values, numberOf(step, 'type'));
  if (step.kind === 'StringArray') return decodeStrings(step, values, limit);
  if (values instanceof Uint8Array || !ArrayBuffer.isView(values)) {
    throw new BadColumn(`${step.kind} of what is no array of numbers`);
  }
  const numbers = values as Float64Array | Int32Array;
  switch (step.kind) {
    case 'FixedPoint': {
      const factor = numberOf(step, 'factor');
      return Float64Array.from(numbers, (value) => value / factor);
    }
    case 'IntervalQuantization': {
      const low = numberOf(step, 'min');
      const width = (numberOf(step, 'max') - low) / (numberOf(step, 'numSteps') - 1);
      return Float64Array.from(numbers, (value) => low + value * width);
    }
    case 'RunLength':
      return decodeRuns(numbers, limit);
    case 'Delta': {
      const out = new Int32Array(numbers.length);
      let sum = numberOf(step, 'origin');
      for (let i = 0; i < out.length; i++) {
        sum += numbers[i];
        out[i] = sum;
      }
      return out;
    }
    case 'IntegerPacking':
      return unpackIntegers(numbers, numberOf(step, 'byteCount'), step.isUnsigned === true);
    default:
      throw new BadColumn(`encoding "${step.kind}" is not known`);
  }
}

function numberOf(step: Encoding, name: string): number {
  const value = step[name];
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new BadColumn(`${step.kind} without ${name}`);
  return value;
}

/** Little-endian numbers of one of eight types. */
function decodeBytes(values: Uint8Array | Values, type: number): Float64Array | Int32Array {
  if (!(values instanceof Uint8Array)) throw new BadColumn('ByteArray of what are no bytes');
  const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
  const readers: Record<number, readonly [number, (at: number) => number]> = {
    1: [1, (at) => view.getInt8(at)],
    2: [2, (at) => view.getInt16(at, true)],
    3: [4, (at) => view.getInt32(at, true)],
    4: [1, (at) => view.getUint8(at)],
    5: [2, (at) => view.getUint16(at, true)],
    6: [4, (at) => view.getUint32(at, true)],
    32: [4, (at) => view.getFloat32(at, true)],
    33: [8, (at) => view.getFloat64(at, true)],
  };
  const reader = readers[type];
  if (!reader) throw new BadColumn(`number type ${type} is not known`);
  const [size, read] = reader;
  if (values.byteLength % size !== 0) throw new BadColumn(`${values.byteLength} bytes are no numbers of ${size} bytes`);
  const count = values.byteLength / size;
  const out = type <= 5 ? new Int32Array(count) : new Float64Array(count);
  for (let i = 0; i < count; i++) out[i] = read(size * i);
  return out;
}

function decodeRuns(pairs: Float64Array | Int32Array, limit: number): Int32Array {
  let total = 0;
  for (let i = 1; i < pairs.length; i += 2) total += pairs[i];
  // Bound before anything is reserved: a few bytes can announce any length.
  // Runs of packed integers have up to a few steps for a value.
  const most = Math.max(4 * limit, 2 ** 16);
  if (pairs.length % 2 !== 0 || !(total >= 0 && total <= most)) throw new BadColumn(`runs of ${total} values`);
  const out = new Int32Array(total);
  let at = 0;
  for (let i = 0; i < pairs.length; i += 2) {
    if (pairs[i + 1] < 0) throw new BadColumn('a run of negative length');
    out.fill(pairs[i], at, at + pairs[i + 1]);
    at += pairs[i + 1];
  }
  return out;
}

/** An integer is the sum of the values up to and with the first one that is not the type's extreme. */
function unpackIntegers(packed: Float64Array | Int32Array, byteCount: number, unsigned: boolean): Int32Array {
  const bits = 8 * byteCount;
  const top = unsigned ? powerOfTwo(bits) - 1 : powerOfTwo(bits - 1) - 1;
  const bottom = unsigned ? Number.NaN : -top - 1;
  const out: number[] = [];
  let sum = 0;
  for (const value of packed) {
    sum += value;
    if (value === top || value === bottom) continue;
    out.push(sum);
    sum = 0;
  }
  return Int32Array.from(out);
}

const stringArraySchema = z.object({
  dataEncoding: z.array(encodingSchema).min(1),
  stringData: z.string(),
  offsetEncoding: z.array(encodingSchema).min(1),
  offsets: bytesSchema,
});

function decodeStrings(step: Encoding, values: Uint8Array | Values, limit: number): readonly string[] {
  const parsed = stringArraySchema.safeParse(step);
  if (!parsed.success || !(values instanceof Uint8Array)) throw new BadColumn('a StringArray without its parts');
  const { dataEncoding, stringData, offsetEncoding, offsets } = parsed.data;
  const bounds = decodeValues({ data: offsets, encoding: offsetEncoding }, limit);
  const indices = decodeValues({ data: values, encoding: dataEncoding }, limit);
  const strings: string[] = [];
  for (let i = 0; i + 1 < bounds.length; i++) strings.push(stringData.slice(Number(bounds[i]), Number(bounds[i + 1])));
  return Array.from(indices as ArrayLike<number>, (index) => (index < 0 ? '' : (strings[index] ?? '')));
}
