/**
 * Wavefront OBJ: vertices and faces; everything about looks (materials, normals, texture coordinates) is skipped.
 *
 * Read: `v x y z [w] [r g b]` (w and colours ignored), `f` with any of v, v/vt, v//vn, v/vt/vn, polygons of any size
 * (cut into corners - 2 triangles), negative indices relative to the vertices so far, `o` and `g` as parts, continued
 * lines, comments. Points, lines and free-form curves are counted and left out. A vertex index that points nowhere
 * refuses the file, and so does a line that looks like a damaged vertex or face: a silently missing triangle would be a
 * silently missed collision. Vertices that are no points are let be where no face names them.
 *
 * Cost: linear in the bytes; memory at most about 8 times the file. Checked by obj.test.ts and test/oracle/mesh-files.
 */

import { FileIssues } from '../file-issues.js';
import { requireContent } from '../io-door.js';
import type { Parsed } from '../issue.js';
import { Float64Buffer, Int32Buffer } from './mesh-buffers.js';
import {
  DEFAULT_MAXIMUM_MESH_BYTES,
  finishMesh,
  type MeshFileContent,
  type MeshPart,
  type MeshReadOptions,
  meshBytes,
  PartStarts,
  reportUnfinishedLine,
  tooLargeMessage,
} from './mesh-content.js';
import { PolygonCutter, reportCuts } from './mesh-polygon.js';
import { badNumberMessage, isLineEnd, TextScanner } from './mesh-text.js';

