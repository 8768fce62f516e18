/**
 * What the viewer's server says to its page: a session description, and the list of files that it leads to. Nothing else is
 * served. Files are found as every command finds them; the page reads them with the same readers and the same options.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, parse, relative, resolve, sep } from 'node:path';
import { isOctomapFile } from '../io/cloud/cloud-file.js';
import type { Issue } from '../io/issue.js';
import { meshFormatOf } from '../io/mesh/mesh.js';
import { structureFormatOf } from '../io/molecule/structure.js';
import { parseSceneFile } from '../io/scene-file.js';
import { buildModel } from '../model/build-model.js';
import { loadRobot, type RobotFiles } from '../node/load-robot.js';
import { createUriContext, pickUriOptions, resolveUri, type UriContext } from '../node/resolve-uri.js';
import type { RobotDescription, ShapeDescription } from '../scene/description.js';
import { listFileShapes } from '../scene/resolve-shape.js';
import { parseConfiguration, selectGroup } from './configuration-argument.js';
import { UsageError } from './exit.js';
import { meshMode, parseScale } from './mesh-arguments.js';
import { report } from './messages.js';
import { type RobotArguments, readAllowedPairs, readSpheres, robotFileOptions } from './robot-arguments.js';
import { parseConfigurationText } from './state-arguments.js';

/** A robot's URDF (xacro expanded), and URLs of the files it names, as it names them. */
export interface SessionRobot {
  readonly urdf: string;
  readonly srdf?: string;
  readonly meshes: Record<string, string>;
  /** Why the others of the files that it names are not there, by reference. */
  readonly missing: Record<string, string>;
}

/** What `api/session.json` says; URLs are relative to the page. See viewer/README.md. */
export interface ViewerSession {
  readonly title: string;
  robot?: SessionRobot;
  scene?: {
    file: string;
    meshes: Record<string, string>;
    missing: Record<string, string>;
    robots: Record<string, SessionRobot>;
  };
  meshes?: { name: string; url: string }[];
  files?: { path: string; url: string }[];
  options?: Record<string, unknown>;
  q?: readonly number[];
  notes?: Issue[];
}

export interface ServedFile {
  /** Content of generated files (an expanded xacro), else the path on disk. */
  readonly content?: string;
  readonly path?: string;
}

/** What the arguments are, found out once; what is in the files is read for every session. */
export interface ViewerFiles {
  readonly robot: string | null;
  readonly srdf: string | null;
  readonly scene: string | null;
  readonly meshes: readonly string[];
  /** Given to the page as if they had been dropped, with the path that the page sees. */
  readonly others: readonly { readonly path: string; readonly file: string }[];
}

const MAXIMUM_FOLDER_FILES = 20_000;
const SKIPPED_FOLDERS = new Set(['node_modules', '__pycache__']);
/** What a page can make something of. */
const FOLDER_FILE = /\.(urdf|xacro|srdf|json|csv|ya?ml|xml|bin|zip|gz)$/i;

/** Sorts the arguments; what the page cannot show is refused by name. */
export function sortViewerFiles(files: readonly string[], args: RobotArguments): ViewerFiles {
  for (const file of [...files, ...[args.scene, args.srdf].filter((file) => file !== undefined)])
    if (!existsSync(file)) throw new UsageError(`${file}: no such file`);
  const robots: string[] = [];
  const scenes: string[] = args.scene === undefined ? [] : [args.scene];
  const semantics: string[] = args.srdf === undefined ? [] : [args.srdf];
  const meshes: string[] = [];
  const others: { path: string; file: string }[] = [];
  const addOther = (path: string, file: string): void => {
    let free = path;
    for (let n = 2; others.some((other) => other.path === free); n++)
      free = `${path.slice(0, path.length - extname(path).length)} (${n})${extname(path)}`;
    others.push({ path: free, file });
  };
  for (const file of files) {
    const name = basename(resolve(file));
    if (statSync(file).isDirectory()) {
      for (const path of listFolder(file)) addOther(`${name}/${path}`, join(file, path));
    } else if (/\.(urdf|xacro)$/i.test(file)) robots.push(file);
    else if (/\.srdf$/i.test(file)) semantics.push(file);
    else if (/\.json$/i.test(file) && isSceneFile(file)) scenes.push(file);
    else if (meshFormatOf(file) !== null) meshes.push(file);
    else if (/\.(zip|json|csv)$/i.test(file) || structureFormatOf(file) !== null) addOther(name, file);
    else
      throw new UsageError(
        `${file}: not something the viewer shows, expected a robot (.urdf, .xacro), a scene or path (.json, .csv), meshes, ` +
          'a protein (.pdb, .cif, .bcif), a zip or a folder',
      );
  }
  const oneOf = (list: readonly string[], message: string): string | null => {
    if (new Set(list.map((file) => resolve(file))).size > 1) throw new UsageError(`view: ${message}`);
    return list[0] ?? null;
  };
  const robot = oneOf(robots, 'one robot at a time; put several into a scene file');
  const srdf = oneOf(semantics, 'one SRDF at a time');
  if (srdf !== null && robot === null)
    throw new UsageError(
      args.srdf === undefined
        ? `${srdf}: an SRDF needs its robot (.urdf, .xacro) beside it`
        : '--srdf: needs a robot (.urdf, .xacro) among the files',
    );
  return { robot, srdf, scene: oneOf(scenes, 'one scene at a time'), meshes, others };
}

