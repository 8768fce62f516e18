/** Makes out what a set of given files means: a robot, a scene, a path, or meshes or a protein on their own. */
import { type Issue, meshFormatOf, parseTrajectoryFile, readTrajectoryMcap, structureFormatOf } from 'clearance/io';
import { type FileSet, type LoadRobotOptions, loadRobot, loadScene, loadStructure } from 'clearance/web';
import { readWork, WORK_FILE } from '../link.js';
import type { GivenProtein } from '../protein/load-protein.js';
import type { Work } from '../work.js';
import { type Content, createEmptyContent, type PathContent } from './content.js';
import { meshObjects } from './mesh-objects.js';
import type { MeshReading, ReadingChoices, XacroArgument } from './reading.js';
import { placeRobots } from './scene-robots.js';
import { listXacroArguments } from './xacro-arguments.js';

export interface GivenContent extends Content, ReadingChoices {
  /** What the files hold, which decides what of the page they replace. */
  readonly holds: {
    readonly robot: boolean;
    readonly scene: boolean;
    readonly meshes: boolean;
    readonly path: boolean;
  };
  /** Null when the files hold something else to show, or no protein. */
  readonly protein: GivenProtein | null;
  /** What the page itself had written of its user's work, in a zip of its own. */
  readonly work: Work | null;
}

export type GivenFileOptions = Pick<LoadRobotOptions, 'upAxis' | 'unit' | 'xacroArgs' | 'onProgress'> & {
  readonly scale?: readonly [number, number, number];
  /** Which of several robot files to show; default the first. */
  readonly robotFile?: string;
  /** Of meshes on their own, by path. */
  readonly meshes?: Readonly<Record<string, MeshReading>>;
};

export async function loadGivenFiles(files: FileSet, options: GivenFileOptions = {}): Promise<GivenContent> {
  const { scale, robotFile, meshes: ways, ...reading } = options;
  const issues: Issue[] = [...files.issues];
  const urdfFiles = byDepth(files.paths.filter((path) => /\.urdf$/i.test(path)));
  const xacroFile = urdfFiles.length > 0 ? undefined : chooseXacro(files.paths);
  const srdfFiles = byDepth(files.paths.filter((path) => /\.srdf$/i.test(path)));
  const robotFiles = urdfFiles.length > 0 ? urdfFiles : files.paths.filter((path) => /\.urdf\.xacro$/i.test(path));
  const chosen = robotFiles.find((path) => path === robotFile);
  const given = chosen ?? urdfFiles[0] ?? xacroFile;
  const sorted = await sortDataFiles(files, issues);
  const [sceneFile] = sorted.scenes;
  const scene = sceneFile === undefined ? null : await loadScene(sceneFile, { ...reading, files, geometry: 'both' });
  // A robot that the scene places stands there, and not a second time on its own.
  const isPlaced = scene?.value?.description.robots.some(({ file }) => leadsTo(sceneFile, file, given)) ?? false;
  const path = isPlaced ? undefined : given;
  let content = createEmptyContent('');
  let xacroArguments: readonly XacroArgument[] = [];
  if (path !== undefined) {
    if (urdfFiles.length > 1) noteOthers('robot files', path, urdfFiles, issues);
    const srdf = srdfFiles.find((file) => stem(file) === stem(path)) ?? srdfFiles[0];
    if (/\.xacro$/i.test(path)) xacroArguments = await listXacroArguments(files, path);
    const loaded = await loadRobot(path, { ...reading, files, srdf, geometry: 'both' });
    issues.push(...loaded.issues);
    if (loaded.value)
      content = { ...content, title: loaded.value.description.name, robots: [{ ...loaded.value, from: path }] };
  }
  if (scene !== null) {
    if (sorted.scenes.length > 1) noteOthers('scene files', sceneFile, sorted.scenes, issues);
    issues.push(...scene.issues);
    if (scene.value) {
      const { description, meshes, clouds } = scene.value;
      const robots = [...content.robots, ...placeRobots(scene.value, { from: (file) => pathFrom(sceneFile, file) })];
      const { objects, attached, allowed = [] } = description;
      const objectPairs = path === undefined;
      const title = content.title || (isPlaced && robots[0]?.description.name) || nameOf(sceneFile);
      content = { ...content, title, robots, objects, attached, allowed, meshes, clouds, objectPairs };
    }
  }
  const holds = {
    robot: content.robots.length > 0 || path !== undefined,
    scene: sorted.scenes.length > 0,
    meshes: false,
    path: sorted.path !== null,
  };
  const meshFiles = files.paths.filter((file) => meshFormatOf(file) !== null);
  if (!holds.robot && !holds.scene && meshFiles.length > 0) {
    const meshes = meshFiles.map((file) => ({ path: file, file }));
    const added = await meshObjects(meshes, { ...reading, files, scale, ways }, issues);
    content = { ...content, ...added, title: added.objects[0]?.name ?? '' };
    holds.meshes = true;
  }
  let protein: GivenProtein | null = null;
  const structureFiles = byDepth(files.paths.filter((file) => structureFormatOf(file) !== null));
  if (!holds.robot && !holds.scene && !holds.meshes && structureFiles.length > 0) {
    const [file] = structureFiles;
    if (structureFiles.length > 1) noteOthers('structure files', file, structureFiles, issues);
    const loaded = await loadStructure(file, { ...reading, files });
    issues.push(...loaded.issues);
    if (loaded.value) protein = { file, structure: loaded.value };
  }
  if (!holds.robot && !holds.scene && !holds.meshes && !holds.path && !protein && issues.length === 0) {
    issues.push({
      severity: 'error',
      code: 'nothing-to-show',
      message:
        'none of the files is a robot (.urdf, .xacro), a mesh, a protein (.pdb, .cif, .bcif), a scene (.json) or a path (.json, .csv, .mcap)',
    });
  }
  return {
    ...content,
    path: sorted.path,
    issues,
    holds,
    protein,
    work: sorted.work,
    robotFiles: robotFiles.length > 1 ? robotFiles : [],
    xacroArguments,
    meshFiles: holds.meshes ? meshFiles : [],
  };
}

