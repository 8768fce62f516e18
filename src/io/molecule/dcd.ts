/**
 * DCD trajectories, as CHARMM, X-PLOR and NAMD write them: coordinates of every frame as 32-bit floats in angstrom.
 *
 * Layout: Fortran records, each between two copies of its length in bytes (32-bit, or 64-bit where a compiler made them
 * so), in either byte order:
 *
 *   record   content
 *   84       "CORD", then 20 32-bit integers: [0] frames, [1] first step, [2] steps between frames, [8] fixed atoms,
 *            [9] time step (float; X-PLOR: double in [9] and [10]), [10] unit cells, [11] fourth coordinate,
 *            [19] CHARMM's version, 0 in X-PLOR files
 *   4 + 80 n number of title lines, then the lines
 *   4        number of atoms
 *   4 free   with fixed atoms: the numbers of the free ones, from 1
 *   then, frame by frame: 48 with unit cells; 4 atoms each of x, y and z; the same of a fourth coordinate
 *
 * With fixed atoms the first frame has all, later ones the free atoms only. The writer makes CHARMM files of the least
 * kind: little-endian, no cell, no fixed atoms. The frame count of the header is often not kept up: frames are counted by
 * the file's length, and a last frame that is cut off is left out with a warning.
 * Source: format description of the CHARMM documentation, https://academiccharmm.org/documentation (dynamc, DCD), and the
 * reader's notes of VMD, https://www.ks.uiuc.edu/Research/vmd/plugins/molfile/dcdplugin.html.
 * Cost: a frame is read when it is asked for. Checked by dcd.test.ts: round trips, and files laid out by hand.
 */
import {
  type Fields,
  requireFields,
  requireNumbers,
  requireText,
  throwMisuse,
  unchecked,
} from '../../math/arguments.js';
import { MisuseError } from '../../math/misuse.js';
import { FileIssues } from '../file-issues.js';
import { FILE_OPTIONS, requireContent } from '../io-door.js';
import type { Parsed } from '../issue.js';
import { BinaryReader } from '../mesh/binary-reader.js';

export interface DcdTrajectory {
  readonly atomCount: number;
  readonly frameCount: number;
  readonly firstStep: number;
  /** Steps between frames. */
  readonly stepInterval: number;
  /** In the unit of the program that wrote it. */
  readonly timeStep: number;
  readonly titles: readonly string[];
  /** Writes the positions of a frame, 3 per atom in angstrom, to `out`. Throws RangeError for a frame that is none. */
  readFrame(out: Float64Array, frame: number): Float64Array;
  /** a, gamma, b, beta, alpha, c as the file has them; null without unit cells. */
  readCell(frame: number): readonly number[] | null;
}

export interface DcdHeader {
  readonly atomCount: number;
  readonly frameCount: number;
  readonly firstStep?: number;
  readonly stepInterval?: number;
  /** Up to 80 characters of ASCII. */
  readonly title?: string;
}

const HEADER_BYTES = 84;
const TITLE_BYTES = 80;
const CHARMM_VERSION = 24;
const CELL_BYTES = 48;

/** Where the header's frame count is, for a writer that adds frames. */
export const DCD_FRAME_COUNT_OFFSET = 8;

const HEADER: Fields = {
  atomCount: unchecked,
  frameCount: unchecked,
  firstStep: unchecked,
  stepInterval: unchecked,
  title: requireText,
};

function requireCount(name: string, value: number, least: number): void {
  if (!(Number.isInteger(value) && value >= least && value < 2 ** 31)) {
    throwMisuse('encodeDcdHeader', `header.${name}`, value, `an integer from ${least} below 2^31`);
  }
}

export function encodeDcdHeader(header: DcdHeader): Uint8Array {
  requireFields('encodeDcdHeader', 'header', header, HEADER);
  const { atomCount, frameCount, firstStep = 0, stepInterval = 1, title = 'clearance' } = header;
  requireCount('atomCount', atomCount, 1);
  requireCount('frameCount', frameCount, 0);
  requireCount('firstStep', firstStep, 0);
  requireCount('stepInterval', stepInterval, 1);
  const bytes = new Uint8Array(8 + HEADER_BYTES + 8 + 4 + TITLE_BYTES + 8 + 4);
  const view = new DataView(bytes.buffer);
  const put = (at: number, value: number) => view.setInt32(at, value, true);
  put(0, HEADER_BYTES);
  bytes.set(new TextEncoder().encode('CORD'), 4);
  const field = (index: number) => 8 + 4 * index;
  put(field(0), frameCount);
  put(field(1), firstStep);
  put(field(2), stepInterval);
  view.setFloat32(field(9), 1, true);
  put(field(19), CHARMM_VERSION);
  put(4 + HEADER_BYTES, HEADER_BYTES);
  let at = 8 + HEADER_BYTES;
  put(at, 4 + TITLE_BYTES);
  put(at + 4, 1);
  const ascii = title
    .replace(/[^ -~]/g, '?')
    .slice(0, TITLE_BYTES)
    .padEnd(TITLE_BYTES);
  bytes.set(new TextEncoder().encode(ascii), at + 8);
  put(at + 8 + TITLE_BYTES, 4 + TITLE_BYTES);
  at += 12 + TITLE_BYTES;
  put(at, 4);
  put(at + 4, atomCount);
  put(at + 8, 4);
  return bytes;
}

