/**
 * Loads what a session description names: `api/session.json` of the command line's server, or a bundled example.
 * Every URL is relative to the page. See README.md for the format.
 */
import type { MeshMode } from 'clearance/geometry';
import type { Issue } from 'clearance/io';
import { createFileSet, type LoadProgress, type LoadRobotOptions, loadRobot, loadScene } from 'clearance/web';
import type { GivenProtein } from '../protein/load-protein.js';
import type { Work } from '../work.js';
import {
  type Content,
  createEmptyContent,
  type PlacedRobot,
  type RobotSettings,
  type StoredConfiguration,
} from './content.js';
import { loadGivenFiles } from './given-files.js';
import { makeScan } from './make-scan.js';
import { meshObjects, withObjects } from './mesh-objects.js';
import { placeRobots } from './scene-robots.js';

/** A robot's files: URDF (xacro expanded), and URLs by file name as the URDF writes it. */
export interface SessionRobot {
  readonly urdf: string;
  readonly srdf?: string;
  readonly meshes?: Readonly<Record<string, string>>;
  /** Why the others of the files that it names are not there, by reference. */
  readonly missing?: Readonly<Record<string, string>>;
}

export interface Session {
  readonly title: string;
  readonly robot?: SessionRobot;
  readonly scene?: {
    readonly file: string;
    /** URL by file name as the scene writes it. */
    readonly meshes?: Readonly<Record<string, string>>;
    readonly missing?: Readonly<Record<string, string>>;
    /** Its robots' files by the robots' names. */
    readonly robots?: Readonly<Record<string, SessionRobot>>;
  };
  /** Shown as objects, named for their paths. */
  readonly meshes?: readonly { readonly name: string; readonly url: string }[];
  /** A surface of half a million triangles, made where it would be read, with a ball beside it. */
  readonly made?: 'scan';
  /** Taken as if they had been dropped onto the page. */
  readonly files?: readonly { readonly path: string; readonly url: string }[];
  readonly options?: SessionOptions;
  /** Where the robot stands first: joint values or the name of an SRDF state. */
  readonly q?: PlacedRobot['q'];
  readonly configurations?: readonly StoredConfiguration[];
  readonly path?: readonly (readonly number[])[];
  /** Names of the configurations between which a path is planned first. */
  readonly plan?: Content['plan'];
  /** Direction from the scene to the camera. */
  readonly view?: Content['view'];
  /** URL of the server's events: files that changed, joint values that a program posts. */
  readonly events?: string;
  /** URL of the server's WebSocket, through which programs move the robot and hear of it. */
  readonly socket?: string;
  /** What the server has to say. */
  readonly notes?: readonly Issue[];
}

export interface SessionOptions extends RobotSettings {
  readonly meshMode?: MeshMode;
  readonly upAxis?: LoadRobotOptions['upAxis'];
  readonly unit?: string;
  /** Of meshes on their own. */
  readonly scale?: readonly [number, number, number];
  readonly xacroArgs?: Readonly<Record<string, string>>;
}

/** What the server looked for in vain is told as it found it: the page knows only that no URL was given. */
function inServersWords(issues: readonly Issue[], missing: Readonly<Record<string, string>> = {}): Issue[] {
  const reasons = Object.entries(missing);
  return issues.map((issue) => {
    const found = reasons.find(([reference]) => issue.message.startsWith(`"${reference}": `));
    return found ? { ...issue, message: found[1] } : issue;
  });
}

export interface LoadedSession {
  readonly content: Content;
  readonly protein: GivenProtein | null;
  readonly work: Work | null;
}

