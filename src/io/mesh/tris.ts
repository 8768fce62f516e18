/**
 * The triangle soup text of the PQP demonstrations (`.tris`): a count, then nine numbers per triangle.
 *
 * Checked by mesh.test.ts and test/oracle/mesh-files.
 */

import { FileIssues } from '../file-issues.js';
import { requireContent } from '../io-door.js';
import type { Parsed } from '../issue.js';
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
import { badNumberMessage, TextScanner } from './mesh-text.js';

/**
 * Reads a text of triangles. Content is never a reason to throw: `value` is null, with one error among the issues, when the file
 * cannot be trusted. Coordinates come back as written.
 */
export function parseTris(bytes: Uint8Array, options: MeshReadOptions = {}): Parsed<MeshFileContent> {
  requireContent('parseTris', bytes, options);
  const issues = new FileIssues(options.file);
  const limit = options.maximumBytes ?? DEFAULT_MAXIMUM_MESH_BYTES;
  const scanner = new TextScanner(bytes);
  const count = scanner.skipToToken() ? scanner.readInteger() : null;
  if (count === null || count < 0) return issues.refuse('tris-header', 'the file must begin with its triangle count');
  // every number takes a digit and a blank
  if (9 * count > Math.ceil((scanner.end - scanner.position) / 2)) {
    return issues.refuse('tris-truncated', `the file announces ${count} triangles and is too short for them`);
  }
  const needed = meshBytes(3 * count, count);
  if (needed > limit) return issues.refuse('too-large', tooLargeMessage('the mesh', needed, limit));
  const vertices = new Float64Array(9 * count);
  for (let i = 0; i < vertices.length; i++) {
    scanner.skipToToken();
    const value = scanner.readNumber();
    if (value - value !== 0) return issues.refuse('bad-number', badNumberMessage(scanner), { line: scanner.line });
    vertices[i] = value;
  }
  if (scanner.skipToToken()) reportSurplus(issues, `"${scanner.peekToken()}"`, scanner.line);
  else reportUnfinishedLine(issues, bytes, scanner.line);
  const triangles = new Uint32Array(3 * count);
  for (let i = 0; i < triangles.length; i++) triangles[i] = i;
  const mesh = { vertices, triangles, name: options.file };
  const parts = [{ name: '', firstTriangle: 0, triangleCount: count }];
  return finishMesh(issues, { format: 'tris', mesh, parts, unit: null, upAxis: null });
}