/** One frame; `positions` holds 3 numbers per atom, rounded to 32 bits. */
export function encodeDcdFrame(positions: ArrayLike<number>): Uint8Array {
  requireNumbers('encodeDcdFrame', 'positions', positions);
  if (positions.length % 3 !== 0) throwMisuse('encodeDcdFrame', 'positions', positions, '3 numbers an atom');
  const count = positions.length / 3;
  const record = 4 * count + 8;
  const bytes = new Uint8Array(3 * record);
  const view = new DataView(bytes.buffer);
  for (let k = 0; k < 3; k++) {
    const start = k * record;
    view.setInt32(start, 4 * count, true);
    for (let i = 0; i < count; i++) view.setFloat32(start + 4 + 4 * i, positions[3 * i + k], true);
    view.setInt32(start + 4 + 4 * count, 4 * count, true);
  }
  return bytes;
}

/** Reads a DCD file's bytes. `value` is null when its header cannot be trusted. */
export function parseDcd(bytes: Uint8Array, options: { readonly file?: string } = {}): Parsed<DcdTrajectory> {
  requireContent('parseDcd', bytes, options, FILE_OPTIONS);
  const issues = new FileIssues(options.file);
  const records = findRecordForm(bytes);
  if (!records) {
    return issues.refuse('no-dcd', 'no record of 84 bytes with "CORD" at its start: this is no DCD trajectory');
  }
  const { reader, marker } = records;
  const integer = (index: number) => reader.at('int32', marker + 4 + 4 * index);
  const isCharmm = integer(19) !== 0;
  const fixedCount = integer(8);
  const hasCell = isCharmm && integer(10) !== 0;
  const hasFourth = isCharmm && integer(11) !== 0;
  const timeStep = reader.at(isCharmm ? 'float32' : 'float64', marker + 4 + 4 * 9);
  const titleRecord = readRecord(records, HEADER_BYTES + 2 * marker);
  const countRecord = titleRecord && readRecord(records, titleRecord.next);
  if (!titleRecord || !countRecord || titleRecord.length < 4 || countRecord.length !== 4) {
    return issues.refuse(
      'bad-header',
      'the title or the number of atoms cannot be read: the file is damaged or cut off',
    );
  }
  const atomCount = reader.at('int32', countRecord.start);
  if (!(atomCount > 0 && fixedCount >= 0 && fixedCount < atomCount)) {
    return issues.refuse('bad-header', `${atomCount} atoms, ${fixedCount} of them fixed: the file is damaged`);
  }
  const titleCount = Math.min(
    reader.at('int32', titleRecord.start),
    Math.floor((titleRecord.length - 4) / TITLE_BYTES),
  );
  const titles = Array.from({ length: Math.max(0, titleCount) }, (_, i) => {
    const from = titleRecord.start + 4 + TITLE_BYTES * i;
    return new TextDecoder('latin1').decode(bytes.subarray(from, from + TITLE_BYTES)).replace(/[\0 ]+$/, '');
  });
  let at = countRecord.next;
  let free: Int32Array | null = null;
  if (fixedCount > 0) {
    const record = readRecord(records, at);
    if (!record || record.length !== 4 * (atomCount - fixedCount)) {
      return issues.refuse('bad-header', `the list of the ${atomCount - fixedCount} atoms that move cannot be read`);
    }
    free = Int32Array.from({ length: atomCount - fixedCount }, (_, i) => reader.at('int32', record.start + 4 * i) - 1);
    if (free.some((atom) => atom < 0 || atom >= atomCount)) {
      return issues.refuse('bad-header', 'the list of the atoms that move names one that the file does not have');
    }
    at = record.next;
  }
  const planes = hasFourth ? 4 : 3;
  const cellBytes = hasCell ? CELL_BYTES + 2 * marker : 0;
  const sizeOf = (count: number) => cellBytes + planes * (4 * count + 2 * marker);
  const firstBytes = sizeOf(atomCount);
  const laterBytes = sizeOf(atomCount - fixedCount);
  const left = bytes.length - at;
  const frameCount = left < firstBytes ? 0 : 1 + Math.floor((left - firstBytes) / laterBytes);
  const used = frameCount === 0 ? 0 : firstBytes + (frameCount - 1) * laterBytes;
  if (left > used) issues.warn('cut-off', `the last frame is cut off; ${frameCount} frames are read`);
  const stated = integer(0);
  if (stated !== 0 && stated !== frameCount) {
    issues.warn('frame-count', `the header says ${stated} frames, the file holds ${frameCount}`);
  }
  const startOf = (frame: number) => (frame === 0 ? at : at + firstBytes + (frame - 1) * laterBytes);
  for (let frame = 0; frame < frameCount; frame++) {
    if (hasFrameMarkers(records, startOf(frame), hasCell, frame === 0 ? atomCount : atomCount - fixedCount)) continue;
    return issues.refuse('bad-frame', `frame ${frame + 1} has records of other lengths than its atoms need`);
  }
  return issues.finish({
    atomCount,
    frameCount,
    firstStep: integer(1),
    stepInterval: integer(2),
    timeStep,
    titles,
    readFrame: (out, frame) => {
      requireFrame('readFrame', frame, frameCount);
      if (free && frame > 0) readPlanes(records, out, startOf(0) + cellBytes, atomCount, null);
      const list = frame > 0 ? free : null;
      return readPlanes(records, out, startOf(frame) + cellBytes, list ? list.length : atomCount, list);
    },
    readCell: (frame) => {
      requireFrame('readCell', frame, frameCount);
      if (!hasCell) return null;
      return Array.from({ length: 6 }, (_, i) => reader.at('float64', startOf(frame) + marker + 8 * i));
    },
  });
}