function isSceneFile(file: string): boolean {
  const text = readFileSync(file, 'utf8');
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && ('objects' in value || 'robots' in value);
  } catch {
    // One that is broken is told by the page, with the line.
    return /"(objects|robots)"\s*:/.test(text);
  }
}

/** Files below a folder that a page can use; links are not followed. */
function listFolder(folder: string): string[] {
  const found: string[] = [];
  const open = [''];
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    for (const entry of readdirSync(join(folder, at), { withFileTypes: true })) {
      if (entry.name.startsWith('.')) continue;
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!SKIPPED_FOLDERS.has(entry.name)) open.push(path);
      } else if (entry.isFile() && isUsable(entry.name)) found.push(path);
      if (found.length > MAXIMUM_FOLDER_FILES)
        throw new UsageError(
          `${folder}: more than ${MAXIMUM_FOLDER_FILES} files, expected a robot's or an assembly's folder`,
        );
    }
  }
  if (found.length === 0) throw new UsageError(`${folder}: the folder holds nothing that the viewer shows`);
  return found.sort();
}

function isUsable(name: string): boolean {
  return (
    FOLDER_FILE.test(name) ||
    meshFormatOf(name) !== null ||
    structureFormatOf(name) !== null ||
    isOctomapFile(name) ||
    /\.pcd$/i.test(name)
  );
}

/** Null: the page shows its bundled example. `served` gets every file that the session leads to, by URL. */
export async function createSession(
  files: ViewerFiles,
  args: RobotArguments,
  served: Map<string, ServedFile>,
): Promise<ViewerSession | null> {
  const { robot, scene, meshes, others } = files;
  const first = robot ?? scene ?? meshes[0] ?? others[0]?.path;
  if (first === undefined) return null;
  const serve = createServing(served);
  const notes: Issue[] = [];
  const title = robot === null && scene === null && meshes.length === 0 ? first.split('/')[0] : basename(first);
  const session: ViewerSession = { title, notes, options: await viewerOptions(args) };
  if (robot !== null) {
    const loaded = await loadRobotFiles(robot, files.srdf ?? findSrdfBeside(robot, notes), args);
    session.robot = serveRobot(robot, loaded.srdf, loaded.value, args, serve);
    session.q = readStart(loaded.value, args);
  }
  if (scene !== null) session.scene = await serveScene(scene, args, serve);
  if (meshes.length > 0) session.meshes = meshes.map((path) => ({ name: path, url: serve.mesh(path) }));
  if (others.length > 0) session.files = others.map(({ path, file }) => ({ path, url: serve.file(file) }));
  return session;
}

async function viewerOptions(args: RobotArguments): Promise<Record<string, unknown>> {
  const { geometry, mimic, base, continuous, upAxis, unit, group } = args;
  return {
    ...{ geometry, mimic, base, continuous, upAxis, unit, group },
    meshMode: meshMode(args),
    scale: parseScale(args.scale),
    spheres: args.spheres === undefined ? undefined : toLists(await readSpheres(args.spheres)),
    allowed: args.acm === undefined ? undefined : readAllowedPairs(args.acm, args.acmOnly),
  };
}

function toLists(spheres: Awaited<ReturnType<typeof readSpheres>>): Record<string, number[][]> {
  return Object.fromEntries(
    [...spheres].map(([link, list]) => [link, list.map(({ center, radius }) => [...center, radius])]),
  );
}

/** The SRDF of the robot's name in its folder, as when both are dropped. */
function findSrdfBeside(robot: string, notes: Issue[]): string | null {
  const stem = basename(robot).replace(/\..*$/, '');
  const name = readdirSync(dirname(resolve(robot))).find(
    (entry) => entry.toLowerCase() === `${stem.toLowerCase()}.srdf`,
  );
  if (name === undefined) return null;
  const file = join(dirname(robot), name);
  const message = `${name} beside it is used, as if named by --srdf`;
  const note: Issue = { severity: 'info', code: 'srdf-beside', file: robot, message };
  notes.push(note);
  return file;
}

interface LoadedRobotFiles {
  readonly value: RobotFiles;
  readonly srdf: string | null;
}

async function loadRobotFiles(file: string, srdf: string | null, args: RobotArguments): Promise<LoadedRobotFiles> {
  // The page reads the meshes; here they are only looked up.
  const options = { ...robotFileOptions(args), srdf: srdf ?? undefined, geometry: 'none' as const };
  const { value, issues } = await loadRobot(file, options);
  for (const issue of issues) report(issue);
  if (!value) throw new UsageError(`${file}: unreadable, see above`);
  return { value, srdf };
}

