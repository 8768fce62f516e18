/**
 * A robot from disk: URDF or xacro, its SRDF, and the meshes it names.
 *
 * A mesh that is missing, broken or outside the allowed folders is an error issue and is left out of `meshes`; the
 * robot still loads. A file is read once however often and however spelled it is named. Meshes are not scaled: the
 * `scale` of each shape applies where the shape is used. Up axes that mesh files declare are ignored unless
 * `upAxis` says otherwise, as other URDF tools do, for visual and collision geometry alike.
 */
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import type { Issue, Parsed } from '../io/issue.js';
import { parseSrdf } from '../io/srdf.js';
import { checkSemantics, resolveDisabledPairs } from '../io/srdf-check.js';
import { parseUrdf } from '../io/urdf.js';
import { decodeXmlBytes, XML_MAX_LENGTH } from '../io/xml.js';
import type { GeometryDescription, RobotDescription, SemanticDescription } from '../scene/description.js';
import { type LoadMeshOptions, readBytes } from './load-mesh.js';
import { createMeshStore } from './mesh-store.js';
import { createUriContext, type UriOptions } from './resolve-uri.js';

export interface LoadRobotOptions extends UriOptions, LoadMeshOptions {
  /** SRDF file. */
  readonly srdf?: string;
  /** Arguments of xacro files, as on xacro's command line. */
  readonly xacroArgs?: Readonly<Record<string, string>>;
  /** Which shapes' meshes to load; default 'collision'. Spheres need none. */
  readonly geometry?: 'collision' | 'visual' | 'both' | 'spheres' | 'none';
}

export interface RobotFiles {
  /** The URDF text that was read: the file's own, or what its xacro expands to. */
  readonly urdf: string;
  readonly description: RobotDescription;
  readonly semantic: SemanticDescription | null;
  /** By file name as written in the description. Names of one file share one mesh object. */
  readonly meshes: ReadonlyMap<string, TriangleMesh>;
  /** Real path of each file name that could be resolved. */
  readonly files: ReadonlyMap<string, string>;
}

export async function loadRobot(file: string, options: LoadRobotOptions = {}): Promise<Parsed<RobotFiles>> {
  const issues: Issue[] = [];
  const context = createUriContext(file, options);
  const text = await readText(file, issues);
  if (text === null) return { value: null, issues };
  const urdf = parseUrdf(text, { file });
  issues.push(...urdf.issues);
  if (!urdf.value) return { value: null, issues };
  const semantic = options.srdf === undefined ? null : await loadSemantic(options.srdf, urdf.value, issues);
  const { geometry = 'collision' } = options;
  const shapes: GeometryDescription[] = [];
  if (geometry === 'collision' || geometry === 'both') shapes.push(...urdf.value.collisions);
  if (geometry === 'visual' || geometry === 'both') shapes.push(...urdf.value.visuals);
  const store = createMeshStore(context, { ...options, upAxis: options.upAxis ?? 'ignore' });
  for (const { link, shape } of shapes) {
    const line = shape.type === 'mesh' ? lineOf(text, shape.file) : undefined;
    await store.load(shape, { file, line, element: `link "${link}"` });
  }
  issues.push(...store.issues);
  return { value: { urdf: text, description: urdf.value, semantic, meshes: store.meshes, files: store.files }, issues };
}

async function loadSemantic(
  file: string,
  description: RobotDescription,
  issues: Issue[],
): Promise<SemanticDescription | null> {
  const text = await readText(file, issues);
  if (text === null) return null;
  const srdf = parseSrdf(text, { file });
  issues.push(...srdf.issues);
  if (!srdf.value) return null;
  issues.push(...checkSemantics(srdf.value, description, file));
  return { ...srdf.value, disabledPairs: resolveDisabledPairs(srdf.value, description) };
}

/** Decoded text of an XML file; null, with issues, when it cannot be read. */
async function readText(file: string, issues: Issue[]): Promise<string | null> {
  const read = await readBytes(file, 4 * XML_MAX_LENGTH);
  issues.push(...read.issues);
  if (!read.value) return null;
  const decoded = decodeXmlBytes(read.value, file);
  issues.push(...decoded.issues);
  return decoded.text;
}

function lineOf(text: string, part: string): number | undefined {
  const at = text.indexOf(part);
  if (at < 0) return undefined;
  let line = 1;
  for (let i = text.indexOf('\n'); i >= 0 && i < at; i = text.indexOf('\n', i + 1)) line++;
  return line;
}
