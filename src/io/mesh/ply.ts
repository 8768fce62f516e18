/**
 * PLY, text and binary of both byte orders.
 *
 * Read: element `vertex` with scalar x, y, z of any type; element `face` with a list `vertex_indices` or
 * `vertex_index`; element `tristrips` with the same list, -1 starting a new strip. All other properties and elements
 * are stepped over. Polygons are cut into corners - 2 triangles, every other triangle of a strip is turned so that
 * all keep the strip's side. Element counts are checked against the length of the file before anything is allocated.
 * An index that points nowhere refuses the file. PLY has no unit and no up direction.
 *
 * Source: G. Turk, The PLY polygon file format, 1994. Checked by ply.test.ts and test/oracle/mesh-files.
 */

import { requireIndexedMesh } from '../../geometry/require-mesh.js';
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import { suggestName } from '../../math/suggest-name.js';
import { FileIssues } from '../file-issues.js';
import { requireContent } from '../io-door.js';
import type { Parsed } from '../issue.js';
import { BinaryReader, SCALAR_BYTES, type ScalarType } from './binary-reader.js';
import { Int32Buffer } from './mesh-buffers.js';
import {
  DEFAULT_MAXIMUM_MESH_BYTES,
  finishMesh,
  type MeshFileContent,
  type MeshReadOptions,
  meshBytes,
  reportSurplus,
  reportUnfinishedLine,
  tooLargeMessage,
} from './mesh-content.js';
import { PolygonCutter, reportCuts } from './mesh-polygon.js';
import { forEachStripTriangle } from './mesh-strip.js';
import { decodeAscii, TextScanner } from './mesh-text.js';

interface PlyProperty {
  readonly name: string;
  readonly type: ScalarType;
  /** Type of the list's length; absent for a scalar. */
  readonly countType?: ScalarType;
}
interface PlyElement {
  readonly name: string;
  readonly count: number;
  readonly properties: PlyProperty[];
}
interface PlyHeader {
  readonly format: 'ascii' | 'binary_little_endian' | 'binary_big_endian';
  readonly elements: PlyElement[];
  /** First byte of the body. */
  readonly bodyStart: number;
  /** Line number of the body's first line. */
  readonly bodyLine: number;
}

const TYPE_NAMES: Readonly<Record<string, ScalarType>> = {
  char: 'int8',
  uchar: 'uint8',
  short: 'int16',
  ushort: 'uint16',
  int: 'int32',
  uint: 'uint32',
  float: 'float32',
  double: 'float64',
  int8: 'int8',
  uint8: 'uint8',
  int16: 'int16',
  uint16: 'uint16',
  int32: 'int32',
  uint32: 'uint32',
  float32: 'float32',
  float64: 'float64',
};
const INDEX_LISTS = ['vertex_indices', 'vertex_index'];
/** Bytes of a length and three indices of one byte each. */
const SMALLEST_FACE = 4;
const HEADER_REMARKS = new Set(['', 'comment', 'obj_info', 'ply']);
const HEADER_WORDS = ['element', 'property', 'end_header', 'format', 'comment', 'obj_info'];
const MAXIMUM_HEADER_BYTES = 65536;
const MAXIMUM_HEADER_WORDS = 6;

/** What went wrong in the body; thrown and caught within this file so that the value sources stay simple. */
class PlyBodyError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly line?: number,
  ) {
    super(message);
  }
}

/** Hands out the scalars of the body in file order. */
interface ValueSource {
  next(type: ScalarType): number;
  /** Steps over values without looking at them. */
  skip(type: ScalarType, count: number): void;
  /** Upper bound of the values that can still come, to check counts against. */
  remaining(type: ScalarType): number;
  /** Ends one entry of an element. */
  endEntry(): void;
  /** Tells what stands behind the last entry. */
  reportRest(issues: FileIssues): void;
}

/**
 * Reads a PLY, text or binary. Content is never a reason to throw: `value` is null, with one error among the issues, when the file
 * cannot be trusted. Coordinates come back as written.
 */
export function parsePly(bytes: Uint8Array, options: MeshReadOptions = {}): Parsed<MeshFileContent> {
  requireContent('parsePly', bytes, options);
  const issues = new FileIssues(options.file);
  const limit = options.maximumBytes ?? DEFAULT_MAXIMUM_MESH_BYTES;
  try {
    const header = readHeader(bytes, issues);
    const source = header.format === 'ascii' ? new TextSource(bytes, header, issues) : new BinarySource(bytes, header);
    return readBody(header, source, limit, issues);
  } catch (error) {
    if (error instanceof PlyBodyError) return issues.refuse(error.code, error.message, { line: error.line });
    throw error;
  }
}

