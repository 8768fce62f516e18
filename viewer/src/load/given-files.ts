/** Makes out what a set of given files means: a robot, a scene, a path, or meshes or a protein on their own. */
import { type Issue, meshFormatOf, structureFormatOf } from 'clearance/io';
import { createFileSetAccess } from '../files/file-access.js';
import type { FileSet } from '../files/file-set.js';
import { fileNameOf } from '../files/paths.js';
import { type LoadedProtein, loadProtein } from '../protein/load-protein.js';
import { type Content, createEmptyContent } from './content.js';
import { meshObjects } from './mesh-objects.js';
import { loadRobot } from './robot.js';
import { loadScene } from './scene.js';
import { chooseXacro, expandGivenXacro } from './xacro.js';

export interface GivenContent extends Content {
  /** What the files hold, which decides what of the page they replace. */
  readonly holds: {
    readonly robot: boolean;
    readonly scene: boolean;
    readonly meshes: boolean;
    readonly path: boolean;
  };
  /** Null when the files hold something else to show, or no protein. */
  readonly protein: LoadedProtein | null;
}

export async function loadGivenFiles(files: FileSet): Promise<GivenContent> {
  const issues: Issue[] = [];
  const access = createFileSetAccess(files);
  const text = async (path: string): Promise<string> => new TextDecoder().decode(await files.read(path));
  const urdfFiles = byDepth(files.paths.filter((path) => /\.urdf$/i.test(path)));
  const xacroFile = urdfFiles.length > 0 ? undefined : chooseXacro(files.paths);
  const srdfFiles = byDepth(files.paths.filter((path) => /\.srdf$/i.test(path)));
  let content = createEmptyContent('');
  const path = urdfFiles[0] ?? xacroFile;
  if (path !== undefined) {
    if (urdfFiles.length > 1) noteOthers('robot files', path, urdfFiles, issues);
    const semantic = srdfFiles.find((file) => stem(file) === stem(path)) ?? srdfFiles[0];
    const srdf = semantic === undefined ? undefined : await text(semantic);
    const urdf = path === xacroFile ? await expandGivenXacro(files, path, issues) : await text(path);
    const robot = urdf === null ? null : await loadRobot({ urdf, path, srdf }, access, issues);
    if (robot) content = { ...content, title: robot.description.name, robots: [robot] };
  }
  const json = await readJsonFiles(files, issues);
  if (json.scenes.length > 0) {
    const [path] = json.scenes;
    if (json.scenes.length > 1) noteOthers('scene files', path, json.scenes, issues);
    const scene = await loadScene(await text(path), path, access, issues);
    if (scene) {
      const robots = [...content.robots, ...scene.robots];
      content = { ...content, ...scene, robots, title: content.title || fileNameOf(path) };
    }
  }
  const holds = {
    robot: content.robots.length > 0 || path !== undefined,
    scene: json.scenes.length > 0,
    meshes: false,
    path: json.path.length > 0,
  };
  const meshFiles = files.paths.filter((path) => meshFormatOf(path) !== null);
  if (!holds.robot && !holds.scene && meshFiles.length > 0) {
    const added = await meshObjects(meshFiles, access, '', issues);
    content = { ...content, ...added, title: added.objects[0]?.name ?? '' };
    holds.meshes = added.objects.length > 0;
  }
  let protein: LoadedProtein | null = null;
  const structureFiles = byDepth(files.paths.filter((path) => structureFormatOf(path) !== null));
  if (!holds.robot && !holds.scene && !holds.meshes && structureFiles.length > 0) {
    const [file] = structureFiles;
    if (structureFiles.length > 1) noteOthers('structure files', file, structureFiles, issues);
    protein = await loadProtein(file, await files.read(file), issues);
  }
  if (!holds.robot && !holds.scene && !holds.meshes && !holds.path && !protein && issues.length === 0) {
    issues.push({
      severity: 'error',
      code: 'nothing-to-show',
      message:
        'none of the files is a robot (.urdf, .xacro), a mesh, a protein (.pdb, .cif, .bcif), a scene or a path (.json)',
    });
  }
  return { ...content, path: json.path, issues, holds, protein };
}

interface JsonFiles {
  readonly scenes: readonly string[];
  readonly path: readonly (readonly number[])[];
}

async function readJsonFiles(files: FileSet, issues: Issue[]): Promise<JsonFiles> {
  const scenes: string[] = [];
  let path: readonly (readonly number[])[] = [];
  for (const file of byDepth(files.paths.filter((name) => /\.json$/i.test(name)))) {
    const text = new TextDecoder().decode(await files.read(file));
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      issues.push({ severity: 'error', code: 'json-syntax', file, message: `no JSON: ${(error as Error).message}` });
      continue;
    }
    const found = readPath(value);
    if (found) path = found;
    else if (typeof value === 'object' && value !== null && ('objects' in value || 'robots' in value))
      scenes.push(file);
  }
  return { scenes, path };
}

/** A path as `clearance plan --out` writes it, or a bare array of configurations; null when the value is neither. */
export function readPath(value: unknown): readonly (readonly number[])[] | null {
  const path = typeof value === 'object' && value !== null && 'path' in value ? value.path : value;
  if (!Array.isArray(path) || path.length === 0) return null;
  const isConfiguration = (q: unknown): q is number[] =>
    Array.isArray(q) && q.length > 0 && q.every((x) => typeof x === 'number' && Number.isFinite(x));
  return path.every(isConfiguration) && path.every((q) => q.length === path[0].length) ? path : null;
}

function byDepth(paths: readonly string[]): string[] {
  const depth = (path: string): number => path.split('/').length;
  return [...paths].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
}

function stem(path: string): string {
  return fileNameOf(path).replace(/\.[^.]+$/, '');
}

function noteOthers(what: string, taken: string, all: readonly string[], issues: Issue[]): void {
  issues.push({
    severity: 'info',
    code: 'several-files',
    message: `${all.length} ${what} were given; showing ${taken}. Give one alone to see it`,
  });
}