const V = 118;
const F = 102;
const HASH = 35;
const PLUS = 43;
const MINUS = 45;
const SLASH = 47;
/** Statements whose values are names. */
const NAMES = -1;
/** Statements that are known and not read, with the most values that they take. */
const MOST_VALUES: Readonly<Record<string, number>> = Object.freeze(
  Object.assign(Object.create(null) as Record<string, number>, {
    ...Object.fromEntries(
      ['g', 'o', 'usemtl', 'mtllib', 'usemap', 'maplib', 'shadow_obj', 'trace_obj', 'call', 'csh'].map((word) => [
        word,
        NAMES,
      ]),
    ),
    ...Object.fromEntries(['vn', 'vt', 'vp'].map((word) => [word, 3])),
    ...Object.fromEntries(['s', 'mg', 'bevel', 'c_interp', 'd_interp', 'lod'].map((word) => [word, 2])),
    ...Object.fromEntries(
      [
        'p',
        'l',
        'fo',
        'deg',
        'bmat',
        'step',
        'cstype',
        'curv',
        'curv2',
        'surf',
        'parm',
        'trim',
        'hole',
        'scrv',
        'sp',
        'end',
        'con',
        'stech',
        'ctech',
      ].map((word) => [word, Number.POSITIVE_INFINITY]),
    ),
  }),
);
const FREE_FORM = new Set(['curv', 'curv2', 'surf']);
/** A name that swallowed the line after it. */
const FACE_IN_NAME = /(^|\s)(f(\s+-?\d+(\/-?\d*){0,2}){3,}|v(\s+[-+]?(\d|\.\d)\S*){3,})\s*$/;
/** A name that may have swallowed one, its first letter included, or a face that lost its letter. */
const NUMBERS_IN_NAME = /(^|\s)([-+]?(\d|\.\d)\S*\s+){2}[-+]?(\d|\.\d)\S*$/;
/** A word and at least three numbers or indices. */
const VALUES_IN_LINE = /^\S+(\s+[A-Za-z]\S*)?(\s+[-+]?(\d|\.\d)\S*){3}/;
/** Statements with numbers that other programs add: weights of a skin, tags of subdivision surfaces. */
const OTHERS_STATEMENTS = /^(vw|t\s+[a-z]+)\s/;
const NOT_FINITE = /^[-+]?(nan|inf|1\.#(ind|inf|qnan))/i;
/** Their places are kept until the faces are known. */
const MOST_BAD_VERTICES = 10_000;

/**
 * Reads a Wavefront OBJ. Content is never a reason to throw: `value` is null, with one error among the issues, when
 * the file cannot be trusted. Coordinates come back as written.
 */
export function parseObj(bytes: Uint8Array, options: MeshReadOptions = {}): Parsed<MeshFileContent> {
  requireContent('parseObj', bytes, options);
  const issues = new FileIssues(options.file);
  const limit = options.maximumBytes ?? DEFAULT_MAXIMUM_MESH_BYTES;
  if (bytes.length > limit) {
    return issues.refuse('too-large', tooLargeMessage('the text of the mesh', bytes.length, limit));
  }
  const scanner = new TextScanner(bytes, { comments: true, continuation: true });
  const vertices = new Float64Buffer();
  const reader = new FaceReader(scanner, vertices, issues);
  const { corners, faces, groups } = reader;
  let isGeometry = false;
  for (; scanner.position < scanner.end; ) {
    // comments and file names may end in a backslash that means nothing
    let continued = false;
    isGeometry = false;
    if (scanner.skipBlanks()) {
      const keyword = bytes[scanner.position];
      continued = keyword === V || keyword === F;
      isGeometry = continued;
      if (!reader.readStatement(keyword)) return { value: null, issues: issues.list };
    }
    scanner.nextLine(continued);
  }

  const vertexCount = vertices.length / 3;
  if (reader.largest >= vertexCount) {
    return issues.refuse(
      'bad-vertex-index',
      `a face names vertex ${reader.largest + 1}, the file has ${vertexCount} vertices`,
      { line: reader.largestLine },
    );
  }
  const strange = reader.findBadVertex();
  if (strange !== null) return issues.refuse('bad-number', strange.message, { line: strange.line });
  const triangleCount = corners.length - 2 * faces.length;
  const needed = meshBytes(vertexCount, triangleCount);
  if (needed > limit) return issues.refuse('too-large', tooLargeMessage('the mesh', needed, limit));
  const mesh = { vertices: vertices.take(), triangles: new Uint32Array(3 * triangleCount), name: options.file };
  const parts = cutFaces(mesh, corners, faces, groups, issues);
  if (isGeometry) reportUnfinishedLine(issues, bytes, scanner.line);
  return finishMesh(issues, { format: 'obj', mesh, parts, unit: null, upAxis: null });
}

/** Cuts all faces into mesh.triangles; returns the runs of triangles of the groups. */
function cutFaces(
  mesh: { vertices: Float64Array; triangles: Uint32Array },
  corners: Int32Buffer,
  faces: Int32Buffer,
  groups: PartStarts,
  issues: FileIssues,
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

function isBlank(c: number): boolean {
  return c === 32 || c === 9 || c === 92;
}

/** Words up to the end of the line, which a backslash does not continue here. */
function countWords(bytes: Uint8Array, from: number): number {
  let count = 0;
  let inWord = false;
  for (let at = from; at < bytes.length && !isLineEnd(bytes[at]) && bytes[at] !== HASH; at++) {
    const isSpace = bytes[at] === 32 || bytes[at] === 9;
    if (!isSpace && !inWord) count++;
    inWord = !isSpace;
  }
  return count;
}

/** A vertex that is infinite or no number: it refuses the file when a face names it. */
interface BadVertex {
  readonly vertex: number;
  readonly line: number;
  readonly message: string;
}

/** Reads statements one by one; each method is false when it refused the file. */
class FaceReader {
  readonly corners = new Int32Buffer();
  /** First corner of each face. */
  readonly faces = new Int32Buffer();
  readonly groups: PartStarts;
  /** The largest index, and the line of the face that has it, for the check at the end. */
  largest = -1;
  largestLine = 0;
  private readonly bad: BadVertex[] = [];

  constructor(
    private readonly scanner: TextScanner,
    private readonly vertices: Float64Buffer,
    private readonly issues: FileIssues,
  ) {
    this.groups = new PartStarts(issues);
    this.groups.begin('', 0);
  }

  readStatement(keyword: number): boolean {
    const { scanner, groups, faces, issues } = this;
    const { bytes, position: at } = scanner;
    if (keyword === V && isBlank(bytes[at + 1])) {
      scanner.position = at + 1;
      return this.readVertex();
    }
    if (keyword === F && isBlank(bytes[at + 1])) {
      scanner.position = at + 1;
      return this.readFace();
    }
    const word = scanner.peekToken();
    const most = MOST_VALUES[word];
    if (most === undefined) return this.readUnknown(word);
    scanner.skipToken();
    scanner.skipBlanks();
    if (word === 'g' || word === 'o') groups.begin(scanner.peekLine(), faces.length);
    if (most === NAMES) return this.checkName(scanner.peekLine());
    if (FREE_FORM.has(word)) {
      issues.warn('free-form', 'free-form curves and surfaces are left out: export the mesh as polygons', {
        line: scanner.line,
        assumes: 'dropped',
      });
    }
    return (
      countWords(bytes, scanner.position) <= most ||
      this.refuse(`"${word}" takes at most ${most} values: a line break may be missing`)
    );
  }

  private checkName(name: string): boolean {
    if (FACE_IN_NAME.test(name)) return this.refuse('a face stands in a name: break the line');
    if (name.includes('\0')) return this.refuse('a zero byte stands in a name: the file is damaged or no text');
    if (NUMBERS_IN_NAME.test(name)) {
      this.issues.warn('numbers-in-name', `the name "${name.slice(-60)}" ends in numbers: is it a vertex or a face?`, {
        line: this.scanner.line,
        assumes: 'guessed',
      });
    }
    return true;
  }

  /** The first vertex that is no point and that a face names. */
  findBadVertex(): BadVertex | null {
    if (this.bad.length === 0) return null;
    const { corners } = this;
    const used = new Set<number>();
    for (let i = 0; i < corners.length; i++) used.add(corners.data[i]);
    const unused = this.bad.filter(({ vertex }) => !used.has(vertex));
    if (unused.length < this.bad.length) return this.bad.find(({ vertex }) => used.has(vertex)) as BadVertex;
    // Hulls are built of all vertices: one that counts already adds nothing to them.
    const { data } = this.vertices;
    const known = corners.length === 0 ? [0, 0, 0] : data.slice(3 * corners.data[0], 3 * corners.data[0] + 3);
    for (const { vertex } of unused) data.set(known, 3 * vertex);
    const message = `${unused.length} vertices that are infinite or no numbers belong to no face and are left out`;
    this.issues.warn('bad-number', message, { line: unused[0].line });
    return null;
  }

  private refuse(message: string): false {
    this.issues.refuse('obj-syntax', message, { line: this.scanner.line });
    return false;
  }

  private readVertex(): boolean {
    const { scanner, vertices, bad } = this;
    const { line } = scanner;
    const point = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      point[k] = scanner.skipBlanks() ? scanner.readNumber() : Number.NaN;
      if (point[k] - point[k] === 0) continue;
      const message = badNumberMessage(scanner);
      if (bad.at(-1)?.vertex !== vertices.length / 3) bad.push({ vertex: vertices.length / 3, line, message });
      if (bad.length > MOST_BAD_VERTICES) {
        this.issues.refuse('bad-number', `more than ${MOST_BAD_VERTICES} vertices are no points: ${message}`, { line });
        return false;
      }
      scanner.skipToken();
    }
    vertices.push3(point[0], point[1], point[2]);
    // w and colours
    while (scanner.skipBlanks()) {
      if (Number.isNaN(scanner.readNumber()) && !NOT_FINITE.test(scanner.peekToken()))
        return this.refuse(`"${scanner.peekToken()}" behind the coordinates of a vertex: a line break may be missing`);
      scanner.skipToken();
    }
    return true;
  }

  private readFace(): boolean {
    const { scanner, corners, faces, issues } = this;
    const { line } = scanner;
    const first = corners.length;
    const vertexCount = this.vertices.length / 3;
    while (scanner.skipBlanks()) {
      const index = scanner.readInteger();
      if (index === null || index === 0 || index < -vertexCount || !this.skipOtherIndices()) {
        const found = index === null ? `"${scanner.peekToken()}"` : `${index}${scanner.peekToken()}`;
        issues.refuse(
          'bad-vertex-index',
          `a face names vertex ${found}; there are ${vertexCount} vertices so far (numbers start at 1)`,
          { line },
        );
        return false;
      }
      const vertex = index > 0 ? index - 1 : vertexCount + index;
      corners.push(vertex);
      if (vertex > this.largest) {
        this.largest = vertex;
        this.largestLine = line;
      }
    }
    if (corners.length - first < 3) {
      issues.warn('short-face', `a face of ${corners.length - first} vertices was left out`, {
        line,
        assumes: 'guessed',
      });
      corners.length = first;
    } else {
      faces.push(first);
    }
    return true;
  }

  /** The rest of `v/vt/vn`, each part an integer or nothing; false when it is something else. */
  private skipOtherIndices(): boolean {
    const { scanner } = this;
    const { bytes, end } = scanner;
    let at = scanner.position;
    for (let part = 0; part < 2 && at < end && bytes[at] === SLASH; part++) {
      at++;
      if (bytes[at] === MINUS || bytes[at] === PLUS) at++;
      while (at < end && bytes[at] >= 48 && bytes[at] <= 57) at++;
    }
    if (at < end && bytes[at] !== 32 && !(bytes[at] >= 9 && bytes[at] <= 13) && bytes[at] !== 92 && bytes[at] !== 35)
      return false;
    scanner.position = at;
    return true;
  }

  /** Statements of other programs are left out; what looks like a damaged vertex or face, or is no text, refuses the file. */
  private readUnknown(word: string): boolean {
    const { scanner, issues } = this;
    if (Object.hasOwn(MOST_VALUES, word.toLowerCase()) || word === 'V' || word === 'F')
      return this.refuse(`"${word}" is no statement of OBJ, its words are in lower case`);
    const line = scanner.peekLine();
    if (line.includes('\0')) return this.refuse('the file holds zero bytes: it is no text');
    if (VALUES_IN_LINE.test(line) && !OTHERS_STATEMENTS.test(line))
      return this.refuse(`"${word}" is no statement of OBJ: a damaged vertex or face, or no OBJ file`);
    issues.warn('obj-statement', `"${word}" is no statement of OBJ: its line is left out`, {
      line: scanner.line,
      assumes: 'guessed',
    });
    return true;
  }
}
