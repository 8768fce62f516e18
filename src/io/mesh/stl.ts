/**
 * STL, binary and text.
 *
 * Which of the two is decided from the file, not from its first word: a length of exactly 84 + 50 n with n from the
 * count field is binary even when the header says "solid"; otherwise a file that starts with "solid" and has no zero
 * byte near its start is text. Counts are checked against the length before anything is allocated. Coordinates are
 * float32 widened to double, so they are exact. Vertices stay three per triangle; `weldVertices` merges equal ones.
 * Normals and attribute bytes are ignored: the winding says what is outside. Several solids become parts. STL has no
 * unit and no up direction.
 *
 * Checked by stl.test.ts and test/oracle/mesh-files.
 */

import { requireIndexedMesh } from '../../geometry/require-mesh.js';
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import { requireNotNegative } from '../../math/arguments.js';
import { hypot } from '../../math/scalar.js';
import { FileIssues } from '../file-issues.js';
import { MESH_OPTIONS, requireContent } from '../io-door.js';
import type { Issue, Parsed } from '../issue.js';
import { Float64Buffer } from './mesh-buffers.js';
import {
  DEFAULT_MAXIMUM_MESH_BYTES,
  finishMesh,
  type MeshFileContent,
  type MeshPart,
  type MeshReadOptions,
  meshBytes,
  PartStarts,
  reportSurplus,
  tooLargeMessage,
} from './mesh-content.js';
import { badNumberMessage, TextScanner } from './mesh-text.js';

/** 80 bytes of free text and the count. */
const HEADER_BYTES = 84;
const TRIANGLE_BYTES = 50;
/** A name that swallowed the line after it. */
const FACET_IN_NAME = /(^|\s)(facet\s+normal|outer\s+loop|vertex\s+[-+.\d])/i;

/**
 * Reads an STL, binary or text. Content is never a reason to throw: `value` is null, with one error among the issues,
 * when the file cannot be trusted. Coordinates come back as written.
 */
export function parseStl(bytes: Uint8Array, options: MeshReadOptions = {}): Parsed<MeshFileContent> {
  requireContent('parseStl', bytes, options);
  const issues = new FileIssues(options.file);
  if (bytes.length === 0) return issues.refuse('empty-file', 'the file is empty: export or download it again');
  if (isTextStl(bytes)) return readText(bytes, options, issues);
  const refusal = inspectBinaryStl(bytes, bytes.length, options);
  if (refusal) return { value: null, issues: [refusal] };
  return readBinary(bytes, options, issues);
}

/**
 * Checks a binary STL from its first 84 bytes and its length, so that a loader can refuse before it reads the rest.
 * Returns the refusal, or null when the file may be read.
 */
export function inspectBinaryStl(header: Uint8Array, fileBytes: number, options: MeshReadOptions = {}): Issue | null {
  requireContent('inspectBinaryStl', header, options, MESH_OPTIONS, 'header');
  requireNotNegative('inspectBinaryStl', 'fileBytes', fileBytes);
  const issues = new FileIssues(options.file);
  const limit = options.maximumBytes ?? DEFAULT_MAXIMUM_MESH_BYTES;
  if (header.length < HEADER_BYTES) {
    issues.refuse('stl-truncated', `neither text nor binary STL: ${header.length} bytes, a binary header has 84`);
  } else {
    const count = triangleCountOf(header);
    const announced = HEADER_BYTES + TRIANGLE_BYTES * count;
    const needed = meshBytes(3 * count, count);
    if (announced > fileBytes) {
      issues.refuse(
        'stl-truncated',
        `the header announces ${count} triangles (${announced} bytes), the file has ${fileBytes} bytes: ` +
          'it is cut off or no STL; export or download it again',
      );
    } else if (needed > limit) {
      issues.refuse('too-large', tooLargeMessage(`a mesh of ${count} triangles`, needed, limit));
    }
  }
  return issues.list[0] ?? null;
}

/** Binary STL of a mesh: float32 coordinates, normals from the winding, no attributes. */
export function writeStl(mesh: TriangleMesh): Uint8Array {
  requireIndexedMesh('writeStl', 'mesh', mesh);
  const { vertices, triangles } = mesh;
  const count = triangles.length / 3;
  const bytes = new Uint8Array(HEADER_BYTES + TRIANGLE_BYTES * count);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode('binary STL'));
  view.setUint32(80, count, true);
  for (let t = 0, at = HEADER_BYTES; t < count; t++, at += TRIANGLE_BYTES) {
    const a = 3 * triangles[3 * t];
    const b = 3 * triangles[3 * t + 1];
    const c = 3 * triangles[3 * t + 2];
    const ux = vertices[b] - vertices[a];
    const uy = vertices[b + 1] - vertices[a + 1];
    const uz = vertices[b + 2] - vertices[a + 2];
    const vx = vertices[c] - vertices[a];
    const vy = vertices[c + 1] - vertices[a + 1];
    const vz = vertices[c + 2] - vertices[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const length = hypot(nx, ny, nz) || 1;
    view.setFloat32(at, nx / length, true);
    view.setFloat32(at + 4, ny / length, true);
    view.setFloat32(at + 8, nz / length, true);
    for (let k = 0; k < 3; k++) {
      view.setFloat32(at + 12 + 4 * k, vertices[a + k], true);
      view.setFloat32(at + 24 + 4 * k, vertices[b + k], true);
      view.setFloat32(at + 36 + 4 * k, vertices[c + k], true);
    }
  }
  return bytes;
}

function triangleCountOf(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(80, true);
}