/** Whether `reference`, relative to a scene file, is `path`. */
function leadsTo(sceneFile: string, reference: string, path: string | undefined): boolean {
  return path !== undefined && pathFrom(sceneFile, reference) === path;
}

/** The path that a reference means in a file of that path; undefined for a URL. */
function pathFrom(file: string, reference: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(reference)) return undefined;
  const encode = (path: string): string => path.split(/[\\/]/).map(encodeURIComponent).join('/');
  return decodeURIComponent(new URL(encode(reference), new URL(encode(file), 'file:///')).pathname.slice(1));
}

interface DataFiles {
  readonly work: Work | null;
  readonly scenes: readonly string[];
  readonly path: PathContent | null;
}

/** Tells scenes from paths among JSON and CSV files; a recording is a path. */
async function sortDataFiles(files: FileSet, issues: Issue[]): Promise<DataFiles> {
  const scenes: string[] = [];
  let path: PathContent | null = null;
  let work: Work | null = null;
  for (const file of byDepth(files.paths.filter((name) => /\.(json|csv|mcap)$/i.test(name)))) {
    const bytes = await files.read(file);
    if (/mcap$/i.test(file)) {
      path = (await readRecording(bytes, file, issues)) ?? path;
      continue;
    }
    const text = new TextDecoder().decode(bytes);
    if (nameOf(file) === WORK_FILE) work = readKept(text, file, issues);
    else if (/json$/i.test(file) && isScene(text)) scenes.push(file);
    else path = readPath(text, file, issues) ?? path;
  }
  return { scenes, path, work };
}

/** Joint states, or a joint trajectory, as `clearance plan --out` and the page write them. */
async function readRecording(bytes: Uint8Array, file: string, issues: Issue[]): Promise<PathContent | null> {
  const { value, issues: found } = await readTrajectoryMcap(bytes);
  issues.push(...found.map((issue) => ({ ...issue, file })));
  return value && { joints: value.positionNames, path: value.positions, times: value.times };
}

function readKept(text: string, file: string, issues: Issue[]): Work | null {
  try {
    return readWork((JSON.parse(text) as { work?: unknown }).work);
  } catch {
    const message = 'is not what the page wrote: joint values and objects come from the scene file alone';
    issues.push({ severity: 'warning', code: 'bad-work', file, message });
    return null;
  }
}

function isScene(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && ('objects' in value || 'robots' in value);
  } catch {
    // What was meant to be a scene and cannot be read is told by the reader of scenes, with the line.
    return /"(objects|robots)"\s*:/.test(text);
  }
}

/** A path or trajectory as the command line writes it, or a bare array of configurations; null when it is neither. */
export function readPath(text: string, file: string, issues: Issue[]): PathContent | null {
  const { value, issues: found } = parseTrajectoryFile(text);
  issues.push(...found.map((issue) => ({ ...issue, file })));
  if (!value) return null;
  if (value.kind === 'trajectory') {
    const { positionNames, positions, times } = value.trajectory;
    return { joints: positionNames, path: positions, times };
  }
  const [first, ...others] = value.paths.filter(({ path }) => path.length > 0);
  if (!first || first.path[0].length === 0) {
    issues.push({
      severity: 'error',
      code: 'empty-path',
      file,
      message: 'holds no configurations; nothing can be played',
    });
    return null;
  }
  if (others.length > 0) {
    const message = `holds ${others.length + 1} paths; the first is played`;
    issues.push({ severity: 'info', code: 'several-paths', file, message });
  }
  return first;
}

/** The file to expand: one that is named as a robot's rather than as a part of one. */
function chooseXacro(paths: readonly string[]): string | undefined {
  const rank = (path: string): number =>
    /\.urdf\.xacro$/i.test(path) ? 0 : /(^|\/)(robots?|urdf)\/[^/]*$/i.test(path) ? 1 : 2;
  return paths
    .filter((path) => /\.xacro$/i.test(path))
    .sort((a, b) => rank(a) - rank(b) || a.length - b.length || (a < b ? -1 : 1))[0];
}

function byDepth(paths: readonly string[]): string[] {
  const depth = (path: string): number => path.split('/').length;
  return [...paths].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function stem(path: string): string {
  return nameOf(path).replace(/\..*$/, '');
}

function noteOthers(what: string, taken: string, all: readonly string[], issues: Issue[]): void {
  issues.push({
    severity: 'info',
    code: 'several-files',
    message: `${all.length} ${what} were given; showing ${taken}. Give one alone to see it`,
  });
}
