/**
 * OFF (Object File Format of Geomview), text.
 *
 * Read: the header words OFF, COFF, NOFF, CNOFF, STOFF... (or none), comments, counts, vertices (only x, y, z; normals
 * and colours up to the line's end are skipped), polygons of any size with or without colours, indices spread over
 * several lines. Refused: 4OFF and nOFF (no 3-D points) and OFF BINARY.
 *
 * Checked by off.test.ts and test/oracle/mesh-files.
 */

import { FileIssues } from '../file-issues.js';
import { requireContent } from '../io-door.js';
import type { Parsed } from '../issue.js';
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
import { badNumberMessage, TextScanner } from './mesh-text.js';

/**
 * Reads an OFF text. Content is never a reason to throw: `value` is null, with one error among the issues, when the file
 * cannot be trusted. Coordinates come back as written.
 */
export function parseOff(bytes: Uint8Array, options: MeshReadOptions = {}): Parsed<MeshFileContent> {
  requireContent('parseOff', bytes, options);
  const issues = new FileIssues(options.file);
  const limit = options.maximumBytes ?? DEFAULT_MAXIMUM_MESH_BYTES;
  const scanner = new TextScanner(bytes, { comments: true });
  const counts = readCounts(scanner);
  if (typeof counts === 'string') return issues.refuse('off-header', counts, { line: scanner.line });
  const [vertexCount, faceCount] = counts;
  // every number takes a digit and a blank
  const fits = Math.ceil((scanner.end - scanner.position) / 2);
  if (3 * vertexCount + faceCount > fits) {
    return issues.refuse(
      'off-truncated',
      `the header announces ${vertexCount} vertices and ${faceCount} faces, too many for a file of ` +
        `${bytes.length} bytes: it is cut off or damaged`,
    );
  }
  const needed = meshBytes(vertexCount, faceCount);
  if (needed > limit) return issues.refuse('too-large', tooLargeMessage('the mesh', needed, limit));

  const vertices = new Float64Array(3 * vertexCount);
  for (let i = 0; i < vertices.length; i += 3) {
    scanner.skipToToken();
    for (let k = 0; k < 3; k++) {
      scanner.skipBlanks();
      const value = scanner.readNumber();
      if (value - value !== 0) return issues.refuse('bad-number', badNumberMessage(scanner), { line: scanner.line });
      vertices[i + k] = value;
    }
    scanner.nextLine();
  }

  const corners = new Int32Buffer();
  const faces = new Int32Buffer();
  let colour = -1;
  for (let face = 0; face < faceCount; face++) {
    if (!scanner.skipToToken()) {
      return issues.refuse('off-truncated', `the file ends after ${face} of ${faceCount} faces: it is cut off`);
    }
    const line = scanner.line;
    const count = scanner.readInteger();
    if (count === null || count < 0) {
      return issues.refuse('off-face', `a face begins with its number of vertices, found "${scanner.peekToken()}"`, {
        line,
      });
    }
    const first = corners.length;
    for (let k = 0; k < count; k++) {
      const index = scanner.skipToToken() ? scanner.readInteger() : null;
      if (index === null || index < 0 || index >= vertexCount) {
        return issues.refuse(
          'bad-vertex-index',
          `a face names vertex ${index ?? `"${scanner.peekToken()}"`}, the file has ${vertexCount} (from 0 on)`,
          { line },
        );
      }
      corners.push(index);
    }
    if (count < 3) {
      issues.warn('short-face', `a face of ${count} vertices was left out`, { line, assumes: 'guessed' });
      corners.length = first;
    } else faces.push(first);
    // the rest of the line is a colour, which has a form of its own in each file
    const values = countTokens(scanner);
    if (colour >= 0 && values !== colour) {
      issues.warn('off-colour', `${values} values follow the vertices of this face, ${colour} those of the first`, {
        line,
        assumes: 'guessed',
      });
    }
    if (colour < 0) colour = values;
    scanner.nextLine();
  }

  if (scanner.skipToToken()) reportSurplus(issues, `"${scanner.peekToken()}"`, scanner.line);
  else if (faceCount > 0) reportUnfinishedLine(issues, bytes, scanner.line);

  const triangleCount = corners.length - 2 * faces.length;
  const triangles = new Uint32Array(3 * triangleCount);
  const cutter = new PolygonCutter(vertices);
  for (let face = 0, at = 0; face < faces.length; face++) {
    const end = face + 1 < faces.length ? faces.data[face + 1] : corners.length;
    at = cutter.cut(triangles, at, corners.data, faces.data[face], end - faces.data[face]);
  }
  reportCuts(cutter, issues);
  const mesh = { vertices, triangles, name: options.file };
  const parts = [{ name: '', firstTriangle: 0, triangleCount }];
  return finishMesh(issues, { format: 'off', mesh, parts, unit: null, upAxis: null });
}

/** Moves to the end of the line. */
function countTokens(scanner: TextScanner): number {
  let count = 0;
  while (scanner.skipBlanks()) {
    scanner.skipToken();
    count++;
  }
  return count;
}

/** Vertex and face count, or what is wrong with the header. */
function readCounts(scanner: TextScanner): [number, number] | string {
  scanner.skipToToken();
  const word = scanner.peekToken();
  if (/^[A-Za-z4]*OFF$/.test(word)) {
    if (/4|n/.test(word)) return `"${word}" holds no three-dimensional points: only OFF with x y z is read`;
    scanner.skipToken();
    scanner.skipToToken();
    if (scanner.peekToken().toUpperCase() === 'BINARY') return 'binary OFF is not read: save as text';
  }
  const counts: number[] = [];
  for (let i = 0; i < 3; i++) {
    // the number of edges may be missing
    if (i === 2 ? !scanner.skipBlanks() : !scanner.skipToToken()) break;
    const count = scanner.readInteger();
    if (count === null || count < 0) break;
    counts.push(count);
  }
  if (counts.length < 2) return 'the file needs its counts of vertices and faces at the beginning: not an OFF file';
  return [counts[0], counts[1]];
}