/** Text PLY of a mesh with full double precision. */
export function writePly(mesh: TriangleMesh): Uint8Array {
  requireIndexedMesh('writePly', 'mesh', mesh);
  const { vertices, triangles } = mesh;
  const lines = [
    'ply',
    'format ascii 1.0',
    `element vertex ${vertices.length / 3}`,
    'property double x',
    'property double y',
    'property double z',
    `element face ${triangles.length / 3}`,
    'property list uchar int vertex_indices',
    'end_header',
  ];
  for (let i = 0; i < vertices.length; i += 3) lines.push(`${vertices[i]} ${vertices[i + 1]} ${vertices[i + 2]}`);
  for (let i = 0; i < triangles.length; i += 3) lines.push(`3 ${triangles[i]} ${triangles[i + 1]} ${triangles[i + 2]}`);
  return new TextEncoder().encode(`${lines.join('\n')}\n`);
}

function readHeader(bytes: Uint8Array, issues: FileIssues): PlyHeader {
  const elements: PlyElement[] = [];
  let format: PlyHeader['format'] | null = null;
  let at = 0;
  for (let line = 1; ; line++) {
    if (at >= bytes.length || at > MAXIMUM_HEADER_BYTES) {
      throw new PlyBodyError('ply-header', 'the header has no "end_header": not a PLY file, or cut off', line);
    }
    let end = at;
    const last = Math.min(bytes.length, at + MAXIMUM_HEADER_BYTES);
    while (end < last && bytes[end] !== 10 && bytes[end] !== 13) end++;
    const words = decodeAscii(bytes, at, Math.min(end, at + 1000))
      .trim()
      .split(/[ \t]+/, MAXIMUM_HEADER_WORDS);
    at = end + (bytes[end] === 13 && bytes[end + 1] === 10 ? 2 : 1);
    if (line === 1) {
      if (words[0] !== 'ply') throw new PlyBodyError('ply-header', 'the file does not begin with "ply"', line);
      continue;
    }
    const [keyword, first, second] = words;
    if (keyword === 'end_header') {
      if (!format) throw new PlyBodyError('ply-header', 'the header names no format', line);
      return { format, elements, bodyStart: at, bodyLine: line + 1 };
    }
    if (keyword === 'format') {
      if (first !== 'ascii' && first !== 'binary_little_endian' && first !== 'binary_big_endian') {
        throw new PlyBodyError('ply-header', `unknown format "${first}"`, line);
      }
      format = first;
    } else if (keyword === 'element') {
      const count = /^\d{1,15}$/.test(second ?? '') ? Number(second) : -1;
      if (count < 0) throw new PlyBodyError('ply-header', `element "${first}" has no valid count`, line);
      elements.push({ name: first, count, properties: [] });
    } else if (keyword === 'property') {
      elements.at(-1)?.properties.push(readProperty(words, line));
    } else if (!HEADER_REMARKS.has(keyword)) {
      // What resembles a word of the header may be one that is damaged; other programs' words are remarks.
      if (suggestName(keyword.slice(0, 40), HEADER_WORDS) !== null)
        throw new PlyBodyError('ply-header', `"${keyword.slice(0, 40)}" is no word of a PLY header`, line);
      issues.warn('ply-header', `"${keyword.slice(0, 40)}" is no word of a PLY header: its line is left out`, { line });
    }
  }
}

function readProperty(words: readonly string[], line: number): PlyProperty {
  const isList = words[1] === 'list';
  const type = TYPE_NAMES[words[isList ? 3 : 1]];
  const countType = isList ? TYPE_NAMES[words[2]] : undefined;
  const name = words[isList ? 4 : 2];
  if (!type || !name || (isList && (!countType || countType.startsWith('float')))) {
    throw new PlyBodyError('ply-header', `cannot read the property "${words.slice(1).join(' ')}"`, line);
  }
  return countType ? { name, type, countType } : { name, type };
}

