/**
 * PCD point clouds of the Point Cloud Library, version .5 to .7: data ascii, binary and binary_compressed.
 *
 * Read: fields x, y and z of any type and size, wherever they stand among the others. Points with a coordinate that is not
 * finite are left out and counted: sensors mark rays without return so. The viewpoint is reported, never applied.
 * Compressed data holds field after field (all x, then all y, ...) in the LZF format: literal runs, and copies of up to 264
 * bytes from at most 8191 bytes back. Counts and sizes are checked against the file before anything is allocated.
 *
 * Source: Rusu, Cousins 2011, "3D is here: Point Cloud Library (PCL)", doi:10.1109/ICRA.2011.5980567, and its file format
 * page. Units: as written, metres by convention. Checked by pcd.test.ts.
 */

import { FileIssues } from '../file-issues.js';
import { requireContent } from '../io-door.js';
import type { Parsed } from '../issue.js';
import { BinaryReader, SCALAR_BYTES, type ScalarType } from '../mesh/binary-reader.js';
import {
  DEFAULT_MAXIMUM_MESH_BYTES,
  type MeshReadOptions,
  reportSurplus,
  reportUnfinishedLine,
} from '../mesh/mesh-content.js';
import { decodeAscii, TextScanner } from '../mesh/mesh-text.js';

export interface PcdContent {
  /** 3 numbers per point, in file order; only finite ones. */
  readonly points: Float64Array;
  /** Points of the file, those left out included. */
  readonly pointCount: number;
  readonly data: 'ascii' | 'binary' | 'binary_compressed';
  /** Sensor pose as written: x y z, then qw qx qy qz; null when the header has none. */
  readonly viewpoint: readonly number[] | null;
}

interface Field {
  readonly name: string;
  readonly type: ScalarType;
  readonly count: number;
  /** First byte in a point, first value in a line, and bytes before it in all points together. */
  readonly byteOffset: number;
  readonly valueOffset: number;
}

interface Header {
  readonly fields: readonly Field[];
  readonly pointBytes: number;
  readonly pointCount: number;
  readonly data: PcdContent['data'];
  readonly viewpoint: readonly number[] | null;
  readonly bodyStart: number;
  readonly bodyLine: number;
}

const HEADER_WORDS = new Set('VERSION FIELDS COLUMNS SIZE TYPE COUNT WIDTH HEIGHT VIEWPOINT POINTS DATA'.split(' '));
const MAXIMUM_HEADER_BYTES = 65536;
const MAXIMUM_FIELDS = 256;
const TYPES: Readonly<Record<string, ScalarType>> = {
  I1: 'int8',
  U1: 'uint8',
  I2: 'int16',
  U2: 'uint16',
  I4: 'int32',
  U4: 'uint32',
  F4: 'float32',
  F8: 'float64',
};

/** Reads a PCD file. Content never throws: `value` is null, with one error among the issues, when it cannot be trusted. */
export function parsePcd(bytes: Uint8Array, options: MeshReadOptions = {}): Parsed<PcdContent> {
  requireContent('parsePcd', bytes, options);
  const issues = new FileIssues(options.file);
  const header = readHeader(bytes);
  if (typeof header === 'string') return issues.refuse('pcd-header', header);
  const { pointCount, viewpoint, data } = header;
  const limit = options.maximumBytes ?? DEFAULT_MAXIMUM_MESH_BYTES;
  if (24 * pointCount > limit)
    return issues.refuse('too-large', `${pointCount} points need ${24 * pointCount} bytes, the limit is ${limit}`);
  const all =
    data === 'ascii'
      ? readText(bytes, header, issues)
      : data === 'binary'
        ? readBinary(bytes, header, header.bodyStart, false)
        : readCompressed(bytes, header, limit);
  if (typeof all === 'string') return issues.refuse('pcd-data', all);
  const surplus = data === 'binary' ? bytes.length - header.bodyStart - pointCount * header.pointBytes : 0;
  if (surplus >= header.pointBytes) reportSurplus(issues, `room of ${surplus} bytes`);
  const points = dropNotFinite(all);
  const left = pointCount - points.length / 3;
  if (left > 0) issues.warn('points-left-out', `${left} of ${pointCount} points have no finite coordinates`);
  if (viewpoint && [0, 0, 0, 1, 0, 0, 0].some((x, i) => viewpoint[i] !== x))
    issues.warn('viewpoint', `the viewpoint ${viewpoint.join(' ')} is not applied: points stay as written`);
  return issues.finish({ points, pointCount, data, viewpoint });
}

