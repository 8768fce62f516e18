/**
 * Wavefront OBJ: vertices and faces; everything about looks (materials, normals, texture coordinates) is skipped.
 *
 * Read: `v x y z [w] [r g b]` (w and colours ignored), `f` with any of v, v/vt, v//vn, v/vt/vn, polygons of any size
 * (cut into corners - 2 triangles), negative indices relative to the vertices so far, `o` and `g` as parts, continued
 * lines, comments. Points, lines and free-form curves are counted and left out. A vertex index that points nowhere
 * refuses the file: a silently missing triangle would be a silently missed collision.
 *
 * Cost: linear in the bytes; memory at most about 8 times the file. Checked by obj.test.ts and test/oracle/mesh-files.
 */
import type { Parsed } from './issue.js';
import { Float64Buffer, Int32Buffer } from './mesh-buffers.js';
import {
  DEFAULT_MAXIMUM_MESH_BYTES,
  finishMesh,
  type MeshFileContent,
  MeshIssues,
  type MeshPart,
  type MeshReadOptions,
  meshBytes,
  PartStarts,
  tooLargeMessage,
} from './mesh-content.js';
import { PolygonCutter, reportCuts } from './mesh-polygon.js';
import { badNumberMessage, TextScanner } from './mesh-text.js';

const V = 118;
const F = 102;
const G = 103;
const O = 111;

/**
 * Reads a Wavefront OBJ. Content is never a reason to throw: `value` is null, with one error among the issues, when
 * the file cannot be trusted. Coordinates come back as written.
 */
export function parseObj(bytes: Uint8Array, options: MeshReadOptions = {}): Parsed<MeshFileContent> {
  const issues = new MeshIssues(options.file);
  const limit = options.maximumBytes ?? DEFAULT_MAXIMUM_MESH_BYTES;
  if (bytes.length > limit) {
    return issues.refuse('too-large', tooLargeMessage('the text of the mesh', bytes.length, limit));
  }
  const scanner = new TextScanner(bytes, { comments: true, continuation: true });
  const vertices = new Float64Buffer();
  const corners = new Int32Buffer();
  /** First corner of each face, and the line of the face with the largest index, for the check at the end. */
  const faces = new Int32Buffer();
  const groups = new PartStarts(issues);
  groups.begin('', 0);
  let largest = -1;
  let largestLine = 0;

  for (; scanner.position < scanner.end; ) {
    // comments and file names may end in a backslash that means nothing
    let continued = false;
    if (scanner.skipBlanks()) {
      continued = bytes[scanner.position] === V || bytes[scanner.position] === F;
      const at = scanner.position;
      const keyword = bytes[at];
      if (keyword === V && isBlank(bytes[at + 1])) {
        scanner.position = at + 1;
        if (!readVertex(scanner, vertices)) return refuseNumber(issues, scanner);
      } else if (keyword === F && isBlank(bytes[at + 1])) {
        scanner.position = at + 1;
        const line = scanner.line;
        const first = corners.length;
        const vertexCount = vertices.length / 3;
        while (scanner.skipBlanks()) {
          const index = scanner.readInteger();
          if (index === null || index === 0 || index < -vertexCount) {
            const found = index === null ? `"${scanner.peekToken()}"` : `${index}`;
            return issues.refuse(
              'bad-vertex-index',
              `a face names vertex ${found}; there are ${vertexCount} vertices so far (numbers start at 1)`,
              { line },
            );
          }
          scanner.skipToken();
          const vertex = index > 0 ? index - 1 : vertexCount + index;
          corners.push(vertex);
          if (vertex > largest) {
            largest = vertex;
            largestLine = line;
          }
        }
        if (corners.length - first < 3) {
          issues.warn('short-face', `a face of ${corners.length - first} vertices was left out`, { line });
          corners.length = first;
        } else {
          faces.push(first);
        }
      } else if ((keyword === G || keyword === O) && isBlank(bytes[at + 1])) {
        scanner.position = at + 1;
        scanner.skipBlanks();
        groups.begin(scanner.peekLine(), faces.length);
      } else if (startsWith(bytes, at, 'curv') || startsWith(bytes, at, 'surf')) {
        issues.warn('free-form', 'free-form curves and surfaces are left out: export the mesh as polygons', {
          line: scanner.line,
        });
      }
    }
    scanner.nextLine(continued);
  }

  const vertexCount = vertices.length / 3;
  if (largest >= vertexCount) {
    return issues.refuse(
      'bad-vertex-index',
      `a face names vertex ${largest + 1}, the file has ${vertexCount} vertices`,
      { line: largestLine },
    );
  }
  const triangleCount = corners.length - 2 * faces.length;
  const needed = meshBytes(vertexCount, triangleCount);
  if (needed > limit) return issues.refuse('too-large', tooLargeMessage('the mesh', needed, limit));
  const mesh = { vertices: vertices.take(), triangles: new Uint32Array(3 * triangleCount), name: options.file };
  const parts = cutFaces(mesh, corners, faces, groups, issues);
  return finishMesh(issues, { format: 'obj', mesh, parts, unit: null, upAxis: null });
}

/** Cuts all faces into mesh.triangles; returns the runs of triangles of the groups. */
function cutFaces(
  mesh: { vertices: Float64Array; triangles: Uint32Array },
  corners: Int32Buffer,
  faces: Int32Buffer,
  groups: PartStarts,
  issues: MeshIssues,
): MeshPart[] {
  const cutter = new PolygonCutter(mesh.vertices);
  const parts: MeshPart[] = [];
  let at = 0;
  groups.names.forEach((name, g) => {
    const firstTriangle = at / 3;
    const end = groups.starts[g + 1] ?? faces.length;
    for (let face = groups.starts[g]; face < end; face++) {
      const first = faces.data[face];
      const last = face + 1 < faces.length ? faces.data[face + 1] : corners.length;
      at = cutter.cut(mesh.triangles, at, corners.data, first, last - first);
    }
    parts.push({ name, firstTriangle, triangleCount: at / 3 - firstTriangle });
  });
  reportCuts(cutter, issues);
  return parts;
}

function readVertex(scanner: TextScanner, vertices: Float64Buffer): boolean {
  scanner.skipBlanks();
  const x = scanner.readNumber();
  scanner.skipBlanks();
  const y = scanner.readNumber();
  scanner.skipBlanks();
  const z = scanner.readNumber();
  vertices.push3(x, y, z);
  // infinite or not a number in any of the three
  return x - x + (y - y) + (z - z) === 0;
}

function refuseNumber(issues: MeshIssues, scanner: TextScanner): Parsed<MeshFileContent> {
  return issues.refuse('bad-number', badNumberMessage(scanner), { line: scanner.line });
}

function isBlank(c: number): boolean {
  return c === 32 || c === 9 || c === 92;
}

function startsWith(bytes: Uint8Array, at: number, word: string): boolean {
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word.charCodeAt(i)) return false;
  return true;
}