function readBody(header: PlyHeader, source: ValueSource, limit: number, issues: FileIssues): Parsed<MeshFileContent> {
  let vertices = new Float64Array(0);
  const corners = new Int32Buffer();
  const polygons = new Int32Buffer();
  for (const element of header.elements) {
    checkCount(element, source);
    checkLists(element, issues);
    if (element.name === 'vertex') {
      const needed = meshBytes(element.count, 0);
      if (needed > limit) {
        return issues.refuse('too-large', tooLargeMessage(`a mesh of ${element.count} vertices`, needed, limit));
      }
      vertices = readVertices(element, source);
    } else if (element.name === 'face') {
      readFaces(element, source, corners, polygons, issues);
    } else if (element.name === 'tristrips') {
      readStrips(element, source, corners, polygons);
    } else {
      for (let i = 0; i < element.count; i++) {
        for (const property of element.properties) skipProperty(property, source);
        source.endEntry();
      }
    }
  }
  const vertexCount = vertices.length / 3;
  for (let i = 0; i < corners.length; i++) {
    const index = corners.data[i];
    if (!(index >= 0 && index < vertexCount)) {
      return issues.refuse('bad-vertex-index', `a face names vertex ${index}, the file has ${vertexCount} (from 0 on)`);
    }
  }
  const triangleCount = corners.length - 2 * polygons.length;
  const needed = meshBytes(vertexCount, triangleCount);
  if (needed > limit) return issues.refuse('too-large', tooLargeMessage('the mesh', needed, limit));
  const triangles = new Uint32Array(3 * triangleCount);
  const cutter = new PolygonCutter(vertices);
  for (let polygon = 0, at = 0; polygon < polygons.length; polygon++) {
    const first = polygons.data[polygon];
    const end = polygon + 1 < polygons.length ? polygons.data[polygon + 1] : corners.length;
    at = cutter.cut(triangles, at, corners.data, first, end - first);
  }
  reportCuts(cutter, issues);
  source.reportRest(issues);
  const mesh = { vertices, triangles, name: issues.file };
  const parts = [{ name: '', firstTriangle: 0, triangleCount }];
  return finishMesh(issues, { format: 'ply', mesh, parts, unit: null, upAxis: null });
}

/** Refuses a count that the rest of the file cannot hold, before anything is allocated or looped over. */
function checkCount(element: PlyElement, source: ValueSource): void {
  if (element.count === 0) return;
  if (element.properties.length === 0) {
    throw new PlyBodyError('ply-header', `element "${element.name}" has a count and no properties`);
  }
  let fits = Number.POSITIVE_INFINITY;
  // every property takes at least its scalar, or its list's count
  for (const property of element.properties) {
    fits = Math.min(fits, source.remaining(property.countType ?? property.type));
  }
  if (element.count > fits) {
    throw new PlyBodyError(
      'ply-truncated',
      `the header announces ${element.count} of "${element.name}", the file can hold at most ${fits}: it is cut off`,
    );
  }
}

/** Faces without their list, and a list of vertices in an element of another name, are words that were misspelt. */
function checkLists({ name, count, properties }: PlyElement, issues: FileIssues): void {
  const isSurface = name === 'face' || name === 'tristrips';
  const hasList = properties.some((property) => property.countType && INDEX_LISTS.includes(property.name));
  if (count === 0 || isSurface === hasList) return;
  const message = isSurface
    ? `element "${name}" has no list ${INDEX_LISTS.join(' or ')}: its ${count} entries are left out`
    : `element "${name}" is not known, and its ${count} lists of vertices are left out`;
  issues.error('ply-element', message, { assumes: 'dropped' });
}

function readVertices(element: PlyElement, source: ValueSource): Float64Array<ArrayBuffer> {
  const slots = element.properties.map((property) => (property.countType ? -1 : 'xyz'.indexOf(property.name)));
  if (!['x', 'y', 'z'].every((axis) => element.properties.some((p) => p.name === axis && !p.countType))) {
    throw new PlyBodyError('ply-header', 'element "vertex" needs the properties x, y and z');
  }
  const vertices = new Float64Array(3 * element.count);
  for (let i = 0; i < element.count; i++) {
    for (let p = 0; p < slots.length; p++) {
      const property = element.properties[p];
      if (slots[p] < 0) skipProperty(property, source);
      else {
        const value = source.next(property.type);
        if (value - value !== 0) {
          throw new PlyBodyError('bad-number', `vertex ${i} has a coordinate that is infinite or not a number`);
        }
        vertices[3 * i + slots[p]] = value;
      }
    }
    source.endEntry();
  }
  return vertices;
}

function readFaces(
  element: PlyElement,
  source: ValueSource,
  corners: Int32Buffer,
  polygons: Int32Buffer,
  issues: FileIssues,
): void {
  for (let i = 0; i < element.count; i++) {
    for (const property of element.properties) {
      if (!property.countType || !INDEX_LISTS.includes(property.name)) {
        skipProperty(property, source);
        continue;
      }
      const length = readLength(property, source);
      if (length < 3) {
        issues.warn('short-face', `face ${i} of ${length} vertices was left out`, { assumes: 'guessed' });
        source.skip(property.type, length);
        continue;
      }
      polygons.push(corners.length);
      for (let k = 0; k < length; k++) corners.push(readIndex(property, source));
    }
    source.endEntry();
  }
}