function readHeader(bytes: Uint8Array): Header | string {
  const entries = new Map<string, string[]>();
  let at = 0;
  for (let line = 1; at < bytes.length && at < MAXIMUM_HEADER_BYTES; line++) {
    let end = at;
    while (end < bytes.length && bytes[end] !== 10 && end - at < MAXIMUM_HEADER_BYTES) end++;
    const words = decodeAscii(bytes, at, end).trim().split(/\s+/);
    at = end + 1;
    if (words[0] === '' || words[0].startsWith('#')) continue;
    const keyword = words[0].toUpperCase();
    if (!HEADER_WORDS.has(keyword)) return `line ${line}: "${words[0].slice(0, 40)}" is no word of a PCD header`;
    entries.set(keyword, words.slice(1));
    if (words[0].toUpperCase() === 'DATA') return finishHeader(entries, at, line + 1);
  }
  return 'the header has no "DATA" line: not a PCD file, or cut off';
}

function finishHeader(entries: Map<string, string[]>, bodyStart: number, bodyLine: number): Header | string {
  const names = entries.get('FIELDS') ?? entries.get('COLUMNS') ?? [];
  const sizes = (entries.get('SIZE') ?? []).map(Number);
  const types = entries.get('TYPE') ?? [];
  const counts = (entries.get('COUNT') ?? names.map(() => '1')).map(Number);
  if (
    names.length === 0 ||
    names.length > MAXIMUM_FIELDS ||
    sizes.length !== names.length ||
    types.length !== names.length
  )
    return `FIELDS, SIZE and TYPE list ${names.length}, ${sizes.length} and ${types.length} entries; they must agree`;
  const fields: Field[] = [];
  let byteOffset = 0;
  let valueOffset = 0;
  for (const [i, name] of names.entries()) {
    const type = TYPES[`${types[i]?.toUpperCase()}${sizes[i]}`];
    const count = counts[i] ?? 1;
    // 8-byte integers are stepped over: no coordinate is one.
    const size = type ? SCALAR_BYTES[type] : sizes[i];
    if (
      (!type && (sizes[i] !== 8 || 'xyz'.includes(name))) ||
      !(Number.isInteger(count) && count >= 1 && count < 65536)
    )
      return `field "${name}" has type ${types[i]}, size ${sizes[i]} and count ${counts[i]}, which is not read`;
    fields.push({ name, type: type ?? 'float64', count, byteOffset, valueOffset });
    byteOffset += size * count;
    valueOffset += count;
  }
  if (!['x', 'y', 'z'].every((axis) => fields.some(({ name }) => name === axis)))
    return `the fields are ${names.join(' ')}; x, y and z are needed`;
  const number = (key: string): number => Number(entries.get(key)?.[0] ?? Number.NaN);
  const pointCount = entries.has('POINTS')
    ? number('POINTS')
    : number('WIDTH') * (entries.has('HEIGHT') ? number('HEIGHT') : 1);
  if (!(Number.isSafeInteger(pointCount) && pointCount >= 0)) return 'the header names no number of points';
  const size = number('WIDTH') * number('HEIGHT');
  if (!Number.isNaN(size) && size !== pointCount)
    return `WIDTH and HEIGHT make ${size} points, POINTS says ${pointCount}; they must agree`;
  const data = (entries.get('DATA')?.[0] ?? '').toLowerCase();
  if (data !== 'ascii' && data !== 'binary' && data !== 'binary_compressed') return `data "${data}" is not read`;
  const viewpoint = entries.get('VIEWPOINT')?.map(Number);
  return {
    fields,
    pointBytes: byteOffset,
    pointCount,
    data,
    viewpoint: viewpoint?.length === 7 ? viewpoint : null,
    bodyStart,
    bodyLine,
  };
}

/** Fields x, y, z in this order. */
function findAxes({ fields }: Header): Field[] {
  return ['x', 'y', 'z'].map((axis) => fields.find(({ name }) => name === axis) as Field);
}

