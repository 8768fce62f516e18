/** What the mesh readers give back. */
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import type { FileIssues } from '../file-issues.js';
import type { Parsed } from '../issue.js';

export type MeshFormat = 'stl' | 'obj' | 'ply' | 'off' | 'tris' | 'dae' | 'gltf' | 'glb';
export type UpAxis = 'x' | 'y' | 'z';

/** A run of triangles that the file names: an STL solid, an OBJ group, an instance of a COLLADA or glTF mesh. */
export interface MeshPart {
  readonly name: string;
  readonly firstTriangle: number;
  readonly triangleCount: number;
}

export interface MeshFileContent {
  readonly format: MeshFormat;
  /** All parts in one mesh, in file order. */
  readonly mesh: TriangleMesh;
  /** Cover every triangle once, in order; empty parts are left out. */
  readonly parts: readonly MeshPart[];
  /** Metres per file unit as the file declares it; null when the format or the file does not say. */
  readonly unit: number | null;
  /** Up direction as the file declares it; null when the format or the file does not say. */
  readonly upAxis: UpAxis | null;
}

export interface MeshReadOptions {
  /** Named in issues. */
  readonly file?: string;
  /** Largest mesh in bytes of memory (default 1 GiB: 24 bytes a vertex and 12 a triangle). */
  readonly maximumBytes?: number;
}

export const DEFAULT_MAXIMUM_MESH_BYTES = 2 ** 30;
const AMPLIFICATION_FLOOR = 64 * 2 ** 20;
const AMPLIFICATION = 128;
const BYTES_PER_VERTEX = 24;
const BYTES_PER_TRIANGLE = 12;

/** Names beyond this many are dropped, so that a file of nothing but names cannot fill the memory. */
const MAXIMUM_PARTS = 100_000;

/** Collects the places where a text file begins a named run of faces. */
export class PartStarts {
  readonly names: string[] = [];
  /** First face or triangle of each. */
  readonly starts: number[] = [];

  constructor(private readonly issues: FileIssues) {}

  /** From face `start` on the faces belong to `name`; a run that got no faces is forgotten. */
  begin(name: string, start: number): void {
    if (this.starts.at(-1) === start) {
      this.names.pop();
      this.starts.pop();
    } else if (this.starts.length >= MAXIMUM_PARTS) {
      this.issues.warn('too-many-parts', `more than ${MAXIMUM_PARTS} groups: the last one takes all further faces`);
      return;
    }
    this.names.push(name);
    this.starts.push(start);
  }
}

/** Memory that a mesh takes, in bytes. */
export function meshBytes(vertexCount: number, triangleCount: number): number {
  return vertexCount * BYTES_PER_VERTEX + triangleCount * BYTES_PER_TRIANGLE;
}

/** Text of the "too large" refusal: it names the limit, what would be needed and the way out. */
export function tooLargeMessage(what: string, needed: number, limit: number): string {
  return `${what} needs ${needed} bytes of memory, the limit is ${limit}; simplify the mesh or raise maximumBytes`;
}

/**
 * Bytes that a file may become, by its own size: a few bytes that announce or repeat much are refused before they take it.
 * Files that say all of what they hold stay far below.
 */
export function amplificationLimit(fileBytes: number, limit: number): number {
  return Math.min(limit, AMPLIFICATION_FLOOR + AMPLIFICATION * fileBytes);
}

/** What stands behind the announced end of a counted file may be faces, which then are missing. */
export function reportSurplus(issues: FileIssues, surplus: string, line?: number): void {
  issues.error('surplus-data', `${surplus} after the announced end is not read; correct the counts in the header`, {
    line,
    assumes: 'dropped',
  });
}

/** A text whose last line holds numbers and has no end may be cut within one of them: what is left of it still is a number. */
export function reportUnfinishedLine(issues: FileIssues, bytes: Uint8Array, line: number): void {
  const last = bytes[bytes.length - 1];
  if (last === 10 || last === 13) return;
  issues.warn('unfinished-line', 'the last line has no end: the file may be cut within it; end it if it is whole', {
    line,
    assumes: 'guessed',
  });
}

/** Ends a reading: an empty mesh is an error, and empty parts are left out. */
export function finishMesh(issues: FileIssues, content: MeshFileContent): Parsed<MeshFileContent> {
  if (content.mesh.triangles.length === 0)
    issues.error('no-triangles', 'the file holds no triangles: nothing can touch it', { assumes: 'dropped' });
  return issues.finish({ ...content, parts: content.parts.filter((part) => part.triangleCount > 0) });
}