function readStrips(element: PlyElement, source: ValueSource, corners: Int32Buffer, polygons: Int32Buffer): void {
  for (let i = 0; i < element.count; i++) {
    for (const property of element.properties) {
      if (!property.countType || !INDEX_LISTS.includes(property.name)) {
        skipProperty(property, source);
        continue;
      }
      const strip = new Int32Array(readLength(property, source));
      for (let k = 0; k < strip.length; k++) strip[k] = readIndex(property, source);
      forEachStripTriangle(strip, (a, b, c) => {
        polygons.push(corners.length);
        corners.push(a);
        corners.push(b);
        corners.push(c);
      });
    }
    source.endEntry();
  }
}

function readIndex(property: PlyProperty, source: ValueSource): number {
  const index = source.next(property.type);
  // -2 is never a vertex: it is refused with the others that point nowhere
  return index >= -1 && index <= 0x7fffffff && Math.floor(index) === index ? index : -2;
}

function readLength(property: PlyProperty, source: ValueSource): number {
  const length = source.next(property.countType!);
  if (!(length >= 0 && length <= source.remaining(property.type))) {
    throw new PlyBodyError('ply-truncated', `a list "${property.name}" of ${length} values does not fit into the file`);
  }
  return length;
}

function skipProperty(property: PlyProperty, source: ValueSource): void {
  if (property.countType) source.skip(property.type, readLength(property, source));
  else source.skip(property.type, 1);
}

class TextSource implements ValueSource {
  private readonly bytes: Uint8Array;
  private readonly scanner: TextScanner;

  constructor(
    bytes: Uint8Array,
    header: PlyHeader,
    private readonly issues: FileIssues,
  ) {
    this.bytes = bytes;
    this.scanner = new TextScanner(bytes, {}, header.bodyStart);
    this.scanner.line = header.bodyLine;
  }

  next(): number {
    const { scanner } = this;
    if (!scanner.skipToToken()) throw new PlyBodyError('ply-truncated', 'the file ends too early', scanner.line);
    const value = scanner.readNumber();
    if (Number.isNaN(value)) {
      throw new PlyBodyError('bad-number', `"${scanner.peekToken()}" is no number`, scanner.line);
    }
    return value;
  }

  skip(_type: ScalarType, count: number): void {
    for (let i = 0; i < count; i++) {
      if (!this.scanner.skipToToken()) {
        throw new PlyBodyError('ply-truncated', 'the file ends too early', this.scanner.line);
      }
      this.scanner.skipToken();
    }
  }

  remaining(): number {
    // a value takes a digit and a blank, the last one no blank
    return Math.ceil((this.scanner.end - this.scanner.position) / 2);
  }

  reportRest(issues: FileIssues): void {
    const { scanner } = this;
    if (scanner.skipToToken()) reportSurplus(issues, `"${scanner.peekToken()}"`, scanner.line);
    else reportUnfinishedLine(issues, this.bytes, scanner.line);
  }

  /** An entry is a line of text: values beyond the announced ones are no part of the next entry. */
  endEntry(): void {
    const { scanner, issues } = this;
    if (scanner.skipBlanks()) {
      issues.warn('surplus-values', `"${scanner.peekToken()}" is beyond the properties that the header announces`, {
        line: scanner.line,
        assumes: 'guessed',
      });
    }
    scanner.nextLine();
  }
}

class BinarySource implements ValueSource {
  private readonly reader: BinaryReader;

  constructor(bytes: Uint8Array, header: PlyHeader) {
    this.reader = new BinaryReader(bytes, header.format === 'binary_little_endian', header.bodyStart);
  }

  next(type: ScalarType): number {
    const { reader } = this;
    const size = SCALAR_BYTES[type];
    if (reader.remaining < size) throw new PlyBodyError('ply-truncated', 'the file ends too early: it is cut off');
    const value = reader.at(type, reader.position);
    reader.position += size;
    return value;
  }

  skip(type: ScalarType, count: number): void {
    const size = SCALAR_BYTES[type] * count;
    if (this.reader.remaining < size) {
      throw new PlyBodyError('ply-truncated', 'the file ends too early: it is cut off');
    }
    this.reader.position += size;
  }

  remaining(type: ScalarType): number {
    return Math.floor(this.reader.remaining / SCALAR_BYTES[type]);
  }

  endEntry(): void {}

  reportRest(issues: FileIssues): void {
    const { remaining } = this.reader;
    if (remaining >= SMALLEST_FACE) reportSurplus(issues, `room of ${remaining} bytes`);
    else if (remaining > 0) issues.warn('surplus-bytes', `${remaining} bytes after the last value were ignored`);
  }
}
