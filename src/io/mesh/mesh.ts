/**
 * One door for all mesh files: picks the reader by format, then turns the mesh to metres and to Z up.
 *
 * Units: COLLADA and glTF declare theirs and it always applies; the other formats declare none and are taken as they
 * are (metres, for a robot). Up direction: files that declare one are turned to Z up; a caller that reads meshes on
 * behalf of a URDF passes upAxis 'ignore', as URDF tools keep the coordinates as written. See docs/formats.md.
 */

import { boundPoints } from '../../geometry/bounds.js';
import { fillHoles } from '../../geometry/fill-holes.js';
import { LONGEST, SHORTEST } from '../../geometry/shape-range.js';
import { transformMesh } from '../../geometry/triangle-mesh-transform.js';
import { weldVertices } from '../../geometry/triangle-mesh-weld.js';
import { type Fields, oneOf, requireFunction, requireText } from '../../math/arguments.js';
import { FileIssues } from '../file-issues.js';
import { describeWrongContent } from '../file-kind.js';
import { LOAD_OPTIONS, requireContent } from '../io-door.js';
import type { Parsed } from '../issue.js';
import { parseCollada } from './collada.js';
import type { MeshFileContent, MeshFormat, MeshReadOptions, UpAxis } from './mesh-content.js';
import { parseObj } from './obj.js';
import { parseOff } from './off.js';
import { parsePly } from './ply.js';
import { parseStl } from './stl.js';
import { parseTris } from './tris.js';

export type MeshUnit = 'metre' | 'decimetre' | 'centimetre' | 'millimetre' | 'micrometre' | 'inch' | 'foot';

/** Metres per unit. */
export const METRES_PER_UNIT: Readonly<Record<MeshUnit, number>> = {
  metre: 1,
  decimetre: 0.1,
  centimetre: 0.01,
  millimetre: 0.001,
  micrometre: 1e-6,
  inch: 0.0254,
  foot: 0.3048,
};

export interface ParseMeshOptions extends MeshReadOptions {
  /** Default: from the extension of `file`, upper or lower case. */
  readonly format?: MeshFormat;
  /** Unit of the file's numbers. Default 'file': what the file declares, metres when it declares none. */
  readonly unit?: 'file' | MeshUnit;
  /**
   * 'file' (default): a file that declares its up direction is turned to Z up. 'ignore': coordinates stay as written.
   * 'x', 'y', 'z': the file is turned to Z up as if it declared this direction.
   */
  readonly upAxis?: 'file' | 'ignore' | UpAxis;
  /**
   * Metres within which vertices are taken as one, so that meshes whose neighbours differ in the last digits close; 0 (the
   * default) moves nothing.
   */
  readonly weld?: number;
  /**
   * Metres: holes up to this wide are closed by caps, after welding, so that nearly closed meshes count as solids; 0 (the
   * default) adds nothing. What was filled, and what is too wide, comes as an issue.
   */
  readonly fillHoles?: number;
  /** Bytes of a file that the mesh refers to (glTF buffers), by the URI written there; null when there is none. */
  readonly resources?: (uri: string) => Uint8Array | null;
}

const EXTENSIONS: Readonly<Record<string, MeshFormat>> = {
  stl: 'stl',
  obj: 'obj',
  ply: 'ply',
  off: 'off',
  tris: 'tris',
  dae: 'dae',
  gltf: 'gltf',
  glb: 'glb',
} satisfies Record<MeshFormat, MeshFormat>;

const OPTIONS: Fields = {
  ...LOAD_OPTIONS,
  unit: oneOf('file', ...Object.keys(METRES_PER_UNIT)),
  file: requireText,
  format: oneOf(...Object.keys(EXTENSIONS)),
  resources: requireFunction,
};

/** Turns that bring the file's up direction to +z: rows of an affine 3x4 matrix. */
const TO_Z_UP: Readonly<Record<UpAxis, readonly number[]>> = {
  // X up has -y to the right and z towards the viewer; Y up has x to the right and z towards the viewer
  x: [0, -1, 0, 0, 0, 0, -1, 0, 1, 0, 0, 0],
  y: [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0],
  z: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0],
};