/** `base`: the page's URL, which those of the session are relative to. `fetchFile`: in place of the browser's. */
export async function loadSession(
  session: Session,
  base: string,
  onProgress: (progress: LoadProgress) => void,
  fetchFile: typeof fetch = fetch,
): Promise<LoadedSession> {
  const { upAxis, unit, scale, xacroArgs, meshMode, ...settings } = session.options ?? {};
  const reading = { upAxis, unit, onProgress, fetch: (url: string, init?: RequestInit) => fetchFile(url, init) };
  const absolute = (url: string): string => new URL(url, base).href;
  const absoluteAll = (urls: Readonly<Record<string, string>> = {}): Record<string, string> =>
    Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, absolute(url)]));
  const issues: Issue[] = [...(session.notes ?? [])];
  let content: Content = { ...createEmptyContent(session.title), meshMode };
  let protein: GivenProtein | null = null;
  let work: Work | null = null;
  if (session.files && session.files.length > 0) {
    const files = await createFileSet(await fetchAll(session.files, absolute, issues));
    const given = await loadGivenFiles(files, { ...reading, scale, xacroArgs });
    issues.push(...given.issues);
    const robots = given.robots.map((robot) => ({ ...robot, settings }));
    content = { ...content, ...given, title: session.title, meshMode, robots };
    protein = given.protein;
    work = given.work;
  }
  if (session.robot) {
    const { urdf, srdf, meshes, missing } = session.robot;
    const loaded = await loadRobot(absolute(urdf), {
      ...reading,
      srdf: srdf === undefined ? undefined : absolute(srdf),
      places: absoluteAll(meshes),
      geometry: 'both',
    });
    issues.push(...inServersWords(loaded.issues, missing));
    if (loaded.value) content = { ...content, robots: [{ ...loaded.value, settings, q: session.q }] };
  } else if (session.q !== undefined && content.robots.length > 0) {
    content = { ...content, robots: content.robots.map((robot, i) => (i === 0 ? { ...robot, q: session.q } : robot)) };
  }
  if (session.scene) {
    const { file, meshes, missing, robots = {} } = session.scene;
    const places = Object.entries(robots).map(([name, own]) => [
      name,
      {
        urdf: absolute(own.urdf),
        srdf: own.srdf === undefined ? undefined : absolute(own.srdf),
        places: absoluteAll(own.meshes),
      },
    ]);
    const loaded = await loadScene(absolute(file), {
      ...reading,
      places: absoluteAll(meshes),
      robots: Object.fromEntries(places),
      geometry: 'both',
    });
    const reasons = Object.assign({}, missing, ...Object.values(robots).map((own) => own.missing));
    issues.push(...inServersWords(loaded.issues, reasons));
    if (loaded.value) {
      const { description, meshes: own, clouds } = loaded.value;
      const { mimic, continuous, geometry } = settings;
      const placed = placeRobots(loaded.value, { settings: { mimic, continuous, geometry } });
      const { objects, attached, allowed = [] } = description;
      const objectPairs = content.robots.length === 0;
      const all = [...content.robots, ...placed];
      content = { ...content, robots: all, objects, attached, allowed, meshes: own, clouds, objectPairs };
    }
  }
  if (session.made === 'scan') {
    const meshes = new Map([['scan', makeScan()]]);
    content = withObjects(content, {
      objects: [
        { name: 'scan', shape: { type: 'mesh', file: 'scan' }, pose: [0, 0, 0, 0, 0, 0, 1] },
        { name: 'ball', shape: { type: 'sphere', radius: 0.05 }, pose: [0.1, -0.36, 0.48, 0, 0, 0, 1] },
      ],
      meshes,
    });
  }
  if (session.meshes && session.meshes.length > 0) {
    const given = session.meshes.map(({ name, url }) => ({ path: name, file: absolute(url) }));
    content = withObjects(content, await meshObjects(given, { ...reading, scale }, issues));
  }
  return {
    content: {
      ...content,
      configurations: session.configurations ?? [],
      path: session.path ? { joints: null, path: session.path } : content.path,
      view: session.view,
      plan: session.plan,
      issues,
    },
    protein,
    work,
  };
}

async function fetchAll(
  files: NonNullable<Session['files']>,
  absolute: (url: string) => string,
  issues: Issue[],
): Promise<[string, Blob][]> {
  const fetched: [string, Blob][] = [];
  for (const { path, url } of files) {
    const response = await fetch(absolute(url));
    if (response.ok) fetched.push([path, await response.blob()]);
    else
      issues.push({
        severity: 'error',
        code: 'file-not-found',
        file: path,
        message: 'the server does not have this file; see what it said when it started',
        assumes: 'dropped',
      });
  }
  return fetched;
}