interface RecordForm {
  readonly reader: BinaryReader;
  /** Bytes of a length marker. */
  readonly marker: 4 | 8;
}

/** Byte order and width of the length markers, told by the first record. */
function findRecordForm(bytes: Uint8Array): RecordForm | null {
  for (const littleEndian of [true, false]) {
    for (const marker of [4, 8] as const) {
      if (bytes.length < HEADER_BYTES + 2 * marker) continue;
      const form: RecordForm = { reader: new BinaryReader(bytes, littleEndian), marker };
      const word = new TextDecoder('latin1').decode(bytes.subarray(marker, marker + 4));
      const [before, after] = [readMarker(form, 0), readMarker(form, marker + HEADER_BYTES)];
      if (word === 'CORD' && before === HEADER_BYTES && after === HEADER_BYTES) return form;
    }
  }
  return null;
}

/** Length at a position; -1 for one of 2^31 and more. */
function readMarker({ reader, marker }: RecordForm, at: number): number {
  if (marker === 4) return reader.at('int32', at);
  // The low word comes first in little-endian files.
  const words = [reader.at('int32', at), reader.at('int32', at + 4)];
  const littleEndian = reader.at('int32', at) !== 0;
  const [low, high] = littleEndian ? words : [words[1], words[0]];
  return high === 0 ? low : -1;
}

interface RecordPlace {
  readonly start: number;
  readonly length: number;
  readonly next: number;
}

/** A record whose markers agree and that lies within the file; null otherwise. */
function readRecord(form: RecordForm, at: number): RecordPlace | null {
  const { reader, marker } = form;
  const size = reader.bytes.length;
  if (at + 2 * marker > size) return null;
  const length = readMarker(form, at);
  const end = at + marker + length;
  if (length < 0 || end + marker > size || readMarker(form, end) !== length) return null;
  return { start: at + marker, length, next: end + marker };
}

function hasFrameMarkers(form: RecordForm, at: number, hasCell: boolean, count: number): boolean {
  const cell = hasCell ? readRecord(form, at) : null;
  if (hasCell && cell?.length !== CELL_BYTES) return false;
  let next = cell ? cell.next : at;
  for (let k = 0; k < 3; k++) {
    const record = readRecord(form, next);
    if (record?.length !== 4 * count) return false;
    next = record.next;
  }
  return true;
}

/** x, y and z of `count` atoms, which are those in `list`, or all. */
function readPlanes(
  { reader, marker }: RecordForm,
  out: Float64Array,
  at: number,
  count: number,
  list: Int32Array | null,
): Float64Array {
  for (let k = 0; k < 3; k++) {
    const start = at + marker + k * (4 * count + 2 * marker);
    for (let i = 0; i < count; i++) out[3 * (list ? list[i] : i) + k] = reader.at('float32', start + 4 * i);
  }
  return out;
}

function requireFrame(name: string, frame: number, frameCount: number): void {
  if (!(Number.isInteger(frame) && frame >= 0 && frame < frameCount)) {
    throw new MisuseError(`${name}: frame, got ${frame}, expected 0 to ${frameCount - 1}`);
  }
}