function readText(bytes: Uint8Array, header: Header, issues: FileIssues): Float64Array | string {
  const { pointCount, fields } = header;
  const values = fields.reduce((sum, { count }) => sum + count, 0);
  if (2 * values * pointCount > bytes.length - header.bodyStart + 1)
    return `${pointCount} points are announced, the file is too short for them: it is cut off`;
  const slots = new Map(findAxes(header).map(({ valueOffset }, k) => [valueOffset, k] as const));
  const scanner = new TextScanner(bytes, {}, header.bodyStart);
  scanner.line = header.bodyLine;
  const out = new Float64Array(3 * pointCount);
  for (let i = 0; i < pointCount; i++)
    for (let v = 0; v < values; v++) {
      if (!scanner.skipToToken()) return `line ${scanner.line}: the data ends after ${i} of ${pointCount} points`;
      const slot = slots.get(v);
      if (slot === undefined) {
        scanner.skipToken();
        continue;
      }
      const word = scanner.peekToken();
      if (/^[+-]?(nan|inf)/i.test(word)) {
        out[3 * i + slot] = Number.NaN;
        scanner.skipToken();
        continue;
      }
      const value = scanner.readNumber();
      if (value - value !== 0) return `line ${scanner.line}: "${word}" is no number, or none that a double holds`;
      out[3 * i + slot] = value;
    }
  if (scanner.skipToToken()) reportSurplus(issues, `"${scanner.peekToken()}"`, scanner.line);
  else reportUnfinishedLine(issues, bytes, scanner.line);
  return out;
}

/** `byField`: all values of a field lie together, field after field; else point after point. */
function readBinary(bytes: Uint8Array, header: Header, start: number, byField: boolean): Float64Array | string {
  const { pointCount, pointBytes } = header;
  if (pointCount * pointBytes > bytes.length - start)
    return `${pointCount} points of ${pointBytes} bytes are announced, ${bytes.length - start} bytes are there: the file is cut off`;
  const reader = new BinaryReader(bytes, true);
  const out = new Float64Array(3 * pointCount);
  for (const [k, { type, byteOffset, count }] of findAxes(header).entries()) {
    const first = start + (byField ? byteOffset * pointCount : byteOffset);
    const step = byField ? SCALAR_BYTES[type] * count : pointBytes;
    for (let i = 0; i < pointCount; i++) out[3 * i + k] = reader.at(type, first + i * step);
  }
  return out;
}

function readCompressed(bytes: Uint8Array, header: Header, limit: number): Float64Array | string {
  const { bodyStart, pointCount, pointBytes } = header;
  if (bytes.length < bodyStart + 8) return 'the sizes before the compressed data are missing: the file is cut off';
  const reader = new BinaryReader(bytes, true);
  const packed = reader.at('uint32', bodyStart);
  const size = reader.at('uint32', bodyStart + 4);
  if (packed > bytes.length - bodyStart - 8)
    return `${packed} bytes of compressed data are announced, the file is cut off`;
  if (size !== pointCount * pointBytes || size > limit)
    return `the data expands to ${size} bytes, ${pointCount} points of ${pointBytes} bytes are announced`;
  // A byte of LZF makes at most 264 / 3 bytes: a size beyond that is a lie, found before it is allocated.
  if (size > 88 * packed) return `${packed} bytes cannot expand to ${size}`;
  const expanded = expandLzf(bytes.subarray(bodyStart + 8, bodyStart + 8 + packed), size);
  return expanded ? readBinary(expanded, header, 0, true) : 'the compressed data is broken';
}

/** LZF to exactly `size` bytes; null when it is broken. */
export function expandLzf(packed: Uint8Array, size: number): Uint8Array | null {
  const out = new Uint8Array(size);
  let from = 0;
  let to = 0;
  while (from < packed.length) {
    const control = packed[from++];
    if (control < 32) {
      const count = control + 1;
      if (from + count > packed.length || to + count > size) return null;
      out.set(packed.subarray(from, from + count), to);
      from += count;
      to += count;
      continue;
    }
    let count = control >> 5;
    if (count === 7) {
      if (from >= packed.length) return null;
      count += packed[from++];
    }
    count += 2;
    if (from >= packed.length) return null;
    let back = to - ((control & 31) << 8) - packed[from++] - 1;
    if (back < 0 || to + count > size) return null;
    // Byte by byte: the copy may run into itself.
    for (let i = 0; i < count; i++) out[to++] = out[back++];
  }
  return to === size ? out : null;
}

function dropNotFinite(points: Float64Array): Float64Array {
  let kept = 0;
  for (let i = 0; i < points.length; i += 3) {
    if (!Number.isFinite(points[i] + points[i + 1] + points[i + 2])) continue;
    for (let k = 0; k < 3; k++) points[kept + k] = points[i + k];
    kept += 3;
  }
  return kept === points.length ? points : points.slice(0, kept);
}
