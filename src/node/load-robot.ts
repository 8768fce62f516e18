/**
 * A robot from disk: URDF or xacro, its SRDF, and the meshes it names.
 *
 * A mesh that is missing, broken or outside the allowed folders is an error issue and is left out of `meshes`; the
 * robot still loads; what was left out, there and in the URDF, stands in the description's `assumed`. A file is read once however often and however spelled it is named. Meshes are not scaled: the
 * `scale` of each shape applies where the shape is used. Up axes that mesh files declare are ignored unless
 * `upAxis` says otherwise, as other URDF tools do, for visual and collision geometry alike.
 */

import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { GEOMETRY, LOAD_OPTIONS, requireLoad } from '../io/io-door.js';
import { type Issue, type Parsed, toAssumptions } from '../io/issue.js';
import { readSrdf } from '../io/robot/srdf.js';
import { checkSemantics, resolveDisabledPairs } from '../io/robot/srdf-check.js';
import { readUrdf } from '../io/robot/urdf.js';
import { joinArgumentIssues } from '../io/robot/xacro/arguments.js';
import { childElements, type XmlElement } from '../io/xml/xml.js';
import { type Fields, requireText, requireTextsByName } from '../math/arguments.js';
import type { GeometryDescription, RobotDescription } from '../scene/description.js';
import type { SemanticDescription } from '../semantics/description.js';
import type { LoadMeshOptions } from './load-mesh.js';
import { pickMeshOptions } from './load-mesh.js';
import { loadTree, type XacroArguments } from './load-tree.js';
import { createMeshStore } from './mesh-store.js';
import { URI_OPTIONS } from './node-door.js';
import { createUriContext, pickUriOptions, type UriOptions } from './resolve-uri.js';

export interface LoadRobotOptions extends UriOptions, LoadMeshOptions, XacroArguments {
  /** SRDF file. */
  readonly srdf?: string;
  /** Which shapes' meshes to load; default 'collision'. Spheres need none. */
  readonly geometry?: 'collision' | 'visual' | 'both' | 'spheres' | 'none';
}

const OPTIONS: Fields = {
  ...URI_OPTIONS,
  ...LOAD_OPTIONS,
  srdf: requireText,
  geometry: GEOMETRY,
  xacroArgs: requireTextsByName,
  env: requireTextsByName,
};

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
  requireLoad('loadRobot', file, options, OPTIONS);
  const issues: Issue[] = [];
  const context = createUriContext(file, pickUriOptions(options));
  const tree = await loadTree(file, context, options);
  issues.push(...tree.issues);
  if (!tree.value) return { value: null, issues };
  const { root, text } = tree.value;
  const { geometry = 'collision' } = options;
  const urdf = readUrdf(root, file, [], geometry);
  issues.push(...urdf.issues);
  if (!urdf.value) return { value: null, issues };
  const semantic = options.srdf === undefined ? null : await loadSemantic(options.srdf, urdf.value, options, issues);
  const assumed = toAssumptions(issues);
  const shapes: GeometryDescription[] = [];
  if (geometry === 'collision' || geometry === 'both') shapes.push(...urdf.value.collisions);
  if (geometry === 'visual' || geometry === 'both') shapes.push(...urdf.value.visuals);
  const store = createMeshStore(context, { ...pickMeshOptions(options), upAxis: options.upAxis ?? 'ignore' });
  const places = findMeshes(root);
  for (const { link, shape } of shapes) {
    const place = shape.type === 'mesh' ? places.get(shape.file) : undefined;
    await store.load(shape, { file: place?.file ?? file, line: place?.line, element: `link "${link}"` });
  }
  issues.push(...store.issues);
  const told = joinArgumentIssues(issues, options.srdf === undefined ? 1 : 2);
  assumed.push(...store.assumed);
  const description = assumed.length === 0 ? urdf.value : { ...urdf.value, assumed };
  return { value: { urdf: text, description, semantic, meshes: store.meshes, files: store.files }, issues: told };
}

async function loadSemantic(
  file: string,
  description: RobotDescription,
  options: LoadRobotOptions,
  issues: Issue[],
): Promise<SemanticDescription | null> {
  const tree = await loadTree(file, createUriContext(file, pickUriOptions(options)), options);
  issues.push(...tree.issues);
  if (!tree.value) return null;
  const srdf = readSrdf(tree.value.root, file);
  issues.push(...srdf.issues);
  if (!srdf.value) return null;
  issues.push(...checkSemantics(srdf.value, description, file));
  return { ...srdf.value, disabledPairs: resolveDisabledPairs(srdf.value, description) };
}

/** The first element that names each mesh file. */
function findMeshes(root: XmlElement): Map<string, XmlElement> {
  const found = new Map<string, XmlElement>();
  const open = [root];
  for (let element = open.pop(); element; element = open.pop()) {
    const name = element.name === 'mesh' ? element.attributes.get('filename')?.trim() : undefined;
    const known = name === undefined ? undefined : found.get(name);
    if (name !== undefined && (!known || element.line < known.line)) found.set(name, element);
    open.push(...childElements(element));
  }
  return found;
}