/** Values of --state, checked as every command checks them. */
function readStart(loaded: RobotFiles, args: RobotArguments): readonly number[] | undefined {
  const { mimic, base, continuous } = args;
  const { model } = buildModel(loaded.description.model, { mimic, base, continuous });
  const context = { ...loaded, model };
  selectGroup(context, args.group);
  if (args.state === undefined) return undefined;
  return [...parseConfiguration(context, parseConfigurationText(args.state), null)];
}

interface Serving {
  /** URL of a file on disk. */
  file(path: string): string;
  /** As `file`, with the buffers that a glTF file keeps beside it. */
  mesh(path: string): string;
  content(name: string, text: string): string;
}

/** URLs follow the folders, so that what files say of each other relative to themselves holds there too. */
function createServing(served: Map<string, ServedFile>): Serving {
  let made = 0;
  const add = (url: string, file: ServedFile): string => {
    served.set(`/${url}`, file);
    return url;
  };
  const urlOf = (path: string): string => {
    const full = resolve(path);
    const { root } = parse(full);
    const drive = root.replace(/[^a-z]/gi, '');
    const parts = relative(root, full).split(sep).map(encodeURIComponent);
    return ['files', ...(drive === '' ? [] : [drive]), ...parts].join('/');
  };
  const serving: Serving = {
    file: (path) => add(urlOf(path), { path: resolve(path) }),
    mesh(path) {
      if (meshFormatOf(path) === 'gltf') {
        const context = createUriContext(path, { roots: [dirname(path)] });
        for (const uri of listBufferUris(path)) {
          const found = resolveUri(uri, context).path;
          if (found !== null) serving.file(found);
        }
      }
      return serving.file(path);
    },
    content: (name, text) => add(`made/${made++}/${encodeURIComponent(name)}`, { content: text }),
  };
  return serving;
}

function listBufferUris(path: string): string[] {
  try {
    const { buffers } = JSON.parse(readFileSync(path, 'utf8')) as { buffers?: readonly { uri?: unknown }[] };
    return (buffers ?? []).flatMap(({ uri }) => (typeof uri === 'string' && !uri.startsWith('data:') ? [uri] : []));
  } catch {
    // The page says what is wrong with the file.
    return [];
  }
}

/** URLs of the files that shapes name, by reference; what is not found is told here and, in the same words, there. */
function serveShapes(
  shapes: readonly { readonly shape: ShapeDescription; readonly where: Partial<Issue> }[],
  context: UriContext,
  serve: Serving,
): Pick<SessionRobot, 'meshes' | 'missing'> {
  const meshes: Record<string, string> = {};
  const missing: Record<string, string> = {};
  const seen = new Set<string>();
  for (const { shape, where } of shapes) {
    for (const { file } of listFileShapes(shape)) {
      if (seen.has(file)) continue;
      seen.add(file);
      const { path, issues } = resolveUri(file, context);
      for (const issue of issues) report({ ...issue, ...where });
      if (path !== null) meshes[file] = serve.mesh(path);
      else missing[file] = issues.map(({ message }) => message).join('; ');
    }
  }
  return { meshes, missing };
}

function serveRobot(
  file: string,
  srdf: string | null,
  { urdf, description }: { readonly urdf: string; readonly description: RobotDescription },
  args: RobotArguments,
  serve: Serving,
): SessionRobot {
  const isXacro = /\.xacro$/i.test(file);
  const shapes = [...description.collisions, ...description.visuals].map(({ link, shape }) => ({
    shape,
    where: { file, element: `link "${link}"` },
  }));
  return {
    urdf: isXacro ? serve.content(basename(file).replace(/\.xacro$/i, ''), urdf) : serve.file(file),
    ...(srdf === null ? {} : { srdf: serve.file(srdf) }),
    ...serveShapes(shapes, createUriContext(file, pickUriOptions(robotFileOptions(args))), serve),
  };
}

async function serveScene(file: string, args: RobotArguments, serve: Serving): Promise<ViewerSession['scene']> {
  const { value, issues } = parseSceneFile(readFileSync(file, 'utf8'), { file });
  for (const issue of issues) report(issue);
  const session = { file: serve.file(file), meshes: {}, missing: {}, robots: {} as Record<string, SessionRobot> };
  // The page shows what is wrong with it.
  if (!value) return session;
  const folder = dirname(resolve(file));
  const context = createUriContext(file, { roots: [args.allowOutside ? parse(folder).root : folder] });
  const shapes = value.objects.map(({ name, shape }) => ({ shape, where: { file, element: `object "${name}"` } }));
  const resolveOwn = (reference: string | undefined, name: string): string | null => {
    if (reference === undefined) return null;
    const { path, issues: found } = resolveUri(reference, context);
    for (const issue of found) report({ ...issue, file, element: `robot "${name}"` });
    return path;
  };
  for (const placed of value.robots) {
    const path = resolveOwn(placed.file, placed.name);
    if (path === null) continue;
    const { value: robot, srdf } = await loadRobotFiles(path, resolveOwn(placed.srdf, placed.name), args);
    session.robots[placed.name] = serveRobot(path, srdf, robot, args, serve);
  }
  return { ...session, ...serveShapes(shapes, context, serve) };
}
