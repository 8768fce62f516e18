/**
 * A robot for a page: URDF or xacro, its SRDF, and the meshes it names, by URL or from files that the user gave. The twin of
 * the loader for Node: same options where they mean something in a page, same result.
 *
 * A mesh that is missing or broken is an error issue that says so (`assumes: 'dropped'`) and is left out of `meshes`; the
 * robot still loads; one that is only drawn (a visual, with `geometry: 'both'`) says nothing about answers. A file is read once however often and however spelled it is named. Meshes are not scaled: the `scale`
 * of each shape applies where the shape is used. Up axes that mesh files declare are ignored unless `upAxis` says otherwise.
 */

import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { requireLoad } from '../io/io-door.js';
import type { Issue, Parsed } from '../io/issue.js';
import { readSrdf } from '../io/robot/srdf.js';
import { checkSemantics, resolveDisabledPairs } from '../io/robot/srdf-check.js';
import { readUrdf } from '../io/robot/urdf.js';
import { joinArgumentIssues } from '../io/robot/xacro/arguments.js';
import { childElements, type XmlElement } from '../io/xml/xml.js';
import type { GeometryDescription, RobotDescription } from '../scene/description.js';
import type { SemanticDescription } from '../semantics/description.js';
import { createFileSource, type FileSource, type OpenedFile } from './file-source.js';
import { toTree, type XacroArguments } from './load-tree.js';
import { type LoadMeshOptions, loadShapeFiles, type NamedShape } from './mesh-store.js';
import { WEB_ROBOT_OPTIONS } from './web-door.js';

export interface LoadRobotOptions extends LoadMeshOptions, XacroArguments {
  /** URL of the SRDF, or its path among the files. */
  readonly srdf?: string;
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
  /** URL, or path among the files, of each file name that was found. */
  readonly files: ReadonlyMap<string, string>;
}

/** `file`: a URL, or with `files` one of their paths. */
export async function loadRobot(file: string, options: LoadRobotOptions = {}): Promise<Parsed<RobotFiles>> {
  requireLoad('loadRobot', file, options, WEB_ROBOT_OPTIONS);
  const source = createFileSource(options);
  const srdf = options.srdf;
  return readRobot(
    { robot: await source.openFile(file), srdf: srdf === undefined ? null : await source.openFile(srdf) },
    source,
    options,
  );
}

/** A robot whose own files have been looked up. */
export async function readRobot(
  opened: { readonly robot: OpenedFile; readonly srdf: OpenedFile | null },
  source: FileSource,
  options: LoadRobotOptions,
): Promise<Parsed<RobotFiles>> {
  const { robot } = opened;
  const issues: Issue[] = [...robot.issues];
  if (robot.path === null) return { value: null, issues };
  const tree = await toTree(robot, source, options);
  issues.push(...tree.issues);
  if (!tree.value) return { value: null, issues };
  const { root, text, path } = tree.value;
  const urdf = readUrdf(root, path);
  issues.push(...urdf.issues);
  const description = urdf.value;
  if (!description) return { value: null, issues };
  const semantic = opened.srdf && (await toSemantic(opened.srdf, description, source, options, issues));
  const { geometry = 'collision' } = options;
  const places = findMeshes(root);
  const name =
    (isDrawn: boolean) =>
    ({ link, shape }: GeometryDescription): NamedShape => {
      const place = shape.type === 'mesh' ? places.get(shape.file) : undefined;
      return { shape, where: { file: place?.file ?? path, line: place?.line, element: `link "${link}"` }, isDrawn };
    };
  const shapes: NamedShape[] = [];
  if (geometry === 'collision' || geometry === 'both') shapes.push(...description.collisions.map(name(false)));
  if (geometry === 'visual' || geometry === 'both') shapes.push(...description.visuals.map(name(geometry === 'both')));
  const loaded = await loadShapeFiles(shapes, source, path, { ...options, upAxis: options.upAxis ?? 'ignore' });
  issues.push(...loaded.issues);
  const told = joinArgumentIssues(issues, opened.srdf ? 2 : 1);
  return { value: { urdf: text, description, semantic, meshes: loaded.meshes, files: loaded.files }, issues: told };
}

async function toSemantic(
  opened: OpenedFile,
  description: RobotDescription,
  source: FileSource,
  options: XacroArguments,
  issues: Issue[],
): Promise<SemanticDescription | null> {
  issues.push(...opened.issues);
  if (opened.path === null) return null;
  const tree = await toTree(opened, source, options);
  issues.push(...tree.issues);
  if (!tree.value) return null;
  const srdf = readSrdf(tree.value.root, opened.path);
  issues.push(...srdf.issues);
  if (!srdf.value) return null;
  issues.push(...checkSemantics(srdf.value, description, opened.path));
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