function isTextStl(bytes: Uint8Array): boolean {
  if (bytes.length >= HEADER_BYTES && bytes.length === HEADER_BYTES + TRIANGLE_BYTES * triangleCountOf(bytes)) {
    return false;
  }
  const scanner = new TextScanner(bytes);
  scanner.skipToToken();
  if (scanner.peekToken(5).toLowerCase() !== 'solid') return false;
  return !bytes.subarray(0, 512).includes(0);
}

function readBinary(bytes: Uint8Array, options: MeshReadOptions, issues: FileIssues): Parsed<MeshFileContent> {
  const count = triangleCountOf(bytes);
  const surplus = bytes.length - HEADER_BYTES - TRIANGLE_BYTES * count;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const vertices = new Float64Array(9 * count);
  const triangles = new Uint32Array(3 * count);
  for (let t = 0, out = 0, at = HEADER_BYTES + 12; t < count; t++, at += TRIANGLE_BYTES) {
    let sum = 0;
    for (let k = 0; k < 36; k += 4) {
      const value = view.getFloat32(at + k, true);
      sum += value - value;
      vertices[out++] = value;
    }
    if (sum !== 0) {
      return issues.refuse('bad-number', `triangle ${t} has a coordinate that is infinite or not a number`);
    }
  }
  if (surplus >= TRIANGLE_BYTES && surplus % TRIANGLE_BYTES === 0) {
    reportSurplus(issues, `room for ${surplus / TRIANGLE_BYTES} more triangles`);
  } else if (surplus > 0) issues.warn('surplus-bytes', `${surplus} bytes after the last triangle were ignored`);
  for (let i = 0; i < triangles.length; i++) triangles[i] = i;
  const mesh = { vertices, triangles, name: options.file };
  const parts = [{ name: '', firstTriangle: 0, triangleCount: count }];
  return finishMesh(issues, { format: 'stl', mesh, parts, unit: null, upAxis: null });
}

function readText(bytes: Uint8Array, options: MeshReadOptions, issues: FileIssues): Parsed<MeshFileContent> {
  const limit = options.maximumBytes ?? DEFAULT_MAXIMUM_MESH_BYTES;
  if (bytes.length > limit) {
    return issues.refuse('too-large', tooLargeMessage('the text of the mesh', bytes.length, limit));
  }
  const scanner = new TextScanner(bytes);
  const vertices = new Float64Buffer();
  const solids = new PartStarts(issues);
  let open = false;
  const refuse = (code: string, message: string): Parsed<MeshFileContent> =>
    issues.refuse(code, message, { line: scanner.line });
  while (scanner.skipToToken()) {
    const word = scanner.peekToken(12).toLowerCase();
    switch (word) {
      case 'vertex': {
        scanner.skipToken();
        scanner.skipBlanks();
        const x = scanner.readNumber();
        scanner.skipBlanks();
        const y = scanner.readNumber();
        scanner.skipBlanks();
        const z = scanner.readNumber();
        if (x - x + (y - y) + (z - z) !== 0) return refuse('bad-number', badNumberMessage(scanner));
        vertices.push3(x, y, z);
        break;
      }
      case 'facet':
        if (vertices.length % 9 !== 0) return refuse('stl-facet', 'a facet needs exactly three vertices');
        skipFacetWords(scanner);
        break;
      case 'outer':
      case 'loop':
        if (vertices.length % 9 !== 0) return refuse('stl-facet', 'a vertex stands before the loop of its facet');
        skipFacetWords(scanner);
        break;
      case 'endloop':
      case 'endfacet':
        // each facet must have had its three vertices
        if (vertices.length % 9 !== 0) return refuse('stl-facet', 'a facet needs exactly three vertices');
        scanner.skipToken();
        break;
      case 'solid':
      case 'endsolid': {
        if (vertices.length % 9 !== 0) return refuse('stl-facet', 'a facet needs exactly three vertices');
        scanner.skipToken();
        scanner.skipBlanks();
        const name = scanner.peekLine();
        if (FACET_IN_NAME.test(name))
          return refuse('stl-syntax', 'a facet stands in the name of a solid: break the line');
        if (word === 'solid') solids.begin(name, vertices.length / 9);
        open = word === 'solid';
        scanner.nextLine();
        break;
      }
      default:
        return refuse('stl-syntax', `"${scanner.peekToken()}" is no word of a text STL`);
    }
  }
  if (vertices.length % 9 !== 0 || open) {
    const place = vertices.length % 9 === 0 ? 'before "endsolid"' : 'within a facet';
    return refuse('stl-truncated', `the file ends ${place}: it is cut off; export or download it again`);
  }
  const triangleCount = vertices.length / 9;
  const needed = meshBytes(3 * triangleCount, triangleCount);
  if (needed > limit) return issues.refuse('too-large', tooLargeMessage('the mesh', needed, limit));
  const parts: MeshPart[] = solids.names.map((name, i) => {
    const firstTriangle = solids.starts[i];
    return { name, firstTriangle, triangleCount: (solids.starts[i + 1] ?? triangleCount) - firstTriangle };
  });
  const triangles = new Uint32Array(3 * triangleCount);
  for (let i = 0; i < triangles.length; i++) triangles[i] = i;
  const mesh = { vertices: vertices.take(), triangles, name: options.file };
  return finishMesh(issues, { format: 'stl', mesh, parts, unit: null, upAxis: null });
}

/** `facet normal x y z` or `outer loop`: the normal is skipped unread, it may be "nan" or missing. */
function skipFacetWords(scanner: TextScanner): void {
  scanner.skipToken();
  while (scanner.skipBlanks()) {
    const c = scanner.bytes[scanner.position] | 32;
    // a word that starts another statement on the same line
    if (c === 118 || c === 101 || c === 111) return;
    scanner.skipToken();
  }
}