/** Mesh format of a file name or URI by its extension (case does not matter); null when it is none we read. */
export function meshFormatOf(fileName: string): MeshFormat | null {
  requireText('meshFormatOf', 'fileName', fileName);
  const extension = /\.([A-Za-z0-9]+)(?:[?#].*)?$/.exec(fileName)?.[1].toLowerCase() ?? '';
  return Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : null;
}

/**
 * Reads a mesh file. The mesh comes back in metres with all its parts placed; `unit` and `upAxis` of the content still
 * say what the file declared. Never throws for content: `value` is null when an error left nothing that may be
 * trusted; an unknown unit or up axis and a bad `weld` or `fillHoles` are misuse. A promise because glTF is decoded asynchronously.
 */
export async function parseMesh(bytes: Uint8Array, options: ParseMeshOptions = {}): Promise<Parsed<MeshFileContent>> {
  requireContent('parseMesh', bytes, options, OPTIONS);
  const { weld = 0, fillHoles: widest = 0 } = options;
  const format = options.format ?? meshFormatOf(options.file ?? '');
  if (!format) {
    return new FileIssues(options.file).refuse(
      'unknown-mesh-format',
      'the extension is none of .stl .obj .ply .off .dae .gltf .glb .tris: convert the mesh to one of them',
    );
  }
  const parsed = await readAs(format, bytes, options);
  if (!parsed.value || parsed.value.mesh.triangles.length === 0) {
    const kind = describeWrongContent(bytes, format);
    if (kind !== null) {
      const message = `no ${format} mesh; it seems to be ${kind}`;
      return new FileIssues(options.file).refuse('wrong-content', message, { assumes: 'dropped' });
    }
  }
  if (!parsed.value) return parsed;
  const placed = place(parsed.value, options);
  const welded = weld > 0 ? { ...placed, mesh: weldVertices(placed.mesh, weld) } : placed;
  const outside = describeOutside(welded.mesh.vertices);
  if (outside !== null)
    return new FileIssues(options.file).refuse('size-out-of-range', outside, { assumes: 'dropped' });
  if (!(widest > 0)) return { value: welded, issues: parsed.issues };
  const issues = new FileIssues(options.file);
  const value = closeUp(welded, widest, issues);
  return { value, issues: [...parsed.issues, ...issues.list] };
}

/** The content with caps on its holes, as a part of their own. */
function closeUp(content: MeshFileContent, widest: number, issues: FileIssues): MeshFileContent {
  const { mesh, filled, widestFilled, tooWide, narrowestLeft, ofSheets } = fillHoles(content.mesh, widest);
  const firstTriangle = content.mesh.triangles.length / 3;
  const triangleCount = mesh.triangles.length / 3 - firstTriangle;
  if (filled > 0) {
    const message = `${filled} hole(s) of the mesh filled, the widest ${formatLength(widestFilled)} (fillHoles)`;
    issues.warn('holes-filled', message, { assumes: 'altered' });
  }
  if (tooWide > 0)
    issues.warn(
      'holes-left',
      `${tooWide} hole(s) of the mesh are wider than ${formatLength(widest)}, the narrowest ${formatLength(narrowestLeft)}: the mesh stays open`,
    );
  if (ofSheets > 0)
    issues.warn('holes-left', `${ofSheets} rim(s) of sheets, which have no inside, are left: the mesh stays open`);
  if (filled === 0) return content;
  return { ...content, mesh, parts: [...content.parts, { name: 'filled holes', firstTriangle, triangleCount }] };
}

function formatLength(metres: number): string {
  return `${Number(metres.toPrecision(4))} m`;
}

/** What of the mesh, in metres, is outside the range that queries keep their digits in; null when nothing is. */
function describeOutside(vertices: Float64Array): string | null {
  const bounds = boundPoints(new Float64Array(6), vertices);
  const range = `from ${SHORTEST} to ${LONGEST} m; give the unit of the file's numbers, or scale the mesh`;
  for (let k = 0; k < 6; k++)
    if (vertices.length > 0 && Math.abs(bounds[k]) > LONGEST)
      return `a vertex has the coordinate ${bounds[k]} m, and coordinates and sizes may be ${range}`;
  const extent = Math.max(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
  return extent > 0 && extent < SHORTEST ? `the mesh is ${extent} m large, and sizes may be ${range}` : null;
}

function readAs(
  format: MeshFormat,
  bytes: Uint8Array,
  { file, maximumBytes, resources }: ParseMeshOptions,
): Parsed<MeshFileContent> | Promise<Parsed<MeshFileContent>> {
  const options = { file, maximumBytes };
  switch (format) {
    case 'stl':
      return parseStl(bytes, options);
    case 'obj':
      return parseObj(bytes, options);
    case 'ply':
      return parsePly(bytes, options);
    case 'off':
      return parseOff(bytes, options);
    case 'tris':
      return parseTris(bytes, options);
    case 'dae':
      return parseCollada(bytes, options);
    case 'gltf':
    case 'glb':
      // With its schema: loaded where there is such a file.
      return import('./gltf.js').then(({ parseGltf }) => parseGltf(bytes, { ...options, resources }));
  }
}

function place(content: MeshFileContent, options: ParseMeshOptions): MeshFileContent {
  const { unit = 'file', upAxis = 'file' } = options;
  const scale = unit === 'file' ? (content.unit ?? 1) : METRES_PER_UNIT[unit];
  const turned = upAxis === 'ignore' ? 'z' : upAxis === 'file' ? (content.upAxis ?? 'z') : upAxis;
  if (scale === 1 && turned === 'z') return content;
  const matrix = TO_Z_UP[turned].map((entry) => entry * scale);
  return { ...content, mesh: transformMesh(content.mesh, matrix) };
}
